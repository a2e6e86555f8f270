"""Tests of the tables, on a made-up clock and in-memory streams."""
