"""Simulated people understand what they are told: else nothing they do says anything of the server."""

from random import Random
from typing import cast

from msgspec.structs import replace

from protocol import events as e
from protocol.cards import JOKER, Face, Rank
from protocol.numbers import CardId, EventNumber, PlayNumber, Seat
from protocol.options import options_of
from protocol.rules import RankOrder, TableRules
from server.game.view import view_for
from tests.simulation.circle import Circle
from tests.simulation.knowledge import Knowledge
from tests.simulation.machine import Machine
from tests.simulation.network import LAN
from tests.simulation.players import Player
from tests.simulation.tempers import HONEST
from tests.simulation.world import World
from tests.support.bot_deals import new_table

PASSING = EventNumber(0)


def a_player() -> Player:
    """Somebody who has not come yet."""
    world = World("a player")
    circle = Circle(rules="classic", size=2, deals=1)
    nowhere = cast("Machine", None)
    return Player(world, nowhere, "ana", LAN, temper=HONEST, circle=circle)


def test_who_was_away_when_a_pause_ended_does_not_wait_for_its_end_for_ever() -> None:
    player = a_player()
    player.hear(PASSING, e.Paused(reason=e.PauseReason.ASKED, left_us=1, pause=1))
    was_paused = player.is_paused

    player.hear(PASSING, e.WindowState(phase=e.Phase.TO_PLAY))

    assert was_paused
    assert not player.is_paused


def test_who_was_refused_during_a_pause_and_missed_its_end_tries_again() -> None:
    player = a_player()
    player._tried = tried = ("this turn", 3)

    player.hear(PASSING, e.WindowState(phase=e.Phase.TO_PLAY))

    assert player._tried != tried


def test_who_had_given_up_the_seat_with_the_last_cards_tried_to_lay_none() -> None:
    player = a_player()
    deal = new_table(TableRules(), 2, Random(7))
    view = view_for(deal, deal.table.turn)
    seen = replace(view, hand=())  # what the seat takes later its former player is not told

    assert options_of(seen).may_play
    assert not player._maybe_move(seen, options_of(seen))
    assert not player.unanswered
    assert player._maybe_move(view, options_of(view))


def test_who_follows_and_holds_no_card_of_the_rank_was_to_play_a_joker_when_the_time_ran_out() -> (
    None
):
    king, joker = CardId(0), CardId(1)
    knowledge = Knowledge.__new__(Knowledge)
    knowledge.rules = TableRules(rank_order=RankOrder.FREE, jokers=2)
    knowledge.faces = {king: Face.KING_OF_HEARTS, joker: JOKER}
    knowledge.hands = [{king, joker}]

    knowledge.pile = [PlayNumber(1)]
    following = knowledge._why_not_by_itself(Seat(0), frozenset({king}), Rank.ACE)
    knowledge.pile = []
    leading = knowledge._why_not_by_itself(Seat(0), frozenset({king}), Rank.ACE)

    assert following is None
    assert leading == "not that card"
