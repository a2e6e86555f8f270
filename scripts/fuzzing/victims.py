"""A client that hears whatever it is told, as the screen and line by line, and has to live with it."""

from collections import Counter
from random import Random

from msgspec.structs import replace

from client.acts.anywhere import settled
from client.intents.at_table import automatic
from client.keys.press import with_keys
from client.line.cleaning import cleaned
from client.plain.ticks import next_tick
from client.plain.told import told
from client.screens.desk import Desk, Overlay, screen_of
from client.screens.frame import Frame
from client.screens.page import draw
from client.screens.parts.cells import text_of, width_of
from client.state import ClientState, Connecting
from client.store import reduce
from protocol.codec import decode_event
from protocol.errors import RemoteProtocolError

SIZES = ((80, 24), (60, 20), (120, 40), (2, 2))
PACE_S = 0.05
OVERLAYS = (None, *Overlay)


class Victim:
    """One client: `hear` takes the body of a frame, and says what came of it.

    Every event goes the way it goes in the real client: decoded, cleaned, folded, told in lines. On
    every `draw_every`-th the page is drawn, and one that lies over it, in a terminal of some size.
    """

    def __init__(self, rng: Random, draw_every: int) -> None:
        self.state = reduce(ClientState(name="bo"), Connecting(address="fuzz:5252"), 0.0)
        self.outcomes: Counter[str] = Counter()
        self._rng = rng
        self._draw_every = draw_every

    def hear(self, body: bytes) -> None:
        """Take in one frame; what is wrong with it may only end in the one typed error."""
        before = self.state
        try:
            _, event = decode_event(body)
            event = cleaned(event)
            self.state = reduce(before, event, before.now + PACE_S)
        except RemoteProtocolError:
            assert self.state is before  # noqa: S101 - this is what is tested
            self.outcomes["refused"] += 1
            return
        self.outcomes["heard"] += 1
        for line in told(before, event, self.state):
            assert line.isprintable(), ascii(line)  # noqa: S101
        next_tick(self.state, self.state.now)
        automatic(self.state)
        if self.outcomes["heard"] % self._draw_every == 0:
            self.look()

    def look(self) -> None:
        """Draw what there is to see now: it fits on the page, and nothing in it steers a terminal."""
        columns, rows = self._rng.choice(SIZES)
        for overlay in (None, self._rng.choice(OVERLAYS)):
            desk = Desk(overlay=overlay, screen=screen_of(self.state, Desk()))
            frame = Frame(
                state=self.state, desk=desk, columns=columns, rows=rows, now=self.state.now
            )
            page = draw(with_keys(replace(frame, desk=settled(frame))))
            assert len(page) == rows  # noqa: S101
            for line in page:
                assert text_of(line).isprintable(), ascii(line)  # noqa: S101
                assert width_of(line) <= columns, ascii(line)  # noqa: S101
        self.outcomes["drawn"] += 1
