"""The command line of facedown: what may be said on it, and what each command does."""
