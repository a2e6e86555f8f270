"""What an event says, as labelled lines: `told(before, event, after)`. Pure.

Every line begins with a fixed label that can be searched for. What is printed is the difference an
event made, so both states are needed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from client import my_hand, selectors, words
from client.plain import told_lobby
from client.plain.lobby_reports import INVITE, NEXT_TIME, THINLY, next_lines
from client.plain.reports import (
    MY_TURN,
    NEXT,
    doer,
    hand_line,
    is_mine,
    result_lines,
    turn_line,
    who,
)
from client.plain.ruled_lines import call_order, late_call, my_doubt, reveal, shown_play
from client.plain.ticks import TURN_TICKS
from client.state import ClientState, LineKind
from client.store import AnyEvent
from protocol import commands as c
from protocol import events as e
from protocol.cards import are_as_said
from protocol.numbers import MICROS
from protocol.views import PublicTable, TableSnapshot

LABELS = {
    LineKind.NEWS: "NEWS",
    LineKind.TABLE: "NOTE",
    LineKind.LINK: "NOTE",
    LineKind.NOTICE: "NOTE",
    LineKind.ANSWER: "NO",
}


CLOCKS_AGREE_S = 1.0  # a reminder comes by the wire, and says nothing new


def told(before: ClientState, event: AnyEvent, after: ClientState) -> tuple[str, ...]:
    """The lines an event makes; none for most of what only a screen would show."""
    return tuple(_lines(before, event, after))


def without_advice(lines: Sequence[str]) -> list[str]:
    """The lines but for those about what to do next, and with whom: not for somebody who is under way."""
    return [line for line in lines if not line.startswith((NEXT, THINLY))]


def while_standing_still(lines: Sequence[str]) -> list[str]:
    """The lines but for my turn, which a snapshot told: it is told again once the table goes on."""
    return [line for line in lines if not line.startswith(MY_TURN)]


def for_one_alone(lines: Iterable[str]) -> list[str]:
    """The lines but for the ways in: practice is for nobody else."""
    return [line for line in lines if not line.startswith(INVITE)]


def _lines(before: ClientState, event: AnyEvent, after: ClientState) -> Iterator[str]:
    if before.doubt != after.doubt and (line := my_doubt(after)):
        yield line
    tell = _TELLERS.get(type(event))
    if tell and selectors.public(after):
        yield from tell(before, event, after)
    yield from told_lobby.what_happened(before, event, after)
    yield from _news(before, after)
    yield from told_lobby.what_now(before, event, after)
    if _to_move(after) and _to_move(after) != _to_move(before):
        yield turn_line(after)


def _to_move(state: ClientState) -> tuple[int, ...] | None:
    """What the table waits for, while it waits for a seat to move."""
    table = selectors.public(state)
    if table is None or table.phase is not e.Phase.TO_PLAY or table.stopping:
        return None
    if _is_ending(table) or _waits_for_my_hand(state, table) or selectors.laid_ready(state):
        return None
    mine = table.turn == selectors.my_seat(state) and selectors.plays_myself(state)
    if mine and selectors.stands_still(state):  # what I lay now is refused
        return None
    return (table.deal, table.turn, table.newest, table.pile_number, table.passes, mine)


def _waits_for_my_hand(state: ClientState, table: PublicTable) -> bool:
    """Whether my cards, and perhaps my seat, come next: at the start, and with a seat taken back."""
    if selectors.my_seat(state) is not None:
        return (
            selectors.plays_myself(state)
            and table.turn == selectors.my_seat(state)
            and not my_hand.cards(state)
        )
    own = (seat for seat in table.seats if seat.name == state.name)
    return any(seat.chair is e.Chair.OWNER for seat in own)


def _is_ending(table: PublicTable) -> bool:
    """Whether somebody goes out next, or the deal is over with who just did (RULES A15, A16)."""
    going_out = any(seat.cards == 0 and seat.place is None for seat in table.seats)
    return going_out or (not table.rules.play_on and any(seat.place for seat in table.seats))


def _news(before: ClientState, after: ClientState) -> Iterator[str]:
    if before.log is after.log:
        return
    known = {id(line) for line in before.log}
    for line in after.log:
        if id(line) not in known:
            label = f"SAY {line.who}" if line.kind is LineKind.CHAT else LABELS[line.kind]
            yield f"{label}: {line.text}"


# --- the deal ----------------------------------------------------------------------------------


def _table(state: ClientState) -> PublicTable:
    table = selectors.public(state)
    assert table is not None, "an event of a deal comes after its start"  # noqa: S101
    return table


def _deal_started(_: ClientState, event: e.DealStarted, after: ClientState) -> Iterator[str]:
    total = sum(seat.cards for seat in event.seats)
    dealer, first = who(after, event.dealer), who(after, event.turn)
    players = len(event.seats)
    yield f"DEAL: {players} players, {total} cards. {dealer} deals, {first} starts."
    names = {seat.name for seat in event.seats}
    if selectors.my_lobby_seat(after) and after.name not in names:
        yield f"{NEXT} {NEXT_TIME}"


def _snapshot(_: ClientState, event: TableSnapshot, after: ClientState) -> Iterator[str]:
    yield f"DEAL: under way, {words.many(event.table.newest, 'play')} so far. Type table for all of it."
    if event.you is not None:
        yield hand_line(after)
    elif after.lobby is not None:
        yield from next_lines(after)


def _hand_dealt(_: ClientState, _event: e.HandDealt, after: ClientState) -> Iterator[str]:
    yield hand_line(after)


def _played(_: ClientState, event: e.Played, after: ClientState) -> Iterator[str]:
    if is_mine(after, event.seat):
        yield _own_play(event, after)
        return
    said = words.claim(event.count, event.rank)
    auto = " (played by the server)" if event.auto else ""
    last = ": out if it stands" if event.last else ""
    pile = _table(after).pile_cards
    heard = f"SAYS: {who(after, event.seat)} {said}{auto}, {event.left} left{last}, pile {pile}."
    yield " ".join((heard, *_advice(event, after)))


def _advice(event: e.Played, after: ClientState) -> Iterator[str]:
    """What matters for an answer, the most urgent first: the window may be short (RULES C2)."""
    if not selectors.holds_a_seat(after):
        return
    held, there = my_hand.held_of(after, event.rank), my_hand.copies(after)
    jokers = " with jokers" if _table(after).rules.jokers else ""
    hold = f"there are only {there}" if event.count > there else f"you hold {held}"
    if my_hand.sure_lie(after, event):
        yield f"A sure lie: {hold}{jokers}."
    elif held:
        yield f"You hold {held} of {there}{jokers}."
    waits = _table(after).phase is not e.Phase.TO_PLAY  # else it is told as a turn
    if waits and selectors.my_turn(after) and selectors.plays_myself(after):
        yield f"You are next: {words.ranks(selectors.due(after))}."
    first_round = event.play <= len(_table(after).seats)
    if selectors.window_open(after) and (first_round or event.last):
        length = f"{_seconds(event.protected_us)}: " if event.protected_us else ""
        yield f"({length}b doubts, y believes)"


def _own_play(event: e.Played, after: ClientState) -> str:
    laid = after.table.laid[-1].cards if after.table and after.table.laid else ()
    honest = are_as_said([card.face for card in laid], event.count, event.rank)
    by = "the server for you" if event.auto else doer(after, event.seat)
    cards = words.laid(laid)
    claim = words.claim(event.count, event.rank)
    kind = "true" if honest else "a bluff"
    what = f"{claim}, true" if honest and cards == claim else f"{claim} ({cards}: {kind})"
    more = " Out if it stands." if event.last else ""
    return f"LAID: {by}, {what}. {len(my_hand.cards(after))} left.{more}"


def _passed(_: ClientState, event: e.Passed, after: ClientState) -> Iterator[str]:
    yield f"PASS: {doer(after, event.seat)}."


def _you_let_go(_: ClientState, event: e.YouLetGo, after: ClientState) -> Iterator[str]:
    newest = _table(after).newest_play
    if newest and newest.play == event.play and selectors.believed_myself(after):
        said = words.claim(newest.count, newest.rank)
        still = " b still doubts." if newest.play <= len(_table(after).seats) else ""
        yield f"BELIEVED: {who(after, newest.seat)}'s {said}.{still}"


def _held(_: ClientState, event: e.Held, after: ClientState) -> Iterator[str]:
    """What is laid ready; after a ruling it waits for nobody's doubt (RULES C3, C10)."""
    held = event.held
    what = words.claim(held.count, held.rank) if held.rank else "your pass"
    ruled = _table(after).phase is e.Phase.REVEAL
    yield f"READY: {what}, {'after the pause' if ruled else 'if nobody doubts'}. (back takes it back)"


def _held_back(before: ClientState, _: e.HeldBack, __: ClientState) -> Iterator[str]:
    held = selectors.laid_ready(before)
    is_pass = held is not None and held.rank is None
    yield "BACK: " + (
        "you have not passed." if is_pass else "what you had ready is in your hand again."
    )


def _stands(before: ClientState, event: e.Stands, after: ClientState) -> Iterator[str]:
    newest = _table(before).newest_play
    if newest is None or event.protected_only:
        return
    said = words.claim(newest.count, newest.rank)
    if is_mine(after, newest.seat):
        yield f"STANDS: your {said}."
    elif newest.last:
        yield f"STANDS: {who(after, newest.seat)}'s {said}."


def _ruled(_: ClientState, event: e.Ruled, after: ClientState) -> Iterator[str]:
    if after.doubt is None or after.doubt.play != event.shown.play:
        yield f"DOUBT: {doer(after, event.challenger)} doubted {who(after, event.shown.seat)}."
    yield reveal(after, event)
    for play in event.pile:
        if play.play != event.shown.play:
            yield f"PILE: {shown_play(after, play)}"
    if len(event.calls) > 1 or event.unstamped:
        yield call_order(after, _table(after), event)
    if is_mine(after, event.taker):
        yield hand_line(after)
    if event.reveal_us and selectors.plays_myself(after) and _is_first_ruling(after):
        yield f"{NEXT} go (g) if you are ready; the next play waits {_seconds(event.reveal_us)}."


def _is_first_ruling(state: ClientState) -> bool:
    log = state.table.log if state.table else ()
    return sum(isinstance(entry, e.Ruled) for entry in log) == 1


def _seconds(micros: int) -> str:
    return f"{micros / MICROS:.0f} s"


def _late_call(_: ClientState, event: e.LateCall, after: ClientState) -> Iterator[str]:
    yield late_call(after, event.call)


def _set_aside(_: ClientState, event: e.SetAside, __: ClientState) -> Iterator[str]:
    yield f"ASIDE: everybody passed. {words.cards(event.cards)} out of play, unseen."


def _went_out(_: ClientState, event: e.WentOut, after: ClientState) -> Iterator[str]:
    is_out = "you are" if is_mine(after, event.seat) else f"{who(after, event.seat)} is"
    yield f"OUT: {is_out} out, {words.place(event.place)} place."


def _stopping(_: ClientState, event: e.Stopping, after: ClientState) -> Iterator[str]:
    why = words.why_over(event.reason, _table(after).rules)
    yield f"ENDING: {why}. The last play has been made; it may still be doubted."


def _deal_over(_: ClientState, __: e.DealOver, after: ClientState) -> Iterator[str]:
    yield from result_lines(after)


def _confession(_: ClientState, event: e.Confession, after: ClientState) -> Iterator[str]:
    if event.more or after.table is None:
        return
    plays = after.table.confession
    lies = sum(play.is_lie for play in plays)
    told = (
        "play was a lie"
        if len(plays) == 1
        else "plays was a lie"
        if lies == 1
        else "plays were lies"
    )
    yield f"CONFESSION: {lies} of {len(plays)} {told}. Type confess to hear them, stats for who lied and doubted."


TAKES_BACK = " (return takes it back)"


def _chair_changed(before: ClientState, event: e.ChairChanged, after: ClientState) -> Iterator[str]:
    """Who loses the seat without having given it up leaves the lobby with it: nothing takes it back."""
    mine = event.seat == selectors.my_seat(after)
    name = words.name_of(_table(after), event.seat, selectors.my_seat(after))
    match event.chair:
        case e.Chair.OWNER:
            yield f"SEAT: {_taken(before, event, after)}."
        case e.Chair.STAND_IN:
            until = ", until you lay, doubt or believe" if mine else ""
            yield f"SEAT: a computer player stands in for {name}{until}.{TAKES_BACK * mine}"
        case e.Chair.COMPUTER:
            whose = "your" if mine else f"{name}'s"
            back = TAKES_BACK * (mine and selectors.pending(after, c.GiveUpSeat))
            yield f"SEAT: a computer player has {whose} seat now.{back}"


def _taken(before: ClientState, event: e.ChairChanged, after: ClientState) -> str:
    """Who is back in their own seat, or has that of a computer player from now on (RULES D2, D8)."""
    had = words.name_of(_table(before), event.seat)
    name = words.name_of(_table(after), event.seat)
    if name != had:
        has = "you have" if event.name == after.name else f"{name} has"
        return f"{has} the seat of {had} now"
    return "you play again" if event.seat == selectors.my_seat(after) else f"{name} plays again"


def _window_state(_: ClientState, event: e.WindowState, after: ClientState) -> Iterator[str]:
    newest = _table(after).newest_play if after.table else None
    if newest and event.protected_us and newest.seat != selectors.my_seat(after):
        said = words.claim(newest.count, newest.rank)
        left = _seconds(event.protected_us)
        believes = ", y believes" if selectors.may_believe(after) else ""
        can = f" (b doubts{believes})" if selectors.may_doubt(after) else ""
        yield f"SAYS: {who(after, newest.seat)} {said}, {newest.left} left, {left}.{can}"


def _turn_clock(before: ClientState, event: e.TurnClock, after: ClientState) -> Iterator[str]:
    """A clock that is not the one I know of, and the reminder at half time (RULES D1).

    The last seconds are read out by `ticks`.
    """
    if event.seat != selectors.my_seat(after) or not selectors.plays_myself(after):
        return
    known, ends = before.clocks.turn_ends, after.clocks.turn_ends or 0.0
    is_usual = known is None and event.left_us == _table(after).rules.turn_s * MICROS
    is_another = known is None or abs(known - ends) > CLOCKS_AGREE_S
    if not is_usual and (is_another or event.left_us > TURN_TICKS[0] * MICROS):
        yield f"TIME: {words.seconds(event.left_us / MICROS)} left for your turn."


_TELLERS: dict[type[object], Callable[..., Iterator[str]]] = {
    e.DealStarted: _deal_started,
    TableSnapshot: _snapshot,
    e.HandDealt: _hand_dealt,
    e.Played: _played,
    e.Passed: _passed,
    e.YouLetGo: _you_let_go,
    e.Held: _held,
    e.HeldBack: _held_back,
    e.Stands: _stands,
    e.Ruled: _ruled,
    e.LateCall: _late_call,
    e.SetAside: _set_aside,
    e.WentOut: _went_out,
    e.Stopping: _stopping,
    e.DealOver: _deal_over,
    e.Confession: _confession,
    e.ChairChanged: _chair_changed,
    e.WindowState: _window_state,
    e.TurnClock: _turn_clock,
}
