"""What can be asked for at any time: hand, table, log, clocks, result, lobby, hall. Pure lines."""

from collections.abc import Iterator
from math import ceil

from client import selectors as ask
from client import words
from client.invites import invites
from client.screens.rule_bundles import CHOICES
from client.state import ClientState, LinkState
from protocol import events as e
from protocol.codes import rules_code
from protocol.events import Listing, LobbySeat, LobbyStage, SeatKind
from protocol.numbers import Seat
from protocol.text import clean
from protocol.views import PublicTable

NO_DEAL = "TABLE: no deal here now."
STAGES = {
    LobbyStage.GATHERING: "waiting",
    LobbyStage.PLAYING: "playing",
    LobbyStage.BETWEEN_DEALS: "between deals",
    LobbyStage.MATCH_OVER: "match over",
}
NEXT = "NEXT:"  # what one can do, or will have to do, next
DEFAULT_LOG = 10


def _name(state: ClientState, table: PublicTable, seat: Seat) -> str:
    return words.name_of(table, seat, ask.my_seat(state))


# --- the table ---------------------------------------------------------------------------------


def hand_line(state: ClientState, *, brief: bool = False) -> str:
    """My cards: "HAND: 12 cards. Ace 1, three 2." or only how many."""
    cards = ask.hand(state)
    count = f"HAND: {words.cards(len(cards))}."
    if brief or not cards:
        return count
    ranks = words.by_rank(cards)
    return f"{count} {ranks[0].upper()}{ranks[1:]}."


def turn_line(state: ClientState) -> str:
    """Whose turn, with which ranks: "TURN: you, claim queens, 45 seconds. Example: q 5"."""
    table = ask.public(state)
    if table is None or table.outcome:
        return NO_DEAL
    due = words.ranks(table.due)
    if not ask.my_turn(state):
        return f"TURN: {_name(state, table, table.turn)}, {due}."
    clock = f", {words.seconds(table.rules.turn_s)}" if table.rules.turn_s else ""
    return f"TURN: you, claim {due}{clock}. Example: {example(state)}"


def example(state: ClientState) -> str:
    """A play one could type: an honest one if the hand has it."""
    due = ask.due(state)
    honest = next((rank for rank in due if ask.of_rank(state, rank)), None)
    cards = ask.hand(state)
    face = cards[0].face.rank if cards else None
    rank = honest or face
    typed = rank.symbol.lower() if rank else "x"
    if len(due) == 1 or honest:
        return typed
    return f"{typed} = {due[0].symbol.lower()}"


def table_lines(state: ClientState) -> Iterator[str]:
    """The whole table: seats, pile, turn, my next ranks."""
    table = ask.public(state)
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
    if ask.my_seat(state) is not None:
        yield hand_line(state)
    if ranks := ask.my_next_ranks(state):
        yield f"{NEXT} your ranks are {', '.join(rank.symbol for rank in ranks)}."
    if state.pause:
        yield "NOTE: the table is paused."


def _seat_line(state: ClientState, table: PublicTable, seat: Seat) -> str:
    one = table.seats[seat]
    marks = [words.cards(one.cards)]
    if one.place:
        marks = [f"out, {words.place(one.place)}"]
    if seat == ask.my_seat(state):
        marks.append("you")
    if one.chair is not e.Chair.OWNER:
        marks.append("a computer plays")
    if ask.is_away(state, seat):
        marks.append("away")
    return f"SEAT: {seat + 1} {clean(one.name)}, {', '.join(marks)}."


def _pile_line(state: ClientState, table: PublicTable) -> str:
    newest = table.newest_play
    if newest is None:
        return "PILE: empty."
    said = f"{_name(state, table, newest.seat)} said {words.claim(newest.count, newest.rank)}"
    let_go = f"; {table.let_go} of {ask.can_still_doubt(state)} believe it" if table.let_go else ""
    return f"PILE: {words.cards(table.pile_cards)}. Last, play {newest.play}: {said}{let_go}."


def time_lines(state: ClientState, now: float) -> Iterator[str]:
    """Which clocks run."""
    table = ask.public(state)
    window, turn = ask.window_left(state, now), ask.turn_left(state, now)
    reveal = ask.reveal_left(state, now)
    if window:
        yield f"TIME: {words.seconds(ceil(window))} of the window left."
    if reveal:
        yield f"TIME: {words.seconds(ceil(reveal))} until the next play; go does not wait."
    if turn is not None and table and state.clocks.turn_seat is not None:
        who = _name(state, table, state.clocks.turn_seat)
        yield f"TIME: {words.seconds(ceil(turn))} left for {who}."
    if not window and not reveal and turn is None:
        yield "TIME: no clock is running."
    if state.rtt_us is not None:
        yield f"LINK: {words.margin(state.rtt_us)}."


def older_lines(state: ClientState) -> Iterator[str]:
    """The plays that may be doubted now, the newest first (RULES B14)."""
    table = ask.public(state)
    may = ask.doubtable(state)
    for play in reversed(table.pile if table else ()):
        if table and play.play in may:
            said = f"{_name(state, table, play.seat)}, {words.claim(play.count, play.rank)}"
            yield f"OLDER: {play.play} {said}. (b {play.play} doubts it)"
    if not may:
        yield "OLDER: there is nothing to doubt just now."


def log_lines(state: ClientState, count: int = DEFAULT_LOG) -> Iterator[str]:
    """The newest entries of the deal's log."""
    table = ask.public(state)
    if table is None or state.table is None:
        yield NO_DEAL
        return
    for entry in state.table.log[-count:]:
        if text := _entry(state, table, entry):
            yield f"LOG: {text}"


def _entry(state: ClientState, table: PublicTable, entry: e.Event) -> str:
    match entry:
        case e.Played():
            said = words.claim(entry.count, entry.rank)
            auto = " (by the server)" if entry.auto else ""
            return f"{entry.play} {_name(state, table, entry.seat)} {said}{auto}."
        case e.Passed():
            return f"{_name(state, table, entry.seat)} passed."
        case e.Ruled():
            verdict = "a lie" if entry.lie else "true"
            who = _name(state, table, entry.challenger)
            taker = _name(state, table, entry.taker)
            cards = words.cards(entry.taken)
            take = "take" if taker == "you" else "takes"
            return f"{who} doubted play {entry.shown.play}: {verdict}, {taker} {take} {cards}."
        case e.SetAside():
            return f"{words.cards(entry.cards)} set aside."
        case e.WentOut():
            return f"{_name(state, table, entry.seat)} out, {words.place(entry.place)}."
        case _:
            return ""


def result_lines(state: ClientState) -> Iterator[str]:
    """The places of a finished deal (RULES A16)."""
    table = ask.public(state)
    if table is None or table.outcome is None:
        yield "RESULT: this deal is not over."
        return
    outcome = table.outcome
    order = sorted(range(len(table.seats)), key=lambda seat: outcome.places[seat])
    for number in order:
        seat = Seat(number)
        left = words.cards(outcome.cards[seat]) if outcome.cards[seat] else "out"
        yield f"RESULT: {words.place(outcome.places[seat])} {_name(state, table, seat)}, {left}."


def confession_lines(state: ClientState, count: int) -> Iterator[str]:
    """The plays of the deal, all face up (RULES B24)."""
    table = ask.public(state)
    plays = state.table.confession if state.table else ()
    if table is None or not plays:
        yield "CONFESSION: there is none; it comes when a deal is over, if the rules say so."
        return
    for play in plays[-count:]:
        said = words.claim(play.count, play.rank)
        verdict = "a lie" if play.is_lie else "true"
        who = _name(state, table, play.seat)
        yield f"CONFESSION: {play.play} {who}, {said}: {words.faces(play.faces)}, {verdict}."


# --- lobby and hall ----------------------------------------------------------------------------


def lobby_lines(state: ClientState) -> Iterator[str]:
    """The lobby, its rules and its seats."""
    lobby = state.lobby
    if lobby is None:
        yield "LOBBY: you are in none."
        return
    rules = lobby.rules
    yield (
        f"LOBBY: {clean(lobby.code)}, {STAGES[lobby.stage]}, rules {rules_code(rules)}, "
        f"challenge {words.seconds(rules.window_s)}, host {clean(lobby.host)}."
    )
    for invite in invites(state):
        yield f"INVITE: {invite.said}"
    for number, seat in enumerate(lobby.seats):
        yield f"SEAT: {number + 1} {clean(seat.name)}, {seat_marks(seat)}."
    if lobby.watching:
        yield f"WATCHING: {', '.join(clean(name) for name in lobby.watching)}."
    if lobby.asking:
        names = ", ".join(clean(name) for name in lobby.asking)
        yield f"ASKING: {names} for a computer player's seat. (answer NAME yes)"


def seat_marks(seat: LobbySeat) -> str:
    """What there is to say of somebody in a lobby: "ready, 2 wins"."""
    marks = [f"computer {seat.temperament}".strip()] if seat.kind is SeatKind.COMPUTER else []
    if seat.kind is SeatKind.PERSON:
        marks.append("ready" if seat.ready else "not ready")
    if not seat.connected:
        marks.append("away")
    if seat.wins:
        marks.append(f"{seat.wins} won")
    return ", ".join(marks)


def next_lines(state: ClientState) -> Iterator[str]:
    """What can be done next in the hall, or in a lobby between two deals (RULES D6)."""
    lobby, mine = state.lobby, ask.my_lobby_seat(state)
    if lobby is None:
        yield f"{NEXT} create opens a lobby, join CODE enters one, quit ends."
    elif ask.dealing(state):
        return
    elif mine is None:
        yield f"{NEXT} you are watching; sit takes a seat, leave goes to the hall."
    elif ask.is_host(state):
        kinds = state.welcome.temperaments if state.welcome else ()
        add = f"add {kinds[0]} adds a computer player, " if kinds else ""
        yield f"{NEXT} {add}start (d) deals."
    else:
        wait = f"wait for {clean(lobby.host)} to start" if mine.ready else "ready (r) if you are"
        yield f"{NEXT} {wait}."


def option_lines(state: ClientState) -> Iterator[str]:
    """Every option of this lobby with its value and clause (RULES B)."""
    lobby = state.lobby
    if lobby is None:
        yield "OPTION: you are in no lobby."
        return
    for option in CHOICES:
        yield f"OPTION: {option.label}: {option.text(lobby)}. {option.about_now(lobby)}"
    yield f"OPTION: the code of all this is {rules_code(lobby.rules)}. Change it: rules CODE."


def hall_lines(state: ClientState) -> Iterator[str]:
    """The open lobbies."""
    hall = state.hall
    open_now = len(hall.lobbies)
    yield f"HALL: {hall.online} online, {open_now} {'lobby' if open_now == 1 else 'lobbies'}."
    for listing in hall.lobbies:
        yield listing_line(listing)


def listing_line(one: Listing) -> str:
    """One open lobby: "OPEN: FOX-42, ana, 3 of 6, waiting, classic."."""
    key = ", password" if one.password else ""
    return (
        f"OPEN: {clean(one.code)}, {clean(one.host)}, {len(one.seated)} of {one.size}, "
        f"{STAGES[one.stage]}, {rules_code(one.rules)}{key}."
    )


def link_line(state: ClientState) -> str:
    """How the connection is."""
    if state.link.state is LinkState.ONLINE and state.welcome:
        guard = "" if state.link.encrypted else ", not encrypted"
        return f"LINK: {clean(state.welcome.title)}, {state.link.address}{guard}."
    return f"LINK: {state.link.state}. {state.link.text}".rstrip()
