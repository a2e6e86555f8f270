"""Two evenings beside each other that differ in one thing, which nobody else may notice.

Each comparison answers with what differs, and how much was compared. What differs by right:

* Hidden cards: what is sent to and by the two who hold them; all, once the rules turn one of them
  up or move it to somebody else.
* A den: what is told in the hall (who is online, which lobbies there are, what is said there), and
  all that happens to somebody who has left the table for the hall: such news is a sign of life. And
  what the tables share with the den by right is not in these evenings: the processor (the server's
  own work takes no time), the disk (each commit is a transaction of its own), and the line itself
  (what comes from the server takes as long whatever else was sent).
"""

import contextlib
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

import msgspec
import pytest

from protocol import events as e
from protocol.cards import Card
from protocol.codec import decode_event
from protocol.framing import EVENT_CAP, FrameReader
from protocol.numbers import CardId
from protocol.rules import TableRules
from server.game.deck import shuffled
from server.journal.records import HolderRecord
from tests.simulation.disk import DiskPlan
from tests.simulation.evening import Evening, checked, run_plan
from tests.simulation.ledger import Booked, Entry
from tests.simulation.network import CRUMBS, LAN, WIFI
from tests.simulation.plan import Faults, Guest, Plan, TablePlan, plan_for, with_room
from tests.simulation.tempers import (
    BLIND,
    CALL_HAPPY,
    CHATTY,
    HONEST,
    LIAR,
    PASSER,
    SHAKY,
    SILENT,
    SNEAK,
)
from tests.simulation.world import SECOND

RULES = ("sneak-2.w2.t-off.plays-25", "pass.w0.t-off.plays-25", "up-same-down.t-off.plays-25")


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """What came of laying two evenings beside each other."""

    lines: int  # that were compared
    plays: int = 0  # that were laid on the other evening only, or laid otherwise
    difference: str = ""


@dataclass(slots=True)
class Seen:
    """One evening: all that was sent, the first deal, and when a secret of it came out."""

    notes: list[str] = field(default_factory=list)
    deal: Booked | None = None
    hands: tuple[tuple[CardId, ...], ...] = ()
    holders: tuple[HolderRecord, ...] = ()  # as they began: a seat may be taken over later
    out_at: int | None = None


def beside(ours: list[str], theirs: list[str]) -> Compared:
    """Lay what was sent on one evening beside what was sent on the other."""
    if ours == theirs:
        return Compared(lines=len(ours))
    pairs = zip([*ours, "the end"], [*theirs, "the end"], strict=False)
    mine, other = next((a, b) for a, b in pairs if a != b)
    return Compared(lines=len(ours), difference=f"{mine[:300]} on one evening, {other[:300]}")


def again(twins: Callable[[int], Compared], seed: int) -> str:
    """What shows these two evenings again; their plans are not those of their seeds."""
    name = twins.__name__
    code = f"from {twins.__module__} import {name}; print({name}({seed}))"
    return shlex.join([".venv/bin/python", "-c", code])


# --- hidden cards ---------------------------------------------------------------------------------


def with_hidden_cards(seed: int) -> Compared:
    """The evening of a seed as it is, and with the faces of two hidden cards exchanged."""
    plan = _of_blind_people(seed)
    plain = _see(seed, plan, None)
    assert plain.deal is not None
    people = [seat for seat, holder in enumerate(plain.holders) if holder.owner is not None]
    if len(people) < 2:
        return Compared(lines=0)
    holding = _holding(seed, people)
    pair = a_hidden_pair(plain, *holding)
    twin = _see(seed, plan, pair)
    assert twin.out_at is not None
    assert plain.notes != twin.notes, "the holders saw no difference, either"
    holders = {plain.holders[seat].name for seat in holding}
    return beside(
        lines_of_others(plain, holders, twin.out_at), lines_of_others(twin, holders, twin.out_at)
    )


def _of_blind_people(seed: int) -> Plan:
    """A table of people who do not look at faces; lines break now and then."""
    names = ("ana", "bo", "cy", "dee", "eve")
    guests = tuple(Guest(name=name, temper=BLIND, weather=(LAN, WIFI)[seed % 2]) for name in names)
    table = TablePlan(
        rules=RULES[seed % len(RULES)],
        guests=guests,
        watchers=frozenset({"eve"}),
        computers=("casual",),
        deals=1,
        public=True,
    )
    plan = with_room(plan_for(f"twins-{seed}"))
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


def _see(seed: int, plan: Plan, pair: tuple[CardId, CardId] | None) -> Seen:
    """Simulate the evening; in its first deal this pair of cards has exchanged its faces."""
    seen = Seen()

    def prepare(evening: Evening) -> None:
        def dealt(table: Booked) -> None:
            if seen.deal is None:
                seen.deal, seen.hands = table, table.deal.hands
                seen.holders = table.record.holders

        def acted(entry: Entry) -> None:
            if pair is not None and seen.out_at is None and _comes_out(entry, pair):
                seen.out_at = evening.world.now

        evening.ledger.on_deal.append(dealt)
        evening.ledger.on_action.append(acted)

    with exchanged(pair):
        report = run_plan(plan, notes=seen.notes, prepare=prepare)
    checked(report, again=again(with_hidden_cards, seed))
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
        return tuple(msgspec.structs.replace(card, face=faces[card.id]) for card in deck)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("server.game.engine.shuffled", shuffle)
        yield


def _holding(seed: int, people: list[int]) -> tuple[int, int]:
    """The seats of two of these people."""
    first, second = Random(f"holders {seed}").sample(people, 2)
    return first, second


def a_hidden_pair(seen: Seen, first: int, second: int) -> tuple[CardId, CardId]:
    """Two cards of different ranks in the hands of two seats."""
    assert seen.deal is not None
    cards = seen.deal.deal.cards
    mine, theirs = seen.hands[first], seen.hands[second]
    return next(
        (a, b) for a in mine for b in theirs if cards[a].face.rank is not cards[b].face.rank
    )


def lines_of_others(seen: Seen, holders: set[str], until: int) -> list[str]:
    """What was sent on the wires of those who do not hold the cards, before this time."""
    return [
        note
        for when, direction, line, note in _sent(seen.notes)
        if direction in "<>" and when < until and line.partition(".")[0] not in holders
    ]


def _sent(notes: list[str]) -> Iterator[tuple[int, str, str, str]]:
    """When, in which direction, on which line, and all of the note."""
    for note in notes:
        when, direction, *rest = note.split()
        if direction in {"<", ">"}:
            yield int(when), direction, rest[0], note


# --- a den ----------------------------------------------------------------------------------------

MALLORIES = 3
IN_THE_HALL = (e.HallChanged, e.Listed, e.Unlisted, e.Online)
WEATHERS = (
    replace(LAN, name="even LAN", even=700),
    replace(WIFI, name="even Wi-Fi", even=9_000),
    replace(CRUMBS, name="even crumbs", even=2_300),
)
TEMPERS = (HONEST, LIAR, CALL_HAPPY, SILENT, CHATTY, PASSER, SNEAK, SHAKY)


def with_a_den(seed: int) -> Compared:
    """The evening of a seed as it is, and with byzantines who keep to the hall and to themselves."""
    plain, twin = _beside_a_den(seed, 0), _beside_a_den(seed, MALLORIES)
    notes: list[str] = []
    others: list[str] = []
    seen_again = again(with_a_den, seed)
    ours = checked(run_plan(plain, notes=notes), again=seen_again)
    theirs = checked(run_plan(twin, notes=others), again=seen_again)
    people = {guest.name for table in plain.tables for guest in table.guests}
    compared = beside(frames_at_tables(notes, people), frames_at_tables(others, people))
    return replace(compared, plays=theirs.plays - ours.plays)


def _beside_a_den(seed: int, byzantines: int) -> Plan:
    """Two tables of all kinds of people; lines break, the server is busy at times and dies once."""
    dice = Random(f"den {seed}")
    tables = tuple(
        _some_table(dice, names) for names in (("ana", "bo", "cy", "dee"), ("eli", "fay", "gus"))
    )
    plan = plan_for(f"den-{seed}")
    return Plan(
        seed=plan.seed,
        settings={
            "replay": dice.choice((5, 512)),
            "inbox": dice.choice((8, 512)),
            "ping_s": 30.0,
            "silence_s": 90.0,
            "park_h": 0.1,
            "reconnects_per_min": 10_000,
        },
        tables=tables,
        disk=DiskPlan(fastest=100, slowest=dice.choice((300, 20_000)), is_shared=False),
        faults=Faults(
            breaks=20 * SECOND,
            busy=dice.choice((0, 5)) * SECOND,
            crashes_at=(dice.randint(20, 60) * SECOND,) if dice.random() < 0.5 else (),
        ),
        buffer=32 * 1024,
        creeps=0.0,
        late=300 * SECOND,
        den=byzantines,
    )


def _some_table(dice: Random, names: tuple[str, ...]) -> TablePlan:
    guests = tuple(
        Guest(name=name, temper=dice.choice(TEMPERS), weather=dice.choice(WEATHERS))
        for name in names
    )
    return TablePlan(
        rules=f"{dice.choice(('sneak-2.w2', 'pass.w0', 'classic', 'up-same-down.j1'))}.plays-25",
        guests=guests,
        watchers=frozenset(names[3:]),
        computers=("casual",) if dice.random() < 0.5 else (),
        deals=2,
        public=dice.random() < 0.5,
    )


def frames_at_tables(notes: list[str], people: set[str]) -> list[str]:
    """All that was sent on each of these people's lines, frame by frame, but what the hall is told."""
    readers: dict[str, FrameReader] = {}
    frames: dict[str, list[str]] = {}
    at_tables = set(people)
    for when, direction, line, note in _sent(notes):
        if line.partition(".")[0] not in at_tables:
            continue
        if direction == ">":
            frames.setdefault(line, []).append(note)
            continue
        reader = readers.setdefault(line, FrameReader(EVENT_CAP))
        for body in reader.receive(bytes.fromhex(note.split()[3])):
            _, event = decode_event(bytes(body))
            if not isinstance(event, IN_THE_HALL) and not _is_said_in_hall(event):
                frames.setdefault(line, []).append(f"{when} < {line} {event}")
            if isinstance(event, e.LobbyLeft):
                at_tables.discard(line.partition(".")[0])
    return [each for line in sorted(frames) for each in frames[line]]


def _is_said_in_hall(event: e.Event) -> bool:
    return isinstance(event, e.Said) and not event.line
