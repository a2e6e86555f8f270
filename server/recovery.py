"""From what was kept to the deals as they were: the actions done once more, nothing decided anew.

Pure: the journal is read elsewhere, and who comes back to the tables is no matter of this page.
"""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from server.game.deal import Deal
from server.game.engine import IllegalAction, apply, restart_window
from server.records import ActionDone, Kept, KeptLobby, LobbyRecord
from server.store import Damaged


class Recovered(Struct, frozen=True, kw_only=True):
    """A lobby with its running deal, if there is one, as they were after the last record."""

    code: str
    lobby: LobbyRecord
    deal: Deal | None = None
    at: int = 0  # of the last record, in microseconds since the table began
    held_for: tuple[bytes, int] | None = None  # whose command, of which number, is held


def recovered(kept: Kept) -> tuple[Recovered, ...]:
    """All lobbies as they were (RULES D5).

    Raises:
        Damaged: the rules do not allow what is recorded.
    """
    return tuple([recovered_lobby(lobby) for lobby in kept.lobbies])


def recovered_lobby(kept: KeptLobby) -> Recovered:
    """One lobby as it was.

    Raises:
        Damaged: a deal that runs is not there, or the rules do not allow what is recorded.
    """
    code, lobby = kept.code, kept.lobby
    if not lobby.deal_runs:
        return Recovered(code=code, lobby=lobby)
    if kept.deal is None:
        raise Damaged(f"lobby {code}", "its deal runs but is not there")
    deal = recovered_deal(code, kept.deal, kept.actions)
    at = max((_latest(action) for action in kept.actions), default=0)
    held_for = next(
        (done.asked for done in reversed(kept.actions) if done.action == deal.held), None
    )
    return Recovered(code=code, lobby=lobby, deal=deal, at=at, held_for=held_for)


def recovered_deal(code: str, begun: Deal, actions: Iterable[ActionDone]) -> Deal:
    """A deal after these actions of it, with the window counted from where it was announced.

    Raises:
        Damaged: the rules do not allow one of the actions.
    """
    deal = begun
    for number, action in enumerate(actions, start=1):
        try:
            deal = after(deal, action)
        except (IllegalAction, LookupError, ValueError, StopIteration) as fault:
            where = f"lobby {code}, record {number}"
            raise Damaged(where, f"the rules do not allow it ({fault})") from fault
    return deal


def after(deal: Deal, done: ActionDone) -> Deal:
    """The deal after one recorded action.

    Raises:
        IllegalAction: the rules do not allow it.
    """
    if done.opened_at is not None:
        deal = replace(deal, opened_at=done.opened_at)
    deal, _ = apply(deal, done.action, done.at)
    return deal if done.announced_at is None else restart_window(deal, done.announced_at)


def _latest(done: ActionDone) -> int:
    return done.at if done.announced_at is None else max(done.at, done.announced_at)
