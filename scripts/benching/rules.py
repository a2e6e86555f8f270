"""Plays per second of the rules engine alone, beside the same players with plain lists."""

import sys
import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import NamedTuple

from protocol import events as e
from protocol.numbers import PlayNumber, Seat
from protocol.rules import TableRules
from server.game.actions import EndProtection, Play, Rule
from server.game.deal import Deal
from server.game.engine import apply, new_deal

PLAYERS = 4
DOUBTS = 0.1  # of all plays, by random players
RULES = TableRules(window_s=0, reveal_s=0)  # classic, one action for each play
SEATS = tuple(e.SeatState(name=name, cards=0) for name in ("Ann", "Bea", "Cy", "Dan"))


class Measured(NamedTuple):
    """The medians of several runs, in plays per processor second."""

    engine: float
    baseline: float

    @property
    def ratio(self) -> float:
        """How much of the baseline's speed the engine reaches."""
        return self.engine / self.baseline


def measure_rules(plays: int, runs: int) -> Measured:
    """Run engine and baseline turn and turn about, and say how it goes on the error output."""
    engine, baseline = [], []
    for run in range(runs):
        engine.append(plays_per_second(play_in_engine, plays, seed=run))
        baseline.append(plays_per_second(play_in_lists, plays, seed=run))
        print(
            f"run {run + 1} of {runs}: engine {engine[-1]:,.0f}, lists {baseline[-1]:,.0f} plays/s",
            file=sys.stderr,
            flush=True,
        )
    return Measured(median(engine), median(baseline))


def plays_per_second(play: Callable[[int, Random], int], plays: int, *, seed: int) -> float:
    """Let it make at least this many plays; return plays per second of processor time."""
    rng = Random(seed)  # noqa: S311, dice for a measurement
    began = time.process_time()
    made = play(plays, rng)
    return made / (time.process_time() - began)


def choose(hand_size: int, rng: Random) -> int:
    """How many cards a random player lays."""
    return min(hand_size, 1 + int(rng.random() * 4))


def play_in_engine(plays: int, rng: Random) -> int:
    """Play deals with random players until this many plays are made; return how many."""
    made = 0
    while made < plays:
        deal, _ = new_deal(RULES, SEATS, Seat(0), 1, rng)
        while deal.table.phase is not e.Phase.OVER:
            deal = one_play(deal, rng)
        made += deal.table.newest
    return made


def one_play(deal: Deal, rng: Random) -> Deal:
    """One play and, by chance, its challenge; last cards stand if nobody doubts them."""
    table = deal.table
    hand = deal.hands[table.turn]
    count = choose(len(hand), rng)
    start = int(rng.random() * (len(hand) - count + 1))
    cards = hand[start : start + count]
    play = Play(seat=table.turn, cards=cards, count=count, rank=table.due[0])
    deal, _ = apply(deal, play, 0)
    if rng.random() < DOUBTS:
        deal, _ = apply(deal, doubt_by(deal.table.turn, deal.table.newest), 0)
    elif deal.table.phase is e.Phase.PROTECTED:
        deal, _ = apply(deal, EndProtection(), 0)
    return deal


def doubt_by(seat: Seat, number: PlayNumber) -> Rule:
    """The next player doubts the newest play."""
    return Rule(play=number, challenger=seat, calls=(e.Call(seat=seat, after_us=0),))


def play_in_lists(plays: int, rng: Random) -> int:
    """Do the same in the plainest way there is: no checks, no events, lists that change."""
    made = 0
    while made < plays:
        deck = list(range(52))
        rng.shuffle(deck)
        hands = [deck[seat::PLAYERS] for seat in range(PLAYERS)]
        made += play_a_deal_in_lists(hands, rng)
    return made


def play_a_deal_in_lists(hands: list[list[int]], rng: Random) -> int:
    """Play until somebody's last cards stand; return how many plays it took."""
    pile: list[int] = []
    made, seat, rank = 0, 1, 0
    while made < 2000:  # noqa: PLR2004, the cap of RULES B21
        hand = hands[seat]
        count = choose(len(hand), rng)
        start = int(rng.random() * (len(hand) - count + 1))
        laid = hand[start : start + count]
        del hand[start : start + count]
        pile += laid
        made += 1
        true = True
        if rng.random() < DOUBTS:
            true = all(card % 13 == rank for card in laid)
            hands[(seat + 1) % PLAYERS if true else seat] += pile
            pile = []
        if not hand and true:
            return made
        seat, rank = (seat + 1) % PLAYERS, (rank + 1) % 13
    return made
