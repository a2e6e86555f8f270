"""The commands that a server has not answered yet, and what is said of those that it never will. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence

from protocol.answers import Refused
from protocol.commands import AnyCommand
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal

MOST_LINES = 5  # a command is given up after so many lines in a row that end at once
GIVEN_UP = (
    f"The connection broke {MOST_LINES} times in a row with this unanswered: it is not sent again."
)
ELSEWHERE = "Not sent: whoever answers now is another server, or does not know you any more."

NEVER_ANSWERED = "Not answered, and not sent any more: whether it counted is not known."


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

    def elsewhere(self) -> tuple[Refused, ...]:
        """None is sent any more: they were meant for another server, or as somebody whom this one knows."""
        return self._given_up(tuple(self._commands), ELSEWHERE)

    def over(self) -> tuple[Refused, ...]:
        """Nobody is asked any more."""
        return self._given_up(tuple(self._commands), NEVER_ANSWERED)

    def line_lost(self, *, was_brief: bool) -> tuple[Refused, ...]:
        """A line is over on which we were let in; the commands that it would be no use to send again.

        A server that hangs up whenever it hears one of them would be called, and hang up, for ever.
        """
        if not was_brief:
            self._lines.clear()
        vain = [number for number, lines in self._lines.items() if lines >= MOST_LINES]
        return self._given_up(vain, GIVEN_UP)

    def _given_up(self, numbers: Sequence[CommandNumber], why: str) -> tuple[Refused, ...]:
        for number in numbers:
            self.answered(number)
        return tuple([Refused(n=n, code=Refusal.TRY_AGAIN, text=why) for n in numbers])
