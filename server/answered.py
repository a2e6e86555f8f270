"""The answers to one person's last commands, for when a command comes again after a reconnect.

Nearly all of them say that the command was carried out, and nothing else. Of those the number is
enough, which takes eight bytes. (A dict of packed answers would take 5 KiB for each person, a sixth of
all that a busy table needs.)
"""

from array import array
from collections.abc import Iterator
from functools import lru_cache

from protocol.answers import Accepted
from protocol.codec import encode_event
from protocol.numbers import CommandNumber
from server.journal.records import STORED_ANSWERS


class Answered:
    """The newest `STORED_ANSWERS` answers, the oldest first."""

    __slots__ = ("_gone", "_numbers", "_refusals")

    def __init__(self) -> None:
        self._gone = 0  # the highest command whose answer was dropped
        self._numbers = array("q")
        self._refusals: dict[CommandNumber, bytes] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[CommandNumber]:
        return map(CommandNumber, self._numbers)

    def note(self, number: CommandNumber, refusal: bytes | None = None) -> None:
        """Command `number` was carried out, or refused with this packed event."""
        numbers = self._numbers
        numbers.append(number)
        if refusal is not None:
            self._refusals[number] = refusal
        if len(numbers) > STORED_ANSWERS:
            dropped = CommandNumber(numbers.pop(0))
            self._gone = max(self._gone, dropped)
            self._refusals.pop(dropped, None)

    def reach(self, number: CommandNumber) -> bool:
        """Whether the answer to this command would still be here, had it been given."""
        numbers = self._numbers
        return len(numbers) < STORED_ANSWERS or number > max(self._gone, numbers[0])

    def packed(self, number: CommandNumber) -> bytes | None:
        """The answer to this command as it was given; None if it is not kept."""
        if number not in self._numbers:
            return None
        return self._refusals.get(number) or acceptance_of(number)


@lru_cache  # it is asked for twice: what the journal keeps is then sent
def acceptance_of(number: CommandNumber) -> bytes:
    """What says that a command was carried out, packed."""
    return encode_event(Accepted(n=number))
