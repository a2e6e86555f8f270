"""The first row, the last row, and the clocks: title bar, key bar and what is left of a time."""

from collections.abc import Sequence

from msgspec import Struct

from client.screens.parts.cells import Line, apart, fill, joined, plain, width_of
from client.screens.parts.skin import Skin
from protocol.numbers import MICROS

GAME = "Facedown"
LAST_SECONDS = 3.0
APART, CLOSE = "   ", "  "
KEPT_KEYS = 2  # the help and the menu stay on the key bar, however narrow it gets


class KeyHint(Struct, frozen=True, kw_only=True):
    """One live binding as the key bar names it."""

    label: str
    does: str


def title_bar(left: Sequence[str], right: Sequence[str], columns: int) -> Line:
    """The first row: where I am on the left, link and clock on the right.

    Where not all of it fits, the game's own name goes first, then the right part from its end.
    """
    where, around = [part for part in left if part], [part for part in right if part]
    if not _title_fits(where, around, columns) and where[:1] == [GAME]:
        del where[0]
    while around and not _title_fits(where, around, columns):
        del around[-1]
    start, end = _title_ends(where, around)
    return fill(apart(start, end, columns, "class:title"), columns, "class:title")


def _title_ends(left: Sequence[str], right: Sequence[str]) -> tuple[Line, Line]:
    start, end = " " + "  ".join(left), APART.join(right) + " "
    return plain(start, "class:title"), plain(end, "class:title")


def _title_fits(left: Sequence[str], right: Sequence[str], columns: int) -> bool:
    return sum(map(width_of, _title_ends(left, right))) < columns


def key_bar(hints: Sequence[KeyHint], columns: int) -> Line:
    """The last row: as many live bindings as fit, the last ones always."""
    shown = list(hints)
    while len(shown) > KEPT_KEYS and width_of(_key_line(shown, CLOSE)) > columns:
        del shown[-KEPT_KEYS - 1]
    roomy = _key_line(shown, APART)
    return roomy if width_of(roomy) <= columns else _key_line(shown, CLOSE)


def _key_line(hints: Sequence[KeyHint], gap: str) -> Line:
    named = [(("class:key", hint.label), ("class:keytext", f" {hint.does}")) for hint in hints]
    return (("", " "), *joined(named, gap))


def time_bar(left: float, whole: float, width: int, skin: Skin) -> Line:
    """How much of a time is left, in seconds; the last three are shown in reverse.

    Only their number is: a full block in reverse looks empty.
    """
    share = min(1.0, max(0.0, left / whole)) if whole > 0 else 0.0
    full = round(share * width)
    is_last = left <= LAST_SECONDS
    return (
        ("", "["),
        ("class:bar.low" if is_last else "class:bar", skin.full * full),
        ("class:bar.empty", skin.empty * (width - full)),
        ("", "]"),
        ("class:bar.last" if is_last else "class:bar", f" {seconds(left)}"),
    )


def seconds(left: float) -> str:
    """Whole seconds left, counted up, so that 0 s means over."""
    return f"{whole_seconds(left)} s"


def minutes(left: float) -> str:
    """Time left as 0:31; a day begins as 24:00:00."""
    whole = whole_seconds(left)
    hours, rest = divmod(whole // 60, 60)
    lead = f"{hours}:{rest:02}" if hours else f"{rest}"
    return f"{lead}:{whole % 60:02}"


def whole_seconds(left: float) -> int:
    """Seconds counted up: 0.2 s are still one."""
    return max(0, -int(-left // 1))


def stopwatch(micros: int) -> str:
    """A time as a stopwatch shows it: 1.204 s."""
    return f"{micros / MICROS:.3f} s"
