"""What people and the server said lately, from the client's own log."""

from client.screens.frame import Frame
from client.screens.parts.cells import Line
from client.state import Line as Entry
from client.state import LineKind
from protocol.text import clean

FRESH_S = 60.0  # at the table, talk is shown for so long
NEWS_S = 15.0  # and news of the lobby for so long: the plays are more important


def talk_lines(frame: Frame, rows: int, *, always: bool = False) -> tuple[Line, ...]:
    """The newest lines, oldest first; where there is more to look at, only the fresh ones."""
    shown = [entry for entry in frame.state.log if always or _is_fresh(frame, entry)]
    return tuple(entry_line(entry) for entry in shown[-rows:]) if rows > 0 else ()


def _is_fresh(frame: Frame, entry: Entry) -> bool:
    return frame.now - entry.at < (NEWS_S if entry.kind is LineKind.NEWS else FRESH_S)


def entry_line(entry: Entry) -> Line:
    """One line of the log."""
    if entry.kind is LineKind.CHAT:
        return (("class:speaker", f" <{clean(entry.who)}> "), ("class:chat", entry.text))
    style = "class:notice" if entry.kind is LineKind.NOTICE else "class:dim"
    return ((style, f" - {entry.text}"),)
