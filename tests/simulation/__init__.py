"""Whole servers in a made-up world where one seed decides everything."""
