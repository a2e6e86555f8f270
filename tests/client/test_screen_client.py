"""The full-screen client as a person meets it: keys go in through a pipe, pyte tells what is seen."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import pytest
from msgspec.structs import replace
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import create_pipe_input

from client.full_screen import screen_client as module
from client.full_screen.screen_client import ScreenClient
from client.line import child
from client.start.visit import Visit
from protocol import commands as c
from protocol.answers import Accepted, Refused
from protocol.cards import Rank
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer, polite
from tests.support.fake_tables import at_a_table
from tests.support.playing import HOME, SOLID, playing, run
from tests.support.screen import Terminal
from tests.support.screen_states import played, ruled

DEE_SAYS = played(2, 4, 1, Rank.KING, turn=5)


def without_the_first_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a person does after the first quarter of a second, at once."""
    monkeypatch.setattr("client.selectors.FRESH_S", 0.0)
    monkeypatch.setattr("client.keys.press.STRAY_S", 0.0)


@pytest.fixture(autouse=True)
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests press keys as soon as they can see what they want to press them for."""
    without_the_first_moment(monkeypatch)


def test_the_hall_comes_up_by_itself() -> None:
    async def scenario() -> None:
        async with playing() as play:
            await play.shows("the hall")
            await play.shows("No open lobbies. Press c to open one.")

    run(scenario)


def test_cards_are_picked_laid_and_sent() -> None:
    async def scenario() -> c.PlayCards:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.type("a5")
            await play.shows('picked 2: A 5  ->  you will say "2 ACES"')
            await play.shows("1 five is not an ace: this is a bluff.")
            play.type("\r")
            return await play.server.hears(c.PlayCards)

    laid = run(scenario)

    assert (laid.count, laid.rank, len(laid.cards)) == (2, Rank.ACE, 2)


def test_a_doubt_is_sent_at_once_and_its_ruling_is_shown() -> None:
    def answer(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, c.Challenge):
            return (ruled(), Accepted(n=message.n))
        return at_a_table(message)

    async def scenario() -> c.Challenge:
        async with playing(answer) as play:
            await play.shows("your turn: ACES")
            play.server.say(played(1, 3, 1, Rank.ACE, turn=4), DEE_SAYS)
            await play.shows("dee says: 1 x KING")
            play.type("b")
            doubt = await play.server.hears(c.Challenge)
            await play.shows(">> A LIE <<")
            await play.shows("You doubted first, by 83 ms over bo.")
            return doubt

    assert run(scenario).play == 2


def test_a_press_meant_for_the_play_before_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.selectors.FRESH_S", 60.0)

    async def scenario() -> list[type[ClientMessage]]:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.server.say(DEE_SAYS)
            await play.shows("dee says: 1 x KING")
            play.type("b")
            await play.shows("A newer play: dee said 1 king. b again doubts it.")
            return play.server.order()

    assert c.Challenge not in run(scenario)


def test_letters_in_the_chat_line_are_no_keys_and_alt_b_doubts_from_inside() -> None:
    async def scenario() -> tuple[int, str]:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.server.say(DEE_SAYS)
            await play.shows("dee says: 1 x KING")
            play.type("/bah")
            await play.shows("say> bah")
            play.type("\x1bb")
            doubt = await play.server.hears(c.Challenge)
            return doubt.play, play.client.desk.draft

    assert run(scenario) == (2, "bah")


def test_pasted_keys_press_nothing() -> None:
    async def scenario() -> list[type[ClientMessage]]:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.type("\x1b[200~a\rbq\x1b[201~")
            await play.shows("Pasted text is ignored here")
            return play.server.order()

    assert run(scenario) == [Hello]


def test_the_mouse_did_nothing_but_say_that_a_mouse_event_does_nothing() -> None:
    async def scenario() -> str:
        async with playing(at_a_table, replace(SOLID, mouse=True)) as play:
            await play.shows("your turn: ACES")
            hand = next(row for row, text in enumerate(play.terminal.rows) if ">A<" in text)
            column = play.terminal.rows[hand].index("5")
            play.type(
                f"\x1b[<35;3;3M\x1b[<0;{column + 1};{hand + 1}M\x1b[<0;{column + 1};{hand + 1}m"
            )
            await play.shows("picked 1: 5")
            play.type("l\x1b[<64;9;9M")
            await play.shows("THE DEAL")
            return play.terminal.text

    assert "does nothing" not in run(scenario)


@pytest.mark.parametrize("report", ["\x1b[3M", "\x1b[<0;1;9999m", "\x1b[<0;1;24;5m", "\x1b[M~~~"])
def test_a_report_of_the_mouse_that_cannot_be_is_passed_over(report: str) -> None:
    async def scenario() -> None:
        async with playing(at_a_table, replace(SOLID, mouse=True)) as play:
            await play.shows("your turn: ACES")
            play.type(f"{report}5")
            await play.shows("picked 1: 5")

    run(scenario)


def test_escape_answers_at_once() -> None:
    async def scenario() -> None:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.type("\x1b")
            async with asyncio.timeout(1):
                await play.shows("give up my seat for this deal")

    run(scenario)


def test_a_wrong_password_asks_again() -> None:
    def answer(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, c.JoinLobby) and message.password != "hush":  # noqa: S105
            return (Refused(n=message.n, code=Refusal.WRONG_PASSWORD),)
        return polite(message)

    async def scenario() -> c.JoinLobby:
        async with playing(answer) as play:
            await play.shows("the hall")
            play.type("ffox-42\r")
            await play.shows("password>")
            await play.shows("This lobby needs the right password")
            play.type("hush\r")
            return await play.server.hears(c.JoinLobby, 2)

    second = run(scenario)

    assert (second.code, second.password) == ("FOX-42", "hush")


def test_ctrl_c_twice_leaves_with_130_and_says_how_to_come_back() -> None:
    async def scenario() -> tuple[int, str, list[type[ClientMessage]]]:
        async with playing(at_a_table, HOME) as play:
            await play.shows("your turn: ACES")
            play.type("\x03")
            await play.shows("Leave? Ctrl-C again leaves; your seat is kept.")
            play.type("\x03")
            code = await play.ended
            return code, play.client.parting, play.server.order()

    code, parting, heard = run(scenario)

    assert code == 130
    assert parting.startswith("Your seat is kept. To come back:\n  facedown join 127.0.0.1:")
    assert c.LeaveLobby not in heard


def test_a_guest_who_left_the_server_from_the_table_was_told_no_way_back_to_their_seat() -> None:
    async def scenario() -> tuple[int, str]:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.type("\x07\x1b[A\x1b[A")  # the menu, where this stands above the last line
            await play.shows("> leave this server")
            play.type("\r")
            return await play.ended, play.client.parting

    assert run(scenario) == (0, "Your seat is kept. To come back:\n  log in again")


def test_a_lost_line_is_shown_and_heals() -> None:
    async def scenario() -> None:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            play.server.cut()
            await play.shows("OFFLINE")
            await play.shows("link ok")

    run(scenario)


def test_a_server_that_refuses_leads_back_to_the_start_with_its_reason() -> None:
    def answer(_: ClientMessage) -> Sequence[Event]:
        return (Refused(code=Refusal.NAME_TAKEN),)

    async def scenario() -> int:
        async with playing(answer, settings=HOME) as play:
            await play.shows("! Somebody here already has that name")
            play.type("\x1bq")
            return await play.ended

    assert run(scenario) == 4


def test_servers_are_remembered(tmp_path: Path) -> None:
    async def scenario() -> str:
        async with playing(folder=tmp_path, settings=HOME) as play:
            await play.shows("the hall")
            return str(play.server.address)

    address = run(scenario)

    assert address in (tmp_path / "recent.json").read_text()


def test_practice_plays_on_a_server_of_its_own_that_is_not_remembered(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    async def scenario() -> tuple[c.CreateLobby, str]:
        terminal = Terminal()
        with create_pipe_input() as keyboard:
            async with FakeServer() as server:
                practice = child.Child(process=None, address=server.address)  # type: ignore[arg-type]
                monkeypatch.setattr(child, "practice_server", lambda: nullcontext(practice))
                visit = Visit(name="maya", folder=tmp_path)
                output = (keyboard, terminal.output)
                client = ScreenClient(visit, HOME, terminal=output)
                ended = asyncio.ensure_future(client.run())
                await terminal.shows("practise here")
                keyboard.send_text("\r")
                created = await server.hears(c.CreateLobby)
                keyboard.send_text("\x03\x03")
                await ended
                return created, client.parting

    created, parting = run(scenario)

    assert created.settings.public is False
    assert parting == ""
    assert not (tmp_path / "recent.json").exists()


def test_a_resized_terminal_is_drawn_anew() -> None:
    async def scenario() -> None:
        async with playing(at_a_table) as play:
            await play.shows("Facedown  FOX-42")
            play.terminal.size = Size(rows=18, columns=50)
            play.client.app._on_resize()
            await play.shows("50x18 is too small.")
            play.type("\x03\x03")
            assert await play.ended == 130

    run(scenario)


def test_a_fault_in_a_callback_ends_the_client_instead_of_living_on() -> None:
    async def scenario() -> None:
        async with playing(at_a_table) as play:
            await play.shows("your turn: ACES")
            asyncio.get_running_loop().call_soon(_fail)
            with pytest.raises(BaseExceptionGroup) as caught:
                await play.ended
            assert caught.group_contains(ZeroDivisionError)

    run(scenario)


def _fail() -> None:
    raise ZeroDivisionError


def test_the_bell_rings_only_for_somebody_who_was_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    rung: list[float] = []
    monkeypatch.setattr(module, "IDLE_S", 0.0)

    async def scenario() -> None:
        async with playing(at_a_table) as play:
            monkeypatch.setattr(play.terminal.output, "bell", lambda: rung.append(1.0))
            await play.shows("your turn: ACES")

    run(scenario)

    assert rung == [1.0]
