"""Tests of the house rules: packaging, words, dispatch tables."""
