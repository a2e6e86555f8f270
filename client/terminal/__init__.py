"""The terminal itself: what it can show, what it is lent for a game, and that it gets all of it back."""
