"""The photo finish: all calls of one play on a line of time, the first at its left end."""

from collections.abc import Sequence

from client.screens.parts.cells import Fragment, Line, cells
from client.screens.parts.skin import Skin
from client.words import margin
from protocol import events as e
from protocol.numbers import Seat

SHORTEST = 10
EDGES = 2
SEVERAL = "+"  # more than one call in a cell
DIGITS = 9


def strip_line(
    calls: Sequence[e.Call], late: Sequence[e.Call], counted: Seat, width: int, skin: Skin
) -> Line:
    """Each call as its number in the order, as far right as it was later; blank for a lone one."""
    every = (*calls, *late)
    times = [0, *(call.after_us for call in every[1:])]
    scale = f" {margin(max(times))} "
    track = width - EDGES - cells(scale) - 1
    if len(every) < 2 or track < SHORTEST:  # noqa: PLR2004 - there is nothing to compare
        return ()
    start, end = skin.finish
    marks = _marks(times, track)
    styles = [_style(place, len(calls), every, counted) for place in range(len(every))]
    body: list[Fragment] = []
    for cell in range(track):
        here = marks.get(cell, ())
        text = skin.across if not here else _digit(here)
        body.append((styles[here[0]] if here else "class:rule", text))
    return (
        ("class:rule", f" {start}"),
        *body,
        ("class:rule", end),
        ("class:dim", scale),
    )


def _marks(times: Sequence[int], track: int) -> dict[int, tuple[int, ...]]:
    """Which calls stand in which cell; the scale is linear, and the last one is at the end."""
    whole = max(*times, 1)
    cells_of: dict[int, tuple[int, ...]] = {}
    for place, time in enumerate(times):
        cell = round(time / whole * (track - 1))
        cells_of[cell] = (*cells_of.get(cell, ()), place)
    return cells_of


def _digit(here: Sequence[int]) -> str:
    return SEVERAL if len(here) > 1 or here[0] >= DIGITS else str(here[0] + 1)


def _style(place: int, on_time: int, every: Sequence[e.Call], counted: Seat) -> str:
    if place >= on_time:
        return "class:dim"
    return "class:first" if every[place].seat == counted else "class:face"
