"""Remember a whole deal: every card that was shown or laid by oneself, and where it must be."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from protocol.events import Played, Ruled, SetAside, ShownPlay
from server.bots.evidence import Evidence, Kinds, kinds, own_hand

if TYPE_CHECKING:
    from protocol.numbers import PlayNumber, Seat
    from protocol.views import TableView


@dataclass(slots=True)
class Memory:
    """Kinds of cards that are surely where it says, worked out by reading the log again."""

    own: dict[PlayNumber, Kinds]
    sneak: int
    pile: list[Played] = field(default_factory=list)
    with_seat: dict[Seat, Kinds] = field(default_factory=dict)  # in the hand or plays of each
    aside: Kinds = field(default_factory=Counter)  # one's own, out of play (RULES B12)


def remembered(view: TableView) -> Memory:
    """Read the deal's log from its beginning."""
    own = {laid.play: kinds(card.face for card in laid.cards) for laid in view.laid}
    memory = Memory(own, view.table.rules.sneak)
    for entry in view.log:
        match entry:
            case Played():
                memory.pile.append(entry)
            case Ruled():
                _pick_up(memory, entry)
            case SetAside():
                memory.aside += _clear_pile(memory, {})
            case _:
                pass
    return memory


def full_memory(view: TableView, play: Played) -> Evidence:
    """All that the owner of the view can be sure of about somebody else's play."""
    memory = remembered(view)
    elsewhere = own_hand(view).elsewhere + memory.aside
    for lying in memory.pile:
        elsewhere += memory.own.get(lying.play, Counter())
    for seat, known in memory.with_seat.items():
        if seat not in {play.seat, view.you}:
            elsewhere += known
    return Evidence(elsewhere=elsewhere, theirs=memory.with_seat.get(play.seat, Counter()))


def _pick_up(memory: Memory, ruled: Ruled) -> None:
    """The taker has at least every card of the pile that was shown or was one's own."""
    shown = {each.play: _kinds_shown(each) for each in (*ruled.pile, ruled.shown)}
    taken = _clear_pile(memory, shown)
    memory.with_seat[ruled.taker] = memory.with_seat.get(ruled.taker, Counter()) + taken


def _clear_pile(memory: Memory, shown: dict[PlayNumber, Kinds]) -> Kinds:
    """Empty the pile; answer with its known cards, and forget what may have left a hand with it."""
    known_of_pile: Kinds = Counter()
    for play in memory.pile:
        known = shown.get(play.play, memory.own.get(play.play))
        before = memory.with_seat.get(play.seat, Counter())
        if known is None:
            memory.with_seat[play.seat] = _less(before, play.count + memory.sneak)
        else:
            memory.with_seat[play.seat] = before - known
            known_of_pile += known
    memory.pile.clear()
    return known_of_pile


def _less(known: Kinds, cards: int) -> Kinds:
    """What is still sure once this many cards have gone unseen: any of them may have gone."""
    return Counter({kind: number - cards for kind, number in known.items() if number > cards})


def _kinds_shown(shown: ShownPlay) -> Kinds:
    return kinds(shown.faces)
