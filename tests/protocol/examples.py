"""Single examples that the tests of the protocol share: a hello, a welcome, a play, a table."""

from msgspec.structs import replace

from protocol.answers import Stamps, Welcome
from protocol.cards import Card, Rank, read_faces
from protocol.commands import Hello
from protocol.connection import ClientConnection, ServerConnection
from protocol.events import Call, DealStarted, Played, Ruled, SeatState, ShownPlay
from protocol.numbers import PlayNumber, Seat
from protocol.rules import CLASSIC, TableRules
from protocol.views import PublicTable, opened
from tests.support.cards import numbered

HELLO = Hello(major=1, minor=0, client="test", name="Ann")
WELCOME = Welcome(
    server="s1",
    title="Friday",
    version="1.0",
    minor=0,
    epoch="e1",
    name="Ann",
    stamps=Stamps.KERNEL,
    secret=bytes(range(32)),
)
NAMES = ("Ann", "Ben", "Cleo", "Dora")
PROTECTED_US = 4_000_000


def both_open() -> tuple[ClientConnection, ServerConnection]:
    """Both ends after hello and welcome, joined by nothing but the test."""
    client, server = ClientConnection(), ServerConnection()
    server.receive(client.send(HELLO))
    client.receive(server.send(WELCOME))
    return client, server


def cards(faces: str) -> tuple[Card, ...]:
    """Cards with ids from 0, such as "AS 10H JK"."""
    return numbered(read_faces(faces))


def a_deal(rules: TableRules = CLASSIC, players: int = 3, each: int = 5) -> DealStarted:
    """Ann deals, Ben is to move; everybody holds `each` cards."""
    return DealStarted(
        deal=1,
        rules=rules,
        dealer=Seat(0),
        turn=Seat(1),
        seats=tuple(SeatState(name=name, cards=each) for name in NAMES[:players]),
    )


def a_table(rules: TableRules = CLASSIC, players: int = 3, **changes: object) -> PublicTable:
    """The table as that deal begins, with some of it changed."""
    return replace(opened(a_deal(rules, players)), **changes)


def a_play(number: int, seat: int, **changes: object) -> Played:
    """Two cards called fives by this seat; the next of three seats is to move."""
    play = Played(
        play=PlayNumber(number),
        seat=Seat(seat),
        count=2,
        rank=Rank.FIVE,
        left=3,
        turn=Seat((seat + 1) % 3),
        protected_us=PROTECTED_US,
    )
    return replace(play, **changes)


def shown(faces: str, count: int = 2, rank: Rank = Rank.FIVE) -> ShownPlay:
    """Ben's first play, face up."""
    return ShownPlay(
        play=PlayNumber(1), seat=Seat(1), count=count, rank=rank, faces=read_faces(faces)
    )


def a_ruling(**changes: object) -> Ruled:
    """Cleo caught Ben's first play: a five and a nine called fives."""
    ruling = Ruled(
        shown=shown("5H 9C"),
        challenger=Seat(2),
        lie=True,
        taker=Seat(1),
        taken=2,
        left=5,
        turn=Seat(2),
        calls=(Call(seat=Seat(2), after_us=900_000),),
        reveal_us=3_000_000,
    )
    return replace(ruling, **changes)
