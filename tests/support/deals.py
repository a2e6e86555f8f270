"""Deals with the hands a test wants, and a table at which every view is checked at every step."""

from collections.abc import Sequence
from itertools import chain

from msgspec.structs import replace

from protocol.cards import Card, Rank, read_faces
from protocol.events import Call, Chair, DealStarted, Event, HandDealt, SeatState, StopReason
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import CLASSIC, TableRules
from protocol.views import TableView, opened
from protocol.views import apply as fold
from server.game import actions as a
from server.game import engine
from server.game.deal import Deal, LaidCards, Telling, faced
from server.game.view import view_for
from tests.support.cards import numbered

NAMES = ("Maya", "Leo", "Sam", "Ada", "Kim", "Ben", "Eve", "Tom", "Zoe", "Ida")
SECOND = 1_000_000


def cards(text: str) -> list[str]:
    """Cards as `AtTable.hand` gives them, to compare with: "KD AS" is ["AS", "KD"]."""
    return sorted(text.split())


def some_seats(players: int) -> tuple[SeatState, ...]:
    """Seats with names for this many players, for `engine.new_deal`."""
    return tuple(SeatState(name=name, cards=0) for name in NAMES[:players])


def a_deal(
    hands: Sequence[str],
    rules: TableRules = CLASSIC,
    *,
    turn: int = 0,
    due: Rank | None = None,
    play: int = 0,
    cap: int = 2000,
) -> Deal:
    """A deal with these hands and an empty pile; the cards' ids count up through the hands.

    `play` is the number of the newest play, of which nothing else is known.
    """
    deck = numbered(chain.from_iterable(read_faces(hand) for hand in hands))
    ids = iter(range(len(deck)))
    held = tuple(tuple(CardId(next(ids)) for _ in hand.split()) for hand in hands)
    table = opened(_started(held, rules, turn))
    newest = PlayNumber(play)
    return Deal(
        table=replace(table, newest=newest, due=table.due if due is None else (due,)),
        cards=deck,
        hands=held,
        owned_since=(newest,) * len(held),
        laid=(LaidCards(Seat(0), ()),) * play,
        cap=cap,
    )


def _started(held: Sequence[Sequence[CardId]], rules: TableRules, turn: int) -> DealStarted:
    return DealStarted(
        deal=1,
        rules=rules,
        dealer=Seat((turn - 1) % len(held)),
        turn=Seat(turn),
        seats=tuple(
            SeatState(name=name, cards=len(hand)) for name, hand in zip(NAMES, held, strict=False)
        ),
    )


class AtTable:
    """A deal being played. After each step every folded view must equal `view_for`."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.at = 0
        self.told: tuple[Telling, ...] = ()  # by the newest step
        self.views = {who: view_for(deal, who) for who in (*seats_of(deal), None)}

    # --- what people do; the seat to move is meant where no seat is named ---

    def play(
        self,
        text: str,
        *,
        seat: int | None = None,
        rank: Rank | None = None,
        count: int | None = None,
    ) -> "AtTable":
        """Lay these cards, claimed as they are counted and as the (first) rank due."""
        return self.do(self.a_play(text, seat=seat, rank=rank, count=count))

    def a_play(
        self,
        text: str,
        *,
        seat: int | None = None,
        rank: Rank | None = None,
        count: int | None = None,
    ) -> a.Play:
        """The action of `play`, not yet done."""
        mover = self.deal.table.turn if seat is None else Seat(seat)
        return a.Play(
            seat=mover,
            cards=self.ids(mover, text),
            count=len(text.split()) if count is None else count,
            rank=self.deal.table.due[0] if rank is None else rank,
        )

    def passes(self) -> "AtTable":
        """The seat to move passes."""
        return self.do(a.Pass(seat=self.deal.table.turn))

    def let_go(self, *seats: int) -> "AtTable":
        """These seats believe the newest play."""
        for seat in seats:
            self.do(a.LetGo(seat=Seat(seat), play=self.deal.table.newest))
        return self

    def doubt(self, seat: int, *, play: int | None = None) -> "AtTable":
        """The seat challenges a play, the newest if none is named, and is first."""
        return self.do(self.a_doubt(seat, play=play))

    def a_doubt(self, seat: int, *, play: int | None = None) -> a.Rule:
        """The action of `doubt`, not yet done."""
        number = self.deal.table.newest if play is None else PlayNumber(play)
        calls = (Call(seat=Seat(seat), after_us=1),)
        return a.Rule(play=number, challenger=Seat(seat), calls=calls)

    def time_up(self) -> "AtTable":
        """The protected time or the reveal ends at its deadline."""
        deadline = engine.next_deadline(self.deal)
        assert deadline is not None, "nothing ends by time now"
        self.at = deadline
        protected = self.deal.protected_until is not None
        return self.do(a.EndProtection() if protected else a.EndReveal())

    def stop(self, reason: StopReason = StopReason.TIME) -> "AtTable":
        """The deal is to end."""
        return self.do(a.Stop(reason=reason))

    def takes_over(self, seat: int, name: str) -> "AtTable":
        """Somebody who watched gets a seat with its hand (RULES D8)."""
        self.views[Seat(seat)] = self.views[None]
        chair = Chair.OWNER
        return self.do(a.Seated(seat=Seat(seat), name=name, chair=chair, new_owner=True))

    def do(self, action: a.Action) -> "AtTable":
        """Apply an action and tell everybody."""
        self.deal, self.told = engine.apply(self.deal, action, self.at)
        for telling in self.told:
            for who in self.views if telling.to is None else (telling.to,):
                self.views[who] = _folded(self.views[who], telling.event)
        for who, view in self.views.items():
            assert view == view_for(self.deal, who), f"seat {who} was told something else"
        return self

    # --- what can be seen ---

    @property
    def events(self) -> list[Event]:
        """What the newest step told everybody."""
        return [telling.event for telling in self.told if telling.to is None]

    def kinds(self) -> list[str]:
        """The names of what the newest step told, private events in brackets."""
        return [
            type(telling.event).__name__ if telling.to is None else f"({_name(telling)})"
            for telling in self.told
        ]

    def refusal(self, action: a.Action) -> Refusal | None:
        """Why the action is refused now."""
        return engine.refusal_for(self.deal, action)

    def ids(self, seat: int, text: str) -> tuple[CardId, ...]:
        """The ids of these cards in the seat's hand."""
        mine = list(faced(self.deal, self.deal.hands[seat]))
        return tuple(_taken(mine, word).id for word in text.split())

    def hand(self, seat: int) -> list[str]:
        """The seat's cards as text, sorted; compare with `cards`."""
        return sorted(str(card) for card in faced(self.deal, self.deal.hands[seat]))


def a_table(
    hands: Sequence[str],
    rules: TableRules = CLASSIC,
    *,
    turn: int = 0,
    due: Rank | None = None,
    play: int = 0,
    cap: int = 2000,
) -> AtTable:
    """People at a table with `a_deal` of these hands."""
    return AtTable(a_deal(hands, rules, turn=turn, due=due, play=play, cap=cap))


def a_new_table(deal: Deal, told: Sequence[Telling]) -> AtTable:
    """People at a table who were told of a deal as it began."""
    table = AtTable(deal)
    for who in table.views:
        view: TableView | None = None
        for telling in told:
            if telling.to in {None, who}:
                view = fold(view, telling.event)
        assert view == table.views[who]
    return table


def seats_of(deal: Deal) -> tuple[Seat, ...]:
    """All seats of a deal."""
    return tuple(Seat(seat) for seat in range(len(deal.hands)))


def dealt_cards(told: Sequence[Telling], seat: int) -> tuple[Card, ...]:
    """The hand that a seat was told it got."""
    return next(
        telling.event.cards
        for telling in told
        if telling.to == seat and isinstance(telling.event, HandDealt)
    )


def _folded(view: TableView, event: Event) -> TableView:
    after = fold(view, event)
    assert after is not None
    return after


def _taken(hand: list[Card], word: str) -> Card:
    card = next(card for card in hand if str(card) == word)
    hand.remove(card)
    return card


def _name(telling: Telling) -> str:
    return type(telling.event).__name__
