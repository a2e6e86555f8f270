"""Choosing an older play to doubt, where the rules allow it (RULES B14)."""

from client import selectors
from client.screens.frame import Frame
from client.screens.parts.cells import BLANK, Line, Page, plain, wrapped
from client.screens.titled import titled
from client.words import claim, name_of
from protocol.events import Played
from protocol.numbers import PlayNumber
from protocol.views import PublicTable

FIXED = 5  # rows for title, two gaps, what the table is doing, keys
LOSER = "The loser takes the whole pile, whichever play is doubted (B14)."


def older_page(frame: Frame) -> Page:
    """The plays that may still be doubted, the newest first, the chosen one among those shown."""
    table = selectors.public(frame.state)
    plays = selectors.doubtable(frame.state) if table else ()
    chosen = chosen_play(frame)
    about = [plain(f"   {line}", "class:dim") for line in wrapped(LOSER, frame.columns - 4)]
    space = frame.rows - FIXED - len(about)
    row = next((row for row, play in enumerate(plays) if play.play == chosen), 0)
    first = max(0, row - space + 1)
    listed = [_line(table, play, chosen=play.play == chosen) for play in plays if table]
    where = f"{row + 1} of {len(plays)}" if len(plays) > space else ""
    lines = (BLANK, *listed[first : first + space], BLANK, *about)
    return titled(frame, "doubt an older play", lines, where=where)


def older_plays(frame: Frame) -> tuple[Played, ...]:
    """The plays that may be doubted and came before the newest, which `b` alone doubts."""
    table, may = selectors.public(frame.state), selectors.doubtable(frame.state)
    return tuple(play for play in may if table and play.play != table.newest)


def chosen_play(frame: Frame) -> PlayNumber | None:
    """The play under the cursor; it stays the same play when others come on top.

    None once that one can no longer be doubted, until another is chosen.
    """
    may = [play.play for play in selectors.doubtable(frame.state)]
    if frame.desk.older is None:
        return may[0] if may else None
    return frame.desk.older if frame.desk.older in may else None


def _line(table: PublicTable, play: Played, *, chosen: bool) -> Line:
    mark = "   > " if chosen else "     "
    who = name_of(table, play.seat)
    text = f"{mark}{play.play:>3}  {who} said {claim(play.count, play.rank)}"
    return plain(text, "class:chosen" if chosen else "")
