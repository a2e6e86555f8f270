"""What a seat may do now, and why not: one reason, the same for server and client."""

import sys
from types import FrameType
from typing import Any

import pytest
from msgspec.structs import replace

from protocol import options as o
from protocol.cards import Rank
from protocol.events import Chair, ChairChanged, Phase, StopReason
from protocol.numbers import PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import CLASSIC, Challengers, ChallengeUntil, RankOrder, TableRules
from protocol.views import PublicTable, TableView, follow
from tests.protocol.examples import a_play, a_table

ANN, BEN, CLEO = Seat(0), Seat(1), Seat(2)
ONE, TWO, THREE = PlayNumber(1), PlayNumber(2), PlayNumber(3)
PASSING = TableRules(passing=True)
SNEAKY = TableRules(sneak=1)
NEXT_ONLY = TableRules(challengers=Challengers.NEXT_PLAYER)
UNTIL_PICK_UP = TableRules(challenge_until=ChallengeUntil.PICK_UP)
NEXT_UNTIL_PICK_UP = TableRules(
    challengers=Challengers.NEXT_PLAYER, challenge_until=ChallengeUntil.PICK_UP, passing=True
)


def played(*seats: int, rules: TableRules = CLASSIC, **last: object) -> PublicTable:
    """A table at which these seats have played; `last` changes the last of the plays."""
    table = a_table(rules)
    for number, seat in enumerate(seats, start=1):
        changes = last if number == len(seats) else {}
        table = follow(table, a_play(number, seat, **changes))
    return table


def with_out(table: PublicTable, seat: Seat) -> PublicTable:
    """The same table, but this seat is out in the first place."""
    seats = [replace(s, place=1) if n == seat else s for n, s in enumerate(table.seats)]
    return replace(table, seats=tuple(seats))


# --- laying cards -------------------------------------------------------------------------------


def test_the_seat_to_move_may_play_aces_first() -> None:
    options = o.options(a_table(), BEN, 5)

    assert options == o.Options(may_play=True, ranks=(Rank.ACE,), most_claimed=4)


def test_in_the_protected_time_cards_are_held() -> None:
    options = o.options(played(1), CLEO, 2)

    assert options.may_play
    assert options.held
    assert options.most_claimed == 2


@pytest.mark.parametrize(
    ("table", "let_go"),
    [
        pytest.param(with_out(played(1), ANN), False, id="two are left"),
        pytest.param(played(1, rules=NEXT_ONLY), False, id="only the next may doubt"),
        pytest.param(played(1, rules=NEXT_UNTIL_PICK_UP), False, id="until its pile is taken"),
        pytest.param(replace(played(1), let_go=1), False, id="the other believes it"),
        pytest.param(replace(played(1), let_go=2), True, id="both believe it"),
    ],
)
def test_cards_that_went_down_at_once_were_said_to_be_held(
    table: PublicTable, *, let_go: bool
) -> None:
    options = o.options(table, CLEO, 5, let_go=let_go)

    assert (options.may_play, options.held) == (True, False)


def test_cards_are_held_where_only_their_own_player_believes() -> None:
    assert o.options(replace(played(1), let_go=1), CLEO, 5, let_go=True).held


def test_whoever_is_not_to_move_may_only_doubt_or_let_go() -> None:
    assert o.options(played(1), ANN, 5) == o.Options(challenge=(ONE,), may_let_go=True)


def test_with_sneak_more_may_be_laid_than_claimed() -> None:
    assert o.options(a_table(SNEAKY), BEN, 5).most_extra == 1


def test_a_watcher_may_do_nothing() -> None:
    assert o.options_of(TableView(table=a_table())) == o.NOTHING


def test_a_view_knows_the_size_of_its_owners_hand() -> None:
    view = TableView(table=a_table(), you=BEN)

    assert o.options_of(view).most_claimed == 0


@pytest.mark.parametrize(
    ("table", "refusal"),
    [
        pytest.param(a_table(), None, id="my turn"),
        pytest.param(a_table(turn=CLEO), Refusal.NOT_YOUR_TURN, id="another's turn"),
        pytest.param(a_table(phase=Phase.OVER), Refusal.NO_DEAL, id="deal over"),
        pytest.param(with_out(a_table(), BEN), Refusal.OUT, id="out"),
        pytest.param(a_table(stopping=StopReason.VOTE), Refusal.STOPPING, id="deal ending"),
        pytest.param(
            played(0, last=True, left=0), Refusal.LAST_PLAY_PENDING, id="last cards pending"
        ),
        pytest.param(
            played(0, rules=TableRules(play_on=True), last=True, left=0),
            None,
            id="last cards pending, but the deal would go on",
        ),
        pytest.param(
            with_out(played(0, rules=TableRules(play_on=True), last=True, left=0), CLEO),
            Refusal.LAST_PLAY_PENDING,
            id="last cards of the last but one",
        ),
    ],
)
def test_why_ben_may_not_lay_cards(table: PublicTable, refusal: Refusal | None) -> None:
    assert o.why_not_move(table, BEN) is refusal


@pytest.mark.parametrize(
    ("rules", "laid", "claim", "refusal"),
    [
        pytest.param(CLASSIC, 2, (2, Rank.ACE), None, id="two aces"),
        pytest.param(CLASSIC, 2, (2, Rank.TWO), Refusal.WRONG_RANK, id="rank not due"),
        pytest.param(CLASSIC, 0, (0, Rank.ACE), Refusal.NO_CARDS, id="nothing"),
        pytest.param(CLASSIC, 0, (1, Rank.ACE), Refusal.NO_CARDS, id="a claim without cards"),
        pytest.param(CLASSIC, 5, (5, Rank.ACE), Refusal.TOO_MANY, id="five"),
        pytest.param(TableRules(max_cards="none"), 5, (5, Rank.ACE), None, id="five of any"),
        pytest.param(CLASSIC, 3, (2, Rank.ACE), Refusal.WRONG_COUNT, id="one too many"),
        pytest.param(CLASSIC, 1, (2, Rank.ACE), Refusal.WRONG_COUNT, id="one too few"),
        pytest.param(SNEAKY, 3, (2, Rank.ACE), None, id="one sneaked in"),
        pytest.param(SNEAKY, 4, (2, Rank.ACE), Refusal.TOO_SNEAKY, id="two sneaked in"),
        pytest.param(SNEAKY, 1, (2, Rank.ACE), Refusal.WRONG_COUNT, id="sneaked out"),
    ],
)
def test_why_ben_may_not_lay_so_many_as_such(
    rules: TableRules, laid: int, claim: tuple[int, Rank], refusal: Refusal | None
) -> None:
    assert o.why_not_play(a_table(rules), BEN, laid, claim) is refusal


def test_out_of_turn_comes_before_any_fault_of_the_cards() -> None:
    assert o.why_not_play(a_table(), ANN, 9, (1, Rank.KING)) is Refusal.NOT_YOUR_TURN


@pytest.mark.parametrize(
    ("table", "refusal"),
    [
        pytest.param(played(0, rules=PASSING), None, id="allowed"),
        pytest.param(played(0), Refusal.NO_PASSING, id="not at this table"),
        pytest.param(a_table(PASSING), Refusal.PASS_ON_EMPTY_PILE, id="nothing to pass on"),
        pytest.param(played(1, rules=PASSING), Refusal.NOT_YOUR_TURN, id="another's turn"),
    ],
)
def test_why_ben_may_not_pass(table: PublicTable, refusal: Refusal | None) -> None:
    assert o.why_not_pass(table, BEN) is refusal


# --- doubting -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "seat", "play", "refusal"),
    [
        pytest.param(played(1), CLEO, ONE, None, id="the next seat"),
        pytest.param(played(1), ANN, ONE, None, id="any other seat"),
        pytest.param(played(1), BEN, ONE, Refusal.OWN_PLAY, id="one's own play"),
        pytest.param(played(1), ANN, TWO, Refusal.NOT_ANNOUNCED, id="not played yet"),
        pytest.param(played(1), ANN, PlayNumber(0), Refusal.NOT_ANNOUNCED, id="play 0"),
        pytest.param(played(1, 2), ANN, ONE, Refusal.TOO_LATE, id="the play before"),
        pytest.param(with_out(played(1), ANN), ANN, ONE, Refusal.OUT, id="out"),
        pytest.param(
            follow(played(1), a_play(2, 2, left=0)), ANN, TWO, None, id="the next play in its turn"
        ),
        pytest.param(with_out(played(1), BEN), ANN, ONE, Refusal.SAFE_PLAY, id="of a seat out"),
        pytest.param(
            a_table(phase=Phase.OVER, newest=ONE), ANN, ONE, Refusal.TOO_LATE, id="deal over"
        ),
        pytest.param(
            played(1, rules=NEXT_ONLY), ANN, ONE, Refusal.NOT_NEXT, id="only the next may"
        ),
        pytest.param(played(1, rules=NEXT_ONLY), CLEO, ONE, None, id="the next may"),
    ],
)
def test_why_a_play_may_not_be_doubted(
    table: PublicTable, seat: Seat, play: PlayNumber, refusal: Refusal | None
) -> None:
    assert o.why_not_challenge(table, seat, play) is refusal


def test_a_window_closed_for_good_stays_closed() -> None:
    table = replace(played(1), closed=True)

    assert o.why_not_challenge(table, ANN, ONE) is Refusal.TOO_LATE


def test_under_pick_up_every_play_in_the_pile_may_be_doubted_newest_first() -> None:
    table = played(1, 2, 0, rules=UNTIL_PICK_UP)

    assert o.challengeable(table, BEN) == (THREE, TWO)


@pytest.mark.parametrize("rules", [CLASSIC, UNTIL_PICK_UP], ids=["newest only", "any play"])
def test_what_may_be_doubted_once_cost_the_square_of_the_pile(rules: TableRules) -> None:
    low, high = played(*[1, 2] * 25, rules=rules), played(*[1, 2] * 100, rules=rules)

    assert lines_run_for(high) < 6 * lines_run_for(low)


def lines_run_for(table: PublicTable) -> int:
    """How many lines of code it takes to see what somebody may doubt."""
    lines = 0

    def count(_frame: FrameType, event: str, _arg: object) -> Any:  # noqa: ANN401 - itself
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        o.challengeable(table, ANN)
    finally:
        sys.settrace(before)
    return lines


def test_under_pick_up_a_last_play_makes_the_older_ones_safe() -> None:
    table = played(1, 2, rules=UNTIL_PICK_UP, last=True, left=0)

    assert o.why_not_challenge(table, ANN, ONE) is Refusal.SAFE_PLAY
    assert o.why_not_challenge(table, ANN, TWO) is None


def test_under_pick_up_an_ending_deal_makes_the_older_plays_safe() -> None:
    table = replace(played(1, 2, rules=UNTIL_PICK_UP), stopping=StopReason.PLAYS)

    assert o.challengeable(table, ANN) == (TWO,)


def test_under_pick_up_a_closed_last_play_is_beyond_doubt() -> None:
    table = replace(played(1, rules=UNTIL_PICK_UP, last=True, left=0), closed=True)

    assert o.why_not_challenge(table, ANN, ONE) is Refusal.TOO_LATE


def test_the_right_of_the_next_player_moves_on_with_the_turn() -> None:
    table = replace(played(1, rules=NEXT_ONLY), turn=ANN)

    assert o.challengers(table, table.pile[0]) == (ANN,)


def test_under_pick_up_the_right_stays_with_who_was_next_when_it_was_played() -> None:
    table = replace(played(1, rules=NEXT_UNTIL_PICK_UP), turn=ANN)

    assert o.challengers(table, table.pile[0]) == (CLEO,)


def test_nobody_gets_the_right_to_doubt_a_play_of_their_own() -> None:
    table = replace(played(1, rules=NEXT_ONLY), turn=BEN)

    assert o.challengers(table, table.pile[0]) == ()


@pytest.mark.parametrize(
    ("table", "seat", "play"),
    [
        pytest.param(a_table(), ANN, ONE, id="empty pile"),
        pytest.param(played(1, 2), ANN, ONE, id="an older play"),
        pytest.param(played(1), BEN, ONE, id="one's own play"),
        pytest.param(played(1, rules=NEXT_ONLY), ANN, ONE, id="not allowed to doubt it"),
    ],
)
def test_what_cannot_be_let_go(table: PublicTable, seat: Seat, play: PlayNumber) -> None:
    assert o.why_not_let_go(table, seat, play) is Refusal.NOTHING_TO_LET_GO


def test_the_newest_play_can_be_let_go_by_who_could_doubt_it() -> None:
    assert o.why_not_let_go(played(1), ANN, ONE) is None


@pytest.mark.parametrize("order", RankOrder)
def test_the_ranks_offered_are_the_ranks_due(order: RankOrder) -> None:
    table = played(1, rules=TableRules(rank_order=order))

    assert o.options(table, CLEO, 5).ranks == table.due


# --- hurrying the seat to move ------------------------------------------------------------------

NO_CLOCK = TableRules(turn_s=0)


def by_computer(table: PublicTable, seat: Seat) -> PublicTable:
    """The same table, but a computer player stands in for this seat."""
    return follow(table, ChairChanged(seat=seat, name="Ben", chair=Chair.STAND_IN))


@pytest.mark.parametrize(
    ("table", "asks", "refusal"),
    [
        pytest.param(a_table(NO_CLOCK), ANN, None, id="another player"),
        pytest.param(a_table(NO_CLOCK), None, None, id="a host without a seat"),
        pytest.param(a_table(NO_CLOCK), BEN, Refusal.OWN_CLOCK, id="whoever is to move"),
        pytest.param(a_table(), ANN, Refusal.CLOCK_RUNS, id="where each turn has a clock"),
        pytest.param(
            played(1, rules=NO_CLOCK), ANN, Refusal.CLOCK_RUNS, id="in the protected time"
        ),
        pytest.param(
            by_computer(a_table(NO_CLOCK), BEN), ANN, Refusal.CLOCK_RUNS, id="a computer player"
        ),
    ],
)
def test_a_person_whom_the_table_waits_for_can_be_hurried_by_others(
    table: PublicTable, asks: Seat | None, refusal: Refusal | None
) -> None:
    assert o.why_not_hurry(table, asks) is refusal
