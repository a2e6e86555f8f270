"""What a first-time player and a first-time host once met in lobby, menu, settings, help and hand."""

import pytest
from msgspec.structs import replace

from client.keys.typing_line import pasted
from client.lessons.tutorial import Tutorial, follow
from client.plain.lesson_lines import heard
from client.plain.lobby_reports import listing_line
from client.plain.reports import confession_lines
from client.plain.typed import help_lines, understand
from client.plain.word import Reply
from client.rule_bundles import CHOICES
from client.screens.desk import Desk, Overlay, Typing
from client.screens.editor import Editor
from client.screens.help_page import help_pages
from client.screens.parts.cells import text_of
from client.state import ClientState, Connecting, LinkLost, Picked, Sent
from protocol import events as e
from protocol.answers import Ping
from protocol.cards import Rank
from protocol.commands import JoinLobby, SetReady, SitDown
from protocol.numbers import CardId, CommandNumber, PlayNumber
from protocol.rules import PRESETS, RankOrder, TableRules
from tests.support.heard import lines
from tests.support.keyboard import after, hint
from tests.support.looking import SMALL, bar, seen
from tests.support.scenes import a_crowded_reveal, a_full_hall, the_result
from tests.support.screen_states import (
    WELCOME,
    YOU,
    a_frame,
    a_hand,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
)

USUAL = Desk()


def test_nothing_said_that_there_are_more_options_than_fit() -> None:
    assert f"RULES 1/{len(CHOICES)} (host maya)" in seen(in_lobby())
    assert f"RULES 6/{len(CHOICES)} (host maya)" in seen(in_lobby(), replace(USUAL, row=5))


def test_a_host_who_was_not_ready_read_that_all_were() -> None:
    seats = [e.LobbySeat(name="maya"), *(e.LobbySeat(name=name, ready=True) for name in "abc")]
    ready = [replace(seat, ready=True) for seat in seats]

    assert "The others are ready: s starts." in seen(in_lobby(lobby_state(seats=seats)))
    assert "All are ready: s starts." in seen(in_lobby(lobby_state(seats=ready)))


def test_on_the_seats_the_key_bar_named_keys_for_the_options() -> None:
    on_seats = bar(in_lobby(), replace(USUAL, on_seats=True))

    assert "Left/Right" in bar(in_lobby())
    assert "Left/Right" not in on_seats
    assert "Enter seat menu" in bar(in_lobby(), replace(USUAL, on_seats=True), (120, 40))


def test_for_a_name_the_key_bar_named_the_keys_that_turn_a_value() -> None:
    name, theme = (Desk(overlay=Overlay.SETTINGS, settings_row=row) for row in (0, 1))

    assert bar(in_lobby(), name).startswith("Enter change")
    assert bar(in_lobby(), theme).startswith("Left/Right change")
    assert "your name            [ maya ]" in seen(in_lobby(), name)


def test_no_page_of_the_help_ended_in_the_middle_of_an_entry_or_was_left_with_one_line() -> None:
    pages = [[text_of(line) for line in page] for page in help_pages(a_frame(dealt()))]

    firsts = [page[0] for page in pages]
    assert [first for first in firsts if first.startswith(" " * 6)] == []
    assert min(len(page) for page in pages) > 1


def test_in_the_rule_sheet_of_the_help_short_sentences_stood_further_in_than_long_ones() -> None:
    shown = [text_of(line) for page in help_pages(a_frame(dealt())) for line in page]

    (short,) = (line for line in shown if "Do suits matter?" in line)
    (long,) = (line for line in shown if "Who may doubt?" in line)
    assert len(short) - len(short.lstrip()) == len(long) - len(long.lstrip())


def test_the_help_of_one_order_of_ranks_spoke_of_another() -> None:
    loose = dealt(rules=TableRules(rank_order=RankOrder.UP_SAME_OR_DOWN))

    page = seen(loose, Desk(overlay=Overlay.HELP))

    assert "rank order: up, same or down (A6, B4-B8). The last claim's rank or one" in page
    assert "Bluff" not in page


def test_during_a_pause_the_line_that_closes_the_menu_was_called_going_on() -> None:
    page = seen(dealt(), Desk(overlay=Overlay.MENU))

    assert " > back to the table" in page
    assert "go on" not in page


def test_more_cards_than_a_play_may_have_were_only_refused_once_they_were_to_be_laid() -> None:
    picked = folded((Picked(cards=tuple(CardId(number) for number in range(6))),), dealt(turn=3))

    page = seen(picked)

    assert "picked 6: A 3 3 5 5 7  ->  2 too many" in page
    assert "One play has at most 4 cards here: unpick some." in page


def test_with_sneaking_the_cards_beyond_the_most_that_can_be_said_are_sneaked() -> None:
    sneaky = TableRules(sneak=1)
    picked = Picked(cards=tuple(CardId(number) for number in range(5)))

    page = seen(folded((picked,), dealt(turn=3, rules=sneaky)))

    assert 'you will say "4 ACES"' in page
    assert "You lay 5 and say 4: a lie if you are doubted." in page


def test_a_hand_that_the_others_take_for_a_larger_one_says_so() -> None:
    laid = e.Laid(play=PlayNumber(1), cards=a_hand()[:2])
    said = played(1, 3, 1, Rank.ACE, turn=4, left=11)

    state = folded((laid, said), dealt(turn=3, rules=TableRules(sneak=1)))

    assert "YOUR HAND  10 cards (the others see 11)" in seen(state)


def test_for_fifteen_seconds_a_server_that_stood_still_was_said_to_be_near() -> None:
    usual, odd = seen(dealt(), now=8.9), seen(dealt(), now=9.5)
    again = seen(folded((Ping(nonce=2, rtt_us=3000),), dealt(), at=9.0), now=9.5)

    assert "link 3 ms" in usual
    assert "! silent 10 s" in odd
    assert "link 3 ms" in again


def test_the_help_on_playing_line_by_line_did_not_say_how_to_lay_cards() -> None:
    first, second, *words = help_lines("play")

    assert "q 5 lays a queen and a five" in first
    assert "as 1" in second
    assert words[0].startswith("HELP: doubt (b)")


def test_in_a_small_window_a_doubt_ended_in_the_middle_of_its_verb() -> None:
    page = seen(a_crowded_reveal(), size=SMALL)

    assert "sixteen~ doubted sixteen~" in page


def test_long_names_of_those_to_come_began_further_left_than_short_ones() -> None:
    names = ("bo", "sixteen-chars-16", "cy", "maya")

    panes = [line[34:].rstrip() for line in seen(dealt(names=names), size=SMALL).splitlines()]

    assert " then sixteen-chars-16 (2)" in panes
    assert "      cy (3)" in panes


def test_an_invite_to_a_lobby_with_a_password_did_not_say_that_it_takes_one() -> None:
    lobby = lobby_state(password=True)

    assert "facedown join 192.168.1.20:5252/FOX-42   and the password" in seen(in_lobby(lobby))
    told = understand(in_lobby(lobby), "invite", now=0.0)
    assert isinstance(told, Reply)
    assert told.lines[0] == "INVITE: facedown join 192.168.1.20:5252/FOX-42 (and the password)"


def test_a_password_of_two_words_could_be_set_on_the_screen_and_not_be_typed_line_by_line() -> None:
    joining = understand(online(), "join fox-42 tea time", now=0.0)

    assert isinstance(joining, JoinLobby)
    assert (joining.code, joining.password) == ("FOX-42", "tea time")


def test_what_was_asked_for_in_a_lobby_without_a_line_was_answered_by_nothing_at_all() -> None:
    ready = Sent(command=SetReady(n=CommandNumber(3), ready=True))
    lost = folded((LinkLost(reason="it broke", attempt=1, retry_s=4.0), ready), in_lobby())

    back = folded((Connecting(address="pi:5252"), replace(WELCOME, resumed=True)), lost)

    assert "trying again in 3 s. What you asked for is sent then." in seen(lost)
    assert "Connection lost: trying" not in seen(back)


def test_whoever_had_asked_for_a_seat_was_told_to_ask_for_one() -> None:
    watching = dealt(you=None)
    assert watching.lobby is not None
    lobby = replace(watching.lobby, seats=watching.lobby.seats[:3], asking=("maya",), host="ana")

    asked = folded((e.LobbyChanged(lobby=lobby),), watching)

    assert "You have asked for a seat: ana decides." in seen(asked)


def test_whoever_had_given_up_a_seat_was_offered_doubts_and_turns_that_were_refused() -> None:
    given_up = (
        e.ChairChanged(seat=YOU, chair=e.Chair.COMPUTER, name="maya"),
        e.HandDealt(seat=YOU, cards=()),
        played(1, 2, 1, Rank.ACE, turn=3),
    )

    theirs = folded(given_up, dealt(turn=2))
    mine = folded((e.ProtectionOver(play=PlayNumber(1)),), theirs)

    assert "A computer plays your hand." in seen(theirs)
    assert "A computer has your seat: Esc gives it back." in seen(theirs)
    assert "b = BS!" not in seen(theirs)
    assert bar(theirs) == "/ say   l log   ? help   Esc menu"
    assert hint(after(theirs, "b")) == "A computer has your seat: take it back first."
    assert "maya's turn: TWOS" in seen(mine)
    assert "Pick ranks" not in seen(mine)
    assert "you hold none" not in seen(mine)


def test_a_pass_that_was_ready_was_said_to_be_laid_and_to_come_back_into_the_hand() -> None:
    ace = played(1, 2, 1, Rank.ACE, turn=3)
    held = e.Held(held=e.HeldPlay())
    state = folded((ace, held), dealt(turn=2, rules=TableRules(passing=True)))

    assert "your pass is ready" in seen(state, size=(120, 40))
    assert "laid ready" not in seen(state, size=(120, 40))
    assert lines(state, e.HeldBack()) == ["BACK: you have not passed."]


@pytest.mark.parametrize("word", ["", "go", "g", " GO "])
def test_go_was_refused_as_it_closed_a_lesson_line_by_line(word: str) -> None:
    open_one = follow(Tutorial(), dealt())
    assert open_one.open is not None

    after_it, still_meant = heard(open_one, word)

    assert after_it.open is None
    assert still_meant is None
    assert heard(open_one, "b")[1] == "b"


def test_last_cards_were_marked_by_one_word_on_a_line_that_had_space_for_two() -> None:
    names = ("ana", "bo", "sixteen-chars-16", "maya")
    last = played(1, 2, 1, Rank.QUEEN, turn=3, left=0, last=True)

    page = seen(folded((last,), dealt(names=names, turn=2)))

    assert "│ LAST CARDS  " in page


def test_in_the_hall_a_lobby_with_a_password_was_only_marked_key_and_computers_were_people() -> (
    None
):
    listing = e.Listing(
        code="FOX-42",
        host="ana",
        stage=e.LobbyStage.GATHERING,
        rules=TableRules(),
        size=10,
        seated=("ana", "casual"),
        password=True,
    )

    hall = folded((e.HallChanged(online=2, lobbies=(listing,)),), online())
    page = seen(hall, size=(140, 40))

    assert "watchers welcome, with a password" in page
    assert "PEOPLE" not in page


# --- the lobby -------------------------------------------------------------------------------------


def test_whoever_watched_needed_the_menu_to_take_a_seat() -> None:
    lobby = lobby_state(seats=[e.LobbySeat(name="ana")], watching=("maya",))
    watching = in_lobby(lobby)  # where only one sits, they were told to send the invite

    (told,) = after(watching, "space").told

    assert isinstance(told, SitDown)
    assert "You are watching. Space takes a seat." in seen(watching)
    assert "Space take a seat" in bar(watching)


def test_in_practice_an_invite_was_shown_that_no_friend_can_follow() -> None:
    practice = replace(USUAL, passing=True)

    page = seen(in_lobby(), practice)

    assert "Practice is for you alone. For friends:  facedown host" in page
    assert "facedown join" not in page
    assert "facedown host" in hint(after(in_lobby(), "y", desk=practice))
    assert "copy invite" not in bar(in_lobby(), practice, (120, 40))


def test_at_the_usual_size_the_key_bar_of_a_host_left_out_talking() -> None:
    assert "/ say" in bar(in_lobby())


def test_on_the_seats_the_key_bar_of_a_host_did_not_name_their_menu() -> None:
    assert "Enter seat menu" in bar(in_lobby(), replace(USUAL, on_seats=True))


# --- the hall --------------------------------------------------------------------------------------


def test_the_hall_said_of_a_preset_what_differs_in_it_and_not_what_it_is() -> None:
    (first, *_) = a_full_hall().hall.lobbies
    listing = replace(first, rules=PRESETS["bluff"])
    hall = folded((e.HallChanged(online=1, lobbies=(listing,)),), online())
    opening = replace(USUAL, typing=Typing.CREATE, line=Editor().of("bluff"))

    assert f"{first.code}: bluff" in seen(hall)
    assert "whoever starts a pile names its rank; any" in seen(hall)
    assert "bluff: whoever starts a pile names its rank" in seen(online(), opening)
    assert ", bluff" in listing_line(listing)


def test_an_invite_pasted_where_the_hall_asks_for_a_code_was_no_code() -> None:
    asked = after(online(), "f").desk
    invite = pasted(a_frame(online(), desk=asked), "facedown join 10.0.0.7:5252/FOX-42\n").desk

    done = after(online(), "enter", desk=invite)

    (told,) = done.told
    assert isinstance(told, JoinLobby)
    assert (told.code, told.password) == ("FOX-42", None)


# --- after the deal --------------------------------------------------------------------------------


def a_result(*seats: e.LobbySeat, host: str = "maya") -> ClientState:
    """The deal is over, and these have the seats for the next."""
    lobby = lobby_state(stage=e.LobbyStage.BETWEEN_DEALS, seats=seats, host=host)
    return folded((e.LobbyChanged(lobby=lobby),), the_result())


def test_whoever_practised_alone_was_told_how_many_are_ready_for_a_rematch() -> None:
    computers = [
        e.LobbySeat(name=f"certain-{n}", kind=e.SeatKind.COMPUTER, ready=True) for n in (1, 2)
    ]

    page = seen(a_result(e.LobbySeat(name="maya"), *computers))

    assert " s deals again." in page
    assert "Rematch" not in page


def test_where_nobody_else_was_ready_for_a_rematch_the_host_read_that_s_deals() -> None:
    two = [e.LobbySeat(name=name) for name in ("maya", "bo")]

    page = seen(a_result(*two))

    assert "Rematch: 0/2 ready, r: ready to play again." in page
    assert "s deals" not in page


def test_whoever_watched_the_deal_was_told_to_press_r_which_needs_a_seat() -> None:
    page = seen(a_result(e.LobbySeat(name="ana"), e.LobbySeat(name="bo"), host="ana"))

    assert "Rematch: 0/2 ready, you are watching." in page


def test_line_by_line_a_confession_left_out_the_doubts_and_most_plays_without_a_word() -> None:
    all_of_it, last = (list(confession_lines(the_result(), count)) for count in (3, 1))

    assert [line for line in all_of_it if line.endswith("a lie; you doubted, dee took 8 cards.")]
    assert last[0] == "CONFESSION: the last 1 of 3 plays; confess 3 has all."
    assert len(all_of_it) == 3


# --- the hand --------------------------------------------------------------------------------------


def test_the_key_bar_named_a_key_that_no_keyboard_has_for_picking_cards() -> None:
    """It said "ranks pick", where each other word names a key."""
    assert bar(dealt(turn=3)).startswith("A-K pick")
