"""What the set-up of a clone says when it cannot go on: a sentence and a next step, never a traceback."""

import errno
import itertools
import os
import shutil
import socket
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import set_up

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("pyproject.toml", "scripts/constraints.txt", "scripts/set_up.py")


def test_a_clone_that_cannot_be_written_to_once_got_a_traceback(tmp_path: Path) -> None:
    clone = tmp_path / "für uns"
    for name in NEEDED:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    (clone / ".venv").write_text("in the way, also of somebody who may write everywhere")

    command = [sys.executable, "-I", str(clone / "scripts" / "set_up.py"), "play"]
    path = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}  # no uv, which would say it in its words
    done = subprocess.run(command, env=path, capture_output=True, text=True, check=False)

    *_, what, then = done.stderr.splitlines()
    assert done.returncode == 1
    assert what == f"Setting up .venv failed: File exists: {clone / '.venv'}."
    assert then.startswith("Next step: ")


@pytest.mark.parametrize(
    "log",
    [
        pytest.param("ERROR: [Errno 28] No space left on device\n", id="pip"),
        pytest.param("ERROR: Disk quota exceeded\n", id="a quota"),
        pytest.param("", id="no room for the log either"),
    ],
)
def test_a_full_disk_once_showed_the_last_lines_of_an_empty_log(
    log: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_up, "is_full", lambda: True)

    assert "is full" in set_up.explain(log)
    assert "Next step: make room there" in set_up.explain(log)


def test_a_package_index_that_does_not_answer_was_once_waited_for_in_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard = tmp_path / "heard"
    os.mkfifo(heard)
    said: list[str] = []

    def say(sentence: str) -> None:
        said.append(sentence)
        heard.write_text("go on")

    monkeypatch.setattr(set_up, "LOG", tmp_path / "log")
    monkeypatch.setattr(set_up, "SLOW_S", 0.01)
    monkeypatch.setattr(set_up, "say", say)

    with set_up.saying_what_is_slow():
        set_up.run(["cat", str(heard)])  # ends once it was said

    (sentence,) = said
    assert "package index" in sentence
    assert "Ctrl-C stops" in sentence
    assert len(sentence) < 80, "it was broken within a word"


@pytest.mark.skipif(find_spec("pip") is None, reason="uv leaves no pip in what it makes")
def test_a_package_index_that_does_not_answer_was_once_asked_for_minutes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_up, "LOG", tmp_path / "log")
    with socket.create_server(("127.0.0.1", 0), backlog=99) as dead:
        index = f"http://127.0.0.1:{dead.getsockname()[1]}/simple"
        for name in [name for name in os.environ if name.startswith("PIP_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        fetching = ("download", "--quiet", "--no-deps", "--timeout", "0.2", "-i", index)

        with pytest.raises(set_up.SetUpError, match="package index could not be reached"):
            set_up.run([sys.executable, "-m", "pip", *fetching, "facedown-of-no-index"])
        tries = connections_to(dead)

    assert tries == 3


@pytest.mark.parametrize("willing", ["uv", "pip"])
def test_an_environment_of_pip_could_never_be_updated_where_uv_was_unwilling(
    willing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "pip").touch()
    stamp = tmp_path / "stamp.json"
    monkeypatch.setattr(set_up, "VENV", tmp_path)
    monkeypatch.setattr(set_up, "STAMP", stamp)
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/uv")
    tried: list[str] = []

    def install(_kind: str, *, with_uv: bool) -> None:
        tried.append("uv" if with_uv else "pip")
        if tried[-1] != willing:
            raise set_up.SetUpError

    monkeypatch.setattr(set_up, "install", install)
    old, new = (set_up.Stamp("play", "here", asked) for asked in ("old", "new"))
    set_up.write_stamp(old)

    set_up.update(old, new)

    assert set_up.read_stamp() == new
    assert tried == ["uv", "pip"][: tried.index(willing) + 1]


def test_an_update_that_no_installer_can_do_leaves_the_environment_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_up, "STAMP", tmp_path / "stamp.json")
    monkeypatch.setattr(set_up, "installers", lambda: [True, False])
    monkeypatch.setattr(set_up, "install", refuse)
    old = set_up.Stamp("play", "here", "old")
    set_up.write_stamp(old)

    with pytest.raises(set_up.SetUpError):
        set_up.update(old, old._replace(asked="new"))

    assert set_up.read_stamp() == old


def refuse(_kind: str, *, with_uv: bool) -> None:
    raise set_up.SetUpError(f"with{'' if with_uv else 'out'} uv")


def connections_to(listening: socket.socket) -> int:
    """How many connections wait to be accepted."""
    listening.settimeout(0)
    for number in itertools.count():
        try:
            listening.accept()[0].close()
        except BlockingIOError:
            return number
    raise AssertionError


def test_a_full_disk_is_noticed_before_a_step_begins() -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), ".venv")

    assert "is full" in set_up.explain_refusal(full)


def test_an_empty_log_on_a_disk_with_room_is_not_called_a_full_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(set_up, "is_full", lambda: False)

    assert "is full" not in set_up.explain("")
