"""What stood on the screen after it had stopped being true, or was cut where it need not be."""

import pytest
from msgspec.structs import replace

from client.plain.rules_lines import option_lines
from client.screens.desk import Desk, Overlay, Typing
from client.screens.editor import Editor
from client.screens.parts.cells import cells, width_of, wrapped
from client.screens.parts.plays import lines_of
from client.state import ClientState, Hinted, LinkLost, LinkRefused, Noted
from client.words import LOBBY_GONE, NO_OPEN_LOBBY
from protocol import events as e
from protocol.cards import Rank
from protocol.codes import parse_rules
from protocol.commands import CastVote
from protocol.numbers import PlayNumber, Seat
from protocol.refusals import Refusal, explained
from protocol.rules import PRESETS, TableRules
from protocol.views import LogEntry
from tests.support.keyboard import after
from tests.support.looking import SMALL, bar, seen
from tests.support.scenes import the_result, the_window
from tests.support.screen_states import (
    SIZES,
    WELCOME,
    YOU,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
)

OF_ONES_OWN = "j1.sneak-1.pass.until-pickup.show-pile.play-on.w3.lw4.t20.m2.r2"


# --- the hall ------------------------------------------------------------------------------------


def opened(code: str = "HOG-68") -> e.Listed:
    """Ann has opened a lobby."""
    gathering = e.LobbyStage.GATHERING
    listing = e.Listing(
        code=code, host="ann", stage=gathering, rules=TableRules(), size=10, seated=("ann",)
    )
    return e.Listed(lobby=listing)


def told_of_none() -> ClientState:
    """Enter was pressed while no lobby was open."""
    (hint,) = after(online(), "c-m").told
    assert isinstance(hint, Hinted)
    return folded((hint,), online())


def test_it_was_still_said_that_no_lobby_is_open_beside_one_that_was() -> None:
    before = told_of_none()
    now = folded((opened(),), before)

    assert NO_OPEN_LOBBY in seen(before)
    assert "HOG-68" in seen(now)
    assert NO_OPEN_LOBBY not in seen(now)


def test_another_lobby_was_still_to_be_chosen_when_the_last_one_had_gone() -> None:
    gone, desk = e.Unlisted(code="HOG-68"), Desk(row=1, hall_at="ELK-03")
    there = folded((opened(),), online())
    (hint,) = after(there, "c-m", desk=desk).told
    assert isinstance(hint, Hinted)
    said = folded((hint,), there)

    assert LOBBY_GONE in seen(said, desk)
    assert LOBBY_GONE in seen(folded((opened("OWL-17"), gone), said), desk)
    assert LOBBY_GONE not in seen(folded((gone,), said), desk)


def test_what_else_was_said_in_the_hall_stays_when_a_lobby_opens() -> None:
    other = "nonsense is not a word of a rules code."
    now = folded((Hinted(text=other), opened()), online())

    assert other in seen(now)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("more", ["", " private", " private password hush"])
@pytest.mark.parametrize("code", ["", "classic", "loose.w6", OF_ONES_OWN])
def test_beside_a_long_code_the_presets_broke_off_in_the_middle(
    code: str, more: str, size: tuple[int, int]
) -> None:
    desk = Desk(typing=Typing.CREATE, line=Editor().of(code + more))
    rows = [
        row.split("\N{BOX DRAWINGS LIGHT VERTICAL}")[0]
        for row in seen(online(), desk, size).splitlines()
    ]
    page = " ".join(" ".join(rows).split())

    for begins, ends in (("Presets: ", "family, evening"), ("Also: ", "asked of whoever comes.")):
        assert (begins in page) is (ends in page)


# --- rules codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("width", range(20, 60))
def test_a_rules_code_was_broken_in_the_middle_of_a_word(width: int) -> None:
    rows = wrapped(OF_ONES_OWN, width)

    assert "".join(rows) == OF_ONES_OWN
    assert all(cells(row) <= width for row in rows)
    assert all(row.endswith(".") for row in rows[:-1])


def test_what_cannot_be_parted_at_a_point_fills_the_line() -> None:
    assert wrapped("a." + "b" * 20, 10) == ("a.bbbbbbbb", "b" * 10, "bb")


# --- the lobby in a small window -----------------------------------------------------------------


def test_a_mix_of_ones_own_took_five_rows_from_the_options_to_name_every_preset() -> None:
    state = in_lobby(lobby_state(rules=parse_rules(OF_ONES_OWN)))
    page = seen(state, size=SMALL)

    assert f"B25: none of the {len(PRESETS)} presets." in page
    assert "first turn" in page


def test_line_by_line_every_preset_is_named_whatever_is_played() -> None:
    for code in ("classic", OF_ONES_OWN):
        state = in_lobby(lobby_state(rules=parse_rules(code)))

        assert any("classic, pagat, bluff" in line for line in option_lines(state))


@pytest.mark.parametrize("row", [0, 1, 2, 5], ids=["host", "mine", "computer", "empty"])
@pytest.mark.parametrize("host", ["ana", "maya"])
def test_a_seat_menu_was_offered_about_seats_of_which_only_the_host_decides(
    host: str, row: int
) -> None:
    computer = e.LobbySeat(name="casual", kind=e.SeatKind.COMPUTER, ready=True)
    seats = (e.LobbySeat(name="ana"), e.LobbySeat(name="maya"), computer)
    state = in_lobby(lobby_state(host=host, seats=seats))
    desk = Desk(on_seats=True, seat_row=row)
    has_one = host == "maya" or row == 1

    done = after(state, "c-m", desk=desk)

    assert ("Enter seat menu" in bar(state, desk, (120, 40))) is has_one
    assert (done.desk.overlay is Overlay.MENU) is has_one
    assert has_one or done.told == (Hinted(text=explained(Refusal.NOT_HOST).sentence),)


# --- the table in a small window -----------------------------------------------------------------


@pytest.mark.parametrize("seat", [YOU, Seat(1)], ids=["my own", "a computer player's"])
def test_the_place_of_whoever_was_out_was_cut_off(seat: Seat) -> None:
    names = ("ana", "Bert the Second", "cy", "maya")
    computer = e.ChairChanged(seat=Seat(1), chair=e.Chair.COMPUTER, name="Bert the Second")
    out = e.WentOut(seat=seat, place=1, turn=Seat(2))
    page = seen(folded((computer, out), dealt(names=names)), size=SMALL)

    row = next(row for row in page.splitlines() if "out, " in row)
    assert row.partition("\N{BOX DRAWINGS LIGHT VERTICAL}")[0].endswith("out, 1st ")


LAID_OVER = (
    Overlay.MENU,
    Overlay.HELP,
    Overlay.LOG,
    Overlay.NAMES,
    Overlay.OLDER,
    Overlay.SETTINGS,
)


@pytest.mark.parametrize("overlay", LAID_OVER)
@pytest.mark.parametrize("size", SIZES)
def test_a_vote_was_out_of_sight_and_reach_behind_a_page_laid_over_the_table(
    size: tuple[int, int], overlay: Overlay
) -> None:
    asked = e.VoteState(
        vote=1, by="ana", on=e.VoteOn.END_DEAL, yes=1, no=0, needed=4, left_us=60_000_000
    )
    state = folded((asked,), the_window())
    desk = Desk(overlay=overlay)

    answers = [after(state, key, desk=desk, size=size).told for key in ("v", "V")]

    assert "ana asks to end the deal: v yes, V no." in " ".join(seen(state, desk, size).split())
    assert [told.yes for (told,) in answers if isinstance(told, CastVote)] == [True, False]
    assert "asks to end" not in seen(the_window(), desk, size)


TINY = (40, 10)


def a_vote(*, passed: bool | None = None) -> e.VoteState:
    """Somebody with the longest of names asks to end the deal."""
    by, on = "sixteen-chars_00", e.VoteOn.END_DEAL
    left = 60_000_000
    return e.VoteState(vote=1, by=by, on=on, yes=1, no=0, needed=4, left_us=left, passed=passed)


def test_a_vote_was_out_of_sight_and_reach_in_a_window_that_is_too_small() -> None:
    state, typing = folded((a_vote(),), the_window()), Desk(typing=Typing.SAY)
    asked = "sixteen-chars_00 asks to end the deal:"

    page, typed = (" ".join(seen(state, desk, TINY).split()) for desk in (Desk(), typing))
    answers = [after(state, key, size=TINY).told for key in ("v", "V")]

    assert f"b doubts, y believes. {asked} v yes, V no. Ctrl-C twice leaves;" in page
    assert f"{asked} Esc, then v yes, V no." in typed
    assert [told.yes for (told,) in answers if isinstance(told, CastVote)] == [True, False]


@pytest.mark.parametrize(
    "later",
    [a_vote(passed=False), LinkLost(reason="no answer", attempt=1, retry_s=1.0)],
    ids=["voted down", "line lost"],
)
def test_in_a_small_window_no_key_is_named_for_a_vote_that_cannot_be_answered(
    later: e.VoteState | LinkLost,
) -> None:
    assert "v yes" not in seen(folded((a_vote(), later), the_window()), size=TINY)


LONG = ("sixteen-chars_00", "sixteen-chars_01", "sixteen-chars_02", "maya")
AS_LAST = {"last": True, "left": 0}


@pytest.mark.parametrize("play", [{}, {"auto": True}, AS_LAST], ids=["usual", "auto", "last"])
@pytest.mark.parametrize("protected", [True, False], ids=["protected", "later"])
@pytest.mark.parametrize("who", ["a player", "watching", "gave up"])
@pytest.mark.parametrize("code", ["classic", "next-only", "until-pickup"])
def test_a_high_box_left_no_row_for_how_big_the_pile_is(
    code: str, who: str, *, protected: bool, play: dict[str, object]
) -> None:
    you = None if who == "watching" else YOU
    left = e.ChairChanged(seat=YOU, chair=e.Chair.COMPUTER, name="maya")
    later = e.ProtectionOver(play=PlayNumber(1))
    said = played(1, 0, 3, Rank.SEVEN, turn=1, **play)  # type: ignore[arg-type]
    told = (*((left,) if who == "gave up" else ()), said, *(() if protected else (later,)))

    page = seen(folded(told, dealt(names=LONG, you=you, rules=parse_rules(code))), size=SMALL)

    assert "PILE  3 cards" in page
    assert "3 x SEVENS" in page
    assert not protected or "] 3 s" in page


def test_the_biggest_hand_alone_had_no_bar() -> None:
    names = ("ana", "Bert the Second", "cy", "maya")
    stand_in = e.ChairChanged(seat=YOU, chair=e.Chair.STAND_IN, name="maya")
    page = seen(folded((stand_in,), dealt(names=names)), size=SMALL)

    rows = [row.partition("\N{BOX DRAWINGS LIGHT VERTICAL}")[0] for row in page.splitlines()[1:5]]

    assert "you cpu" in rows[3]
    assert len({"\N{BLACK SQUARE}" in row for row in rows}) == 1


NOTES = [
    *(e.Stopping(reason=reason) for reason in e.StopReason),
    *(
        e.DealOver(reason=reason, places=(1, 2, 3, 4), cards=(0, 9, 9, 9))
        for reason in e.StopReason
    ),
    *(e.ChairChanged(seat=YOU, chair=chair, name="sixteen-chars_00") for chair in e.Chair),
    e.WentOut(seat=YOU, place=10, turn=Seat(0)),
    e.SetAside(cards=208, turn=Seat(0)),
]


@pytest.mark.parametrize("note", NOTES)
def test_why_a_deal_ends_was_cut_off_in_the_log_of_plays(note: LogEntry) -> None:
    view = dealt(names=("ana", "bo", "cy", "sixteen-chars_00")).table
    assert view is not None
    (line,) = lines_of(view.table, (note,), (note,), SMALL[0])

    assert width_of(line) <= SMALL[0]


# --- after the deal ------------------------------------------------------------------------------


def a_result(*seats: e.LobbySeat, host: str) -> ClientState:
    """The deal is over, and these sit there now."""
    lobby = lobby_state(stage=e.LobbyStage.BETWEEN_DEALS, seats=seats, host=host)
    return folded((e.LobbyChanged(lobby=lobby),), the_result())


@pytest.mark.parametrize("size", SIZES)
def test_whoever_was_ready_again_did_not_read_that_another_deals(size: tuple[int, int]) -> None:
    mine = e.LobbySeat(name="maya", ready=True)
    ana, bo = (e.LobbySeat(name=name) for name in ("ana", "bo"))
    ready = replace(ana, ready=True)

    assert "2/2 ready, you are ready; ana deals.\n" in seen(
        a_result(ready, mine, host="ana"), size=size
    )
    assert "1/2 ready, you are ready.\n" in seen(a_result(ana, mine, host="ana"), size=size)
    assert "1/2 ready, you are ready.\n" in seen(a_result(mine, bo, host="maya"), size=size)
    assert "ready; s deals.\n" in seen(a_result(mine, ready, host="maya"), size=size)


REASON = "Could not reach pi:5252: connection refused."


def back_after(reason: str, state: ClientState) -> ClientState:
    """The line was lost for a second, and is there again."""
    gone = LinkLost(reason=reason, attempt=1, retry_s=1.0)
    return folded((gone, replace(WELCOME, resumed=True)), state)


@pytest.mark.parametrize("state", [dealt(), the_result()], ids=["at the table", "after the deal"])
def test_a_line_that_was_back_was_told_to_be_lost_for_a_minute(state: ClientState) -> None:
    back = back_after("the server hung up", state)

    assert "Connection lost: the server hung up." in seen(back, now=5.0)
    assert "Connection lost" not in seen(back, now=20.0)


@pytest.mark.parametrize("state", [dealt(), the_result()], ids=["at the table", "after the deal"])
def test_that_a_server_was_not_reached_stood_for_a_minute_beside_what_is_played(
    state: ClientState,
) -> None:
    refused = LinkRefused(text=REASON)
    once = replace(state, log=(*folded((refused,), online()).log,))

    assert REASON in seen(once, now=5.0)
    assert REASON not in seen(once, now=20.0)


def test_that_a_server_was_started_again_took_two_rows_from_the_plays_for_a_minute() -> None:
    again = replace(WELCOME, resumed=False, epoch="another life")
    back = replace(dealt(), log=folded((again,), online()).log)

    assert "started again" in seen(back, now=5.0)
    assert "started again" not in seen(back, now=20.0)


def test_what_a_client_says_of_itself_may_be_read_for_a_minute() -> None:
    noted = folded((Noted(text="Write it down."),), dealt())

    assert "Write it down." in seen(noted, now=30.0)
