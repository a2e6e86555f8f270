"""Who is remembered: players and passers-by, each group in the order in which they were last seen.

A new identity costs its maker nothing, so nobody makes room by making many: whoever was never dealt
cards is forgotten before anybody who was, and whoever is connected or in a lobby is not forgotten.
"""

from collections import OrderedDict
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from server.person import Person


class Remembered:
    """Persons by the digests of their secrets."""

    def __init__(self) -> None:
        self._passers_by: OrderedDict[bytes, Person] = OrderedDict()
        self._players: OrderedDict[bytes, Person] = OrderedDict()

    def __len__(self) -> int:
        return len(self._passers_by) + len(self._players)

    def __iter__(self) -> Iterator["Person"]:
        return iter(tuple(chain(self._passers_by.values(), self._players.values())))

    def __contains__(self, person: "Person") -> bool:
        return self.by_digest(person.digest) is person

    @property
    def passers_by(self) -> int:
        """How many of them were never dealt cards."""
        return len(self._passers_by)

    def by_digest(self, digest: bytes) -> "Person | None":
        """The person with this secret."""
        return self._players.get(digest) or self._passers_by.get(digest)

    def add(self, person: "Person") -> None:
        """Somebody new, or from before a restart."""
        self._group(person)[person.digest] = person

    def remove(self, person: "Person") -> None:
        """Somebody is forgotten."""
        del self._group(person)[person.digest]

    def see(self, person: "Person") -> None:
        """Somebody was here last."""
        self._group(person).move_to_end(person.digest)

    def promote(self, person: "Person") -> None:
        """Somebody is dealt cards: a player from now on."""
        self.remove(person)
        person.has_played = True
        self.add(person)

    def surplus(self, before: int, most_passers_by: int, most: int) -> tuple["Person", ...]:
        """Who is to be forgotten: last seen before this time, or one of too many."""
        gone: list[Person] = []
        for group, most_of_it in ((self._passers_by, most_passers_by), (self._players, most)):
            too_many = max(len(group) - most_of_it, len(self) - len(gone) - most)
            for person in group.values():
                if person.seen_at >= before and too_many <= 0:
                    break
                if not person.connected and person.lobby is None:
                    gone.append(person)
                    too_many -= 1
        return tuple(gone)

    def _group(self, person: "Person") -> "OrderedDict[bytes, Person]":
        return self._players if person.has_played else self._passers_by
