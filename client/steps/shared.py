"""What the steps of the store share: adding a line, and forgetting a table or a server. Pure."""

from collections.abc import Callable

from msgspec.structs import replace

from client.state import MAX_LINES, NO_PLAY, ClientState, Clocks, Hall, Line, LineKind, PutBy

Steps = dict[type[object], Callable[..., ClientState]]
"""For each kind of event, the state after it; `state.now` is already the event's time."""


def with_line(state: ClientState, kind: LineKind, text: str, who: str = "") -> ClientState:
    """The state with one more line in its bounded log."""
    line = Line(kind=kind, text=text, who=who, at=state.now)
    return replace(state, log=(*state.log, line)[-MAX_LINES:])


def put_by(state: ClientState) -> ClientState:
    """What is picked now is kept until this deal is shown anew, perhaps by a server started again."""
    view, lobby = state.table, state.lobby
    if not state.picks or view is None or lobby is None:
        return state
    cards = tuple(card for card in view.hand if card.id in state.picks)
    in_order = tuple(sorted(cards, key=lambda card: state.picks.index(card.id)))
    return replace(state, put_by=PutBy(code=lobby.code, deal=view.table.deal, cards=in_order))


def forgotten(state: ClientState) -> ClientState:
    """Nothing of the lobby, the table and the hall is known any more."""
    return replace(without_table(state), lobby=None, hall=Hall(), evening=())


def without_table(state: ClientState) -> ClientState:
    """The state before a deal: no cards, clocks, rulings, votes or hints."""
    return replace(
        state,
        table=None,
        ruling=None,
        late=(),
        gone_on=False,
        picks=(),
        believe_all=False,
        believed=NO_PLAY,
        painted=NO_PLAY,
        clocks=Clocks(),
        vote=None,
        vote_offered=False,
        pause=None,
        stalled=False,
        doubt=None,
        hint="",
    )
