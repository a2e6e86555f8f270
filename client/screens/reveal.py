"""A ruling: what was said and laid, who takes the pile, and who called in which order."""

from collections.abc import Iterator, Sequence

from client import selectors
from client.screens.frame import Frame
from client.screens.parts.bars import stopwatch
from client.screens.parts.cells import (
    Fragment,
    Line,
    cells,
    pad,
    pad_left,
    plain,
    shorten,
    width_of,
    wrapped,
)
from client.screens.parts.seats import name_cells
from client.screens.parts.skin import Skin
from client.screens.parts.strip import strip_line
from client.words import call_notes, cards, margin, name_of, short_claim
from protocol import events as e
from protocol.cards import Face
from protocol.views import PublicTable

CALL_LEAD = 7
CALL_TIME = 8
CALL_RTT = 9
CROWDED_CELLS = 17
LEAST_NAME = 6  # cells that are left for the name of who takes the pile
ROOMY_HEAD = 5  # lines for the head from which nothing has to be squeezed
ROOMY_PLAY = 30  # cells from which a shown play has room for more than three of a name
CLAIM_CELLS = 14  # around a name: " said ", and a claim or a card with how many more there are


def reveal_lines(
    frame: Frame, table: PublicTable, ruled: e.Ruled, width: int, rows: int
) -> tuple[Line, ...]:
    """The pane that stays until the next play (RULES A11, C8)."""
    every = call_lines(table, ruled, frame.state.late, width)
    below = tuple(
        plain(f" {line}", "class:dim")
        for note in call_notes(table, ruled)
        for line in wrapped(note, width - 1)
    )
    strip = strip_line(
        ruled.calls, late_calls(ruled, frame.state.late), ruled.challenger, width, frame.skin
    )
    lines_left = rows - len(every) - len(below) - 1
    head = (*_called(frame, table, ruled, width), *_found(frame, table, ruled, width, lines_left))
    between = (strip,) if len(head) + len(every) + len(below) < rows or strip else ()
    space = rows - len(head) - len(between) - len(below)
    lines = (*head, *between, *fitting(every, space), *below)
    others = [play for play in ruled.pile if play.play != ruled.shown.play]
    pile = pile_lines(table, others, frame.skin, width)
    return (*lines, *fitting(pile, rows - len(lines)))


def _called(frame: Frame, table: PublicTable, ruled: e.Ruled, width: int) -> Iterator[Line]:
    name = name_of(table, ruled.shown.seat)
    doubter = name_of(table, ruled.challenger)
    called = f' {doubter} to {name}: "{selectors.shout(frame.state)}"'
    yield plain(called if cells(called) <= width else _doubted(doubter, name, width))


def _doubted(doubter: str, name: str, width: int) -> str:
    """Who doubted whom, both names shortened as far as need be."""
    space = width - cells("  doubted ")
    first = shorten(doubter, max(space // 2, space - cells(name)))
    return f" {first} doubted {shorten(name, space - cells(first))}"


def _found(
    frame: Frame, table: PublicTable, ruled: e.Ruled, width: int, rows: int
) -> Iterator[Line]:
    """What was said, laid and found: in four lines, or in two where many have called."""
    if rows < ROOMY_HEAD:
        return _found_in_two(frame, table, ruled, width)
    return _found_in_four(frame, table, ruled, width)


def _found_in_two(frame: Frame, table: PublicTable, ruled: e.Ruled, width: int) -> Iterator[Line]:
    name, said = name_of(table, ruled.shown.seat), short_claim(ruled.shown.count, ruled.shown.rank)
    leads = (f" {name} said {said}, laid ", f" {shorten(name, width - CROWDED_CELLS)} {said}: ")
    faces = ruled.shown.faces
    least = width_of(faces_line(faces, frame.skin, 0))
    lead = next((text for text in leads if cells(text) + least <= width), leads[-1])
    yield (("", lead), *faces_line(faces, frame.skin, width - cells(lead)))
    style, verdict = _verdict(ruled)
    taker, taken = name_of(table, ruled.taker), f" takes {ruled.taken}"
    space = width - cells(taken) - 2  # for the verdict and a name; each has a space before it
    if cells(verdict) + min(cells(taker), LEAST_NAME) > space:
        verdict = "A LIE:" if ruled.lie else "TRUE:"
    yield (("", " "), (style, verdict), ("", f" {shorten(taker, space - cells(verdict))}{taken}"))


def _found_in_four(frame: Frame, table: PublicTable, ruled: e.Ruled, width: int) -> Iterator[Line]:
    name, said = name_of(table, ruled.shown.seat), short_claim(ruled.shown.count, ruled.shown.rank)
    who, gap = shorten(name, width - CLAIM_CELLS), " " * min(3, width - cells(name) - CLAIM_CELLS)
    yield plain(f" {who} said {gap}{said}")
    lead = f" {who} laid {gap}"
    yield (("", lead), *faces_line(ruled.shown.faces, frame.skin, width - cells(lead)))
    yield (("", " "), _verdict(ruled))
    taken = f" takes {cards(ruled.taken)}"
    yield plain(f" {shorten(name_of(table, ruled.taker), width - cells(taken) - 1)}{taken}")


def _verdict(ruled: e.Ruled) -> Fragment:
    return ("class:lie", ">> A LIE <<") if ruled.lie else ("class:truth", ">> THE TRUTH <<")


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


def late_calls(ruled: e.Ruled, late: Sequence[e.LateCall]) -> tuple[e.Call, ...]:
    """The calls to this play that came after the ruling (RULES C8)."""
    return tuple(entry.call for entry in late if entry.play == ruled.shown.play)


def call_lines(
    table: PublicTable, ruled: e.Ruled, late: Sequence[e.LateCall], width: int
) -> tuple[Line, ...]:
    """The call order as the server heard it, the late ones below (RULES C8).

    Round trips are there to be compared: of a lone call none is told.
    """
    calls = (*ruled.calls, *late_calls(ruled, late))
    longest = max(cells(name_of(table, call.seat)) for call in calls)
    name_width = min(longest, max(3, width - CALL_LEAD - CALL_TIME - 1))
    roomy = len(calls) > 1 and CALL_LEAD + name_width + 1 + CALL_TIME + CALL_RTT <= width
    return tuple(
        _call_line(
            _lead(ruled, place),
            _style(ruled, place),
            pad(name_of(table, call.seat), name_width),
            call_time(call, opening=place == 0),
            round_trip(call) if roomy else "",
        )
        for place, call in enumerate(calls)
    )


def fitting(lines: Sequence[Line], rows: int) -> tuple[Line, ...]:
    """So many of the lines, the call that counted among them, and how many there are besides."""
    if len(lines) <= rows:
        return tuple(lines)
    counted = next((line for line in lines if line[0][0] == "class:first"), lines[0])
    head = list(lines[: max(0, rows - 1)])
    if head and counted not in head:
        head[-1] = counted
    more = plain(f"{len(lines) - len(head):>8} more: l shows all", "class:dim")
    return (*head, more)[: max(0, rows)]


def _lead(ruled: e.Ruled, place: int) -> str:
    if place >= len(ruled.calls):
        return "late"
    if place == 0:
        return "first"
    return "won" if ruled.calls[place].seat == ruled.challenger else ""


def call_time(call: e.Call, *, opening: bool) -> str:
    """The first call's time since the window opened; of the others, how much later they were."""
    return stopwatch(call.after_us) if opening else f"+{margin(call.after_us)}"


def _style(ruled: e.Ruled, place: int) -> str:
    if place >= len(ruled.calls):
        return "class:dim"
    return "class:first" if ruled.calls[place].seat == ruled.challenger else "class:seat"


def _call_line(lead: str, style: str, name: str, time: str, trip: str) -> Line:
    return plain(f" {lead:<5} {name} {pad_left(time, CALL_TIME)} {trip}".rstrip(), style)


def round_trip(call: e.Call) -> str:
    """A caller's round trip in brackets; under SSH the server sees only the leg to the box."""
    if call.ssh:
        return "(ssh)"
    return f"({call.rtt_us / 1000:.0f} ms)" if call.rtt_us is not None else ""


def pile_lines(
    table: PublicTable, pile: Sequence[e.ShownPlay], skin: Skin, width: int
) -> tuple[Line, ...]:
    """The whole pile play by play, newest first, where the rules show it (RULES B15)."""
    return tuple(shown_line(table, play, skin, width) for play in reversed(pile))


def shown_line(
    table: PublicTable, play: e.ShownPlay, skin: Skin, width: int, *, kept: int = 0
) -> Line:
    """One play with its cards up: number, player, claim, cards, and whether it was a lie.

    Of the width so many cells are `kept` for what comes after it: the cards give way to that.
    """
    found = "lie" if play.is_lie else "true"
    roomy = width >= ROOMY_PLAY
    name = pad(name_of(table, play.seat), min(name_cells(table), -(-width // 5) if roomy else 3))
    gap = " " if roomy else ""
    lead: Line = (
        ("class:dim", f"{gap}{play.play:>3} "),
        ("class:seat", f"{name} "),
        ("class:claim", f"{short_claim(play.count, play.rank):<{6 if roomy else 0}}"),
        ("class:dim", f":{gap}"),
    )
    space = width - kept - width_of(lead) - cells(found) - 1
    return (
        *lead,
        *faces_line(play.faces, skin, space),
        ("", " "),
        ("class:lie" if play.is_lie else "class:truth", found),
    )
