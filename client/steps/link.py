"""How the connection, the answers and the client itself change the state. Pure steps of `store`."""

from msgspec.structs import replace

from client import news, selectors
from client import state as s
from client.state import ClientState, LineKind, LinkState
from client.steps import doubts
from client.steps.shared import Steps, forgotten, put_by, with_line
from client.way_in.own_server import server_ended
from client.way_in.phrase import phrase_of
from protocol import answers as a
from protocol.commands import AnyCommand, CastVote, Challenge, GoOn, LetGoOf, Say, StartClock
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from protocol.text import clean

RESTARTED = "The server was started again: what is not here any more has to be opened anew."
ANOTHER = (
    "The server was started again and knows nothing of before, or it is another one: what is not here any "
    "more has to be opened anew."
)
TO_WRITE_DOWN = "Your rejoin phrase: {}. Write it down: it alone brings you back to your seat."
UNKEPT = (
    "Your secret cannot be kept in {}: once you leave, you cannot come back to your seat. To fix that, "
    "leave now, make that folder writable or free some space, and join again."
)
CLOCK_WANTED = "You have asked for a clock: it starts once two players have (D1)."
NO_STAMPS = "Challenges are timed after reading (no kernel stamps)."


def _connecting(state: ClientState, event: s.Connecting) -> ClientState:
    """On the way back to the same server, or to another, of which nothing is known yet."""
    coming_back = state.link.state is LinkState.LOST
    known = state if coming_back else replace(_of_no_server(state), hint=state.hint)
    link = s.Link(
        state=LinkState.LOST if coming_back else LinkState.CONNECTING,
        address=event.address,
        attempt=state.link.attempt if coming_back else 0,
        text=state.link.text if coming_back else "",
        ended=coming_back and state.link.ended,
        encrypted=event.encrypted,
    )
    return replace(known, link=link)


def _of_no_server(state: ClientState) -> ClientState:
    """Without what is known of a server, and what it was asked: nobody answers that any more."""
    return replace(forgotten(state), welcome=None, rtt_us=None, pending=(), unkept="", put_by=None)


def _welcome(state: ClientState, event: a.Welcome) -> ClientState:
    link = s.Link(
        state=LinkState.ONLINE, address=state.link.address, encrypted=state.link.encrypted
    )
    fresh = state if event.resumed else forgotten(put_by(state))
    is_same = state.welcome is None or state.welcome.server == event.server
    known = event.secret is None and is_same
    arrived = replace(
        fresh,
        link=link,
        name=clean(event.name),
        welcome=event,
        unkept=state.unkept if known else "",
        pending=state.pending if known else (),
        doubt=state.doubt if known else None,
        stalled=False,  # where that is still so, it is told anew
        vote=None,  # one that is still open is told anew, without the vote that did not arrive
        hint="",
    )
    if phrase := phrase_of(event.secret):
        arrived = replace(arrived, phrase=phrase)
        arrived = with_line(arrived, LineKind.NOTICE, TO_WRITE_DOWN.format(phrase))
    if state.welcome is not None and state.welcome.epoch != event.epoch:
        arrived = with_line(arrived, LineKind.LINK, RESTARTED if is_same else ANOTHER)
    return _how_timed(arrived, None if state.welcome is None else state.welcome.stamps)


def _how_timed(state: ClientState, known: a.Stamps | None) -> ClientState:
    """Say, once, that this server goes by the time of its own reading (RULES C1)."""
    stamps = None if state.welcome is None else state.welcome.stamps
    if stamps is not a.Stamps.AFTER_READ or known is stamps:
        return state
    return with_line(state, LineKind.NOTICE, NO_STAMPS)


def _unkept(state: ClientState, event: s.Unkept) -> ClientState:
    text = UNKEPT.format(event.where)
    return replace(with_line(state, LineKind.NOTICE, text), unkept=event.where, hint=text)


def _link_lost(state: ClientState, event: s.LinkLost) -> ClientState:
    link = replace(
        state.link,
        state=LinkState.LOST,
        attempt=event.attempt,
        retry_at=state.now + event.retry_s,
        text=event.reason,
        ended=event.ended,
    )
    lost = replace(state, link=link, rtt_us=None)
    if event.attempt == 1:
        lost = with_line(lost, LineKind.LINK, f"Connection lost: {event.reason}.")
    if event.ended and not state.link.ended:
        return with_line(lost, LineKind.LINK, server_ended(lost))
    return lost


def _link_refused(state: ClientState, event: s.LinkRefused) -> ClientState:
    link = replace(
        state.link, state=LinkState.REFUSED, retry_at=None, text=event.text, code=event.code
    )
    return with_line(replace(state, link=link, rtt_us=None), LineKind.LINK, event.text)


def _link_closed(state: ClientState, _event: s.LinkClosed) -> ClientState:
    return replace(_of_no_server(state), link=s.Link())


def _ping(state: ClientState, event: a.Ping) -> ClientState:
    return state if event.rtt_us is None else replace(state, rtt_us=event.rtt_us)


def _sent(state: ClientState, event: s.Sent) -> ClientState:
    command = event.command
    after = replace(state, pending=(*_without(state.pending, command.n), command), hint="")
    match command:
        case Challenge():
            return replace(after, doubt=s.Doubt(play=command.play, n=command.n))
        case LetGoOf():
            return replace(after, believed=command.play)
        case GoOn():
            return replace(after, gone_on=True)
        case CastVote() if after.vote:
            return replace(after, vote=replace(after.vote, mine=command.yes))
        case _:
            return after


def _without(
    pending: tuple[AnyCommand, ...], number: CommandNumber | None
) -> tuple[AnyCommand, ...]:
    return tuple(command for command in pending if command.n != number)


def _accepted(state: ClientState, event: a.Accepted) -> ClientState:
    asked = selectors.asked(state, event.n)
    after = replace(state, pending=_without(state.pending, event.n))
    if isinstance(asked, StartClock) and not selectors.is_host(state):
        return with_line(after, LineKind.TABLE, CLOCK_WANTED)  # the table tells nobody of it
    return after


# These come as no surprise, or are told in better words by the doubt line and the table itself.
_UNSAID = {Refusal.CALLED_FIRST, Refusal.TAKEN_BACK}


def _refused(state: ClientState, event: a.Refused) -> ClientState:
    asked = selectors.asked(state, event.n)
    after = _undone(replace(state, pending=_without(state.pending, event.n)), asked)
    if after.doubt and event.n == after.doubt.n:
        after = replace(after, doubt=doubts.after_refusal(after.doubt, event))
        if after.doubt is not None:
            return after
    if event.n is None or event.code in _UNSAID:
        return after
    text = news.refused(event)
    about = f'About "{asked.text}": ' if isinstance(asked, Say) else ""
    return replace(with_line(after, LineKind.ANSWER, f"{about}{text}"), hint=text)


def _undone(state: ClientState, asked: AnyCommand | None) -> ClientState:
    """What sending a command has shown already did not come of it; it may be asked again."""
    match asked:
        case GoOn():
            return replace(state, gone_on=False)
        case CastVote() if state.vote and state.vote.state.vote == asked.vote:
            return replace(state, vote=replace(state.vote, mine=None))
        case _:
            return state


def _picked(state: ClientState, event: s.Picked) -> ClientState:
    return replace(state, picks=event.cards, hint="")


def _painted(state: ClientState, event: s.Painted) -> ClientState:
    if event.play == state.painted:
        return state
    return replace(state, painted=event.play, painted_at=state.now)


def _believe_all(state: ClientState, event: s.BelieveAll) -> ClientState:
    return replace(state, believe_all=event.on, hint="")


def _hinted(state: ClientState, event: s.Hinted) -> ClientState:
    return replace(state, hint=event.text)


def _noted(state: ClientState, event: s.Noted) -> ClientState:
    return with_line(state, event.kind, event.text)


def _renamed(state: ClientState, event: s.Renamed) -> ClientState:
    return replace(state, name=event.name)


STEPS: Steps = {
    s.Connecting: _connecting,
    a.Welcome: _welcome,
    s.LinkLost: _link_lost,
    s.LinkRefused: _link_refused,
    s.LinkClosed: _link_closed,
    s.Unkept: _unkept,
    a.Ping: _ping,
    s.Sent: _sent,
    a.Accepted: _accepted,
    a.Refused: _refused,
    s.Picked: _picked,
    s.Painted: _painted,
    s.BelieveAll: _believe_all,
    s.Hinted: _hinted,
    s.Noted: _noted,
    s.Renamed: _renamed,
}
