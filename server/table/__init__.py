"""A deal being played: the one task that owns it, and what it asks about calls, clocks, votes and who is there."""
