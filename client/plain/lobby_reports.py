"""What can be asked of a lobby, of the hall and of the line, and what one can do next there. Pure lines."""

from collections.abc import Iterator

from client import selectors, words
from client.news import STALLED
from client.plain.reports import NEXT, who
from client.state import ClientState
from client.suggestions import THIN, is_thin
from client.way_in.invites import invites
from protocol.codes import rules_code
from protocol.events import Listing, LobbySeat, LobbyStage, LobbyState, SeatKind
from protocol.numbers import MIN_SEATS
from protocol.rules import preset_of
from protocol.text import clean

PLAYING = "playing"
INVITE = "INVITE:"  # a way in for others
NEXT_TIME = "you are dealt in next time."
THINLY = f"NOTE: {THIN}"


def lobby_lines(state: ClientState) -> Iterator[str]:
    """The lobby, its rules and its seats."""
    lobby = state.lobby
    if lobby is None:
        yield "LOBBY: you are not in one."
        yield from _stalled_lines(state)
        return
    rules, later = selectors.rules_here(state), selectors.rules_to_come(state)
    stage = words.between(lobby.stage) or PLAYING
    then = f", then {rules_code(later)}" if later else ""
    yield (
        f"LOBBY: {clean(lobby.code)}, {stage}, rules {rules_code(rules)}{then}, "
        f"challenge {words.seconds(rules.window_s)}, host {clean(lobby.host)}."
    )
    for invite in invites(state):
        yield f"{INVITE} {invite.said}"
    playing = lobby.stage is LobbyStage.PLAYING
    yield from thin_lines(lobby)
    for number, seat in enumerate(lobby.seats):
        said = ", ".join((f"{number + 1} {clean(seat.name)}", *_marks(seat, waits=not playing)))
        yield f"SEAT: {said}."
    if lobby.watching:
        yield f"WATCHING: {', '.join(clean(name) for name in lobby.watching)}."
    if lobby.asking:
        names = ", ".join(clean(name) for name in lobby.asking)
        yield f"ASKING: {names} for a computer player's seat. (answer NAME yes)"
    yield from _stalled_lines(state)


def _stalled_lines(state: ClientState) -> Iterator[str]:
    """Why nothing happens here, while that is so."""
    if state.stalled:
        yield f"NOTE: {STALLED}"


def thin_lines(lobby: LobbyState) -> Iterator[str]:
    """That two play a thin game, where two are about to (RULES A1)."""
    if is_thin(lobby):
        yield f"{THINLY}: every card you do not hold is in the other hand."


def seat_marks(seat: LobbySeat) -> str:
    """What there is to say of somebody in a lobby: "ready, 2 wins"."""
    return ", ".join(_marks(seat, waits=True))


def _marks(seat: LobbySeat, *, waits: bool) -> Iterator[str]:
    """The same one by one; who is ready is of interest while a deal is waited for."""
    if seat.kind is SeatKind.COMPUTER:
        yield f"computer {seat.temperament}".strip()
    elif waits:
        yield "ready" if seat.ready else "not ready"
    if not seat.connected:
        yield "away"
    if seat.wins:
        yield f"{seat.wins} won"


def next_lines(state: ClientState) -> Iterator[str]:
    """What can be done next in the hall, in a lobby between two deals, or watching one (RULES D6)."""
    lobby, mine = state.lobby, selectors.my_lobby_seat(state)
    if lobby is None:
        yield f"{NEXT} create opens a lobby, join CODE enters one, quit ends."
    elif lobby.stage is LobbyStage.PLAYING:
        yield from _watching(state)
    elif mine is None:
        yield f"{NEXT} you are watching; sit takes a seat, leave goes to the hall."
    elif selectors.acts_as_host(state):
        away = words.HOST_AWAY.format(clean(lobby.host))
        whose = "" if selectors.is_host(state) else f"{away} For them: "
        yield f"{NEXT} {whose}{_for_the_host(state, lobby)}."
    else:
        wait = f"wait for {clean(lobby.host)} to start" if mine.ready else "ready (r) if you are"
        yield f"{NEXT} {wait}."


def _for_the_host(state: ClientState, lobby: LobbyState) -> str:
    """More players are of interest until there are two, and before the first deal."""
    kinds = state.welcome.temperaments if state.welcome else ()
    add = f"add {kinds[0]} adds a computer player" if kinds else ""
    if len(lobby.seats) < MIN_SEATS:
        return f"it takes two{f': {add}' if add else ''}"
    once = "" if selectors.enough_are_ready(state) else " once two are ready"
    if lobby.stage is not LobbyStage.GATHERING:
        return f"start (d) deals again{once}"
    return f"start (d) deals{once}{f', {add}' if add else ''}"


def _watching(state: ClientState) -> Iterator[str]:
    """What somebody without a seat in the deal that runs may hope for (RULES D8)."""
    if state.table is None or selectors.my_seat(state) is not None:
        return
    if selectors.gave_up(state):
        yield f"{NEXT} a computer player has your seat; return takes it back."
        return
    if selectors.my_lobby_seat(state):
        yield f"{NEXT} {NEXT_TIME}"
        return
    asks = "".join(
        f", sit {seat + 1} asks for the seat of {who(state, seat)}"
        for seat in selectors.computer_seats(state)[:1]
    )
    yield f"{NEXT} you are watching; sit takes a seat for the next deal{asks}."


def hall_lines(state: ClientState) -> Iterator[str]:
    """The open lobbies."""
    hall = state.hall
    open_now = len(hall.lobbies)
    yield f"HALL: {hall.online} online, {open_now} {'lobby' if open_now == 1 else 'lobbies'}."
    for listing in hall.lobbies:
        yield listing_line(listing)


def hall_report(state: ClientState) -> Iterator[str]:
    """The same for whoever asks: in a lobby nothing is told of the hall, and it is known as it was."""
    yield from _stalled_lines(state)
    if not state.hall.online:
        yield "HALL: nothing is known of it here."
        return
    if state.lobby is not None:
        yield "HALL: as it was when you left it."
    yield from hall_lines(state)


def listing_line(one: Listing) -> str:
    """One open lobby: "OPEN: FOX-42, ana, 3 of 6, waiting, classic."."""
    key = ", password" if one.password else ""
    return (
        f"OPEN: {clean(one.code)}, {clean(one.host)}, {len(one.seated)} of {one.size}, "
        f"{words.between(one.stage) or PLAYING}, {preset_of(one.rules) or rules_code(one.rules)}{key}."
    )


def link_line(state: ClientState) -> str:
    """How the connection is."""
    if selectors.is_online(state) and state.welcome:
        guard = "" if state.link.encrypted else ", not encrypted"
        return f"LINK: {clean(state.welcome.title)}, {state.link.address}{guard}."
    return f"LINK: {state.link.state}. {state.link.text}".rstrip()
