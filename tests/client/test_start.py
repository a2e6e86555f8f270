"""What is done before the first page is seen. Modules and looks for garbage are counted, not time."""

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Never

import pytest

from client.command_line import commands
from client.line import child
from tests.support.ptys import PATIENCE_S, ROOT, RUN, on_a_terminal

# On USR1 the client writes down which modules it has, and ends; that takes none that Python lacks.
TELLING = """
import os, signal, sys
def tell(*_):
    with open({told!r}, "w") as file:
        file.write(" ".join(name for name, module in sys.modules.items() if module))
    os._exit(0)
signal.signal(signal.SIGUSR1, tell)
"""
COUNTING = """
import gc, sys
from client.__main__ import main
looks = lambda: sum(each["collections"] for each in gc.get_stats())
before = looks()
try:
    main()
finally:
    sys.stderr.write(str(looks() - before))
"""
LATER = {
    "client.command_line.doctor",
    "client.lessons.texts",
    "client.line.network",
    "client.plain",
    "client.rule_sheet.sheet",
    "client.lessons.tutorial",
    "ctypes",
    "dataclasses",
    "getpass",
    "importlib.metadata",
    "json",
    "msgpack",
    "protocol.codec",
    "ssl",
    "tomlkit",
    "tomllib",
    "wcwidth.textwrap",
}


def test_the_first_page_waited_for_what_it_does_not_show(tmp_path: Path) -> None:
    told = tmp_path / "modules"
    program = TELLING.format(told=str(told)) + RUN

    with on_a_terminal(tmp_path, sys.executable, "-c", program) as client:
        client.shows("not connected")
        client.send(signal.SIGUSR1)
        client.process.wait(PATIENCE_S)

    loaded = set(told.read_text().split())
    assert "client.screens.connect" in loaded
    assert loaded & LATER <= loaded_by_asyncio()


def loaded_by_asyncio() -> set[str]:
    """What the client cannot do without: it differs from one Python to the next."""
    names = "import asyncio, sys; print(*sys.modules)"
    return set(subprocess.check_output((sys.executable, "-c", names), text=True).split())


def test_garbage_was_looked_for_while_there_could_be_none() -> None:
    run = subprocess.run(
        (sys.executable, "-c", COUNTING, "rules"), capture_output=True, cwd=ROOT, check=True
    )

    assert run.stderr == b"0"


@pytest.mark.parametrize("words", [["rules"], ["--help"], ["join"]], ids=" ".join)
def test_what_only_prints_waited_for_what_talks_to_a_server(words: list[str]) -> None:
    program = f"import sys\ntry:\n    {RUN}\nfinally:\n    print(*sys.modules)"

    run = subprocess.run(
        (sys.executable, "-c", program, *words),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )

    loaded = set(run.stdout.splitlines()[-1].split())
    assert "client.command_line.options" in loaded
    assert (
        loaded & {"asyncio", "prompt_toolkit", "msgpack", "client.full_screen.app", "client.plain"}
        == set()
    )


def children() -> list[str]:
    """The processes that this one has started, and that have not been waited for."""
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text(encoding="ascii").split()


def test_the_screen_was_loaded_only_once_the_server_was_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[bool] = []

    def no_server(meanwhile: Callable[[], None]) -> Never:
        meanwhile()
        loaded.append("client.plain.start" in sys.modules)
        raise child.NoServer

    monkeypatch.setenv("FACEDOWN_NAME", "maya")
    monkeypatch.setattr(child, "practice_server", no_server)
    before = importlib.import_module("client.plain.start")
    monkeypatch.setattr("client.plain.start", before)  # its package has it again afterwards, too
    monkeypatch.delitem(sys.modules, "client.plain.start")

    commands.run(["play", "--plain"])

    assert loaded == [True]


def test_what_is_done_meanwhile_is_done_while_the_server_starts() -> None:
    before = children()
    running: list[int] = []

    with child.practice_server(lambda: running.append(len(children()))):
        assert running == [len(before) + 1]


@pytest.mark.parametrize(
    ("variable", "said"),
    [("LAN", "yes"), ("PORT", "many"), ("CONFIG", "/no/such/file"), ("LOG", "/no/such/folder/log")],
)
def test_what_somebody_had_set_for_a_server_of_theirs_was_done_to_their_practice(
    variable: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"FACEDOWN_SERVER_{variable}", said)

    with child.practice_server() as server:
        told = environment_of(server)

    assert f"FACEDOWN_SERVER_{variable}" not in told
    assert "PATH" in told


def test_what_a_host_has_set_for_the_server_holds_for_the_one_that_is_hosted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FACEDOWN_SERVER_PORT", "many")

    with pytest.raises(child.NoServer, match="FACEDOWN_SERVER_PORT cannot be 'many'"):
        child.start(("--lan", "--in-memory"))


def environment_of(server: child.Child) -> set[str]:
    """The names of the variables that a server was started with."""
    told = Path(f"/proc/{server.process.pid}/environ").read_text("utf-8")
    return {each.partition("=")[0] for each in told.split("\0")}


@pytest.mark.parametrize(
    ("said", "ready"),
    [
        (b"", None),
        (b"Traceback (most recent call last):\n", None),
        (b"facedown-server ready on 127.0.0.1:7  nothing is kept\n", None),
        (b'{"host": "::1", "port": 7}\n', child.Ready(host="::1", port=7)),
        (
            b'{"host": "0.0.0.0", "port": 7, "friends": ["192.0.2.7"], "newer": 1}\n',
            child.Ready(host="0.0.0.0", port=7, friends=("192.0.2.7",)),  # noqa: S104 - said
        ),
    ],
    ids=["nothing", "a crash", "for a person", "for this machine", "for a network"],
)
def test_the_sentence_for_a_person_was_taken_apart_for_where_the_server_is(
    said: bytes, ready: child.Ready | None
) -> None:
    assert child._read(said) == ready


def test_a_server_that_is_everywhere_is_reached_on_this_machine() -> None:
    everywhere = child.Ready(host="0.0.0.0", port=7)  # noqa: S104 - said, not bound

    assert str(everywhere.address) == "127.0.0.1:7"
    assert str(child.Ready(host="192.0.2.7", port=7).address) == "192.0.2.7:7"


def test_a_server_whose_start_was_interrupted_stayed_alone() -> None:
    before = children()

    def interrupted() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        child.start(("--host", "127.0.0.1", "--port", "0", "--in-memory"), meanwhile=interrupted)

    assert children() == before
