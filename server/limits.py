"""How much of everything one may ask for. Times come in as microseconds."""

from collections import OrderedDict
from dataclasses import dataclass, field


@dataclass(slots=True)
class Bucket:
    """A token bucket: `rate` a second on the long run, `burst` at once."""

    rate: float
    burst: float
    _tokens: float = field(init=False)
    _at: int | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self._tokens = self.burst

    def has(self, now: int) -> bool:
        """Whether there is a token to take."""
        since = 0 if self._at is None else now - self._at
        self._at = now
        self._tokens = min(self.burst, self._tokens + since * self.rate / 1_000_000)
        return self._tokens >= 1

    def take(self, now: int) -> bool:
        """Take a token if there is one."""
        if not self.has(now):
            return False
        self._tokens -= 1
        return True


class BucketPerKey:
    """A bucket for each of many keys (addresses, say), for the most recently used ones."""

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
        return self._bucket(key).take(now)

    def _bucket(self, key: str) -> Bucket:
        bucket = self._buckets.pop(key, None) or Bucket(self._rate, self._burst)
        self._buckets[key] = bucket
        if len(self._buckets) > self._most_keys:
            self._buckets.popitem(last=False)
        return bucket
