"""Who was removed from a lobby and cannot come back: not even as somebody new (RULES D6).

A new identity costs nothing. So the name they had there stays barred, however it is spelt, and
whoever is new since then is not let in from their address: that may cost a newcomer of the same
household the evening, but nobody whom the server knew before. From this machine itself, where all
SSH players come from, an address says nothing.
"""

from collections.abc import Iterable

from protocol.text import name_key
from server.addresses import is_loopback
from server.person import Person

MOST = 200  # removals that a lobby remembers, the newest


class Removed:
    """The removals of one lobby, the oldest first."""

    def __init__(
        self,
        former: Iterable[tuple[bytes, str, str]] = (),
        barred_after: Iterable[tuple[str, int]] = (),
        *,
        known_so_far: int = 0,
    ) -> None:
        """`former` and `barred_after` as those gave them.

        Of an address without the latter, which older servers have not kept, whoever becomes known
        from now on is barred: `known_so_far` people have.
        """
        self._names: dict[bytes, tuple[str, str]] = {}  # names and addresses, by digest
        self._after = dict(barred_after)  # after how many people whoever is from there is barred
        for digest, key, address in former:
            self._bar(digest, key, address, known_so_far)

    def add(self, person: Person, known_so_far: int) -> None:
        """Somebody has been removed; whoever becomes known later, after so many, is new."""
        address = "" if is_loopback(person.address) else person.address
        self._bar(person.digest, name_key(person.name), address, known_so_far)

    def bars(self, person: Person) -> bool:
        """Whether this is somebody who was removed, or is too likely to be."""
        if person.digest in self._names:
            return True
        after = self._after.get(person.address)
        is_new = after is not None and person.nth > after
        return is_new or any(key == name_key(person.name) for key, _ in self._names.values())

    def kept(self) -> tuple[tuple[bytes, str, str], ...]:
        """Digest, name and address of each, to be kept over a restart."""
        return tuple([(digest, *named) for digest, named in self._names.items()])

    @property
    def newest(self) -> int:
        """How many people were known when the newest of these addresses was barred; 0 if none is."""
        return max(self._after.values(), default=0)

    def barred_after(self) -> tuple[tuple[str, int], ...]:
        """Each barred address, and how many people were known by then: also kept over a restart."""
        return tuple(self._after.items())

    def _bar(self, digest: bytes, key: str, address: str, known_so_far: int) -> None:
        self._names.pop(digest, None)
        self._names[digest] = (key, address)
        if address:
            self._after.setdefault(address, known_so_far)
        while len(self._names) > MOST:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        digest = next(iter(self._names))
        _, address = self._names.pop(digest)
        if all(address != other for _, other in self._names.values()):
            self._after.pop(address, None)
