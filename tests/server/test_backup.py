"""The recipe for a copy of the data folder, and for the way back, as server/README.md has it."""

import re
import shutil
import stat
import sys
from pathlib import Path

import pytest
import trio

from protocol.answers import Welcome
from tests.server.test_main import Server, a_server, a_start_that_fails
from tests.support.callers import a_hello
from tests.support.processes import ROOT

PAGE = (ROOT / "server" / "README.md").read_text("utf-8")
RECIPE = PAGE.partition("### A copy, and the way back\n")[2].partition("\n##")[0]
THERE, BACK = re.findall(r"```sh\n(.*?)```", RECIPE, re.DOTALL)

pytestmark = pytest.mark.skipif(shutil.which("sqlite3") is None, reason="needs sqlite3")


def in_words_of(tmp_path: Path, script: str) -> list[str]:
    """The recipe for the folders of a test and this server, as a command."""
    for word, meant in (
        ("DATA", str(tmp_path / "data")),
        ("COPY", str(tmp_path / "copy")),
        ("facedown-server", f"{sys.executable} -m server"),
    ):
        script = script.replace(word, meant)
    return ["sh", "-euc", f"umask 022; {script}"]


async def follow(tmp_path: Path, script: str) -> str:
    """Do as it says; what was said."""
    done = await trio.run_process(in_words_of(tmp_path, script), cwd=ROOT, capture_stdout=True)
    return done.stdout.decode()


async def come_back(server: Server, secret: bytes) -> Welcome:
    caller = await server.call()
    await caller.say(a_hello("ana", secret=secret))
    return await caller.wait_for(Welcome)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


async def test_a_copy_that_was_put_back_was_another_server_to_everybody(tmp_path: Path) -> None:
    async with a_server(tmp_path / "data") as server:
        _, before = await server.enter("ana")
        assert before.secret is not None
        said = await follow(tmp_path, THERE)
        await server.enter("bo")

    await follow(tmp_path, BACK)
    async with a_server(tmp_path / "data") as server:
        after = await come_back(server, before.secret)
        _, bo = await server.enter("bo")

    assert "people: 1" in said
    assert said.endswith("all sound\n")
    assert after.server == before.server
    assert after.secret is None  # she is known
    assert bo.secret is not None  # who came after the copy was made is not


async def test_a_copy_without_the_id_by_which_people_find_their_seats_was_all_sound(
    tmp_path: Path,
) -> None:
    async with a_server(tmp_path / "data") as server:
        await server.enter("ana")
        await follow(tmp_path, THERE)
    (tmp_path / "copy" / "server-id").unlink()

    ended = await trio.run_process(
        [sys.executable, "-m", "server", "--check", str(tmp_path / "copy")],
        cwd=ROOT,
        check=False,
        capture_stdout=True,
    )

    assert ended.returncode == 1
    assert ended.stdout.decode().splitlines()[-2:] == [
        "all sound",
        "but server-id is missing: clients would take this for another server, and nobody find their seat",
    ]


async def test_a_copy_could_be_read_by_everybody_on_the_machine(tmp_path: Path) -> None:
    async with a_server(tmp_path / "data") as server:
        await server.enter("ana")
        await follow(tmp_path, THERE)

    assert modes(tmp_path / "copy") == {"copy": 0o700, "journal.db": 0o600, "server-id": 0o600}


async def test_a_journal_that_others_can_read_was_used_without_a_word(tmp_path: Path) -> None:
    async with a_server(tmp_path / "data"):
        pass
    journal = tmp_path / "data" / "journal.db"
    journal.chmod(0o644)

    async with a_server(tmp_path / "data") as server:
        await server.enter("ana")
        _, logged = await server.stop()

    assert f"others could read {journal}: now its owner alone can" in logged
    assert not any(mode & 0o077 for name, mode in modes(journal.parent).items() if "db" in name)


async def test_a_file_to_check_was_said_to_have_no_journal_in_it(tmp_path: Path) -> None:
    (tmp_path / "copy.db").touch()

    code, said = await a_start_that_fails("--check", str(tmp_path / "copy.db"))

    assert code == 2
    assert said == (
        "facedown-server: --check takes a folder with journal.db in it, and "
        f"{tmp_path}/copy.db is a file\n"
    )
