"""What one person was told of their lobby, numbered, and kept for when they come back."""

from protocol.numbers import UNNUMBERED, EventNumber

KEPT_BYTES = 256 * 1024  # so many bytes of events are kept for one person who comes back


class Mailbox:
    """The numbered events of one person, those of the present lobby kept for a resume.

    The numbers go on from lobby to lobby; what was kept is dropped on leaving one. The bytes are
    the same objects for everybody at a table: a mailbox costs a pointer for each, in a list, which
    takes half of the room of a deque, and next to none while it is empty.
    """

    __slots__ = ("_bytes", "_kept", "_most", "_most_bytes", "newest")

    def __init__(self, most: int, most_bytes: int = KEPT_BYTES) -> None:
        self.newest = UNNUMBERED
        self._kept: list[bytes] = []  # the oldest first
        self._most = most
        self._bytes = 0  # at least as many as are kept: all that came since they were last counted
        self._most_bytes = most_bytes

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, packed: bytes) -> EventNumber:
        """Number an event, and keep it for as long as there is room."""
        number = self.newest = EventNumber(self.newest + 1)
        kept = self._kept
        kept.append(packed)
        if len(kept) > self._most:
            del kept[0]
        self._bytes += len(packed)
        if self._bytes > self._most_bytes:
            self._count_bytes()
        return number

    def _count_bytes(self) -> None:
        """Count what is kept, and drop the oldest while it is too much."""
        kept = self._kept
        self._bytes = sum(map(len, kept))
        while self._bytes > self._most_bytes:
            self._bytes -= len(kept.pop(0))

    def clear(self) -> None:
        """Keep nothing of what was told so far; the numbers go on."""
        self._kept.clear()
        self._bytes = 0

    def after(self, number: EventNumber) -> tuple[tuple[EventNumber, bytes], ...] | None:
        """What came after this event; None if some of it is no longer kept."""
        missing = self.newest - number
        if not 0 <= missing <= len(self._kept):
            return None
        packed = self._kept[len(self._kept) - missing :]
        return tuple((EventNumber(number + 1 + place), each) for place, each in enumerate(packed))
