"""How often somebody may guess a lobby's code or password, and how many passwords are checked at all."""

from server.addresses import is_loopback
from server.config import Settings
from server.limits import Bucket, BucketPerKey
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


class PasswordChecks:
    """Counts passwords that are hashed, right or wrong: each takes longer than a hundred plays.

    Each person has a limit of their own, far below that of all who come from the same address: else
    one guest of a box could use up what all guests have, since they all come from this machine.
    """

    def __init__(self, settings: Settings) -> None:
        own, one = settings.own_passwords_per_min, settings.passwords_per_min
        local = settings.local_passwords_per_min
        self._by_person = BucketPerKey(own * PER_MIN, own)
        self._by_address = BucketPerKey(one * PER_MIN, one)
        self._local = Bucket(local * PER_MIN, local)

    def take(self, person: Person, now: int) -> bool:
        """Whether one more may be checked; whoever is at their own limit costs others nothing."""
        return (
            self._by_person.has(person.digest.hex(), now)
            and self._take_of_all(person.address, now)
            and self._by_person.take(person.digest.hex(), now)
        )

    def _take_of_all(self, address: str, now: int) -> bool:
        if is_loopback(address):
            return self._local.take(now)
        return self._by_address.take(address, now)
