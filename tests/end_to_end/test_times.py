"""Every policy of time once on real servers and real TCP: it holds for its time, and ends within twice it.

All run at once, so that together they take little longer than the longest of them. Each time counts
from before what began it was sent: whatever a busy machine adds, none may come out too short. The
same scenes but for one, `connects`, are played under a mock clock as well, where none comes late:
tests/server/test_times.
"""

from dataclasses import fields
from pathlib import Path

import pytest
import trio

from protocol.rules import TableRules
from server.config import Settings
from tests.support import close_calls, refills, times
from tests.support.namespaces import lacks
from tests.support.processes import PATIENCE_S, a_process
from tests.support.times import Servers, Took, play_all

POLICIES = {
    *("hello_s", "ping_s", "silence_s", "window_s", "last_window_s", "reveal_s", "settle_ms"),
    *("photo_finish_ms", "late calls", "stop_after_min", "pause_min", "the count of three"),
    *("turn_s", "the short clock", "the asked clock", "stand_in_s", "vote_s"),
    *("park_h", "return_s", "idle_min", "remember_days", "commands_per_s", "chat_per_s"),
    *("hall_chat_per_s", "wrong_codes_per_min", "entries_per_min"),
    *("reconnects_per_min", "refusals_per_s", "new_local_people_per_min"),
    *("own_passwords_per_min", "local_passwords_per_min"),
}
"""Of settings and rules, and four that are fixed: all that is seen here on loopback."""

FAR_AWAY = {
    *("new_people_per_min", "new_far_people_per_min", "wrong_secrets_per_min", "connects_per_s"),
    "passwords_per_min",
}

SERVERS: Servers = (
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
                times.hello,
                times.silence_after_pings,
                times.window,
                times.last_window,
                times.reveal,
                times.turn_clocks,
                times.asked_clock,
                times.end_of_a_deal,
                close_calls.photo_finish,
                close_calls.late_calls,
            ),
            *(
                times.stand_in,
                times.vote,
                times.pause,
                times.count_of_three,
                times.parked,
                times.waiting,
                times.empty_lobby,
                times.forgotten,
            ),
        ),
    ),
    (
        {
            "settle_ms": 2000,
            "hall_chat_per_s": 0.4,
            "wrong_codes_per_min": 12,
            "local_passwords_per_min": 6,
            "own_passwords_per_min": 1000,
            "entries_per_min": 1000,
        },
        (
            times.settling,
            refills.talk_in_the_hall,
            refills.wrong_codes,
            refills.passwords_from_here,
        ),
    ),
    (
        {"own_passwords_per_min": 6, "entries_per_min": 1000},
        (refills.passwords_of_one_person,),
    ),
    (
        {"commands_per_s": 0.4, "commands_burst": 5, "chat_per_s": 0.4, "chat_burst": 1},
        (refills.commands, refills.chat),
    ),
    ({"reconnects_per_min": 12, "entries_per_min": 12}, (refills.coming_back, refills.entries)),
    ({"refusals_per_s": 0.4, "refusals_burst": 3}, (refills.refusals,)),
    ({"new_local_people_per_min": 12}, (refills.newcomers,)),
)


def out_of_bounds(took: Took) -> Took:
    """What was up too soon, or too late."""
    return {name: each for name, each in took.items() if not each[0] <= each[1] < 2 * each[0]}


@pytest.mark.timeout(2 * times.ENOUGH_S)
async def test_every_time_is_up_on_a_real_server_within_twice_its_bound(tmp_path: Path) -> None:
    took = await play_all(tmp_path, SERVERS)

    assert took.keys() == POLICIES
    assert out_of_bounds(took) == {}


@pytest.mark.skipif(
    lacks("unshare", "-rn", "ip", "link", "set", "lo", "up"),
    reason="needs a network namespace and ip, of iproute2",
)
async def test_so_is_every_limit_on_people_off_this_machine(tmp_path: Path) -> None:
    took: Took = {}
    async with a_process(tmp_path, "tests.support.from_afar", within=("unshare", "-rn")) as there:
        for _ in FAR_AWAY:
            found = await there.wait_for(r"^(\w+) ([\d.]+) ([\d.]+)$")
            took[found[1]] = (float(found[2]), float(found[3]))
        with trio.fail_after(PATIENCE_S):
            await there.process.wait()  # else its servers would lose who stops them

    assert took.keys() == FAR_AWAY
    assert out_of_bounds(took) == {}


def test_every_setting_and_every_rule_of_time_has_a_real_run() -> None:
    names = (*(each.name for each in fields(Settings)), *TableRules.__struct_fields__)
    of_time = {name for name in names if times.OF_TIME.search(name)}

    assert of_time <= POLICIES | FAR_AWAY
