"""The client line by line: for screen readers, pipes and terminals that cannot draw."""
