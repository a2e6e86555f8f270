"""Bytes that nobody meant to send, and what they are thrown at. Run by scripts/fuzz and by the tests."""
