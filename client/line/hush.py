"""The hush after a challenge: nothing is sent until it is answered, since the last byte of a read is stamped (RULES C1)."""

import asyncio
from collections.abc import Callable

from protocol.commands import ClientMessage
from protocol.numbers import CommandNumber

HUSH_S = 1.0  # at most so long


class Hush:
    """What waits for the answer to a challenge; without one nothing does."""

    def __init__(self, put: Callable[[ClientMessage], None]) -> None:
        """`put` is given what has waited, in the order in which it came."""
        self._put = put
        self._about: CommandNumber | None = None  # the challenge whose answer is awaited
        self._waiting: list[ClientMessage] = []
        self._timer: asyncio.TimerHandle | None = None

    def holds_back(self, message: ClientMessage) -> bool:
        """Whether a message has to wait; it is put when the hush is over."""
        if self._about is not None:
            self._waiting.append(message)
        return self._about is not None

    def begin(self, challenge: CommandNumber) -> None:
        """The challenge of this number was sent."""
        self._about = challenge
        self._timer = asyncio.get_running_loop().call_later(HUSH_S, self._end)

    def answered(self, number: CommandNumber) -> None:
        """The command of this number was answered: the hush is over if it was about that."""
        if number == self._about:
            self._end()

    def _end(self) -> None:
        waiting = self._waiting
        self.forget()
        for message in waiting:
            self._put(message)

    def forget(self) -> None:
        """The line is over: what waited for it is not put any more."""
        if self._timer is not None:
            self._timer.cancel()
        self._about, self._timer, self._waiting = None, None, []
