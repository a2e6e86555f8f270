"""Calls around the end of the last protected window of a deal, at many tables at once (RULES C2).

The seat to move lays its whole hand under one claim: last cards, whose window is two seconds long
and ends the deal. If a call is in time the cards come back and the next seat does the same; if not,
the deal is over and another one begins.
"""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from protocol import commands as c
from protocol import events as e
from protocol.numbers import Seat
from racing import judge
from racing.driving import At, Steps
from racing.judge import Heard, Span
from racing.table import RaceTable
from racing.tally import Cell, Progress, Tally
from racing.volley import Aimed, Shot, fire

RULES = "classic.max-none.w0.lw2.r0.t-off.no-confess"
LENGTH_NS = 2_000_000_000
BANDS_US = (10, 100, 1_000, 10_000)  # how far from the close; the last one holds the rest
AIMS_US = ((-2_000, -300), (-300, -60), (-120, -10), (-60, 60), (-60, 60), (60, 400))  # first call
APART_US = (5, 250)  # each of the other calls after the one before it
KEPT_LAGS = 101


@dataclass(slots=True, kw_only=True)
class EdgeRace:
    """What the trials at closing edges have in common.

    `lags` are how much later the cards were heard of than the window opened, as far as rulings
    told, in nanoseconds: by their median the next volleys are aimed.
    """

    tally: Tally
    load: str
    rng: Random
    progress: Progress
    lags: list[int] = field(default_factory=list)

    @property
    def lag(self) -> int:
        """How much earlier than heard of the next window has probably opened."""
        return round(statistics.median(self.lags[-KEPT_LAGS:])) if self.lags else 0


def edge_trials(race: EdgeRace, table: RaceTable, wanted: int, begin: int) -> Steps:
    """`wanted` volleys at the closing edges of one table, which begins at this time.

    The tables begin one after the other, or their windows would all end at the same moment.
    """
    yield At(begin)
    for _ in range(wanted):
        if table.is_over:
            yield from table.deal()
        yield from table.lay(whole_hand=True)
        yield from _edge_trial(race, table)


def _edge_trial(race: EdgeRace, table: RaceTable) -> Steps:
    heard_at = min(player.played_at for player in table.players)
    opened = Span(low=table.laid_at, high=heard_at)
    dues = _dues(race.rng, heard_at - race.lag + LENGTH_NS, len(table.players) - 1)
    table.clear_news()
    yield At(dues[0])
    numbers, volley = _volley(race.rng, table, dues)
    shots = fire(volley)
    yield lambda: table.is_at_rest and (table.heard(e.Ruled) or table.heard(e.DealOver))
    heard = _heard(table, numbers)
    _learn_lag(race, shots, heard, heard_at)
    _note(race, shots, heard, opened.moved(LENGTH_NS))


def _dues(rng: Random, close: int, calls: int) -> list[int]:
    low, high = rng.choice(AIMS_US)
    dues = [close + 1000 * rng.randint(low, high)]
    while len(dues) < calls:
        dues.append(dues[-1] + 1000 * rng.randint(*APART_US))
    return dues


def _volley(
    rng: Random, table: RaceTable, dues: Sequence[int]
) -> tuple[dict[Seat, int], list[Aimed]]:
    play = table.players[0].table.newest_play
    assert play is not None  # noqa: S101 - the last cards lie there
    callers = [Seat(seat) for seat in range(len(table.players)) if seat != play.seat]
    rng.shuffle(callers)
    numbers, volley = {}, []
    for seat, due in zip(callers, dues, strict=True):
        player = table.players[seat]
        command = c.Challenge(n=player.number(), deal=player.table.deal, play=play.play)
        numbers[seat] = int(command.n)
        frame = player.packed(command)
        volley.append(Aimed(player=player, seat=seat, frame=frame, due=due))
    return numbers, volley


def _heard(table: RaceTable, numbers: dict[Seat, int]) -> Heard:
    news = table.players[0].news
    return Heard(
        answers={seat: table.players[seat].answers[number] for seat, number in numbers.items()},
        ruled=next((event for event in news if isinstance(event, e.Ruled)), None),
    )


def _learn_lag(race: EdgeRace, shots: Sequence[Shot], heard: Heard, heard_at: int) -> None:
    if heard.ruled is not None:
        at = {shot.seat: shot.at for shot in shots}
        opened_at = at[heard.ruled.calls[0].seat] - heard.ruled.calls[0].after_us * 1000
        race.lags.append(heard_at - opened_at)


def _note(race: EdgeRace, shots: Sequence[Shot], heard: Heard, close: Span) -> None:
    tally = race.tally
    race.progress.step(f"edge, {race.load}")
    finding = judge.edge_finding(shots, heard, close, LENGTH_NS // judge.MICRO)
    timely = heard.ruled is not None or finding.lost
    cell = _cell(race, finding.offset_us, timely=timely)
    if not judge.is_certain(shots):
        cell.unclear += 1
        return
    tally.note(cell, f"edge, {race.load}", finding.faults)
    if finding.offset_us is None:
        cell.unclear += 1
    else:
        cell.trials += 1
        cell.gaps_ns.append(judge.MICRO * finding.offset_us)
    cell.unstamped += heard.ruled is not None and heard.ruled.unstamped
    tally.timely += timely
    tally.lost += finding.lost
    tally.too_late += not timely


def _cell(race: EdgeRace, offset_us: int | None, *, timely: bool) -> Cell:
    far = abs(offset_us or 0)
    band = next((band for band in BANDS_US if far <= band), BANDS_US[-1])
    return race.tally.cell("edge", -band if timely else band, race.load)
