"""What the command line asked for, to be done one after the other once the server has answered. Pure.

`facedown join HOST/CODE` goes into the lobby, `facedown play` builds a table of its own. Whoever
comes back to a lobby of theirs stays there, and the rest of the plan is dropped.
"""

from msgspec import Struct

from client import selectors
from client.intents.at_table import automatic
from client.intents.shared import UNNUMBERED, password_to_send
from client.state import ClientState, Noted
from protocol import commands as c
from protocol.commands import AnyCommand
from protocol.events import LobbySettings

PRACTICE = ("casual", "certain", "proof")
LEARNING = ("casual", "casual", "certain")
MAIN_GAME = "classic"


class Plan(Struct, frozen=True, kw_only=True):
    """Commands that are still to be sent, in this order."""

    steps: tuple[AnyCommand, ...] = ()


NO_PLAN = Plan()


def to_join(code: str, *, watch: bool = False, password: str | None = None) -> Plan:
    """Go into a lobby, to play or to watch."""
    secret = password_to_send(password)
    return Plan(steps=(c.JoinLobby(n=UNNUMBERED, code=code, password=secret, watch=watch),))


def to_host(rules: str = MAIN_GAME) -> Plan:
    """Open a lobby that friends can see."""
    return Plan(steps=(c.CreateLobby(n=UNNUMBERED, rules=_named(rules)),))


def to_practise(rules: str = MAIN_GAME, computers: tuple[str, ...] = PRACTICE) -> Plan:
    """Open a private lobby, add computer players, deal."""
    private = LobbySettings(public=False)
    create = c.CreateLobby(n=UNNUMBERED, rules=_named(rules), settings=private)
    adding = (c.AddComputer(n=UNNUMBERED, temperament=kind) for kind in computers)
    starting = (c.SetReady(n=UNNUMBERED), c.StartDeal(n=UNNUMBERED, anyway=True))
    return Plan(steps=(create, *adding, *starting))


def _named(rules: str) -> str:
    """Rules of which nothing is said are those of the main game, which has a name."""
    return rules.strip() or MAIN_GAME


def to_learn(rules: str) -> Plan:
    """The same for the lessons of the tutorial, which deals once the learner has been welcomed."""
    practice = to_practise(rules, LEARNING)
    return Plan(steps=practice.steps[:-1])


def follow_up(plan: Plan, state: ClientState) -> tuple[Plan, AnyCommand | None, tuple[Noted, ...]]:
    """What is left of the plan after an event, what is to be sent, and what is to be told after that.

    What is sent is the next step or, without one, what a person does not have to do themselves. It goes
    first: what is told is an event as well, after which the same would be sent again.
    """
    elsewhere = elsewhere_text(plan, state)
    rest, step = next_step(plan, state)
    return rest, step or automatic(state), (Noted(text=elsewhere),) if elsewhere else ()


def next_step(plan: Plan, state: ClientState) -> tuple[Plan, AnyCommand | None]:
    """The command to send now, if any, and what is left of the plan; ask after every event."""
    if state.pending or not has_arrived(state):
        return plan, None
    if not is_under_way(plan, state):
        return NO_PLAN, None
    if state.lobby is None and not _enters(plan):
        return plan, None
    first, *rest = plan.steps
    return Plan(steps=tuple(rest)), first


def is_under_way(plan: Plan, state: ClientState) -> bool:
    """Whether something of a plan is left to do; not if it leads into a lobby and its person is back in one."""
    return bool(plan.steps) and not (state.lobby and _enters(plan))


def _enters(plan: Plan) -> bool:
    return isinstance(plan.steps[0], c.CreateLobby | c.JoinLobby)


def elsewhere_text(plan: Plan, state: ClientState) -> str:
    """Why the lobby of this plan is not joined: its person has come back to another; else empty."""
    asked = plan.steps[0] if plan.steps else None
    if state.pending or not isinstance(asked, c.JoinLobby) or not has_arrived(state):
        return ""
    if state.lobby is None:
        return ""
    here = state.lobby.code
    return "" if here == asked.code else f"You are still in {here}: leave it to join {asked.code}."


def has_arrived(state: ClientState) -> bool:
    """Whether the server has said where I am: in a lobby, or in the hall."""
    told = state.lobby is not None or state.hall.online > 0
    return selectors.is_online(state) and told
