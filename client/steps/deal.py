"""How the events of a deal change clocks, rulings, votes and pauses. Pure steps of `store`."""

from msgspec.structs import replace

from client import news, selectors
from client import state as s
from client.state import ClientState, Clocks, LineKind
from client.steps import doubts
from client.steps.shared import Steps, with_line, without_table
from protocol import events as e
from protocol.numbers import MAX_SEATS, MICROS
from protocol.options import turn_of
from protocol.views import LogPage, TableSnapshot


def _new_deal(state: ClientState, _event: e.Event) -> ClientState:
    return replace(without_table(state), table=state.table, put_by=None)


def _shown_anew(state: ClientState, event: TableSnapshot) -> ClientState:
    """What was picked in this deal and is still in the hand is picked: nobody has seen it go."""
    before, code = state.put_by, selectors.lobby_code(state)
    picks = (card.id for card in before.cards if card in event.hand) if before else ()
    is_it = before is not None and (before.code, before.deal) == (code, event.table.deal)
    return replace(_new_deal(state, event), picks=tuple(picks) if is_it else ())


def _log_page(state: ClientState, _event: LogPage) -> ClientState:
    """Whoever comes while a ruling is read reads it, too (RULES C10)."""
    view = state.table
    if view is None or view.table.phase is not e.Phase.REVEAL:
        return state
    return replace(state, ruling=view.newest_ruling)


def _played(state: ClientState, event: e.Played) -> ClientState:
    length = event.protected_us / MICROS
    clocks = Clocks(
        opened_at=state.now, window_ends=state.now + length if length else None, window_s=length
    )
    mine = event.seat == selectors.my_seat(state)
    return replace(
        state,
        clocks=clocks,
        ruling=None,
        late=(),
        gone_on=False,
        doubt=None,
        hint="",
        believe_all=state.believe_all and not mine,
    )


def _passed(state: ClientState, event: e.Passed) -> ClientState:
    mine = event.seat == selectors.my_seat(state)
    return _turn_moved(replace(state, believe_all=state.believe_all and not mine), event)


def _window_ended(state: ClientState, _event: e.Event) -> ClientState:
    return replace(state, clocks=replace(state.clocks, window_ends=None))


def _stands(state: ClientState, event: e.Stands) -> ClientState:
    return replace(_window_ended(state, event), hint="")


def _ruled(state: ClientState, event: e.Ruled) -> ClientState:
    pause = event.reveal_us / MICROS
    return replace(
        state,
        clocks=Clocks(reveal_ends=state.now + pause if pause else None),
        ruling=event,
        late=(),
        gone_on=False,
        hint="",
        doubt=doubts.after_ruling(state.doubt, event, selectors.my_seat(state)),
    )


def _late_call(state: ClientState, event: e.LateCall) -> ClientState:
    return replace(
        state,
        late=(*state.late, event)[-MAX_SEATS:],
        doubt=doubts.after_late_call(state.doubt, event, selectors.my_seat(state)),
    )


def _reveal_over(state: ClientState, _event: e.RevealOver) -> ClientState:
    clocks = replace(state.clocks, reveal_ends=None)
    return replace(state, clocks=clocks, gone_on=True, hint="")


def _chair_changed(state: ClientState, event: e.ChairChanged) -> ClientState:
    """Whoever gave up a seat is told no more of its cards: what is known of them was true once."""
    view, after = state.table, _without_owner(state, event)
    if view is None or event.seat != view.you or event.chair is not e.Chair.COMPUTER:
        return after
    nothing = replace(view, hand=(), laid=(), held=None, you_let_go=False)
    return replace(after, table=nothing, picks=(), believe_all=False)


def _without_owner(state: ClientState, event: e.ChairChanged) -> ClientState:
    """A turn's clock is its owner's: it stops while somebody else plays, and what is left is told then."""
    if event.chair is e.Chair.OWNER or event.seat != state.clocks.turn_seat:
        return state
    return replace(state, clocks=replace(state.clocks, turn_ends=None, turn_seat=None))


def _turn_moved(state: ClientState, _event: e.Event) -> ClientState:
    clocks = replace(state.clocks, turn_ends=None, turn_seat=None, turn=None)
    return replace(state, clocks=clocks, hint="")


def _stopping(state: ClientState, event: e.Stopping) -> ClientState:
    """The last counted play has a last play's window, counted from its opening (RULES B21)."""
    still = _turn_moved(state, event)  # nobody may move any more
    if still.table is None or still.clocks.opened_at is None:
        return still
    length = float(still.table.table.rules.last_window_s)
    ends = still.clocks.opened_at + length
    return replace(still, clocks=replace(still.clocks, window_ends=ends, window_s=length))


def _deal_over(state: ClientState, _event: e.DealOver) -> ClientState:
    after = replace(state, clocks=Clocks(), vote=None, vote_offered=False, believe_all=False)
    return replace(after, hint="")


def _window_state(state: ClientState, event: e.WindowState) -> ClientState:
    protected, reveal = event.protected_us / MICROS, event.reveal_us / MICROS
    turn = event.turn_us
    clocks = replace(
        state.clocks,
        window_ends=state.now + protected if protected else None,
        window_s=max(state.clocks.window_s, protected),
        reveal_ends=state.now + reveal if reveal else None,
        turn_ends=None if turn is None else state.now + turn / MICROS,
        turn_seat=None if turn is None or state.table is None else state.table.table.turn,
        turn=None if turn is None or state.table is None else turn_of(state.table.table),
        resumes_at=None,
    )
    return replace(state, clocks=clocks, pause=None, believed=s.NO_PLAY)


def _turn_clock(state: ClientState, event: e.TurnClock) -> ClientState:
    ends = state.now + event.left_us / MICROS
    turn = turn_of(state.table.table) if state.table else None
    clocks = replace(state.clocks, turn_ends=ends, turn_seat=event.seat, turn=turn)
    return replace(state, clocks=clocks, pause=None)


def _paused(state: ClientState, event: e.Paused) -> ClientState:
    ends = None if event.left_us is None else state.now + event.left_us / MICROS
    pause = s.Pause(
        reason=event.reason, by=event.by, voted=event.voted, number=event.pause, ends=ends
    )
    stopped = replace(state, clocks=Clocks(), pause=pause)
    if event.reason is e.PauseReason.PARKED and selectors.holds_a_seat(state):
        return stopped  # it was so until I came back, and ends with that (RULES D5)
    return with_line(stopped, LineKind.TABLE, news.paused(pause, state.name, event.left_us))


def _resumed(state: ClientState, event: e.Resumed) -> ClientState:
    """After a count, or at once: then the open window counts from now (RULES D5, D9)."""
    if event.in_us:
        clocks = Clocks(resumes_at=state.now + event.in_us / MICROS)
    else:
        clocks = replace(state.clocks, resumes_at=None, opened_at=state.now)
    return with_line(
        replace(state, clocks=clocks, pause=None, hint=""), LineKind.TABLE, news.resumed(event)
    )


def _vote_state(state: ClientState, event: e.VoteState) -> ClientState:
    known = state.vote if state.vote and state.vote.state.vote == event.vote else None
    mine = known.mine if known else _voted_by_calling(state, event)
    open_vote = s.Vote(state=event, ends=state.now + event.left_us / MICROS, mine=mine)
    ended = event.passed is not None
    after = replace(state, vote=None if ended else open_vote)
    if known and not ended:
        return after
    return with_line(after, LineKind.TABLE, news.vote(event))


def _voted_by_calling(state: ClientState, event: e.VoteState) -> bool | None:
    """Whoever calls a vote has said yes with it; None if that was not me, or I may have said no since."""
    return True if event.by == state.name and not event.no else None


def _vote_offered(state: ClientState, event: e.VoteOffered) -> ClientState:
    offered = replace(state, vote_offered=True)
    return with_line(offered, LineKind.TABLE, news.vote_offered(event))


STEPS: Steps = {
    e.DealStarted: _new_deal,
    TableSnapshot: _shown_anew,
    LogPage: _log_page,
    e.Played: _played,
    e.Passed: _passed,
    e.ProtectionOver: _window_ended,
    e.Stands: _stands,
    e.Ruled: _ruled,
    e.LateCall: _late_call,
    e.RevealOver: _reveal_over,
    e.SetAside: _turn_moved,
    e.ChairChanged: _chair_changed,
    e.WentOut: _turn_moved,
    e.Stopping: _stopping,
    e.DealOver: _deal_over,
    e.WindowState: _window_state,
    e.TurnClock: _turn_clock,
    e.Paused: _paused,
    e.Resumed: _resumed,
    e.VoteState: _vote_state,
    e.VoteOffered: _vote_offered,
}
