"""Put cards down: what leaves the hand, what everybody is told, and the play that ends a deal."""

from msgspec.structs import replace

from protocol.events import Laid, Played, Stopping, StopReason
from protocol.numbers import MICROS, CardId, PlayNumber
from protocol.views import PublicTable
from server.game import actions as a
from server.game.deal import (
    NOBODY,
    Deal,
    LaidCards,
    Telling,
    Told,
    faced,
    next_in,
    public_after,
    with_hand,
)
from server.game.windows import is_pick_up


def lay(deal: Deal, play: a.Play, at: int) -> Told:
    """Lay a legal play on the pile and open its window at `at` (RULES A7, B10, C2)."""
    seat = play.seat
    ids = tuple(sorted(play.cards))
    hand = _without(deal.hands[seat], ids)
    number = PlayNumber(deal.table.newest + 1)
    final = _reason_to_stop_at(deal, number)
    played = _played(deal.table, play, number, last=not hand, final=final is not None)
    laid = Laid(play=number, cards=faced(deal, ids))
    tellings: tuple[Telling, ...] = (Telling(laid, to=seat), Telling(played))
    if final is not None:
        tellings = (*tellings, Telling(Stopping(reason=final)))
    table, log = public_after(deal, tellings)
    opened_before = deal.opened_before
    if is_pick_up(deal.table) and deal.laid:
        opened_before = (*opened_before, deal.opened_at)
    after = replace(
        deal,
        table=table,
        log=log,
        hands=with_hand(deal, seat, hand),
        laid=(*deal.laid, LaidCards(seat, ids)),
        let_go=NOBODY,
        silently=NOBODY,
        held=None,
        opened_at=at,
        opened_before=opened_before,
        ends_at=at + played.protected_us,
    )
    return after, tellings


def _without(hand: tuple[CardId, ...], ids: tuple[CardId, ...]) -> tuple[CardId, ...]:
    left = list(hand)
    for card in ids:
        left.remove(card)
    return tuple(left)


def _played(
    table: PublicTable, play: a.Play, number: PlayNumber, *, last: bool, final: bool
) -> Played:
    rules = table.rules
    return Played(
        play=number,
        seat=play.seat,
        count=play.count,
        rank=play.rank,
        # An empty hand shows, whatever was claimed before (RULES B10).
        left=0 if last else table.seats[play.seat].cards - play.count,
        turn=next_in(table, play.seat),
        protected_us=MICROS * (rules.last_window_s if last or final else rules.window_s),
        last=last,
        auto=play.auto,
    )


def _reason_to_stop_at(deal: Deal, number: PlayNumber) -> StopReason | None:
    """Why this play is the last that counts, if it is (RULES B21)."""
    limit = deal.table.rules.stop_after_plays
    if limit is None:
        return StopReason.CAP if number >= deal.cap else None
    return StopReason.PLAYS if number >= limit else None
