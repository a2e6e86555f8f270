"""Half-open lines and full disks, each in a namespace of its own (Linux, `unshare`)."""

import contextlib
import shutil
from pathlib import Path

import pytest
import trio

from protocol import events as e
from protocol.answers import Accepted
from server.checkup import check_folder
from server.journal.keeping import RETRY_S
from tests.support.far_guests import a_far_party, a_live_server
from tests.support.guests import deal
from tests.support.namespaces import lacks
from tests.support.processes import PATIENCE_S, a_process

MOUNTED = 'mount -t tmpfs -o size=2m none "$0" && exec "$@"'


@pytest.mark.skipif(
    lacks("unshare", "-rn", "ip", "link", "set", "lo", "up"),
    reason="needs a network namespace and ip, of iproute2",
)
async def test_a_line_that_goes_dead_without_a_word_is_lost_within_twice_the_silence(
    tmp_path: Path,
) -> None:
    async with a_process(
        tmp_path, "tests.support.half_open", within=("unshare", "-rn")
    ) as scenario:
        lost = await scenario.wait_for(r"^lost after ([\d.]+) s")
        with trio.fail_after(PATIENCE_S):
            await scenario.process.wait()  # else its server would lose who stops it

    assert 0.5 < float(lost[1]) < 6


def fill_up(filler: Path) -> None:
    """Write until there is no room at all."""
    with filler.open("wb", 0) as file:
        for size in (4096, 1):
            with contextlib.suppress(OSError):
                while file.write(bytes(size)):
                    pass


@pytest.mark.skipif(
    lacks("unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"),
    reason="needs a mount namespace",
)
async def test_a_full_disk_stops_a_table_and_costs_it_nothing(
    nursery: trio.Nursery, tmp_path: Path
) -> None:
    data = tmp_path / "kept"
    data.mkdir()
    within = ("unshare", "-rm", "sh", "-c", MOUNTED, str(data))
    async with a_live_server(tmp_path, f"--data={data}", within=within) as server:
        first, second = await deal(*await a_far_party(server, nursery, "ana", "bo"))
        as_seen_there = Path(f"/proc/{server.pid}/root{data}")
        filler = as_seen_there / "filler"

        fill_up(filler)
        laid = await first.lay()
        paused = await second.wait_for(e.Paused)
        await trio.sleep(2 * RETRY_S)
        told_meanwhile = second.all_heard(e.Played)
        filler.unlink()
        with trio.fail_after(PATIENCE_S):
            answer = await first.answer_to(laid)
            await second.wait_for(e.Played)
        copy = shutil.copytree(as_seen_there, tmp_path / "copy")
        report = await trio.to_thread.run_sync(check_folder, Path(copy))

    assert paused.reason is e.PauseReason.STALLED
    assert told_meanwhile == []
    assert isinstance(answer, Accepted)
    assert "play 1, records 1" in report.lines[-2]
    assert report.is_sound
