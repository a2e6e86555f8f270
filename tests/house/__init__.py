"""Tests of the house rules: packaging, sizes, words."""
