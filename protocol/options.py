"""What a seat may do now, worked out from the public table and the size of its own hand.

The server refuses by these functions and the client greys out its keys by them, so that both give
the same reason. Whether cards are really in the hand is left to the server's rules engine.
"""

from msgspec import Struct

from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import MIN_SEATS, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import Challengers, ChallengeUntil
from protocol.views import PublicTable, TableView


class Options(Struct, frozen=True, kw_only=True):
    """All a seat may do. Cards laid while `held` is true wait for others (RULES C3, C4, C10)."""

    may_play: bool = False
    held: bool = False
    ranks: tuple[Rank, ...] = ()
    most_claimed: int = 0
    most_extra: int = 0  # cards beyond the claim (RULES B10)
    may_pass: bool = False
    challenge: tuple[PlayNumber, ...] = ()  # plays that may be doubted, newest first
    may_let_go: bool = False


NOTHING = Options()

# Looked up many times for every action: a name of its own costs less than a member of an enum.
_OVER, _TO_PLAY = e.Phase.OVER, e.Phase.TO_PLAY
_PICK_UP = ChallengeUntil.PICK_UP


def options_of(view: TableView) -> Options:
    """What the owner of a view may do now; a watcher may do nothing."""
    if view.you is None:
        return NOTHING
    return options(view.table, view.you, len(view.hand), let_go=view.you_let_go)


def options(table: PublicTable, seat: Seat, in_hand: int, *, let_go: bool = False) -> Options:
    """What a seat with this many cards in hand may do now.

    `let_go` says whether it is among those who have let the newest play go.
    """
    plays = why_not_move(table, seat) is None
    return Options(
        may_play=plays,
        held=plays and _would_wait(table, seat, let_go=let_go),
        ranks=table.due if plays else (),
        most_claimed=table.rules.most_claimed(in_hand) if plays else 0,
        most_extra=table.rules.sneak if plays else 0,
        may_pass=why_not_pass(table, seat) is None,
        challenge=challengeable(table, seat),
        may_let_go=why_not_let_go(table, seat, table.newest) is None,
    )


def why_not_move(table: PublicTable, seat: Seat) -> Refusal | None:
    """Why the seat may not put down cards now, whatever they are (RULES A7, C2, B21)."""
    if table.phase is _OVER:
        return Refusal.NO_DEAL
    if table.seats[seat].place is not None:
        return Refusal.OUT
    if table.stopping is not None:
        return Refusal.STOPPING
    if not table.closed and last_play_decides(table):
        return Refusal.LAST_PLAY_PENDING
    return None if table.turn == seat else Refusal.NOT_YOUR_TURN


def _would_wait(table: PublicTable, seat: Seat, *, let_go: bool) -> bool:
    """Whether cards of the seat to move wait: for readers, or for others who may doubt (RULES C4, C10)."""
    play = table.newest_play
    if table.phase is not e.Phase.PROTECTED or play is None:
        return table.phase is not _TO_PLAY
    others = sum(other != seat for other in challengers(table, play))
    return others > table.let_go - let_go


Turn = tuple[Seat, int, int, int]
"""What makes a turn this one and no other: seat, newest play, pile number, passes."""


def turn_of(table: PublicTable) -> Turn:
    """The turn that it is now, whether or not the table waits for it already."""
    return (table.turn, table.newest, table.pile_number, table.passes)


def is_waiting(table: PublicTable) -> bool:
    """Whether the table waits for the seat to move, and for nothing else (RULES D1)."""
    return table.phase is _TO_PLAY and why_not_move(table, table.turn) is None


def why_not_hurry(table: PublicTable, seat: Seat | None) -> Refusal | None:
    """Why this seat (None: a host without one) may start no clock for the seat to move (RULES D1)."""
    plays = table.seats[table.turn].chair  # no clock hurries a computer player
    if table.rules.turn_s or plays is not e.Chair.OWNER or not is_waiting(table):
        return Refusal.CLOCK_RUNS
    return Refusal.OWN_CLOCK if table.turn == seat else None


def why_not_play(
    table: PublicTable, seat: Seat, laid: int, claim: tuple[int, Rank]
) -> Refusal | None:
    """Why the seat may not lay this many cards under a claim of (count, rank) (RULES A6, A7, B9, B10)."""
    count, rank = claim
    if no := why_not_move(table, seat):
        return no
    if rank not in table.due:
        return Refusal.WRONG_RANK
    if count < 1 or laid < 1:
        return Refusal.NO_CARDS
    rules = table.rules
    if rules.max_cards != "none" and count > rules.max_cards:
        return Refusal.TOO_MANY
    if laid < count or (laid > count and not rules.sneak):
        return Refusal.WRONG_COUNT
    return Refusal.TOO_SNEAKY if laid - count > rules.sneak else None


def why_not_pass(table: PublicTable, seat: Seat) -> Refusal | None:
    """Why the seat may not pass now (RULES B11)."""
    if no := why_not_move(table, seat):
        return no
    if not table.rules.passing:
        return Refusal.NO_PASSING
    return None if table.pile else Refusal.PASS_ON_EMPTY_PILE


def why_not_challenge(table: PublicTable, seat: Seat, number: PlayNumber) -> Refusal | None:
    """Why the seat may not doubt this play now (RULES A9, B13, B14, C7, C9)."""
    if number > table.newest or number < 1:
        return Refusal.NOT_ANNOUNCED
    if table.phase is _OVER:
        return Refusal.TOO_LATE
    if not table.is_in(seat):
        return Refusal.OUT
    play = table.lying(number)
    if play is None or is_closed(table, play):
        return Refusal.TOO_LATE
    return _why_not_doubt(table, seat, play)


def _why_not_doubt(table: PublicTable, seat: Seat, play: e.Played) -> Refusal | None:
    if play.seat == seat:
        return Refusal.OWN_PLAY
    if _is_safe(table, play):
        return Refusal.SAFE_PLAY
    return None if seat in challengers(table, play) else Refusal.NOT_NEXT


def challengeable(table: PublicTable, seat: Seat) -> tuple[PlayNumber, ...]:
    """The plays that the seat may doubt now, the newest first."""
    if table.phase is _OVER or not table.is_in(seat):
        return ()
    open_plays = (play for play in reversed(table.pile) if not is_closed(table, play))
    return tuple([play.play for play in open_plays if _why_not_doubt(table, seat, play) is None])


def why_not_let_go(table: PublicTable, seat: Seat, number: PlayNumber) -> Refusal | None:
    """Why the seat may not let the newest play go (RULES C4)."""
    play = table.newest_play
    if play is None or play.play != number or play.seat == seat:
        return Refusal.NOTHING_TO_LET_GO
    return Refusal.NOTHING_TO_LET_GO if why_not_challenge(table, seat, number) else None


def challengers(table: PublicTable, play: e.Played) -> tuple[Seat, ...]:
    """The seats that may doubt this play while it is open (RULES A9, B13, C9)."""
    if table.rules.challengers is Challengers.ANYONE:
        return tuple([seat for seat in table.seats_in if seat != play.seat])
    # The right moves on with the turn, but under `pick_up` it stays where it was (RULES B13, B14).
    right = play.turn if table.rules.challenge_until is ChallengeUntil.PICK_UP else table.turn
    return (right,) if right != play.seat and table.is_in(right) else ()


def last_play_pending(table: PublicTable) -> bool:
    """Whether a seat's last cards wait for their window to end (RULES A15)."""
    return not table.closed and bool(table.pile) and table.pile[-1].last


def last_play_decides(table: PublicTable) -> bool:
    """Whether last cards are pending that would end the deal if they stand (RULES C2, B16)."""
    return last_play_pending(table) and (
        not table.rules.play_on or len(table.seats_in) == MIN_SEATS
    )


def is_closed(table: PublicTable, play: e.Played) -> bool:
    """Whether nobody may doubt a play in the pile any more, whoever it is (RULES A9, B14, C2)."""
    is_newest = play.play == table.newest
    if table.rules.challenge_until is _PICK_UP:
        return is_newest and table.closed
    return not is_newest or table.closed


def _is_safe(table: PublicTable, play: e.Played) -> bool:
    older = play.play != table.newest
    only_the_newest = table.stopping is not None or last_play_pending(table)
    return (older and only_the_newest) or not table.is_in(play.seat)
