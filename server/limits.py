"""Token buckets: how much of a thing may be asked for, and how fast. Times come in as microseconds."""

from collections import OrderedDict
from functools import cache

from protocol.numbers import MICROS

AGES = 1e18  # microseconds
ROUNDING = 0.01  # microseconds: sums of times are inexact, and a token that is due must be there


class Bucket:
    """A token bucket: `rate` a second in the long run, `burst` at once.

    Instead of its tokens it knows when it will be full again.
    """

    __slots__ = ("_full_at", "_pace")

    def __init__(self, rate: float, burst: float) -> None:
        self._pace = _pace(rate, burst)
        self._full_at: float = -AGES

    def has(self, now: int) -> bool:
        """Whether there is a token to take."""
        _, longest = self._pace
        return max(0, self._full_at - now) <= longest

    def is_full(self, now: int) -> bool:
        """Whether it is as good as a new one."""
        return self._full_at <= now

    def take(self, now: int) -> bool:
        """Take a token if there is one."""
        each, longest = self._pace
        full_at = max(now, self._full_at)
        if full_at - now > longest:
            return False
        self._full_at = full_at + each
        return True


@cache
def _pace(rate: float, burst: float) -> tuple[float, float]:
    """How long a token takes to come, and how long a bucket with one token takes to be full."""
    each = MICROS / rate if rate else AGES
    return each, (burst - 1) * each + ROUNDING


class BucketPerKey:
    """A bucket for each of many keys (addresses, say), for those that were used of late."""

    def __init__(self, rate: float, burst: float, most_keys: int = 10_000) -> None:
        self._rate = rate
        self._burst = burst
        self._most_keys = most_keys
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def has(self, key: str, now: int) -> bool:
        """Whether this key has a token to take; nothing is kept of one that never took any."""
        bucket = self._buckets.get(key) or Bucket(self._rate, self._burst)
        return bucket.has(now)

    def take(self, key: str, now: int) -> bool:
        """Take a token of this key if there is one."""
        bucket = self._buckets.pop(key, None) or Bucket(self._rate, self._burst)
        self._buckets[key] = bucket
        is_taken = bucket.take(now)
        self._let_go_of_oldest(now)
        return is_taken

    def _let_go_of_oldest(self, now: int) -> None:
        """Let go of those longest unused that are full again, and of the oldest of too many."""
        buckets = self._buckets
        while buckets:
            oldest = next(iter(buckets.values()))
            if len(buckets) <= self._most_keys and not oldest.is_full(now):
                return
            buckets.popitem(last=False)
