"""Four scripted players: what they send, step by step, to the end of a deal and on to the next."""

from collections.abc import Iterator
from itertools import count, cycle
from typing import Protocol

from benching.score import PLAYERS, Score, Step
from protocol import commands as c
from protocol import events as e
from protocol.cards import Card, Rank
from protocol.codec import decode_event, encode_command
from protocol.commands import AnyCommand
from protocol.numbers import CardId, CommandNumber, PileNumber, PlayNumber

HOST, *GUESTS = range(PLAYERS)  # by seat
DEALT = b"hand_dealt"
ACTIONS_OF_A_DEAL = 63  # about: 13 plays of each seat, some doubts, and what begins and ends it


class Script(Protocol):
    """Where a table's next action comes from."""

    @property
    def wanted(self) -> frozenset[bytes]:
        """The kinds of events that `hear` is to be given."""
        ...

    def steps(self) -> Iterator[Step]:
        """One action after the other, for ever; each is complete before the next is taken."""
        ...

    def hear(self, seat: int, body: bytes) -> None:
        """Take in an event that came to a seat."""
        ...


class Players:
    """Four players by fixed rules, who know only what they are told.

    Each lays the lowest card of the hand and claims the rank due, true or not; every
    `doubt_every`-th play is doubted by the next seat; last cards are let go at once.
    """

    wanted = frozenset({b"deal_started", DEALT, b"took"})

    def __init__(self, numbers: list[int], doubt_every: int) -> None:
        self._numbers = numbers  # of each seat's newest command
        self._doubt_every = doubt_every
        self._hands: list[list[CardId]] = [[] for _ in range(PLAYERS)]
        self._turn = 0
        self._number = 0

    def steps(self) -> Iterator[Step]:
        """Deal after deal: all are ready, the host deals, they play, last cards are let go."""
        while True:
            for seat in GUESTS:
                yield self._step(seat, c.SetReady(n=self._next(seat)), b"seat_changed")
            yield self._step(HOST, c.StartDeal(n=self._next(HOST)), DEALT)
            yield from self._deal()

    def hear(self, seat: int, body: bytes) -> None:
        """Take the cards dealt or picked up in hand, and note who begins."""
        match decode_event(body)[1]:
            case e.DealStarted(turn=turn, deal=number):
                self._turn, self._number = turn, number
            case e.HandDealt(cards=cards):
                self._hands[seat] = _ids(cards)
            case e.Took(cards=cards):
                self._hands[seat] += _ids(cards)

    def _deal(self) -> Iterator[Step]:
        seat, pile = self._turn, 0
        for play in count(1):
            yield self._play(seat, play, pile)
            if not self._hands[seat]:
                yield from self._let_go(seat, play)
                return
            seat = (seat + 1) % PLAYERS
            if play % self._doubt_every == 0:
                yield self._step(seat, self._challenge(seat, play), b"ruled")
                pile += 1

    def _challenge(self, seat: int, play: int) -> c.Challenge:
        return c.Challenge(n=self._next(seat), deal=self._number, play=PlayNumber(play))

    def _play(self, seat: int, play: int, pile: int) -> Step:
        lowest = min(self._hands[seat])
        self._hands[seat].remove(lowest)
        command = c.PlayCards(
            n=self._next(seat),
            deal=self._number,
            after=PlayNumber(play - 1),
            pile=PileNumber(pile),
            cards=(lowest,),
            count=1,
            rank=Rank.ACE.up(play - 1),
        )
        return self._step(seat, command, b"played")

    def _let_go(self, player: int, play: int) -> Iterator[Step]:
        others = [(player + step) % PLAYERS for step in range(1, PLAYERS)]
        for seat in others:
            # When the last one lets go, the deal is over and the lobby says so.
            update = b"stage_changed" if seat == others[-1] else b"let_go"
            command = c.LetGoOf(n=self._next(seat), deal=self._number, play=PlayNumber(play))
            yield self._step(seat, command, update)

    def _next(self, seat: int) -> CommandNumber:
        self._numbers[seat] += 1
        return CommandNumber(self._numbers[seat])

    @staticmethod
    def _step(seat: int, command: AnyCommand, update: bytes) -> Step:
        return Step(seat=seat, command=encode_command(command), update=update)


class Replay:
    """The same from a score, round and round: for the baseline, which knows no game."""

    wanted: frozenset[bytes] = frozenset()

    def __init__(self, score: Score) -> None:
        self._score = score

    def steps(self) -> Iterator[Step]:
        """The steps of the score, for ever."""
        return cycle(self._score.steps)

    def hear(self, seat: int, body: bytes) -> None:
        """Nothing that is heard changes what comes next."""


def _ids(cards: tuple[Card, ...]) -> list[CardId]:
    return [card.id for card in cards]
