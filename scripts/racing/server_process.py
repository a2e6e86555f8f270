"""A server of our own on a free loopback port, with the limits out of the way."""

import contextlib
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from racing.plan import USUAL
from racing.player import Address

ROOT = Path(__file__).resolve().parents[2]
STOPS_IN_S = 10
FLAGS = (
    "--in-memory",
    "--until-eof",  # it ends with us, also where we are killed
    "--commands-per-s=1e6",
    "--commands-burst=1000000",
    "--refusals-per-s=1e6",  # a call that is not first is one
    "--refusals-burst=1000000",
    "--chat-per-s=1e6",
    "--chat-burst=1000000",
    "--unauthenticated=5000",
    "--silence-s=120",
)


class NoServer(Exception):
    """The server has not come up; the message says what it said."""


@contextlib.contextmanager
def a_server(command: Sequence[str] = USUAL) -> Iterator[Address]:
    """Run a server for as long as the block lasts; gives its address.

    Raises:
        NoServer: it ended before it was ready.
    """
    with (
        tempfile.TemporaryDirectory(prefix="facedown-race-") as folder,
        (Path(folder) / "log").open("w+", encoding="utf-8") as log,
    ):
        arguments = [*command, "--port", "0", "--data", folder, *FLAGS]
        process = subprocess.Popen(
            arguments,
            cwd=ROOT,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        try:
            yield _address(process, Path(folder) / "log")
        finally:
            _stop(process)


def _address(process: subprocess.Popen[str], log: Path) -> Address:
    assert process.stdout is not None  # noqa: S101 - a pipe was asked for
    for line in process.stdout:
        if ready := re.search(r"ready on (\S+):(\d+)", line):
            return ready.group(1), int(ready.group(2))
    raise NoServer(log.read_text(encoding="utf-8").strip() or "the server ended without a word")


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("FACEDOWN_")}
    return kept | {"PYTHONUNBUFFERED": "1"}


def _stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    try:
        process.wait(STOPS_IN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
