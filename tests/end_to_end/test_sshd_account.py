"""The account that guests share: its files, its programs, and the keys that stop programs."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.ssh_box import (
    ACCOUNTS,
    DEBIAN,
    FOLDERS,
    LIMITS,
    Box,
    a_box,
    environment_of,
    processes_of,
    wait_until,
)
from tests.support.ssh_guests import SHELL, in_the_hall, leaves, needs_a_box, unhurried

pytestmark = [needs_a_box, unhurried]


def as_a_guest(box: Box, *command: str) -> "subprocess.CompletedProcess[str]":
    """What a program of the guests' account could do, if they had one."""
    return subprocess.run(
        command,
        user=box.guests,
        group=box.guests,
        extra_groups=(),
        cwd="/",
        capture_output=True,
        text=True,
        check=False,
    )


def test_files_planted_in_the_home_are_never_run(box: Box) -> None:
    proof = box.folder / "planted"
    proof.mkdir()
    proof.chmod(0o777)
    (box.home / ".ssh").mkdir()
    planted = [".bashrc", ".profile", ".bash_profile", ".bash_logout", ".ssh/rc"]
    for name in planted:
        (box.home / name).write_text(f"touch {proof}/{Path(name).name}; id\n")
        (box.home / name).chmod(0o755)
    (box.home / ".ssh/environment").write_text("PYTHONINSPECT=1\n")
    try:
        with box.login("ana") as session:
            in_the_hall(session)
            there = environment_of(*box.processes())
            leaves(session)
    finally:
        for name in planted:
            (box.home / name).unlink()
        shutil.rmtree(box.home / ".ssh")

    assert list(proof.iterdir()) == []
    assert SHELL not in session.text
    assert "PYTHONINSPECT" not in there


def test_the_home_and_the_keys_are_out_of_a_guest_s_reach(box: Box) -> None:
    keys = box.folder / "etc" / "guests"

    assert as_a_guest(box, "touch", str(box.home / ".profile")).returncode
    assert as_a_guest(box, "sh", "-c", f"echo >>{keys}").returncode
    assert as_a_guest(box, "sh", "-c", f"echo >>{box.key_file}").returncode
    assert as_a_guest(box, "ls", str(box.folder / "data")).returncode
    nobody = subprocess.run(
        ["cat", str(box.key_file)],
        user=65534,
        group=65534,
        extra_groups=(),
        capture_output=True,
        check=False,
    )
    assert nobody.returncode
    assert nobody.stdout == b""


def test_one_guest_s_client_cannot_be_looked_into_by_another_s(box: Box) -> None:
    with box.login("ana") as session:
        in_the_hall(session)
        (process,) = box.processes()
        looks = [as_a_guest(box, "cat", str(process / what)) for what in ("environ", "maps", "mem")]
        limits = (process / "limits").read_text()
        leaves(session)

    assert all(look.returncode and not look.stdout for look in looks)
    assert re.search(r"Max core file size\s+0\s+0\s", limits)
    assert re.search(r"Max file size\s+0\s+0\s", limits)
    if LIMITS.is_dir():
        assert re.search(r"Max processes\s+256\s+256\s", limits)


def test_a_key_file_that_others_can_read_is_refused_to_guests_as_well(box: Box) -> None:
    box.key_file.chmod(0o444)
    try:
        with box.login("ana") as session:
            assert session.ends() == 2
    finally:
        box.key_file.chmod(0o440)

    assert "others can read" in session.text


def test_with_nologin_nobody_would_get_in(box: Box) -> None:
    subprocess.run(["usermod", "--shell", "/usr/sbin/nologin", box.guests], check=True)
    try:
        with box.login("ana") as session:
            assert session.ends() == 1
    finally:
        subprocess.run(["usermod", "--shell", "/bin/sh", box.guests], check=True)

    assert "not available" in session.text


def test_without_a_key_of_a_guest_nobody_gets_in(box: Box) -> None:
    other = box.folder / "key-mallory"
    if not other.exists():
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(other)], check=True
        )

    done = box.without_a_terminal("mallory", box.address())

    assert done.returncode == 255
    assert "Permission denied (publickey)" in done.stderr


# --- keys that stop programs ----------------------------------------------------------------------------


@pytest.mark.parametrize("keys", ["\x1a\x1c", "\x03", "\x04"])
def test_keys_pressed_before_the_game_is_there_get_no_shell(keys: str, box: Box) -> None:
    with box.login("ana") as session:
        wait_until(box.processes, "nothing was ever started")
        session.types(f"{keys}\nid\n")
        session.waits_for(
            lambda: session.process.poll() is not None or "id is not a word here" in session.text
        )
        session.types("id\n")
        if session.process.poll() is None:
            leaves(session)

    assert SHELL not in session.text


@pytest.mark.parametrize("term", ["dumb", "xterm-256color"])
def test_keys_that_stop_programs_do_not_stop_the_game(term: str, box: Box) -> None:
    with box.login("ana", term=term) as session:
        in_the_hall(session)
        for keys in ("\x1a", "\x1c", "\x1a", "\x1c", "\x19", "\x0f", "\x16", "\x11"):
            session.types(keys)
        session.types("\x15nonsense\n" if term == "dumb" else "c")
        session.waits_for(
            lambda: (
                "nonsense is not a word here" in session.text or "OPEN A LOBBY" in session.screen
            )
        )
        assert len(box.processes()) == 1
        leaves(session)
        session.reads(0.2)

    assert "Stopped" not in session.text
    assert "Quit" not in session.text
    assert SHELL not in session.text


def test_the_end_of_input_asks_and_then_leaves(box: Box) -> None:
    with box.login("ana") as session:
        in_the_hall(session)
        session.types("\x04")
        session.prints("LEAVE: once more")
        session.types("\x04")
        assert session.ends() == 130


# --- afterwards -------------------------------------------------------------------------------------------


def test_guests_have_left_no_file_behind(box: Box) -> None:
    uid = int(as_a_guest(box, "id", "-u").stdout)
    places = [Path("/", *where.split()) for where in ("tmp", "var tmp", "dev shm", "run")]
    found = subprocess.run(
        ["find", *(str(place) for place in (box.folder, *places)), "-user", str(uid)],
        capture_output=True,
        text=True,
        check=False,
    )

    assert found.stdout == ""
    assert list(box.home.iterdir()) == []


def what_is_there() -> set[Path]:
    """The folders and limits that the boxes of this process have made."""
    number = os.getpid()
    return {*FOLDERS.glob(f"facedown-box{number}-*"), *LIMITS.glob(f"fd*{number}.conf")}


def test_the_box_of_a_test_that_fails_leaves_nothing_behind(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("tests.support.ssh_box.ACCOUNTS", ("fdservertoo", "fdgueststoo"))
    monkeypatch.setattr("tests.support.ssh_box.DEBIAN", f"{DEBIAN}NoSuchWord yes\n")
    before = what_is_there()

    with pytest.raises(subprocess.CalledProcessError), a_box():
        raise AssertionError

    accounts = Path("/etc/passwd").read_text()
    assert what_is_there() == before
    assert "fdservertoo" not in accounts
    assert "fdgueststoo" not in accounts
    assert processes_of("fdservertoo") == []
    assert ACCOUNTS[0] in accounts  # that of the other tests is still there
