"""Who challenged first, by numbers alone (RULES C5 to C7, B14)."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.events import DeadHeat
from protocol.numbers import PlayNumber, Seat
from server.table.arbiter import Arrival, ChallengeWindow, Verdict, decide

OPENED_AT = 1_000
LEFT_OF_ZERO = (Seat(1), Seat(2), Seat(3))  # seat 0 has played


def a_window(
    play: int = 7, *, closes_at: int | None = None, seats: tuple[Seat, ...] = LEFT_OF_ZERO
) -> ChallengeWindow:
    return ChallengeWindow(
        play=PlayNumber(play), opened_at=OPENED_AT, seats=seats, closes_at=closes_at
    )


def a_call(seat: int, at: int, play: int = 7) -> Arrival:
    return Arrival(seat=Seat(seat), play=PlayNumber(play), at=at)


def the_verdict(
    calls: tuple[Arrival, ...], *windows: ChallengeWindow, photo_finish_us: int = 0
) -> Verdict:
    verdict = decide(windows or (a_window(),), calls, photo_finish_us)
    assert verdict is not None
    return verdict


def test_nobody_calls_and_nothing_is_decided() -> None:
    assert decide((a_window(),), ()) is None


def test_the_earliest_arrival_wins_whatever_the_order_of_reading() -> None:
    calls = (a_call(3, 2_000), a_call(1, 2_001), a_call(2, 2_002))

    for read in permutations(calls):
        assert the_verdict(read) == Verdict(first=calls[0], order=calls)


# --- the edges of a window (RULES C5) -----------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "counts"),
    [
        pytest.param(OPENED_AT - 1, False, id="just before the opening"),
        pytest.param(OPENED_AT, True, id="at the opening"),
        pytest.param(5_000, True, id="at the same instant as the closing cards"),
        pytest.param(5_001, False, id="just after them"),
    ],
)
def test_a_challenge_counts_from_opening_to_closing(at: int, *, counts: bool) -> None:
    window = a_window(closes_at=5_000)

    assert window.admits(a_call(1, at)) is counts
    assert (decide((window,), (a_call(1, at),)) is not None) is counts


def test_a_window_that_nothing_has_closed_stays_open() -> None:
    assert a_window().admits(a_call(1, 10**12))


@pytest.mark.parametrize("play", [6, 8], ids=["an older play", "a play not announced yet"])
def test_a_challenge_never_touches_another_play(play: int) -> None:
    assert decide((a_window(),), (a_call(1, 2_000, play=play),)) is None
    assert not a_window().admits(a_call(1, 2_000, play=play))


def test_a_seat_without_the_right_to_challenge_is_passed_over() -> None:
    verdict = the_verdict((a_call(2, 2_000), a_call(1, 3_000)), a_window(seats=(Seat(1),)))

    assert verdict.order == (a_call(1, 3_000),)


def test_the_player_of_the_play_cannot_win_its_challenge() -> None:
    assert decide((a_window(),), (a_call(0, 2_000),)) is None


# --- equal arrivals (RULES C5) ------------------------------------------------------------------


def test_at_equal_arrival_the_seat_nearest_to_the_left_wins() -> None:
    calls = tuple(a_call(seat, 2_000) for seat in (3, 2, 1))

    for read in permutations(calls):
        verdict = the_verdict(read)

        assert verdict.order == (a_call(1, 2_000), a_call(2, 2_000), a_call(3, 2_000))
        assert verdict.dead_heat is DeadHeat.EQUAL_ARRIVAL


def test_left_is_counted_from_the_player_and_not_from_seat_0() -> None:
    left_of_two = a_window(seats=(Seat(3), Seat(0), Seat(1)))

    verdict = the_verdict((a_call(0, 2_000), a_call(3, 2_000)), left_of_two)

    assert verdict.first.seat == 3


def test_one_seat_calling_twice_is_no_dead_heat_and_is_listed_once() -> None:
    verdict = the_verdict((a_call(1, 2_000), a_call(1, 2_000), a_call(2, 2_500)))

    assert verdict.dead_heat is None
    assert verdict.order == (a_call(1, 2_000), a_call(2, 2_500))


def test_of_somebody_elses_two_calls_the_earlier_is_listed() -> None:
    verdict = the_verdict((a_call(2, 2_800), a_call(1, 2_000), a_call(2, 2_300)))

    assert verdict.order == (a_call(1, 2_000), a_call(2, 2_300))


# --- photo finish (RULES C6) --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second_at", "winner", "dead_heat"),
    [
        pytest.param(2_300, 1, DeadHeat.PHOTO_FINISH, id="at the very end of it"),
        pytest.param(2_301, 3, None, id="just after it"),
    ],
)
def test_calls_within_the_photo_finish_are_a_dead_heat(
    second_at: int, winner: int, dead_heat: DeadHeat | None
) -> None:
    calls = (a_call(3, 2_000), a_call(1, second_at))

    verdict = the_verdict(calls, photo_finish_us=300)

    assert (verdict.first.seat, verdict.dead_heat) == (winner, dead_heat)
    assert {call.seat for call in verdict.order} == {1, 3}


def test_the_photo_finish_is_counted_from_the_earliest_and_does_not_chain() -> None:
    calls = (a_call(3, 2_000), a_call(2, 2_200), a_call(1, 2_400))

    verdict = the_verdict(calls, photo_finish_us=300)

    assert verdict.first.seat == 2


def test_a_photo_finish_with_equal_arrivals_alone_says_so() -> None:
    calls = (a_call(2, 2_000), a_call(1, 2_000), a_call(3, 9_000))

    verdict = the_verdict(calls, photo_finish_us=300)

    assert verdict.dead_heat is DeadHeat.EQUAL_ARRIVAL


def test_a_photo_finish_never_goes_past_the_end_of_a_last_plays_window() -> None:
    calls = (a_call(3, 4_900), a_call(1, 5_050))

    verdict = the_verdict(calls, a_window(closes_at=5_000), photo_finish_us=300)

    assert verdict.order == (calls[0],)
    assert verdict.dead_heat is None


def test_a_seat_that_called_twice_in_a_photo_finish_is_timed_by_its_earlier_call() -> None:
    calls = (a_call(1, 2_150), a_call(1, 2_100), a_call(3, 2_000))

    verdict = the_verdict(calls, photo_finish_us=300)

    assert verdict.first == a_call(1, 2_100)
    assert verdict.order == (a_call(3, 2_000), a_call(1, 2_100))


def test_who_won_a_photo_finish_was_told_to_have_called_first() -> None:
    calls = (a_call(3, 2_000), a_call(2, 2_100), a_call(1, 2_250), a_call(4, 9_000))

    for read in permutations(calls):
        verdict = the_verdict(
            read, a_window(seats=tuple(map(Seat, range(1, 5)))), photo_finish_us=300
        )

        assert (verdict.first, verdict.order) == (calls[2], calls)
        assert verdict.dead_heat is DeadHeat.PHOTO_FINISH


# --- several plays at once (RULES B14) ----------------------------------------------------------


def test_with_several_plays_open_the_earliest_call_of_all_wins() -> None:
    calls = (a_call(2, 2_000, play=5), a_call(1, 1_999, play=6), a_call(3, 2_001, play=7))

    verdict = the_verdict(calls, a_window(5), a_window(6), a_window(7))

    assert verdict == Verdict(first=calls[1], order=(calls[1],))


def test_at_equal_arrival_the_newer_play_goes_before_the_nearer_seat() -> None:
    calls = (a_call(1, 2_000, play=5), a_call(3, 2_000, play=7), a_call(2, 2_000, play=7))

    verdict = the_verdict(calls, a_window(5), a_window(7))

    assert verdict.order == (a_call(2, 2_000, play=7), a_call(3, 2_000, play=7))
    assert verdict.dead_heat is DeadHeat.EQUAL_ARRIVAL


def test_a_seat_that_doubts_two_plays_at_once_has_no_rival() -> None:
    calls = (a_call(1, 2_000, play=5), a_call(1, 2_000, play=7))

    verdict = the_verdict(calls, a_window(5), a_window(7))

    assert verdict == Verdict(first=calls[1], order=(calls[1],))


# --- against a plain reading of the rules -------------------------------------------------------

CALLS = st.lists(
    st.builds(
        a_call,
        seat=st.integers(0, 3),
        at=st.integers(OPENED_AT - 2, OPENED_AT + 8),
        play=st.integers(5, 7),
    ),
    max_size=8,
)


@given(calls=CALLS, photo_finish_us=st.integers(0, 3), closes_at=st.integers(OPENED_AT, 1_006))
def test_the_verdict_is_what_the_rules_say_step_by_step(
    calls: list[Arrival], photo_finish_us: int, closes_at: int
) -> None:
    windows = (a_window(6, closes_at=closes_at), a_window(7, closes_at=closes_at))

    verdict = decide(windows, calls, photo_finish_us)

    counted = [c for c in calls if c.play >= 6 and c.seat and OPENED_AT <= c.at <= closes_at]
    if not counted:
        assert verdict is None
        return
    assert verdict is not None
    start = min(call.at for call in counted)
    heat = [call for call in counted if call.at <= start + photo_finish_us]
    newest = max(call.play for call in heat)
    nearest = min(call.seat for call in heat if call.play == newest)
    assert (verdict.first.play, verdict.first.seat) == (newest, nearest)
    assert [c.seat for c in verdict.order] == list(dict.fromkeys(c.seat for c in verdict.order))
    assert {c.seat for c in verdict.order} == {c.seat for c in counted if c.play == newest}
    assert (verdict.dead_heat is None) == (len({call.seat for call in heat}) == 1)
