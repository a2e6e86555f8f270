"""What is said in the lobby, in the hall, on the settings page and in the help is whole, in sixty columns, too."""

import pytest
from msgspec.structs import replace

from client.keys.press import help_groups
from client.news import NEWS
from client.rule_bundles import CHOICES, Bundle
from client.rule_options import Option
from client.screens.desk import Desk, Overlay
from client.screens.help_page import help_pages
from client.screens.lobby import next_step_text
from client.settings import ON_PAGE, Kind, Origins, Settings
from client.suggestions import suggestion_text
from protocol import events as e
from protocol.codes import rules_code
from protocol.rules import PRESETS, Challengers, TableRules
from tests.support.cuts import SIZES, SKINS, losses_seen, may_be_cut, shown, words
from tests.support.keyboard import LONG_AGO
from tests.support.looking import seen
from tests.support.scenes import LONG_NAMES, a_full_lobby
from tests.support.screen_states import (
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
)
from tests.support.snapshots import shown_scenes

SCENES = shown_scenes()


# --- the lobby and the hall ----------------------------------------------------------------------------


def every_value(choice: Bundle | Option) -> list[e.LobbyState]:
    """A lobby for each value that an option can be turned to."""
    lobby = lobby_state()
    values: list[e.LobbyState] = []
    for _ in choice.values:
        turned = choice.turned(lobby, 1)
        rules = {"rules": turned} if isinstance(turned, TableRules) else {"settings": turned}
        lobby = replace(lobby, **rules)
        values.append(lobby)
    return values


@pytest.mark.parametrize("ascii_skin", SKINS)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("row", range(len(CHOICES)), ids=lambda row: CHOICES[row].label)
def test_every_option_and_all_its_values_are_whole(
    row: int, size: tuple[int, int], *, ascii_skin: bool
) -> None:
    choice = CHOICES[row]
    for lobby in every_value(choice):
        with losses_seen() as lost:
            page = shown(in_lobby(lobby), Desk(row=row), size, ascii_skin=ascii_skin)

        assert lost == [] or may_be_the_code(lost, lobby)
        right = " ".join(
            line.partition("|" if ascii_skin else "│")[2]
            for line in seen(
                in_lobby(lobby), Desk(row=row, settings=Settings(ascii=ascii_skin)), size
            ).splitlines()
        )
        assert choice.label in page
        assert f"<{choice.text(lobby)}>" in page.replace("< ", "<").replace(" >", ">")
        assert words(choice.about_now(lobby)) in words(right)


def may_be_the_code(lost: list[str], lobby: e.LobbyState) -> bool:
    """The code over the options may be too long; the help of the lobby has it whole."""
    return set(lost) == {rules_code(lobby.rules)}


PLAYERS = range(2, 11)
UNSUITED = (
    TableRules(max_cards=1),
    TableRules(decks=1),
    TableRules(challengers=Challengers.NEXT_PLAYER, photo_finish_ms=50),
)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("players", PLAYERS)
def test_what_is_suggested_and_what_comes_next_is_whole(
    players: int, size: tuple[int, int]
) -> None:
    seats = [e.LobbySeat(name=name) for name in (*LONG_NAMES[1:players], "maya")]
    for rules in UNSUITED:
        state = in_lobby(lobby_state(rules=rules, seats=seats, watching=LONG_NAMES))

        page = shown(state, Desk(), size)

        assert state.lobby is not None
        assert words(suggestion_text(state.lobby)) in page
        assert words(next_step_text(state, state.lobby)) in page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    "host", ["pi", "a-long-name.of-a-box.example.net", "[2001:db8:85a3::8a2e:370:7334]"]
)
def test_an_invite_is_whole(host: str, size: tuple[int, int]) -> None:
    state = replace(
        in_lobby(a_full_lobby().lobby), hosted_at=(f"{host}:5252",), ssh=f"ssh -t play@{host} "
    )

    page = shown(state, Desk(), size)

    assert f"facedown join {host}:5252/" in page
    assert f"ssh -t play@{host} " in page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("preset", PRESETS)
def test_what_a_preset_plays_is_whole_in_the_hall(preset: str, size: tuple[int, int]) -> None:
    listing = e.Listing(
        code="FOX-42",
        host=LONG_NAMES[0],
        stage=e.LobbyStage.BETWEEN_DEALS,
        rules=PRESETS[preset],
        size=10,
        seated=LONG_NAMES,
        watching=12,
    )
    with losses_seen() as lost:
        shown(folded((e.HallChanged(online=9, lobbies=(listing,)),), online()), Desk(), size)

    assert [text for text in lost if not may_be_cut(text)] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("news", e.News, ids=str)
def test_news_are_whole(news: e.News, size: tuple[int, int]) -> None:
    told = e.LobbyNews(news=news, name=LONG_NAMES[0])
    text = NEWS[news].format(name=LONG_NAMES[0])

    for state in (in_lobby(), dealt(), a_full_lobby()):
        assert words(text) in shown(folded((told,), state), Desk(), size)


@pytest.mark.parametrize("size", SIZES)
def test_what_people_say_is_whole_at_the_table_and_in_the_log(size: tuple[int, int]) -> None:
    text = " ".join(f"word{number}" for number in range(28))
    state = folded((e.Said(name=LONG_NAMES[0], text=text),), dealt())

    assert f"<{LONG_NAMES[0]}> {text}" in shown(state, Desk(), (80, 24))
    assert f"<{LONG_NAMES[0]}> {text}" in shown(state, Desk(overlay=Overlay.LOG), size)


# --- settings and help -----------------------------------------------------------------------------------

CONFIG = "/home/somebody/.config/facedown/config.toml"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("row", range(len(ON_PAGE)), ids=lambda row: ON_PAGE[row].name)
def test_every_setting_and_all_its_values_are_whole(row: int, size: tuple[int, int]) -> None:
    setting = ON_PAGE[row]
    said = {each.name: f"FACEDOWN_{each.name.upper()}" for each in ON_PAGE}
    values = setting.values if setting.kind is Kind.CHOICE else ("",)
    for value in values:
        settings = Settings(origins=Origins(file=CONFIG, said=said))
        settings = replace(settings, **({setting.name: value} if value else {}))
        desk = Desk(overlay=Overlay.SETTINGS, settings_row=row, settings=settings)

        with losses_seen() as lost:
            page = words(seen(online(), desk, size))

        assert lost == []
        assert setting.about[1:] in page
        assert value == "" or f"{value}: {setting.values[value]}." in page
        assert "says so, and will again" in page


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["my turn", "lobby", "full hall", "the result", "connect"])
def test_every_key_in_the_help_is_explained_to_the_end(name: str, size: tuple[int, int]) -> None:
    state, _ = SCENES[name]
    frame = a_frame(state, size, desk=Desk(overlay=Overlay.HELP, screen_since=LONG_AGO))
    every = help_pages(replace(frame, help=help_groups(frame)))

    text = " ".join(
        shown(state, Desk(overlay=Overlay.HELP, page=page), size) for page in range(len(every))
    )

    keys = [key for group in help_groups(frame) for key in group.keys]
    assert keys
    assert [key for key in keys if f"{key.label} {words(key.does)}" not in text] == []
