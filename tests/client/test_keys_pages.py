"""What comes of each key in the hall, the lobby, the menus and when leaving; none is silent."""

import pytest
from msgspec.structs import replace

from client.acts.anywhere import settled
from client.acts.done import Wish
from client.keys.bindings import ANYWHERE, OVER
from client.keys.live_bindings import bindings_of
from client.keys.page_bindings import ON
from client.keys.press import NO_FURTHER, SENDS, with_keys
from client.keys.typing_line import pasted
from client.screens.deeds import Act
from client.screens.desk import Desk, Field, Overlay, Question, Screen, Typing, screen_of
from client.screens.editor import Editor
from client.screens.menu import menu_items
from client.settings import DEFAULTS, value_of
from client.state import ClientState, Hinted, Renamed
from client.way_in.address import Recent
from protocol import commands as c
from protocol import events as e
from protocol.numbers import Seat
from protocol.rules import TableRules
from tests.support.keyboard import LONG_AGO, after, hint, painted
from tests.support.scenes import scenes, the_result, the_window
from tests.support.screen_states import (
    ONE_IS_READY,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
)

SCENES = scenes()
ALL = [pytest.param(*scene, id=name) for name, scene in SCENES.items()]
NOT_TYPING = [pytest.param(*it, id=name) for name, it in SCENES.items() if it[1].typing is None]


# --- leaving and menus -----------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["c-c", "c-d", "<sigint>"])
def test_leaving_takes_two_within_two_seconds(key: str) -> None:
    first = after(dealt(), key, now=1.0)
    second = after(dealt(), key, desk=first.desk, now=2.5)
    late = after(dealt(), key, desk=first.desk, now=3.5)

    assert (first.wish, second.wish, late.wish) == (None, Wish.INTERRUPT, None)


def test_leaving_works_from_inside_the_chat_line() -> None:
    assert after(dealt(), "/", "c-c", "c-c").wish is Wish.INTERRUPT


def test_the_question_of_leaving_grows_old() -> None:
    desk = Desk(asking=Question.LEAVE, asked_at=1.0, screen=Screen.TABLE)

    assert settled(a_frame(dealt(), desk=desk, now=2.9)).asking is Question.LEAVE
    assert settled(a_frame(dealt(), desk=desk, now=3.1)).asking is None


def test_b_doubts_from_every_page_that_covers_the_table() -> None:
    for overlay in (Overlay.HELP, Overlay.LOG, Overlay.NAMES, Overlay.MENU):
        (told,) = after(painted(the_window()), "b", desk=Desk(overlay=overlay)).told
        assert isinstance(told, c.Challenge)


@pytest.mark.parametrize("key", ["escape", "f10", "c-g"])
def test_the_menu_has_three_keys_and_each_closes_it_again(key: str) -> None:
    opened = after(dealt(), key)

    assert opened.desk.overlay is Overlay.MENU
    assert after(dealt(), key, desk=opened.desk).desk.overlay is None


def test_a_menu_item_does_what_its_key_does() -> None:
    opened = after(dealt(), "escape", "down", "c-m")

    assert opened.desk.overlay is Overlay.HELP


@pytest.mark.parametrize(
    ("key", "field"),
    [
        pytest.param("f2", "ascii", id="F2"),
        pytest.param("f3", "theme", id="F3"),
        pytest.param("f4", "bell", id="F4"),
        pytest.param("m", "mouse", id="m"),
        pytest.param("o", "order", id="o"),
    ],
)
def test_settings_with_a_key_of_their_own_are_flipped_and_remembered(key: str, field: str) -> None:
    done = after(dealt(), key)

    assert (done.wish, done.about) == (Wish.REMEMBER, field)
    assert value_of(done.desk.settings, field) != value_of(DEFAULTS, field)


def test_an_old_hint_goes_with_the_next_key_that_does_something() -> None:
    hinting = folded((Hinted(text="You hold no seven."),), dealt())

    assert after(hinting, "o").told == (Hinted(text=""),)


@pytest.mark.parametrize(("state", "desk"), ALL)
def test_every_key_on_the_bar_is_bound(state: ClientState, desk: Desk) -> None:
    frame = a_frame(state, desk=desk)
    of_the_line = {hint.label for hint in SENDS[desk.typing]} if desk.typing else set()
    labels = {binding.label for binding in bindings_of(frame)} | of_the_line

    assert {hint.label for hint in with_keys(frame).keys} <= labels


SAY_WHAT_THEY_DID = {Act.COLOURS, Act.BELL, Act.MOUSE}
WITH_A_NAME = [it for it in NOT_TYPING if it.id != "connect, nothing to choose"]


@pytest.mark.parametrize(("state", "desk"), WITH_A_NAME)
def test_what_the_key_bar_names_is_not_refused(state: ClientState, desk: Desk) -> None:
    shown = painted(state, state.table.table.newest) if state.table else state
    frame = a_frame(shown, desk=desk)
    for binding in bindings_of(frame):
        if binding.live(frame) and binding.act not in {Act.PICK, *SAY_WHAT_THEY_DID}:
            told = after(shown, binding.keys[0], desk=desk).told
            hints = {one.text for one in told if isinstance(one, Hinted)}
            assert hints <= {"", NO_FURTHER}, binding.label


@pytest.mark.parametrize(("state", "desk"), NOT_TYPING)
def test_no_key_is_silent(state: ClientState, desk: Desk) -> None:
    for binding in bindings_of(a_frame(state, desk=desk)):
        for key in binding.keys:
            done = after(state, key, desk=desk)
            changed = done.desk != replace(
                desk, screen=screen_of(state, desk), screen_since=LONG_AGO
            )
            assert changed or done.told or done.wish, key


def test_each_page_binds_a_key_once() -> None:
    for page, bindings in (*ON.items(), *OVER.items()):
        keys = [key for binding in (*bindings, *ANYWHERE) for key in binding.keys]
        assert len(keys) == len(set(keys)), page


# --- hall, lobby, connect, result ------------------------------------------------------------------


def a_hall(**more: object) -> ClientState:
    listing = e.Listing(
        code="FOX-42",
        host="ana",
        stage=e.LobbyStage.GATHERING,
        rules=TableRules(),
        size=6,
        seated=("ana",),
        **more,  # type: ignore[arg-type]
    )
    return folded((e.HallChanged(online=2, lobbies=(listing,)),), online())


def test_enter_joins_and_w_watches_the_chosen_lobby() -> None:
    (joins,) = after(a_hall(), "c-m").told
    (watches,) = after(a_hall(), "w").told

    assert isinstance(joins, c.JoinLobby)
    assert isinstance(watches, c.JoinLobby)
    assert (joins.code, joins.watch, watches.watch) == ("FOX-42", False, True)


def test_a_lobby_with_a_password_asks_for_it_first() -> None:
    done = after(a_hall(password=True), "c-m")
    assert done.desk.typing is Typing.PASSWORD

    (told,) = after(a_hall(password=True), "x", "y", "c-m", desk=done.desk).told
    assert isinstance(told, c.JoinLobby)
    assert (told.code, told.password) == ("FOX-42", "xy")


def test_a_code_may_be_typed_with_its_password() -> None:
    typed = Desk(typing=Typing.CODE, line=Editor().of("owl-17-kiwi secret"))

    (told,) = after(a_hall(), "c-m", desk=typed).told

    assert isinstance(told, c.JoinLobby)
    assert (told.code, told.password) == ("OWL-17-KIWI", "secret")


def test_a_lobby_is_created_from_a_rules_code() -> None:
    line = Editor().of("british.w6 private password hush")

    (told,) = after(online(), "c-m", desk=Desk(typing=Typing.CREATE, line=line)).told

    assert isinstance(told, c.CreateLobby)
    assert (told.rules, told.settings.public, told.password) == ("british.w6", False, "hush")


def test_a_wrong_rules_code_is_explained_and_kept_for_correction() -> None:
    line = Editor().of("britsh")

    done = after(online(), "c-m", desk=Desk(typing=Typing.CREATE, line=line))

    assert "british" in hint(done)
    assert done.desk.line.text == "britsh"


def test_tab_walks_through_the_presets() -> None:
    done = after(online(), "c", "c-i", "c-i")

    assert done.desk.line.text == "bluff"


def test_left_and_right_turn_the_chosen_option() -> None:
    (told,) = after(in_lobby(), "down", "down", "down", "right").told

    assert told == c.SetRules(n=told.n, rules="j1")  # type: ignore[union-attr]


def test_a_setting_of_the_lobby_is_turned_the_same_way() -> None:
    (told,) = after(in_lobby(), "right", desk=Desk(row=22)).told

    assert isinstance(told, c.SetSettings)
    assert told.settings.public is False


def test_who_is_not_the_host_turns_nothing() -> None:
    state = in_lobby(lobby_state(host="ana"))

    assert hint(after(state, "right")) == "Only the host can do that: ask them."


def test_the_host_asks_before_starting_without_those_who_are_not_ready() -> None:
    done = after(ONE_IS_READY, "s")
    assert done.desk.asking is Question.START_ANYWAY

    (told,) = after(ONE_IS_READY, "c-m", desk=done.desk).told
    assert told == c.StartDeal(n=told.n, anyway=True)  # type: ignore[union-attr]


def test_the_host_was_asked_whether_to_start_without_those_without_whom_it_cannot_be() -> None:
    two = in_lobby(lobby_state(seats=[e.LobbySeat(name=name) for name in ("maya", "bo")]))

    done = after(two, "s")

    assert done.desk.asking is None
    assert hint(done).startswith("Not ready: bo. It takes two who are")
    assert "start" not in {key.does for key in with_keys(a_frame(two)).keys}
    assert not {Act.START, Act.START_ANYWAY} & {item.deed.act for item in menu_items(a_frame(two))}


def test_a_computer_player_is_added_from_its_menu() -> None:
    done = after(in_lobby(), "a", "down", "c-m")

    (told,) = done.told
    assert isinstance(told, c.AddComputer)
    assert told.temperament == "certain"


def test_a_seat_has_a_menu_for_the_host() -> None:
    menu = after(in_lobby(), "c-i", "c-m")
    assert menu.desk.menu_about == "ana"

    (host,) = after(in_lobby(), "c-m", desk=menu.desk).told
    (removed,) = after(in_lobby(), "down", "c-m", "c-m", desk=menu.desk).told

    assert isinstance(host, c.HandOver)
    assert isinstance(removed, c.RemoveSeat)
    assert (host.name, removed.name) == ("ana", "ana")


def test_the_invite_is_copied() -> None:
    done = after(in_lobby(), "y")

    assert (done.wish, done.about) == (
        Wish.COPY,
        "facedown join 192.168.1.20:5252/FOX-42",
    )


def test_nothing_is_copied_in_a_kiosk() -> None:
    assert after(in_lobby(), "y", desk=Desk(settings=replace(DEFAULTS, kiosk=True))).wish is None


START = ClientState(name="maya")
CHOICE = Desk(
    name=Editor(limit=16).of("maya"), recents=(Recent(address="pi:5252"),), can_practise=True
)


def test_the_chosen_server_is_connected_to_under_the_typed_name() -> None:
    done = after(START, "c-m", desk=CHOICE)

    assert (done.wish, done.about) == (Wish.CONNECT, "pi:5252")
    assert done.told == (Renamed(name="maya"),)


def test_practice_and_the_lessons_are_lines_of_the_list() -> None:
    assert after(START, "down", "c-m", desk=CHOICE).wish is Wish.PRACTISE
    assert after(START, "down", "down", "c-m", desk=CHOICE).wish is Wish.LEARN


def test_letters_in_a_field_are_letters() -> None:
    done = after(START, "c-i", "q", "p", desk=CHOICE)

    assert done.desk.focus is Field.ADDRESS
    assert done.desk.address.text == "qp"
    assert done.wish is None


def test_an_address_typed_into_the_list_was_refused_and_enter_then_practised() -> None:
    desk = replace(CHOICE, address=Editor().of("pi:5252"))

    typed = after(START, *"10.0.0.7", desk=desk).desk

    assert (typed.focus, typed.address.text) == (Field.ADDRESS, "10.0.0.7")
    assert after(START, "c-m", desk=typed).about == "10.0.0.7"


@pytest.mark.parametrize("address", ["pi.local", "tea:6000", "kitchen", "mike", "[::1]"])
def test_a_name_typed_into_the_list_began_a_practice_with_its_p(
    address: str,
) -> None:
    typed = after(START, *address, desk=CHOICE)

    assert (typed.wish, typed.desk.focus) == (None, Field.ADDRESS)
    assert after(START, "c-m", desk=typed.desk).about == address


def test_an_invite_pasted_into_the_list_was_ignored() -> None:
    invite = pasted(a_frame(START, desk=CHOICE), "facedown join 10.0.0.7:5252/FOX-42\n").desk

    done = after(START, "c-m", desk=invite)

    assert (done.wish, done.about) == (Wish.CONNECT, "facedown join 10.0.0.7:5252/FOX-42")


@pytest.mark.parametrize(
    "desk",
    [
        pytest.param(replace(CHOICE, overlay=Overlay.MENU), id="under the menu"),
        pytest.param(replace(CHOICE, settings=replace(DEFAULTS, kiosk=True)), id="in a kiosk"),
    ],
)
def test_where_the_list_has_no_keys_nothing_goes_into_the_address(desk: Desk) -> None:
    assert after(START, "1", desk=desk).desk.address.text == ""
    assert pasted(a_frame(START, desk=desk), "10.0.0.7").desk.address.text == ""


def test_a_bad_name_is_sent_back_to_its_field() -> None:
    done = after(START, "c-m", desk=replace(CHOICE, name=Editor().of("server")))

    assert done.desk.focus is Field.NAME
    assert "A name is 1 to 16 letters" in hint(done)


def test_a_name_with_a_space_after_it_was_sent_back_to_its_field() -> None:
    done = after(START, "c-m", desk=replace(CHOICE, name=Editor().of("ana ")))

    assert Renamed(name="ana") in done.told
    assert done.desk.name.text == "ana"


def test_r_is_ready_for_a_rematch_and_enter_goes_to_the_lobby() -> None:
    (told,) = after(the_result(), "r").told
    done = after(the_result(), "c-m")

    assert isinstance(told, c.SetReady)
    assert screen_of(the_result(), done.desk) is Screen.LOBBY


def test_stepping_through_the_confession_stops_at_its_ends() -> None:
    done = after(the_result(), "l", "down", "down", "down", "down")

    assert done.desk.step == 2


def test_a_watcher_can_ask_for_a_computer_players_seat() -> None:
    changed = e.ChairChanged(seat=Seat(1), name="bo", chair=e.Chair.COMPUTER)
    lobby = lobby_state(stage=e.LobbyStage.PLAYING, seats=[])
    state = folded((changed, e.LobbyChanged(lobby=lobby)), dealt(you=None))
    menu = after(state, "escape", *["down"] * 5)

    (told,) = after(state, "c-m", desk=menu.desk).told

    assert isinstance(told, c.SitDown)
    assert told.seat == 1
