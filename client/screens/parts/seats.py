"""The seats around the table: who, how many cards, and what there is to know about them."""

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from client.screens.parts.cells import Line, apart, cells, pad, pad_left, shorten, width_of
from client.screens.parts.skin import Skin
from client.words import name_of, place
from protocol.events import Chair
from protocol.numbers import Seat
from protocol.text import MAX_NAME, clean
from protocol.views import PublicTable

COUNT = 3
BESIDE_NAME = 20  # cells for mark, number, count, and a note such as "computer"
SHORTEST_NAME = 8
IF_IT_STANDS = "!OUT if it stands"
OUT = "out, "
NARROW = 40  # below it the bars need the room more than the word
SHORT_CHAIRS = {Chair.OWNER: "", Chair.STAND_IN: "cpu", Chair.COMPUTER: "cpu"}
CHAIRS = {Chair.OWNER: "", Chair.STAND_IN: "stand-in", Chair.COMPUTER: "computer"}


class Around(Struct, frozen=True, kw_only=True):
    """The table and what the screen knows of its people besides."""

    table: PublicTable
    you: Seat | None = None
    away: frozenset[str] = frozenset()  # names without a connection (RULES D2)
    host: str = ""
    gained: Mapping[Seat, int] = field(default_factory=dict)  # cards just picked up


def name_cells(table: PublicTable) -> int:
    """How many cells the longest name at this table takes."""
    return min(MAX_NAME, max(cells(clean(seat.name)) for seat in table.seats))


def seat_lines(around: Around, width: int, skin: Skin) -> tuple[Line, ...]:
    """One line for each seat, in order."""
    names = [name_of(around.table, Seat(seat)) for seat in range(len(around.table.seats))]
    name_width = min(name_cells(around.table), max(SHORTEST_NAME, width - BESIDE_NAME))
    starts = [_start(around, Seat(seat), pad(name, name_width)) for seat, name in enumerate(names)]
    space = width - width_of(starts[0]) - 2
    notes = [
        shorten(fitting(note_on(around, Seat(seat), width), space), space)
        for seat in range(len(names))
    ]
    counts = [seat.cards for seat in around.table.seats]
    beside = [cells(note) for note, count in zip(notes, counts, strict=True) if count]
    bars = bar_lengths(counts, space - max(beside, default=0) - 2)
    return tuple(
        _seat_line(start, skin.card * bar, note, width)
        for start, bar, note in zip(starts, bars, notes, strict=True)
    )


def fitting(note: str, space: int) -> str:
    """A note in fewer words where it has to be: the box beside it tells of last cards as well."""
    if cells(note) > space and note.startswith(OUT):
        return " ".join(note.split()[:2])  # the place, whoever it was that played
    return note if cells(note) <= space else note.replace(IF_IT_STANDS, "!OUT?")


def bar_lengths(counts: Sequence[int], longest: int) -> tuple[int, ...]:
    """A mark for each card; where the biggest hand has no room for that, all are scaled down.

    Without room for a single one nobody has any: else it would be cut from the longest line alone.
    """
    if longest < 1:
        return (0,) * len(counts)
    most = max(*counts, 1)
    scale = min(1.0, longest / most)
    return tuple(max(min(1, count), round(count * scale)) for count in counts)


def _start(around: Around, seat: Seat, name: str) -> Line:
    state = around.table.seats[seat]
    moves = around.table.turn == seat and around.table.outcome is None
    style = "class:turn" if moves else "class:you" if seat == around.you else "class:seat"
    host = "*" if state.name == around.host else " "
    return (
        ("class:turn", ">" if moves else " "),
        (style, f"{seat + 1:>2}{host} "),
        (style, f"{name} {pad_left(str(state.cards), COUNT)}"),
    )


def _seat_line(start: Line, bar: str, note: str, width: int) -> Line:
    middle: Line = (("class:cards", f"  {bar}"),) if bar else ()
    end: Line = (("class:alert" if note.startswith("!") else "class:note", f"{note} "),)
    return apart((*start, *middle), end, width)


def note_on(around: Around, seat: Seat, width: int) -> str:
    """What the end of a seat's line says: the one or two things that matter most."""
    notes = (
        _place_note(around.table, seat),
        _gain_note(around, seat),
        *_people_notes(around, seat, SHORT_CHAIRS if width < NARROW else CHAIRS),
    )
    return " ".join(note for note in notes if note)


def _place_note(table: PublicTable, seat: Seat) -> str:
    state = table.seats[seat]
    if state.place is not None:
        return f"{OUT}{place(state.place)}"
    newest = table.newest_play
    if newest is not None and newest.seat == seat and newest.last and not table.closed:
        return IF_IT_STANDS
    return "!last" if state.cards == 1 else ""


def _gain_note(around: Around, seat: Seat) -> str:
    gained = around.gained.get(seat, 0)
    return f"+{gained}" if gained else ""


def _people_notes(around: Around, seat: Seat, chairs: Mapping[Chair, str]) -> tuple[str, ...]:
    state = around.table.seats[seat]
    away = "away" if state.name in around.away else ""
    return ("you" if seat == around.you else "", chairs[state.chair] or away)
