"""Whether everybody had an equal chance: how often who was first, beside what chance allows."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping
from statistics import NormalDist

from protocol.numbers import Seat

OUTSIDE = 0.001  # of the band, on both sides together

Labels = tuple[Hashable, ...]


class Shares:
    """How often who was first, and how often they would be if only chance decided."""

    def __init__(self) -> None:
        self._won: Counter[Hashable] = Counter()
        self._expected: defaultdict[Hashable, float] = defaultdict(float)
        self._variance: defaultdict[Hashable, float] = defaultdict(float)

    def count(self, callers: Mapping[Seat, Labels], first: Seat) -> None:
        """One volley: what is to be compared of each caller, and who was first."""
        for label, several in Counter(x for labels in callers.values() for x in labels).items():
            chance = several / len(callers)
            self._expected[label] += chance
            self._variance[label] += chance * (1 - chance)
        self._won.update(callers[first])

    def outside_the_band(self) -> dict[Hashable, tuple[int, float]]:
        """Everything with more or fewer wins than chance allows, and how many it should have.

        The two-sided 99.9 % band is shared out among all that is compared (Bonferroni).
        """
        width = NormalDist().inv_cdf(1 - OUTSIDE / 2 / len(self._expected))
        return {
            label: (self._won[label], expected)
            for label, expected in self._expected.items()
            if abs(self._won[label] - expected) > width * self._variance[label] ** 0.5
        }
