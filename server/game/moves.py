"""What the seat to move does, what the others let go, and how a window closes without a challenge."""

from msgspec.structs import replace

from protocol.events import (
    Held,
    HeldPlay,
    LetGo,
    Passed,
    Phase,
    ProtectionOver,
    RevealOver,
    SetAside,
    Stands,
    Stopping,
    YouLetGo,
)
from protocol.numbers import MICROS
from server.game import actions as a
from server.game.deal import (
    NOBODY,
    Deal,
    Telling,
    Told,
    give_back,
    next_in,
    tell,
)
from server.game.laying import lay
from server.game.outcome import finish, go_out
from server.game.windows import (
    closes_by_letting_go,
    could_still_challenge,
    counts_from,
    is_pick_up,
    right_moves_on,
)

# --- playing and passing ----------------------------------------------------------------------


def move(deal: Deal, action: a.Move, at: int) -> Told:
    """Play or pass: at once, or held until the window or the reveal allows it (RULES C3, C10)."""
    match deal.table.phase:
        case Phase.TO_PLAY:
            return _take_effect(deal, action, at)
        case Phase.PROTECTED:
            return _move_in_protected_time(deal, action, at)
        case _:
            return _hold(deal, action)


def _move_in_protected_time(deal: Deal, action: a.Move, at: int) -> Told:
    if isinstance(action, a.Pass) and right_moves_on(deal.table):
        return _take_effect(deal, action, at)
    holding = replace(deal, held=action)
    return _hold(deal, action) if could_still_challenge(holding) else close(holding, at)


def _hold(deal: Deal, action: a.Move) -> Told:
    telling = Telling(Held(held=held_play(action)), to=action.seat)
    return tell(replace(deal, held=action), telling)


def held_play(move: a.Move) -> HeldPlay:
    """A held play or pass as its owner sees it."""
    if isinstance(move, a.Pass):
        return HeldPlay()
    return HeldPlay(cards=move.cards, count=move.count, rank=move.rank)


def _take_effect(deal: Deal, action: a.Move, at: int) -> Told:
    return lay(deal, action, at) if isinstance(action, a.Play) else _pass(deal, action, at)


def _pass(deal: Deal, action: a.Pass, at: int) -> Told:
    seat, table = action.seat, deal.table
    counts = NOBODY if right_moves_on(table) else frozenset({seat}) - deal.let_go
    deal = replace(deal, held=None, let_go=deal.let_go | counts, silently=deal.silently | counts)
    deal, told = tell(deal, Telling(Passed(seat=seat, turn=next_in(table, seat))))
    deal, closed = _close_if_let_go(deal, at)
    deal, gone = _set_aside_if_all_passed(deal)
    return deal, told + closed + gone


def _set_aside_if_all_passed(deal: Deal) -> Told:
    table = deal.table
    player = table.pile[-1].seat
    others = [seat for seat in table.seats_in if seat != player]
    if table.passes < len(others):
        return deal, ()
    turn = player if table.is_in(player) else next_in(table, player)
    gone = [card for play in table.pile for card in deal.laid[play.play - 1].cards]
    deal = replace(deal, aside=(*deal.aside, *gone), let_go=NOBODY, silently=NOBODY)
    return tell(deal, Telling(SetAside(cards=table.pile_cards, turn=turn)))


def take_back(deal: Deal, _action: a.TakeBack, _at: int) -> Told:
    """Return what is held to its owner's hand (RULES C3)."""
    return give_back(deal)


# --- letting go, and the end of a window ------------------------------------------------------


def let_go(deal: Deal, action: a.LetGo, at: int) -> Told:
    """Note that a seat believes the newest play; once all do, its window closes (RULES C4)."""
    if action.seat in deal.let_go - deal.silently:
        return deal, ()
    all_let_go = deal.let_go | {action.seat}
    silently = deal.silently - {action.seat}
    deal, told = tell(
        replace(deal, let_go=all_let_go, silently=silently),
        Telling(YouLetGo(play=action.play), to=action.seat),
        Telling(LetGo(play=action.play, count=len(all_let_go - silently))),
    )
    deal, closed = _close_if_let_go(deal, at)
    return deal, told + closed


def _close_if_let_go(deal: Deal, at: int) -> Told:
    return close(deal, at) if closes_by_letting_go(deal) else (deal, ())


def close(deal: Deal, at: int) -> Told:
    """Close the newest play's window: it stands, and what waited for that happens (RULES C2, C4)."""
    table = deal.table
    play = table.pile[-1]
    for_good = play.last or table.stopping is not None
    stands = Stands(play=play.play, protected_only=is_pick_up(table) and not for_good)
    deal, told = tell(deal, Telling(stands))
    if play.last:
        deal, out = go_out(deal, play.seat)
        told += out
    deal, more = _after_window(deal, at)
    return deal, told + more


def _after_window(deal: Deal, at: int) -> Told:
    table = deal.table
    if table.phase is Phase.OVER:
        return deal, ()
    if table.stopping is not None:
        return finish(deal, table.stopping)
    return (deal, ()) if deal.held is None else _take_effect(deal, deal.held, at)


def end_protection(deal: Deal, _action: a.EndProtection, at: int) -> Told:
    """End the protected time: last cards stand, held ones go down (RULES C2, C3)."""
    play, held = deal.table.pile[-1], deal.held
    if play.last or deal.table.stopping is not None:
        return close(deal, at)
    if isinstance(held, a.Play):
        return lay(deal, held, at)
    deal, told = tell(deal, Telling(ProtectionOver(play=play.play)))
    deal, more = _after_window(deal, at)
    return deal, told + more


def end_reveal(deal: Deal, _action: a.EndReveal, at: int) -> Told:
    """End the pause after a ruling; what was held goes down (RULES C10)."""
    deal, told = tell(deal, Telling(RevealOver()))
    deal, more = _after_window(deal, at)
    return deal, told + more


def stop(deal: Deal, action: a.Stop, at: int) -> Told:
    """End the deal by time or by vote, after the newest play's window if it is open (RULES B21)."""
    deal, told = give_back(deal)
    table = deal.table
    if (since := counts_from(deal)) is None:
        deal, over = finish(deal, action.reason)
        return deal, told + over
    ends_at = since + MICROS * table.rules.last_window_s
    deal, stopping = tell(replace(deal, ends_at=ends_at), Telling(Stopping(reason=action.reason)))
    deal, closed = close(deal, at) if at > ends_at else _close_if_let_go(deal, at)
    return deal, told + stopping + closed
