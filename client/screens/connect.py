"""The connect page: name, servers of before, address or invite, and why it did not work."""

from enum import StrEnum

from client.screens.desk import Desk, Field
from client.screens.editor import Editor, field
from client.screens.frame import Frame
from client.screens.link import link_text
from client.screens.parts.cells import BLANK, Line, Page, cells, joined, pad, plain, wrapped
from client.screens.titled import titled
from client.state import LinkState
from client.way_in.address import Recent
from protocol.cards import Face, Rank
from protocol.text import MAX_NAME, clean


class Alone(StrEnum):
    """What can be chosen besides a server: both need none."""

    PRACTISE = "practise here, against computer players"
    LEARN = "learn the game here, in about three minutes"


NAMES = "BS, Cheat, I Doubt It"  # of the game
NAME_CELLS = 18
ROOMY = 79  # columns in which the line about the suits has room for more
ADDRESS_CELLS = 40
RECENT_CELLS = 26  # for a server of before, at least
BESIDE_RECENT = 25  # cells for its mark, and as whom
FIXED_ROWS = 16
STATUS_ROWS = 4  # rows for what went wrong


def connect_page(frame: Frame) -> Page:
    """The first page, and the one after a refusal."""
    desk = frame.desk
    if desk.kiosk:
        return _kiosk_page(frame)
    lines = (
        BLANK,
        _field_line(frame, Field.NAME, "Your name", desk.name),
        plain(f"              A to Z, digits, spaces, - and _, up to {MAX_NAME}", "class:dim"),
        BLANK,
        plain("   Choose a server", "class:head"),
        *choice_lines(frame),
        BLANK,
        plain("   Or type address or invite: host, host:port, host/FOX-42", "class:head"),
        _field_line(frame, Field.ADDRESS, "", desk.address),
        BLANK,
        suits_line(frame),
        *status_lines(frame),
    )
    return titled(frame, NAMES, lines, where=link_text(frame))


def _kiosk_page(frame: Frame) -> Page:
    """For a guest on an account of many, whose host has chosen name and server."""
    lines = (
        BLANK,
        plain(f"   Welcome, {clean(frame.state.name)}."),
        BLANK,
        *status_lines(frame),
    )
    return titled(frame, NAMES, lines, where=link_text(frame))


def suits_line(frame: Frame) -> Line:
    """Whether this terminal can draw what we draw: only its reader knows."""
    suits = joined([(frame.skin.suit_of(face),) for face in Face if face.rank is Rank.ACE], " ")
    more = "   F5 has all settings." if frame.columns >= ROOMY else ""
    if frame.desk.settings.ascii:
        return (("", "   Suits are letters: "), *suits, ("", f"   F2 tries symbols.{more}"))
    return (("", "   Do you see four suits?   "), *suits, ("", f"   If not, press F2.{more}"))


def _field_line(frame: Frame, which: Field, label: str, editor: Editor) -> Line:
    active = frame.desk.focus is which
    mark = ">" if active else " "
    width = NAME_CELLS if which is Field.NAME else min(ADDRESS_CELLS, frame.columns - 8)
    lead = f" {mark} {label:<10} " if label else f" {mark} "
    return (
        ("class:chosen" if active else "", lead),
        ("", "["),
        *field(editor, width, active=active),
        ("", "]"),
    )


def choices(desk: Desk) -> tuple[Recent | Alone, ...]:
    """What can be chosen from: servers of before, and what needs no server."""
    return (*desk.recents, *(Alone if desk.can_practise else ()))


def choice_lines(frame: Frame) -> tuple[Line, ...]:
    """As many of them as there is space for, the chosen one among them."""
    desk = frame.desk
    more = max(0, len(status_lines(frame)) - STATUS_ROWS)
    rows = max(2, frame.rows - FIXED_ROWS - more)
    every = choices(desk)
    if not every:
        return (plain("     none yet", "class:dim"),)
    row = min(desk.row, len(every) - 1)
    first = max(0, row - rows + 1)
    longest = max((RECENT_CELLS, *(cells(clean(one.address)) for one in desk.recents)))
    width = min(longest, frame.columns - BESIDE_RECENT)
    return tuple(
        _choice_line(choice, width, chosen=desk.focus is Field.RECENT and place == row)
        for place, choice in enumerate(every)
    )[first : first + rows]


def _choice_line(choice: Recent | Alone, width: int, *, chosen: bool) -> Line:
    mark = " > " if chosen else "   "
    style = "class:chosen" if chosen else ""
    if isinstance(choice, Alone):
        return plain(f"{mark}  {choice.value}", style)
    address = pad(clean(choice.address), width)
    return ((style, f"{mark}  {address} "), ("class:dim", clean(choice.note)))


def status_lines(frame: Frame) -> tuple[Line, ...]:
    """Why the last attempt did not work, or what is being tried."""
    link = frame.state.link
    if link.state is LinkState.CONNECTING:
        trying = wrapped(f"Connecting to {clean(link.address, 60)} ...", frame.columns - 6)
        lines = [*trying, *wrapped(clean(frame.state.hint, 400), frame.columns - 6)]
        return tuple(plain(f"   {line}", "class:notice") for line in lines)
    hints = wrapped(clean(frame.state.hint, 400), frame.columns - 6)
    why = wrapped(clean(link.text, 400), frame.columns - 6)
    return (
        *(plain(f"     {line}", "class:hint") for line in hints),
        *(
            plain(f"   {'!' if place == 0 else ' '} {line}", "class:alert")
            for place, line in enumerate(why)
        ),
    )
