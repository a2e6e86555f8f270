"""Whole deals of computer players in the rules engine, without a server, a clock, or waiting."""

from collections.abc import Iterator, Sequence
from random import Random

from protocol import events as e
from protocol.numbers import Seat
from protocol.options import options_of
from protocol.rules import TableRules
from server.bots.choices import Pass, PlayChoice, Temperament
from server.game import actions as a
from server.game.deal import Deal
from server.game.engine import apply, new_deal, refusal_for
from server.game.view import view_for

NAMES = ("Ann", "Bea", "Cy", "Dan", "Eve", "Fay")


def new_table(rules: TableRules, players: int, rng: Random, cap: int = 300) -> Deal:
    """A deal that so many plays end."""
    seats = tuple(e.SeatState(name=name, cards=0) for name in NAMES[:players])
    deal, _ = new_deal(rules, seats, Seat(0), 1, rng, cap=cap)
    return deal


def deals_along(deal: Deal, bots: Sequence[Temperament], rng: Random, steps: int) -> Iterator[Deal]:
    """Let these play, one at each seat; each deal on the way, this many steps or until it is over."""
    for _ in range(steps):
        if deal.table.phase is e.Phase.OVER:
            return
        action = next_action(deal, bots, rng)
        assert refusal_for(deal, action) is None, action
        deal, _ = apply(deal, action, 0)
        yield deal


def next_action(deal: Deal, bots: Sequence[Temperament], rng: Random) -> a.Action:
    """What comes next, if all think equally long, and of each play once if it is protected."""
    match deal.table.phase:
        case e.Phase.REVEAL:
            return a.EndReveal()
        case e.Phase.PROTECTED:
            return _first_doubt(deal, bots, rng) or a.EndProtection()
        case _ if deal.table.rules.window_s:
            return _move(deal, bots, rng)
        case _:
            return _first_doubt(deal, bots, rng) or _move(deal, bots, rng)


def _first_doubt(deal: Deal, bots: Sequence[Temperament], rng: Random) -> a.Rule | None:
    for seat in rng.sample(deal.table.seats_in, len(deal.table.seats_in)):
        view = view_for(deal, seat)
        for play in options_of(view).challenge:
            if bots[seat].decide_doubt(view, play, rng):
                calls = (e.Call(seat=seat, after_us=0),)
                return a.Rule(play=play, challenger=seat, calls=calls)
    return None


def _move(deal: Deal, bots: Sequence[Temperament], rng: Random) -> a.Move:
    seat = deal.table.turn
    match bots[seat].decide_play(view_for(deal, seat), rng):
        case Pass():
            return a.Pass(seat=seat)
        case PlayChoice() as choice:
            return a.Play(seat=seat, cards=choice.cards, count=choice.count, rank=choice.rank)
