"""What once cost the server far more than whoever asked for it: each kind is bounded."""

import contextlib
import socket

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import connection
from protocol import events as e
from protocol.answers import Accepted, Goodbye
from protocol.codec import decode_command, encode_command
from protocol.commands import ClientMessage
from protocol.framing import COMMAND_CAP, HELLO_CAP, PREFIX
from protocol.refusals import Refusal
from server import listener as home
from server.config import Settings
from server.hall import Hall
from server.listener import KERNEL_QUEUE, open_socket
from server.passwords import PasswordHash, Passwords
from server.session import MOST_PIECES
from tests.support.callers import a_call, a_hello, say_command, welcomed
from tests.support.guests import Guest, a_hall, code_of
from tests.support.sockets import an_overheard_connection
from tests.support.wires import StreamWire

FAR = "192.0.2.66"


async def somebody(hall: Hall, nursery: trio.Nursery, name: str, address: str) -> Guest:
    guest = Guest(hall, nursery, name)
    await guest.connect(address=address)
    return guest


async def open_and_leave(guest: Guest, times: int, **fields: object) -> list[Refusal | None]:
    """Open a lobby and leave it this many times; why it was refused, each time."""
    refusals = []
    for _ in range(times):
        refusals.append(code_of(await guest.ask(c.CreateLobby, **fields)))
        if refusals[-1] is None:
            assert isinstance(await guest.ask(c.LeaveLobby), Accepted)
    return refusals


async def test_lobbies_opened_and_left_in_a_loop_once_cost_a_hundred_times_what_was_sent(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = await somebody(a_hall(nursery, commands_burst=100), nursery, "ana", FAR)

    at_once = await open_and_leave(ana, 15)
    await trio.sleep(60)
    later = await open_and_leave(ana, 15)

    assert at_once.count(None) == later.count(None) == 10
    assert {*at_once, *later} == {None, Refusal.TOO_FAST}


async def test_many_who_talked_in_the_hall_were_once_each_told_to_everybody(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, hall_chat_per_s=2)
    crowd = [await somebody(hall, nursery, f"p{number}", FAR) for number in range(10)]

    for guest in crowd:
        await guest.ask(c.Say, text="hello")
    await trio.sleep(1)
    for guest in crowd:
        await guest.ask(c.Say, text="again")
    await trio.sleep(1)

    assert [line.text for line in crowd[0].all_heard(e.Said)] == ["hello"] * 4 + ["again"] * 2


async def test_with_less_than_a_line_in_two_seconds_nobody_could_once_ever_talk_in_the_hall(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    ana = await somebody(a_hall(nursery, hall_chat_per_s=0.4), nursery, "ana", FAR)

    answers = [await ana.ask(c.Say, text="hello"), await ana.ask(c.Say, text="and again")]
    await trio.sleep(2.5)
    answers.append(await ana.ask(c.Say, text="still here"))

    assert [code_of(answer) for answer in answers] == [None, Refusal.TOO_FAST, None]


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that were hashed: no work at all for a test."""
    passwords: list[str] = []

    async def hash_quickly(_: Passwords, password: str) -> PasswordHash:
        passwords.append(password)
        await trio.lowlevel.checkpoint()
        return PasswordHash(salt=b"", digest=b"")

    monkeypatch.setattr(Passwords, "hashed", hash_quickly)
    return passwords


@pytest.mark.parametrize("address", [FAR, "127.0.0.1"], ids=["one household", "this machine"])
async def test_one_guest_could_once_use_up_the_passwords_of_all_who_come_from_the_same_place(
    address: str, nursery: trio.Nursery, autojump_clock: MockClock, hashed: list[str]
) -> None:
    hall = a_hall(nursery, own_passwords_per_min=3, entries_per_min=300, commands_burst=1_000)
    greedy = await somebody(hall, nursery, "ana", address)
    other = await somebody(hall, nursery, "bo", address)

    refused = await open_and_leave(greedy, 90, password="sesame")  # noqa: S106 - of a test
    let_in = await open_and_leave(other, 3, password="sesame")  # noqa: S106

    assert refused == [None] * 3 + [Refusal.TOO_FAST] * 87
    assert let_in == [None] * 3
    assert len(hashed) == 6


async def test_one_guest_who_guessed_codes_kept_a_whole_house_out_of_lobbies_that_are_listed(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guesser, other = [await somebody(hall, nursery, name, FAR) for name in ("a", "b", "c")]
    await host.ask(c.CreateLobby)
    assert host.lobby is not None
    for number in range(5):
        await guesser.ask(c.JoinLobby, code=f"NO-{number}")

    wrong = code_of(await other.ask(c.JoinLobby, code="NO-5"))
    listed = code_of(await other.ask(c.JoinLobby, code=host.lobby.code))

    assert (wrong, listed) == (Refusal.TOO_FAST, None)


async def test_a_lobby_that_is_not_listed_is_found_no_faster_than_one_that_is_not_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guesser = [await somebody(hall, nursery, name, FAR) for name in ("a", "b")]
    await host.ask(c.CreateLobby, settings=e.LobbySettings(public=False))
    assert host.lobby is not None
    for number in range(5):
        await guesser.ask(c.JoinLobby, code=f"NO-{number}")

    answers = [await guesser.ask(c.JoinLobby, code=code) for code in (host.lobby.code, "NO-5")]

    assert [code_of(each) for each in answers] == [Refusal.TOO_FAST] * 2


@pytest.mark.parametrize(
    ("addresses", "looked_at"),
    [
        pytest.param([FAR] * 5, 6, id="five people of one address"),
        pytest.param(["127.0.0.1", "127.0.0.2", "::1"], 6, id="people on this machine"),
        pytest.param([FAR, "192.0.2.67"], 12, id="people of two addresses"),
    ],
)
async def test_two_processors_could_once_be_kept_busy_with_passwords(
    addresses: list[str],
    looked_at: int,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    hashed: list[str],
) -> None:
    hall = a_hall(nursery, passwords_per_min=6, local_passwords_per_min=6, commands_burst=1_000)

    for number, address in enumerate(addresses):
        guest = await somebody(hall, nursery, f"p{number}", address)
        await open_and_leave(guest, 9, password="sesame")  # noqa: S106 - of a test

    assert len(hashed) == looked_at


class Knocked:
    """A socket that somebody connected, of whom nothing else is known."""

    def __init__(self) -> None:
        self.is_closed = False

    def close(self) -> None:
        self.is_closed = True


async def test_connecting_in_a_loop_once_got_a_session_each_time(
    nursery: trio.Nursery, autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    served = []

    def wire(sock: Knocked, _ears: object) -> StreamWire:
        served.append(sock)
        raise OSError

    monkeypatch.setattr(home, "_tune", lambda *_: None)
    monkeypatch.setattr(home, "SocketWire", wire)
    hall = a_hall(nursery)
    with socket.socket() as sock:
        door = home.Listener(sock, hall, Settings(connects_per_s=3))
        for address, times in ((FAR, 50), ("192.0.2.67", 10), ("127.0.0.1", 500)):
            for _ in range(times):
                await door._take_in(nursery, Knocked(), address)  # type: ignore[arg-type]
        await trio.sleep(2)
        for _ in range(50):
            await door._take_in(nursery, Knocked(), FAR)  # type: ignore[arg-type]

    assert len(served) == 30 + 10 + 500 + 6


@pytest.mark.parametrize(
    ("name", "looked_at"),
    [pytest.param("host", 1, id="turned away"), pytest.param("ana", 501, id="let in")],
)
async def test_all_that_came_behind_a_hello_was_once_read_of_whoever_was_turned_away(
    name: str,
    looked_at: int,
    nursery: trio.Nursery,
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read: list[bytes] = []

    def decode(body: bytes) -> ClientMessage:
        read.append(body)
        return decode_command(body)

    monkeypatch.setattr(connection, "decode_command", decode)
    caller = a_call(a_hall(nursery, refusals_burst=1_000), nursery)

    await caller.say(replace(a_hello(), name=name), *[c.Pong(nonce=0)] * 500)
    await wait_all_tasks_blocked()

    assert len(read) == looked_at


async def test_one_read_once_took_in_as_much_as_nobody_can_honestly_say() -> None:
    async with an_overheard_connection() as (wire, client):
        client.sendall(bytes(8 * COMMAND_CAP))

        arrived = await wire.receive()

        assert len(arrived.data) == COMMAND_CAP


async def test_a_lobby_to_which_nobody_comes_back_is_closed_after_half_an_hour(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    ana = await somebody(hall, nursery, "ana", FAR)
    await ana.ask(c.CreateLobby)
    await ana.vanish()

    await trio.sleep(29 * 60)
    kept = len(hall.lobbies)
    await trio.sleep(2 * 60)

    assert (kept, len(hall.lobbies)) == (1, 0)


def test_the_kernel_once_kept_megabytes_for_somebody_who_never_reads() -> None:
    listening, _ = open_socket(Settings(port=0))
    with listening, socket.socket() as deaf:
        deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        deaf.connect(listening.getsockname())  # on loopback it can be accepted by then
        near, _ = listening.accept()
        with near:
            near.settimeout(0)
            kept = fill(near)

    assert kept < 4 * KERNEL_QUEUE


def fill(near: socket.socket) -> int:
    """Send until no more is taken; how many bytes were."""
    taken = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            taken += near.send(bytes(500))
    return taken


# --- pieces ---------------------------------------------------------------------------------------


async def test_whoever_sent_single_bytes_once_kept_the_server_busy_with_a_read_for_each(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, refusals_burst=50)
    caller = await welcomed(hall, nursery)
    reads = 0

    with contextlib.suppress(trio.BrokenResourceError, trio.ClosedResourceError):
        for byte in encode_command(say_command(1, "x" * 200)):
            await caller.send(bytes([byte]))
            await wait_all_tasks_blocked()
            reads += 1
    goodbye = await caller.wait_for(Goodbye)

    assert goodbye.code is Refusal.TOO_FAST
    assert reads <= 52


async def test_a_hello_in_single_bytes_once_cost_a_thousand_reads(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = a_call(a_hall(nursery), nursery)
    pieces = 0

    await caller.send(HELLO_CAP.to_bytes(PREFIX))
    await wait_all_tasks_blocked()  # else the first byte may be read together with it
    while not caller.closed.is_set() and pieces < HELLO_CAP - 1:
        await caller.send(b"x")
        await wait_all_tasks_blocked()
        pieces += 1

    assert pieces <= MOST_PIECES


async def test_whose_line_cuts_what_they_say_into_pieces_may_go_on(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    caller = await welcomed(a_hall(nursery), nursery)

    for number in range(1, 200):
        data = encode_command(say_command(number))
        for start in range(0, len(data), 10):
            await caller.send(data[start : start + 10])
            await wait_all_tasks_blocked()
        assert (await caller.wait_for(Accepted)).n == number
        await trio.sleep(1)
