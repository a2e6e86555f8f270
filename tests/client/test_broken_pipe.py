"""Output that nobody reads to its end."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.homes import environment
from tests.support.processes import ROOT
from tests.support.ptys import CLIENT, on_a_terminal

FULL = Path("/dev/full")
NEEDS_FULL = pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")


def test_rules_piped_into_head_once_ended_in_a_traceback() -> None:
    program = [sys.executable, "-m", "client", "rules"]
    with subprocess.Popen(
        program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as rules:
        assert rules.stdout is not None
        assert rules.stderr is not None
        rules.stdout.close()  # before a word is written
        complaints = rules.stderr.read()

    assert complaints == b""
    assert rules.returncode == 141


@NEEDS_FULL
def test_rules_for_which_a_disk_had_no_room_once_ended_in_a_bug(tmp_path: Path) -> None:
    program = [sys.executable, "-m", "client", "rules"]

    with FULL.open("wb") as full:
        rules = subprocess.run(
            program,
            cwd=ROOT,
            env=environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert rules.stderr == b"facedown: this cannot be printed: no space left on device\n"
    assert rules.returncode == 141
    assert [*tmp_path.rglob("crash-*")] == []


@NEEDS_FULL
@pytest.mark.parametrize("complaints", ["2>&1", "2>&-"], ids=["the same disk", "nowhere"])
def test_rules_whose_complaint_found_no_room_either_ended_as_a_crash(complaints: str) -> None:
    program = ["sh", "-c", f'exec "$@" >/dev/full {complaints}', "sh", sys.executable]

    rules = subprocess.run([*program, "-m", "client", "rules"], cwd=ROOT, check=False)

    assert rules.returncode == 141


@NEEDS_FULL
@pytest.mark.parametrize("option", ["--help", "--version"])
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["at the end", "at once"])
def test_help_for_which_there_was_no_room_ended_well_or_in_a_complaint_of_pythons(
    tmp_path: Path, option: str, unbuffered: str
) -> None:
    program = [sys.executable, "-m", "client", option]
    variables = environment(tmp_path) | {"PYTHONUNBUFFERED": unbuffered}

    with FULL.open("wb") as full:
        told = subprocess.run(
            program, cwd=ROOT, env=variables, stdout=full, stderr=subprocess.PIPE, check=False
        )

    assert told.stderr == b"facedown: this cannot be printed: no space left on device\n"
    assert told.returncode == 141


@NEEDS_FULL
@pytest.mark.parametrize("words", [["--foo"], ["rules", "nix"]], ids=["an option", "a code"])
def test_a_mistake_that_could_not_be_complained_of_ended_with_a_code_of_pythons(
    tmp_path: Path, words: list[str]
) -> None:
    with FULL.open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "client", *words],
            cwd=ROOT,
            env=environment(tmp_path) | {"PYTHONUNBUFFERED": ""},
            stderr=full,
            check=False,
        )

    assert ended.returncode == 2


def test_the_terminal_of_a_host_that_vanished_was_a_bug(tmp_path: Path) -> None:
    with on_a_terminal(tmp_path, *CLIENT, "host", "--port", "0") as client:
        client.shows("Invite")
        client.hang_up()

        assert client.code_unread() == 129
    assert [*tmp_path.rglob("crash-*")] == []


def test_without_an_output_the_client_once_ended_in_a_traceback() -> None:
    silent = ["sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-m", "client", "rules"]

    ended = subprocess.run(silent, cwd=ROOT, stderr=subprocess.PIPE, check=False)

    assert ended.stderr == b"facedown: standard output is closed: start it in a terminal\n"
    assert ended.returncode == 2


def a_pipe_without_a_reader() -> int:
    """Where it can be written to, in vain."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def a_full_disk() -> int:
    """A file without room."""
    if not FULL.exists():
        pytest.skip("needs /dev/full")
    return os.open(FULL, os.O_WRONLY)


@pytest.mark.parametrize(
    ("opened", "complaint"),
    [
        pytest.param(a_pipe_without_a_reader, b"", id="nobody who reads"),
        pytest.param(a_full_disk, b"facedown: this cannot be printed: no space", id="a full disk"),
    ],
)
def test_a_game_line_by_line_that_nobody_could_read_ended_as_if_all_were_well(
    tmp_path: Path, opened: Callable[[], int], complaint: bytes
) -> None:
    """Only what prints once and ends, as the rules do, said so."""
    with os.fdopen(opened(), "wb") as output:
        played = subprocess.run(
            CLIENT,
            cwd=ROOT,
            env=environment(tmp_path),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert played.returncode == 141
    assert played.stderr.startswith(complaint)
    assert [*tmp_path.rglob("crash-*")] == []
