"""Lists change while somebody chooses: what is under the cursor stays there, and nothing else is done."""

import pytest

from client.acts.anywhere import settled
from client.acts.done import Done
from client.keys.press import press
from client.screens.desk import Desk, Overlay, Question
from client.screens.hall import chosen_listing
from client.screens.older import chosen_play
from client.screens.page import draw
from client.state import ClientState
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber
from protocol.rules import ChallengeUntil, TableRules
from tests.support.keyboard import LONG_AGO, after, hint
from tests.support.screen_states import (
    ONE_IS_READY,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
    texts,
)


def pressed(state: ClientState, key: str, desk: Desk) -> Done:
    """What comes of one key now, on the desk as these changes have left it."""
    return press(a_frame(state, desk=desk), key)


# --- the menu --------------------------------------------------------------------------------------


def upon(label: str, state: ClientState) -> Desk:
    """The menu, with the cursor on the line that begins with this."""
    desk = after(state, "escape").desk
    for _ in range(40):
        (row,) = (row for row in drawn(state, desk) if row.startswith("   > "))
        if row.removeprefix("   > ").startswith(label):
            return desk
        desk = after(state, "down", desk=desk).desk
    raise AssertionError(label)


def drawn(state: ClientState, desk: Desk) -> list[str]:
    """The rows of the page."""
    return texts(draw(a_frame(state, desk=desk)))


def test_enter_on_leave_the_lobby_removed_who_had_just_come_to_watch() -> None:
    desk = upon("leave the lobby", in_lobby())
    watched = in_lobby(lobby_state(watching=("cleo",)))

    done = pressed(watched, "enter", desk)

    assert done.told == ()
    assert done.desk.asking is Question.LEAVE_LOBBY


def test_a_line_of_the_menu_that_has_gone_does_nothing_in_its_place() -> None:
    desk = upon("start the deal", ONE_IS_READY)

    done = pressed(dealt(), "enter", desk)

    assert "can no longer be done" in hint(done)
    assert done.desk.overlay is None


def test_a_menu_about_somebody_keeps_its_first_line_when_they_ask_for_a_seat() -> None:
    desk = after(in_lobby(), "tab", "enter").desk
    asking = in_lobby(lobby_state(asking=("ana",)))

    (told,) = pressed(asking, "enter", desk).told

    assert isinstance(told, c.HandOver)


def test_removing_a_person_for_good_is_asked_first() -> None:
    watched = in_lobby(lobby_state(watching=("cleo",)))

    asked = after(watched, "enter", desk=upon("remove cleo", watched))
    (told,) = after(watched, "enter", desk=asked.desk).told

    assert asked.told == ()
    assert any("Remove cleo for good? Enter yes" in row for row in drawn(watched, asked.desk))
    assert told == c.RemoveSeat(n=told.n, name="cleo")  # type: ignore[union-attr]


def test_a_computer_player_is_removed_without_a_question() -> None:
    proof = e.LobbySeat(name="Proof", kind=e.SeatKind.COMPUTER)
    state = in_lobby(lobby_state(seats=(proof, e.LobbySeat(name="maya"))))

    (told,) = after(state, "tab", "enter", "enter").told

    assert isinstance(told, c.RemoveSeat)


# --- the hall --------------------------------------------------------------------------------------


def a_hall(*codes: str) -> ClientState:
    """The hall with these lobbies."""
    lobbies = tuple(
        e.Listing(
            code=code,
            host="ana",
            stage=e.LobbyStage.GATHERING,
            rules=TableRules(),
            size=6,
            seated=("ana",),
        )
        for code in codes
    )
    return folded((e.HallChanged(online=9, lobbies=lobbies),), online())


def in_hall(*halls: ClientState) -> Desk:
    """The desk of somebody who has seen these halls, one after the other."""
    desk = Desk()
    for state in halls:
        desk = settled(a_frame(state, desk=desk, now=LONG_AGO))
    return desk


def joined(done: Done) -> str:
    (told,) = done.told
    assert isinstance(told, c.JoinLobby)
    return told.code


def test_enter_joined_a_lobby_that_had_moved_under_the_cursor() -> None:
    before, now = a_hall("FOX-42", "OWL-17"), a_hall("ANT-11", "FOX-42", "OWL-17")

    assert joined(pressed(now, "enter", in_hall(before))) == "FOX-42"
    assert joined(pressed(now, "enter", in_hall(before, now))) == "FOX-42"
    assert joined(pressed(now, "w", in_hall(before))) == "FOX-42"


def test_a_lobby_chosen_with_the_arrows_stays_chosen() -> None:
    before, now = a_hall("FOX-42", "OWL-17"), a_hall("OWL-17")
    desk = pressed(before, "down", in_hall(before)).desk

    assert joined(pressed(now, "enter", desk)) == "OWL-17"


@pytest.mark.parametrize(("key", "code"), [("down", "OWL-17"), ("up", "ANT-11")])
def test_no_lobby_is_joined_instead_of_one_that_has_gone(key: str, code: str) -> None:
    before, now = a_hall("ANT-11", "FOX-42", "OWL-17"), a_hall("ANT-11", "OWL-17")
    desk = settled(a_frame(now, desk=pressed(before, "down", in_hall(before)).desk))

    assert "no longer open" in hint(pressed(now, "enter", desk))
    assert not [row for row in drawn(now, desk) if row.startswith(" > ")]
    assert joined(pressed(now, "enter", pressed(now, key, desk).desk)) == code


def test_the_first_lobby_of_an_empty_hall_is_chosen_at_once() -> None:
    desk = in_hall(a_hall("FOX-42"), a_hall(), a_hall("OWL-17"))
    listing = chosen_listing(a_frame(a_hall("OWL-17"), desk=desk))

    assert listing is not None
    assert listing.code == "OWL-17"


# --- the seats, and older plays --------------------------------------------------------------------


def seats(*names: str) -> ClientState:
    return in_lobby(lobby_state(seats=[e.LobbySeat(name=name) for name in names]))


def test_the_menu_of_a_seat_was_about_whoever_had_moved_into_it() -> None:
    before, now = seats("maya", "ana", "bo", "cy"), seats("maya", "bo", "cy")
    desk = settled(a_frame(before, desk=after(before, "tab", "down", "down").desk))

    moved = settled(a_frame(now, desk=desk))

    assert pressed(now, "enter", moved).desk.menu_about == "bo"


def test_who_has_gone_leaves_the_cursor_on_the_seat() -> None:
    before, now = seats("maya", "ana", "bo"), seats("maya", "ana")
    desk = settled(a_frame(before, desk=after(before, "tab", "down", "down").desk))

    moved = settled(a_frame(now, desk=desk))

    assert (moved.seat_row, moved.seat_at) == (2, "")


def test_a_play_that_came_later_was_doubted_instead_of_an_older_one() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP)
    state = folded((played(7, 4, 1, Rank.KING, turn=5),), dealt(rules=rules))
    desk = Desk(overlay=Overlay.OLDER, older=PlayNumber(3))

    done = pressed(state, "enter", desk)

    assert "can no longer be doubted" in hint(done)
    assert chosen_play(a_frame(state, desk=pressed(state, "down", desk).desk)) == 7


# --- the log ---------------------------------------------------------------------------------------


def test_whoever_had_scrolled_up_in_the_log_lost_their_place_with_each_word_that_was_said() -> None:
    talk = tuple(e.Said(name="bo", text=f"word {number}") for number in range(60))
    before = folded(talk, in_lobby())
    desk = settled(a_frame(before, desk=after(before, "l", "pageup").desk))
    more = folded((e.Said(name="cy", text="one more"),), before)

    there = settled(a_frame(more, desk=desk))

    assert drawn(more, there)[1:-2] == drawn(before, desk)[1:-2]
    assert there.scrolled == desk.scrolled + 1
