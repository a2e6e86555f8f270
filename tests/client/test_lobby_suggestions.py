"""What a host is offered: presets, paces, suggestions for so many players, and the ways in."""

import pytest
from msgspec.structs import replace

from client.acts.done import Wish
from client.plain.told import told
from client.plain.typed import understand
from client.plain.word import Reply
from client.rule_bundles import CHOICES, MIXED, PACE, PRESET
from client.screens.desk import Desk
from client.settings import Settings
from client.state import ClientState, Hinted
from client.suggestions import suggestion_text, with_suggestions
from client.way_in.invites import invites
from protocol import commands as c
from protocol import events as e
from protocol.codes import parse_rules, rules_code
from protocol.rules import PRESETS
from tests.support.keyboard import after, hint
from tests.support.looking import SMALL, bar, seen
from tests.support.screen_states import NAMES, folded, in_lobby, lobby_state


def a_lobby(players: int, code: str = "classic", host: str = "maya") -> e.LobbyState:
    names = ("maya", *(name for name in (*NAMES, "ivy", "jo") if name != "maya"))[:players]
    seats = [e.LobbySeat(name=name) for name in names]
    return lobby_state(rules=parse_rules(code), seats=seats, host=host)


# --- suggestions ---------------------------------------------------------------------------------


def test_a_host_alone_was_advised_for_1_players() -> None:
    assert suggestion_text(a_lobby(1, "next-only.pf50")).startswith("For these rules: no photo")


@pytest.mark.parametrize(
    ("players", "code", "text", "then"),
    [
        (4, "classic", "", "classic"),
        (5, "classic", "For 5 players: two decks, 1 to 8 cards in a play (B1, B9)", "big-table"),
        (6, "max-none", "For 6 players: two decks (B1)", "max-none.d-auto"),
        (3, "d2", "For 3 players: 1 to 8 cards in a play (B9)", "d2.max-8"),
        (5, "big-table", "", "big-table"),
        (3, "one-card", "For 3 players: 1 to 4 cards (with one card, deals of", "classic"),
        (4, "one-card", "", "one-card"),
        (3, "next-only.pf50", "For 3 players: no photo finish", "next-only"),
        (3, "next-only.until-pickup.pf50", "", "next-only.until-pickup.pf50"),
    ],
    ids=[
        "four",
        "five",
        "any number",
        "two decks",
        "done",
        "three, one card",
        "four, one",
        "photo",
        "photo, of two plays",
    ],
)
def test_what_is_suggested_goes_by_the_number_of_players(
    players: int, code: str, text: str, then: str
) -> None:
    lobby = a_lobby(players, code)

    assert suggestion_text(lobby).startswith(text)
    assert bool(suggestion_text(lobby)) is bool(text)
    assert with_suggestions(lobby) == parse_rules(then)


def test_the_host_takes_a_suggestion_with_one_key() -> None:
    state = in_lobby(a_lobby(5))

    (sent,) = after(state, "u").told

    assert "For 5 players: two decks, 1 to 8 cards in a play (B1, B9): u takes it." in seen(state)
    assert isinstance(sent, c.SetRules)
    assert parse_rules(sent.rules) == PRESETS["big-table"]
    assert "u take suggestion" in bar(state, size=(120, 40))


def test_where_nothing_is_suggested_the_key_says_so() -> None:
    state = in_lobby(a_lobby(4))

    assert "nothing to suggest" in hint(after(state, "u"))
    assert "u takes it" not in seen(state)


def test_a_guest_is_not_offered_what_only_the_host_can_take() -> None:
    state = in_lobby(a_lobby(6, host="ana"))

    assert "two decks, 1 to 8" not in seen(state)
    assert "Only the host" in hint(after(state, "u"))


def test_line_by_line_a_suggestion_is_told_when_the_fifth_sits_down() -> None:
    four, five = in_lobby(a_lobby(4)), a_lobby(5)
    event = e.LobbyChanged(lobby=five)

    lines = told(four, event, folded((event,), four))

    assert [line for line in lines if line.startswith("SUGGEST: For 5 players: two decks")]
    assert "suggest take takes it." in "\n".join(lines)


def typed(state: ClientState, line: str) -> object:
    return understand(state, line, 0.0)


def test_line_by_line_suggestions_are_asked_for_and_taken() -> None:
    state = in_lobby(a_lobby(5))
    asked, taken = typed(state, "suggest"), typed(state, "suggest take")
    nothing = typed(in_lobby(a_lobby(4)), "suggest")

    assert isinstance(asked, Reply)
    assert asked.lines[0].startswith("SUGGEST: For 5 players")
    assert isinstance(taken, c.SetRules)
    assert isinstance(nothing, Hinted)


# --- presets and paces ---------------------------------------------------------------------------


def test_every_preset_is_explained_and_can_be_turned_to() -> None:
    lobby = a_lobby(4)
    texts = []
    for _ in PRESETS:
        texts.append((PRESET.text(lobby), PRESET.about_now(lobby)))
        lobby = replace(lobby, rules=PRESET.turned(lobby, 1))

    assert [name for name, _ in texts] == list(PRESETS)
    assert all(about.startswith("B25: ") and len(about) > 20 for _, about in texts)
    assert PRESET.text(lobby) == "classic"


def test_a_mixture_of_ones_own_is_called_so_and_turns_to_a_preset() -> None:
    lobby = a_lobby(4, "bluff.j2")

    assert (PRESET.text(lobby), PACE.text(lobby)) == (MIXED, "normal")
    assert PRESET.about_now(lobby) == f"B25: none of the {len(PRESETS)} presets."
    assert rules_code(PRESET.turned(lobby, 1)) == "classic"
    assert PRESET.turned(lobby, -1) == PRESETS["evening"]


@pytest.mark.parametrize(
    ("code", "preset", "pace"),
    [
        ("bluff.w8.lw12.t-off", "bluff", "beginners"),
        ("bluff.w9", "bluff", MIXED),
        ("classic.w8.lw12.t-off", "family", "beginners"),
    ],
    ids=["another pace", "an own pace", "a preset that is a pace"],
)
def test_whoever_chose_a_preset_and_then_a_pace_had_an_own_mix(
    code: str, preset: str, pace: str
) -> None:
    lobby = a_lobby(4, code)

    assert (PRESET.text(lobby), PACE.text(lobby)) == (preset, pace)


@pytest.mark.parametrize(
    ("code", "then"),
    [
        ("bluff.w3.lw6.t20.r2", "bluff-pass.w3.lw6.t20.r2"),
        ("for-places.w3.lw6.t20.r2", "family"),
        ("family", "evening"),
        ("j1.w3.lw6.t20.r2", "classic.w3.lw6.t20.r2"),
    ],
    ids=["kept", "to a preset with its own pace", "from such a preset", "from an own mix"],
)
def test_the_next_preset_took_away_the_pace_that_the_host_had_chosen(code: str, then: str) -> None:
    assert PRESET.turned(a_lobby(4, code), 1) == parse_rules(then)


def test_a_pace_changes_the_clocks_and_nothing_else() -> None:
    lobby = a_lobby(4, "bluff")

    rules = [rules_code(PACE.set_to(lobby, name)) for name in PACE.values]

    assert rules == [
        "free.max-none.w3.lw6.t20.r2",
        "free.max-none",
        "free.max-none.w8.lw12.t-off",
        "free.max-none.w15.lw20.t120.r8",
    ]
    assert rules_code(PACE.set_to(a_lobby(4), "beginners")) == rules_code(PRESETS["family"])


def test_the_lobby_page_turns_presets_and_paces() -> None:
    state = in_lobby(a_lobby(4))
    (preset,) = after(state, "right").told
    (pace,) = after(state, "down", "left").told

    page = seen(state)
    assert " > preset               < classic >" in page
    assert "   pace                 < normal >" in page
    assert "B25: the main game" in page
    assert isinstance(preset, c.SetRules)
    assert parse_rules(preset.rules) == PRESETS["pagat"]
    assert isinstance(pace, c.SetRules)
    assert pace.rules == "w3.lw6.t20.r2"


def test_line_by_line_a_pace_has_a_word() -> None:
    state = in_lobby(a_lobby(4))
    slower, what = typed(state, "pace readers"), typed(state, "pace of life")

    assert isinstance(slower, c.SetRules)
    assert slower.rules == "w15.lw20.t120.r8"
    assert isinstance(what, Hinted)
    assert "fast, normal, beginners, readers" in what.text


@pytest.mark.parametrize("word", ["suggest", "pace fast"])
def test_outside_a_lobby_there_is_nothing_to_set(word: str) -> None:
    assert isinstance(typed(ClientState(name="maya"), word), Hinted)


def test_every_line_among_the_options_fits_a_small_window() -> None:
    for row, choice in enumerate(CHOICES):
        page = seen(in_lobby(a_lobby(4)), Desk(row=row), SMALL)
        assert any(line.find(f" > {choice.label}") > 0 for line in page.splitlines())


# --- the ways in ---------------------------------------------------------------------------------


def test_a_host_on_a_box_shows_both_ways_in() -> None:
    way = "ssh -t 192.0.2.7 facedown join 127.0.0.1:5252/"
    state = replace(in_lobby(), hosted_at=("192.0.2.7:5252",), ssh=way)

    texts = [invite.text for invite in invites(state)]

    assert texts == ["facedown join 192.0.2.7:5252/FOX-42", f"{way}FOX-42"]
    page = seen(state)
    assert "Invite:  facedown join 192.0.2.7:5252/FOX-42   y copies it" in page
    assert f"or SSH:  {way}FOX-42" in page
    assert f"INVITE: {way}FOX-42" in "\n".join(_seats(state))


def test_a_host_on_two_networks_shows_the_way_in_from_each() -> None:
    state = replace(in_lobby(), hosted_at=("192.0.2.7:5252", "198.51.100.7:5252"))

    page = seen(state, size=SMALL)

    assert "Invite:  facedown join 192.0.2.7:5252/FOX-42" in page
    assert "or:      facedown join 198.51.100.7:5252/FOX-42" in page


def _seats(state: ClientState) -> tuple[str, ...]:
    reply = typed(state, "seats")
    assert isinstance(reply, Reply)
    return reply.lines


def test_an_address_of_this_machine_was_given_to_friends_elsewhere() -> None:
    at_home = in_lobby()
    here = replace(at_home, link=replace(at_home.link, address="127.0.0.1:5252"))

    assert invites(here)[0].note == "on this machine only"
    assert "on this machine only" in seen(here)
    assert "(on this machine only)" in "\n".join(_seats(here))
    assert invites(at_home)[0].note == ""
    assert invites(replace(here, hosted_at=("192.0.2.7:5252",)))[0].note == ""


def test_without_a_lobby_there_is_no_way_in() -> None:
    assert invites(ClientState(name="maya")) == ()


def test_the_rules_code_is_copied() -> None:
    done = after(in_lobby(a_lobby(4, "bluff.w6")), "C")

    assert (done.wish, done.about) == (Wish.COPY, "free.max-none.w6")


def test_in_a_kiosk_no_code_is_copied() -> None:
    assert "switched off" in hint(after(in_lobby(), "C", desk=Desk(settings=Settings(kiosk=True))))
