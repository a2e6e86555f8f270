"""The plain client at work against a fake server: what is typed, sent and printed."""

import asyncio
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from client.plain.console import Console
from client.plain.loop import PlainClient
from client.start.opening import NO_PLAN, Plan, to_join, to_practise
from client.start.visit import Visit
from client.way_in.address import Address
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Goodbye, Refused
from protocol.cards import Rank
from protocol.commands import ClientMessage, Hello
from protocol.events import Event
from protocol.numbers import PlayNumber, Seat
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer, a_welcome, polite
from tests.support.screen_states import YOU, a_hand, lobby_state, played

SEATS = tuple(e.SeatState(name=name, cards=12) for name in ("ana", "bo", "cy", "maya"))
DEAL = (
    e.DealStarted(deal=1, rules=lobby_state().rules, dealer=Seat(2), turn=YOU, seats=SEATS),
    e.HandDealt(seat=YOU, cards=a_hand()),
)


@dataclass(frozen=True)
class Ran:
    """What one run of the client printed, sent and returned."""

    code: int
    lines: list[str]
    heard: list[ClientMessage]

    def kinds(self) -> list[type[ClientMessage]]:
        """What the server heard, by kind."""
        return [type(message) for message in self.heard]

    def has(self, start: str) -> bool:
        """Whether a line began like this."""
        return any(line.startswith(start) for line in self.lines)


def run_plain(
    typed: str,
    answer: Callable[[ClientMessage], Sequence[Event]] = polite,
    plan: Plan = NO_PLAN,
    *,
    dial: bool = True,
    folder: Path | None = None,
) -> Ran:
    """Run the client on a pipe that holds these lines."""
    out = io.StringIO()

    async def told() -> Ran:
        async with FakeServer(answer) as server:
            text = typed.replace("HERE", str(server.address))
            console = Console(io.BytesIO(text.encode()), out, is_terminal=False)
            address = server.address if dial else None
            visit = Visit(name="maya", address=address, plan=plan, folder=folder)
            code = await PlainClient(visit, console).run()
            return Ran(code=code, lines=out.getvalue().splitlines(), heard=server.heard)

    return asyncio.run(asyncio.wait_for(told(), 20))


def with_lobby(message: ClientMessage) -> Sequence[Event]:
    """A server whose one lobby lets everybody in."""
    match message:
        case c.JoinLobby() | c.CreateLobby():
            return (Accepted(n=message.n), e.LobbyChanged(lobby=lobby_state()))
        case c.LeaveLobby():
            return (Accepted(n=message.n), e.LobbyLeft())
        case _:
            return polite(message)


def with_deal(message: ClientMessage) -> Sequence[Event]:
    """A lobby in which a deal starts as soon as somebody is ready."""
    if isinstance(message, c.SetReady):
        return (Accepted(n=message.n), *DEAL)
    if isinstance(message, c.PlayCards):
        laid = tuple(card for card in a_hand() if card.id in message.cards)
        play = played(1, YOU, message.count, message.rank, turn=0, left=10)
        return (e.Laid(play=PlayNumber(1), cards=laid), play, Accepted(n=message.n))
    return with_lobby(message)


def test_the_end_of_a_pipe_leaves_politely_after_everything_was_answered() -> None:
    ran = run_plain("join FOX-42\nsay hello\n", with_lobby)

    assert ran.code == 0
    assert ran.kinds()[1:] == [c.JoinLobby, c.Say, c.LeaveLobby]
    assert ran.has("LOBBY: FOX-42")
    assert ran.has("HALL: you are back")


def test_nothing_typed_at_all_is_no_error() -> None:
    ran = run_plain("")

    assert ran.code == 0
    assert ran.has("HELLO: welcome, maya.")


def test_a_whole_turn_can_be_played_by_typing() -> None:
    ran = run_plain("join FOX-42\nready\nq a\n", with_deal)

    plays = [one for one in ran.heard if isinstance(one, c.PlayCards)]
    assert [(play.count, play.rank) for play in plays] == [(2, Rank.ACE)]
    assert "LAID: you, 2 aces (1 ace, 1 queen: a bluff). 10 left." in ran.lines


def test_the_turn_is_told_with_the_hand_and_an_example() -> None:
    ran = run_plain("join FOX-42\nready\n", with_deal)

    turn = next(line for line in ran.lines if line.startswith("TURN:"))
    assert turn == "TURN: you, claim aces, 45 seconds. You hold 1. Example: a"
    assert ran.lines.index(turn) > [line[:5] for line in ran.lines].index("HAND:")


def test_a_word_that_makes_no_sense_says_so_and_sends_nothing() -> None:
    ran = run_plain("jion FOX-42\n")

    assert "NO: jion is not a word here. Did you mean join?" in ran.lines
    assert len(ran.heard) == 1


def test_bytes_that_are_no_text_are_replaced() -> None:
    ran = run_plain("say caf\udce9".encode("utf-8", "surrogateescape").decode("latin-1"))

    assert ran.code == 0


def test_joining_from_the_command_line_comes_before_what_is_typed() -> None:
    ran = run_plain("seats\n", with_lobby, to_join("FOX-42"))

    assert ran.has("SEAT: 4 maya")


def test_practice_builds_its_own_table() -> None:
    ran = run_plain("", with_lobby, to_practise())

    asked = ran.kinds()[1:-1]
    assert asked == [c.CreateLobby, *[c.AddComputer] * 3, c.SetReady, c.StartDeal]


def test_a_refused_name_ends_with_code_4_and_the_reason() -> None:
    ran = run_plain("", lambda _: (Refused(code=Refusal.NAME_TAKEN),))

    assert ran.code == 4
    assert ran.has("NOTE: Somebody here already has that name")


def test_who_joined_line_by_line_by_a_name_that_is_taken_was_not_told_how_to_choose_another() -> (
    None
):
    ran = run_plain("", lambda _: (Refused(code=Refusal.NAME_TAKEN),))

    assert ran.has("NEXT: the same command once more, with --name and another one.")


def test_a_lobby_that_was_not_entered_ended_as_if_it_had_been() -> None:
    def keep_out(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, c.JoinLobby):
            return (Refused(n=message.n, code=Refusal.WRONG_PASSWORD),)
        return polite(message)

    ran = run_plain("", keep_out, to_join("FOX-42"))

    assert ran.code == 4
    assert ran.lines[-1] == "NEXT: join FOX-42 PASSWORD enters it."


def test_another_lobby_will_do_where_the_first_was_not_entered() -> None:
    def full(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, c.JoinLobby) and message.code == "OWL-17":
            return (Refused(n=message.n, code=Refusal.LOBBY_FULL),)
        return with_lobby(message)

    ran = run_plain("join FOX-42\n", full, to_join("OWL-17"))

    assert ran.code == 0
    assert ran.has("NO: That lobby is full.")
    assert ran.has("NEXT: watch OWL-17 watches it.")


def test_a_server_that_is_full_was_said_not_to_be_reached_and_twice() -> None:
    full = Goodbye(code=Refusal.SERVER_FULL, text="The server is full.")

    ran = run_plain("", lambda _: (full,))

    assert ran.code == 4
    assert ran.lines == ["NOTE: The server is full."]


def test_nobody_there_ends_with_code_3() -> None:
    out = io.StringIO()
    console = Console(io.BytesIO(b""), out, is_terminal=False)
    nowhere = Address(host="127.0.0.1", port=1)

    code = asyncio.run(PlainClient(Visit(name="maya", address=nowhere), console).run())

    assert code == 3
    assert "Could not reach 127.0.0.1:1: connection refused." in out.getvalue()


def test_without_a_server_one_can_be_named() -> None:
    ran = run_plain("hall\nconnect HERE\nhall\n", dial=False)

    assert ran.has("NOTE: not connected.")
    assert ran.has("HELLO: welcome, maya.")


def test_quit_keeps_the_seat() -> None:
    ran = run_plain("join FOX-42\nquit\nsay never heard\n", with_lobby)

    assert ran.code == 0
    assert c.LeaveLobby not in ran.kinds()
    assert c.Say not in ran.kinds()
    assert ran.has("BYE: Your seat is kept. To come back: facedown join 127.0.0.1:")
    assert ran.lines[-1].endswith("/FOX-42")


def test_who_left_the_hall_as_well_was_out_of_the_program_without_a_word() -> None:
    out = io.StringIO()

    async def story() -> int:
        async with FakeServer(with_lobby) as server:
            console = Console(io.BytesIO(b"join FOX-42\nleave\nleave\n"), out, is_terminal=True)
            visit = Visit(name="maya", address=server.address)
            return await PlainClient(visit, console).run()

    assert asyncio.run(story()) == 0
    assert out.getvalue().endswith("BYE: you have left.\n")


def test_a_terminal_is_asked_before_its_end_leaves() -> None:
    out = io.StringIO()

    async def story() -> int:
        async with FakeServer() as server:
            console = Console(io.BytesIO(b""), out, is_terminal=True)
            visit = Visit(name="maya", address=server.address)
            return await PlainClient(visit, console).run()

    assert asyncio.run(story()) == 130
    assert "LEAVE: once more and you leave" in out.getvalue()


def test_output_that_nobody_reads_ends_the_client() -> None:
    class Closed(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    async def story() -> int:
        async with FakeServer() as server:
            console = Console(io.BytesIO(b"hall\n" * 50), Closed(), is_terminal=False)
            visit = Visit(name="maya", address=server.address)
            return await PlainClient(visit, console).run()

    assert asyncio.run(story()) == 0


def test_the_identity_is_stored_and_used_again(tmp_path: Path) -> None:
    async def visit_twice() -> list[ClientMessage]:
        async with FakeServer(lambda m: (*polite(m),)) as server:
            for _ in range(2):
                console = Console(io.BytesIO(b""), io.StringIO(), is_terminal=False)
                visit = Visit(name="maya", address=server.address, folder=tmp_path)
                await PlainClient(visit, console).run()
            return server.heard

    first, second = asyncio.run(visit_twice())

    assert isinstance(first, c.Hello)
    assert isinstance(second, c.Hello)
    assert first.resume is None
    assert second.resume is not None


@pytest.mark.parametrize("word", ["Y", "all"])
def test_believing_everything_lets_the_next_plays_go(word: str) -> None:
    def dealing(message: ClientMessage) -> Sequence[Event]:
        if isinstance(message, c.SetReady):
            return (Accepted(n=message.n), *DEAL, played(1, YOU, 1, Rank.ACE, turn=0))
        if isinstance(message, c.Say):
            return (Accepted(n=message.n), played(2, 0, 1, Rank.TWO, turn=1))
        return with_lobby(message)

    ran = run_plain(f"join FOX-42\nready\n{word}\nsay go\nhand\n", dealing)

    assert [one.play for one in ran.heard if isinstance(one, c.LetGoOf)] == [2]


def test_a_resumed_welcome_says_back() -> None:
    welcome = a_welcome(c.Hello(major=1, minor=0, client="t", name="maya"), resumed=True)

    ran = run_plain(
        "",
        lambda m: (
            (welcome, e.HallChanged(online=1, lobbies=())) if isinstance(m, c.Hello) else polite(m)
        ),
    )

    assert ran.has("HELLO:")


# --- to servers and away from them ----------------------------------------------------------------


def test_a_server_can_be_left_for_the_next_one_and_its_number_comes_back(tmp_path: Path) -> None:
    ran = run_plain("connect HERE\ndisconnect\nservers\nconnect 1\n", dial=False, folder=tmp_path)

    assert ran.code == 0
    assert ran.kinds().count(Hello) == 2
    assert sum(line.startswith("HELLO:") for line in ran.lines) == 2
    assert ran.has("SERVER: 1 127.0.0.1:")


def test_leaving_the_only_server_there_is_ends_the_client() -> None:
    ran = run_plain("disconnect\nsay hello\n")

    assert ran.code == 0
    assert c.Say not in ran.kinds()


def test_where_a_server_was_named_there_is_no_practice() -> None:
    assert run_plain("disconnect\n", dial=True).has("HELLO:")
    assert run_plain("practise\n").has("NO: You are connected already")


def test_practice_is_a_word_away() -> None:
    ran = run_plain("practise\nhand\nleave yes\n", dial=False)

    assert ran.code == 0
    assert ran.has("DEAL: 4 players, 52 cards.")
    assert ran.has("HAND: 13 cards.")


def test_a_practice_in_plain_mode_gave_the_line_with_which_friends_come_to_it() -> None:
    ran = run_plain("practise\nseats\ninvite\nleave yes\n", dial=False)

    assert ran.has("SEAT: 1 maya")
    assert not ran.has("INVITE:")
    assert "NO: Practice is for you alone. For friends:  facedown host" in ran.lines


def test_the_lessons_are_a_word_away() -> None:
    ran = run_plain("learn\nskip\n", dial=False)

    assert ran.has("LESSON:")
    assert ran.has("LESSON: no more of them")


def test_a_number_that_no_server_had_was_taken_for_a_machine() -> None:
    ran = run_plain("connect 5\n", dial=False)

    assert "NO: No server has that number: servers lists them." in ran.lines


def test_q_where_no_deal_runs_was_told_to_wait_for_one() -> None:
    ran = run_plain("q\n", dial=False)

    no_server = "NO: You are not connected: choose a server first."
    assert ran.lines[-1] == f"{no_server} q is a queen; quit ends."


def test_friends_are_told_what_to_type() -> None:
    ran = run_plain("invite\njoin FOX-42\ninvite\n", with_lobby)

    assert ran.has("INVITE: you are not in a lobby.")
    assert ran.has("INVITE: facedown join 127.0.0.1:")


def test_a_lobby_of_a_server_that_refused_was_looked_for_on_the_next() -> None:
    refusals = [(Refused(code=Refusal.SERVER_FULL),)]

    def full_at_first(message: ClientMessage) -> Sequence[Event]:
        return refusals.pop() if refusals else polite(message)

    ran = run_plain("connect HERE/FOX-42\nconnect HERE\n", full_at_first, dial=False)

    assert ran.kinds() == [Hello, Hello]


def test_that_one_is_still_in_another_lobby_is_said_once() -> None:
    def with_a_seat(message: ClientMessage) -> Sequence[Event]:
        here = (e.LobbyChanged(lobby=lobby_state()),) if isinstance(message, Hello) else ()
        return (*with_lobby(message), *here)

    ran = run_plain("seats\n", with_a_seat, to_join("OWL-17"))

    assert ran.lines.count("NOTE: You are still in FOX-42: leave it to join OWL-17.") == 1
