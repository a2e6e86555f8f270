"""Evenings of chance: at every moment each client shows the pauses, votes and clocks that there are."""

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from server.lobby.lobby import Lobby
from tests.support.guests import a_hall, deal, gather
from tests.support.lives import FullDisk
from tests.support.showing_clocks import ClockWatcher, shown_to, told_by

RULES = (
    "classic.t30",
    "classic.t-off.w10.r10.pass",
    "classic.t30.until-pickup.pass.min-2",
    "for-places.t20.w0",
    "bluff-pass.t20.next-only",
)
STEPS = 120
NO_LIMIT: dict[str, Any] = {
    "commands_burst": 10_000,
    "chat_burst": 10_000,
    "refusals_burst": 10_000,
    "reconnects_per_min": 10_000,
}
VOTES = tuple(e.VoteOn)
ASKED: tuple[tuple[type[c.Command], dict[str, tuple[object, ...]]], ...] = (
    (c.PauseTable, {}),
    (c.ResumeTable, {}),
    (c.CallVote, {"on": VOTES}),
    (c.CastVote, {"yes": (True, True, False)}),
    (c.GiveUpSeat, {}),
    (c.ReturnToSeat, {}),
    (c.StartClock, {}),
    (c.TakeBack, {}),
    (c.Pass, {}),
    (c.SetReady, {}),
    (c.StartDeal, {"anyway": (True,)}),
)


class Evening:
    """Three people, and now and then a computer player, at one table."""

    def __init__(self, guests: tuple[ClockWatcher, ...], store: FullDisk, dice: Random) -> None:
        self.guests, self.store, self.dice = guests, store, dice

    def somebody(self) -> ClockWatcher | None:
        """One of those whose line is up and who see a table."""
        here = [one for one in self.guests if one.is_connected and one.view is not None]
        return self.dice.choice(here) if here else None

    async def step(self) -> None:
        """Something happens."""
        deeds: tuple[Callable[[], Awaitable[object]], ...] = (self.wait, self.lay, self.ask)
        rare = (self.answer, self.vanish, self.come_back, self.fill_the_disk)
        await self.dice.choice((*deeds * 3, *rare))()

    async def wait(self) -> None:
        """Time goes by."""
        await trio.sleep(self.dice.choice([0.1, 0.5, 2, 3, 5, 8, 13, 31]))

    async def lay(self) -> None:
        """Whoever is to move lays a card."""
        for guest in self.guests:
            view = guest.view
            mine = view is not None and view.you == view.table.turn and bool(view.hand)
            if mine and guest.is_connected:
                await guest.lay(truth=self.dice.random() < 0.5)

    async def ask(self) -> None:
        """Somebody asks for one thing or another, allowed or not."""
        if (guest := self.somebody()) is not None:
            kind, fields = self.dice.choice(ASKED)
            drawn = {name: self.dice.choice(values) for name, values in fields.items()}
            await guest.send(kind, **drawn)

    async def answer(self) -> None:
        """Somebody doubts, believes, or goes on."""
        if (guest := self.somebody()) is not None and guest.view is not None:
            kind = self.dice.choice([c.Challenge, c.LetGoOf, c.GoOn])
            await guest.send(kind, play=max(1, guest.view.table.newest))

    async def vanish(self) -> None:
        """Somebody's line is lost."""
        if (guest := self.somebody()) is not None:
            await guest.vanish()

    async def come_back(self) -> None:
        """Somebody's line is up again."""
        for guest in self.guests:
            if not guest.is_connected:
                await guest.connect(resume=True)
                return

    async def fill_the_disk(self) -> None:
        """The disk is full for a while, in which somebody says something."""
        self.store.is_full = True
        if (guest := self.somebody()) is not None:
            await guest.send(c.Say, text="hm")
        await trio.sleep(3)
        self.store.is_full = False
        await trio.sleep(2)


def agree(lobby: Lobby, guests: tuple[ClockWatcher, ...]) -> bool:
    """Whether what there is to see now is seen by all who are here."""
    table = lobby.table
    if table is None or table.over or table.calls.contest or table.deal.table.stopping:
        return True
    here = [guest for guest in guests if guest.is_connected]
    return all(shown_to(guest) == told_by(table) for guest in here)


@pytest.mark.parametrize("seed", range(40))
async def test_each_client_shows_the_clocks_that_there_are(
    seed: int, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    dice, store = Random(seed), FullDisk()
    hall = a_hall(nursery, store=store, **NO_LIMIT)
    ana, bo, cy = guests = tuple(ClockWatcher(hall, nursery, name) for name in ("ana", "bo", "cy"))
    await gather(ana, bo, cy, rules=dice.choice(RULES))
    if dice.random() < 0.5:
        await ana.ask(c.AddComputer, temperament="casual")
    await deal(ana, bo, cy)
    (lobby,) = hall.lobbies.values()
    evening = Evening(guests, store, dice)

    for number in range(STEPS):
        await evening.step()
        await wait_all_tasks_blocked()
        await trio.sleep(0.001)
        await wait_all_tasks_blocked()
        seen = [shown_to(guest) for guest in guests]
        assert agree(lobby, guests), (number, seen, lobby.table and told_by(lobby.table))
