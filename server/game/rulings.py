"""Decide a challenge: turn the play up, move the pile, go on. Who was first is settled before."""

from msgspec.structs import replace

from protocol.events import LateCall, Phase, Played, Ruled, ShownPlay, Took
from protocol.numbers import MICROS
from protocol.options import last_play_decides
from protocol.rules import RankOrder, Reveal
from server.game import actions as a
from server.game.deal import (
    NOBODY,
    Deal,
    Telling,
    Told,
    faced,
    give_back,
    shown,
    tell,
    with_hand,
)
from server.game.outcome import finish, go_out


def rule(deal: Deal, action: a.Rule, at: int) -> Told:
    """The loser takes the pile, and the deal goes on or ends (RULES A12, A13, A15)."""
    deal, told = give_back(deal)
    play = deal.table.lying(action.play)
    assert play is not None  # noqa: S101 - the law has let only such a play come here
    ruled = _ruled(deal, action, play)
    deal, taken = _pick_up(deal, ruled, at)
    deal, more = _after_ruling(deal, play, stood=not ruled.lie)
    return deal, told + taken + more


def _ruled(deal: Deal, action: a.Rule, play: Played) -> Ruled:
    table, rules = deal.table, deal.table.rules
    turned_up = shown(deal, play)
    lie = turned_up.is_lie
    taker = play.seat if lie else action.challenger
    taken = sum([len(deal.laid[each.play - 1].cards) for each in table.pile])
    ends = table.stopping is not None or (last_play_decides(table) and not lie)
    return Ruled(
        shown=turned_up,
        challenger=action.challenger,
        lie=lie,
        taker=taker,
        taken=taken,
        left=len(deal.hands[taker]) + taken,
        turn=taker if rules.rank_order is RankOrder.FREE else table.turn,
        calls=action.calls,
        pile=_whole_pile(deal) if rules.reveal is Reveal.WHOLE_PILE else (),
        reveal_us=0 if ends else MICROS * rules.reveal_s,
        unstamped=action.unstamped,
        dead_heat=action.dead_heat,
    )


def _whole_pile(deal: Deal) -> tuple[ShownPlay, ...]:
    return tuple(shown(deal, play) for play in deal.table.pile)


def _pick_up(deal: Deal, ruled: Ruled, at: int) -> Told:
    taker = ruled.taker
    taken = sorted([card for play in deal.table.pile for card in deal.laid[play.play - 1].cards])
    hand = tuple(sorted((*deal.hands[taker], *taken)))
    deal = replace(
        deal,
        hands=with_hand(deal, taker, hand),
        let_go=NOBODY,
        silently=NOBODY,
        ends_at=at + ruled.reveal_us,
    )
    return tell(deal, Telling(Took(cards=faced(deal, taken)), to=taker), Telling(ruled))


def _after_ruling(deal: Deal, play: Played, *, stood: bool) -> Told:
    told: tuple[Telling, ...] = ()
    if play.last and stood:
        deal, told = go_out(deal, play.seat)
    stopping = deal.table.stopping
    if stopping is None or deal.table.phase is Phase.OVER:
        return deal, told
    deal, over = finish(deal, stopping)
    return deal, told + over


def add_late_call(deal: Deal, action: a.AddLateCall, _at: int) -> Told:
    """Add a challenge that came after the ruling to its call order (RULES C8)."""
    return tell(deal, Telling(LateCall(play=action.play, call=action.call)))


def newest_ruling(deal: Deal) -> Ruled | None:
    """The newest ruling of the deal."""
    return next((entry for entry in reversed(deal.log) if isinstance(entry, Ruled)), None)
