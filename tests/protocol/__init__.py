"""Tests of the words and the wire, without a socket."""
