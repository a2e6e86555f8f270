"""How it is dealt, whose turn it is and which ranks may be claimed, worked out once more from RULES."""

from collections.abc import Callable

from protocol import events as e
from protocol.numbers import Seat
from protocol.rules import FirstTurn, RankOrder, TableRules
from protocol.views import PublicTable

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


def wrongly_dealt(table: PublicTable, hands: tuple[int, ...]) -> str | None:
    """Whose hand has another size than it should, and who else plays first (A3, A5)."""
    seats, dealer = len(hands), int(table.dealer)
    each, rest = divmod(sum(hands), seats)
    right = tuple(each + ((seat - dealer - 1) % seats < rest) for seat in range(seats))
    if hands != right:
        return f"hands are {hands}, and not {right} (A3)"
    is_fixed = table.rules.first_turn is FirstTurn.DEALERS_LEFT
    first = (dealer + 1) % seats
    return f"seat {first} plays first (A5)" if is_fixed and table.turn != first else None


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
        self._passes = 0  # in a row, since the newest play
        self._plays_on, self._is_over = rules.play_on, False

    @property
    def _is_won(self) -> bool:
        """Whether so many are out that the deal is over (A16, B16)."""
        return len(self._in) <= (1 if self._plays_on else self._seats - 1)

    def should_come(self) -> str | None:
        """What should have come with what has been told by now."""
        if self._is_over:
            return None
        if self._is_won:
            return f"only {sorted(self._in)} are in: the deal is over (A16, B16)"
        has_passed = not self._is_new_pile and self._passes >= len(self._in - {self._player})
        return "everybody else has passed: the pile is set aside (B12)" if has_passed else None

    def follow(self, event: e.Event) -> str | None:
        """Follow a public event; what the rules have against it."""
        step = _LAWS.get(type(event))
        return None if step is None else step(self, event)

    def _passed(self, event: e.Passed) -> str | None:
        wrong = self._not_in_turn(event.seat)
        self._passes += 1
        self._turn = self._left_of(event.seat)
        return wrong or self._told_turn(event.turn)

    def _ruled(self, event: e.Ruled) -> str | None:
        self._is_new_pile = True
        if self._order is RankOrder.FREE:
            self._turn = event.taker  # who takes the pile leads (B8)
        return self._told_turn(event.turn)

    def _set_aside(self, event: e.SetAside) -> str | None:
        others = self._in - {self._player}
        if self._passes < len(others):
            return f"only {self._passes} have passed (B12)"
        self._is_new_pile = True
        stays = self._player in self._in
        self._turn = self._player if stays else self._left_of(self._player)
        return self._told_turn(event.turn)

    def _went_out(self, event: e.WentOut) -> str | None:
        self._in.discard(event.seat)
        if self._turn == event.seat:
            self._turn = self._left_of(event.seat)
        return self._told_turn(event.turn)

    def _ended(self, event: e.DealOver) -> str | None:
        self._is_over = True
        is_too_soon = event.reason is e.StopReason.OUT and not self._is_won
        return f"{sorted(self._in)} are still in (B16)" if is_too_soon else None

    def _played(self, event: e.Played) -> str | None:
        wrong = self._not_in_turn(event.seat) or self._wrong_rank(int(event.rank))
        self._claimed, self._is_new_pile = int(event.rank), False
        self._player, self._passes = event.seat, 0
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


_LAWS: dict[type[e.Event], Callable[..., str | None]] = {
    e.Played: Law._played,
    e.Passed: Law._passed,
    e.Ruled: Law._ruled,
    e.SetAside: Law._set_aside,
    e.WentOut: Law._went_out,
    e.DealOver: Law._ended,
}
