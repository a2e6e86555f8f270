"""Whether a key comes again because it is held down: a terminal says only that it came. Pure."""

from msgspec import Struct

from client.screens.desk import Overlay, Question, Screen, Typing
from client.screens.frame import Frame
from protocol.numbers import PlayNumber

REPEAT_S = 0.1  # so soon again it is a repeat: the slowest keyboards repeat 10 times a second
DELAY_S = 0.7  # so soon it may be the first one: X waits 0.66 s for it, most others less


class Pressed(Struct, frozen=True, kw_only=True):
    """A key, when it came, and what it was about."""

    key: str = ""
    at: float = 0.0
    play: PlayNumber = PlayNumber(0)  # the newest
    screen: Screen | None = None
    overlay: Overlay | None = None
    asking: Question | None = None
    typing: Typing | None = None
    reads: bool = False  # whether a lesson is being read

    @property
    def about(self) -> tuple[object, ...]:
        """What has to be the same for the key to mean the same."""
        return (self.play, self.screen, self.overlay, self.asking, self.typing, self.reads)


def pressed(frame: Frame, key: str) -> Pressed:
    """The key that has just come, on this page."""
    table, desk = frame.state.table, frame.desk
    return Pressed(
        key=key,
        at=frame.now,
        play=table.table.newest if table else PlayNumber(0),
        screen=frame.screen,
        overlay=desk.overlay,
        asking=desk.asking,
        typing=desk.typing,
        reads=desk.tutorial is not None and desk.tutorial.open is not None,
    )


def repeats(before: Pressed, now: Pressed) -> bool:
    """Whether it comes too soon for a finger."""
    return now.key == before.key and now.at - before.at < REPEAT_S


def may_repeat(before: Pressed, now: Pressed) -> bool:
    """Whether it may be the first repeat, and would mean something else than the press did."""
    soon = now.key == before.key and now.at - before.at < DELAY_S
    return soon and now.about != before.about
