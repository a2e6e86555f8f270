"""Questions about my hand: what I hold, what is picked of it, what that would be said to be. Pure.

Every function takes the state first. Without a table the answers are empty, as those of `selectors`.
"""

from client import selectors
from client.state import ClientState
from protocol import events as e
from protocol import turns
from protocol.cards import Card, Rank


def cards(state: ClientState) -> tuple[Card, ...]:
    """My cards, sorted by rank, aces first and jokers last."""
    return tuple(sorted(_as_held(state), key=_by_rank))


def _as_held(state: ClientState) -> tuple[Card, ...]:
    return state.table.hand if state.table else ()


def _by_rank(card: Card) -> tuple[int, str, int]:
    rank = card.face.rank
    return (rank or len(Rank) + 1, card.face.suit or "", card.id)


def of_rank(state: ClientState, rank: Rank | None) -> tuple[Card, ...]:
    """My cards of one rank; None means the jokers."""
    return tuple(card for card in cards(state) if card.face.rank is rank)


def picked(state: ClientState) -> tuple[Card, ...]:
    """The cards picked from my hand, in the order of picking."""
    held = {card.id: card for card in _as_held(state)}
    return tuple(held[number] for number in state.picks if number in held)


def copies(state: ClientState) -> int:
    """How many cards of this deal can truly be of one rank, jokers included (RULES B1, B2)."""
    table = selectors.public(state)
    return table.copies_of_a_rank if table else 0


def held_of(state: ClientState, rank: Rank) -> int:
    """How many cards I hold that can truly be of this rank, jokers included."""
    return sum(card.face.is_a(rank) for card in cards(state))


def due(state: ClientState) -> tuple[Rank, ...]:
    """The ranks that my next play may claim, as far as that is known before my turn has come."""
    table, seat = selectors.public(state), selectors.my_seat(state)
    if table is None or seat is None or selectors.my_turn(state):
        return selectors.due(state)
    return turns.foretold(table, seat)


def next_ranks(state: ClientState, how_many: int = 4) -> tuple[Rank, ...]:
    """The ranks I shall have to claim, where the order is fixed (RULES A6)."""
    table, seat = selectors.public(state), selectors.my_seat(state)
    return () if table is None or seat is None else turns.next_ranks(table, seat, how_many)


def claimed_rank(state: ClientState) -> Rank | None:
    """The rank my picked cards would be claimed as: the one due then, or the likeliest of several."""
    may = due(state)
    if len(may) == 1:
        return may[0]
    counts = {rank: sum(card.face.rank is rank for card in picked(state)) for rank in may}
    return max(counts, key=lambda rank: counts[rank]) if any(counts.values()) else None


def most_claimed(state: ClientState) -> int:
    """How many cards one play of mine may claim at this table (RULES B9)."""
    view = state.table
    return view.table.rules.most_claimed(len(view.hand)) if view else 0


def sneak_allowed(state: ClientState) -> int:
    """How many cards beyond the claim this table lets one lay (RULES B10)."""
    return state.table.table.rules.sneak if state.table else 0


def said_count(state: ClientState, sneaked: int = 0) -> int:
    """How many my picked cards would be claimed as: all but those to be sneaked in (RULES B9, B10).

    Of more than may be claimed it is the most, where the rest can be sneaked in.
    """
    laid, allowed = len(picked(state)), sneak_allowed(state)
    beyond = laid - most_claimed(state)
    wanted = max(sneaked, beyond if beyond <= allowed else 0)
    return laid - min(wanted, allowed, max(0, laid - 1))


def sure_lie(state: ClientState, play: e.Played) -> bool:
    """Whether my own cards prove a claim of somebody else's wrong: more than can be out there."""
    if play.seat == selectors.my_seat(state):
        return False
    return play.count > copies(state) - held_of(state, play.rank)
