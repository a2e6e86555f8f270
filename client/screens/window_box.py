"""The box of an open challenge window: what was said, the keys that answer it, and the time left."""

from collections.abc import Iterator, Sequence

from client import selectors
from client.screens.frame import Frame
from client.screens.parts.bars import time_bar
from client.screens.parts.cells import Line, cells, fill, joined, plain, shorten, width_of, wrapped
from client.state import DoubtStage
from client.words import believed, name_of
from protocol import events as e
from protocol.options import challengers, options_of
from protocol.rules import ChallengeUntil
from protocol.views import TableView

SHORT = {
    DoubtStage.SENT: "sent - waiting",
    DoubtStage.FIRST: "you doubted first",
    DoubtStage.BEATEN: "you were not first",
    DoubtStage.LATE: "too late",
}
"""What has become of my doubt, where all of it stands above the keys."""
NO_KEYS = "connection lost"
PAUSED = "the table is paused"
EDGES = 4  # two lines and two spaces
UPRIGHT = 2  # the lines above and below


def box_lines(frame: Frame, view: TableView, width: int, rows: int) -> tuple[Line, ...]:
    """The box; nothing when no play is open to be doubted.

    In few rows it is not told who believes it, nor, once the protected time is over, until when it is open.
    """
    play = view.table.newest_play
    if play is None or view.table.closed:
        return ()
    inner = width - EDGES - 2
    shown = (*said_lines(view, play, inner), *answer_lines(frame, view, play, inner))
    belief = belief_line(frame, view)
    for more in (time_lines(frame, view, inner), (belief,) if belief else ()):
        if len(shown) + len(more) <= rows - UPRIGHT:
            shown = (*shown, *more)
    return _boxed(frame, shown, inner)


def _boxed(frame: Frame, lines: Sequence[Line], inner: int) -> tuple[Line, ...]:
    skin = frame.skin
    across = skin.across * (inner + 2)
    top_left, top_right, bottom_left, bottom_right = skin.corners
    side = ("class:rule", skin.down)
    body = [(("", " "), side, ("", " "), *fill(line, inner), ("", " "), side) for line in lines]
    top = plain(f" {top_left}{across}{top_right}", "class:rule")
    bottom = plain(f" {bottom_left}{across}{bottom_right}", "class:rule")
    return (top, *body, bottom)


def said_lines(view: TableView, play: e.Played, inner: int) -> tuple[Line, ...]:
    """Who said what; the last cards are marked."""
    who = name_of(view.table, play.seat, view.you)
    verb = "say" if play.seat == view.you else "says"
    word = (play.rank.word if play.count == 1 else play.rank.plural).upper()
    notes = (" (auto)" if play.auto else "") + (" LAST" if play.last else "")
    claim = f"{play.count} x {word}"
    said, note = ("class:claim.big", claim), ("class:alert", notes)
    if cells(f"{who}: {claim}{notes}") <= inner:
        lead = f"{who} {verb}: "
        space = inner - cells(claim + notes)
        return ((("", lead if cells(lead) <= space else f"{who}: "), said, note),)
    if not notes:  # then the claim has the second line to itself
        lead = f"{who} {verb}:"
        return (plain(lead if cells(lead) <= inner else f"{who}:"), (said,))
    first = (("", f"{shorten(who, max(0, inner - cells(claim) - 2))}: "), said)
    alone = notes.strip() + (" CARDS" if play.last else "")  # a line of its own has space for it
    return (first, plain(alone, "class:alert"))


def answer_lines(frame: Frame, view: TableView, play: e.Played, inner: int) -> tuple[Line, ...]:
    """What this player can do about it now, or has done; what came of it is said above the keys."""
    doubt = frame.state.doubt
    if doubt is not None and doubt.play == play.play:
        return _texts(SHORT[doubt.stage], inner, "class:alert")
    if selectors.gave_up(frame.state):
        return _texts("you gave up the seat", inner)
    if play.play not in options_of(view).challenge:
        return _texts(_why_not(view, play, inner), inner)
    if not selectors.is_online(frame.state):
        return _texts(NO_KEYS, inner, "class:alert")
    if not selectors.hears(frame.state):
        return _texts(PAUSED, inner, "class:alert")
    keys = tuple(_keys(frame))
    in_one = joined(keys, " " if frame.desk.typing is not None else "  ")
    return (in_one,) if width_of(in_one) <= inner else keys


def _texts(text: str, inner: int, style: str = "class:dim") -> tuple[Line, ...]:
    return tuple(plain(line, style) for line in wrapped(text, inner))


def _keys(frame: Frame) -> Iterator[Line]:
    """The keys that answer a play; while a text is typed, letters go into it."""
    shout = ("", f" = {selectors.shout(frame.state)}")
    if frame.desk.typing is not None:
        yield (("class:key", "Esc"), ("", " and then"))
        yield (("class:key", "b"), shout)
        return
    yield (("class:key", "b"), shout)
    yield (
        ("class:key", "you believe" if selectors.believed_myself(frame.state) else "y = believe"),
    )


def _why_not(view: TableView, play: e.Played, inner: int) -> str:
    """Why this play is not mine to doubt, in two lines at most."""
    if view.you is None:
        return "you are watching"
    if play.seat == view.you:
        return "do they believe you?"
    if not view.table.is_in(view.you):
        return "you are out"
    may = [name_of(view.table, seat) for seat in challengers(view.table, play)]
    who = shorten(may[0], inner - cells("only ")) if may else ""
    return f"only {who} may doubt" if len(may) == 1 else "not yours to doubt"


def time_lines(frame: Frame, view: TableView, inner: int) -> tuple[Line, ...]:
    """The protected time left, or until when the play stays open after it (RULES C2)."""
    left = frame.left(frame.state.clocks.window_ends)
    if left is not None and view.table.phase is e.Phase.PROTECTED:
        width = max(4, min(14, inner - 10))
        return (time_bar(left, frame.state.clocks.window_s, width, frame.skin),)
    if view.table.phase is e.Phase.PROTECTED:
        return ()
    if view.table.rules.challenge_until is ChallengeUntil.PICK_UP:
        return _texts("open while it lies there", inner)
    who = name_of(view.table, view.table.turn, view.you)
    verb = "play" if view.table.turn == view.you else "plays"
    return _texts(f"open until {shorten(who, inner - cells(verb) - 1)} {verb}", inner)


def belief_line(frame: Frame, view: TableView) -> Line:
    """How many believe it; who they are is not shown (RULES C4)."""
    could = selectors.can_still_doubt(frame.state)
    return plain(believed(view.table.let_go, could), "class:dim") if could else ()
