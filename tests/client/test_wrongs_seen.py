"""Wrongs that were seen while playing on the full screen, each with a test named after it."""

import pytest
from msgspec.structs import replace

from client.intents import at_table
from client.keys.press import with_keys
from client.screens.deeds import Act
from client.screens.desk import Desk, Field, Overlay, Question, Typing
from client.screens.editor import Editor
from client.screens.help_page import help_pages
from client.screens.menu import menu_items
from client.screens.parting import parting_text
from client.settings import Origins, Settings
from client.state import ClientState, Hinted, LinkLost, Picked
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.rules import ChallengeUntil, RankOrder, TableRules
from tests.support.keyboard import after, hint
from tests.support.looking import SMALL, USUAL, a_laid, bar, seen
from tests.support.scenes import LONG_NAMES, the_result, the_reveal, the_window
from tests.support.screen_states import (
    SIZES,
    WELCOME,
    YOU,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
    ruled,
)

LINE_BY_LINE = Settings(plain=True, origins=Origins(said={"plain": "--plain"}))
BY_NAME = Settings(name="maya", origins=Origins(said={"name": "--name"}))
PRACTICE = Desk(passing=True)
OLDER = TableRules(challenge_until=ChallengeUntil.PICK_UP)
LOST = LinkLost(reason="it broke", attempt=1, retry_s=4.0)


# --- the help ------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", range(20, 30))
def test_a_page_of_the_help_was_blank(rows: int) -> None:
    """Where the gap below a part came to lie on a page of its own."""
    frame = a_frame(dealt(), (60, rows), desk=Desk(overlay=Overlay.HELP))

    assert all(any(page) for page in help_pages(with_keys(frame)))


# --- leaving -------------------------------------------------------------------------------------


def test_leaving_a_practice_game_promised_that_the_seat_is_kept() -> None:
    asking = replace(PRACTICE, asking=Question.LEAVE)
    pages = [replace(PRACTICE, overlay=Overlay.HELP, page=number) for number in range(9)]

    assert "Leave? Ctrl-C again leaves; this practice ends." in seen(dealt(), asking)
    assert "quit (this practice ends)" in seen(dealt(), replace(PRACTICE, overlay=Overlay.MENU))
    helped = "\n".join(seen(dealt(), page) for page in pages)
    assert "twice: leave (this practice ends)" in helped
    assert "Your seat is kept" not in seen(folded((LOST,), dealt()), PRACTICE)
    assert "seat is kept" not in seen(dealt(), PRACTICE, (40, 12))
    assert parting_text(dealt(), PRACTICE) == ""


def test_a_seat_was_promised_to_somebody_who_had_none() -> None:
    asking = Desk(asking=Question.LEAVE)

    assert "Leave? Ctrl-C again leaves." in seen(online(), asking)
    assert "seat is kept" not in seen(online(), Desk(overlay=Overlay.MENU))


def test_a_host_was_told_to_come_back_to_a_server_about_to_be_stopped() -> None:
    hosting = replace(dealt(), hosted_at=("192.168.1.20:5252",))

    assert parting_text(hosting, Desk()).startswith("Your seat is kept while the server runs. ")
    assert parting_text(dealt(), Desk()).startswith("Your seat is kept. ")


@pytest.mark.parametrize(
    ("settings", "options"),
    [
        pytest.param(Settings(), "", id="as usual"),
        pytest.param(Settings(profile="work"), " --profile work", id="a profile"),
        pytest.param(Settings(profile="at work"), " --profile 'at work'", id="one of two words"),
        pytest.param(BY_NAME, " --name maya", id="a name of the command line"),
        pytest.param(Settings(name="maya"), "", id="a name of the file"),
        pytest.param(LINE_BY_LINE, " --plain", id="line by line"),
    ],
)
def test_the_way_back_led_whoever_had_a_profile_to_somebody_else_s_seat(
    settings: Settings, options: str
) -> None:
    way = parting_text(dealt(), Desk(settings=settings))

    assert way.endswith(f"To come back:\n  facedown join {dealt().link.address}/FOX-42{options}")


def test_the_way_back_led_whoever_had_watched_to_a_seat() -> None:
    watching = folded((e.LobbyChanged(lobby=lobby_state(seats=())),), online())

    assert parting_text(watching, Desk()).endswith("/FOX-42 --spectate")


def test_who_had_watched_behind_a_password_was_given_a_way_back_that_is_none_without_it() -> None:
    lobby = lobby_state(seats=(), password=True)

    way = parting_text(folded((e.LobbyChanged(lobby=lobby),), online()), Desk())

    assert way.startswith("To come back, with its password:")


# --- what nobody said ------------------------------------------------------------------------------


def test_nobody_said_which_card_the_server_had_laid_for_me() -> None:
    assert "Your time was up: the server laid 1 ace for you." in seen(a_laid((0,), auto=True))


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [((0,), "You laid 1 ace: the truth."), ((0, 3), "You laid 1 ace, 1 five: a bluff.")],
    ids=["true", "a lie"],
)
def test_nobody_reminded_me_of_what_i_had_laid(numbers: tuple[int, ...], sentence: str) -> None:
    assert sentence in seen(a_laid(numbers))


def test_nobody_said_whose_turn_it_is_and_when_mine_comes() -> None:
    assert "ana's turn: aces. Yours is in 3 turns: fours." in seen(dealt())
    assert "cy's turn: aces. You are next: twos." in seen(dealt(turn=2))


def test_the_open_window_hid_that_it_was_my_turn() -> None:
    state = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))
    waiting = folded((e.ProtectionOver(play=PlayNumber(1)),), state)

    assert "You are next: say twos. Pick ranks, then Enter." in seen(state, size=SMALL)
    assert "Your turn: say twos. Pick ranks, then Enter." in seen(waiting, size=SMALL)


def test_somebody_who_is_out_was_not_told_so() -> None:
    out = e.WentOut(seat=YOU, place=1, turn=Seat(4))

    assert "You are out, 1st: the others play on." in seen(folded((out,), dealt()))


@pytest.mark.parametrize(
    ("people", "others"),
    [
        pytest.param(1, False, id="nobody else"),
        pytest.param(2, True, id="one who sits nowhere"),
    ],
)
def test_the_hall_once_said_two_online_and_listed_one(people: int, *, others: bool) -> None:
    state = folded((e.HallChanged(online=people, lobbies=()),), online())

    assert ("and others online" in seen(state, Desk())) is others


def test_a_server_that_was_started_again_left_me_in_the_hall_without_a_word() -> None:
    again = replace(WELCOME, epoch="e2")

    page = seen(folded((LOST, again, e.HallChanged(online=1, lobbies=())), dealt()))

    assert "The server was started again" in page


def test_a_wish_for_a_seat_scrolled_away_unanswered() -> None:
    asked = lobby_state(stage=e.LobbyStage.PLAYING, asking=("kim",))

    page = seen(folded((e.LobbyChanged(lobby=asked),), dealt()))

    assert "kim asks for a computer player's seat: Esc answers." in page


def test_two_at_a_table_got_no_hint() -> None:
    seats = (e.LobbySeat(name="maya"), e.LobbySeat(name="bo", ready=True))

    assert "Two make a thin game" in seen(in_lobby(lobby_state(seats=seats)))


def test_last_cards_that_wait_were_told_as_the_next_ones_turn() -> None:
    assert "dee: out if it stands. Nobody plays until then." in seen(the_window())


# --- what was untrue -------------------------------------------------------------------------------


def test_a_hint_outlived_the_table_it_was_about() -> None:
    hinting = folded((Hinted(text="You hold no seven."),), dealt())

    assert folded((e.LobbyLeft(),), hinting).hint == ""


def test_a_hint_hid_how_to_play_again() -> None:
    over = e.DealOver(reason=e.StopReason.OUT, places=(1, 2, 3, 4, 5, 6), cards=(0, 1, 2, 3, 4, 5))
    hinting = folded((Hinted(text="You believe it already; b still doubts."),), dealt())

    assert "r: ready to play again" in seen(folded((over,), hinting))


def test_without_a_line_b_said_that_i_had_doubted_already() -> None:
    assert hint(after(folded((LOST,), the_reveal()), "b")) == at_table.NO_LINE


@pytest.mark.parametrize(
    "overlay",
    [Overlay.HELP, Overlay.LOG, Overlay.NAMES, Overlay.MENU, Overlay.SETTINGS],
    ids=lambda overlay: overlay.value,
)
def test_on_a_small_screen_a_page_over_the_table_hid_that_a_play_could_be_doubted(
    overlay: Overlay,
) -> None:
    keys = bar(the_window(), Desk(overlay=overlay), SMALL)

    assert "b doubt" in keys
    assert "y believe" in keys


def test_without_a_line_the_key_bar_offered_doubting() -> None:
    assert "b doubt" not in bar(folded((LOST,), the_window()))


@pytest.mark.parametrize(
    ("chair", "way_back"),
    [
        (e.Chair.STAND_IN, "A computer plays for you until you lay, doubt or believe."),
        (e.Chair.COMPUTER, "A computer has your seat: Esc gives it back."),
    ],
    ids=["it stands in", "given up"],
)
def test_a_computer_played_my_cards_and_nothing_said_how_to_stop_it(
    chair: e.Chair, way_back: str
) -> None:
    state = folded((e.ChairChanged(seat=YOU, name="maya", chair=chair),), dealt())

    assert way_back in seen(state)
    assert way_back not in seen(dealt())


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_who_doubted_the_truth_was_named_twice_in_one_line_of_the_log(
    size: tuple[int, int],
) -> None:
    names = ("ana", "bo", "cy", "casual", "dee", "hal")
    dees_king = played(2, 4, 1, Rank.KING, turn=5)
    for calls in (ruled().calls, ruled().calls[:1]):
        state = folded((dees_king, ruled(lie=False, calls=calls)), dealt(turn=4, names=names))

        log = seen(state, Desk(overlay=Overlay.LOG), size).splitlines()

        (line,) = [line for line in log if "true: casual takes 8" in line]
        assert line.count("casual") == 1


def test_the_seat_of_a_stand_in_was_offered_to_watchers() -> None:
    chairs = (
        e.ChairChanged(seat=Seat(0), name="ana", chair=e.Chair.STAND_IN),
        e.ChairChanged(seat=Seat(1), name="certain", chair=e.Chair.COMPUTER),
    )
    watching = folded(chairs, dealt(you=None))

    items = menu_items(a_frame(watching, desk=Desk(overlay=Overlay.MENU)))

    asking = [item for item in items if item.deed.act is Act.SIT]
    assert [item.label for item in asking] == ["ask for seat 2, that of certain"]


def test_esc_in_a_field_was_called_menu() -> None:
    state = ClientState(name="maya")

    assert "Esc to the list" in bar(state, Desk(focus=Field.ADDRESS))
    assert "Esc menu" in bar(state, Desk(focus=Field.RECENT))


def test_an_older_play_under_my_own_could_not_be_doubted() -> None:
    plays = (
        played(1, 2, 1, Rank.ACE, turn=3),
        e.Stands(play=PlayNumber(1), protected_only=True),
        played(2, 3, 1, Rank.TWO, turn=4),
    )
    state = folded(plays, dealt(turn=2, rules=OLDER))

    done = after(state, "B")

    assert (done.desk.overlay, done.desk.older) == (Overlay.OLDER, 1)
    assert "B older play" in bar(state)
    assert "b doubt" not in bar(state)


def test_a_pass_that_lies_ready_was_offered_again() -> None:
    pass_held = e.Held(held=e.HeldPlay())
    king = played(1, 2, 1, Rank.KING, turn=3)
    state = folded((king, pass_held), dealt(turn=2, rules=TableRules(passing=True)))

    assert "p pass" not in bar(state)
    assert "Ready: your pass, in 3 s if nobody doubts." in seen(state)


# --- what could not be found -----------------------------------------------------------------------


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=str)
def test_on_my_turn_the_key_bar_began_with_doubting(size: tuple[int, int]) -> None:
    state = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))
    picking = folded((Picked(cards=(CardId(0),)),), state)
    first, then = (" ".join(bar(each, size=size).split()) for each in (state, picking))

    assert first.startswith("A-K pick b doubt y believe")
    assert then.startswith("Enter lay ready A-K pick Bksp unpick")


def test_which_rank_to_say_was_asked_without_its_key() -> None:
    rules = TableRules(rank_order=RankOrder.UP_SAME_OR_DOWN)
    waiting = folded((played(1, 2, 1, Rank.TEN, turn=3),), dealt(turn=2, rules=rules))
    state = folded((Picked(cards=(CardId(0),)),), waiting)

    assert "= other rank" in bar(state)
    assert "= and then its key names it" in seen(state)
    assert "= and then its key names it" in hint(after(state, "enter"))


def test_holding_none_of_the_rank_due_seemed_to_be_the_end() -> None:
    waiting = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))

    assert hint(after(waiting, "2")) == (
        "You hold no two: pick others, and say that they are twos."
    )


def test_the_key_that_copies_the_invite_was_nowhere() -> None:
    assert "y copies it" in seen(in_lobby())
    assert "y copies it" not in seen(in_lobby(), Desk(settings=Settings(kiosk=True)))


@pytest.mark.parametrize("names", [LONG_NAMES], ids=["long names"])
def test_what_starts_the_deal_was_pushed_out_by_who_is_not_ready(names: tuple[str, ...]) -> None:
    late = tuple(e.LobbySeat(name=name) for name in (*names[:8], "maya"))
    seats = (*late, e.LobbySeat(name=names[8], ready=True))

    assert "s starts. Not ready yet:" in seen(in_lobby(lobby_state(seats=seats)), size=SMALL)


def test_a_preset_was_a_name_that_said_nothing() -> None:
    typing = Desk(typing=Typing.CREATE, line=Editor().of("bluff-pass"))

    page = " ".join(seen(online(), typing).split())

    assert "bluff-pass: free ranks, any number" in page
    assert "Tab next preset" in page


def test_a_practice_server_that_is_gone_was_waited_for_without_end() -> None:
    assert "; Ctrl-C twice ends it." in seen(folded((LOST,), dealt()), PRACTICE)


def test_somebody_was_to_move_after_the_last_play_of_the_deal() -> None:
    state = folded((e.Stopping(reason=e.StopReason.PLAYS),), the_window())

    assert "That was the last play" in seen(state)
    assert "'s turn:" not in seen(state)


# --- every play, cards up ------------------------------------------------------------------------


@pytest.mark.parametrize("size", [USUAL, SMALL], ids=["usual", "small"])
@pytest.mark.parametrize("others", ["casual-2", "sixteen-chars_00"], ids=["short", "long"])
def test_a_play_that_was_doubted_stood_out_of_the_columns_of_the_others(
    size: tuple[int, int], others: str
) -> None:
    state = the_result()
    view = state.table
    assert view is not None
    seats = tuple(replace(seat, name=others) for seat in view.table.seats)
    state = replace(state, table=replace(view, table=replace(view.table, seats=seats)))

    rows = seen(state, Desk(overlay=Overlay.CONFESSION), size).splitlines()[2:5]

    assert len({row.index(" x ") for row in rows}) == 1
    assert "doubted" in rows[1]
    assert all("lie" in row or "true" in row for row in rows)
