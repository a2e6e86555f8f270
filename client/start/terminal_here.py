"""Whether there is a terminal to play at, and one that can be drawn on. Loads nothing else."""

import sys

CANNOT_DRAW = frozenset({"", "dumb"})


def has_terminal() -> bool:
    """Whether somebody sits at both ends: typing what is read, and seeing what is written."""
    ends = (sys.stdin, sys.stdout)  # either may be closed by who started us
    return all(end is not None and end.isatty() for end in ends)


def can_draw(term: str) -> bool:
    """Whether a terminal of this type, as TERM says it, moves its cursor."""
    return term not in CANNOT_DRAW
