"""Tests of the rules of the game, without a server."""
