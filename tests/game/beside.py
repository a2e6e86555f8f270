"""Run the engine beside the reference, and hold every step of both against each other."""

from collections.abc import Iterator
from itertools import chain
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from protocol import events as e
from protocol import views
from protocol.cards import JOKER, Card, standard_faces
from protocol.numbers import PlayNumber, Seat
from protocol.options import options_of
from protocol.rules import Reveal, TableRules
from server.game.actions import (
    Action,
    AddLateCall,
    EndProtection,
    EndReveal,
    LetGo,
    Pass,
    Play,
    Rule,
    Seated,
    Stop,
    TakeBack,
)
from server.game.deal import Deal, Telling
from server.game.engine import (
    IllegalAction,
    apply,
    new_deal,
    next_deadline,
    refusal_for,
    restart_window,
)
from server.game.view import view_for, window_state_for
from tests.game.reference import OVER, PROTECTED, REVEAL, Reference, sizes_dealt
from tests.support.shown import snapshot_for

SECOND = 1_000_000
FRAME = 64 * 1024
NAMES = ("Ann", "Bea", "Cy", "Dan", "Eve", "Fay", "Gus", "Hal", "Ivy", "Jo")

Watcher = Seat | None


class Beside:
    """One deal in the engine and in the reference, with what everybody was told of it."""

    def __init__(
        self,
        rules: TableRules,
        players: int,
        rng: Random,
        *,
        hand: int | None = None,
        cap: int = 2000,
    ) -> None:
        seats = tuple(e.SeatState(name=name, cards=0) for name in NAMES[:players])
        dealer = Seat(rng.randrange(players))
        self.deal, told = new_deal(rules, seats, dealer, 1, rng, cap=cap)
        self.watchers: tuple[Watcher, ...] = (*map(Seat, range(players)), None)
        self.views = {who: self._told(who, told) for who in self.watchers}
        self._check_dealt(dealer)
        if hand is not None:
            self._shorten(hand)
        self.at = 0
        faces = [card.face for card in self.deal.cards]
        hands = [list[int](ids) for ids in self.deal.hands]
        self.reference = Reference(rules, faces, hands, self.deal.table.turn, cap)
        self.reference.aside = list(self.deal.aside)
        self.may_know = {who: set[int]() for who in self.watchers}
        self.check(told if hand is None else ())

    def offer(self, action: Action) -> bool:
        """Do this in both, or see it refused by both; answer whether it was done."""
        allowed = self._allows(action)
        refusal = refusal_for(self.deal, action)
        assert (refusal is None) == allowed, (action, refusal)
        if allowed:
            before = self.deal
            self.deal, told = apply(before, action, self.at)
            self._check_secrecy(before, action, told)
            self._do(action)
            self._tell(told)
            self.check(told)
        else:
            with pytest.raises(IllegalAction):
                apply(self.deal, action, self.at)
        return allowed

    def restart(self) -> None:
        """The clocks start again, and nothing else changes (RULES D5)."""
        before = self.views
        self.deal = restart_window(self.deal, self.at)
        self.reference.opened = self.at if self.reference.pile else self.reference.opened
        assert {who: view_for(self.deal, who) for who in self.watchers} == before

    # --- the reference ---

    def _allows(self, action: Action) -> bool:  # noqa: C901, PLR0911, one line for each action
        r = self.reference
        match action:
            case Play():
                return r.may_play(action.seat, list(action.cards), action.count, action.rank)
            case Pass():
                return r.may_pass(action.seat)
            case TakeBack():
                return r.held is not None and r.held[0] == action.seat
            case LetGo():
                return bool(r.pile) and action.play == r.plays and action.seat in r.challengers()
            case Rule():
                return r.may_challenge(action.challenger, action.play)
            case EndProtection():
                return r.phase == PROTECTED
            case EndReveal():
                return r.phase == REVEAL
            case AddLateCall():
                return r.rulings[-1:] == [action.play]
            case Stop():
                return r.phase != OVER and not r.stopping
            case Seated():
                return True

    def _do(self, action: Action) -> None:  # noqa: C901, one line for each action
        r = self.reference
        match action:
            case Play():
                r.move(action.seat, list(action.cards), action.count, action.rank, self.at)
            case Pass():
                r.move(action.seat, [], 0, 0, self.at)
            case TakeBack():
                r.held = None
            case LetGo():
                r.believe(action.seat, self.at)
            case Rule():
                r.challenge(action.challenger, action.play)
            case EndProtection():
                r.protection_over(self.at)
            case EndReveal():
                r.protection_over(self.at)
            case Stop():
                r.stop(self.at)
            case Seated():
                self._new_owner(action)
            case AddLateCall():
                pass

    def _new_owner(self, action: Seated) -> None:
        """Somebody who watched so far, and so knows only what watchers do (RULES D8)."""
        if action.new_owner:
            self.views[action.seat] = self.views[None]
            self.may_know[action.seat] = set()
            held = self.reference.held
            if held is not None and held[0] == action.seat:  # the new owner decides anew
                self.reference.held = None

    # --- what everybody is told ---

    def _told(self, who: Watcher, told: tuple[Telling, ...]) -> views.TableView:
        view: views.TableView | None = None
        for telling in told:
            if telling.to in {None, who}:
                view = views.apply(view, telling.event)
        assert view is not None
        return view

    def _tell(self, told: tuple[Telling, ...]) -> None:
        for telling in told:
            for who in self.watchers if telling.to is None else (telling.to,):
                view = views.apply(self.views[who], telling.event)
                assert view is not None
                self.views[who] = view

    def check(self, told: tuple[Telling, ...]) -> None:
        """Hold the engine's deal, what it told and what it shows against the reference."""
        for seat, hand in enumerate(self.reference.hands):
            self.may_know[Seat(seat)] |= set(hand)
        self._check_cards()
        self._check_table()
        self._check_options()
        self._check_deadline()
        for telling in told:
            self._check_telling(telling)
        for who in self.watchers:
            view = view_for(self.deal, who)
            assert self.views[who] == view
            assert cards_named(view) <= self.may_know[who]

    def _check_dealt(self, dealer: Seat) -> None:
        rules, players = self.deal.table.rules, len(self.deal.table.seats)
        deck = standard_faces(rules.decks_for(players), rules.jokers)
        sizes = sizes_dealt(len(deck), players, dealer)
        assert sorted(map(str, deck)) == sorted(str(card.face) for card in self.deal.cards)
        assert [len(hand) for hand in self.deal.hands] == sizes
        assert [seat.cards for seat in self.deal.table.seats] == sizes

    def _shorten(self, hand: int) -> None:
        """Set most of the deck aside, so that the deal ends soon; all begin with a snapshot."""
        hands = tuple(ids[:hand] for ids in self.deal.hands)
        aside = tuple(card for ids in self.deal.hands for card in ids[hand:])
        seats = tuple(
            replace(seat, cards=len(ids))
            for seat, ids in zip(self.deal.table.seats, hands, strict=True)
        )
        table = replace(self.deal.table, seats=seats, aside=len(aside))
        self.deal = replace(self.deal, hands=hands, aside=aside, table=table)
        self.views = {who: view_for(self.deal, who) for who in self.watchers}

    def _check_cards(self) -> None:
        deal, r = self.deal, self.reference
        pile = [sorted(cards_of(deal, play.play)) for play in deal.table.pile]
        assert [list(hand) for hand in deal.hands] == [sorted(hand) for hand in r.hands]
        assert pile == [sorted(play.cards) for play in r.pile]
        assert sorted(deal.aside) == sorted(r.aside)
        everywhere = [*chain(*deal.hands, *pile), *deal.aside]
        assert sorted(everywhere) == list(range(len(deal.cards)))

    def _check_table(self) -> None:
        table, r = self.deal.table, self.reference
        assert (table.phase.value, table.newest, table.pile_number) == (r.phase, r.plays, r.piles)
        assert [seat.cards for seat in table.seats] == self._sizes_shown()
        if r.phase == OVER:
            assert table.outcome is not None
            assert list(table.outcome.places) == r.places()
            return
        assert table.outcome is None
        assert (table.turn, set(table.due), table.passes) == (r.turn, r.due(), r.passes)
        assert (table.stopping is not None) == r.stopping
        assert list(table.seats_in) == r.seats_in()
        assert not r.pile or table.closed == r.closed

    def _sizes_shown(self) -> list[int]:
        r = self.reference
        return [len(hand) for hand in r.hands] if r.phase == OVER else r.shown

    def _check_options(self) -> None:
        r = self.reference
        for seat in map(Seat, range(len(r.hands))):
            may = options_of(self.views[seat])
            challengeable = [n for n in range(r.plays, 0, -1) if r.may_challenge(seat, n)]
            assert may.may_play == r.may_move(seat)
            assert may.held == (may.may_play and r.would_wait(seat))
            assert set(may.ranks) == (r.due() if may.may_play else set())
            assert may.may_pass == r.may_pass(seat)
            assert list(may.challenge) == challengeable
            assert may.may_let_go == (bool(r.pile) and seat in r.challengers())

    def _check_deadline(self) -> None:
        r, rules = self.reference, self.deal.table.rules
        deadline = next_deadline(self.deal)
        if r.phase == PROTECTED:
            last = r.stopping or r.pending()
            window = rules.last_window_s if last else rules.window_s
            assert deadline == r.opened + window * SECOND
        else:
            assert (deadline is not None) == (r.phase == REVEAL)

    def _check_telling(self, telling: Telling) -> None:
        event = telling.event
        assert cards_named(event) <= self.may_know[telling.to]
        if isinstance(event, e.Ruled):
            self._check_reveal(event)
        if isinstance(event, e.Took):
            assert event.cards == views.sorted_by_id(event.cards)
        if isinstance(event, e.Confession):
            assert self.deal.table.rules.confess
            assert self.reference.phase == OVER

    def _check_secrecy(self, before: Deal, action: Action, told: tuple[Telling, ...]) -> None:
        """What is public is the same whatever the faces, and for an honest count (RULES B10)."""
        if isinstance(action, Rule) or self.deal.table.phase is e.Phase.OVER:
            return
        blank = tuple(Card(card.id, JOKER) for card in before.cards)
        _, blind = apply(replace(before, cards=blank), action, self.at)
        assert public(blind) == public(told)
        if isinstance(action, Play) and len(before.hands[action.seat]) > len(action.cards):
            honest = replace(action, cards=action.cards[: action.count])
            assert public(apply(before, honest, self.at)[1]) == public(told)

    def _check_reveal(self, ruled: e.Ruled) -> None:
        whole = self.deal.table.rules.reveal is Reveal.WHOLE_PILE
        pause = 0 if self.reference.phase == OVER else self.deal.table.rules.reveal_s * SECOND
        assert bool(ruled.pile) == whole
        assert ruled.reveal_us == pause
        assert ruled.left == len(self.deal.hands[ruled.taker])
        for shown in (ruled.shown, *ruled.pile):
            laid = [str(self.deal.cards[card].face) for card in cards_of(self.deal, shown.play)]
            assert sorted(map(str, shown.faces)) == sorted(laid)

    def check_snapshots(self) -> None:
        """A snapshot says all that a view does, in messages that fit (RULES D2)."""
        for who in self.watchers:
            view: views.TableView | None = None
            for event in snapshot_for(self.deal, who):
                assert len(msgspec.msgpack.encode(event)) < FRAME
                assert cards_named(event) <= self.may_know[who]
                view = views.apply(view, event)
            assert view == replace(self.views[who], held=None, you_let_go=False)
            view = views.apply(view, window_state_for(self.deal, who, self.at))
            assert view == self.views[who]

    def check_rulings(self) -> None:
        """One ruling for a play, and one for a pile (RULES A10, B14)."""
        ruled, newest, pile_begins_after = [], 0, 0
        for entry in self.views[None].log:
            match entry:
                case e.Played():
                    newest = entry.play
                case e.Ruled():
                    assert entry.shown.play > pile_begins_after
                    ruled.append(entry.shown.play)
                    pile_begins_after = newest
                case e.SetAside():
                    pile_begins_after = newest
        assert ruled == self.reference.rulings


def public(told: tuple[Telling, ...]) -> list[e.Event]:
    """What everybody was told."""
    return [telling.event for telling in told if telling.to is None]


def cards_of(deal: Deal, number: PlayNumber) -> tuple[int, ...]:
    """The ids of a play's cards."""
    return tuple(deal.laid[number - 1].cards)


def cards_named(value: object) -> set[int]:
    """The id of every card that a message or a view names, wherever in it."""
    return set(_cards_in(value))


def _cards_in(value: object) -> Iterator[int]:
    if isinstance(value, Card):
        yield value.id
    elif isinstance(value, e.HeldPlay):
        yield from value.cards
    elif isinstance(value, tuple):
        for each in value:
            yield from _cards_in(each)
    elif isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _cards_in(getattr(value, name))
