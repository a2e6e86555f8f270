"""What can be asked of a table at any time: hand, seats, pile, log, clocks, result. Pure lines."""

from collections.abc import Iterator
from functools import partial
from math import ceil

from client import my_hand, selectors, words
from client.news import why_paused
from client.state import ClientState
from client.stats import rulings_of
from protocol import events as e
from protocol.codes import rules_code
from protocol.numbers import Seat
from protocol.text import clean
from protocol.views import PublicTable

NO_DEAL = "TABLE: no deal here now."
NEXT = "NEXT:"  # what one can do, or will have to do, next
MY_TURN = "TURN: you, claim"
DEFAULT_LOG = 10


def is_mine(state: ClientState, seat: Seat) -> bool:
    """Whether it is my seat, and I have not given it up."""
    return seat == selectors.my_seat(state) and not selectors.gave_up(state)


def who(state: ClientState, seat: Seat) -> str:
    """Whose seat it is: "you", "bo"."""
    table = selectors.public(state)
    assert table is not None, "a seat is one of a table"  # noqa: S101
    if seat == selectors.my_seat(state) and selectors.gave_up(state):
        return "the computer in your seat"
    return words.name_of(table, seat, selectors.my_seat(state))


def doer(state: ClientState, seat: Seat) -> str:
    """Who acts there now: "you", "bo", or "a computer for you" (RULES D2)."""
    stood_in = selectors.my_chair(state) is e.Chair.STAND_IN and seat == selectors.my_seat(state)
    return "a computer for you" if stood_in else who(state, seat)


def hand_line(state: ClientState) -> str:
    """My cards: "HAND: 12 cards. Ace 1, three 2.", or that there are none."""
    if selectors.public(state) is None:
        return NO_DEAL
    if selectors.gave_up(state):
        return "HAND: a computer player has your seat and your cards. (return takes it back)"
    if selectors.my_seat(state) is None:
        return "HAND: none: you only watch this deal."
    cards = my_hand.cards(state)
    count = f"HAND: {words.cards(len(cards))}."
    if not cards:
        return count
    ranks = words.by_rank(cards)
    return f"{count} {ranks[0].upper()}{ranks[1:]}."


def turn_line(state: ClientState) -> str:
    """Whose turn, which rank: "TURN: you, claim queens, 45 seconds. You hold 1. Example: q 5"."""
    table = selectors.public(state)
    if table is None or table.outcome:
        return NO_DEAL
    due = words.ranks(table.due)
    if not selectors.my_turn(state) or not selectors.plays_myself(state):
        return f"TURN: {doer(state, table.turn)}, {due}."
    clock = f", {words.seconds(table.rules.turn_s)}" if table.rules.turn_s else ""
    return f"{MY_TURN} {due}{clock}.{_holding(state)} Example: {example(state)}"


def _holding(state: ClientState) -> str:
    """How many cards I hold of the rank due, where there is one: the hand may be long ago."""
    due = selectors.due(state)
    held = my_hand.held_of(state, due[0]) if len(due) == 1 else None
    jokers = " with jokers" if held and my_hand.of_rank(state, None) else ""
    return "" if held is None else f" You hold {held or 'none'}{jokers}."


def example(state: ClientState) -> str:
    """A play one could type: an honest one if the hand has it, perhaps with a joker."""
    due = selectors.due(state)
    honest = next((rank for rank in due if my_hand.of_rank(state, rank)), None)
    cards = my_hand.cards(state)
    face = cards[0].face.rank if cards else None
    rank = honest or face
    typed = rank.symbol.lower() if rank else "x"
    if not honest and my_hand.of_rank(state, None):
        typed = "x"
    if len(due) == 1 or honest:
        return typed
    return f"{typed} = {due[0].symbol.lower()}"


def table_lines(state: ClientState) -> Iterator[str]:
    """The whole table: seats, pile, turn, my next ranks."""
    table = selectors.public(state)
    if table is None:
        yield NO_DEAL
        return
    for number in range(len(table.seats)):
        yield _seat_line(state, table, Seat(number))
    if table.outcome:
        yield from result_lines(state)
        return
    yield _pile_line(state, table)
    yield turn_line(state)
    if selectors.my_seat(state) is not None or selectors.gave_up(state):
        yield hand_line(state)
    ranks = () if selectors.gave_up(state) else my_hand.next_ranks(state)
    if ranks:
        foreseen = ", ".join(rank.symbol for rank in ranks)
        yield f"{NEXT} your ranks are {foreseen}{words.provided(table.rules)}."
    if state.pause:
        yield f"NOTE: {why_paused(state.pause, state.name)}"


def _seat_line(state: ClientState, table: PublicTable, seat: Seat) -> str:
    one = table.seats[seat]
    marks = [words.cards(one.cards)]
    if one.place:
        marks = [f"out, {words.place(one.place)}"]
    if seat == selectors.my_seat(state):
        marks.append("you")
    if one.chair is not e.Chair.OWNER:
        marks.append("a computer plays")
    if selectors.is_away(state, seat):
        marks.append("away")
    return f"SEAT: {seat + 1} {clean(one.name)}, {', '.join(marks)}."


def _pile_line(state: ClientState, table: PublicTable) -> str:
    newest = table.newest_play
    if newest is None:
        return "PILE: empty."
    said = f"{who(state, newest.seat)} said {words.claim(newest.count, newest.rank)}"
    may = selectors.can_still_doubt(state)
    let_go = f"; {words.believed(table.let_go, may)}" if table.let_go and may else ""
    return f"PILE: {words.cards(table.pile_cards)}. Last, play {newest.play}: {said}{let_go}."


def time_lines(state: ClientState, now: float) -> Iterator[str]:
    """Which clocks run, and how near the server is."""
    yield from tuple(_clocks(state, now)) or ("TIME: no clock is running.",)
    if state.rtt_us is not None:
        yield f"LINK: {words.margin(state.rtt_us)}."


def _clocks(state: ClientState, now: float) -> Iterator[str]:
    table = selectors.public(state)
    clocks, left = state.clocks, partial(selectors.seconds_left, now=now)
    window, turn, reveal = (
        left(clocks.window_ends),
        left(clocks.turn_ends),
        left(clocks.reveal_ends),
    )
    if window:
        yield f"TIME: {words.seconds(ceil(window))} of the window left."
    if reveal:
        yield f"TIME: {words.seconds(ceil(reveal))} until the next play; go does not wait."
    if turn is not None and table and clocks.turn_seat is not None:
        name = who(state, clocks.turn_seat)
        yield f"TIME: {words.seconds(ceil(turn))} left for {name}."
    if soon := left(clocks.resumes_at):
        yield f"TIME: {words.seconds(ceil(soon))} until the table goes on."
    if state.pause and (pause := left(state.pause.ends)):
        yield f"TIME: {words.seconds(ceil(pause))} of the pause left, at most."
    if state.vote and (vote := left(state.vote.ends)):
        yield f"TIME: {words.seconds(ceil(vote))} left to vote."


def older_lines(state: ClientState) -> Iterator[str]:
    """The plays that may be doubted now, the newest first (RULES B14)."""
    may = selectors.doubtable(state)
    for play in may:
        said = f"{who(state, play.seat)}, {words.claim(play.count, play.rank)}"
        yield f"OLDER: {play.play} {said}. (b {play.play} doubts it)"
    if not may:
        yield "OLDER: there is nothing to doubt just now."


def log_lines(state: ClientState, count: int = DEFAULT_LOG) -> Iterator[str]:
    """The newest entries of the deal's log."""
    table = selectors.public(state)
    if table is None or state.table is None:
        yield NO_DEAL
        return
    told = [text for entry in state.table.log if (text := _entry(state, entry))]
    yield from (f"LOG: {text}" for text in told[-count:] or ["nothing has been laid yet."])


def _entry(state: ClientState, entry: e.Event) -> str:
    match entry:
        case e.Played():
            said = words.claim(entry.count, entry.rank)
            auto = " (by the server)" if entry.auto else ""
            return f"{entry.play} {who(state, entry.seat)} {said}{auto}."
        case e.Passed():
            return f"{who(state, entry.seat)} passed."
        case e.Ruled():
            verdict = "a lie" if entry.lie else "true"
            doubter, taker = who(state, entry.challenger), who(state, entry.taker)
            cards = words.cards(entry.taken)
            take = "take" if taker == "you" else "takes"
            return f"{doubter} doubted play {entry.shown.play}: {verdict}, {taker} {take} {cards}."
        case e.SetAside():
            return f"{words.cards(entry.cards)} set aside."
        case e.WentOut():
            return f"{who(state, entry.seat)} out, {words.place(entry.place)}."
        case _:
            return ""


def result_lines(state: ClientState) -> Iterator[str]:
    """What ended a deal, its rules, and the places (RULES A16, B21, B25)."""
    view = state.table
    if view is None:
        yield NO_DEAL
        return
    if view.table.outcome is None:
        yield "RESULT: this deal is not over."
        return
    outcome, rules = view.table.outcome, view.table.rules
    yield f"OVER: {words.why_over(outcome.reason, rules)}; rules {rules_code(rules)}."
    order = sorted(range(len(view.table.seats)), key=lambda seat: outcome.places[seat])
    for number in order:
        seat = Seat(number)
        left = words.cards(outcome.cards[seat]) if outcome.cards[seat] else "out"
        note = f" ({by})" if (by := words.played_on(view, seat)) else ""
        yield f"RESULT: {words.place(outcome.places[seat])} {who(state, seat)}, {left}{note}."


def confession_lines(state: ClientState, count: int) -> Iterator[str]:
    """The plays of the deal, all face up, and what came of them (RULES B24)."""
    view = state.table
    if view is None or not view.confession:
        yield "CONFESSION: there is none; it comes when a deal is over, if the rules say so."
        return
    plays = view.confession
    if count < len(plays):
        yield f"CONFESSION: the last {count} of {len(plays)} plays; confess {len(plays)} has all."
    rulings = {ruled.shown.play: ruled for ruled in rulings_of(view)}
    for play in plays[-count:]:
        said = words.claim(play.count, play.rank)
        verdict = "a lie" if play.is_lie else "true"
        came = _came_of(state, rulings.get(play.play))
        name = who(state, play.seat)
        yield f"CONFESSION: {play.play} {name}, {said}: {words.faces(play.faces)}, {verdict}{came}."


def _came_of(state: ClientState, ruled: e.Ruled | None) -> str:
    if ruled is None:
        return ""
    taken = words.cards(ruled.taken)
    return f"; {who(state, ruled.challenger)} doubted, {who(state, ruled.taker)} took {taken}"
