"""Nothing fires twice, and nothing fires that was meant for something else: real keys, a real client.

The server is a fake one that counts what it hears.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from protocol import commands as c
from protocol.cards import Rank
from protocol.commands import ClientMessage, Command
from protocol.events import Event
from tests.support.fake_tables import at_a_table
from tests.support.ptys import CLIENT, PtyClient, changed, on_a_terminal
from tests.support.screen_states import played, ruled
from tests.support.server_thread import ThreadedServer, a_server_beside

DEE_SAYS = played(2, 4, 1, Rank.KING, turn=5)
HAL_SAYS = played(3, 5, 1, Rank.ACE, turn=0)
# What these clients take for a moment does not depend on how busy the machine is.
AT_ONCE = changed(
    {
        "client.keys.press:STRAY_S": "0",
        "client.selectors:FRESH_S": "0",
        "client.keys.held:REPEAT_S": "60",
    }
)
BEGINNING = changed(
    {
        "client.keys.press:STRAY_S": "0",
        "client.selectors:FRESH_S": "0",
        "client.keys.held:REPEAT_S": "0",
        "client.keys.held:DELAY_S": "60",
    }
)
SLOW = changed({"client.keys.press:STRAY_S": "0", "client.selectors:FRESH_S": "60"})


@contextmanager
def playing(
    home: Path, *events: Event, client: tuple[str, ...] = CLIENT
) -> Iterator[tuple[PtyClient, ThreadedServer]]:
    """A client at a table at which this has happened."""
    with (
        a_server_beside(at_a_table) as server,
        on_a_terminal(home, *client, "join", server.address) as terminal,
    ):
        terminal.shows("your turn: ACES")
        server.say(*events)
        yield terminal, server


def everything_sent(client: PtyClient, server: ThreadedServer) -> list[type[ClientMessage]]:
    """What the client has sent; words said last prove that nothing else is on its way."""
    client.types(b"/done\r")
    server.hears(c.Say)
    return [kind for kind in server.order() if issubclass(kind, Command) and kind is not c.Say]


def test_pasted_keys_press_nothing(tmp_path: Path) -> None:
    with playing(tmp_path, DEE_SAYS) as (client, server):
        client.shows("dee says")
        client.types(b"\x1b[200~bbbb\x1b[201~")
        client.shows("Pasted text")

        assert everything_sent(client, server) == []


def test_keys_pasted_by_a_terminal_that_does_not_say_so_doubt_once(tmp_path: Path) -> None:
    with playing(tmp_path, DEE_SAYS, client=AT_ONCE) as (client, server):
        client.shows("dee says")
        client.types(b"bbbb")

        assert everything_sent(client, server) == [c.Challenge]


def test_a_key_held_down_doubts_one_play_and_not_the_next_one_too(tmp_path: Path) -> None:
    with playing(tmp_path, DEE_SAYS, client=AT_ONCE) as (client, server):
        client.shows("dee says")
        client.types(b"b")
        server.hears(c.Challenge)
        server.say(ruled(), HAL_SAYS)
        client.shows("hal says")
        client.types(b"b")
        client.shows("Held down: let go of the key first.")

        assert everything_sent(client, server) == [c.Challenge]


def test_as_a_keyboard_began_to_repeat_a_key_held_down_doubted_the_next_play_too(
    tmp_path: Path,
) -> None:
    with playing(tmp_path, DEE_SAYS, client=BEGINNING) as (client, server):
        client.shows("dee says")
        client.types(b"b")
        server.hears(c.Challenge)
        server.say(ruled(), HAL_SAYS)
        client.shows("hal says")
        client.types(b"b")
        client.shows("Held down: let go of the key first.")

        assert everything_sent(client, server) == [c.Challenge]


def test_a_press_in_the_first_moment_of_a_new_play_is_not_sent(tmp_path: Path) -> None:
    with playing(tmp_path, DEE_SAYS, client=SLOW) as (client, server):
        client.shows("dee says")
        client.types(b"b")
        client.shows("A newer play")

        assert everything_sent(client, server) == []


def test_a_key_held_down_lays_once(tmp_path: Path) -> None:
    with playing(tmp_path) as (client, server):
        client.press_until(b"a", "picked 1: A")
        client.types(b"\r" * 30)
        server.hears(c.PlayCards)

        assert everything_sent(client, server) == [c.PlayCards]


def test_keys_typed_ahead_of_the_table_are_not_meant_for_it(tmp_path: Path) -> None:
    with playing(tmp_path, client=changed({"client.keys.press:STRAY_S": "60"})) as (client, server):
        client.types(b"a5\rby")
        client.shows("only just come up")

        assert everything_sent(client, server) == []
