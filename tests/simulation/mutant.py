"""What the simulation has to notice: a text of the server, and a wrong one to put in its place."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A bug, and how it shows."""

    name: str
    file: str
    old: str
    new: str
    tilt: str = ""
