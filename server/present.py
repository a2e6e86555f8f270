"""Who is connected, and how many of them from each address: loopback, where SSH comes from, has no limit."""

from collections import Counter
from collections.abc import Iterator

from server.addresses import is_loopback
from server.person import Person


class Present:
    """The people who are connected, in the order in which they came."""

    def __init__(self, per_address: int) -> None:
        self._per_address = per_address
        self._from: dict[Person, str] = {}
        self._at: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._from)

    def __iter__(self) -> Iterator[Person]:
        return iter(self._from)

    def came(self, person: Person) -> None:
        """Somebody's line is up."""
        self.went(person)  # who only has another line now
        self._from[person] = person.address
        self._at[person.address] += 1

    def went(self, person: Person) -> None:
        """Somebody's line is down."""
        address = self._from.pop(person, None)
        if address is not None:
            self._at[address] -= 1
            if not self._at[address]:
                del self._at[address]

    def comes_from(self, person: Person, address: str) -> bool:
        """Whether this person is connected, and from there."""
        return self._from.get(person) == address

    def is_full(self, address: str) -> bool:
        """Whether nobody more may come from there."""
        return not is_loopback(address) and self._at[address] >= self._per_address
