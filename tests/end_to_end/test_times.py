"""Every policy of time once on real servers and real TCP: it holds for its time, and ends within twice it.

All run at once, so that together they take little longer than the longest of them. Each time counts
from before what began it was sent: whatever a busy machine adds, none may come out too short. To the
microsecond the same policies are held under a mock clock, in tests/server.
"""

from dataclasses import fields
from pathlib import Path

import trio

from server.config import Settings
from tests.support import times as scenes
from tests.support.far_guests import UNHURRIED, a_live_server

FAR_AWAY = {"new_people_per_min", "wrong_secrets_per_min", "connects_per_s"}
"""For people off this machine alone: tests/support/from_afar.py is in a network where there are some."""

ENOUGH_S = 40

SERVERS: tuple[tuple[dict[str, float], tuple[scenes.Scene, ...]], ...] = (
    (
        {
            "hello_s": 2,
            "ping_s": 1,
            "silence_s": 4,
            "stand_in_s": 2,
            "vote_s": 2,
            "pause_min": 0.05,
            "return_s": 2,
            "park_h": 0.001,
            "idle_min": 0.05,
            "remember_days": 0.00005,
        },
        (
            *(
                scenes.hello,
                scenes.silence_after_pings,
                scenes.window,
                scenes.last_window,
                scenes.reveal,
                scenes.turn_clocks,
            ),
            *(
                scenes.stand_in,
                scenes.vote,
                scenes.pause,
                scenes.count_of_three,
                scenes.parked,
                scenes.waiting,
                scenes.empty_lobby,
                scenes.forgotten,
            ),
        ),
    ),
    (
        {
            "settle_ms": 2000,
            "hall_chat_per_s": 0.4,
            "wrong_codes_per_min": 12,
            "passwords_per_min": 6,
            "entries_per_min": 1000,
        },
        (scenes.settling, scenes.talk_in_the_hall, scenes.wrong_codes, scenes.passwords),
    ),
    (
        {"commands_per_s": 0.4, "commands_burst": 5, "chat_per_s": 0.4, "chat_burst": 1},
        (scenes.commands, scenes.chat),
    ),
    ({"reconnects_per_min": 12, "entries_per_min": 12}, (scenes.coming_back, scenes.entries)),
    ({"refusals_per_s": 0.4, "refusals_burst": 3}, (scenes.refusals,)),
    ({"new_local_people_per_min": 12}, (scenes.newcomers,)),
)
"""Settings of each server, and what is played on it."""


async def play(
    home: Path, settings: dict[str, float], acts: tuple[scenes.Scene, ...]
) -> scenes.Took:
    """Play these scenes on one server, all at once; how long each policy has lasted."""
    given = tuple(f"--{name.replace('_', '-')}={value}" for name, value in settings.items())
    async with a_live_server(home, *UNHURRIED, *given) as server, trio.open_nursery() as lines:
        stage = scenes.Stage(server, lines, settings)
        with trio.move_on_after(ENOUGH_S):
            async with trio.open_nursery() as playing:
                for act in acts:
                    playing.start_soon(act, stage)
        lines.cancel_scope.cancel()
    return stage.took


async def test_every_time_is_up_on_a_real_server_within_twice_its_bound(tmp_path: Path) -> None:
    took: scenes.Took = {}

    async def run(number: int) -> None:
        took.update(await play(tmp_path / str(number), *SERVERS[number]))

    async with trio.open_nursery() as nursery:
        for number in range(len(SERVERS)):
            nursery.start_soon(run, number)

    assert took.keys() == scenes.POLICIES
    wrong = {name: each for name, each in took.items() if not each[0] <= each[1] < 2 * each[0]}
    assert wrong == {}


def test_every_setting_of_time_has_a_real_run() -> None:
    of_time = {each.name for each in fields(Settings) if scenes.OF_TIME.search(each.name)}
    run = {name for settings, _ in SERVERS for name in settings}

    assert of_time - run == FAR_AWAY
