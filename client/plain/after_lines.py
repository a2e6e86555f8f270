"""What there is to tell of deals that are over: who lied, who doubted, the best moments. Pure lines."""

from collections.abc import Iterator

from client import words
from client.evening import Row, counted, deals_of, evening
from client.moments import best_moments, remarks
from client.plain.reports import NO_DEAL
from client.state import ClientState
from client.stats import SeatStats, confessed
from protocol.numbers import Seat
from protocol.text import clean


def stats_lines(state: ClientState) -> Iterator[str]:
    """Everybody's lies and doubts, then the moments worth telling (RULES B24)."""
    view = state.table
    if view is None:
        yield NO_DEAL
        return
    if view.table.outcome is None:
        yield "STATS: this deal is not over."
        return
    told = confessed(view)
    if not told.complete:
        yield "STATS: of the plays that were shown only; this table does not confess."
    best = best_moments(told)
    for number, stats in enumerate(told.seats):
        moment = f" {best[Seat(number)].capitalize()}." if Seat(number) in best else ""
        yield f"STATS: {words.name_of(view.table, Seat(number), view.you)}, {_lies_and_doubts(stats)}.{moment}"
    for remark in remarks(view, told, words.by_kind, view.you):
        yield f"STATS: {remark}."


def evening_lines(state: ClientState) -> Iterator[str]:
    """The evening's table, a line for everybody who has played."""
    rows = evening(state)
    if not rows:
        yield "EVENING: no deal has ended here since you came."
        return
    yield f"EVENING: {counted(deals_of(state))}."
    for row in rows:
        best = f"; {row.best}" if row.best else ""
        won = f"{row.won} of {row.deals} won"
        yield f"EVENING: {clean(row.name)}, {won}, {_lies_and_doubts(row)}{best}."


def _lies_and_doubts(done: SeatStats | Row) -> str:
    lies, doubts = words.many(done.lies, "lie"), words.many(done.doubts, "doubt")
    return f"{lies}, {done.caught} caught, {doubts}, {done.right} right"


def match_lines(state: ClientState) -> Iterator[str]:
    """Deals won so far, where anybody has won one, and how far the match goes (RULES B22)."""
    lobby = state.lobby
    if lobby is None:
        return
    won = ", ".join(f"{clean(seat.name)} {seat.wins}" for seat in lobby.seats if seat.wins)
    if lobby.match_winner:
        yield f"MATCH: {clean(lobby.match_winner)} wins the match. Won: {won}."
    elif lobby.rules.match_wins > 1:
        so_far = won if lobby.deals else ""  # what was won before a match does not count in it
        yield f"MATCH: it goes to {lobby.rules.match_wins} deals won. Won: {so_far or 'none yet'}."
    elif won:
        yield f"WON: {won}."
