"""The lines above the key bar: what has just been refused, what waits, what could be done."""

from collections.abc import Iterator

from client import selectors
from client.news import PAUSES, VOTES
from client.screens.claims import bluff_text, draft
from client.screens.desk import Question, Typing
from client.screens.editor import field
from client.screens.frame import Frame
from client.screens.parts.bars import seconds, whole_seconds
from client.screens.parts.cells import Line, plain, wrapped
from client.screens.window_box import doubt_text
from client.state import LinkState, Pause, Vote
from client.words import cards, claim, name_of, ranks
from protocol.events import Phase, Played
from protocol.numbers import Seat
from protocol.text import clean
from protocol.views import TableView

PROMPTS = {
    Typing.SAY: "say",
    Typing.CODE: "code",
    Typing.PASSWORD: "password",
    Typing.CREATE: "rules",
    Typing.RANK: "say it is which rank",
}
QUESTIONS = {
    Question.LEAVE: "Leave? Ctrl-C again leaves; your seat is kept.",
    Question.GIVE_UP: "Give up your seat for this deal? Enter yes, Esc no",
    Question.LEAVE_LOBBY: "Leave the lobby and your seat? Enter yes, Esc no",
    Question.START_ANYWAY: "Not all are ready. Deal anyway? Enter yes, Esc no",
}


def message_lines(frame: Frame, rows: int) -> tuple[Line, ...]:
    """So many lines, the most urgent ones first chosen and the text line always the last."""
    typed = typing_line(frame)
    space = rows - (1 if typed else 0)
    urgent = tuple(urgent_lines(frame))[:space]
    advice = tuple(table_advice(frame))[: space - len(urgent)]
    lines = (*advice, *urgent, *((typed,) if typed else ()))
    return (*lines, *[()] * (rows - len(lines)))


def typing_line(frame: Frame) -> Line:
    """The open text line with its cursor; blank when nothing is being typed."""
    typing = frame.desk.typing
    if typing is None:
        return ()
    prompt = f" {PROMPTS[typing]}> "
    if typing is Typing.RANK:
        return plain(f"{prompt}press its key (Esc leaves)", "class:prompt")
    secret = typing is Typing.PASSWORD
    width = max(4, frame.columns - len(prompt) - 1)
    return (("class:prompt", prompt), *field(frame.desk.line, width, active=True, secret=secret))


def urgent_lines(frame: Frame) -> Iterator[Line]:
    """What has to be seen: a question, a broken line, a refusal, a pause, a vote."""
    state = frame.state
    if frame.desk.asking is not None:
        yield plain(f" {QUESTIONS[frame.desk.asking]}", "class:alert")
    if state.link.state is LinkState.LOST:
        yield plain(f" {lost_text(frame)}", "class:alert")
    for line in wrapped(state.hint, frame.columns - 2):
        yield plain(f" {line}", "class:hint")
    if state.vote is not None:
        yield plain(f" {vote_text(state.vote, frame.now)}", "class:alert")
    if state.pause is not None:
        yield plain(f" {pause_text(state.pause, frame.now)}", "class:alert")


def lost_text(frame: Frame) -> str:
    """The line is broken: what happens next."""
    left = frame.left(frame.state.link.retry_at)
    again = f"trying again in {seconds(left)}" if left else "trying again"
    return f"The line is lost: {again}. Your seat is kept."


def vote_text(vote: Vote, now: float) -> str:
    """An open vote, and how to answer it (RULES D6)."""
    state = vote.state
    count = f"{state.yes} yes, {state.no} no, {state.needed} needed"
    mine = "" if vote.mine is None else f" - you said {'yes' if vote.mine else 'no'}"
    left = whole_seconds(vote.ends - now)
    return (
        f"VOTE: {clean(state.by)} asks to {VOTES[state.on]}: {count}, {left} s (v yes  V no){mine}"
    )


def pause_text(pause: Pause, now: float) -> str:
    """Why the table stands still (RULES D5, D9)."""
    return PAUSES[pause.reason] + (f" {seconds(pause.ends - now)}" if pause.ends else "")


def table_advice(frame: Frame) -> Iterator[Line]:
    """What this player might want to know about the table now."""
    view = frame.state.table
    if view is None or view.table.phase is Phase.OVER:
        return
    yield from (plain(f" {text}", "class:advice") for text in advice_texts(frame, view) if text)


def advice_texts(frame: Frame, view: TableView) -> Iterator[str]:
    """The same as sentences, the most useful first."""
    state = frame.state
    if state.doubt is not None:
        yield doubt_text(view.table, state.doubt)
    if view.held is not None:
        yield ready_text(view)
    if state.picks:
        yield bluff_text(draft(state, frame.desk.said))
    if selectors.window_open(state) and view.table.newest_play is not None:
        yield stakes_text(frame, view, view.table.newest_play)
    elif state.ruling is not None:
        yield after_ruling_text(frame, view)
    elif not state.picks and selectors.my_turn(state):
        verb = "may" if len(view.table.due) > 1 else "must"
        yield f"Your turn: you {verb} say {ranks(view.table.due)}. Pick cards, then Enter."


def ready_text(view: TableView) -> str:
    """What is laid ready, and when it goes down (RULES C3)."""
    held = view.held
    if held is None:
        return ""
    what = "pass" if held.rank is None else claim(held.count, held.rank).upper()
    when = "the pause is over" if view.table.phase is Phase.REVEAL else "the window closes"
    return f'Ready: "{what}" - goes down when {when}. Backspace takes it back.'


def stakes_text(frame: Frame, view: TableView, play: Played) -> str:
    """What a wrong doubt would cost, and what my own hand says of the claim."""
    state = frame.state
    if selectors.sure_lie(state, play):
        return (
            f"A sure lie: you hold {selectors.held_of(state, play.rank)} of the {play.rank.plural}."
        )
    mine, copies = selectors.held_of(state, play.rank), selectors.copies(state)
    hold = f"You hold {mine} of the {copies} {play.rank.plural}. " if mine else ""
    return f"{hold}A wrong doubt: you take {cards(view.table.pile_cards)}."


def after_ruling_text(frame: Frame, view: TableView) -> str:
    """Who is next after a ruling, and when (RULES C10)."""
    left = frame.left(frame.state.clocks.reveal_ends)
    soon = f", in {seconds(left)} (Enter goes on)" if left and not frame.state.gone_on else ""
    due = ranks(view.table.due)
    if view.table.turn == view.you:
        return f"Next: you must say {due}{soon}."
    return f"Next: {name_of(view.table, Seat(view.table.turn))}, {due}{soon}."
