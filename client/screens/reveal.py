"""A ruling: what was said and laid, who takes the pile, and who called in which order."""

from collections.abc import Iterator, Sequence

from client.screens.frame import Frame
from client.screens.parts.bars import stopwatch
from client.screens.parts.cells import (
    BLANK,
    Line,
    cells,
    pad,
    pad_left,
    plain,
    shorten,
    width_of,
)
from client.screens.parts.skin import Skin
from client.words import cards, margin, name_of, short_claim
from protocol import events as e
from protocol.cards import Face
from protocol.numbers import Seat
from protocol.text import clean
from protocol.views import PublicTable

CALL_LEAD = 7
CALL_TIME = 8
CALL_RTT = 9
CLAIM_CELLS = 14  # around a name: " said ", and a claim or a card with how many more there are


def reveal_lines(
    frame: Frame, table: PublicTable, ruled: e.Ruled, width: int, rows: int
) -> tuple[Line, ...]:
    """The pane that stays until the next play (RULES A11, C8)."""
    head = tuple(_head(frame, table, ruled, width))
    calls = call_lines(table, ruled, frame.state.late, width)
    notes = tuple(plain(f" {note}", "class:dim") for note in _notes(table, ruled))
    gap = (BLANK,) if len(head) + len(calls) + len(notes) < rows else ()
    lines = (*head, *gap, *calls, *notes)
    space = rows - len(lines)
    return (*lines, *pile_lines(table, ruled.pile, frame.skin, width)[: max(0, space)])


def _head(frame: Frame, table: PublicTable, ruled: e.Ruled, width: int) -> Iterator[Line]:
    name = name_of(table, ruled.shown.seat)
    doubter = name_of(table, ruled.challenger)
    shout = clean(frame.state.lobby.settings.shout if frame.state.lobby else "BS!", 20)
    called = f' {doubter} to {name}: "{shout}"'
    yield plain(called if cells(called) <= width else shorten(f" {doubter} doubted {name}", width))
    who, gap = shorten(name, width - CLAIM_CELLS), " " * min(3, width - cells(name) - CLAIM_CELLS)
    yield plain(f" {who} said {gap}{short_claim(ruled.shown.count, ruled.shown.rank)}")
    lead = f" {who} laid {gap}"
    yield (("", lead), *faces_line(ruled.shown.faces, frame.skin, width - cells(lead)))
    found = ">> A LIE <<" if ruled.lie else ">> THE TRUTH <<"
    yield plain(f" {found}", "class:lie" if ruled.lie else "class:truth")
    taken = f" takes {cards(ruled.taken)}"
    yield plain(f" {shorten(name_of(table, ruled.taker), width - cells(taken) - 1)}{taken}")


def faces_line(faces: Sequence[Face], skin: Skin, width: int) -> Line:
    """Cards face up side by side; how many more there are when they do not fit."""
    line: list[tuple[str, str]] = []
    for place, face in enumerate(faces):
        card = (("", " " if place else ""), *skin.face(face))
        more = f" +{len(faces) - place}"
        needed = cells(more) if place + 1 < len(faces) else 0
        if place and width_of((*line, *card)) + needed > width:
            return (*line, ("class:dim", more))
        line.extend(card)
    return tuple(line)


def call_lines(
    table: PublicTable, ruled: e.Ruled, late: Sequence[e.LateCall], width: int
) -> tuple[Line, ...]:
    """The call order as the server heard it, the late ones below (RULES C8)."""
    also = [entry.call for entry in late if entry.play == ruled.shown.play]
    calls = (*ruled.calls, *also)
    longest = max(cells(name_of(table, call.seat)) for call in calls)
    name_width = min(longest, max(3, width - CALL_LEAD - CALL_TIME - 1))
    roomy = CALL_LEAD + name_width + 1 + CALL_TIME + CALL_RTT <= width
    return tuple(
        _call_line(
            _lead(ruled, place),
            pad(name_of(table, call.seat), name_width),
            call_time(call, opening=place == 0),
            round_trip(call) if roomy else "",
        )
        for place, call in enumerate(calls)
    )


def _lead(ruled: e.Ruled, place: int) -> str:
    if place >= len(ruled.calls):
        return "late"
    return "first" if ruled.calls[place].seat == ruled.challenger else ""


def call_time(call: e.Call, *, opening: bool) -> str:
    """The first call's time since the window opened; of the others, how much later they were."""
    return stopwatch(call.after_us) if opening else f"+{margin(call.after_us)}"


def _call_line(lead: str, name: str, time: str, trip: str) -> Line:
    style = "class:first" if lead == "first" else "class:dim" if lead == "late" else ""
    return plain(f" {lead:<5} {name} {pad_left(time, CALL_TIME)} {trip}".rstrip(), style)


def round_trip(call: e.Call) -> str:
    """A caller's round trip in brackets; under SSH the server sees only the leg to the box."""
    if call.ssh:
        return "(ssh)"
    return f"({call.rtt_us / 1000:.0f} ms)" if call.rtt_us is not None else ""


def _notes(table: PublicTable, ruled: e.Ruled) -> Iterator[str]:
    nearest = f"nearest to {name_of(table, ruled.shown.seat)}'s left counts"
    if ruled.dead_heat is e.DeadHeat.PHOTO_FINISH:
        yield f"photo finish: {nearest}"
    if ruled.dead_heat is e.DeadHeat.EQUAL_ARRIVAL:
        yield f"dead heat: {nearest}"
    if ruled.unstamped:
        yield "timed after reading"


def pile_lines(
    table: PublicTable, pile: Sequence[e.ShownPlay], skin: Skin, width: int
) -> tuple[Line, ...]:
    """The whole pile play by play, newest first, where the rules show it (RULES B15)."""
    return tuple(shown_line(table, play, skin, width) for play in reversed(pile))


def shown_line(table: PublicTable, play: e.ShownPlay, skin: Skin, width: int) -> Line:
    """One play with its cards up: number, player, claim, cards, and whether it was a lie."""
    found = " lie" if play.is_lie else " true"
    longest = max(cells(name_of(table, Seat(seat))) for seat in range(len(table.seats)))
    name = pad(name_of(table, play.seat), min(longest, max(4, width // 5)))
    lead = f" {play.play:>3} {name} {short_claim(play.count, play.rank):<6}: "
    space = width - cells(lead) - cells(found)
    return (
        ("class:dim", lead),
        *faces_line(play.faces, skin, space),
        ("class:lie" if play.is_lie else "class:truth", found),
    )
