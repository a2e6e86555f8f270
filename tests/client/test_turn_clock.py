"""The clock of a turn starts by itself, as the server's does, and only once (RULES D1)."""

import pytest

from client.state import ClientState
from client.store import reduce
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber, Seat
from protocol.rules import TableRules
from protocol.views import TableSnapshot
from tests.support.screen_states import dealt, folded, in_lobby, played, ruled, stands

ANA, BO, DEE = Seat(0), Seat(1), Seat(4)
FIRST = played(1, 0, 1, Rank.ACE, turn=1)
AT = 50.0  # seconds on the local clock


def clock_after(*events: e.Event, state: ClientState | None = None) -> tuple[int | None, ...]:
    """Whose clock runs after these events, and how many seconds it has left."""
    after = folded(events[:-1], state or dealt())
    clocks = reduce(after, events[-1], AT).clocks
    left = None if clocks.turn_ends is None else round(clocks.turn_ends - AT)
    return clocks.turn_seat, left


def a_snapshot(**changes: object) -> TableSnapshot:
    """What a newcomer to the table of `dealt` is told first."""
    view = dealt(**changes).table  # type: ignore[arg-type]
    assert view is not None
    return TableSnapshot(table=view.table, you=view.you, hand=view.hand)


def test_the_first_turn_has_its_clock_with_the_deal() -> None:
    clocks = dealt().clocks

    assert (clocks.turn_seat, clocks.turn_ends) == (ANA, 45.0)


@pytest.mark.parametrize(
    "event",
    [
        pytest.param(stands(1), id="it stood"),
        pytest.param(e.ProtectionOver(play=PlayNumber(1)), id="its protected time is over"),
        pytest.param(ruled(challenger=Seat(2), taker=ANA, turn=BO, reveal_us=0), id="a ruling"),
    ],
)
def test_the_next_turn_has_its_clock_when_the_table_waits_for_it(event: e.Event) -> None:
    assert clock_after(FIRST) == (None, None)
    assert clock_after(FIRST, event) == (BO, 45)


def test_after_a_reveal_the_clock_starts_when_the_pause_is_over() -> None:
    ruling = ruled(challenger=Seat(2), taker=ANA, turn=BO, reveal_us=3_000_000)

    assert clock_after(FIRST, ruling) == (None, None)
    assert clock_after(FIRST, ruling, e.RevealOver()) == (BO, 45)


def test_a_pass_gives_the_next_seat_its_clock() -> None:
    moved = e.Passed(seat=BO, turn=Seat(2))

    assert clock_after(FIRST, stands(1), moved) == (Seat(2), 45)


def test_a_turn_gets_no_second_clock() -> None:
    begun = (FIRST, e.ProtectionOver(play=PlayNumber(1)))
    started = folded(begun, dealt())

    after = folded((stands(1),), started, at=9.0)

    assert after.clocks.turn_ends == started.clocks.turn_ends == 45.0


def test_a_clock_that_is_told_counts_instead() -> None:
    told = e.TurnClock(seat=BO, left_us=10_000_000)

    assert clock_after(FIRST, stands(1), told) == (BO, 10)


def test_where_the_rules_have_no_clock_none_starts_by_itself() -> None:
    off = dealt(rules=TableRules(turn_s=0))

    assert clock_after(FIRST, stands(1), state=off) == (None, None)
    asked = e.TurnClock(seat=BO, left_us=30_000_000)
    assert clock_after(FIRST, stands(1), asked, state=off) == (BO, 30)


def test_a_computer_player_has_no_clock_and_the_owner_who_comes_back_has() -> None:
    gone = e.ChairChanged(seat=BO, name="bo", chair=e.Chair.STAND_IN)
    back = e.ChairChanged(seat=BO, name="bo", chair=e.Chair.OWNER)

    assert clock_after(gone, FIRST, stands(1)) == (None, None)
    assert clock_after(gone, FIRST, stands(1), back) == (BO, 45)


def test_while_the_last_cards_may_be_doubted_nobody_is_waited_for() -> None:
    last = played(1, 0, 1, Rank.ACE, turn=1, left=0, last=True, protected_us=0)

    assert clock_after(last) == (None, None)


@pytest.mark.parametrize(
    "halt",
    [
        pytest.param((e.Paused(reason=e.PauseReason.ASKED),), id="paused"),
        pytest.param(
            (e.Paused(reason=e.PauseReason.ASKED), e.Resumed(in_us=3_000_000)), id="counted in"
        ),
    ],
)
def test_a_table_that_stands_still_starts_no_clock(halt: tuple[e.Event, ...]) -> None:
    back = e.ChairChanged(seat=DEE, name="dee", chair=e.Chair.OWNER)

    assert clock_after(FIRST, stands(1), *halt, back) == (None, None)


def test_when_the_table_goes_on_the_window_state_says_what_the_clock_has_left() -> None:
    state = e.WindowState(phase=e.Phase.TO_PLAY, turn_us=45_000_000)
    going_on = (e.Paused(reason=e.PauseReason.ASKED), e.Resumed(in_us=3_000_000), e.Resumed())

    assert clock_after(FIRST, stands(1), *going_on) == (None, None)
    assert clock_after(FIRST, stands(1), *going_on, state) == (BO, 45)


def test_who_comes_during_a_turn_is_told_what_its_clock_has_left() -> None:
    left = e.WindowState(phase=e.Phase.TO_PLAY, turn_us=12_000_000)
    back = e.ChairChanged(seat=DEE, name="dee", chair=e.Chair.OWNER)

    assert clock_after(a_snapshot(), state=in_lobby()) == (None, None)
    assert clock_after(a_snapshot(), left, state=in_lobby()) == (ANA, 12)
    assert clock_after(a_snapshot(), left, back, state=in_lobby()) == (ANA, 12 - round(AT))


def test_the_clock_of_a_turn_ran_on_when_nobody_may_move_any_more() -> None:
    stopping = e.Stopping(reason=e.StopReason.VOTE)

    assert clock_after(FIRST, stands(1)) == (BO, 45)
    assert clock_after(FIRST, stands(1), stopping) == (None, None)
