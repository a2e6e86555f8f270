"""All that a page is drawn from, in one value."""

from msgspec import Struct

from client.screens.desk import Desk, Screen, screen_of
from client.screens.parts.bars import KeyHint
from client.screens.parts.skin import ASCII, UNICODE, Skin
from client.selectors import seconds_left
from client.state import ClientState


class KeyGroup(Struct, frozen=True, kw_only=True):
    """Some keys of the help, under a name."""

    name: str
    keys: tuple[KeyHint, ...]


class Frame(Struct, frozen=True, kw_only=True):
    """What is known, what is open, how big the terminal is, and the time in seconds."""

    state: ClientState
    desk: Desk
    columns: int
    rows: int
    now: float
    held_down: bool = False  # the key that is looked at repeats itself
    may_be_held: bool = False  # it may begin to, while it would mean something else by now
    keys: tuple[KeyHint, ...] = ()  # live now, for the key bar
    help: tuple[KeyGroup, ...] = ()  # all that are bound, for the help

    @property
    def skin(self) -> Skin:
        """The glyphs to draw with."""
        return ASCII if self.desk.settings.ascii else UNICODE

    @property
    def screen(self) -> Screen:
        """The page underneath."""
        return screen_of(self.state, self.desk)

    def is_still(self, earlier: "Frame") -> bool:
        """Whether nothing but the time has changed since an earlier frame."""
        same_values = self.state is earlier.state and self.desk is earlier.desk
        return same_values and (self.columns, self.rows) == (earlier.columns, earlier.rows)

    def left(self, ends: float | None) -> float | None:
        """Seconds until a deadline; None where none runs."""
        return seconds_left(ends, self.now)
