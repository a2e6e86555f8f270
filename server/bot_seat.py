"""A chair, a thinking time and a voice for a computer player.

A bot sees the view of its seat and nothing else. What it decides *arrives* when its thinking time
ends, not when its turn to be computed comes, so that it can neither win nor lose a race by the
server's load (RULES C1); and the time is drawn from dice of its own, so that it tells nothing.
"""

from dataclasses import dataclass, field
from random import Random

from protocol.numbers import PlayNumber, Seat
from protocol.options import Turn, is_waiting, options_of, turn_of, why_not_challenge
from protocol.views import PublicTable, TableView
from server.bots.choices import Pass, PlayChoice, Temperament
from server.bots.thinking import Thought, thinking_us


@dataclass(slots=True, kw_only=True)
class BotSeat:
    """One computer player at work: what it is thinking about, and until when."""

    temperament: Temperament
    seeds: tuple[int, int]
    doubt_at: int | None = None
    doubting: PlayNumber = field(default=PlayNumber(0))
    move_at: int | None = None
    _moving: Turn | None = None
    _dice: tuple[Random, Random] | None = None

    @property
    def dice(self) -> Random:
        """For its decisions."""
        return self._all_dice()[0]

    @property
    def timing(self) -> Random:
        """For its thinking times, and for nothing else."""
        return self._all_dice()[1]

    def _all_dice(self) -> tuple[Random, Random]:
        # Made when first needed: most seats never see a computer player, and dice are large.
        if self._dice is None:
            self._dice = Random(self.seeds[0]), Random(self.seeds[1])  # noqa: S311 - no keys
        return self._dice

    @property
    def next_at(self) -> int | None:
        """When it will speak next."""
        if self.doubt_at is None or self.move_at is None:
            return self.move_at if self.doubt_at is None else self.doubt_at
        return min(self.doubt_at, self.move_at)

    def watch(self, table: PublicTable, seat: Seat, now: int) -> None:
        """See what its seat may do after something has happened, and start to think where there is cause.

        A computer player lays nothing ready, nor so early that nobody could doubt before it.
        """
        newest = table.newest
        if newest != self.doubting and why_not_challenge(table, seat, newest) is None:
            self.doubting = newest
            self.doubt_at = now + thinking_us(self.timing, Thought.DOUBT)
        if table.turn == seat and is_waiting(table):
            if self._moving != (turn := turn_of(table)):
                self._moving = turn
                self.move_at = now + thinking_us(self.timing, Thought.PLAY)
        else:
            self._moving, self.move_at = None, None

    def start_again(self) -> None:
        """Forget what it was thinking about, so that `watch` starts afresh (RULES D5)."""
        self.doubt_at = self.move_at = self._moving = None
        self.doubting = PlayNumber(0)

    def doubts(self, view: TableView) -> bool | None:
        """Whether it doubts the play it thought about; None if that play is past."""
        self.doubt_at = None
        if self.doubting not in options_of(view).challenge:
            return None
        return self.temperament.decide_doubt(view, self.doubting, self.dice)

    def moves(self, view: TableView) -> PlayChoice | Pass | None:
        """What it lays; None if it may no longer move."""
        self.move_at = None
        if not options_of(view).may_play:
            return None
        return self.temperament.decide_play(view, self.dice)
