"""What one may know of a table: the public part, one seat's own part, and how events change both.

`PublicTable` is all that everybody at the table can see. The server builds it up with the same
`follow` as a client does, so that what a client knows is, by construction, what it was told.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Annotated, get_args

from msgspec import Meta, Struct
from msgspec.structs import replace

from protocol import events as e
from protocol.cards import Card, Rank
from protocol.numbers import (
    MAX_CARDS,
    SEATS,
    Count,
    DealField,
    PileField,
    PileNumber,
    PlayField,
    PlayNumber,
    Seat,
    SeatField,
    Size,
)
from protocol.ranks import due_after_claim, due_at_start, due_on_a_new_pile
from protocol.rules import TableRules


class PublicTable(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What everybody at the table, watchers included, can see of a deal."""

    deal: DealField
    rules: TableRules  # of this deal, to its end
    dealer: SeatField  # the seat that dealt
    seats: e.Seats  # from seat 0 on, clockwise
    turn: SeatField
    due: Annotated[tuple[Rank, ...], Meta(max_length=13)]  # the ranks that may be claimed next
    phase: e.Phase = e.Phase.TO_PLAY  # what the deal is waiting for
    newest: PlayField = PlayNumber(0)  # the number of the newest play
    pile_number: PileField = PileNumber(0)  # how many piles were taken or set aside
    pile: Annotated[tuple[e.Played, ...], Meta(max_length=MAX_CARDS)] = ()  # oldest first
    aside: Size = 0  # cards set aside, as claimed (RULES B12)
    passes: Size = 0  # in a row, since the newest play
    let_go: Size = 0  # seats that let the newest play go (RULES C4)
    closed: bool = False  # the newest play's window is closed for good
    stopping: e.StopReason | None = None  # why, once the newest play is the last that counts
    outcome: e.DealOver | None = None  # once the deal is over

    @property
    def pile_cards(self) -> int:
        """Cards in the pile, as claimed."""
        return sum(play.count for play in self.pile)

    @property
    def newest_play(self) -> e.Played | None:
        """The newest play while it lies in the pile."""
        return self.pile[-1] if self.pile else None

    @property
    def seats_in(self) -> tuple[Seat, ...]:
        """The seats that are still in the deal, in order."""
        seats = self.seats
        return tuple([number for number in SEATS[: len(seats)] if seats[number].place is None])

    @property
    def copies_of_a_rank(self) -> int:
        """How many cards of this deal can truly be of one rank, jokers included (RULES B1, B2)."""
        return self.rules.copies_of_a_rank(len(self.seats))

    def lying(self, number: PlayNumber) -> e.Played | None:
        """The play of this number while it lies in the pile."""
        for play in reversed(self.pile):
            if play.play == number:
                return play
        return None

    def is_in(self, seat: Seat) -> bool:
        """Whether the seat is still in the deal."""
        return self.seats[seat].place is None


LogEntry = (
    e.Played
    | e.Passed
    | e.Stands
    | e.Ruled
    | e.LateCall
    | e.SetAside
    | e.WentOut
    | e.Stopping
    | e.ChairChanged
    | e.DealOver
)
"""The public events of a deal that everybody can look up again."""

LOGGED: tuple[type[e.Event], ...] = get_args(LogEntry)


class TableView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that one seat (or a watcher, who has none) may know of a deal."""

    table: PublicTable
    you: SeatField | None = None
    hand: e.Hand = ()  # sorted by id
    held: e.HeldPlay | None = None
    you_let_go: bool = False
    laid: tuple[e.Laid, ...] = ()  # your own plays
    log: tuple[LogEntry, ...] = ()
    confession: tuple[e.ShownPlay, ...] = ()

    @property
    def newest_ruling(self) -> e.Ruled | None:
        """The newest ruling of the deal."""
        return next((entry for entry in reversed(self.log) if isinstance(entry, e.Ruled)), None)


class TableSnapshot(e.Event, frozen=True, kw_only=True, tag="table_snapshot"):
    """Private: the deal as you may know it now; its log follows in pages.

    `entries` says how many entries of the log are to come in `LogPage`s.
    """

    table: PublicTable  # all that is public of it
    you: SeatField | None = None  # your seat; None: you watch
    hand: e.Hand = ()  # your cards, sorted by id
    entries: Count = 0  # of the log, in the pages that follow


class LogPage(e.Event, frozen=True, kw_only=True, tag="log_page"):
    """Private: a part of the deal's log and of your own plays, oldest first, after a snapshot.

    Once the deal is over, `Confession`s follow the last of them.
    """

    log: Annotated[tuple[LogEntry, ...], Meta(max_length=e.MAX_LOG_PAGE)] = ()  # public events
    laid: Annotated[tuple[e.Laid, ...], Meta(max_length=e.MAX_LOG_PAGE)] = ()  # your own plays


# --- the public part --------------------------------------------------------------------------


def opened(started: e.DealStarted) -> PublicTable:
    """The table as a deal begins."""
    return PublicTable(
        deal=started.deal,
        rules=started.rules,
        dealer=started.dealer,
        seats=started.seats,
        turn=started.turn,
        due=due_at_start(started.rules),
    )


def follow(table: PublicTable, event: e.Event) -> PublicTable:
    """The table after a public event; any other event leaves it as it is."""
    step = _STEPS.get(type(event))
    return step(table, event) if step else table


def _played(table: PublicTable, event: e.Played) -> PublicTable:
    return replace(
        table,
        seats=_with_cards(table.seats, event.seat, event.left),
        turn=event.turn,
        due=due_after_claim(table.rules, event.rank),
        phase=e.Phase.PROTECTED if event.protected_us else e.Phase.TO_PLAY,
        newest=event.play,
        pile=(*table.pile, event),
        passes=0,
        let_go=0,
        closed=False,
    )


def _passed(table: PublicTable, event: e.Passed) -> PublicTable:
    return replace(table, turn=event.turn, passes=table.passes + 1)


def _let_go(table: PublicTable, event: e.LetGo) -> PublicTable:
    return replace(table, let_go=event.count)


def _stands(table: PublicTable, event: e.Stands) -> PublicTable:
    return replace(table, phase=e.Phase.TO_PLAY, closed=not event.protected_only)


def _ruled(table: PublicTable, event: e.Ruled) -> PublicTable:
    return replace(
        _without_pile(table, event.turn),
        seats=_with_cards(table.seats, event.taker, event.left),
        phase=e.Phase.REVEAL if event.reveal_us else e.Phase.TO_PLAY,
    )


def _set_aside(table: PublicTable, event: e.SetAside) -> PublicTable:
    return replace(_without_pile(table, event.turn), aside=table.aside + event.cards)


def _without_pile(table: PublicTable, turn: Seat) -> PublicTable:
    return replace(
        table,
        turn=turn,
        due=due_on_a_new_pile(table.rules, table.pile[-1].rank),
        phase=e.Phase.TO_PLAY,
        pile_number=PileNumber(table.pile_number + 1),
        pile=(),
        passes=0,
        let_go=0,
        closed=True,
    )


def _next_may_play(table: PublicTable, _over: e.ProtectionOver | e.RevealOver) -> PublicTable:
    return replace(table, phase=e.Phase.TO_PLAY)


def _went_out(table: PublicTable, event: e.WentOut) -> PublicTable:
    out = replace(table.seats[event.seat], place=event.place)
    return replace(table, seats=_with_seat(table.seats, event.seat, out), turn=event.turn)


def _stopping(table: PublicTable, event: e.Stopping) -> PublicTable:
    return replace(table, stopping=event.reason, phase=e.Phase.PROTECTED)


def _deal_over(table: PublicTable, event: e.DealOver) -> PublicTable:
    seats = tuple(
        replace(seat, cards=cards) for seat, cards in zip(table.seats, event.cards, strict=True)
    )
    return replace(table, seats=seats, phase=e.Phase.OVER, outcome=event, closed=True)


def _chair_changed(table: PublicTable, event: e.ChairChanged) -> PublicTable:
    seat = replace(table.seats[event.seat], name=event.name, chair=event.chair)
    return replace(table, seats=_with_seat(table.seats, event.seat, seat))


def _window_state(table: PublicTable, event: e.WindowState) -> PublicTable:
    return replace(table, phase=event.phase, let_go=event.let_go)


def _with_cards(seats: tuple[e.SeatState, ...], seat: Seat, cards: int) -> tuple[e.SeatState, ...]:
    return _with_seat(seats, seat, replace(seats[seat], cards=cards))


def _with_seat(
    seats: tuple[e.SeatState, ...], seat: Seat, state: e.SeatState
) -> tuple[e.SeatState, ...]:
    return (*seats[:seat], state, *seats[seat + 1 :])


_STEPS: dict[type[e.Event], Callable[..., PublicTable]] = {
    e.Played: _played,
    e.Passed: _passed,
    e.LetGo: _let_go,
    e.ProtectionOver: _next_may_play,
    e.Stands: _stands,
    e.Ruled: _ruled,
    e.RevealOver: _next_may_play,
    e.SetAside: _set_aside,
    e.WentOut: _went_out,
    e.Stopping: _stopping,
    e.DealOver: _deal_over,
    e.ChairChanged: _chair_changed,
    e.WindowState: _window_state,
}


# --- one seat's view --------------------------------------------------------------------------


def apply(view: TableView | None, event: e.Event) -> TableView | None:
    """The view after an event that was sent to its owner. Before the first deal there is none."""
    match event:
        case e.DealStarted():
            return TableView(table=opened(event))
        case TableSnapshot():
            return TableView(table=event.table, you=event.you, hand=event.hand)
        case _ if view is None:
            return None
        case _:
            return _in_public(_in_private(view, event), event)


def _in_public(view: TableView, event: e.Event) -> TableView:
    table = follow(view.table, event)
    log = (*view.log, event) if isinstance(event, LOGGED) else view.log
    return replace(view, table=table, log=log)


def _in_private(view: TableView, event: e.Event) -> TableView:
    step = _OWN_STEPS.get(type(event))
    return step(view, event) if step else view


def _hand_dealt(view: TableView, event: e.HandDealt) -> TableView:
    return replace(view, you=event.seat, hand=event.cards, held=None, laid=())


def _laid(view: TableView, event: e.Laid) -> TableView:
    gone = {card.id for card in event.cards}
    hand = tuple(card for card in view.hand if card.id not in gone)
    return replace(view, hand=hand, held=None, laid=(*view.laid, event))


def _passed_yourself(view: TableView, event: e.Passed) -> TableView:
    return replace(view, held=None) if event.seat == view.you else view


def _took(view: TableView, event: e.Took) -> TableView:
    return replace(view, hand=sorted_by_id((*view.hand, *event.cards)))


_id_of = attrgetter("id")


def sorted_by_id(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Cards in the order that says nothing about where they came from."""
    return tuple(sorted(cards, key=_id_of))


def _log_page(view: TableView, event: LogPage) -> TableView:
    return replace(
        view,
        log=(*view.log, *event.log),
        laid=(*view.laid, *event.laid),
    )


def _confession(view: TableView, event: e.Confession) -> TableView:
    """Put the faces to the plays of the log, as far as they are known (RULES B24)."""
    plays = {entry.play: entry for entry in view.log if isinstance(entry, e.Played)}
    numbered = ((PlayNumber(event.play + n), faces) for n, faces in enumerate(event.faces))
    shown = (face_up(plays[play], faces) for play, faces in numbered if play in plays)
    return replace(view, confession=(*view.confession, *shown))


def face_up(play: e.Played, faces: e.Faces) -> e.ShownPlay:
    """A play with its cards turned up."""
    return e.ShownPlay(
        play=play.play, seat=play.seat, count=play.count, rank=play.rank, faces=faces
    )


_OWN_STEPS: dict[type[e.Event], Callable[..., TableView]] = {
    e.HandDealt: _hand_dealt,
    e.Laid: _laid,
    e.Took: _took,
    e.Held: lambda view, event: replace(view, held=event.held),
    e.HeldBack: lambda view, _: replace(view, held=None),
    e.YouLetGo: lambda view, _: replace(view, you_let_go=True),
    e.Passed: _passed_yourself,
    e.Played: lambda view, _: replace(view, you_let_go=False),
    e.Ruled: lambda view, _: replace(view, you_let_go=False),
    e.SetAside: lambda view, _: replace(view, you_let_go=False),
    e.WindowState: lambda view, event: replace(view, held=event.held, you_let_go=event.you_let_go),
    e.Confession: _confession,
    LogPage: _log_page,
}
