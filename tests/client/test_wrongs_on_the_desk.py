"""Wrongs of what one terminal keeps for itself, each with a test named after it."""

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace
from prompt_toolkit.input import create_pipe_input

from client.acts.anywhere import settled
from client.acts.returned import returned
from client.full_screen.screen_client import ScreenClient
from client.keys.mouse import clicked
from client.keys.press import with_keys
from client.line.unanswered import NEVER_ANSWERED
from client.screens.claims import draft
from client.screens.desk import ClaimChoice, Desk, Overlay, Question, Screen, Typing, screen_of
from client.screens.editor import Editor
from client.screens.page import draw
from client.settings import ON_PAGE
from client.start.opening import to_join
from client.start.visit import Visit
from client.state import LinkRefused, Picked, Sent
from protocol import commands as c
from protocol import events as e
from protocol.answers import Refused
from protocol.cards import Rank
from protocol.commands import ClientMessage
from protocol.events import Event
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal, explained
from protocol.rules import RankOrder, TableRules
from protocol.text import MAX_CHAT
from tests.support.fake_server import FakeServer, polite
from tests.support.keyboard import LONG_AGO, after, cards, hint, picking
from tests.support.looking import bar, seen
from tests.support.playing import HOME, playing, run
from tests.support.scenes import the_result, the_window
from tests.support.screen import Terminal
from tests.support.screen_states import a_frame, dealt, folded, in_lobby, lobby_state, online, texts

TINY = (40, 10)
NAME_ROW = next(row for row, setting in enumerate(ON_PAGE) if setting.name == "name")
ON_NAME = Desk(overlay=Overlay.SETTINGS, settings_row=NAME_ROW)


def test_after_a_change_of_name_only_sixteen_letters_could_be_said() -> None:
    renamed = after(in_lobby(), "enter", *"ya", "enter", desk=ON_NAME).desk

    talking = after(in_lobby(), "escape", "/", *"a sentence of many words", desk=renamed).desk

    assert talking.line.text == "a sentence of many words"
    assert talking.line.limit == MAX_CHAT


def test_the_result_of_a_first_deal_was_not_shown_to_who_had_read_that_of_another_lobby() -> None:
    over = the_result()
    read = after(over, "enter").desk
    assert screen_of(over, read) is Screen.LOBBY

    elsewhere = settled(a_frame(online(), desk=read))

    assert screen_of(over, elsewhere) is Screen.RESULT


def test_what_was_going_to_be_said_was_lost_with_the_next_text_line() -> None:
    left = after(online(), "/", *"hi", "escape").desk

    joined = after(online(), "f", *"FOX-42", "enter", desk=left).desk

    assert joined.draft == "hi"


def test_of_several_things_that_were_not_said_all_but_the_first_were_lost() -> None:
    said = [c.Say(n=CommandNumber(n), text=f"line {n}") for n in (1, 2)]
    refused = [Refused(n=one.n, code=Refusal.TOO_FAST) for one in said]

    state = folded((*[Sent(command=one) for one in said], *refused), in_lobby())

    too_fast = explained(Refusal.TOO_FAST).sentence
    assert [line.text for line in state.log[-2:]] == [
        f'About "line {n}": {too_fast}' for n in (1, 2)
    ]


def test_what_may_have_been_said_was_told_not_to_have_been() -> None:
    said = c.Say(n=CommandNumber(1), text="hello")
    never = Refused(n=said.n, code=Refusal.TRY_AGAIN, text=NEVER_ANSWERED)

    state = folded((Sent(command=said), never), in_lobby())

    assert state.log[-1].text == f'About "hello": {NEVER_ANSWERED}'


def test_what_the_cards_were_to_be_called_was_forgotten_if_the_play_was_refused() -> None:
    free = dealt(turn=3, rules=TableRules(rank_order=RankOrder.FREE))
    mine = picking(0, state=free)
    kings = Desk(claim=ClaimChoice(rank=Rank.KING))

    laid = after(mine, "enter", desk=kings).desk

    assert settled(a_frame(mine, desk=laid)).claim.rank is Rank.KING
    assert settled(a_frame(folded((Picked(),), mine), desk=laid)).claim == ClaimChoice()


def test_in_a_window_too_small_for_the_question_enter_gave_the_seat_up() -> None:
    asked = Desk(asking=Question.GIVE_UP, screen=Screen.TABLE)

    done = after(dealt(), "enter", desk=asked, size=TINY)

    assert done.told == ()
    assert done.desk.asking is Question.GIVE_UP


def test_that_the_terminal_is_too_small_was_said_once_it_was_not() -> None:
    """The page that says so has no room for why a key did nothing, and the next page had."""
    typed = after(dealt(turn=3), "a", "enter", size=TINY).told

    assert typed == ()
    assert f"{TINY[0]}x{TINY[1]} is too small." in seen(dealt(turn=3), size=TINY)


def test_in_a_small_window_b_doubted_as_it_went_into_a_text() -> None:
    saying = Desk(typing=Typing.SAY, line=Editor(limit=MAX_CHAT))

    assert "Esc, then b doubts, y believes." in seen(the_window(), saying, TINY)


def test_a_click_on_the_word_for_all_ranks_picked_an_ace() -> None:
    frame = with_keys(a_frame(picking(0), desk=Desk(screen=Screen.TABLE)))
    page = draw(frame)
    keys = texts(page)[-1]

    assert "A-K" in bar(picking(0))
    assert clicked(frame, page, (keys.index("A-K") + 1, len(page) - 1), 0) is None


@pytest.mark.parametrize(("typing", "key"), [(Typing.SAY, None), (Typing.RANK, "5")])
def test_a_click_on_a_rank_went_into_the_text_that_was_being_typed(
    typing: Typing, key: str | None
) -> None:
    frame = with_keys(a_frame(dealt(turn=3), desk=Desk(screen=Screen.TABLE, typing=typing)))
    page = draw(frame)
    rows = texts(page)
    hand = next(number for number, row in enumerate(rows) if ">A<" in row)

    assert clicked(frame, page, (rows[hand].index("5"), hand), 0) == key


def test_whoever_watches_was_asked_whether_to_leave_their_seat() -> None:
    watching = in_lobby(lobby_state(host="ana", seats=(), watching=("maya",)))

    asked = seen(watching, Desk(asking=Question.LEAVE_LOBBY))

    assert "Leave the lobby? Enter yes, Esc no" in asked
    assert "seat" in seen(in_lobby(), Desk(asking=Question.LEAVE_LOBBY))


def test_a_password_asked_for_took_the_place_of_what_was_being_said() -> None:
    def answer(message: ClientMessage) -> Sequence[Event]:
        return () if isinstance(message, c.JoinLobby) else polite(message)

    async def scenario() -> str:
        async with playing(answer) as play:
            await play.shows("the hall")
            play.type("ffox-42\r")
            asked = await play.server.hears(c.JoinLobby)
            play.type("/good evening")
            await play.shows("say> good evening")
            play.server.say(Refused(n=asked.n, code=Refusal.WRONG_PASSWORD))
            await play.shows("password>")
            play.type("\x1b")
            await play.shows("c create")
            play.type("/")
            await play.shows("say> good evening")
            return play.client.desk.line.text

    assert run(scenario) == "good evening"


def test_where_no_clock_runs_a_server_that_stood_still_seemed_near(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("client.screens.link.ODD", 0.01)

    async def scenario() -> None:
        async with playing() as play:
            await play.shows("the hall")
            await play.shows("! silent")

    run(scenario)


def kept_in(folder: Path) -> set[str]:
    """What there is on disk of servers and secrets."""
    return {path.name for path in folder.rglob("*.json")}


def test_after_practice_the_seat_on_a_friend_s_server_was_taken_for_practice_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.keys.press.STRAY_S", 0.0)

    async def scenario() -> tuple[set[str], bool]:
        terminal = Terminal()
        with create_pipe_input() as keyboard:
            async with FakeServer() as practice, FakeServer() as friend:
                visit = Visit(name="maya", address=practice.address, folder=tmp_path, passing=True)
                client = ScreenClient(visit, HOME, terminal=(keyboard, terminal.output))
                ended = asyncio.ensure_future(client.run())
                await terminal.shows("the hall")
                before = kept_in(tmp_path)
                keyboard.send_text("q")
                await terminal.shows("Choose a server")
                keyboard.send_text(f"\x15{friend.address}\r")
                await friend.hears(c.Hello)
                await terminal.shows("the hall")
                keyboard.send_text("\x03\x03")
                await ended
                client.close()
                return before, client.desk.passing

    before, passing = run(scenario)

    assert before == set()
    assert not passing
    assert kept_in(tmp_path) > {"recent.json"}


def test_what_was_said_too_fast_had_to_be_typed_again() -> None:
    def answer(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, c.Say):
            return (Refused(n=message.n, code=Refusal.TOO_FAST),)
        return polite(message)

    async def scenario() -> None:
        async with playing(answer) as play:
            await play.shows("the hall")
            play.type("/good evening\r")
            await play.shows("Too fast")
            play.type("/")
            await play.shows("say> good evening")

    run(scenario)


def test_a_play_that_came_back_was_going_to_be_called_something_else() -> None:
    free = dealt(turn=3, rules=TableRules(rank_order=RankOrder.FREE, sneak=1))
    held = e.HeldPlay(cards=cards(0, 1, 2), count=2, rank=Rank.KING)
    ready = folded((e.Held(held=held),), free)

    desk = returned(Desk(), ready, e.HeldBack())
    again = draft(folded((e.HeldBack(),), ready), desk.claim)

    assert (len(again.cards), again.count, again.rank) == (3, 2, Rank.KING)


def test_enter_laid_the_cards_under_a_guess_while_the_rank_was_still_to_be_named() -> None:
    mine = picking(0, state=dealt(turn=3, rules=TableRules(rank_order=RankOrder.FREE)))

    done = after(mine, "=", "enter")

    assert hint(done).startswith("That rank is not due: say ")
    assert done.desk.typing is Typing.RANK


def test_who_lost_the_server_while_saying_something_typed_on_where_nothing_is_seen() -> None:
    saying = after(in_lobby(), "/", *"good eve").desk
    gone = folded((LinkRefused(text="Somebody else came with your secret."),), in_lobby())

    left = settled(a_frame(gone, desk=saying))

    assert left.typing is None
    assert left.draft == "good eve"


def test_a_page_opened_while_something_was_being_said_hid_the_text_line_and_took_no_keys() -> None:
    menu = after(in_lobby(), "/", *"good eve", "f10").desk
    assert menu.overlay is Overlay.MENU

    assert after(in_lobby(), "q", desk=menu).desk.overlay is None
    assert after(in_lobby(), "escape", "/", desk=menu).desk.line.text == "good eve"


def test_whoever_was_still_in_another_lobby_was_not_told_why_they_are_there() -> None:
    def answer(message: ClientMessage) -> Sequence[Event]:
        here = (e.LobbyChanged(lobby=lobby_state()),) if isinstance(message, c.Hello) else ()
        return (*polite(message), *here)

    async def scenario() -> None:
        terminal = Terminal()
        with create_pipe_input() as keyboard:
            async with FakeServer(answer) as server:
                visit = Visit(name="maya", address=server.address, plan=to_join("OWL-17"))
                client = ScreenClient(visit, HOME, terminal=(keyboard, terminal.output))
                ended = asyncio.ensure_future(client.run())
                await terminal.shows("You are still in FOX-42: leave it to join OWL-17.")
                keyboard.send_text("\x03\x03")
                await ended

    run(scenario)


def test_with_fewer_seats_the_cursor_stood_below_the_last_one_where_nobody_saw_it() -> None:
    few = replace(lobby_state(), settings=e.LobbySettings(size=6))

    there = settled(
        a_frame(in_lobby(few), desk=Desk(screen=Screen.LOBBY, on_seats=True, seat_row=9))
    )

    assert there.seat_row == 5
    assert there.seat_at == "hal"


@pytest.mark.parametrize("question", sorted({*Question} - {Question.LEAVE}))
def test_while_a_question_was_open_the_key_bar_said_that_esc_is_the_menu(
    question: Question,
) -> None:
    """And of Enter, where cards were picked, that it lays them."""
    asked = Desk(asking=question)

    assert bar(picking(0), asked).startswith("Enter yes")
    assert bar(picking(0), asked).endswith("Esc no")
    assert "Enter lay" not in bar(picking(0), asked)
    assert after(picking(0), "escape", desk=asked).desk.overlay is None


def test_while_it_was_asked_whether_to_leave_esc_was_called_the_menu_or_the_way_back() -> None:
    for typing in (None, Typing.SAY):
        leaving = Desk(asking=Question.LEAVE, typing=typing)

        assert bar(dealt(), leaving).endswith("Esc stay")
        assert "Enter" not in bar(dealt(), leaving)
        assert after(dealt(), "escape", desk=leaving).desk == replace(
            leaving, asking=None, screen=Screen.TABLE, screen_since=LONG_AGO
        )
