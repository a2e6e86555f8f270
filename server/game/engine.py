"""The rules as one machine: deal, refuse, apply. Times come in as numbers; no clock lives here."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from protocol.cards import Card
from protocol.events import DealStarted, HandDealt, Phase, SeatState
from protocol.numbers import PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import FirstTurn, TableRules
from protocol.views import opened, sorted_by_id
from server.game import actions as a
from server.game import legal, moves, rulings, windows
from server.game.chairs import seated
from server.game.deal import MOST_PLAYS, Deal, Telling, Told, faced
from server.game.deck import shuffled

if TYPE_CHECKING:
    from random import Random


class IllegalAction(Exception):
    """The rules do not allow this action: `refusal` says why, and the deal is unchanged."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.value)
        self.refusal = refusal


class Law(NamedTuple):
    """When a kind of action is allowed, and what it does."""

    why_not: Callable[..., Refusal | None]
    step: Callable[..., Told]


_TIMED = (Phase.PROTECTED, Phase.REVEAL)

LAWS: dict[type[a.Action], Law] = {
    a.Play: Law(legal.why_not_play, moves.move),
    a.Pass: Law(legal.why_not_pass, moves.move),
    a.TakeBack: Law(legal.why_not_take_back, moves.take_back),
    a.LetGo: Law(legal.why_not_let_go, moves.let_go),
    a.Rule: Law(legal.why_not_rule, rulings.rule),
    a.AddLateCall: Law(legal.why_not_add, rulings.add_late_call),
    a.EndProtection: Law(legal.why_not_end_protection, moves.end_protection),
    a.EndReveal: Law(legal.why_not_end_reveal, moves.end_reveal),
    a.Stop: Law(legal.why_not_stop, moves.stop),
    a.Seated: Law(legal.why_not_seat, seated),
}


def new_deal(
    rules: TableRules,
    seats: tuple[SeatState, ...],
    dealer: Seat,
    number: int,
    rng: "Random",
    *,
    cap: int = MOST_PLAYS,
) -> Told:
    """Shuffle and deal (RULES A2 to A5, B3). Of `seats` only names and chairs are read.

    The deal ends at `cap` plays where the rules set no limit (RULES B21).
    """
    deck = shuffled(rules, len(seats), rng)
    first = (dealer + 1) % len(seats)
    if rules.first_turn is FirstTurn.RANDOM:
        first = rng.randrange(len(seats))
    return dealt(rules, seats, dealer, number, deck=deck, first=Seat(first), cap=cap)


def dealt(
    rules: TableRules,
    seats: tuple[SeatState, ...],
    dealer: Seat,
    number: int,
    *,
    deck: tuple[Card, ...],
    first: Seat,
    cap: int = MOST_PLAYS,
) -> Told:
    """Deal a deck in this order, one card at a time from the dealer's left (RULES A3).

    The ids must be 0 to the number of cards less one, in any order. `first` plays first.
    """
    players = len(seats)
    shares = [deck[(seat - dealer - 1) % players :: players] for seat in range(players)]
    around = tuple(
        SeatState(name=seat.name, cards=len(share), chair=seat.chair)
        for seat, share in zip(seats, shares, strict=True)
    )
    started = DealStarted(deal=number, rules=rules, dealer=dealer, turn=first, seats=around)
    deal = Deal(
        table=opened(started),
        cards=sorted_by_id(deck),
        hands=tuple([tuple(sorted([card.id for card in share])) for share in shares]),
        owned_since=(PlayNumber(0),) * players,
        cap=cap,
    )
    return deal, (Telling(started), *_hands_dealt(deal))


def _hands_dealt(deal: Deal) -> list[Telling]:
    return [
        Telling(HandDealt(seat=Seat(seat), cards=faced(deal, hand)), to=Seat(seat))
        for seat, hand in enumerate(deal.hands)
    ]


def refusal_for(deal: Deal, action: a.Action) -> Refusal | None:
    """Why the rules do not allow this action now, or None if they do."""
    return LAWS[type(action)].why_not(deal, action)


def apply(deal: Deal, action: a.Action, at: int) -> Told:
    """The deal after an action at this time (microseconds), and what is told because of it.

    Raises:
        IllegalAction: `refusal_for` gives a reason against it.
    """
    law = LAWS[type(action)]
    if no := law.why_not(deal, action):
        raise IllegalAction(no)
    return law.step(deal, action, at)


def next_deadline(deal: Deal) -> int | None:
    """When `EndProtection` or `EndReveal` is due, in microseconds; None if neither runs."""
    return deal.ends_at if deal.table.phase in _TIMED else None


def restart_window(deal: Deal, at: int) -> Deal:
    """Let the open window, or the reveal, start again in full at `at` (RULES C2, D5).

    For use when a play, a ruling or the last counted play was announced later than it was made,
    and when a parked table goes on. Only clocks change: protected time that is over stays over.
    """
    return windows.restarted(deal, at)
