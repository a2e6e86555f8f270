"""What each person may know of a deal, worked out from the deck, the claims and who had which seat.

It does not use the server's view code. It follows the public events of the books, keeps hands, pile
and public sizes of its own, and remembers which cards each person has ever held: a card's name and
face may be told to nobody else before the rules turn it up.
"""

import math
from collections.abc import Callable, Iterable

from protocol import events as e
from protocol.cards import Card, Face, Rank
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.rules import RankOrder, Reveal
from server.game import actions as a
from tests.simulation.law import Law
from tests.simulation.ledger import Booked, Entry
from tests.simulation.world import SECOND

UNLIKELY = math.log(1e12)  # what chance gives less than once in so many deals, as a logarithm
MOST_PLAYS = 2000  # of a deal without a limit (RULES B21)
MOST_IN_ORDER = 24  # cards that follow each other by name and by face; one to four are expected


class Knowledge:
    """Who may know what of one deal."""

    def __init__(self, table: Booked) -> None:
        deal = table.deal
        self.table = table
        self.rules = deal.table.rules
        self.faces: dict[CardId, Face] = {card.id: card.face for card in deal.cards}
        self.hands: list[set[CardId]] = [set(hand) for hand in deal.hands]
        self.shown_sizes = [len(hand) for hand in deal.hands]  # as everybody sees them (B10)
        self.pile: list[PlayNumber] = []
        self.aside: set[CardId] = set()
        self.claimed: dict[PlayNumber, int] = {}
        self.places: dict[Seat, int] = {}  # of those who are out
        self.laid: dict[PlayNumber, tuple[Seat, frozenset[CardId], bytes | None]] = {}
        self.turned_up: set[PlayNumber] = set()
        self.let_go: set[Seat] = set()  # of the newest play, and said so
        self.is_over = False
        self.law = Law(self.rules, len(deal.hands), deal.table.turn)
        self.has_held: dict[bytes, set[CardId]] = {}
        self.note_owners()

    def why_names_tell(self) -> str | None:
        """What the names of cards tell of who was dealt them, or of their faces (DESIGN 3).

        By chance that comes once in a hundred thousand million deals.
        """
        names, seats = range(len(self.faces) - 1), len(self.hands)
        dealt_to = {card: seat for seat, hand in enumerate(self.hands) for card in hand}
        for step in range(seats):
            follow = (dealt_to[CardId(n + 1)] - dealt_to[CardId(n)] - step for n in names)
            if _is_no_chance(sum(each % seats == 0 for each in follow), len(names), 1 / seats):
                return f"the next card is that of the seat {step} to the left, mostly"
        in_order = sum(self.faces[CardId(n + 1)] - self.faces[CardId(n)] == 1 for n in names)
        return "the next card is the next higher one, mostly" if in_order > MOST_IN_ORDER else None

    def note_owners(self) -> None:
        """Whoever has a seat knows its cards."""
        for seat, hand in enumerate(self.hands):
            self._learns(self.table.listener(Seat(seat)), hand)

    def _learns(self, who: bytes | None, cards: Iterable[CardId]) -> None:
        if who is not None:
            self.has_held.setdefault(who, set()).update(cards)

    # --- what happens, from the public events and the cards that were really laid -------------------

    def follow(self, entry: Entry) -> str | None:
        """Follow one action; what is wrong with what is told of it, if anything is."""
        if isinstance(entry.done.action, a.LetGo):
            self.let_go.add(entry.done.action.seat)
        for telling in entry.tellings:
            if telling.to is not None:
                continue
            event = telling.event
            if wrong := self.law.follow(event):
                return f"{event}: {wrong}"
            if wrong := self._follow(event):
                return wrong
        self.note_owners()
        return self._differs() or self._lacks([each.event for each in entry.tellings])

    def _lacks(self, events: list[e.Event]) -> str | None:
        """What should have been told of this action, too."""
        if wrong := self.law.should_come():
            return wrong
        ended = any(isinstance(event, e.DealOver) for event in events)
        confessed = sum(len(each.faces) for each in events if isinstance(each, e.Confession))
        if ended and self.rules.confess and confessed != len(self.laid):
            return f"{confessed} of {len(self.laid)} plays are confessed (B24)"
        right = 0 if ended else SECOND * self.rules.reveal_s
        for event in events:
            if isinstance(event, e.Ruled) and event.reveal_us != right:
                return f"{event}: {right} to read it would do (C10)"
        return None

    def _follow(self, event: e.Event) -> str | None:
        step = _STEPS.get(type(event))
        return None if step is None else step(self, event)

    def _let_go(self, event: e.LetGo) -> str | None:
        told = event.count == len(self.let_go)
        return None if told else f"{event}: only {sorted(self.let_go)} have said so (C4)"

    def _private(self, event: e.Event) -> str:
        return f"{event} is told to everybody (C3, C4)"

    def _played(self, event: e.Played) -> str | None:
        seat, play = event.seat, event.play
        cards = frozenset(self.table.deal.laid[play - 1].cards)
        if not cards <= self.hands[seat]:
            return f"{event}: seat {seat} does not hold {sorted(cards)} (A7)"
        if event.auto and (wrong := self._why_not_by_itself(seat, cards, event.rank)):
            return f"{event}: {wrong} (D1)"
        self.hands[seat] -= cards
        self.pile.append(play)
        self.claimed[play] = event.count
        self.laid[play] = (seat, cards, self.table.owner(seat))
        self.let_go.clear()
        self.shown_sizes[seat] = 0 if event.last else self.shown_sizes[seat] - event.count
        if event.last != (not self.hands[seat]):
            return f"{event}: {len(self.hands[seat])} cards are left (A15)"
        if event.left != self.shown_sizes[seat]:
            return f"{event}: all that is public is {self.shown_sizes[seat]} cards (B10)"
        return self._last_that_counts(event)

    def _last_that_counts(self, event: e.Played) -> str | None:
        """So many plays end a deal, and the last of them is open as long as last cards are."""
        limit = self.rules.stop_after_plays or MOST_PLAYS
        if event.play > limit:
            return f"{event}: play {limit} was the last that counts (B21)"
        is_long = event.last or event.play == limit
        right = SECOND * (self.rules.last_window_s if is_long else self.rules.window_s)
        return None if event.protected_us == right else f"{event}: {right} would do (B17, B18)"

    def _stopping(self, event: e.Stopping) -> str | None:
        by_plays = event.reason in {e.StopReason.PLAYS, e.StopReason.CAP}
        limit = self.rules.stop_after_plays or MOST_PLAYS
        is_over = not by_plays or len(self.laid) == limit
        return None if is_over else f"{event}: after {len(self.laid)} plays, and not {limit} (B21)"

    def _ruled(self, event: e.Ruled) -> str | None:
        wrong = self._why_not_turn_up(event)
        if wrong is not None:
            return f"{event}: {wrong}"
        play = event.shown.play
        self.turned_up.add(play)
        seat, cards, _ = self.laid[play]
        is_lie = len(cards) != event.shown.count or not all(
            self.faces[card].is_a(event.shown.rank) for card in cards
        )
        taker = seat if is_lie else event.challenger
        if (event.lie, event.taker) != (is_lie, taker):
            return f"{event}: the cards say {'a lie' if is_lie else 'the truth'} (A8, A12)"
        taken = {card for number in self.pile for card in self.laid[number][1]}
        self.hands[taker] |= taken
        self.shown_sizes[taker] = len(self.hands[taker])
        self.pile.clear()
        self.let_go.clear()
        right = (len(taken), len(self.hands[taker]))
        fits = (event.taken, event.left) == right
        return None if fits else f"{event}: it took {right[0]}, has {right[1]} (A12)"

    def _why_not_turn_up(self, event: e.Ruled) -> str | None:
        """What speaks against this ruling, whatever the cards are."""
        play = event.shown.play
        if play in self.turned_up:
            return "it was ruled on before (A10)"
        if play not in self.pile:
            return f"it does not lie in the pile {self.pile} (C7)"
        if self.table.deal.held is not None:
            return "what is held goes back to the hand (C3)"
        lying = self.pile if self.rules.reveal is Reveal.WHOLE_PILE else []
        if [each.play for each in event.pile] != lying:
            return f"of the pile {lying} is turned up, and nothing else (A11, B15)"
        shown = (self._shown(each.play, each.faces) for each in (event.shown, *event.pile))
        return next((wrong for wrong in shown if wrong is not None), None)

    def _shown(self, play: PlayNumber, faces: tuple[Face, ...]) -> str | None:
        if play not in self.laid:
            return f"play {play} is shown before it is made"
        right = sorted(str(self.faces[card]) for card in self.laid[play][1])
        if sorted(map(str, faces)) != right:
            return f"play {play} is shown as {faces}, it is {right} (A11)"
        return None

    def _called_late(self, event: e.LateCall) -> str | None:
        return None if event.call.after_us <= SECOND else f"{event}: that is too late (C8)"

    def _set_aside(self, event: e.SetAside) -> str | None:
        claimed = sum(self.claimed[number] for number in self.pile)
        for number in self.pile:
            self.aside |= self.laid[number][1]
        self.pile.clear()
        self.let_go.clear()
        return None if event.cards == claimed else f"{event}: {claimed} were claimed (B10)"

    def _why_not_by_itself(self, seat: Seat, cards: frozenset[CardId], rank: Rank) -> str | None:
        """What speaks against these cards of a seat whose time has run out."""
        named = {card for card in self.hands[seat] if self.faces[card].rank is rank}
        leads_freely = self.rules.rank_order is RankOrder.FREE and not self.pile
        if leads_freely and rank is Rank.ACE:  # any card is named by itself, jokers so
            named |= {card for card in self.hands[seat] if self.faces[card].rank is None}
        return None if len(cards) == 1 and (cards <= named or not named) else "not that card"

    def _went_out(self, event: e.WentOut) -> str | None:
        self.places[event.seat] = place = len(self.places) + 1
        return None if event.place == place and not self.hands[event.seat] else f"{event} (A15)"

    def _ended(self, event: e.DealOver) -> str | None:
        self.is_over = True
        sizes = [len(hand) for hand in self.hands]
        inside = [size for seat, size in enumerate(sizes) if seat not in self.places]
        right = [
            self.places.get(Seat(seat))
            or len(self.places) + 1 + sum(each < size for each in inside)
            for seat, size in enumerate(sizes)
        ]
        fits = (list(event.places), list(event.cards)) == (right, sizes)
        return None if fits else f"{event}: places are {right}, hands {sizes} (A16)"

    def _confessed(self, event: e.Confession) -> str | None:
        if not self.is_over or not self.rules.confess:
            return f"{event}: nothing is confessed here (A14, B24)"
        for number, faces in enumerate(event.faces, start=event.play):
            if wrong := self._shown(PlayNumber(number), faces):
                return wrong
        return None

    # --- cards are conserved ------------------------------------------------------------------------

    def _differs(self) -> str | None:
        """Each card is in one place, and in the deal it is there, too."""
        deal = self.table.deal
        for seat, hand in enumerate(deal.hands):
            if self.hands[seat] != set(hand) or len(hand) != len(self.hands[seat]):
                return f"seat {seat} has {sorted(self.hands[seat])}, and in the deal {hand} (A12)"
        places = [*self.hands, self.aside, *(self.laid[number][1] for number in self.pile)]
        count = sum(map(len, places))
        if count != len(self.faces) or len(set().union(*places)) != count:
            return f"{count} of {len(self.faces)} cards are somewhere (A2)"
        return None

    # --- what may be told -----------------------------------------------------------------------------

    def why_not_tell_cards(self, who: bytes | None, cards: tuple[Card, ...]) -> str | None:
        """Names and faces of cards may be told to whoever has held them, and must be right."""
        held = self.has_held.get(who, set()) if who is not None else set()
        for card in cards:
            if card.id not in held:
                return f"card {card.id} was never in their hand"
            if self.faces[card.id] != card.face:
                return f"card {card.id} is no {card.face}"
        return None

    def why_not_tell_ids(self, who: bytes | None, ids: Iterable[CardId]) -> str | None:
        """The same for names of cards alone."""
        held = self.has_held.get(who, set()) if who is not None else set()
        strange = sorted(set(ids) - held)
        return f"cards {strange} were never in their hand" if strange else None

    def why_not_tell_laid(self, who: bytes | None, laid: Iterable[e.Laid]) -> str | None:
        """What a play really holds is told to the person whose seat it was then (D8)."""
        for each in laid:
            if each.play not in self.laid:
                return f"play {each.play} is not made yet"
            _, cards, owner = self.laid[each.play]
            if who is None or owner != who:
                return f"play {each.play} was not theirs (D8)"
            # Also what a computer player laid while the owner had given the seat up (D3).
            if {(card.id, card.face) for card in each.cards} != {
                (card, self.faces[card]) for card in cards
            }:
                return f"play {each.play} does not hold {each.cards}"
        return None


_STEPS: dict[type[e.Event], Callable[..., str | None]] = {
    e.Played: Knowledge._played,
    e.LetGo: Knowledge._let_go,
    e.Ruled: Knowledge._ruled,
    e.LateCall: Knowledge._called_late,
    e.SetAside: Knowledge._set_aside,
    e.Stopping: Knowledge._stopping,
    e.WentOut: Knowledge._went_out,
    e.DealOver: Knowledge._ended,
    e.Confession: Knowledge._confessed,
    **dict.fromkeys(
        (e.Held, e.HeldBack, e.YouLetGo, e.Laid, e.Took, e.HandDealt), Knowledge._private
    ),
}


def _is_no_chance(hits: int, trials: int, fair: float) -> bool:
    """Whether chance hits this often less than once in 1e12 deals, by Chernoff's bound."""
    share = hits / trials
    if share <= fair:
        return False
    apart = share * math.log(share / fair)
    if share < 1:
        apart += (1 - share) * math.log((1 - share) / (1 - fair))
    return trials * apart > UNLIKELY
