"""The lines above the key bar: what has just been refused, what waits, what could be done."""

from collections.abc import Iterable, Iterator

from client import my_hand, selectors
from client.news import STALLED, VOTES, doubt_text, why_paused
from client.screens.claims import bluff_text, draft
from client.screens.desk import Question, Typing
from client.screens.editor import field
from client.screens.frame import Frame
from client.screens.leaving import with_cost
from client.screens.parts.bars import minutes, seconds
from client.screens.parts.cells import BLANK, Line, cells, plain, wrapped
from client.state import ClientState, LinkState, Pause, Vote
from client.way_in.own_server import server_ended
from client.words import cards, claim, laid, name_of, place, ranks, truly
from protocol.cards import Rank, are_as_said
from protocol.events import Chair, PauseReason, Phase, Played
from protocol.numbers import Seat
from protocol.options import last_play_decides
from protocol.text import clean
from protocol.turns import passes_may_come, turns_away
from protocol.views import TableView

FOOT_ROWS = 2
PROMPTS = {
    Typing.SAY: "say",
    Typing.CODE: "code",
    Typing.PASSWORD: "password",
    Typing.CREATE: "rules",
    Typing.NAME: "name",
    Typing.RANK: "say which rank",
}
QUESTIONS = {
    Question.LEAVE: "Leave? Ctrl-C again leaves",
    Question.GIVE_UP: "Give up your seat for this deal? Enter yes, Esc no",
    Question.LEAVE_LOBBY: "Leave the lobby and your seat? Enter yes, Esc no",
    Question.START_ANYWAY: "Not all are ready. Deal anyway? Enter yes, Esc no",
    Question.REMOVE: "Remove {} for good? Enter yes, Esc no",
}
NO_SEAT_TO_LEAVE = "Leave the lobby? Enter yes, Esc no"


def message_lines(frame: Frame, least: int, most: int) -> tuple[Line, ...]:
    """From `least` to `most` lines, so many that what is urgent is whole; the text line is the last.

    Without anything urgent this holds for the first piece of advice; more of it only fills up.
    """
    typed = (line,) if (line := typing_line(frame)) else ()
    urgent = tuple(_wrapped(frame, urgent_texts(frame)))[: most - len(typed)]
    advice: tuple[Line, ...] = ()
    for text in table_advice(frame):
        lines = tuple(_wrapped(frame, ((text, "class:advice"),)))
        space = (least if advice or urgent else most) - len(urgent) - len(typed) - len(advice)
        if len(lines) > space:
            break
        advice = (*advice, *lines)
    lines = (*advice, *urgent, *typed)
    return (*lines, *[BLANK] * (least - len(lines)))


def foot_lines(frame: Frame, usual: str = "") -> tuple[Line, ...]:
    """The most urgent of all or what is usual here, then the text line: two lines, or more if it takes more."""
    typed = (line,) if (line := typing_line(frame)) else ()
    text = next(urgent_texts(frame), (usual, "class:advice"))
    lines = (*_wrapped(frame, (text,)), *typed)
    return (*lines, *[BLANK] * (FOOT_ROWS - len(lines)))


def _wrapped(frame: Frame, texts: Iterable[tuple[str, str]]) -> Iterator[Line]:
    for text, style in texts:
        yield from (plain(f" {line}", style) for line in wrapped(text, frame.columns - 2))


def typing_line(frame: Frame) -> Line:
    """The open text line with its cursor; blank when nothing is being typed."""
    typing = frame.desk.typing
    if typing is None:
        return ()
    prompt = f" {PROMPTS[typing]}> "
    if typing is Typing.RANK:
        due = selectors.due(frame.state)
        some = "" if len(due) == len(Rank) else f"{' '.join(rank.symbol for rank in due)}: "
        return plain(f"{prompt}{some}press its key (Esc leaves)", "class:prompt")
    secret = typing is Typing.PASSWORD
    width = max(4, frame.columns - len(prompt) - 1)
    return (("class:prompt", prompt), *field(frame.desk.line, width, active=True, secret=secret))


def urgent_texts(frame: Frame) -> Iterator[tuple[str, str]]:
    """What has to be seen, with its style: a question, a broken line, a refusal, a vote, a pause."""
    state = frame.state
    if frame.desk.asking is not None:
        yield question_text(frame, frame.desk.asking), "class:alert"
    if state.link.state is LinkState.LOST:
        yield lost_text(frame), "class:alert"
    if state.hint:
        yield state.hint, "class:hint"
    if state.vote is not None:
        yield vote_text(frame, state.vote), "class:alert"
    if state.pause is not None:
        yield pause_text(frame, state.pause), "class:alert"
    if state.stalled:
        yield STALLED, "class:alert"


def question_text(frame: Frame, question: Question) -> str:
    """The open question, and how to answer it."""
    text = QUESTIONS[question].format(clean(frame.desk.asked_about))
    if question is Question.LEAVE_LOBBY and selectors.my_lobby_seat(frame.state) is None:
        text = NO_SEAT_TO_LEAVE
    return with_cost(frame, text, "; {}") + "." if question is Question.LEAVE else text


def lost_text(frame: Frame) -> str:
    """The line is broken: what happens next."""
    left = frame.left(frame.state.link.retry_at)
    again = f"trying again in {seconds(left)}" if left else "trying again"
    if frame.desk.passing:
        return f"Connection lost: {again}; Ctrl-C twice ends it."
    if frame.state.link.ended:
        return f"{server_ended(frame.state)}  (Ctrl-C twice leaves)"
    waits = " What you asked for is sent then." if frame.state.pending else ""
    return f"Connection lost: {again}.{waits} {kept_text(frame.state)}"


def kept_text(state: ClientState) -> str:
    """What becomes of my seat while I am out of sight, and the way out (RULES D2)."""
    if selectors.my_lobby_seat(state) is None:
        return "Ctrl-C twice leaves."
    while_here = " as long as you stay" if state.unkept else ""
    plays = selectors.dealing(state) and selectors.my_chair(state) is Chair.OWNER
    stand_in = " If it lasts, a computer plays for you until you are back." if plays else ""
    return f"Your seat is kept{while_here}; Ctrl-C twice leaves.{stand_in}"


def vote_text(frame: Frame, vote: Vote) -> str:
    """An open vote, and how to answer it where that can be done now (RULES D6)."""
    state = vote.state
    count = f"{state.yes} yes, {state.no} no, {state.needed} needed"
    left = seconds(vote.ends - frame.now)
    return f"{asked_text(frame.state, vote)}. {count}, {left}."


def asked_text(state: ClientState, vote: Vote, first: str = "") -> str:
    """What an open vote asks, and its keys, with what has to be pressed before them."""
    keys = f": {first}v yes, V no" if selectors.may_vote(state) else ""
    said = {None: keys, True: ": you said yes", False: ": you said no"}[vote.mine]
    return f"{clean(vote.state.by)} asks to {VOTES[vote.state.on]}{said}"


def pause_text(frame: Frame, pause: Pause) -> str:
    """Why the table stands still, for how long at most, and how to go on (RULES D5, D9)."""
    tutorial = frame.desk.tutorial
    if tutorial is not None and tutorial.open is not None:
        return "The table waits until you have read this."
    left = frame.left(pause.ends)
    most = f" At most {minutes(left)} more." if left is not None else ""
    away = away_text(frame.state) if pause.reason is PauseReason.WAITING else ""
    goes_on = " Esc: go on." if selectors.may_resume(frame.state) else ""
    ends = " Esc: end the deal." if selectors.may_end_what_nobody_plays(frame.state) else ""
    return f"{why_paused(pause, frame.state.name)}{away}{most}{goes_on}{ends}"


def away_text(state: ClientState) -> str:
    """Who is not there of those who sit in the lobby."""
    away = ", ".join(map(clean, selectors.away(state)))
    return f" Away: {away}." if away else ""


def table_advice(frame: Frame) -> Iterator[str]:
    """What this player might want to know about the table now."""
    view = frame.state.table
    if view is not None and view.table.phase is not Phase.OVER:
        yield from filter(None, advice_texts(frame, view))


def advice_texts(frame: Frame, view: TableView) -> Iterator[str]:
    """The same as sentences, the most useful first."""
    state = frame.state
    doubt = "" if state.doubt is None else doubt_text(view.table, state.doubt)
    if view.table.phase is not Phase.REVEAL:
        yield doubt
    yield replaced_text(state)
    if view.held is not None:
        yield ready_text(frame, view)
    if state.picks:
        yield bluff_text(draft(state, frame.desk.claim), last=len(state.picks) == len(view.hand))
    if view.table.phase is Phase.REVEAL:
        yield reveal_over_text(frame, view)
        yield doubt
    elif selectors.my_turn(state) and view.held is None and not state.picks:
        yield my_turn_text(frame, view)
    if selectors.window_open(state) and view.table.newest_play is not None:
        yield stakes_text(frame, view, view.table.newest_play)
    yield own_play_text(view)
    yield asking_text(state)
    if view.table.phase is not Phase.REVEAL and not selectors.my_turn(state):
        yield waiting_text(state, view)


def replaced_text(state: ClientState) -> str:
    """That a computer player has my seat, and what gives it back (RULES D2, D3)."""
    if selectors.gave_up(state):
        return "A computer has your seat: Esc gives it back."
    if selectors.my_chair(state) is Chair.STAND_IN:
        return "A computer plays for you until you lay, doubt or believe."
    return ""


def ready_text(frame: Frame, view: TableView) -> str:
    """What is laid ready, and when it goes down (RULES C3)."""
    held = view.held
    if held is None:
        return ""
    what = "your pass" if held.rank is None else f'"{claim(held.count, held.rank).upper()}"'
    left = frame.left(frame.state.clocks.window_ends)
    soon = f"{'down ' if held.rank else ''}in {seconds(left)} " if left else ""
    when = "after the pause" if view.table.phase is Phase.REVEAL else f"{soon}if nobody doubts"
    text = f"Ready: {what}, {when}."
    if not (selectors.may_send(frame.state) and selectors.hears(frame.state)):
        return text
    how = " Backspace takes it back."  # the key bar says so, too
    return text + how if cells(text + how) < frame.columns else text


def stakes_text(frame: Frame, view: TableView, play: Played) -> str:
    """What a wrong doubt would cost, and what my own hand says of the claim."""
    state = frame.state
    mine, copies = my_hand.held_of(state, play.rank), my_hand.copies(state)
    there = f"{copies} {truly(play.rank, view.table.rules)}"
    if my_hand.sure_lie(state, play):
        few = play.count > copies  # then it is one whatever I hold
        why = f"there are only {there}" if few else f"you hold {mine} of the {there}"
        return f"A sure lie: {why}."
    hold = f"You hold {mine} of the {there}. " if mine else ""
    more = " or more" if view.table.rules.sneak else ""
    return f"{hold}A wrong doubt costs you {cards(least_in_pile(view))}{more}."


def least_in_pile(view: TableView) -> int:
    """How many cards lie there at least: those that were said, and what I have sneaked in (RULES B10)."""
    said = {play.play: play.count for play in view.table.pile if play.seat == view.you}
    mine = sum(len(laid.cards) - said[laid.play] for laid in view.laid if laid.play in said)
    return view.table.pile_cards + mine


def reveal_over_text(frame: Frame, view: TableView) -> str:
    """Who is next after a ruling, and when (RULES C10)."""
    left = frame.left(frame.state.clocks.reveal_ends)
    soon = f", in {seconds(left)}" if left and not frame.state.gone_on else ""
    who = name_of(view.table, Seat(view.table.turn), view.you)
    return f"Next: {who} with {ranks(view.table.due)}{soon}."


def my_turn_text(frame: Frame, view: TableView) -> str:
    """That the next cards are mine, which rank, and how; they may have to wait (RULES C3, C4)."""
    waits = frame.state.clocks.window_ends is not None and selectors.options(frame.state).held
    whose = "You are next" if waits else "Your turn"
    goes = selectors.may_send(frame.state) and not selectors.stands_still(frame.state)
    how = "Pick ranks, then Enter" if goes else "You can pick ranks now"
    return f"{whose}: say {ranks(view.table.due)}. {how}."


def own_play_text(view: TableView) -> str:
    """What my newest play really was, as long as it may be doubted."""
    play = view.table.newest_play
    if play is None or play.seat != view.you or view.table.closed or not view.laid:
        return ""
    mine = view.laid[-1].cards
    if play.auto:
        return f"Your time was up: the server laid {laid(mine)} for you."
    honest = are_as_said([card.face for card in mine], play.count, play.rank)
    return f"You laid {laid(mine)}: {'the truth' if honest else 'a bluff'}."


def asking_text(state: ClientState) -> str:
    """Host: somebody would like a computer player's seat (RULES D8)."""
    lobby = state.lobby
    if lobby is None or not lobby.asking or not selectors.acts_as_host(state):
        return ""
    return f"{clean(lobby.asking[0])} asks for a computer player's seat: Esc answers."


def waiting_text(state: ClientState, view: TableView) -> str:
    """Whom the table waits for, and when my turn comes; for watchers, what they may hope for."""
    table, you = view.table, view.you
    if table.stopping:
        return "That was the last play: the deal ends when nobody can doubt it any more."
    now = f"{name_of(table, table.turn)}'s turn: {ranks(table.due)}."
    if you is None or selectors.gave_up(state):
        return f"{now} {watching_text(state)}".rstrip()
    if (place_out := table.seats[you].place) is not None:
        return f"You are out, {place(place_out)}: the others play on."
    newest = table.newest_play
    if newest is not None and last_play_decides(table):
        return f"{name_of(table, newest.seat, you)}: out if it stands. Nobody plays until then."
    away = turns_away(table, you)
    if not away:
        return now
    fixed = my_hand.next_ranks(state, 1)
    unless = " if nobody passes" if passes_may_come(table, you) else ""
    what = f": {ranks(fixed)}{unless}" if fixed else ""
    return f"{now} {'You are next' if away == 1 else f'Yours is in {away} turns'}{what}."


def watching_text(state: ClientState) -> str:
    """What somebody who only watches may hope for (RULES D8)."""
    if selectors.gave_up(state):
        return ""
    if selectors.my_lobby_seat(state) is not None:
        return "You are dealt in next time."
    if state.lobby is not None and state.name in state.lobby.asking:
        away = selectors.host_is_away(state)
        who = "whoever acts as host" if away else clean(state.lobby.host)
        return f"You have asked for a seat: {who} decides."
    return "Esc: ask for a seat." if selectors.computer_seats(state) else ""
