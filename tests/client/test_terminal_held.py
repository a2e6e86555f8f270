"""The full-screen client keeps its terminal in order while it runs: other sizes, stops, going on.

Real processes on a terminal of their own; for stops there is a shell between them and the terminal.
"""

import os
import shlex
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path

import pytest

from tests.support.ptys import CLIENT, PtyClient, on_a_terminal

SHELL = ("/bin/bash", "--norc", "--noprofile", "-i")
STORM = ((1, 1), (200, 60), (60, 20), (2, 80), (59, 19), (120, 40), (300, 1), (1, 50), (79, 23))


def test_a_storm_of_sizes_ends_with_the_page_of_the_last_one(tmp_path: Path) -> None:
    with on_a_terminal(tmp_path) as client:
        client.shows("practise")
        for columns, rows in islice(cycle(STORM), 200):
            client.resize(columns, rows)
            client.read_rest()
        client.resize(80, 24)
        client.types(b"\x0c")

        client.shows("Choose a server")
        client.types(b"q")
        assert client.ends() == 0
        assert client.left_behind() == []


@pytest.mark.parametrize("size", [(1, 1), (2, 1), (1, 24), (80, 1), (59, 20), (60, 19)], ids=str)
def test_a_terminal_too_small_can_be_left(tmp_path: Path, size: tuple[int, int]) -> None:
    with on_a_terminal(tmp_path, size=size) as client:
        client.writes(b"\x07")  # the title, which is set after the page
        client.types(b"\x03\x03")

        assert client.ends() == 130
        assert client.left_behind() == []


def test_a_terminal_of_one_cell_may_grow(tmp_path: Path) -> None:
    with on_a_terminal(tmp_path, size=(1, 1)) as client:
        client.writes(b"\x07")
        client.resize(80, 24)

        client.shows("Choose a server")


# --- stops ----------------------------------------------------------------------------------------


@contextmanager
def a_job_of_a_shell(home: Path) -> Iterator[tuple[PtyClient, int]]:
    """A client that a shell has started, and its process number."""
    with on_a_terminal(home, *SHELL) as shell:
        quiet = "bind 'set enable-bracketed-paste off'; PS1='ready> '"
        shell.types(f"{quiet}; {shlex.join(CLIENT)}\n".encode())
        shell.shows("Choose a server")
        children = Path(f"/proc/{shell.process.pid}/task/{shell.process.pid}/children")
        (job,) = children.read_text(encoding="ascii").split()
        yield shell, int(job)


def has_ended(job: int) -> bool:
    """Whether it runs no more; the shell need not have noticed yet."""
    status = Path(f"/proc/{job}/status")
    return not status.exists() or "State:\tZ" in status.read_text(encoding="ascii")


def is_back_and_works(shell: PtyClient) -> None:
    """The page is there again and keys are keys."""
    shell.shows("Choose a server")
    shell.types(b"?")
    shell.shows("THE GAME")
    shell.types(b"q")
    shell.shows("Choose a server")
    shell.types(b"q")
    shell.shows("ready>")


STOPS = {"signal": signal.SIGTSTP, "without notice": signal.SIGSTOP}


def stop(shell: PtyClient, job: int, how: str) -> None:
    """Stop the client, by Ctrl-Z or by one of these signals, until the shell has the terminal."""
    if how == "key":
        shell.types(b"\x1a")
    else:
        os.kill(job, STOPS[how])
    shell.shows("Stopped")
    shell.shows("ready>")


@pytest.mark.parametrize("how", ["key", "signal"])
def test_a_stopped_job_leaves_the_terminal_to_the_shell_and_comes_back(
    tmp_path: Path, how: str
) -> None:
    with a_job_of_a_shell(tmp_path) as (shell, job):
        stop(shell, job, how)

        assert shell.modes_left() == []
        shell.forget()
        shell.types(b"fg\n")
        is_back_and_works(shell)
        assert shell.modes_left() == []


def test_a_client_stopped_without_notice_draws_itself_again(tmp_path: Path) -> None:
    with a_job_of_a_shell(tmp_path) as (shell, job):
        stop(shell, job, "without notice")
        shell.forget()
        shell.types(b"fg\n")

        is_back_and_works(shell)
        assert shell.modes_left() == []


@pytest.mark.parametrize("how", ["key", "without notice"])
def test_a_stopped_job_that_was_killed_stopped_once_more_and_stayed_for_ever(
    tmp_path: Path, how: str
) -> None:
    with a_job_of_a_shell(tmp_path) as (shell, job):
        stop(shell, job, how)
        shell.types(b"kill %1\n")

        shell.waits_for(lambda: has_ended(job), "the end of the job")


def test_where_there_is_no_shell_to_go_to_the_key_says_so(tmp_path: Path) -> None:
    with on_a_terminal(tmp_path) as client:
        client.shows("practise")
        client.types(b"\x1a")

        client.shows("There is no shell here to go back to.")
