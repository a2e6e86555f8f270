"""What the baseline keeps before each fan-out, where it is to keep anything: a play and its answer.

It is what the server keeps of one play, in the same journal and through the same writer thread. So
what this adds to the bare fan-out is what one commit costs where people wait for it: the thread's
way there and back, and the processors that have gone to sleep meanwhile.
"""

from random import Random
from typing import Self

from benching.rules import RULES, SEATS
from protocol import events as e
from protocol.answers import Accepted
from protocol.codec import encode_event
from protocol.numbers import CommandNumber, PlayNumber, Seat
from server.game.actions import Play
from server.game.deal import Deal
from server.game.engine import new_deal
from server.journal.records import (
    ActionDone,
    AnswerKept,
    DealBegun,
    LobbyKept,
    LobbyRecord,
    PersonKept,
)
from server.journal.store import Store

CODE = "FOX-42"
WHO = b"\0" * 32
BEGUN = e.LobbyState(
    code=CODE,
    rules=RULES,
    settings=e.LobbySettings(),
    host="Ann",
    stage=e.LobbyStage.PLAYING,
    seats=(),
    deals=1,
)


class PlaysKept:
    """One deal in a journal, of which the same play is kept over and over."""

    def __init__(self, store: Store, deal: Deal) -> None:
        turn = deal.table.turn
        self._store = store
        self._play = Play(seat=turn, cards=deal.hands[turn][:1], count=1, rank=deal.table.due[0])
        self._count = 0

    @classmethod
    async def begin(cls, store: Store) -> Self:
        """Keep what a play presupposes: somebody, a lobby, a deal."""
        deal, _ = new_deal(RULES, SEATS, Seat(0), 1, Random(7))  # noqa: S311, dice for a measurement
        await store.commit(
            PersonKept(digest=WHO, name="Ann", address="127.0.0.1", seen_at=0),
            LobbyKept(code=CODE, lobby=LobbyRecord(state=BEGUN, deal_runs=True)),
            DealBegun(code=CODE, deal=deal),
        )
        return cls(store, deal)

    async def keep(self) -> None:
        """Keep one play, and the answer to the command behind it."""
        self._count += 1
        at, number = PlayNumber(self._count), CommandNumber(self._count)
        await self._store.commit(
            ActionDone(code=CODE, action=self._play, at=at, announced_at=at),
            AnswerKept(digest=WHO, n=number, packed=encode_event(Accepted(n=number))),
        )
