"""The newest play's window: who could still challenge, whether it can close, how it starts again."""

from msgspec.structs import replace

from protocol.events import Phase, Played
from protocol.numbers import MICROS, PlayNumber, Seat
from protocol.options import challengers
from protocol.rules import Challengers, ChallengeUntil
from protocol.views import PublicTable
from server.game.deal import NOBODY, Deal

_REVEAL = Phase.REVEAL


def could_still_challenge(deal: Deal) -> frozenset[Seat]:
    """The seats that have not let the newest play go; what is held lets go too (RULES C4)."""
    holds = NOBODY if deal.held is None else {deal.held.seat}
    return frozenset(challengers(deal.table, deal.table.pile[-1])) - deal.let_go - holds


def closes_by_letting_go(deal: Deal) -> bool:
    """Whether everybody has let the newest play go while there is still something to close.

    Under `pick_up` letting go ends the protected time and nothing else (RULES C4, B14).
    """
    table = deal.table
    open_still = table.phase is Phase.PROTECTED if is_pick_up(table) else not table.closed
    return open_still and not could_still_challenge(deal)


def is_pick_up(table: PublicTable) -> bool:
    """Whether a play may be challenged for as long as it lies in the pile (RULES B14)."""
    return table.rules.challenge_until is ChallengeUntil.PICK_UP


def right_moves_on(table: PublicTable) -> bool:
    """Whether a pass hands the right to challenge and to let go to the next seat (RULES B13)."""
    return table.rules.challengers is Challengers.NEXT_PLAYER and not is_pick_up(table)


def open_play(table: PublicTable) -> Played | None:
    """The newest play while its window is open (RULES C2)."""
    return None if table.closed else table.newest_play


def opened_at(deal: Deal, play: PlayNumber) -> int:
    """When the window of a play that can be challenged opened: not only the newest can (B14)."""
    return deal.opened_at if play == deal.table.newest else deal.opened_before[play - 1]


def counts_from(deal: Deal) -> int | None:
    """When the newest play's open window last began to count, or None if none is open.

    That is when it opened, unless the disk was full since: then it opened before, to whoever called
    meanwhile, and has counted anew from when there was room again (RULES B21, D5).
    """
    play = open_play(deal.table)
    return None if play is None else deal.ends_at - _length(deal.table, play)


def restarted(deal: Deal, at: int) -> Deal:
    """The deal with its open window, or its reveal, counted in full from `at` (RULES D5)."""
    table = deal.table
    if table.phase is _REVEAL:
        return replace(deal, ends_at=at + MICROS * table.rules.reveal_s)
    play = open_play(table)
    if play is None:
        return deal
    length = _length(table, play)
    return replace(deal, opened_at=at, ends_at=at + length)


def _length(table: PublicTable, play: Played) -> int:
    """How long the newest play is protected, in microseconds (RULES B17, B18, B21)."""
    return play.protected_us if table.stopping is None else MICROS * table.rules.last_window_s
