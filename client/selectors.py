"""Questions about a `ClientState`: whose turn, how long, which ranks, why not. Pure.

Every function takes the state first; those about time take the local monotonic clock in seconds.
Without a table the answers are empty: no seat, no ranks, no seconds.
"""

from msgspec.structs import replace

from client.state import ClientState, DoubtStage, LinkState
from protocol import events as e
from protocol.cards import Rank
from protocol.codes import parse_rules
from protocol.commands import AnyCommand, Pass, PlayCards, SetRules, SetSettings
from protocol.events import LobbySeat, LobbySettings, LobbyStage, LobbyState, SeatKind
from protocol.numbers import MIN_SEATS, CommandNumber, Seat
from protocol.options import NOTHING, Options, challengeable, options_of, why_not_hurry
from protocol.options import last_play_pending as _last_play_pending
from protocol.refusals import Refusal
from protocol.rules import CLASSIC, TableRules
from protocol.text import MAX_SHOUT, clean
from protocol.views import PublicTable

FRESH_S = 0.25  # so long after a new play is shown, `b` may be meant for the one before


def public(state: ClientState) -> PublicTable | None:
    """What everybody at the table can see."""
    return state.table.table if state.table else None


def my_seat(state: ClientState) -> Seat | None:
    """My seat in the deal; None for a watcher."""
    return state.table.you if state.table else None


def my_chair(state: ClientState) -> e.Chair | None:
    """Who plays my seat in the deal now: I myself, or a computer player (RULES D2, D3)."""
    table, seat = public(state), my_seat(state)
    return None if table is None or seat is None else table.seats[seat].chair


def holds_a_seat(state: ClientState) -> bool:
    """Whether a seat of the deal is mine, though a computer player may stand in for me (RULES D2)."""
    return my_chair(state) in {e.Chair.OWNER, e.Chair.STAND_IN}


def plays_myself(state: ClientState) -> bool:
    """Whether I have a seat in the deal and no computer player has it now (RULES D2, D3)."""
    return my_chair(state) is e.Chair.OWNER


def gave_up(state: ClientState) -> bool:
    """Whether a computer player has my seat for the rest of the deal (RULES D3)."""
    return my_chair(state) is e.Chair.COMPUTER or _seat_left_behind(state) is not None


def _seat_left_behind(state: ClientState) -> Seat | None:
    """The seat that I gave up before the deal was shown to me anew: only its name says so."""
    table = public(state)
    if table is None or table.phase is e.Phase.OVER or my_seat(state) is not None:
        return None
    by_computer = (Seat(n) for n, one in enumerate(table.seats) if one.chair is e.Chair.COMPUTER)
    return next((seat for seat in by_computer if table.seats[seat].name == state.name), None)


def believed_myself(state: ClientState) -> bool:
    """Whether I have let the newest play go, and not only the computer player in my seat."""
    return state.table is not None and state.table.you_let_go and plays_myself(state)


def is_online(state: ClientState) -> bool:
    """Whether anything that is sent would arrive now."""
    return state.link.state is LinkState.ONLINE


def may_send(state: ClientState) -> bool:
    """Whether anything could be sent now: after a challenge nothing is until its ruling."""
    return is_online(state) and not waiting_for_ruling(state)


def stands_still(state: ClientState) -> bool:
    """Whether no cards go down now: the table is paused, or counted in (RULES D5, D9)."""
    return state.pause is not None or state.clocks.resumes_at is not None


def may_resume(state: ClientState) -> bool:
    """Whether a word of mine ends this pause: as its host's, as who asked for it, or after a mistake.

    Other halts end by themselves (RULES D5, D9).
    """
    pause = state.pause
    if pause is None or not pause.reason.ends_by_hand:
        return False
    after_mistake = pause.reason is e.PauseReason.MISTAKE and holds_a_seat(state)
    return after_mistake or acts_as_host(state) or pause.by == state.name


def may_end_what_nobody_plays(state: ClientState) -> bool:
    """Whether my vote alone ends a parked deal, in which I have no seat: as its host, or for one (RULES D6)."""
    parked = state.pause is not None and state.pause.reason is e.PauseReason.PARKED
    return parked and not holds_a_seat(state) and acts_as_host(state)


def hears(state: ClientState) -> bool:
    """Whether a doubt or a belief would be heard now; while the server cannot write, it waits there."""
    written_later = state.pause is not None and state.pause.reason is e.PauseReason.STALLED
    return written_later or not stands_still(state)


def dealing(state: ClientState) -> bool:
    """Whether a deal is running here now."""
    return state.table is not None and state.table.table.phase is not e.Phase.OVER


def is_over(state: ClientState) -> bool:
    """Whether a deal has ended here, and none runs yet."""
    return state.table is not None and not dealing(state)


def rules_here(state: ClientState) -> TableRules:
    """The rules that hold: those of the deal, of the lobby, or the main game's."""
    if state.table is not None and dealing(state):
        return state.table.table.rules
    return state.lobby.rules if state.lobby else CLASSIC


def rules_to_come(state: ClientState) -> TableRules | None:
    """The rules of the next deal, if they are others than those of the deal that runs (RULES D7)."""
    lobby = state.lobby
    return lobby.rules if lobby is not None and lobby.rules != rules_here(state) else None


def lobby_code(state: ClientState) -> str:
    """The code of this lobby; empty in the hall."""
    return state.lobby.code if state.lobby else ""


def shout(state: ClientState) -> str:
    """What a doubter calls here."""
    settings = state.lobby.settings if state.lobby else LobbySettings()
    return clean(settings.shout, MAX_SHOUT)


def lobby_seats(state: ClientState) -> tuple[LobbySeat, ...]:
    """The seats of this lobby that are taken; none in the hall."""
    return state.lobby.seats if state.lobby else ()


def lobby_seat(state: ClientState, name: str) -> LobbySeat | None:
    """The seat of whoever has this name; None for a watcher."""
    return next((seat for seat in lobby_seats(state) if seat.name == name), None)


def my_lobby_seat(state: ClientState) -> LobbySeat | None:
    """My seat in the lobby; None for a watcher."""
    return lobby_seat(state, state.name)


def away(state: ClientState) -> tuple[str, ...]:
    """Who of those that sit here has no connection now (RULES D2)."""
    return tuple(seat.name for seat in lobby_seats(state) if not seat.connected)


def others_not_ready(state: ClientState) -> tuple[str, ...]:
    """Who sits here and has not said that a deal may begin; I do by dealing (RULES D6)."""
    others = (seat for seat in lobby_seats(state) if seat.name != state.name)
    return tuple(seat.name for seat in others if not seat.ready)


def enough_are_ready(state: ClientState) -> bool:
    """Whether a deal can begin without those who are not ready (RULES A1, D6)."""
    return len(lobby_seats(state)) - len(others_not_ready(state)) >= MIN_SEATS


def others_are_here(state: ClientState) -> bool:
    """Whether anybody else is known to be on this server now; computer players are nobody."""
    lobby = state.lobby
    if not is_online(state):
        return False
    if lobby is None:
        return state.hall.online > 1
    seated = (each for each in lobby.seats if each.kind is SeatKind.PERSON and each.connected)
    return bool({*(each.name for each in seated), *lobby.watching} - {state.name})


def lobby_asked_for(state: ClientState) -> LobbyState | None:
    """The lobby as it will be once what I have asked for is done: the next change goes on from it."""
    lobby = state.lobby
    if lobby is None:
        return None
    for command in state.pending:
        match command:
            case SetRules():
                lobby = replace(lobby, rules=parse_rules(command.rules))
            case SetSettings():
                lobby = replace(lobby, settings=command.settings)
            case _:
                pass
    return lobby


def is_host(state: ClientState) -> bool:
    """Whether I am the host of this lobby (RULES D6)."""
    return state.lobby is not None and state.lobby.host == state.name


def acts_as_host(state: ClientState) -> bool:
    """Whether I may do what a host may, or may try: the longest seated acts for one who is away (RULES D6).

    Who that is, and since when, only the server knows, and says if it is not me.
    """
    return is_host(state) or (host_is_away(state) and my_lobby_seat(state) is not None)


def host_is_away(state: ClientState) -> bool:
    """Whether the host of this lobby has no line."""
    return state.lobby is not None and state.lobby.host in away(state)


def between_deals(state: ClientState) -> bool:
    """Whether I am in a lobby where no deal is running."""
    return state.lobby is not None and state.lobby.stage is not LobbyStage.PLAYING


def options(state: ClientState) -> Options:
    """What I may do at the table now; nothing with a seat that I gave up (RULES D3)."""
    return options_of(state.table) if state.table and not gave_up(state) else NOTHING


def my_turn(state: ClientState) -> bool:
    """Whether the next cards are mine to lay; perhaps only once a window has closed (RULES C3)."""
    return options(state).may_play


def waits_for_me(state: ClientState) -> bool:
    """Whether the next cards are mine and would go down at once."""
    return my_turn(state) and not options(state).held


def due(state: ClientState) -> tuple[Rank, ...]:
    """The ranks that the next play may claim (RULES A6, B4 to B8)."""
    return state.table.table.due if state.table else ()


def may_choose_rank(state: ClientState) -> bool:
    """Whether I am to move and may claim several ranks (RULES B5, B6, B8)."""
    return my_turn(state) and len(due(state)) > 1


def is_away(state: ClientState, seat: Seat) -> bool:
    """Whether the person of this seat has no connection now (RULES D2)."""
    table = public(state)
    return table is not None and table.seats[seat].name in away(state)


def computer_seats(state: ClientState) -> tuple[Seat, ...]:
    """The seats still in that belong to a computer player; a stand-in only waits (RULES D2, D8)."""
    table = public(state)
    if table is None:
        return ()
    return tuple(seat for seat in table.seats_in if table.seats[seat].chair is e.Chair.COMPUTER)


def asking_for_seats(state: ClientState) -> tuple[str, ...]:
    """Who asks for a computer player's seat in the deal that runs (RULES D8)."""
    return state.lobby.asking if state.lobby is not None and dealing(state) else ()


# --- windows and clocks ------------------------------------------------------------------------


def window_open(state: ClientState) -> bool:
    """Whether I could challenge the newest play now (RULES A9)."""
    table = public(state)
    return table is not None and table.newest in options(state).challenge


def may_doubt(state: ClientState) -> bool:
    """Whether the newest play can be doubted, and has not been by me."""
    return window_open(state) and hears(state) and state.doubt is None


def may_believe(state: ClientState) -> bool:
    """Whether the newest play can be let go, and has been neither that nor doubted (RULES C4)."""
    may = options(state).may_let_go and hears(state)
    return may and not believed_myself(state) and state.doubt is None


def doubtable(state: ClientState) -> tuple[e.Played, ...]:
    """The plays I could challenge now, the newest first (RULES A9, B14)."""
    table, may = public(state), options(state).challenge
    return tuple(play for play in reversed(table.pile if table else ()) if play.play in may)


def may_vote(state: ClientState) -> bool:
    """Whether a vote is open and mine to answer now (RULES D6)."""
    mine = dealing(state) and my_seat(state) is not None
    return state.vote is not None and mine and may_send(state)


def can_still_doubt(state: ClientState) -> int:
    """How many seats could still challenge the newest play (RULES A9, B13, C9)."""
    table = public(state)
    if table is None or table.newest_play is None or table.closed:
        return 0
    return sum(table.newest in challengeable(table, seat) for seat in table.seats_in)


def last_play_pending(state: ClientState) -> bool:
    """Whether somebody's last cards are waiting for their window to end (RULES A15)."""
    table = public(state)
    return table is not None and _last_play_pending(table)


def seconds_left(deadline: float | None, now: float) -> float | None:
    """Seconds until a deadline, never below 0; None where none runs."""
    return None if deadline is None else max(0.0, deadline - now)


def why_no_clock(state: ClientState) -> Refusal | None:
    """Why I may start no clock for the seat to move (RULES D1)."""
    table = public(state)
    if table is None:
        return Refusal.NO_DEAL
    if state.clocks.turn_ends is not None:
        return Refusal.CLOCK_RUNS
    return why_not_hurry(table, my_seat(state)) if hears(state) else Refusal.PAUSED


# --- what is on its way ------------------------------------------------------------------------


def pending(state: ClientState, kind: type[AnyCommand]) -> bool:
    """Whether a command of this kind waits for its answer."""
    return any(isinstance(command, kind) for command in state.pending)


def asked(state: ClientState, number: CommandNumber | None) -> AnyCommand | None:
    """The command that an answer belongs to, if it still waits for one."""
    return next((command for command in state.pending if command.n == number), None)


def laid_ready(state: ClientState) -> e.HeldPlay | None:
    """My move that goes down by itself as soon as it may (RULES C3)."""
    return state.table.held if state.table else None


def move_pending(state: ClientState) -> bool:
    """Whether a play or a pass of mine is on its way and not known to be held yet (RULES C3)."""
    return laid_ready(state) is None and (pending(state, PlayCards) or pending(state, Pass))


def waiting_for_ruling(state: ClientState) -> bool:
    """Whether my challenge is on its way: nothing else may be sent meanwhile."""
    return state.doubt is not None and state.doubt.stage is DoubtStage.SENT


def newly_painted(state: ClientState, now: float) -> bool:
    """Whether the newest play is too new on the screen for `b` to be meant for it.

    A press within 250 ms of the painting, or before it, was meant for the play before.
    """
    table = public(state)
    if table is None or table.newest_play is None:
        return False
    return state.painted != table.newest or now - state.painted_at < FRESH_S
