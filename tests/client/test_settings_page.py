"""The settings page: reached from anywhere, changed by arrows, kept at once."""

import pytest
from msgspec.structs import replace

from client.acts.done import Done, Wish
from client.screens.desk import Desk, Overlay, Typing
from client.screens.editor import Editor
from client.settings import ON_PAGE, Kind, Origins, Settings, value_of
from client.state import ClientState, Hinted, Noted
from protocol.commands import Challenge
from tests.support.keyboard import after, painted
from tests.support.looking import SMALL, seen
from tests.support.scenes import the_window
from tests.support.screen_states import dealt, folded, in_lobby, online

FILE = Origins(file="/home/maya/config.toml", said={"theme": "config.toml", "bell": "--bell"})
OPEN = Desk(overlay=Overlay.SETTINGS, settings=Settings(name="maya", origins=FILE))
ROW = {setting.name: row for row, setting in enumerate(ON_PAGE)}


def on(name: str) -> Desk:
    """The page open with the cursor on one setting."""
    return replace(OPEN, settings_row=ROW[name])


def told(done: Done) -> str:
    return " ".join(each.text for each in done.told if isinstance(each, Hinted | Noted))


@pytest.mark.parametrize("key", ["S", "f5"])
@pytest.mark.parametrize(
    "state",
    [
        pytest.param(ClientState(name="maya"), id="before a server"),
        pytest.param(online(), id="hall"),
        pytest.param(in_lobby(), id="lobby"),
        pytest.param(dealt(), id="table"),
    ],
)
def test_a_key_opens_it_everywhere(state: ClientState, key: str) -> None:
    assert after(state, key).desk.overlay is Overlay.SETTINGS


def test_the_menu_has_it() -> None:
    assert "settings" in seen(dealt(), Desk(overlay=Overlay.MENU))


@pytest.mark.parametrize("setting", ON_PAGE, ids=lambda setting: setting.name)
def test_each_is_shown_with_its_value_and_where_it_comes_from(setting: object) -> None:
    page = seen(online(), OPEN)

    assert f" {getattr(setting, 'label', '')} " in page
    assert "config.toml" in page
    assert "--bell" in page
    assert "default" in page


@pytest.mark.parametrize(
    "setting",
    [each for each in ON_PAGE if each.kind is not Kind.NAME],
    ids=lambda setting: setting.name,
)
def test_right_and_left_change_it_and_keep_it(setting: object) -> None:
    name = str(getattr(setting, "name", ""))
    right = after(online(), "right", desk=on(name))
    back = after(online(), "left", desk=right.desk)

    assert (right.wish, right.about) == (Wish.REMEMBER, name)
    assert value_of(right.desk.settings, name) != value_of(OPEN.settings, name)
    assert value_of(back.desk.settings, name) == value_of(OPEN.settings, name)


def test_the_name_is_typed_and_kept() -> None:
    done = after(online(), "enter", *["backspace"] * 4, "z", "o", "e", "enter", desk=on("name"))

    assert (done.wish, done.about, done.desk.settings.name) == (Wish.REMEMBER, "name", "zoe")
    assert done.desk.overlay is Overlay.SETTINGS


def test_a_name_that_cannot_be_is_not_taken() -> None:
    done = after(online(), "enter", "/", "enter", desk=on("name"))

    assert "letters A to Z, digits" in told(done)
    assert (done.desk.typing, done.desk.settings.name) == (Typing.NAME, "maya")


def test_while_it_is_typed_the_line_can_be_seen() -> None:
    done = after(online(), "enter", desk=on("name"))

    assert "name> maya" in seen(online(), done.desk)


def test_arrows_do_not_turn_a_name() -> None:
    assert "Enter" in told(after(online(), "right", desk=on("name")))


def test_the_page_says_what_will_win_at_the_next_start() -> None:
    assert "--bell says so, and will again" in seen(online(), on("bell"))
    assert "Kept in /home/maya/config.toml" in seen(online(), on("mouse"))
    assert "From the next start on." in seen(online(), on("plain"))


def test_a_kiosk_says_that_nothing_is_kept() -> None:
    assert "Nothing is saved here" in seen(online(), Desk(overlay=Overlay.SETTINGS))


def test_a_play_can_be_doubted_from_it() -> None:
    done = after(painted(the_window()), "b", desk=OPEN)

    assert [type(each) for each in done.told] == [Challenge]


def test_the_next_colours_are_named() -> None:
    assert told(after(dealt(), "f3")) == "Colours: dark, for a dark background."


@pytest.mark.parametrize(
    ("state", "key", "said"),
    [
        (ClientState(name="maya"), "f3", "Colours: dark, for a dark background."),
        (ClientState(name="maya"), "f4", "Bell on your turn: off."),
        (dealt(), "m", "Mouse: on."),
    ],
    ids=["colours", "bell", "mouse"],
)
def test_bell_and_mouse_were_switched_without_a_word_and_colours_before_a_server(
    state: ClientState, key: str, said: str
) -> None:
    (hinted,) = after(state, key).told

    assert hinted == Hinted(text=said)
    assert said in seen(folded((hinted,), state))


def test_every_value_has_its_explanation_on_the_page() -> None:
    desk = on("theme")
    for _ in ON_PAGE[ROW["theme"]].values:
        value = desk.settings.theme
        assert f"{value}: {ON_PAGE[ROW['theme']].values[value]}."[:50] in seen(online(), desk)
        desk = after(online(), "right", desk=desk).desk


def test_the_rows_go_round() -> None:
    assert after(online(), "up", desk=on("name")).desk.settings_row == len(ON_PAGE) - 1
    assert after(online(), "down", desk=on("spectate")).desk.settings_row == 0


def test_a_change_is_the_files_from_then_on_unless_something_stands_over_it() -> None:
    done = after(online(), "right", desk=on("mouse"))
    over = after(online(), "right", desk=on("bell"))

    assert done.desk.settings.origins.of("mouse") == "config.toml"
    assert over.desk.settings.origins.of("bell") == "--bell"


def test_what_is_typed_on_a_small_screen_is_not_under_the_line_about_the_table() -> None:
    desk = replace(on("name"), typing=Typing.NAME, line=Editor().of("zoe"))

    rows = seen(dealt(turn=3), desk, SMALL).splitlines()

    assert rows[-3] == " name> zoe"
    assert rows[-2].startswith(" your turn: ACES")
