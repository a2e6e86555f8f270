"""What a finished deal has to tell: lies, doubts, the best moments, and what one missed. Pure."""

from collections import Counter
from collections.abc import Iterator

from msgspec import Struct

from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import PlayNumber, Seat
from protocol.views import TableView

Kinds = Counter[Rank | None]
"""How many of each rank; None are jokers."""


class SeatStats(Struct, frozen=True, kw_only=True):
    """One seat's part in the deal."""

    plays: int
    lies: int
    caught: int
    doubts: int
    right: int
    biggest_pile: int
    fastest_us: int | None  # the shortest time from the opening of a window to a doubt


class SeatTally(Struct, frozen=True, kw_only=True):
    """One seat of a deal that is over, as the evening's table keeps it."""

    name: str
    won: bool
    stats: SeatStats


class DealTally(Struct, frozen=True, kw_only=True):
    """A deal that is over, in few words."""

    seats: tuple[SeatTally, ...]
    complete: bool  # every play is known, not only the doubted ones; so where there was none


class Confessed(Struct, frozen=True, kw_only=True):
    """The whole deal, looked at from the end (RULES B24)."""

    seats: tuple[SeatStats, ...]
    biggest_lie: e.ShownPlay | None  # the biggest lie that nobody doubted
    missed: tuple[e.ShownPlay, ...]  # lies that the owner's hand disproved, undoubted
    true_doubted: int
    complete: bool  # every play is known, not only the doubted ones; so where there was none


def confessed(view: TableView) -> Confessed:
    """All that can be told of a deal from the plays that were turned up."""
    rulings = rulings_of(view)
    shown = shown_plays(view)
    doubted = {ruled.shown.play for ruled in rulings}
    unnoticed = [play for play in shown if play.is_lie and play.play not in doubted]
    return Confessed(
        seats=tuple(_of_seat(Seat(seat), shown, rulings) for seat in range(len(view.table.seats))),
        biggest_lie=max(unnoticed, key=false_cards, default=None),
        missed=tuple(_missed(view, shown, doubted)),
        true_doubted=sum(not ruled.lie for ruled in rulings),
        complete=bool(view.confession) or not view.table.newest,
    )


def tally_of(view: TableView) -> DealTally:
    """What is kept of a finished deal when the next one begins."""
    told, winners = confessed(view), _winners(view)
    seats = enumerate(zip(view.table.seats, told.seats, strict=True))
    return DealTally(
        seats=tuple(
            SeatTally(name=one.name, won=Seat(seat) in winners, stats=stats)
            for seat, (one, stats) in seats
        ),
        complete=told.complete,
    )


def _winners(view: TableView) -> set[Seat]:
    """The seats that share the first place, but for those that their owners had left (RULES B22)."""
    over = view.table.outcome
    first = {Seat(seat) for seat, place in enumerate(over.places if over else ()) if place == 1}
    changed = {entry.seat: entry.chair for entry in view.log if isinstance(entry, e.ChairChanged)}
    return {seat for seat in first if changed.get(seat) is not e.Chair.COMPUTER}


def rulings_of(view: TableView) -> tuple[e.Ruled, ...]:
    """The rulings of the deal in order."""
    return tuple(entry for entry in view.log if isinstance(entry, e.Ruled))


def shown_plays(view: TableView) -> tuple[e.ShownPlay, ...]:
    """Every play whose cards are known to all, in order."""
    if view.confession:
        return view.confession
    shown = {play.play: play for ruled in rulings_of(view) for play in (*ruled.pile, ruled.shown)}
    return tuple(shown[number] for number in sorted(shown))


def false_cards(play: e.ShownPlay) -> int:
    """How many cards of a play were not what was said, or too many."""
    wrong = sum(not face.is_a(play.rank) for face in play.faces)
    return max(wrong, len(play.faces) - play.count)


def _of_seat(seat: Seat, shown: tuple[e.ShownPlay, ...], rulings: tuple[e.Ruled, ...]) -> SeatStats:
    mine = [play for play in shown if play.seat == seat]
    doubts = [ruled for ruled in rulings if ruled.challenger == seat]
    return SeatStats(
        plays=len(mine),
        lies=sum(play.is_lie for play in mine),
        caught=sum(ruled.lie and ruled.shown.seat == seat for ruled in rulings),
        doubts=len(doubts),
        right=sum(ruled.lie for ruled in doubts),
        biggest_pile=max((ruled.taken for ruled in rulings if ruled.taker == seat), default=0),
        fastest_us=min((ruled.counted_after_us for ruled in doubts), default=None),
    )


def _missed(
    view: TableView, shown: tuple[e.ShownPlay, ...], doubted: set[PlayNumber]
) -> Iterator[e.ShownPlay]:
    if view.you is None or not view.confession:
        return
    hands, met = hands_before(view), _plays_met(view, view.you)
    copies = view.table.copies_of_a_rank
    for play in shown:
        hand = hands.get(play.play) if play.play in met else None
        if hand is None or play.seat == view.you or play.play in doubted or not play.is_lie:
            continue
        if play.count > copies - hand[play.rank] - hand[None]:
            yield play


def _plays_met(view: TableView, you: Seat) -> set[PlayNumber]:
    """The plays made while I had my seat: not while a computer player did, nor whoever had it before."""
    met: set[PlayNumber] = set()
    owner: str | None = None  # whoever has it, or had it last; None as long as nobody has told
    is_mine = True
    for entry in view.log:
        if isinstance(entry, e.ChairChanged) and entry.seat == you:
            is_back = entry.name == owner and not is_mine
            is_mine = entry.chair is e.Chair.OWNER
            if is_mine and not is_back:  # it was somebody else's until now
                met.clear()
            owner = entry.name
        elif isinstance(entry, e.Played) and is_mine:
            met.add(entry.play)
    return met


def hands_before(view: TableView) -> dict[PlayNumber, Kinds]:
    """What the owner of the view held when each play was made, worked out backwards.

    The hand at the end is known; each own play puts cards back into it and each pile that was
    taken comes out of it. Needs the confession.
    """
    faces = {play.play: Counter(face.rank for face in play.faces) for play in view.confession}
    piles = dict(_piles(view))
    hand: Kinds = Counter(card.face.rank for card in view.hand)
    hands: dict[PlayNumber, Kinds] = {}
    for entry in reversed(view.log):
        if isinstance(entry, e.Ruled) and entry.taker == view.you:
            for number in piles.get(entry.shown.play, ()):
                hand = hand - faces.get(number, Counter())
        if isinstance(entry, e.Played):
            if entry.seat == view.you:
                hand = hand + faces.get(entry.play, Counter())
            hands[entry.play] = hand
    return hands


def _piles(view: TableView) -> Iterator[tuple[PlayNumber, tuple[PlayNumber, ...]]]:
    """For each doubted play, the plays that lay in its pile."""
    pile: list[PlayNumber] = []
    for entry in view.log:
        match entry:
            case e.Played():
                pile.append(entry.play)
            case e.Ruled():
                yield entry.shown.play, tuple(pile)
                pile = []
            case e.SetAside():
                pile = []
            case _:
                pass
