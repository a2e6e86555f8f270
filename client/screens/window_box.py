"""The box of an open challenge window: what was said, the keys that answer it, and the time left."""

from client import selectors
from client.screens.frame import Frame
from client.screens.parts.bars import time_bar
from client.screens.parts.cells import Line, cells, fill, plain, shorten
from client.state import Doubt, DoubtStage
from client.words import margin, name_of
from protocol import events as e
from protocol.options import challengers, options_of
from protocol.rules import ChallengeUntil
from protocol.text import clean
from protocol.views import PublicTable, TableView

SENT = "sent - waiting for the ruling"
SENT_SHORT = "sent - waiting"
EDGES = 4  # two lines and two spaces


def box_lines(frame: Frame, view: TableView, width: int) -> tuple[Line, ...]:
    """The box; nothing when no play is open to be doubted."""
    play = view.table.newest_play
    if play is None or view.table.closed:
        return ()
    inner = width - EDGES - 2
    lines = (
        said_line(view, play, inner),
        answer_line(frame, view, play, inner),
        time_line(frame, view, inner),
        belief_line(view, play),
    )
    return _boxed(frame, [line for line in lines if line], inner)


def _boxed(frame: Frame, lines: list[Line], inner: int) -> tuple[Line, ...]:
    skin = frame.skin
    across = skin.across * (inner + 2)
    top_left, top_right, bottom_left, bottom_right = skin.corners
    side = ("class:rule", skin.down)
    body = [(("", " "), side, ("", " "), *fill(line, inner), ("", " "), side) for line in lines]
    top = plain(f" {top_left}{across}{top_right}", "class:rule")
    bottom = plain(f" {bottom_left}{across}{bottom_right}", "class:rule")
    return (top, *body, bottom)


def said_line(view: TableView, play: e.Played, inner: int) -> Line:
    """Who said what; the last cards are marked."""
    who = name_of(view.table, play.seat, view.you)
    verb = "say" if play.seat == view.you else "says"
    word = (play.rank.word if play.count == 1 else play.rank.plural).upper()
    notes = (" (auto)" if play.auto else "") + (" LAST" if play.last else "")
    said = f"{play.count} x {word}"
    space = inner - cells(said) - cells(notes)
    lead = f"{who} {verb}: "
    return (
        ("", lead if cells(lead) <= space else f"{shorten(who, max(0, space - 2))}: "),
        ("class:claim.big", said),
        ("class:alert", notes),
    )


def answer_line(frame: Frame, view: TableView, play: e.Played, inner: int) -> Line:
    """What this player can do about it, or has done; all of it is said above the keys."""
    state = frame.state
    doubt = state.doubt
    if doubt is not None and doubt.play == play.play:
        waits = doubt.stage is DoubtStage.SENT
        text = SENT_SHORT if waits else shorten(doubt_text(view.table, doubt), inner)
        return plain(text, "class:alert")
    may = options_of(view)
    if play.play not in may.challenge:
        return _why_not(view, play)
    shout = clean(state.lobby.settings.shout if state.lobby else "BS!", 20)
    believe = "you believe" if selectors.believed_myself(state) else "y = believe"
    if frame.desk.typing is not None:  # letters go into the open text line
        return (("class:key", "Esc"), ("", " and then "), ("class:key", "b"), ("", f" = {shout}"))
    return (("class:key", "b"), ("", f" = {shout}  "), ("class:key", believe))


def _why_not(view: TableView, play: e.Played) -> Line:
    if view.you is None:
        return plain("you are watching", "class:dim")
    if play.seat == view.you:
        return plain("do they believe you?", "class:dim")
    if not view.table.is_in(view.you):
        return plain("you are out", "class:dim")
    may = [name_of(view.table, seat) for seat in challengers(view.table, play)]
    return plain(f"only {may[0]} may doubt" if len(may) == 1 else "not yours to doubt", "class:dim")


def doubt_text(table: PublicTable, doubt: Doubt) -> str:
    """What has become of my doubt; never more than the server has said (RULES C8)."""
    other = "somebody" if doubt.other is None else name_of(table, doubt.other)
    by = "" if doubt.margin_us is None else f" by {margin(doubt.margin_us)}"
    match doubt.stage:
        case DoubtStage.SENT:
            return SENT
        case DoubtStage.FIRST:
            return f"You doubted first{f',{by} over {other}' if by else ''}."
        case DoubtStage.BEATEN:
            return f"{other} was first{by}: yours costs nothing."
        case DoubtStage.LATE:
            return f"Too late{by}: it costs nothing."
        case DoubtStage.REFUSED:
            return doubt.text


def time_line(frame: Frame, view: TableView, inner: int) -> Line:
    """The protected time left, or until when the play stays open after it (RULES C2)."""
    left = frame.left(frame.state.clocks.window_ends)
    if left is not None and view.table.phase is e.Phase.PROTECTED:
        width = max(4, min(14, inner - 10))
        return time_bar(left, frame.state.clocks.window_s, width, frame.skin)
    if view.table.phase is e.Phase.PROTECTED:
        return ()
    if view.table.rules.challenge_until is ChallengeUntil.PICK_UP:
        return plain("open while it lies there", "class:dim")
    who = name_of(view.table, view.table.turn, view.you)
    verb = "play" if view.table.turn == view.you else "plays"
    return plain(shorten(f"open until {who} {verb}", inner), "class:dim")


def belief_line(view: TableView, play: e.Played) -> Line:
    """How many believe it; who they are is not shown (RULES C4)."""
    could = len(challengers(view.table, play))
    if not could:
        return ()
    verb = "believes" if view.table.let_go == 1 else "believe"
    return plain(f"{view.table.let_go} of {could} {verb} it", "class:dim")
