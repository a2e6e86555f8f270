"""Changes for a journal to keep, each about as plain as it can be."""

from random import Random

from protocol.events import Chair, LobbySettings, LobbyStage, LobbyState, Said
from protocol.numbers import CommandNumber, Seat
from protocol.rules import CLASSIC
from server.game.actions import Seated
from server.game.engine import new_deal
from server.journal.records import (
    ActionDone,
    AnswerKept,
    DealBegun,
    LineSaid,
    LobbyKept,
    LobbyRecord,
    PersonKept,
)
from tests.support.deals import some_seats

FOX, OWL = "FOX-42", "OWL-7"


def digest(person: int) -> bytes:
    """The digest of this person's secret."""
    return bytes([person]) * 32


def a_person(person: int = 1, *, last_command: int = 0, name: str = "Maya") -> PersonKept:
    """Somebody is known."""
    return PersonKept(
        digest=digest(person), name=name, address="::1", seen_at=7, last_command=last_command
    )


def an_answer(n: int, person: int = 1) -> AnswerKept:
    """This command of a person was answered."""
    return AnswerKept(digest=digest(person), n=CommandNumber(n), packed=f"answer {n}".encode())


def a_lobby(code: str = FOX, *, deal_runs: bool = False, lines: int = 0) -> LobbyKept:
    """A lobby in which this many lines were said."""
    state = LobbyState(
        code=code,
        rules=CLASSIC,
        settings=LobbySettings(),
        host="Maya",
        stage=LobbyStage.PLAYING if deal_runs else LobbyStage.GATHERING,
        seats=(),
        deals=1,
    )
    chat = tuple(Said(name="Maya", text=f"{line:200}") for line in range(lines))
    return LobbyKept(code=code, lobby=LobbyRecord(state=state, deal_runs=deal_runs, chat=chat))


def a_beginning(code: str = FOX, seed: int = 7) -> DealBegun:
    """A deal begins."""
    deal, _ = new_deal(CLASSIC, some_seats(4), Seat(0), 1, Random(seed))
    return DealBegun(code=code, deal=deal)


def a_line(line: int, code: str = FOX) -> LineSaid:
    """Somebody says something."""
    return LineSaid(code=code, said=Said(name="Maya", text=f"line {line}", line=line))


def a_running_deal(code: str = FOX, *, lines: int = 0) -> tuple[LobbyKept, DealBegun]:
    """A lobby in which a deal runs, and how that began: kept together."""
    return a_lobby(code, deal_runs=True, lines=lines), a_beginning(code)


def an_action(at: int, code: str = FOX) -> ActionDone:
    """An action that the rules allow at any time."""
    seated = Seated(seat=Seat(1), name="Zoe", chair=Chair.OWNER)
    return ActionDone(code=code, action=seated, at=at)
