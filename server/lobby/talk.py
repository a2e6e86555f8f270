"""The last lines that were said in a lobby: whoever comes hears them, and so they are kept."""

from collections.abc import Iterable

from protocol.events import MAX_TALK, Said, TalkSoFar


class Talk:
    """The newest lines, each with its number in this lobby."""

    def __init__(self, lines: Iterable[Said] = ()) -> None:
        self.lines = tuple(lines)[-MAX_TALK:]

    def say(self, name: str, text: str) -> Said:
        """Somebody says something; `text` is clean already. The oldest line may be forgotten."""
        number = self.lines[-1].line + 1 if self.lines else 1
        said = Said(name=name, text=text, line=number)
        self.lines = (*self.lines, said)[-MAX_TALK:]
        return said

    def so_far(self) -> TalkSoFar | None:
        """What somebody who comes is told of it; None if nothing was said."""
        return TalkSoFar(lines=self.lines) if self.lines else None
