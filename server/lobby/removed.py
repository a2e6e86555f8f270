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

    def __init__(self, former: Iterable[tuple[bytes, str, str]] = (), now: int = 0) -> None:
        """`former` as `kept` gave it; `now` is when the server started on it."""
        self._names: dict[bytes, tuple[str, str]] = {}  # names and addresses, by digest
        self._since: dict[str, int] = {}  # since when somebody from an address is barred
        for digest, key, address in former:
            self._bar(digest, key, address, now)

    def add(self, person: Person, now: int) -> None:
        """Somebody has been removed."""
        address = "" if is_loopback(person.address) else person.address
        self._bar(person.digest, name_key(person.name), address, now)

    def bars(self, person: Person) -> bool:
        """Whether this is somebody who was removed, or is too likely to be."""
        if person.digest in self._names:
            return True
        since = self._since.get(person.address)
        is_new = since is not None and person.known_since > since
        return is_new or any(key == name_key(person.name) for key, _ in self._names.values())

    def kept(self) -> tuple[tuple[bytes, str, str], ...]:
        """Digest, name and address of each, to be kept over a restart."""
        return tuple([(digest, *named) for digest, named in self._names.items()])

    def _bar(self, digest: bytes, key: str, address: str, now: int) -> None:
        self._names.pop(digest, None)
        self._names[digest] = (key, address)
        if address:
            self._since.setdefault(address, now)
        while len(self._names) > MOST:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        digest = next(iter(self._names))
        _, address = self._names.pop(digest)
        if all(address != other for _, other in self._names.values()):
            self._since.pop(address, None)
