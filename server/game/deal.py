"""One deal as a frozen value, and the one way in which it changes: by telling what happened."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from protocol.cards import Card
from protocol.events import Event, Faces, HeldBack, Phase, Played, ShownPlay
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.views import LOGGED, LogEntry, PublicTable, face_up, follow
from server.game.actions import Move

MOST_PLAYS = 2000  # a deal ends after so many where `stop_after_plays` is off (RULES B21)

NOBODY: frozenset[Seat] = frozenset()
_LOGGED = frozenset(LOGGED)


class LaidCards(Struct, frozen=True, array_like=True, gc=False):
    """Which cards a play really holds, sorted by id."""

    seat: Seat
    cards: tuple[CardId, ...]


class Deal(Struct, frozen=True, kw_only=True):
    """Everything about a deal, secrets included. All times are microseconds of the table's clock.

    It leaves the rules through `view` alone. `table` is what everybody was told, built up by
    `protocol.views.follow` from the events themselves.
    """

    table: PublicTable
    cards: tuple[Card, ...]  # all cards, by id
    hands: tuple[tuple[CardId, ...], ...]  # by seat, each sorted
    owned_since: tuple[PlayNumber, ...]  # by seat: its owner may know what it laid later (RULES D8)
    cap: int = MOST_PLAYS
    laid: tuple[LaidCards, ...] = ()  # by play, from the first one
    aside: tuple[CardId, ...] = ()
    log: tuple[LogEntry, ...] = ()
    let_go: frozenset[Seat] = NOBODY  # who let the newest play go (RULES C4)
    silently: frozenset[Seat] = NOBODY  # those of `let_go` who did so by passing: nobody is told
    held: Move | None = None
    opened_at: int = 0  # when the newest play's window opened
    opened_before: tuple[int, ...] = ()  # those of older plays, from the first one (RULES B14)
    # When the protected time or the reveal ends, or has ended (`windows.counts_from`).
    ends_at: int = 0

    @property
    def protected_until(self) -> int | None:
        """When the protected time ends (RULES C2), or None outside it."""
        return self.ends_at if self.table.phase is Phase.PROTECTED else None

    @property
    def reveal_until(self) -> int | None:
        """When the pause after a ruling ends (RULES C10), or None outside it."""
        return self.ends_at if self.table.phase is Phase.REVEAL else None


class Telling(Struct, frozen=True):
    """An event and who is told: everybody, watchers included, or one seat alone."""

    event: Event
    to: Seat | None = None


Told = tuple[Deal, tuple[Telling, ...]]
"""A deal and what was told on the way to it."""


def tell(deal: Deal, *tellings: Telling) -> Told:
    """The deal after these tellings: what is public of it, and its log."""
    table, log = public_after(deal, tellings)
    return replace(deal, table=table, log=log), tellings


def public_after(
    deal: Deal, tellings: tuple[Telling, ...]
) -> tuple[PublicTable, tuple[Event, ...]]:
    """The table and the log after these tellings, for whoever changes more of a deal than these."""
    table = deal.table
    log: tuple[Event, ...] = deal.log
    for telling in tellings:
        if telling.to is None:
            event = telling.event
            table = follow(table, event)
            if type(event) in _LOGGED:
                log = (*log, event)
    return table, log


def give_back(deal: Deal) -> Told:
    """Return a held play or pass to its owner, if there is one (RULES C3)."""
    if deal.held is None:
        return deal, ()
    return tell(replace(deal, held=None), Telling(HeldBack(), to=deal.held.seat))


def shown(deal: Deal, play: Played) -> ShownPlay:
    """A play with its cards face up (RULES A11, B15, B24)."""
    return face_up(play, faces_of(deal, deal.laid[play.play - 1]))


def faces_of(deal: Deal, laid: LaidCards) -> Faces:
    """What is printed on the cards of a play."""
    return tuple([deal.cards[card].face for card in laid.cards])


def next_in(table: PublicTable, seat: Seat) -> Seat:
    """The next seat still in, going to the left (RULES A13, B16)."""
    seats = table.seats
    following = (seat + 1) % len(seats)
    while seats[following].place is not None:
        following = (following + 1) % len(seats)
    return Seat(following)


def with_hand(deal: Deal, seat: Seat, hand: tuple[CardId, ...]) -> tuple[tuple[CardId, ...], ...]:
    """All hands, with this one for the seat."""
    return (*deal.hands[:seat], hand, *deal.hands[seat + 1 :])


def faced(deal: Deal, ids: Iterable[CardId]) -> tuple[Card, ...]:
    """The cards of these ids, as their holder sees them."""
    return tuple(map(deal.cards.__getitem__, ids))
