"""The judge of scripts/race finds what is wrong, and nothing wrong with what is right."""

import pytest

from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.cards import Rank, read_faces
from protocol.numbers import CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from racing.judge import (
    Heard,
    Span,
    edge_finding,
    faults_of_calls,
    faults_of_cards,
    is_certain,
)
from racing.volley import Shot, was_held_up

PLAYER = Seat(0)
SEATS = 4
LENGTH_US = 2_000_000
OPENED = 1_000_000_000  # nanoseconds, of the window in these examples
CLOSE = Span(low=OPENED - 200_000, high=OPENED + 300_000).moved(LENGTH_US * 1000)
CLOSED = OPENED + LENGTH_US * 1000


def shot(seat: int, at: int, *, stamped: bool = True, slow: int = 0) -> Shot:
    """A frame that the kernel sent at this time, in nanoseconds."""
    return Shot(
        seat=Seat(seat),
        due=at - 1_000,
        before=at - 1_000,
        after=at + 3_000 + slow,
        stamp=at if stamped else None,
    )


def ruled(*calls: tuple[int, int], dead_heat: e.DeadHeat | None = None) -> e.Ruled:
    """A ruling with these calls: seat, and microseconds after the first (after the opening)."""
    shown = e.ShownPlay(
        play=PlayNumber(1), seat=PLAYER, count=1, rank=Rank.ACE, faces=read_faces("2S")
    )
    return e.Ruled(
        shown=shown,
        challenger=Seat(calls[0][0]),
        lie=True,
        taker=PLAYER,
        taken=1,
        left=13,
        turn=Seat(1),
        calls=tuple(e.Call(seat=Seat(seat), after_us=us) for seat, us in calls),
        dead_heat=dead_heat,
    )


def yes() -> Accepted:
    return Accepted(n=CommandNumber(1))


def no(code: Refusal, late_us: int | None = None) -> Refused:
    return Refused(n=CommandNumber(1), code=code, late_us=late_us)


def told(ruling: e.Ruled, *others: int) -> Heard:
    """What was heard when the challenger was accepted and all others came later."""
    answers: dict[Seat, Accepted | Refused] = {ruling.challenger: yes()}
    answers |= {Seat(seat): no(Refusal.NOT_FIRST, 10) for seat in others}
    return Heard(answers=answers, ruled=ruling)


# --- the order of calls -----------------------------------------------------------------------------


def test_calls_told_in_the_order_of_their_stamps_are_right() -> None:
    shots = [shot(2, OPENED), shot(1, OPENED + 10_000), shot(3, OPENED + 20_000)]
    heard = told(ruled((2, 50), (1, 10), (3, 20)), 1, 3)

    assert faults_of_calls(shots, heard, PLAYER, SEATS) == []


def test_a_later_call_that_wins_is_wrong() -> None:
    shots = [shot(2, OPENED), shot(1, OPENED + 10_000)]

    (fault,) = faults_of_calls(shots, told(ruled((1, 50), (2, 10)), 2), PLAYER, SEATS)

    assert "which was 10000 ns earlier" in fault


def test_a_wrong_order_behind_the_first_is_wrong_too() -> None:
    shots = [shot(2, OPENED), shot(1, OPENED + 10_000), shot(3, OPENED + 20_000)]
    heard = told(ruled((2, 50), (3, 10), (1, 20)), 1, 3)

    assert len(faults_of_calls(shots, heard, PLAYER, SEATS)) == 1


def test_late_calls_belong_to_the_order() -> None:
    shots = [shot(2, OPENED), shot(1, OPENED + 10_000), shot(3, OPENED + 20_000)]
    late = [
        e.LateCall(play=PlayNumber(1), call=e.Call(seat=Seat(seat), after_us=us))
        for seat, us in ((3, 20), (1, 10))
    ]
    heard = told(ruled((2, 50)), 1, 3)
    heard = Heard(answers=heard.answers, ruled=heard.ruled, late_calls=tuple(late))

    assert len(faults_of_calls(shots, heard, PLAYER, SEATS)) == 1


@pytest.mark.parametrize(
    ("first", "second", "faults"),
    [
        pytest.param(1, 3, 0, id="nearest to the left first"),
        pytest.param(3, 1, 1, id="nearest to the left second"),
    ],
)
def test_equal_arrival_is_for_the_nearest_to_the_left(first: int, second: int, faults: int) -> None:
    shots = [shot(first, OPENED + 400), shot(second, OPENED)]
    ruling = ruled((first, 50), (second, 0), dead_heat=e.DeadHeat.EQUAL_ARRIVAL)

    assert len(faults_of_calls(shots, told(ruling, second), PLAYER, SEATS)) == faults


def test_a_winner_who_is_refused_is_wrong() -> None:
    shots = [shot(2, OPENED), shot(1, OPENED + 10_000)]
    answers = {Seat(2): no(Refusal.TOO_LATE, 5), Seat(1): no(Refusal.NOT_FIRST, 10)}
    heard = Heard(answers=answers, ruled=ruled((2, 50), (1, 10)))

    assert len(faults_of_calls(shots, heard, PLAYER, SEATS)) == 1


def test_calls_without_a_ruling_are_wrong() -> None:
    heard = Heard(answers={Seat(1): no(Refusal.TOO_LATE, 5)})

    assert faults_of_calls([shot(1, OPENED)], heard, PLAYER, SEATS) == ["no ruling"]


# --- what can be known -------------------------------------------------------------------------------


def test_a_frame_that_was_sent_after_its_write_leaves_the_order_unknown() -> None:
    waited = Shot(seat=Seat(2), due=0, before=0, after=3_000, stamp=90_000)

    assert is_certain([shot(1, 1_000), shot(2, 20_000)])
    assert not is_certain([waited, shot(1, 20_000)])


def test_without_stamps_only_a_wide_gap_will_do() -> None:
    first = shot(1, 1_000, stamped=False)

    assert not is_certain([first, shot(2, 20_000, stamped=False)])
    assert is_certain([first, shot(2, 200_000, stamped=False)])


def test_a_sender_who_is_stopped_was_held_up_and_a_slow_write_was_not() -> None:
    on_time, soon = shot(1, 1_000), shot(2, 9_000)
    late = Shot(seat=Seat(2), due=9_000, before=50_000, after=54_000, stamp=51_000)

    assert not was_held_up([on_time, soon])
    assert not was_held_up([shot(1, 1_000, slow=7_000), shot(2, 12_000)])
    assert was_held_up([on_time, late])


# --- cards against a call ----------------------------------------------------------------------------

CARDS_COUNT = {Seat(1): yes(), Seat(2): no(Refusal.TOO_LATE, 3)}
CALL_COUNTS = {Seat(1): no(Refusal.CALLED_FIRST), Seat(2): yes()}
NEITHER = {Seat(1): no(Refusal.STALE), Seat(2): no(Refusal.TOO_LATE, 3)}


@pytest.mark.parametrize(
    ("call_ahead", "answers", "faults"),
    [
        pytest.param(10_000, CALL_COUNTS, 0, id="call first and counted"),
        pytest.param(10_000, CARDS_COUNT, 1, id="call first and lost"),
        pytest.param(-10_000, CARDS_COUNT, 0, id="cards first and counted"),
        pytest.param(-10_000, CALL_COUNTS, 1, id="cards first and turned up"),
        pytest.param(200, CARDS_COUNT, 0, id="too close for microseconds"),
        pytest.param(10_000, NEITHER, 1, id="neither counted"),
    ],
)
def test_cards_and_a_call_are_decided_by_who_came_first(
    call_ahead: int, answers: dict[Seat, Accepted | Refused], faults: int
) -> None:
    cards, call = shot(1, OPENED), shot(2, OPENED - call_ahead)

    assert len(faults_of_cards(cards, call, Heard(answers=answers))) == faults


# --- a closing edge ----------------------------------------------------------------------------------


def refused(*lateness: int | None) -> Heard:
    """Seats 1, 2, ... were too late by this much; None: the deal was over."""
    answers: dict[Seat, Accepted | Refused] = {
        Seat(seat): no(Refusal.NO_DEAL) if us is None else no(Refusal.TOO_LATE, us)
        for seat, us in enumerate(lateness, start=1)
    }
    return Heard(answers=answers)


def test_a_call_just_in_time_that_counts_is_right() -> None:
    shots = [shot(1, CLOSED - 20_000), shot(2, CLOSED + 30_000)]
    heard = told(ruled((1, LENGTH_US - 20)), 2)

    finding = edge_finding(shots, heard, CLOSE, LENGTH_US)

    assert (finding.offset_us, finding.lost, finding.faults) == (-20, False, ())


def test_calls_just_too_late_that_are_refused_are_right() -> None:
    shots = [shot(1, CLOSED + 20_000), shot(2, CLOSED + 90_000)]

    finding = edge_finding(shots, refused(20, None), CLOSE, LENGTH_US)

    assert (finding.offset_us, finding.lost, finding.faults) == (20, False, ())


@pytest.mark.parametrize(
    ("at", "heard"),
    [
        pytest.param(CLOSE.low - 20_000, refused(None), id="before it can have closed"),
        pytest.param(CLOSED - 20_000, refused(0), id="late by nothing"),
        pytest.param(CLOSED + 20_000, Heard(answers={Seat(1): no(Refusal.STALE)}), id="odd reason"),
    ],
)
def test_a_timely_call_that_is_refused_is_lost(at: int, heard: Heard) -> None:
    finding = edge_finding([shot(1, at)], heard, CLOSE, LENGTH_US)

    assert finding.lost
    assert len(finding.faults) == 1


def test_a_call_before_the_close_that_the_refusal_of_another_tells_is_lost() -> None:
    shots = [shot(1, CLOSED - 20_000), shot(2, CLOSED + 20_000)]

    assert edge_finding(shots, refused(None, 20), CLOSE, LENGTH_US).lost


def test_a_call_is_lost_if_a_later_one_counts() -> None:
    shots = [shot(1, CLOSED - 60_000), shot(2, CLOSED - 20_000)]

    assert edge_finding(shots, told(ruled((2, LENGTH_US - 20)), 1), CLOSE, LENGTH_US).lost


@pytest.mark.parametrize(
    ("at", "after_us"),
    [
        pytest.param(CLOSED + 20_000, LENGTH_US + 20, id="by its own account"),
        pytest.param(CLOSE.high + 50_000, LENGTH_US - 5, id="beyond doubt"),
        pytest.param(CLOSED, LENGTH_US - 900, id="with an impossible opening"),
    ],
)
def test_a_late_call_that_counts_is_wrong_but_nothing_is_lost(at: int, after_us: int) -> None:
    heard = told(ruled((1, after_us)))

    finding = edge_finding([shot(1, at)], heard, CLOSE, LENGTH_US)

    assert finding.faults
    assert not finding.lost


def test_refusals_that_contradict_each_other_are_wrong() -> None:
    shots = [shot(1, CLOSED + 20_000), shot(2, CLOSED + 90_000)]

    assert edge_finding(shots, refused(20, 250), CLOSE, LENGTH_US).faults


def test_what_falls_between_the_bounds_and_is_told_nothing_is_not_known() -> None:
    finding = edge_finding([shot(1, CLOSED + 20_000)], refused(None), CLOSE, LENGTH_US)

    assert (finding.offset_us, finding.faults) == (None, ())
