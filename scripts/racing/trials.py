"""Calls against calls, and cards against a call, a known distance apart, one trial after another."""

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from protocol import commands as c
from protocol import events as e
from protocol.numbers import Seat
from protocol.refusals import Refusal
from racing import judge
from racing.driving import Steps
from racing.judge import Heard
from racing.table import RaceTable, a_lie
from racing.tally import Cell, Progress, Tally
from racing.volley import Aimed, Shot, fire, was_held_up

CALLS_RULES = "classic.w30.r0.t-off.no-confess"
CARDS_RULES = "classic.w0.r0.t-off.no-confess"
FEWEST_CARDS = 2  # in a hand, for cards against a call: last cards make another kind of window
SPREAD_NS = (
    300_000  # a volley begins at a random moment within this time, whatever the server is doing
)
BREATH_NS = 20_000  # to be ready for the first write
ATTEMPTS = 3  # for each trial wanted, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class Race:
    """What the trials of one cell need."""

    table: RaceTable
    tally: Tally
    cell: Cell
    name: str
    distance_us: int
    rng: Random
    progress: Progress


def call_trials(race: Race, wanted: int, sizes: Sequence[int]) -> Steps:
    """`wanted` times: somebody lays a card, and some others, as many as `sizes` offers, doubt it."""
    for _ in _attempts(race, wanted):
        yield from _with_a_deal(race.table)
        yield from race.table.lay()
        if race.table.is_stopping:  # of the last play's window no late call is told
            yield from race.table.call_off()
        else:
            yield from _call_trial(race, race.rng.choice(sizes))


def card_trials(race: Race, wanted: int) -> Steps:
    """`wanted` times: somebody lays a card; the next player lays another, somebody else doubts."""
    for _ in _attempts(race, wanted):
        yield from _with_a_deal(race.table)
        yield from race.table.lay()
        if race.table.is_last_pending or race.table.is_stopping or _is_short(race.table):
            yield from race.table.call_off()
        else:
            yield from _card_trial(race)


def _attempts(race: Race, wanted: int) -> Iterator[int]:
    """Go on until this many trials went as intended, within reason."""
    return itertools.takewhile(lambda _: race.cell.trials < wanted, range(ATTEMPTS * wanted))


def _with_a_deal(table: RaceTable) -> Steps:
    if not table.is_over and (table.is_last_pending or table.is_stopping):
        yield from table.call_off()
    if table.is_over:
        yield from table.deal()


def _is_short(table: RaceTable) -> bool:
    view = table.players[table.turn].view
    return view is None or len(view.hand) < FEWEST_CARDS


# --- calls against calls ----------------------------------------------------------------------------


def _call_trial(race: Race, size: int) -> Steps:
    table = race.table
    player = _player_of_newest(table)
    others = [Seat(seat) for seat in range(len(table.players)) if seat != player]
    callers = race.rng.sample(others, size)
    frames = [_call_frame(table, seat) for seat in callers]
    numbers = {seat: number for seat, (number, _) in zip(callers, frames, strict=True)}
    table.clear_news()
    together = any(table.players[seat].loose_end for seat in callers)
    shots = _fired(race, [(s, f) for s, (_, f) in zip(callers, frames, strict=True)])
    yield lambda: table.is_at_rest and table.heard(e.Ruled)
    yield lambda: _strip_is_full(table, numbers, shots)
    heard = _heard(table, numbers)
    faults = judge.faults_of_calls(shots, heard, player, len(table.players))
    _note(race, shots, heard, faults, together=together)


def _player_of_newest(table: RaceTable) -> Seat:
    play = table.players[0].table.newest_play
    assert play is not None  # noqa: S101 - just laid
    return play.seat


def _call_frame(table: RaceTable, seat: Seat) -> tuple[int, bytes]:
    player = table.players[seat]
    command = c.Challenge(n=player.number(), deal=player.table.deal, play=table.newest)
    return command.n, player.packed(command)


def _fired(race: Race, frames: Sequence[tuple[Seat, bytes]]) -> tuple[Shot, ...]:
    start = time.time_ns() + BREATH_NS + race.rng.randrange(SPREAD_NS)
    return fire(
        [
            Aimed(
                player=race.table.players[seat],
                seat=seat,
                frame=frame,
                due=start + place * race.distance_us * 1000,
            )
            for place, (seat, frame) in enumerate(frames)
        ]
    )


def _strip_is_full(table: RaceTable, numbers: dict[Seat, int], shots: Sequence[Shot]) -> bool:
    """Whether the calls that came after the ruling have been added to it (RULES C8)."""
    heard = _heard(table, numbers)
    called = {call.seat for call in heard.calls}
    first = min(shot.at for shot in shots)
    soon = {shot.seat for shot in shots if shot.at - first < judge.LATE_CALLS_NS}
    late = {seat for seat in soon if heard.why_not(seat) is Refusal.NOT_FIRST}
    return late <= called


def _heard(table: RaceTable, numbers: dict[Seat, int]) -> Heard:
    news = table.players[0].news
    return Heard(
        answers={seat: table.players[seat].answers[number] for seat, number in numbers.items()},
        ruled=next((event for event in news if isinstance(event, e.Ruled)), None),
        late_calls=tuple(event for event in news if isinstance(event, e.LateCall)),
    )


# --- cards against a call ---------------------------------------------------------------------------


def _card_trial(race: Race) -> Steps:
    table, turn = race.table, race.table.turn
    player = _player_of_newest(table)
    others = [Seat(s) for s in range(len(table.players)) if s not in {player, turn}]
    caller = race.rng.choice(others)
    newest = table.newest
    cards, call = _cards_frame(table, turn), _call_frame(table, caller)
    numbers = {turn: cards[0], caller: call[0]}
    frames = [(turn, cards[1]), (caller, call[1])]
    race.rng.shuffle(frames)
    table.clear_news()
    together = any(table.players[seat].loose_end for seat in numbers)
    shots = _fired(race, frames)
    yield lambda: table.is_at_rest and (table.heard(e.Ruled) or _all_past(table, newest))
    heard = _heard(table, numbers)
    of_seat = {shot.seat: shot for shot in shots}
    faults = judge.faults_of_cards(of_seat[turn], of_seat[caller], heard)
    _note(race, shots, heard, faults, together=together)


def _cards_frame(table: RaceTable, seat: Seat) -> tuple[int, bytes]:
    player = table.players[seat]
    assert player.view is not None  # noqa: S101 - a deal is running
    rank = player.table.due[0]
    command = table.play_of(player, (a_lie(player.view.hand, rank),), rank)
    return command.n, player.packed(command)


def _all_past(table: RaceTable, newest: int) -> bool:
    return all(player.table.newest > newest for player in table.players)


# --- counting ---------------------------------------------------------------------------------------


def _note(
    race: Race, shots: Sequence[Shot], heard: Heard, faults: Sequence[str], *, together: bool
) -> None:
    race.progress.step(race.name)
    cell = race.cell
    if not judge.is_certain(shots):
        cell.unclear += 1
        return
    race.tally.note(cell, race.name, faults)
    cell.unstamped += heard.ruled is not None and heard.ruled.unstamped
    gaps = [later.at - earlier.at for earlier, later in itertools.pairwise(shots)]
    if together:
        cell.together += 1
    elif was_held_up(shots):
        cell.late += 1
    else:
        cell.trials += 1
        cell.gaps_ns += gaps
    race.tally.worst_us = max(race.tally.worst_us, _deviation_us(shots, heard))


def _deviation_us(shots: Sequence[Shot], heard: Heard) -> float:
    """By how much a distance in the ruling lies outside of what the stamps allow, at most."""
    of_seat = {shot.seat: shot for shot in shots}
    if heard.ruled is None or any(call.seat not in of_seat for call in heard.calls):
        return 0.0
    first = of_seat[heard.ruled.calls[0].seat]
    return max((_outside_us(first, of_seat[c.seat], c) for c in heard.calls[1:]), default=0.0)


def _outside_us(first: Shot, later: Shot, call: e.Call) -> float:
    least, most = later.earliest - first.latest, later.latest - first.earliest
    told = call.after_us * 1000
    return max(0, least - told, told - most) / 1000
