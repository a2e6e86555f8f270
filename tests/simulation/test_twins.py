"""Non-interference: two hidden cards exchange their faces, and nobody else's wire shows a difference.

The same evening is simulated twice, with people who go by the names of cards and by what is public.
Until one of the two cards lies in a pile that is turned up or taken, or the deal is over, everybody
but the two who hold them must be sent the same bytes at the same times.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

import pytest
from msgspec.structs import replace

from protocol import events as e
from protocol.cards import Card
from protocol.numbers import CardId
from protocol.rules import TableRules
from server.game.deck import shuffled
from tests.simulation.evening import Evening, checked, run_plan
from tests.simulation.ledger import Booked, Entry
from tests.simulation.network import LAN, WIFI
from tests.simulation.plan import Faults, Guest, Plan, TablePlan, plan_for
from tests.simulation.tempers import BLIND
from tests.simulation.world import SECOND

RULES = ("sneak-2.w2.t-off.plays-25", "pass.w0.t-off.plays-25", "up-same-down.t-off.plays-25")
SEEDS = range(6)
FEWEST_LINES = 60  # compared, in all evenings together


@dataclass(slots=True)
class Seen:
    """One evening: all that was sent, the first deal, and when a secret of it came out."""

    notes: list[str] = field(default_factory=list)
    deal: Booked | None = None
    hands: tuple[tuple[CardId, ...], ...] = ()
    out_at: int | None = None


def a_plan(seed: int) -> Plan:
    """A table of people who do not look at faces; lines break now and then."""
    names = ("ana", "bo", "cy", "dee", "eve")
    guests = tuple(Guest(name=name, temper=BLIND, weather=(LAN, WIFI)[seed % 2]) for name in names)
    table = TablePlan(
        rules=RULES[seed % len(RULES)],
        guests=guests,
        watchers=frozenset({"eve"}),
        computers=(),
        deals=1,
        public=True,
    )
    plan = plan_for(f"twins-{seed}")
    return Plan(
        seed=plan.seed,
        settings={**plan.settings, "replay": (5, 512)[seed % 2]},
        tables=(table,),
        disk=plan.disk,
        faults=Faults(breaks=20 * SECOND),
        buffer=plan.buffer,
        creeps=plan.creeps,
        late=600 * SECOND,
    )


def see(plan: Plan, pair: tuple[CardId, CardId] | None) -> Seen:
    """Simulate the evening; in its first deal this pair of cards has exchanged its faces."""
    seen = Seen()

    def prepare(evening: Evening) -> None:
        def dealt(table: Booked) -> None:
            if seen.deal is None:
                seen.deal, seen.hands = table, table.deal.hands

        def acted(entry: Entry) -> None:
            if pair is not None and seen.out_at is None and _comes_out(entry, pair):
                seen.out_at = evening.world.now

        evening.ledger.on_deal.append(dealt)
        evening.ledger.on_action.append(acted)

    with exchanged(pair):
        checked(run_plan(plan, notes=seen.notes, prepare=prepare))
    return seen


def _comes_out(entry: Entry, pair: tuple[CardId, CardId]) -> bool:
    for telling in entry.tellings:
        if isinstance(telling.event, e.DealOver):
            return True
        if isinstance(telling.event, e.Ruled):
            pile = entry.before.table.pile
            laid = {card for play in pile for card in entry.before.laid[play.play - 1].cards}
            return not laid.isdisjoint(pair)
    return False


@contextlib.contextmanager
def exchanged(pair: tuple[CardId, CardId] | None) -> Iterator[None]:
    """In the first deck that is shuffled the two cards have each other's faces."""
    decks = [0]

    def shuffle(rules: TableRules, players: int, rng: Random) -> tuple[Card, ...]:
        deck = shuffled(rules, players, rng)
        decks[0] += 1
        if pair is None or decks[0] > 1:
            return deck
        faces = {card.id: card.face for card in deck}
        first, second = pair
        faces[first], faces[second] = faces[second], faces[first]
        return tuple(replace(card, face=faces[card.id]) for card in deck)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.game.engine.shuffled", shuffle)
        yield


def a_hidden_pair(seen: Seen) -> tuple[CardId, CardId]:
    """Two cards of different faces in the hands of the first two seats."""
    assert seen.deal is not None
    cards = seen.deal.deal.cards
    mine, theirs = seen.hands[:2]
    return next(
        (a, b) for a in mine for b in theirs if cards[a].face.rank is not cards[b].face.rank
    )


def lines_of_others(seen: Seen, holders: set[str], until: int) -> list[str]:
    """What was sent on the wires of those who do not hold the cards, before this time."""
    lines = []
    for note in seen.notes:
        when, direction, *rest = note.split()
        if direction in {"<", ">"} and int(when) < until:
            name = rest[0].partition(".")[0]
            if name not in holders:
                lines.append(note)
    return lines


@pytest.mark.timeout(600)
def test_two_hidden_cards_can_be_exchanged_and_nobody_else_notices() -> None:
    compared = 0

    for seed in SEEDS:
        plan = a_plan(seed)
        pair = a_hidden_pair(see(plan, None))
        plain, twin = see(plan, None), see(plan, pair)
        assert plain.deal is not None
        holders = {holder.name for holder in plain.deal.record.holders[:2]}
        assert twin.out_at is not None
        ours, theirs = (lines_of_others(seen, holders, twin.out_at) for seen in (plain, twin))
        assert ours == theirs
        assert plain.notes != twin.notes, "the holders saw no difference, either"
        compared += len(ours)

    assert compared > FEWEST_LINES
