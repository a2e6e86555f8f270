"""Simulated people understand what they are told: else nothing they do says anything of the server."""

from typing import cast

from protocol import events as e
from protocol.numbers import EventNumber
from tests.simulation.circle import Circle
from tests.simulation.machine import Machine
from tests.simulation.network import LAN
from tests.simulation.players import Player
from tests.simulation.tempers import HONEST
from tests.simulation.world import World

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
