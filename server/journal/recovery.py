"""Make the deals that were kept as they were: their actions are done once more, nothing is decided again.

Pure: the journal is read elsewhere, and people come back to their tables elsewhere (`restoring`).
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from protocol.events import DealStarted
from protocol.numbers import PlayNumber
from protocol.views import opened
from server.game.deal import Deal
from server.game.engine import apply, restart_window
from server.journal.records import ActionDone, KeptLobby, LobbyRecord
from server.journal.rows import of_action, of_deal, of_lobby
from server.journal.store import Damaged, one_line


class Recovered(Struct, frozen=True, kw_only=True):
    """A lobby with its running deal, if there is one, as they were after the last record."""

    code: str
    lobby: LobbyRecord
    deal: Deal | None = None
    at: int = 0  # the latest time that is recorded, in microseconds since the table began


def recovered_lobby(kept: KeptLobby) -> Recovered:
    """One lobby as it was.

    Raises:
        Damaged: a deal that runs is not there, or the rules do not allow what is recorded.
    """
    code, lobby = kept.code, kept.lobby
    if not lobby.deal_runs:
        return Recovered(code=code, lobby=lobby)
    if kept.deal is None:
        raise Damaged(of_lobby(code), "its deal runs but is not there")
    deal = recovered_deal(code, kept.deal, kept.actions)
    at = max(lobby.clocks_since, *map(_latest, kept.actions), 0)
    return Recovered(code=code, lobby=lobby, deal=deal, at=at)


def recovered_deal(code: str, begun: Deal, actions: Iterable[ActionDone]) -> Deal:
    """A deal after these actions of it, with the window counted from where it was announced.

    Raises:
        Damaged: the rules do not allow one of the actions.
    """
    if why := unsound(begun):
        raise Damaged(of_deal(code), f"no deal can begin like that: {why}")
    deal = begun
    for number, action in enumerate(actions, start=1):
        try:
            deal = after(deal, action)
        except Exception as fault:  # what was written down was done once: nothing of it can fail
            why = f"{type(fault).__name__}: {fault}"
            raise Damaged(
                of_action(code, number), f"the rules do not allow it ({one_line(why)})"
            ) from fault
    return deal


def unsound(begun: Deal) -> str | None:
    """What is wrong with a deal as it began, in a few words; None if the rules can go on from it."""
    table = begun.table
    seats = len(table.seats)
    if max(table.dealer, table.turn) >= seats:
        return f"there are {seats} seats"
    started = DealStarted(
        deal=table.deal, rules=table.rules, dealer=table.dealer, turn=table.turn, seats=table.seats
    )
    fresh = Deal(
        table=replace(opened(started), aside=table.aside),
        cards=begun.cards,
        hands=begun.hands,
        owned_since=(PlayNumber(0),) * seats,
        cap=begun.cap,
        aside=begun.aside,
    )
    if begun != fresh or any(seat.place is not None for seat in table.seats):
        return "something was done in it already"
    ids = [card.id for card in begun.cards]
    dealt = sorted(card for cards in (*begun.hands, begun.aside) for card in cards)
    sizes = [len(hand) for hand in begun.hands]
    if (
        ids != dealt
        or ids != list(range(len(ids)))
        or sizes != [seat.cards for seat in table.seats]
    ):
        return "its cards are not those that were dealt"
    return None


def after(deal: Deal, done: ActionDone) -> Deal:
    """The deal after one recorded action.

    Raises:
        IllegalAction: the rules do not allow it.
    """
    if done.opened_at is not None:
        deal = restart_window(deal, done.opened_at)
    deal, _ = apply(deal, done.action, done.at)
    return deal if done.announced_at is None else restart_window(deal, done.announced_at)


def _latest(done: ActionDone) -> int:
    """Announced after it was done, or counting since a while after it fell due (RULES B21)."""
    return max(done.at, done.announced_at or 0, done.opened_at or 0)
