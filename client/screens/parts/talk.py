"""What people and the server said lately, from the client's own log."""

from client.screens.frame import Frame
from client.screens.parts.cells import Line
from client.state import Line as Entry
from client.state import LineKind
from protocol.text import clean

FRESH_S = 60.0  # at the table, talk is shown for so long


def talk_lines(frame: Frame, rows: int, *, fresh_s: float = FRESH_S) -> tuple[Line, ...]:
    """The newest lines said within the last seconds, oldest first."""
    newest = frame.state.log[-rows:] if rows > 0 else ()
    return tuple(entry_line(entry) for entry in newest if frame.now - entry.at < fresh_s)


def entry_line(entry: Entry) -> Line:
    """One line of the log."""
    if entry.kind is LineKind.CHAT:
        return (("class:speaker", f" <{clean(entry.who)}> "), ("class:chat", entry.text))
    style = "class:notice" if entry.kind is LineKind.NOTICE else "class:dim"
    return ((style, f" - {entry.text}"),)
