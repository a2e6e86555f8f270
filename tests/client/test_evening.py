"""The evening's table over rematches, and the records of one deal."""

import pytest
from msgspec.structs import replace

from client.evening import Row, evening
from client.moments import remarks
from client.plain.after_lines import evening_lines
from client.screens.desk import Desk, Overlay
from client.screens.evening_page import evening_page
from client.state import MAX_DEALS, ClientState
from client.stats import confessed
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import Seat
from tests.support.keyboard import after
from tests.support.looking import SMALL, bar, seen
from tests.support.scenes import the_result
from tests.support.screen_states import (
    NAMES,
    SIZES,
    a_frame,
    folded,
    in_lobby,
    lobby_state,
    played,
    ruled,
    texts,
)


def the_next_deal(state: ClientState, deal: int = 2) -> ClientState:
    """A rematch has begun."""
    seats = tuple(e.SeatState(name=name, cards=9) for name in NAMES)
    started = e.DealStarted(
        deal=deal, rules=lobby_state().rules, dealer=Seat(0), turn=Seat(1), seats=seats
    )
    return folded((started,), state)


def another_result(state: ClientState, deal: int = 2) -> ClientState:
    """Bo said a king, which was a lie; then cy was out."""
    over = e.DealOver(reason=e.StopReason.OUT, places=(2, 6, 1, 3, 4, 5), cards=(1, 12, 0, 3, 4, 5))
    lie = ruled(
        shown=e.ShownPlay(
            play=played(1, 1, 1, Rank.ACE, turn=2).play,
            seat=Seat(1),
            count=1,
            rank=Rank.ACE,
            faces=the_result().table.confession[1].faces,  # type: ignore[union-attr]
        ),
        taker=Seat(1),
        challenger=Seat(3),
        calls=(e.Call(seat=Seat(3), after_us=400_000),),
        taken=11,
    )
    out = (played(1, 1, 1, Rank.ACE, turn=2), lie, over)
    return folded(out, the_next_deal(state, deal))


def row(state: ClientState, name: str) -> Row:
    (found,) = (row for row in evening(state) if row.name == name)
    return found


def test_one_deal_is_an_evening_of_one() -> None:
    maya, hal = row(the_result(), "maya"), row(the_result(), "hal")

    assert (maya.deals, maya.won, maya.lies, maya.caught) == (1, 0, 1, 0)
    assert (maya.doubts, maya.right, maya.fastest_us) == (1, 1, 1_204_000)
    assert (hal.won, hal.lies) == (1, 0)


def test_a_rematch_is_added_up() -> None:
    state = another_result(the_result())

    maya, bo, cy = (row(state, name) for name in ("maya", "bo", "cy"))

    assert (maya.deals, maya.doubts, maya.right, maya.fastest_us) == (2, 2, 2, 400_000)
    assert (bo.lies, bo.caught, bo.biggest_pile) == (1, 1, 11)
    assert cy.won == 1
    assert [one.name for one in evening(state)][:2] == ["cy", "hal"]


def test_a_deal_still_being_played_does_not_count() -> None:
    assert row(the_next_deal(the_result()), "maya").deals == 1


def test_a_snapshot_of_the_same_deal_is_not_counted_twice() -> None:
    state = the_next_deal(the_result(), deal=1)

    assert evening(state) == ()


def test_the_evening_ends_with_the_lobby() -> None:
    played_on = another_result(the_result())
    left = folded((e.LobbyLeft(),), played_on)
    elsewhere = folded((e.LobbyChanged(lobby=replace(lobby_state(), code="OWL-17")),), played_on)

    assert evening(left) == evening(elsewhere) == ()


def test_a_very_long_evening_is_bounded() -> None:
    state = the_result()
    for deal in range(2, MAX_DEALS + 5):
        state = another_result(state, deal)

    assert len(state.evening) == MAX_DEALS


def test_the_page_and_the_lines_tell_the_same() -> None:
    state = another_result(the_result())
    page = "\n".join(texts(evening_page(a_frame(state))))
    lines = list(evening_lines(state))

    assert "2 deals, 1 of them without a confession" in page
    assert " > maya    0      2      1       0        2      2   400 ms     -" in page
    assert lines[0] == "EVENING: 2 deals, 1 of them without a confession."
    assert "EVENING: bo, 0 of 2 won, 1 lie, 1 caught, 0 doubts, 0 right; took 11." in lines


@pytest.mark.parametrize("size", SIZES)
def test_the_best_moments_of_an_evening_once_ended_in_the_middle_of_a_word(
    size: tuple[int, int],
) -> None:
    state = another_result(the_result())
    records = ("400 ms", "11")

    page = texts(evening_page(a_frame(state, size)))

    head = next(line for line in page if "won" in line).rstrip()
    rows = [line.rstrip() for line in page if line[3:7].strip() in NAMES]
    assert len(rows) == len(NAMES)
    assert {len(line) for line in rows} == {len(head)}
    assert all(any(text in line for line in rows) for text in records) == ("pile" in head)
    assert ("pile" in head) == (size[0] >= 80)


def test_before_the_first_deal_is_over_both_say_so() -> None:
    assert "No deal has ended here" in seen(in_lobby(), Desk(overlay=Overlay.EVENING))
    assert list(evening_lines(in_lobby())) == ["EVENING: no deal has ended here since you came."]


def test_the_key_bar_names_the_evening_once_there_is_one_to_tell() -> None:
    assert "e evening" not in bar(the_result())
    assert "e evening" in bar(another_result(the_result()))
    assert after(another_result(the_result()), "e").desk.overlay is Overlay.EVENING


def test_the_records_of_a_deal_are_told_in_a_small_window_too() -> None:
    view = the_result().table
    assert view is not None

    told = list(remarks(view, confessed(view)))

    assert told[-1] == (
        "fastest doubt: maya after 1.2 s; biggest pile: dee took 8; true plays doubted: 0"
    )
    assert "fastest doubt: maya after 1.2 s" in seen(the_result(), size=SMALL)


@pytest.mark.parametrize(
    ("chair", "won"), [(e.Chair.STAND_IN, 1), (e.Chair.COMPUTER, 0)], ids=["lost", "left"]
)
def test_a_deal_that_a_seat_won_whose_owner_had_left_was_counted_as_theirs(
    chair: e.Chair, won: int
) -> None:
    gone = e.ChairChanged(seat=Seat(5), name="hal", chair=chair)
    over = e.DealOver(reason=e.StopReason.OUT, places=(2, 3, 4, 5, 6, 1), cards=(1, 2, 3, 4, 5, 0))

    assert row(folded((gone, over), the_next_deal(in_lobby())), "hal").won == won
