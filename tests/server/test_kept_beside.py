"""What is kept of a lobby beside the steps of its deal: the short cut never hides a change."""

from random import Random

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from server.journal.records import Change, LobbyRecord
from server.lobby import lobby as lobbies
from server.lobby.lobby import Lobby
from server.lobby.records import looks_as_kept, record_beside, record_of
from tests.support.chaos import NO_LIMITS, Crowd
from tests.support.evenings import everybody_leaves
from tests.support.guests import Guest, a_hall

STEPS = 300
PAUSES_S = (0.0, 0.0, 0.001, 0.05, 0.3, 1.0, 4.0, 4.0, 25.0)  # the last is a stand-in's


class Auditor:
    """Asks, whenever the short cut is taken, what the long way would have come to."""

    def __init__(self) -> None:
        self.short_cuts = 0

    def record_beside(self, lobby: Lobby, changes: tuple[Change, ...]) -> LobbyRecord:
        """As in `server.lobby.records`."""
        record = record_beside(lobby, changes)
        self.short_cuts += record is lobby.kept
        assert record == record_of(lobby), changes
        return record

    def looks_as_kept(self, lobby: Lobby) -> bool:
        """As in `server.lobby.records`."""
        same = looks_as_kept(lobby)
        assert not same or lobby.kept == record_of(lobby)
        return same


@pytest.mark.parametrize("seed", range(4))
async def test_whatever_is_asked_or_falls_due_the_short_cut_keeps_what_the_long_way_would(
    seed: int,
    nursery: trio.Nursery,
    mock_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    dice, auditor = Random(seed), Auditor()
    monkeypatch.setattr(lobbies, "record_beside", auditor.record_beside)
    monkeypatch.setattr(lobbies, "looks_as_kept", auditor.looks_as_kept)
    hall = a_hall(nursery, seed, **NO_LIMITS)
    guests = tuple(Guest(hall, nursery, f"guest {number}") for number in range(6))
    for guest in guests:
        await guest.connect()
    crowd = Crowd(hall, guests, dice, calm=seed % 2 == 1)

    for _ in range(STEPS):
        for _ in range(dice.choice([1, 1, 1, 3])):
            await crowd.act()
        await wait_all_tasks_blocked()
        mock_clock.jump(dice.choice(PAUSES_S))
        await wait_all_tasks_blocked()
    await everybody_leaves(hall, guests)

    assert not caplog.records  # a fault at a table or in a lobby stays there
    assert auditor.short_cuts
