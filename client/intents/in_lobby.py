"""What a person means in the hall and in a lobby -> a command, or a hint why not now. Pure."""

from client import selectors
from client.intents.shared import UNNUMBERED, Intent, explain, password_to_send
from client.state import ClientState, Hinted
from client.way_in.address import SEE_CODE, code_meant, may_be_a_code
from protocol import commands as c
from protocol.commands import AnyCommand
from protocol.events import LobbySettings, LobbyStage
from protocol.numbers import MIN_SEATS, Seat
from protocol.refusals import Refusal, explained
from protocol.text import clean, is_a_name

ANYWAY = "Start anyway, or wait."
TWO_READY = "It takes two who are: wait, or add a computer player."
NO_LOBBY = explained(Refusal.NOT_IN_A_LOBBY).sentence


def create(
    state: ClientState,
    rules: str = "classic",
    *,
    public: bool = True,
    password: str | None = None,
) -> Intent:
    """Open a lobby with a preset or a rules code (RULES B25)."""
    if state.lobby:
        return explain(state, Refusal.IN_A_LOBBY)
    if not 0 < len(rules) <= c.MAX_RULES_TEXT:
        return explain(state, Refusal.BAD_RULES)
    return c.CreateLobby(
        n=UNNUMBERED,
        rules=rules,
        settings=LobbySettings(public=public),
        password=password_to_send(password),
    )


def join(
    state: ClientState, code: str, *, password: str | None = None, watch: bool = False
) -> Intent:
    """Sit down in a lobby, or watch it."""
    if state.lobby:
        return explain(state, Refusal.IN_A_LOBBY)
    if not may_be_a_code(code):
        return Hinted(text=SEE_CODE)
    return c.JoinLobby(
        n=UNNUMBERED,
        code=code_meant(code),
        password=password_to_send(password),
        watch=watch,
    )


def leave(state: ClientState) -> Intent:
    """Back to the hall; during a deal this gives up the seat (RULES D3)."""
    return _why_no_lobby(state) or c.LeaveLobby(n=UNNUMBERED)


def _why_no_lobby(state: ClientState) -> Hinted | None:
    return None if state.lobby else Hinted(text=NO_LOBBY)


def ready(state: ClientState, *, on: bool | None = None) -> Intent:
    """I am ready for the next deal, or not; without `on` the other way round (RULES D6)."""
    if no := _why_no_lobby(state):
        return no
    mine = selectors.my_lobby_seat(state)
    if mine is None:
        return Hinted(text="You are watching: sit down first.")
    asked = [one.ready for one in state.pending if isinstance(one, c.SetReady)]
    return c.SetReady(n=UNNUMBERED, ready=not [mine.ready, *asked][-1] if on is None else on)


def _host_only(state: ClientState, command: AnyCommand) -> Intent:
    if no := _why_no_lobby(state):
        return no
    return command if selectors.acts_as_host(state) else explain(state, Refusal.NOT_HOST)


def start(state: ClientState, *, anyway: bool = False) -> Intent:
    """Host: deal; `anyway` without those who are not ready (RULES D6)."""
    lobby = state.lobby
    if lobby and lobby.stage is LobbyStage.PLAYING:
        return explain(state, Refusal.DEAL_RUNS)
    if lobby and len(lobby.seats) < MIN_SEATS:
        return explain(state, Refusal.TOO_FEW_PLAYERS)
    late = selectors.others_not_ready(state)
    enough = selectors.enough_are_ready(state)
    if late and selectors.acts_as_host(state) and not (anyway and enough):
        names = ", ".join(map(clean, late))
        return Hinted(text=f"Not ready: {names}. {ANYWAY if enough else TWO_READY}")
    return _host_only(state, c.StartDeal(n=UNNUMBERED, anyway=anyway))


def set_rules(state: ClientState, rules: str) -> Intent:
    """Host: these rules from the next deal on (RULES D7)."""
    if not 0 < len(rules) <= c.MAX_RULES_TEXT:
        return explain(state, Refusal.BAD_RULES)
    return _host_only(state, c.SetRules(n=UNNUMBERED, rules=rules))


def set_settings(state: ClientState, settings: LobbySettings) -> Intent:
    """Host: these settings of the lobby."""
    return _host_only(state, c.SetSettings(n=UNNUMBERED, settings=settings))


def add(state: ClientState, temperament: str) -> Intent:
    """Host: a computer player of this temperament takes a seat (RULES D6)."""
    known = state.welcome.temperaments if state.welcome else ()
    if temperament not in known:
        return Hinted(text=f"Computer players: {', '.join(known) or 'none here'}.")
    return _host_only(state, c.AddComputer(n=UNNUMBERED, temperament=temperament))


def remove(state: ClientState, name: str) -> Intent:
    """Host: take whoever has this name out of the lobby (RULES D6)."""
    command = c.RemoveSeat(n=UNNUMBERED, name=_known(state, name))
    return _named(state, name) or _host_only(state, command)


def hand_over(state: ClientState, name: str) -> Intent:
    """Host: this person is host from now on (RULES D6)."""
    command = c.HandOver(n=UNNUMBERED, name=_known(state, name))
    return _named(state, name) or _host_only(state, command)


def _named(state: ClientState, name: str) -> Hinted | None:
    return None if is_a_name(name) else explain(state, Refusal.NO_SUCH_PERSON)


def _known(state: ClientState, name: str) -> str:
    """The name as the lobby spells it."""
    names = [*_people(state), name]
    return next(one for one in names if one.casefold() == name.casefold())


def _people(state: ClientState) -> list[str]:
    lobby = state.lobby
    if lobby is None:
        return []
    return [*(seat.name for seat in lobby.seats), *lobby.watching, *lobby.asking]


def shuffle(state: ClientState) -> Intent:
    """Host: seats in a new order, between deals (RULES D6)."""
    if state.lobby and not selectors.between_deals(state):
        return explain(state, Refusal.DEAL_RUNS)
    return _host_only(state, c.ShuffleSeats(n=UNNUMBERED))


def sit(state: ClientState, seat: Seat | None = None) -> Intent:
    """Take a seat; with a number during a deal: ask for a computer player's (RULES D8)."""
    if no := _why_no_lobby(state):
        return no
    if selectors.my_lobby_seat(state):
        return Hinted(text="You have a seat already.")
    if seat is None and state.lobby and len(state.lobby.seats) >= state.lobby.settings.size:
        return Hinted(text="Every seat is taken: wait until one is free.")
    if seat is not None and not 0 <= seat < _seats_here(state):
        return explain(state, Refusal.NO_COMPUTER_THERE)
    table = selectors.public(state)
    deal = table.deal if table is not None and seat is not None else None
    return c.SitDown(n=UNNUMBERED, seat=seat, deal=deal)


def _seats_here(state: ClientState) -> int:
    table = selectors.public(state)
    return len(table.seats) if table else 0


def stand(state: ClientState) -> Intent:
    """From a seat to watching, between deals."""
    if no := _why_no_lobby(state):
        return no
    if selectors.my_lobby_seat(state) is None:
        return Hinted(text="You are watching already.")
    if not selectors.between_deals(state):
        return explain(state, Refusal.DEAL_RUNS)
    return c.StandUp(n=UNNUMBERED)


def answer_seat(state: ClientState, name: str, *, yes: bool) -> Intent:
    """Host: let somebody who asked take over a computer player's seat, or not (RULES D8)."""
    if no := _why_no_lobby(state):
        return no
    table = selectors.public(state)
    if table is None:
        return explain(state, Refusal.NO_DEAL)
    command = c.AnswerSeat(n=UNNUMBERED, deal=table.deal, name=_known(state, name), yes=yes)
    return _named(state, name) or _host_only(state, command)


def say(_state: ClientState, text: str) -> Intent:
    """Say something to everybody here."""
    said = clean(text)
    if not said:
        return Hinted(text=explained(Refusal.EMPTY_TEXT).sentence)
    return c.Say(n=UNNUMBERED, text=said)
