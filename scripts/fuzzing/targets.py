"""What bytes are thrown at. A target returns, or what it raises is a bug: each knows the one typed error.

All of them take bytes alone, so that the tests, a fuzzer that watches the coverage, and somebody with
a file that once broke something can call them in the same way.
"""

import unicodedata
from collections.abc import Callable
from functools import cache
from random import Random
from typing import get_args

from client.state import ClientState
from fuzzing.evenings import WELCOME, frames_of_an_evening
from fuzzing.victims import Victim
from protocol.codec import (
    UnknownEvent,
    decode_command,
    decode_event,
    encode_command,
    encode_event,
    frame_event,
)
from protocol.codes import BadRulesCode, parse_rules, rules_code
from protocol.commands import Hello
from protocol.connection import ClientConnection, ServerConnection
from protocol.errors import LocalProtocolError, RemoteProtocolError
from protocol.framing import PREFIX
from protocol.text import MAX_CHAT, MAX_MARKS, clean, is_a_name, name_key
from server.journal.records import Change, DealBegun, KeptLobby, LobbyKept
from server.journal.recovery import recovered_deal, recovered_lobby
from server.journal.rows import Row
from server.journal.store import Damaged

Target = Callable[[bytes], None]

LONGEST_SENTENCE = 600
HELLO = Hello(major=1, minor=0, client="fuzz", name="Ann")
AN_EVENING = frames_of_an_evening(Random(1))  # noqa: S311 - the same each time, on purpose


def to_server(body: bytes) -> None:
    """The body of a frame to the server: a message that is read again as it was, or refused."""
    try:
        message = decode_command(body)
    except RemoteProtocolError:
        return
    assert decode_command(encode_command(message)[PREFIX:]) == message  # noqa: S101


def to_client(body: bytes) -> None:
    """The body of a frame to the client: an event that is read again as it was, or refused."""
    try:
        number, event = decode_event(body)
        if isinstance(event, UnknownEvent):
            return
        again = frame_event(number, encode_event(event))
    except (
        RemoteProtocolError,
        LocalProtocolError,
    ):  # our defaults may make it longer than a frame
        return
    assert decode_event(again[PREFIX:]) == (number, event)  # noqa: S101


def stream_to_server(data: bytes) -> None:
    """All that comes over a line to the server, in pieces; before it and after a hello."""
    for first in (b"", ClientConnection().send(HELLO)):
        server = ServerConnection()
        _in_pieces(server, first + data)


def stream_to_client(data: bytes) -> None:
    """All that comes over a line to a client, in pieces; before it and after a welcome."""
    server = ServerConnection()
    server.receive(ClientConnection().send(HELLO))
    for first in (b"", server.send(WELCOME)):
        _in_pieces(ClientConnection(), first + data)


def _in_pieces(end: ServerConnection | ClientConnection, data: bytes) -> None:
    size = 1 + len(data) % 7
    try:
        for at in range(0, len(data), size):
            end.receive(data[at : at + size])
    except RemoteProtocolError:
        assert not end.receive(data)  # noqa: S101 - closed: nothing more is read


def text(data: bytes) -> None:
    """What somebody says: one short line that steers no terminal, the same when cleaned again."""
    said = data.decode(errors="replace")
    line = clean(said)
    assert len(line) <= MAX_CHAT  # noqa: S101
    assert line.isprintable(), ascii(line)  # noqa: S101
    assert clean(line) == line  # noqa: S101
    marks = "".join("x" if unicodedata.category(one)[0] == "M" else " " for one in line)
    assert "x" * (MAX_MARKS + 1) not in marks, ascii(line)  # noqa: S101
    if is_a_name(said):
        assert clean(said) == said  # noqa: S101
        assert name_key(said) == name_key(said.swapcase())  # noqa: S101


def rules(data: bytes) -> None:
    """What somebody types as a rules code: a setting that has a code of its own, or refused."""
    try:
        wanted = parse_rules(data.decode(errors="replace"))
    except BadRulesCode as fault:
        _is_a_sentence(fault)
        return
    assert parse_rules(rules_code(wanted)) == wanted  # noqa: S101


def journal(data: bytes) -> None:
    """A record of the journal whose checksum is right: a change, and a lobby that can be used."""
    for kind in get_args(Change):
        try:
            change = Row.of("here", data).read("here", kind)
            if isinstance(change, DealBegun):
                recovered_deal(change.code, change.deal, ())
            elif isinstance(change, LobbyKept):
                recovered_lobby(KeptLobby(code=change.code, lobby=change.lobby))
        except Damaged as damage:
            _is_a_sentence(damage)


def _is_a_sentence(fault: Exception) -> None:
    said = str(fault)
    assert said.isprintable(), ascii(said)  # noqa: S101
    assert 0 < len(said) < LONGEST_SENTENCE, said  # noqa: S101


@cache
def _in_a_deal() -> ClientState:
    victim = Victim(Random(1), draw_every=1)  # noqa: S311
    for body in AN_EVENING[: len(AN_EVENING) // 2]:
        victim.hear(body)
    return victim.state


def client(data: bytes) -> None:
    """Frames to a client in the middle of a deal: `data` is cut at each byte 0xff into their bodies."""
    victim = Victim(Random(len(data)), draw_every=1)  # noqa: S311 - the same again for the same bytes
    victim.state = _in_a_deal()
    for body in data.split(b"\xff"):
        victim.hear(body)


TARGETS: dict[str, Target] = {
    "to-server": to_server,
    "to-client": to_client,
    "stream-to-server": stream_to_server,
    "stream-to-client": stream_to_client,
    "text": text,
    "rules": rules,
    "journal": journal,
    "client": client,
}
