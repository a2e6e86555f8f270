"""The people who mean to play together in a simulation, and what they know of their lobby."""

from dataclasses import dataclass


@dataclass(slots=True, eq=False, kw_only=True)
class Circle:
    """The people who mean to play together, and what they have agreed on beforehand."""

    rules: str
    size: int
    deals: int
    computers: tuple[str, ...] = ()
    watchers: frozenset[str] = frozenset()
    public: bool = True
    password: str | None = None
    code: str | None = None
    is_gone: bool = False  # all have left the lobby
    is_closing: bool = False  # it is late: play the last deal to its end, and go
