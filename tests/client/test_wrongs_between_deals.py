"""What was said of a deal at its end, and of the next one before it: wrongs, each with a test named after it."""

import pytest
from msgspec.structs import replace

from client import selectors
from client.plain.lobby_reports import lobby_lines
from client.plain.reports import NO_DEAL, result_lines, table_lines
from client.plain.rules_lines import option_lines, sheet_lines
from client.plain.told import without_advice
from client.screens.desk import Desk, Overlay
from client.screens.help_page import game_lines
from client.screens.parts.cells import text_of
from client.screens.result import WITH_BEST
from client.state import ClientState
from client.words import why_over
from protocol import events as e
from protocol.cards import Rank
from protocol.codes import parse_rules, rules_code
from protocol.numbers import Seat
from protocol.rules import CLASSIC, TableRules
from protocol.text import MAX_NAME
from tests.support.deals import a_table
from tests.support.heard import lines
from tests.support.looking import seen
from tests.support.scenes import EVERYTHING
from tests.support.screen_states import (
    NAMES,
    SIZES,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
    ruled,
)

PASSING = TableRules(passing=True)
LEAST_WITH_LONG_NAMES = 75  # columns for a name of sixteen letters and a time in milliseconds


# --- how a deal ends -----------------------------------------------------------------------------


def ended(reason: e.StopReason, rules: TableRules) -> ClientState:
    """A deal of these rules, ended by this."""
    state = folded(
        (played(1, 0, 1, Rank.ACE, turn=1), e.Stopping(reason=reason)), dealt(rules=rules)
    )
    return folded(
        (e.DealOver(reason=reason, places=(1, 2, 3, 4, 5, 6), cards=tuple(range(6))),), state
    )


def test_with_play_on_a_deal_was_said_to_end_with_one_empty_hand() -> None:
    table = a_table(("KD", "2H", "5C 6C"), TableRules(play_on=True)).play("KD").time_up()
    after_one = table.deal.table.outcome
    over = table.play("2H").time_up().deal.table

    assert after_one is None
    assert over.outcome is not None
    assert why_over(over.outcome.reason, over.rules) == "all hands but one are empty"
    assert why_over(over.outcome.reason, TableRules()) == "one hand is empty"


def test_who_had_left_the_deal_to_a_computer_was_said_to_have_ended_it() -> None:
    left = e.ChairChanged(seat=Seat(0), name="ana", chair=e.Chair.COMPUTER)
    away = e.ChairChanged(seat=Seat(1), name="bo", chair=e.Chair.STAND_IN)
    over = e.DealOver(reason=e.StopReason.VOTE, places=(1, 2, 3, 4, 5, 6), cards=tuple(range(6)))

    state = folded((left, away, over), dealt())

    page, told = seen(state), list(result_lines(state))
    assert "ana              out  (left: a computer played on)" in page
    assert "bo               1 card  (a computer played on)" in page
    assert told[1] == "RESULT: 1st ana, out (left: a computer played on)."
    assert told[2] == "RESULT: 2nd bo, 1 card (a computer played on)."


@pytest.mark.parametrize("columns", range(WITH_BEST, 101))
@pytest.mark.parametrize("longest", [3, 9, MAX_NAME])
def test_of_the_fastest_doubt_beside_a_long_name_the_last_digit_was_cut_off(
    longest: int, columns: int
) -> None:
    """Of 258 ms "25" was left to read."""
    names = (*NAMES[:3], "maya-of-the-hill"[:longest], *NAMES[4:])
    first = e.Call(seat=Seat(3), after_us=258_000, rtt_us=3_000)
    doubted = (played(2, 4, 1, Rank.KING, turn=5), ruled(calls=(first,)))
    over = e.DealOver(reason=e.StopReason.VOTE, places=(1, 2, 3, 4, 5, 6), cards=tuple(range(6)))

    page = seen(folded((*doubted, over), dealt(names=names, turn=4)), size=(columns, 24))

    row = next(line for line in page.splitlines() if line.startswith(f"   {names[3]} "))
    assert row.endswith("   fastest doubt, 258 ms") or columns < LEAST_WITH_LONG_NAMES
    assert ("fastest doubt, " in row) == ("best moment" in page)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("reason", e.StopReason)
@pytest.mark.parametrize("name", ["classic", "sneaky", "d4.j2.free.max-none.pass.until-pickup"])
def test_neither_the_result_nor_its_lines_named_the_rules(
    name: str, reason: e.StopReason, size: tuple[int, int]
) -> None:
    rules = parse_rules(name)
    state = ended(reason, rules)
    expected = f"{why_over(reason, rules)}; rules {rules_code(rules)}"

    assert expected in " ".join(seen(state, size=size).split())
    assert f"OVER: {expected}." in result_lines(state)


@pytest.mark.parametrize("reason", [e.StopReason.PLAYS, e.StopReason.TIME, e.StopReason.CAP])
def test_nobody_was_told_line_by_line_what_ends_a_deal(reason: e.StopReason) -> None:
    before = folded((played(1, 0, 1, Rank.ACE, turn=1),), dealt())

    (line,) = lines(before, e.Stopping(reason=reason))

    assert line.startswith(f"ENDING: {why_over(reason, TableRules())}. ")


# --- the rules of this deal, and those of the next -----------------------------------------------


def test_in_mid_deal_sheet_and_options_were_those_of_the_next_one() -> None:
    running = dealt(rules=PASSING)
    lobby = lobby_state(rules=TableRules(jokers=2), stage=e.LobbyStage.PLAYING)
    state = folded((e.LobbyChanged(lobby=lobby),), running)
    help_text = "\n".join(text_of(line) for line in game_lines(a_frame(state), 74))

    assert [*sheet_lines(state)] == [
        *sheet_lines(running),
        "RULES: the next deal has other rules: j2.",
    ]
    assert [*option_lines(state)][:-2] == [*option_lines(running)][:-2]
    assert "the code of all this is pass; the next deal has j2." in [*option_lines(state)][-2]
    assert "rules pass, then j2, " in next(lobby_lines(state))
    assert "The next deal has other rules: j2." in help_text


def test_between_deals_there_is_nothing_to_say_of_the_next_rules() -> None:
    state = in_lobby(lobby_state(rules=PASSING))

    assert "next deal" not in "\n".join((*sheet_lines(state), *option_lines(state)))
    assert "then" not in next(lobby_lines(state))


# --- two players ---------------------------------------------------------------------------------


def two_seats(host: str, *, ready: bool) -> e.LobbyState:
    """Maya and bo, of whom one is host."""
    seats = (e.LobbySeat(name="maya", ready=ready), e.LobbySeat(name="bo", ready=ready))
    return lobby_state(host=host, seats=seats)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ready", [False, True], ids=["not ready", "ready"])
@pytest.mark.parametrize("host", ["maya", "bo"])
def test_only_a_host_was_told_that_two_make_a_thin_game(
    host: str, size: tuple[int, int], *, ready: bool
) -> None:
    two = two_seats(host, ready=ready)
    state = in_lobby(two)
    hint = "NOTE: Two make a thin game: every card you do not hold is in the other hand."
    alone = lobby_state(host=host, seats=two.seats[:1])

    assert "Two make a thin game" in " ".join(seen(state, size=size).split())
    assert "thin" not in seen(in_lobby(), size=size)
    assert hint in lobby_lines(state)
    assert hint in lines(in_lobby(alone), e.LobbyChanged(lobby=two))
    assert hint not in lines(state, e.LobbyChanged(lobby=two_seats(host, ready=not ready)))


def test_practice_was_told_of_a_thin_game_while_more_were_still_sitting_down() -> None:
    two = two_seats("maya", ready=False)
    alone = lobby_state(host="maya", seats=two.seats[:1])

    told_it = lines(in_lobby(alone), e.LobbyChanged(lobby=two))

    assert any("thin" in line for line in told_it)
    assert not any("thin" in line for line in without_advice(told_it))


def test_the_host_of_a_full_lobby_of_two_was_advised_to_add_a_computer_player() -> None:
    two = two_seats("maya", ready=True)
    full = replace(two, settings=e.LobbySettings(size=2))

    assert "thin game: a adds a computer player." in seen(in_lobby(two))
    assert "thin game.\n" in seen(in_lobby(full))


@pytest.mark.parametrize(
    ("stage", "said"),
    [
        (e.LobbyStage.GATHERING, "once two are ready, add casual adds a computer player."),
        (e.LobbyStage.BETWEEN_DEALS, "again once two are ready."),
    ],
)
def test_where_nobody_else_was_ready_the_host_heard_that_start_deals(
    stage: e.LobbyStage, said: str
) -> None:
    two = lobby_state(stage=stage, seats=[e.LobbySeat(name=name) for name in ("maya", "bo")])

    assert lines(online(), e.LobbyChanged(lobby=two))[-1] == f"NEXT: start (d) deals {said}"


def test_between_deals_the_names_were_those_of_the_last_deal_with_its_cards() -> None:
    state = ended(e.StopReason.VOTE, TableRules())
    seats = [e.LobbySeat(name="maya", ready=True), e.LobbySeat(name="newcomer")]
    lobby = lobby_state(stage=e.LobbyStage.BETWEEN_DEALS, seats=seats, watching=("bo",))
    state = folded((e.LobbyChanged(lobby=lobby),), state)
    names = Desk(overlay=Overlay.NAMES, result_read=1)

    page = " ".join(seen(state, names).split())

    assert "1 maya ready 2 newcomer not ready watching: bo" in page
    assert "cards" not in page


def test_at_80_columns_a_name_of_sixteen_letters_was_cut_off_where_all_plays_are_shown() -> None:
    names = (*NAMES[:4], "dee-of-the-hills", *NAMES[5:])
    doubted = (played(2, 4, 1, Rank.KING, turn=5), ruled())
    over = e.DealOver(reason=e.StopReason.VOTE, places=(1, 2, 3, 4, 5, 6), cards=tuple(range(6)))
    state = folded((*doubted, over), dealt(names=names, turn=4))

    assert "dee-of-the-hills 1 x K" in seen(state, Desk(overlay=Overlay.CONFESSION))


def test_beside_a_long_name_a_lobby_had_no_room_for_deals_won_and_the_page_of_names_left_them_out() -> (
    None
):
    seats = [e.LobbySeat(name="maya-of-the-hill", wins=2), e.LobbySeat(name="bo", ready=True)]
    state = in_lobby(lobby_state(stage=e.LobbyStage.BETWEEN_DEALS, seats=seats))

    page = seen(state, Desk(overlay=Overlay.NAMES), SIZES[1])

    assert "maya-of-the-hill  not ready, won 2" in page
    assert "bo                ready\n" in page


# --- a deal without a result ----------------------------------------------------------------------


def lost_deal(reason: e.PauseReason) -> ClientState:
    """A deal that stood still, until the server gave it up."""
    running = folded((played(1, 0, 1, Rank.ACE, turn=3), e.Paused(reason=reason, pause=1)), dealt())
    lost = e.LobbyNews(news=e.News.DEAL_LOST, name="maya")
    over = e.StageChanged(stage=e.LobbyStage.BETWEEN_DEALS, deals=1, wins=(0,) * len(NAMES))
    return folded((lost, over), running)


@pytest.mark.parametrize("reason", [e.PauseReason.MISTAKE, e.PauseReason.PARKED])
def test_a_deal_that_was_over_without_a_result_stayed_on_the_screen_as_if_it_went_on(
    reason: e.PauseReason,
) -> None:
    state = lost_deal(reason)

    page = seen(state)

    assert "SEATS" in page
    assert "the deal is over without a result" in page
    assert "Esc: go on" not in page
    assert not selectors.dealing(state)
    assert list(table_lines(state)) == [NO_DEAL]


def test_after_a_deal_without_a_result_the_next_one_begins_like_any_other() -> None:
    state = folded(
        (e.StageChanged(stage=e.LobbyStage.PLAYING, deals=2, wins=(0,) * 6),),
        lost_deal(e.PauseReason.MISTAKE),
    )

    assert state.evening == ()
    assert state.pause is None


# --- the hall ------------------------------------------------------------------------------------


def in_the_hall(rules: TableRules) -> ClientState:
    """One lobby there is, and it plays by these rules."""
    gathering = e.LobbyStage.GATHERING
    listing = e.Listing(
        code="CAT-03", host="bo", stage=gathering, rules=rules, size=10, seated=("bo",)
    )
    return folded((e.HallChanged(online=2, lobbies=(listing,)),), online())


def left_pane(state: ClientState, size: tuple[int, int]) -> str:
    """What stands left of the line, in one line."""
    rows = [
        row.split("\N{BOX DRAWINGS LIGHT VERTICAL}")[0]
        for row in seen(state, size=size).splitlines()
    ]
    return " ".join(" ".join(rows).split())


@pytest.mark.parametrize("size", SIZES)
def test_in_the_hall_rules_broke_off_in_mid_sentence_above_empty_rows(
    size: tuple[int, int],
) -> None:
    mixed = in_the_hall(parse_rules("d2.j2.free.max-none.pass.until-pickup.show-pile.w0.m2"))

    assert "to win the match: 2 deals, watchers welcome" in left_pane(mixed, size)


def test_where_rules_in_the_hall_have_no_room_nothing_said_that_there_are_more() -> None:
    assert "~" in left_pane(in_the_hall(EVERYTHING), SIZES[1])
    assert "~" not in left_pane(in_the_hall(CLASSIC), SIZES[1])
