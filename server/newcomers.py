"""How many people may be new, and how many unknown secrets may be tried."""

from server.addresses import is_loopback
from server.config import Settings
from server.limits import Bucket, BucketPerKey


class Newcomers:
    """Counts both. All loopback addresses count as one.

    Those off this machine share a limit as well, beside that of each address, for whoever has many
    addresses. It is another than this machine's, so that neither side can keep the other out.
    """

    def __init__(self, settings: Settings) -> None:
        one, far = settings.new_people_per_min, settings.new_far_people_per_min
        local, wrong = settings.new_local_people_per_min, settings.wrong_secrets_per_min
        self._of_one_address = BucketPerKey(one / 60, max(1, one))
        self._far = Bucket(far / 60, max(1, far))
        self._local = Bucket(local / 60, max(1, local))
        self._wrong = BucketPerKey(wrong / 60, wrong)

    def take(self, address: str, now: int) -> bool:
        """Whether one more may be new; who may not costs those of other addresses nothing."""
        if is_loopback(address):
            return self._local.take(now)
        both_have_one = self._far.has(now) and self._of_one_address.take(address, now)
        return both_have_one and self._far.take(now)

    def may_guess(self, address: str, now: int) -> bool:
        """Whether one more secret may be tried that nobody here has so far."""
        return is_loopback(address) or self._wrong.has(address, now)

    def guessed(self, address: str, now: int) -> None:
        """A secret was tried that nobody has."""
        self._wrong.take(address, now)
