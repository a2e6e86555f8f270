"""Scenes on a server, real or under a mock clock, each of which lasts as long as one policy of time."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import trio

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Ping, Refused, Welcome
from protocol.refusals import Refusal
from server.table.halts import COUNT_IN_US
from server.table.turn_clock import ASKED_CLOCK_US, SHORT_CLOCK_US
from tests.support.callers import FarEnd, a_hello
from tests.support.far_guests import UNHURRIED, FarGuest, LiveServer, a_live_server
from tests.support.guests import Guest, deal, gather

UNITS = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "days": 86_400.0}
ENOUGH_S = 130.0  # twice the longest of them, and some more
OF_TIME = re.compile(rf"_(per_)?({'|'.join(UNITS)})$")

Took = dict[str, tuple[float, float]]
"""Of each policy its bound, and how long it has lasted; in seconds."""


def lasts(name: str, value: float) -> float:
    """The seconds that a setting of time lasts; of a rate, those until the next one is free."""
    found = OF_TIME.search(name)
    assert found is not None, name
    unit = UNITS[found[2]]
    return unit / value if found[1] else unit * value


Ask = Callable[[], Awaitable[bool]]
"""Ask for something, and say whether it was had."""


@dataclass(kw_only=True)
class Stage:
    """One server with these settings, and how long each of its policies has lasted."""

    settings: dict[str, float]
    new_guest: Callable[[str], Guest]
    call: Callable[[], AbstractAsyncContextManager[FarEnd]]  # a line on which nothing was said
    took: Took = field(default_factory=dict)

    def note(self, policy: str, began: float, bound_s: float | None = None) -> None:
        """It has ended now; its bound is that of the setting, unless it is given."""
        bound_s = lasts(policy, self.settings[policy]) if bound_s is None else bound_s
        self.took[policy] = (bound_s, trio.current_time() - began)

    def was_quick(self, policy: str) -> bool:
        """Whether it has ended within twice its bound, as it was noted last."""
        bound_s, lasted_s = self.took[policy]
        return lasted_s < 2 * bound_s

    async def guest(self, name: str) -> Guest:
        """Somebody who is connected."""
        guest = self.new_guest(name)
        assert isinstance(await guest.connect(), Welcome)
        return guest

    async def party(self, *names: str, rules: str = "classic.w0.t-off") -> tuple[Guest, ...]:
        """People in one lobby, the first of them host."""
        guests = tuple(map(self.new_guest, names))
        await gather(*guests, rules=rules)
        return guests

    async def table(self, *names: str, rules: str = "classic.w0.t-off") -> tuple[Guest, ...]:
        """People at a deal, in the order in which they play."""
        return await deal(*await self.party(*names, rules=rules))

    async def refills(self, policy: str, ask: Ask, began: float | None = None) -> None:
        """Ask until it is too much, and then until it is not: a full bucket was one too few.

        `began` is when the bucket was still full, if that is not now.
        """
        began = trio.current_time() if began is None else began
        while await ask():
            pass
        had = False
        while not had:
            await trio.sleep(lasts(policy, self.settings[policy]) / 20)
            had = await ask()
        self.note(policy, began)


Scene = Callable[[Stage], Awaitable[None]]

Servers = tuple[tuple[dict[str, float], tuple[Scene, ...]], ...]
"""Settings of each server, and what is played on it."""


# --- lines ----------------------------------------------------------------------------------------


async def hello(stage: Stage) -> None:
    began = trio.current_time()
    async with stage.call() as line:
        await line.hear_to_the_end()
    stage.note("hello_s", began)


async def silence_after_pings(stage: Stage) -> None:
    began = trio.current_time()
    async with stage.call() as line:
        await line.say(a_hello("silent"))
        await line.wait_for(Ping)
        await line.wait_for(Ping)
        stage.note("ping_s", began)
        await line.events_to_the_end()
    stage.note("silence_s", began)


# --- a deal's own times -----------------------------------------------------------------------------


async def window(stage: Stage) -> None:
    first, second, third = await stage.table("wa", "wb", "wc", rules="classic.w2.t-off")
    began = trio.current_time()
    await first.lay()
    await second.wait_for(e.Played)
    await second.lay()
    await third.wait_for(e.Played, lambda play: play.seat == second.seat)
    stage.note("window_s", began, 2)


async def last_window(stage: Stage) -> None:
    first, second = await stage.table("la", "lb", rules="classic.max-none.lw2.t-off")
    assert first.view is not None
    began = trio.current_time()
    await first.lay(cards=len(first.view.hand))
    await second.wait_for(e.DealOver)
    stage.note("last_window_s", began, 2)


async def reveal(stage: Stage) -> None:
    first, second = await stage.table("ra", "rb", rules="classic.w0.r2.t-off")
    await first.lay(truth=False)
    await second.wait_for(e.Played)
    began = trio.current_time()
    await second.doubt()
    await second.wait_for(e.Ruled)
    await second.lay()
    await first.wait_for(e.Played, lambda play: play.seat == second.seat)
    stage.note("reveal_s", began, 2)


async def turn_clocks(stage: Stage) -> None:
    party = await stage.party("ta", "tb", rules="classic.w0.t10")
    began = trio.current_time()
    first, second = await deal(*party)
    await second.wait_for(e.Played, lambda play: play.auto)
    stage.note("turn_s", began, 10)
    began = trio.current_time()
    await second.lay()
    await second.wait_for(e.Played, lambda play: play.auto and play.seat == first.seat)
    stage.note("the short clock", began, SHORT_CLOCK_US / 1_000_000)


async def asked_clock(stage: Stage) -> None:
    """Two who are not the host ask for it; of one alone the server takes no notice."""
    party = await stage.party("ja", "jb", "jc", "jd")
    players = await deal(*party)
    one, other, *_ = (player for player in players[1:] if player is not party[0])
    assert isinstance(await one.ask(c.StartClock), Accepted)
    began = trio.current_time()
    assert isinstance(await other.ask(c.StartClock), Accepted)
    await other.wait_for(e.Played, lambda play: play.auto)
    stage.note("the asked clock", began, ASKED_CLOCK_US / 1_000_000)


async def end_of_a_deal(stage: Stage) -> None:
    """Nobody plays, so that there is no window to wait for, either."""
    party = await stage.party("ua", "ub", rules="classic.t-off.min-1")
    began = trio.current_time()
    await deal(*party)
    over = await party[0].wait_for(e.DealOver)
    assert over.reason is e.StopReason.TIME
    stage.note("stop_after_min", began, 60)


# --- people who are away, pauses and votes ----------------------------------------------------------


async def stand_in(stage: Stage) -> None:
    first, second = await stage.table("sa", "sb")
    began = trio.current_time()
    await second.vanish()
    await first.wait_for(e.ChairChanged, lambda news: news.chair is e.Chair.STAND_IN)
    stage.note("stand_in_s", began)


async def vote(stage: Stage) -> None:
    first, second, _ = await stage.table("va", "vb", "vc")
    began = trio.current_time()
    await first.ask(c.CallVote, on=e.VoteOn.END_DEAL)
    await second.wait_for(e.VoteState, lambda state: state.passed is False)
    stage.note("vote_s", began)


async def pause(stage: Stage) -> None:
    host, guest = await stage.party("pa", "pb")
    await deal(host, guest)
    began = trio.current_time()
    await host.ask(c.PauseTable)
    await guest.wait_for(e.Resumed, lambda resumed: resumed.in_us > 0)
    stage.note("pause_min", began)


async def count_of_three(stage: Stage) -> None:
    host, guest = await stage.party("ca", "cb")
    await deal(host, guest)
    await host.ask(c.PauseTable)
    began = trio.current_time()
    await host.ask(c.ResumeTable)
    await guest.wait_for(e.Resumed, lambda resumed: resumed.in_us == 0)
    stage.note("the count of three", began, COUNT_IN_US / 1_000_000)


async def a_parked_table(stage: Stage, *names: str) -> tuple[Guest, Guest, float]:
    """The host's line and the other player's are gone: the host, who still watches, and since when."""
    host, guest = await stage.party(*names)
    await deal(host, guest)
    watcher = await stage.guest(f"{names[0]}-watches")
    assert host.lobby is not None
    await watcher.ask(c.JoinLobby, code=host.lobby.code, watch=True)
    await host.vanish()
    began = trio.current_time()
    await guest.vanish()
    await watcher.wait_for(e.Paused, lambda paused: paused.reason is e.PauseReason.PARKED)
    return host, watcher, began


async def parked(stage: Stage) -> None:
    _, watcher, began = await a_parked_table(stage, "ka", "kb")

    def is_over(_: e.Event) -> bool:
        return watcher.lobby is not None and watcher.lobby.stage is not e.LobbyStage.PLAYING

    await watcher.wait_for(e.Event, is_over)
    stage.note("park_h", began)


async def waiting(stage: Stage) -> None:
    host, _, _ = await a_parked_table(stage, "ya", "yb")
    began = trio.current_time()
    await host.connect(resume=True)
    await host.wait_for(e.Resumed)
    stage.note("return_s", began)


async def empty_lobby(stage: Stage) -> None:
    neighbour = await stage.guest("ea")
    (maker,) = await stage.party("eb")
    assert maker.lobby is not None
    code = maker.lobby.code
    await neighbour.wait_for(e.Listed, lambda listed: listed.lobby.code == code)
    began = trio.current_time()
    await maker.vanish()
    await neighbour.wait_for(e.Unlisted, lambda gone: gone.code == code)
    stage.note("idle_min", began)


async def forgotten(stage: Stage) -> None:
    bound_s = lasts("remember_days", stage.settings["remember_days"])
    gone, back = await stage.guest("fa"), await stage.guest("fb")
    began = trio.current_time()
    await gone.vanish()
    await back.vanish()
    await trio.sleep(bound_s / 2)
    assert isinstance(await back.connect(resume=True), Welcome)
    await trio.sleep_until(began + 1.9 * bound_s)
    refused = await gone.connect(resume=True)
    assert isinstance(refused, Refused)
    assert refused.code is Refusal.BAD_SECRET
    stage.note("remember_days", began)


async def settling(stage: Stage) -> None:
    first, second = await stage.table("xa", "xb")
    await first.lay()
    await second.wait_for(e.Played)
    began = trio.current_time()
    await second.doubt()
    await first.wait_for(e.Ruled)
    stage.note("settle_ms", began)


# --- all of them at once ----------------------------------------------------------------------------


@asynccontextmanager
async def a_far_call(server: LiveServer) -> AsyncIterator[FarEnd]:
    """A connection to this server."""
    async with await trio.open_tcp_stream(server.host, server.port) as stream:
        yield FarEnd(stream)


class Patient(FarGuest):
    """A guest who waits for as long as any policy of time may last."""

    patience_s = ENOUGH_S


async def play(
    home: Path, settings: dict[str, float], scenes: tuple[Scene, ...], *flags: str
) -> Took:
    """Play these scenes on one server, all at once; how long each policy has lasted."""
    given = (f"--{name.replace('_', '-')}={value}" for name, value in settings.items())
    async with (
        a_live_server(home, *UNHURRIED, *flags, *given) as server,
        trio.open_nursery() as lines,
    ):
        stage = Stage(
            settings=settings,
            new_guest=partial(Patient, server, lines),
            call=partial(a_far_call, server),
        )
        with trio.move_on_after(ENOUGH_S):
            async with trio.open_nursery() as playing:
                for scene in scenes:
                    playing.start_soon(scene, stage)
        lines.cancel_scope.cancel()
    return stage.took


async def play_all(home: Path, servers: Servers, *flags: str) -> Took:
    """Play on all of these servers at the same time.

    Only the first keeps anything: if all laid out a journal at once, it would be the disk's time.
    """
    took: Took = {}

    async def play_one(number: int) -> None:
        keeps = ("--in-memory",) if number else ()
        took.update(await play(home / str(number), *servers[number], *flags, *keeps))

    async with trio.open_nursery() as nursery:
        for number in range(len(servers)):
            nursery.start_soon(play_one, number)
    return took
