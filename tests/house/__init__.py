"""Tests of what surrounds the code: set-up, packaging, scripts, documents, words, dispatch tables."""
