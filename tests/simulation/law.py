"""Whose turn it is and which ranks may be claimed, worked out once more from RULES.md."""

from protocol import events as e
from protocol.numbers import Seat
from protocol.rules import RankOrder, TableRules

KING = 13

# How far the next claim may be from the last one while its pile lies there (A6, B4 to B8).
_STEPS = {
    RankOrder.UP: {1},
    RankOrder.DOWN: {-1},
    RankOrder.UP_OR_DOWN: {1, -1},
    RankOrder.UP_SAME_OR_DOWN: {1, 0, -1},
    RankOrder.SAME_UNTIL_CHALLENGE: {0},
    RankOrder.FREE: {0},
}


class Law:
    """The turn and the ranks of one deal."""

    def __init__(self, rules: TableRules, seats: int, first: Seat) -> None:
        self._order = rules.rank_order
        self._in = set(range(seats))
        self._seats = seats
        self._turn = int(first)
        self._claimed: int | None = None
        self._player = int(first)  # of the newest play
        self._is_new_pile = True

    def follow(self, event: e.Event) -> str | None:
        """Follow a public event; what the rules have against it."""
        match event:
            case e.Played():
                return self._played(event)
            case e.Passed():
                wrong = self._not_in_turn(event.seat)
                self._turn = self._left_of(event.seat)
                return wrong or self._told_turn(event.turn)
            case e.Ruled():
                self._is_new_pile = True
                if self._order is RankOrder.FREE:
                    self._turn = event.taker  # who takes the pile leads (B8)
                return self._told_turn(event.turn)
            case e.SetAside():
                self._is_new_pile = True
                stays = self._player in self._in
                self._turn = self._player if stays else self._left_of(self._player)
                return self._told_turn(event.turn)
            case e.WentOut():
                self._in.discard(event.seat)
                if self._turn == event.seat:
                    self._turn = self._left_of(event.seat)
                return self._told_turn(event.turn)
            case _:
                return None

    def _played(self, event: e.Played) -> str | None:
        wrong = self._not_in_turn(event.seat) or self._wrong_rank(int(event.rank))
        self._claimed, self._is_new_pile = int(event.rank), False
        self._player = event.seat
        self._turn = self._left_of(event.seat)
        return wrong or self._told_turn(event.turn)

    def _left_of(self, seat: int) -> int:
        return next(
            following
            for step in range(1, self._seats + 1)
            if (following := (seat + step) % self._seats) in self._in
        )

    def _not_in_turn(self, seat: int) -> str | None:
        return None if seat == self._turn else f"it is the turn of seat {self._turn} (A13)"

    def _told_turn(self, turn: int) -> str | None:
        return None if turn == self._turn else f"the next turn is that of seat {self._turn} (A13)"

    def _wrong_rank(self, rank: int) -> str | None:
        order = self._order
        if self._claimed is None:
            right = order is RankOrder.FREE or rank == 1
        elif self._is_new_pile and order is RankOrder.FREE:
            right = True
        elif self._is_new_pile and order is RankOrder.SAME_UNTIL_CHALLENGE:
            right = rank == self._claimed % KING + 1
        else:
            right = (rank - self._claimed) % KING in {step % KING for step in _STEPS[order]}
        return None if right else f"rank {rank} may not follow {self._claimed} (A6)"
