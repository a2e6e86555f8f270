"""Tests of the screen and the keys, on a made-up terminal."""
