"""Client states for the tests of the screens, made by the store from the events of a server."""

from collections.abc import Iterable

from client.screens.desk import Desk
from client.screens.frame import Frame
from client.screens.parts.bars import KeyHint
from client.screens.parts.cells import Page, text_of
from client.state import ClientState, Connecting
from client.store import AnyEvent, reduce
from protocol import events as e
from protocol.answers import Ping, Stamps, Welcome
from protocol.cards import Card, Rank, read_faces
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.rules import CLASSIC, TableRules

NAMES = ("ana", "bo", "cy", "maya", "dee", "hal")
YOU = Seat(3)
SIZES = ((80, 24), (60, 20), (120, 40))
HAND = "AS 3H 3D 5C 5D 7S 9H 10C JD QS KH KC"
WELCOME = Welcome(
    server="s1",
    title="kitchen-pc",
    version="0.1.0",
    minor=0,
    epoch="e1",
    name="maya",
    stamps=Stamps.KERNEL,
    temperaments=("casual", "certain", "proof"),
)
KEYS = (
    KeyHint(label="A-K", does="pick"),
    KeyHint(label="Enter", does="lay"),
    KeyHint(label="?", does="help"),
    KeyHint(label="Esc", does="menu"),
)


def folded(
    events: Iterable[AnyEvent], state: ClientState | None = None, at: float = 0.0
) -> ClientState:
    """The state after these events, all of which arrive at one time."""
    after = state or ClientState(name="maya")
    for event in events:
        after = reduce(after, event, at)
    return after


def online() -> ClientState:
    """In the hall, 3 ms from the server."""
    arrival = (Connecting(address="192.168.1.20:5252", encrypted=True), WELCOME)
    return folded((*arrival, Ping(nonce=1, rtt_us=3000), e.HallChanged(online=5, lobbies=())))


def lobby_state(
    *,
    rules: TableRules = CLASSIC,
    host: str = "maya",
    stage: e.LobbyStage = e.LobbyStage.GATHERING,
    seats: Iterable[e.LobbySeat] | None = None,
    **more: object,
) -> e.LobbyState:
    """A lobby of six, called FOX-42."""
    people = (e.LobbySeat(name=name) for name in NAMES) if seats is None else seats
    return e.LobbyState(
        code="FOX-42",
        rules=rules,
        settings=e.LobbySettings(),
        host=host,
        stage=stage,
        seats=tuple(people),
        **more,  # type: ignore[arg-type]
    )


def in_lobby(lobby: e.LobbyState | None = None) -> ClientState:
    """Sitting in a lobby, between deals."""
    return folded((e.LobbyChanged(lobby=lobby or lobby_state()),), online())


MAY_START = lobby_state(
    seats=[e.LobbySeat(name=name, ready=name == "ana") for name in ("maya", "ana", "bo")]
)
"""My lobby, where a deal may begin without bo."""
ONE_IS_READY = in_lobby(MAY_START)


def a_hand(faces: str = HAND) -> tuple[Card, ...]:
    """Cards with ids from 0, in the order in which they are written."""
    return tuple(Card(CardId(number), face) for number, face in enumerate(read_faces(faces)))


def dealt(
    hand: str = HAND,
    *,
    names: Iterable[str] = NAMES,
    you: int | None = YOU,
    turn: int = 0,
    rules: TableRules = CLASSIC,
) -> ClientState:
    """At a table where nothing has been played; the others hold nine cards each."""
    held = len(a_hand(hand))
    seats = tuple(
        e.SeatState(name=name, cards=held if number == you else 9)
        for number, name in enumerate(names)
    )
    lobby = lobby_state(
        rules=rules,
        stage=e.LobbyStage.PLAYING,
        seats=[e.LobbySeat(name=seat.name) for seat in seats],
    )
    started = e.DealStarted(
        deal=1, rules=rules, dealer=Seat(len(seats) - 1), turn=Seat(turn), seats=seats
    )
    own = () if you is None else (e.HandDealt(seat=Seat(you), cards=a_hand(hand)),)
    return folded((e.LobbyChanged(lobby=lobby), started, *own), online())


def played(
    play: int, seat: int, count: int, rank: Rank, *, turn: int, left: int = 7, **more: object
) -> e.Played:
    """A play with a protected time of 4 s."""
    return e.Played(
        play=PlayNumber(play),
        seat=Seat(seat),
        count=count,
        rank=rank,
        left=left,
        turn=Seat(turn),
        **{"protected_us": 4_000_000, **more},  # type: ignore[arg-type]
    )


def stands(play: int) -> e.Stands:
    """Nobody doubted it."""
    return e.Stands(play=PlayNumber(play))


def ruled(*, lie: bool = True, **more: object) -> e.Ruled:
    """Maya doubts dee's king, 83 ms before bo; dee laid a seven, or a king if it is the truth."""
    faces = read_faces("7C" if lie else "KC")
    shown = e.ShownPlay(play=PlayNumber(2), seat=Seat(4), count=1, rank=Rank.KING, faces=faces)
    calls = (
        e.Call(seat=YOU, after_us=1_204_000, rtt_us=3_000),
        e.Call(seat=Seat(1), after_us=83_000, ssh=True),
    )
    usual: dict[str, object] = {
        "shown": shown,
        "challenger": YOU,
        "lie": lie,
        "taker": Seat(4) if lie else YOU,
        "taken": 8,
        "left": 8,
        "turn": Seat(5),
        "calls": calls,
        "reveal_us": 3_000_000,
    }
    return e.Ruled(**{**usual, **more})  # type: ignore[arg-type]


def a_frame(
    state: ClientState,
    size: tuple[int, int] = (80, 24),
    *,
    now: float = 1.0,
    desk: Desk | None = None,
) -> Frame:
    """A frame of that size with a few keys on its bar."""
    columns, rows = size
    return Frame(state=state, desk=desk or Desk(), columns=columns, rows=rows, now=now, keys=KEYS)


def texts(page: Page) -> list[str]:
    """The rows of a page without styles and without the spaces at their ends."""
    return [text_of(line).rstrip() for line in page]
