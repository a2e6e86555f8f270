"""What comes of each key; a key that does nothing says why."""

import pytest
from msgspec.structs import replace

from client.acts.anywhere import settled
from client.keys.press import press
from client.keys.typing_line import pasted
from client.screens.desk import (
    ClaimChoice,
    Desk,
    Overlay,
    Question,
    Screen,
    Typing,
)
from client.screens.editor import Editor
from client.start.first_run import FirstRun
from client.state import BelieveAll, ClientState, Picked
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber
from protocol.rules import ChallengeUntil, RankOrder, TableRules
from tests.support.keyboard import LONG_AGO, after, cards, hint, painted, picking
from tests.support.scenes import the_reveal, the_window
from tests.support.screen_states import (
    a_frame,
    a_hand,
    dealt,
    folded,
    played,
)

# --- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "rank"),
    [
        pytest.param("a", Rank.ACE, id="a: ace"),
        pytest.param("5", Rank.FIVE, id="5"),
        pytest.param("t", Rank.TEN, id="t: ten"),
        pytest.param("0", Rank.TEN, id="0: ten too"),
        pytest.param("q", Rank.QUEEN, id="q: the queen, never quit"),
    ],
)
def test_a_rank_key_picks_one_card_of_it(key: str, rank: Rank) -> None:
    done = after(dealt(turn=3), key)

    (told,) = done.told
    assert isinstance(told, Picked)
    assert [card.face.rank for card in a_hand() if card.id in told.cards] == [rank]
    assert done.wish is None


def test_enter_lays_what_is_picked() -> None:
    (told,) = after(picking(0), "c-m").told

    assert isinstance(told, c.PlayCards)
    assert (told.cards, told.count, told.rank) == (cards(0), 1, Rank.ACE)


def test_enter_without_picks_says_what_to_do() -> None:
    assert hint(after(dealt(turn=3), "c-m")) == "Pick cards first: type their ranks."


def test_enter_goes_on_from_a_reveal_even_with_cards_picked() -> None:
    (told,) = after(picking(5, state=the_reveal()), "c-m").told

    assert isinstance(told, c.GoOn)


def test_b_names_the_play_that_is_on_the_screen() -> None:
    (told,) = after(painted(the_window()), "b").told

    assert isinstance(told, c.Challenge)
    assert told.play == 2


def test_b_in_the_first_quarter_of_a_second_of_a_newer_play_is_not_sent() -> None:
    done = after(painted(the_window()), "b", now=0.1)

    assert "A newer play: dee said 1 king" in hint(done)


@pytest.mark.parametrize("key", ["a", "t", "j", "q", "k", "x"])
def test_a_rank_in_capitals_as_the_screen_writes_it_did_nothing(key: str) -> None:
    assert after(dealt(turn=3), key.upper()) == after(dealt(turn=3), key)


def test_space_never_doubts() -> None:
    done = after(painted(the_window()), " ")

    assert "Left and Right" in hint(done)


def test_y_believes_and_capital_y_until_my_turn() -> None:
    (one,) = after(the_window(), "y").told
    (every,) = after(the_window(), "Y").told

    assert isinstance(one, c.LetGoOf)
    assert every == BelieveAll(on=True)


def test_the_cursor_walks_over_the_ranks_that_are_held() -> None:
    done = after(dealt(turn=3), "right", "right", "left", "left", "left")

    assert done.desk.column == 12 - 1  # from the aces back to the kings, then to the queens


def test_space_and_up_pick_at_the_cursor() -> None:
    desk = Desk(column=2)

    (one,) = after(dealt(turn=3), " ", desk=desk).told
    (both,) = after(dealt(turn=3), "up", desk=desk).told

    assert one in {Picked(cards=cards(1)), Picked(cards=cards(2))}
    assert isinstance(both, Picked)
    assert set(both.cards) == set(cards(1, 2))


def test_equals_and_a_rank_key_choose_what_is_said() -> None:
    free = dealt(turn=3, rules=TableRules(rank_order=RankOrder.FREE))
    chosen = after(picking(3, state=free), "=", "k")

    (told,) = after(picking(3, state=free), "c-m", desk=chosen.desk).told

    assert isinstance(told, c.PlayCards)
    assert told.rank is Rank.KING


def test_a_rank_that_is_not_due_cannot_be_chosen() -> None:
    rules = TableRules(rank_order=RankOrder.UP_OR_DOWN)
    state = folded((played(1, 2, 1, Rank.FIVE, turn=3),), dealt(turn=2, rules=rules))

    assert "say sixes or fours" in hint(after(state, "=", "k"))


def test_where_one_rank_is_due_there_is_nothing_to_choose() -> None:
    assert hint(after(dealt(turn=3), "=")) == "Only aces can be said now."


def test_minus_says_fewer_than_one_lays_where_sneaking_is_allowed() -> None:
    sneaky = picking(3, 4, state=dealt(turn=3, rules=TableRules(sneak=1)))
    desk = after(sneaky, "-", "-").desk

    (told,) = after(sneaky, "c-m", desk=desk).told

    assert isinstance(told, c.PlayCards)
    assert (len(told.cards), told.count) == (2, 1)


def test_a_sneak_is_forgotten_with_the_cards_it_was_meant_for() -> None:
    sneaky = dealt(turn=3, rules=TableRules(sneak=1))
    desk = Desk(claim=ClaimChoice(sneaked=1), screen=Screen.TABLE)

    assert settled(a_frame(sneaky, desk=desk)).claim == ClaimChoice()


def test_no_sneaking_where_the_rules_do_not_allow_it() -> None:
    assert "B10" in hint(after(picking(3, 4), "-"))


def test_an_older_play_is_chosen_and_doubted() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP)
    plays = (
        played(1, 1, 2, Rank.ACE, turn=2),
        e.Stands(play=PlayNumber(1), protected_only=True),
        played(2, 2, 1, Rank.TWO, turn=3),
    )
    state = painted(folded(plays, dealt(turn=1, rules=rules)))

    opened = after(state, "B")
    (told,) = after(state, "c-m", desk=opened.desk).told

    assert opened.desk.overlay is Overlay.OLDER
    assert isinstance(told, c.Challenge)
    assert told.play == 1


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        pytest.param("1", "Ten is t or 0.", id="1"),
        pytest.param("8", "You hold no eight.", id="a rank not held"),
        pytest.param("p", "There is no passing at this table", id="pass"),
        pytest.param("b", "There is no play to doubt yet", id="doubt"),
        pytest.param("y", "There is no play for you to believe", id="believe"),
        pytest.param("c-h", "You have nothing lying ready", id="take back"),
        pytest.param("v", "There is no vote", id="vote"),
        pytest.param("w", "w does nothing in a deal", id="a key of the hall"),
        pytest.param("f7", "F7 does nothing here", id="a key of nobody"),
        pytest.param("c-x", "Ctrl-X does nothing here", id="with Ctrl"),
        pytest.param("c-left", "Ctrl-Left does nothing here", id="an arrow with Ctrl"),
        pytest.param("s-left", "Shift-Left does nothing here", id="an arrow with Shift"),
        pytest.param("c-s-left", "Ctrl-Shift-Left does nothing here", id="an arrow with both"),
        pytest.param("c-s", "Ctrl-S does nothing here", id="no Shift"),
        pytest.param("pageup", "PageUp does nothing here", id="a page back where there is none"),
        pytest.param("<ignore>", "That key does nothing here", id="without a name"),
        pytest.param("B", "no older play", id="older play"),
    ],
)
def test_a_key_that_does_nothing_says_why(key: str, reason: str) -> None:
    assert reason in hint(after(dealt(turn=3), key))


def test_keys_typed_ahead_of_the_table_are_not_meant_for_it() -> None:
    state = painted(the_window())
    desk = Desk(screen=Screen.TABLE, screen_since=0.9)

    done = press(a_frame(state, desk=desk, now=1.0), "b")

    assert "press again" in hint(done)


def test_a_challenge_window_is_no_change_of_screen() -> None:
    desk = Desk(screen=Screen.TABLE, screen_since=LONG_AGO)

    assert settled(a_frame(the_window(), desk=desk)) == desk


def test_giving_up_the_seat_is_asked_and_confirmed() -> None:
    asked = Desk(asking=Question.GIVE_UP)

    (told,) = after(dealt(), "c-m", desk=asked).told
    calm = after(dealt(), "escape", desk=asked)

    assert isinstance(told, c.GiveUpSeat)
    assert calm.told == ()
    assert calm.desk.asking is None


def test_any_other_key_closes_a_question_and_counts_as_itself() -> None:
    done = after(painted(the_window()), "b", desk=Desk(asking=Question.GIVE_UP))

    assert done.desk.asking is None
    assert isinstance(done.told[0], c.Challenge)


def test_y_pressed_to_believe_a_play_gave_up_the_seat() -> None:
    done = after(painted(the_window()), "y", desk=Desk(asking=Question.GIVE_UP))

    assert done.desk.asking is None
    assert [type(told) for told in done.told] == [c.LetGoOf]


def test_enter_held_down_in_the_menu_said_yes_to_what_it_had_asked() -> None:
    asked = Desk(asking=Question.LEAVE_LOBBY)
    held = replace(a_frame(dealt(), desk=asked), held_down=True)

    done = press(held, "enter")

    assert done.desk.asking is Question.LEAVE_LOBBY
    assert "let go of the key" in hint(done)


# --- chat --------------------------------------------------------------------------------------


def test_letters_go_into_the_open_chat_line_and_nowhere_else() -> None:
    done = after(painted(the_window()), "/", "b", " ", "q", "c-h")

    assert done.desk.line.text == "b "
    assert done.told == ()


def test_escape_keeps_the_draft_and_b_then_doubts() -> None:
    state = painted(the_window())

    left = after(state, "/", "h", "i", "escape")
    (told,) = after(state, "b", desk=left.desk).told
    again = after(state, "/", desk=left.desk)

    assert isinstance(told, c.Challenge)
    assert again.desk.line.text == "hi"


def test_enter_says_it_and_closes_the_line() -> None:
    done = after(dealt(), "/", "h", "i", "c-m")

    (told,) = done.told
    assert isinstance(told, c.Say)
    assert told.text == "hi"
    assert done.desk.typing is None
    assert done.desk.draft == ""


@pytest.mark.parametrize("key", ["up", "down", "tab"])
def test_an_arrow_or_tab_in_the_chat_line_picked_cards_or_changed_what_is_said(key: str) -> None:
    typing = after(dealt(rules=TableRules(rank_order=RankOrder.FREE)), "right", "/", "h")

    done = after(dealt(rules=TableRules(rank_order=RankOrder.FREE)), key, desk=typing.desk)

    assert hint(done) == "You are typing: Esc goes back to the table."
    assert done.desk == typing.desk


def test_pasted_text_presses_no_keys() -> None:
    desk = Desk(screen=Screen.TABLE, screen_since=LONG_AGO)

    done = pasted(a_frame(painted(the_window()), desk=desk), "bq\n")

    assert "ignored" in hint(done)


def test_a_pasted_name_was_ignored_at_the_first_start_and_went_under_an_open_menu() -> None:
    desk = Desk(first=FirstRun(), screen=Screen.FIRST, name=Editor(limit=16).proposing("root"))
    under_a_menu = replace(desk, overlay=Overlay.MENU)

    assert pasted(a_frame(ClientState(), desk=desk), "maya\n").desk.name.text == "maya"
    assert pasted(a_frame(ClientState(), desk=under_a_menu), "maya").desk.name.text == "root"


def test_pasted_text_goes_into_an_open_line() -> None:
    desk = Desk(typing=Typing.SAY)

    assert pasted(a_frame(dealt(), desk=desk), "hello\nall").desk.line.text == "hello all"
