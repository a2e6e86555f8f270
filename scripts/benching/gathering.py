"""Bring people to their tables: at the real server through a lobby, at the baseline by name."""

from benching.frames import framed
from benching.plan import RULES
from benching.players import DEALT, GUESTS, Players, Replay
from benching.score import PLAYERS, Score
from benching.tables import Address, Line, Load, Table, Tape
from protocol import commands as c
from protocol.codec import decode_event
from protocol.events import LobbyChanged
from protocol.numbers import CommandNumber

FIRST = CommandNumber(1)  # the command with which each sits down
DEALS_BEFORE_THE_SCORE = 2  # by then numbers are as long on the wire as they mostly are
LISTEN_S = 0.05  # at a time


def at_the_server(address: Address, number: int, doubt_every: int, rules: str) -> Table:
    """Four people in a lobby of their own, with all that they heard on the way read."""
    lines = tuple(Line(address, name_of(number, seat)) for seat in range(PLAYERS))
    code = _created(lines[0], rules)
    for line in lines[1:]:
        line.say(c.JoinLobby(n=FIRST, code=code))
        line.wait_for(b"accepted")
    for seat, line in enumerate(lines):
        for _ in lines[seat + 1 :]:
            line.wait_for(b"lobby_news")  # the last that is said of each newcomer
    return Table(lines, Players([FIRST] * PLAYERS, doubt_every))


def _created(line: Line, rules: str) -> str:
    line.say(c.CreateLobby(n=FIRST, rules=rules))
    _, event = decode_event(line.wait_for(b"lobby_changed"))
    assert isinstance(event, LobbyChanged)  # noqa: S101 - its kind was looked at
    line.wait_for(b"accepted")
    return event.lobby.code


def at_the_baseline(address: Address, number: int, score: Score) -> Table:
    """Four connections whose names say where they sit."""
    lines = tuple(Line(address, name_of(number, seat)) for seat in range(PLAYERS))
    for line in lines:
        line.wait_for(b"hall_changed")
    return Table(lines, Replay(score))


def name_of(table: int, seat: int) -> str:
    """What a scripted player is called."""
    return f"t{table}s{seat}"


def take_down(address: Address, doubt_every: int, rules: str = RULES) -> Score:
    """Play at a table of the server and take down one whole deal, from the first ready on."""
    welcome = _welcome(address)
    table = at_the_server(address, 0, doubt_every, rules)
    tape = table.tape = []
    load = Load([table])
    while len(_beginnings(tape)) <= DEALS_BEFORE_THE_SCORE + 1:
        load.run(LISTEN_S)
    first, after = _beginnings(tape)[DEALS_BEFORE_THE_SCORE : DEALS_BEFORE_THE_SCORE + 2]
    return Score(
        welcome=welcome,
        steps=tuple(step for step, _ in tape[first:after]),
        heard=tuple(tuple(heard) for _, heard in tape[first:after]),
    )


def _beginnings(tape: Tape) -> list[int]:
    """Where each deal begins on the tape: with the first of the guests who is ready."""
    deals = (place for place, (step, _) in enumerate(tape) if step.update == DEALT)
    return [place - len(GUESTS) for place in deals]


def _welcome(address: Address) -> bytes:
    line = Line(address, "newcomer")
    bodies = line.wait_for(b"welcome"), line.wait_for(b"hall_changed")
    line.socket.close()
    return b"".join(framed(body) for body in bodies)
