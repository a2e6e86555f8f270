"""What the pages around the table show: start, hall, lobby, result, confession, help, log, menus."""

import pytest
from msgspec.structs import replace
from prompt_toolkit.output import ColorDepth

from client.keys.mouse import clicked
from client.keys.press import press, with_keys
from client.rule_options import OPTIONS, differing
from client.screens.advice import QUESTIONS
from client.screens.clock import has_clock, window_title
from client.screens.desk import Desk, Overlay, Question, Screen, Typing, screen_of
from client.screens.editor import Editor
from client.screens.page import draw
from client.screens.parts.cells import CURSOR
from client.settings import Settings
from client.state import ClientState, Connecting, Hinted, LinkLost
from client.terminal.style import MARKS, colour_depth
from protocol import events as e
from protocol.codes import parse_rules, rules_code
from protocol.rules import PRESETS, TableRules
from tests.support.scenes import (
    LONG_NAMES,
    a_full_hall,
    a_full_lobby,
    scenes,
    the_result,
    the_window,
)
from tests.support.screen_states import (
    MAY_START,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    texts,
)

SCENES = scenes()
ASCII = Desk(settings=Settings(ascii=True))


def seen(state: ClientState, desk: Desk = ASCII, size: tuple[int, int] = (80, 24)) -> str:
    """The page as text."""
    return "\n".join(texts(draw(with_keys(a_frame(state, size, desk=desk)))))


def scene(name: str, size: tuple[int, int] = (80, 24)) -> str:
    """A named scene as text."""
    state, desk = SCENES[name]
    return seen(state, replace(desk, settings=Settings(ascii=True)), size)


# --- which page ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "screen"),
    [
        pytest.param(ClientState(), Screen.CONNECT, id="nothing yet"),
        pytest.param(folded((Connecting(address="pi:1"),)), Screen.CONNECT, id="connecting"),
        pytest.param(online(), Screen.HALL, id="welcomed"),
        pytest.param(in_lobby(), Screen.LOBBY, id="in a lobby"),
        pytest.param(dealt(), Screen.TABLE, id="a deal"),
        pytest.param(the_result(), Screen.RESULT, id="the deal is over"),
        pytest.param(
            folded((LinkLost(reason="x", attempt=1, retry_s=1.0),), dealt()),
            Screen.TABLE,
            id="the line lost in a deal",
        ),
    ],
)
def test_the_page_follows_from_what_is_known(state: ClientState, screen: Screen) -> None:
    assert screen_of(state, Desk()) is screen


# --- before the table ------------------------------------------------------------------------------


def test_the_start_offers_servers_practice_and_an_address() -> None:
    page = scene("connect")
    below = seen(SCENES["connect"][0], replace(SCENES["connect"][1], row=9))

    assert " >   host-0.example.net:5252" in page
    assert " >   practise here, against computer players" in below
    assert "host/FOX-42" in page
    assert "q quit" in page


def test_the_start_asks_before_leaving() -> None:
    state, desk = SCENES["connect"]

    assert "Ctrl-C again leaves" in seen(state, replace(desk, asking=Question.LEAVE))


def test_an_empty_hall_says_what_to_do() -> None:
    assert "No open lobbies. Press c to open one." in scene("empty hall")


def test_the_hall_shows_state_rules_and_people() -> None:
    page = seen(a_full_hall(), replace(ASCII, row=1))

    assert " > FOX-01 sixteen-char~  1/10 key play 1 " in page
    assert "1 watching" in page
    assert "FOX-01: pagat" in page
    assert "222 online" in page
    assert "sixteen-chars_00 in FOX-" in page


def test_creating_lists_the_presets() -> None:
    page = scene("hall, creating")

    assert all(preset in page for preset in PRESETS)
    assert "rules> classic" in page


def test_a_typed_password_is_hidden() -> None:
    page = scene("hall, password")

    assert "password> ***" in page
    assert "abc" not in page


def test_the_lobby_shows_seats_options_and_the_invite() -> None:
    page = seen(in_lobby(), replace(ASCII, row=5))

    assert "1   ana  not ready" in page
    assert "4 * maya not ready" in page
    assert "   7   - empty -" in page
    assert " > rank order           < A 2 .. K, up >" in page
    assert "A6, B4-B8: Each claim is the next rank up;" in page
    assert "Invite:  facedown join 192.168.1.20:5252/FOX-42" in page


def test_only_the_host_sees_values_to_turn() -> None:
    mine, theirs = seen(in_lobby()), seen(in_lobby(lobby_state(host="ana")))

    assert "< 1 to 4 >" in mine
    assert "< 1 to 4 >" not in theirs
    assert "1 to 4" in theirs
    assert "Left/Right" not in theirs


@pytest.mark.parametrize(
    ("lobby", "sentence"),
    [
        pytest.param(
            lobby_state(seats=[e.LobbySeat(name="maya")]), "It takes two", id="alone (A1)"
        ),
        pytest.param(lobby_state(), " Not ready yet: ana, bo, cy, dee, hal", id="host"),
        pytest.param(MAY_START, "s starts. Not ready yet: bo.", id="host, one is ready"),
        pytest.param(lobby_state(host="ana"), "Press Space when ready.", id="guest"),
        pytest.param(
            lobby_state(
                host="ana", seats=[e.LobbySeat(name="ana"), e.LobbySeat(name="maya", ready=True)]
            ),
            "Waiting for ana to start.",
            id="ready",
        ),
        pytest.param(
            lobby_state(stage=e.LobbyStage.PLAYING),
            "A deal is running: you are dealt in next time.",
            id="late (D8)",
        ),
    ],
)
def test_the_lobby_says_what_has_to_happen_next(lobby: e.LobbyState, sentence: str) -> None:
    assert sentence in seen(in_lobby(lobby))


def test_seats_say_who_is_away_and_who_is_a_computer() -> None:
    page = seen(a_full_lobby(), size=(120, 40))

    assert "sixteen-chars_00 computer" in page
    assert "sixteen-chars_01 ready won 2" in page
    assert "sixteen-chars_02 away" in page
    assert "ask for a seat: sixteen-chars_00" in page


# --- options -------------------------------------------------------------------------------------


def test_every_rule_and_every_setting_can_be_turned() -> None:
    fields = {option.field for option in OPTIONS}

    assert fields == set(TableRules.__struct_fields__) | set(e.LobbySettings.__struct_fields__)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.field)
def test_turning_an_option_all_the_way_comes_back(option: object) -> None:
    lobby = lobby_state()
    seen_texts = []
    for _ in option.values:  # type: ignore[attr-defined]
        turned = option.turned(lobby, 1)  # type: ignore[attr-defined]
        if isinstance(turned, TableRules):
            assert parse_rules(rules_code(turned)) == turned
            lobby = lobby_state(rules=turned)
        else:
            lobby = e.LobbyState(
                **{
                    name: getattr(lobby, name)
                    for name in lobby.__struct_fields__
                    if name != "settings"
                },
                settings=turned,
            )
        seen_texts.append(option.text(lobby))  # type: ignore[attr-defined]

    assert lobby == lobby_state()
    assert len(set(seen_texts)) == len(option.values)  # type: ignore[attr-defined]


def test_a_value_that_is_not_among_the_steps_is_kept_in_its_place() -> None:
    lobby = lobby_state(rules=TableRules(stop_after_plays=75))
    option = next(option for option in OPTIONS if option.field == "stop_after_plays")

    up, down = option.turned(lobby, 1), option.turned(lobby, -1)

    assert isinstance(up, TableRules)
    assert isinstance(down, TableRules)
    assert (down.stop_after_plays, up.stop_after_plays) == (50, 100)


def test_only_what_differs_from_the_main_game_is_told() -> None:
    assert [option.field for option in differing(PRESETS["sneaky"])] == ["sneak", "reveal"]


# --- after the deal --------------------------------------------------------------------------------


def test_the_result_tells_places_and_the_confession() -> None:
    page = seen(the_result())

    assert "1st  hal              out" in page
    assert "5th  maya             10 cards  <- you" in page
    assert "fastest doubt, 1.2 s" in page
    assert 'biggest lie nobody doubted: maya said "2 aces" and laid A 3 (play 1)' in page
    assert "true plays" in page
    assert "Rematch: 0/6 ready" in page


def test_without_a_confession_only_what_was_shown_is_told() -> None:
    page = seen(the_result(confess=False))

    assert "WHAT WAS SHOWN" in page
    assert "biggest lie" not in page
    assert "never lied" not in page


def test_a_match_shows_the_deals_won() -> None:
    page = seen(the_result(match=True))

    assert "won: hal 1   the match goes to 3" in page


def test_the_confession_is_stepped_through_with_cards_up() -> None:
    page = scene("the confession")

    assert ">   3 hal  1 x A : AC true" in page
    assert "    2 dee  1 x K : 7C lie  maya doubted: dee took 8 cards" in page
    assert "3 of 3" in page


# --- help, log, names, menu ------------------------------------------------------------------------


def test_the_help_names_every_key_of_the_table_and_what_is_different_here() -> None:
    state = dealt(rules=TableRules(passing=True))
    pages = [seen(state, replace(ASCII, overlay=Overlay.HELP, page=n)) for n in range(6)]

    text = "\n".join(pages)
    assert "passing: yes (B11, B12)" in text
    for key in ("b", "y", "Y", "Enter", "Bksp", "p", "=", "-", "/", "l", "n", "o", "F2", "Ctrl-C"):
        assert f"\n     {key:<12} " in text, key


def test_the_log_ends_with_the_newest_play_and_what_was_shown() -> None:
    page = scene("the log")

    assert "  2 dee  1 x K   a lie: dee takes 8  (maya doubted after 1.2 s, by 83 ms)" in page
    assert "LAST SHOWN" in page


def test_the_names_are_written_out() -> None:
    assert "10  sixteen-chars_09  9 cards" in scene("the names")


@pytest.mark.parametrize("question", list(Question))
def test_a_question_fits_the_smallest_screen_with_its_answers(question: Question) -> None:
    desk = replace(ASCII, asking=question, asked_about=LONG_NAMES[0])

    page = seen(dealt(), desk, (60, 20))

    assert QUESTIONS[question].format(LONG_NAMES[0]) in page


def test_a_long_hint_is_wrapped_where_there_is_room() -> None:
    hint = "Somebody's last cards are waiting: nobody plays until they stand or fall, and so on."
    hinting = folded((Hinted(text=hint),), dealt(turn=3))

    assert "stand or fall, and\n so on." in seen(hinting)


def test_a_hint_is_seen_on_a_page_laid_over() -> None:
    hinting = folded((Hinted(text="You hold no seven."),), in_lobby())

    assert "You hold no seven." in seen(hinting, replace(ASCII, overlay=Overlay.HELP))


# --- the frame around it ---------------------------------------------------------------------------


def test_every_style_that_is_drawn_has_a_definition() -> None:
    used = {
        part
        for state, desk in SCENES.values()
        for line in draw(with_keys(a_frame(state, desk=desk)))
        for style, _ in line
        for part in style.split()
        if style != CURSOR
    }

    assert {style.removeprefix("class:") for style in used} <= set(MARKS)


@pytest.mark.parametrize(
    ("setting", "environment", "depth"),
    [
        pytest.param("auto", {"TERM": "xterm-256color"}, ColorDepth.DEPTH_8_BIT, id="usual"),
        pytest.param("auto", {"TERM": "xterm"}, ColorDepth.DEPTH_4_BIT, id="xterm"),
        pytest.param("auto", {"TERM": "foot"}, ColorDepth.DEPTH_8_BIT, id="a modern one"),
        pytest.param("auto", {"COLORTERM": "truecolor"}, ColorDepth.DEPTH_24_BIT, id="truecolor"),
        pytest.param("auto", {"TERM": "linux"}, ColorDepth.DEPTH_4_BIT, id="the console"),
        pytest.param("auto", {"TERM": "vt100"}, ColorDepth.DEPTH_1_BIT, id="vt100"),
        pytest.param("never", {"TERM": "xterm"}, ColorDepth.DEPTH_1_BIT, id="never"),
        pytest.param("256", {"NO_COLOR": "1"}, ColorDepth.DEPTH_8_BIT, id="asked for"),
    ],
)
def test_the_number_of_colours_is_chosen_here(
    setting: str, environment: dict[str, str], depth: ColorDepth
) -> None:
    assert colour_depth(setting, environment) is depth


def test_the_link_says_when_others_could_listen() -> None:
    open_line = folded(
        (Connecting(address="pi:1"), SCENES["empty hall"][0].welcome or Hinted(text=""))
    )

    assert "not encrypted" in seen(open_line)
    assert "not encrypted" not in seen(online())


def test_a_clock_is_on_the_screen_only_while_one_runs() -> None:
    assert has_clock(a_frame(the_window()))
    without = dealt(rules=TableRules(turn_s=0))
    assert not has_clock(a_frame(without))
    assert has_clock(a_frame(without, desk=Desk(asking=Question.LEAVE)))


def test_the_terminals_title_tells_whose_turn_it_is() -> None:
    assert window_title(a_frame(dealt(turn=3))) == "Facedown FOX-42: your turn: ACES"


def test_a_click_is_the_key_it_lands_on() -> None:
    frame = with_keys(a_frame(dealt(turn=3)))
    page = draw(frame)
    rows = texts(page)
    bar, hand = len(rows) - 1, next(n for n, row in enumerate(rows) if ">A<" in row)

    assert clicked(frame, page, (rows[bar].index("Esc") + 1, bar), 0) == "escape"
    assert clicked(frame, page, (rows[hand].index("10") + 1, hand), 0) in {"t", "0"}
    assert clicked(frame, page, (0, 0), 0) is None


def test_the_wheel_scrolls_what_is_laid_over() -> None:
    frame = a_frame(dealt(), desk=Desk(overlay=Overlay.LOG))

    assert clicked(frame, draw(frame), (5, 5), -1) == "up"
    assert clicked(replace(frame, desk=Desk()), draw(frame), (5, 5), -1) is None


def test_while_typing_the_key_bar_says_how_to_get_out() -> None:
    typing = replace(ASCII, typing=Typing.SAY, line=Editor().of("hi"))

    assert seen(dealt(), typing).endswith(" Enter say it   Esc back")


def test_f2_changes_the_skin_at_once() -> None:
    done = press(a_frame(dealt()), "f2")

    assert all(text.isascii() for text in texts(draw(a_frame(dealt(), desk=done.desk))))
