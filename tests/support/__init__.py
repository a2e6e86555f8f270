"""Builders and fakes the tests share."""
