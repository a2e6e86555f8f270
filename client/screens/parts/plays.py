"""The deal's log, one line for each play: who said what, and what came of it."""

from collections.abc import Iterator, Sequence

from client.screens.parts.cells import Line, cells, pad, plain, shorten, width_of
from client.screens.parts.seats import name_cells
from client.words import cards, margin, name_of, place, short_claim, why_over
from protocol import events as e
from protocol.numbers import MICROS, Seat
from protocol.options import is_closed
from protocol.views import LogEntry, PublicTable

NUMBER = 3
CLAIM = 7
NEWEST_ENTRIES = 80  # enough for the tallest pane: an entry seldom makes less than half a line
OPEN = "..."
STOOD = "nobody doubted"

TOLD = (e.Played, e.Passed, e.SetAside, e.WentOut, e.Stopping, e.ChairChanged, e.DealOver)


def play_lines(
    table: PublicTable, log: Sequence[LogEntry], rows: int, width: int
) -> tuple[Line, ...]:
    """The newest lines of the deal's log."""
    newest = log[-NEWEST_ENTRIES:]
    told = told_entries(newest)
    return lines_of(table, newest, told[max(0, len(told) - rows) :], width)


def told_entries(log: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """The entries that have a line of their own."""
    return tuple(entry for entry in log if isinstance(entry, TOLD))


def lines_of(
    table: PublicTable, log: Sequence[LogEntry], entries: Sequence[LogEntry], width: int
) -> tuple[Line, ...]:
    """The lines of some of its entries: writing all of a long log would take too long."""
    writer = _Writer(table, log, width)
    return tuple(writer.line(entry) for entry in entries)


class _Writer:
    """Writes one line for each entry that deserves one."""

    def __init__(self, table: PublicTable, entries: Sequence[LogEntry], width: int) -> None:
        self._table = table
        self._width = width
        self._name_width = name_cells(table)
        self._outcomes = _outcomes(entries)

    def line(self, entry: LogEntry) -> Line:
        """The line of an entry; blank where another line tells the same."""
        if isinstance(entry, e.Played):
            return self._play(entry)
        text = self._note(entry)
        return plain(f" {'':>{NUMBER}} {text}", "class:dim") if text else ()

    def _note(self, entry: LogEntry) -> str:
        match entry:
            case e.Passed():
                text = f"{self._padded(entry.seat)}  passes"
            case e.SetAside():
                text = f"all passed: {cards(entry.cards)} set aside"
            case e.WentOut():
                text = f"{self._padded(entry.seat)}  is out: {place(entry.place)}"
            case e.Stopping():
                text = f"the last play: {why_over(entry.reason, self._table.rules)}"
            case e.ChairChanged():
                text = f"{self._padded(entry.seat)}  {_CHAIRS[entry.chair]}"
            case e.DealOver():
                text = f"the deal is over: {why_over(entry.reason, self._table.rules)}"
            case _:
                text = ""
        return text

    def _play(self, play: e.Played) -> Line:
        said = short_claim(play.count, play.rank)
        outcome = self._outcomes.get(play.play)
        lead: Line = (
            ("class:dim", f" {play.play:>{NUMBER}} "),
            ("class:seat", self._padded(play.seat)),
            ("class:claim", f" {pad(said, CLAIM)}"),
            ("class:notice", " auto," if play.auto else ""),
        )
        return (*lead, *self._came_of(play, outcome, self._width - width_of(lead)))

    def _came_of(self, play: e.Played, ruled: e.Ruled | None, space: int) -> Line:
        if ruled is None:
            return plain(f" {OPEN if self._is_open(play) else STOOD}", "class:dim")
        taken = f" takes {ruled.taken}"
        taker = shorten(self._name(ruled.taker), space - cells(verdict(ruled) + taken) - 3)
        found: Line = (
            ("", " "),
            ("class:lie" if ruled.lie else "class:truth", verdict(ruled)),
            ("", f": {taker}{taken}"),
        )
        left = space - width_of(found)
        called = next((text for text in self._called(ruled) if cells(text) <= left), "")
        return (*found, ("class:dim", called))

    def _called(self, ruled: e.Ruled) -> Iterator[str]:
        """Who doubted, when, and by how much before the next; ever shorter.

        Whoever doubted the truth has been named already, as who takes the pile.
        """
        first, *others = ruled.calls
        ahead = f"by {margin(others[0].after_us)}" if others else ""
        if first.seat != ruled.challenger:
            ahead = "in a photo finish"
        who = self._name(ruled.challenger) if ruled.lie else ""
        when = f"after {ruled.counted_after_us / MICROS:.1f} s{f', {ahead}' if ahead else ''}"
        close = f"{who or 'first'} {ahead}" if ahead else who
        for text in (f"{who} doubted {when}", f"{who} {when}", close, who):
            if text:
                yield f"  ({text.strip()})"

    def _is_open(self, play: e.Played) -> bool:
        return self._table.lying(play.play) is not None and not is_closed(self._table, play)

    def _padded(self, seat: Seat) -> str:
        return pad(self._name(seat), self._name_width)

    def _name(self, seat: Seat) -> str:
        return name_of(self._table, seat)


_CHAIRS = {
    e.Chair.OWNER: "plays this seat now",
    e.Chair.STAND_IN: "has a stand-in: a computer plays on",
    e.Chair.COMPUTER: "left: a computer plays on",
}


def verdict(ruled: e.Ruled) -> str:
    """What was found: "a lie" or "true"."""
    return "a lie" if ruled.lie else "true"


def _outcomes(entries: Sequence[LogEntry]) -> dict[int, e.Ruled]:
    return {entry.shown.play: entry for entry in entries if isinstance(entry, e.Ruled)}
