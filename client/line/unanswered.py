"""The commands that a server has not answered yet, and which of them are not worth another line. Pure."""

from collections import Counter
from collections.abc import Iterator

from protocol.answers import Refused
from protocol.commands import AnyCommand
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal

MOST_LINES = 5  # a command is given up after so many lines in a row that end at once
GIVEN_UP = (
    f"The connection broke {MOST_LINES} times in a row with this unanswered: it is not sent again."
)


class Unanswered:
    """Commands by number, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._commands: dict[CommandNumber, AnyCommand] = {}
        self._lines: Counter[CommandNumber] = Counter()  # on how many lines each command was sent

    def __iter__(self) -> Iterator[AnyCommand]:
        return iter(tuple(self._commands.values()))

    def add(self, command: AnyCommand) -> None:
        """A command has its number."""
        self._commands[command.n] = command

    def was_sent(self, number: CommandNumber) -> None:
        """It is on its way on this line; on each line it goes once."""
        self._lines[number] += 1

    def answered(self, number: CommandNumber) -> None:
        """It is not to be sent again."""
        self._commands.pop(number, None)
        self._lines.pop(number, None)

    def clear(self) -> None:
        """They were meant for another server, or for somebody whom this one does not know any more."""
        self._commands.clear()
        self._lines.clear()

    def line_lost(self, *, was_brief: bool) -> tuple[Refused, ...]:
        """A line is over on which we were let in; the commands that it would be no use to send again.

        A server that hangs up whenever it hears one of them would be called, and hang up, for ever.
        """
        if not was_brief:
            self._lines.clear()
        vain = [number for number, lines in self._lines.items() if lines >= MOST_LINES]
        for number in vain:
            self.answered(number)
        return tuple([Refused(n=n, code=Refusal.TRY_AGAIN, text=GIVEN_UP) for n in vain])
