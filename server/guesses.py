"""How often somebody may guess a lobby's code or password: per person and per address."""

from server.addresses import is_loopback
from server.limits import BucketPerKey
from server.person import Person

PER_MIN = 1 / 60


class Guesses:
    """Counts wrong guesses. From loopback, where all SSH players come from, only the person counts."""

    def __init__(self, per_min: int) -> None:
        self._by_person = BucketPerKey(per_min * PER_MIN, per_min)
        self._by_address = BucketPerKey(per_min * PER_MIN, per_min)

    def may(self, person: Person, now: int) -> bool:
        """Whether the person may try, right or wrong."""
        at_home = is_loopback(person.address)
        by_address = at_home or self._by_address.has(person.address, now)
        return by_address and self._by_person.has(person.digest.hex(), now)

    def was_wrong(self, person: Person, now: int) -> None:
        """Count a wrong guess."""
        self._by_person.take(person.digest.hex(), now)
        self._by_address.take(person.address, now)
