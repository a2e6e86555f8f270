"""Guests over SSH who ask for more than a game: a command, a file, a port, an agent, a variable."""

import contextlib
import fcntl
import socket
import struct
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.ssh_box import (
    KNOWS_UNUSED,
    UNUSED_S,
    Box,
    can_connect,
    environment_of,
    free_port,
    wait_until,
)
from tests.support.ssh_guests import SHELL, in_the_hall, leaves, needs_a_box, unhurried

NEEDS_A_TERMINAL = "This is a card game and nothing else, and it needs a terminal."
HTTP = b"GET / HTTP/1.0\r\n\r\n"

pytestmark = [needs_a_box, unhurried]


@pytest.mark.parametrize(
    "asked",
    [
        "id",
        "FOX-42; id",
        "FOX-42\nid",
        "$(id)`id`",
        "--name bo; id",
        "",
    ],
)
def test_a_command_without_a_terminal_gets_a_friendly_sentence(asked: str, box: Box) -> None:
    done = box.without_a_terminal("ana", "-T", "--", box.address(), asked)

    assert (done.returncode, done.stdout) == (2, "")
    assert NEEDS_A_TERMINAL in done.stderr
    assert f"ssh -p {box.ssh_port} -t {box.address()} " in done.stderr


@pytest.mark.parametrize("asked", ["FOX-42;id", "FOX-42\nid", "--name bo"])
def test_a_command_with_a_terminal_gets_the_game(asked: str, box: Box) -> None:
    with box.login("ana", asked) as session:
        in_the_hall(session)
        session.types("id\n")
        session.prints("id is not a word here.")
        leaves(session)

    assert "HELLO: welcome, ana." in session.text or "HELLO: back, ana." in session.text
    assert SHELL not in session.text


def test_no_file_goes_in_or_out(box: Box, tmp_path: Path) -> None:
    here = tmp_path / "from-a-guest"
    target = f"{box.address()}:{here}"
    tmp_path.chmod(0o777)
    upload = str(box.folder / "known")

    tries = [
        box.without_a_terminal("ana", upload, target, program="scp"),
        box.without_a_terminal("ana", "-O", upload, target, program="scp"),
        box.without_a_terminal("ana", f"{box.address()}:/etc/passwd", str(here), program="scp"),
        box.without_a_terminal("ana", "-b", "/dev/null", box.address(), program="sftp"),
        box.without_a_terminal("ana", "-s", box.address(), "sftp"),
    ]

    assert all(done.returncode for done in tries)
    assert [done.stdout for done in tries if done.stdout] == []
    assert not here.exists()


@contextlib.contextmanager
def through(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), 10) as line:
        yield line


def heard(line: socket.socket) -> bytes:
    """All that comes until the other end closes."""
    data = b""
    with contextlib.suppress(ConnectionResetError):
        while more := line.recv(4096):
            data += more
    return data


def test_a_forwarding_would_have_been_seen(box: Box) -> None:
    with through(box.port) as line:
        line.sendall(HTTP)

        assert b"Facedown" in heard(line)


@pytest.mark.parametrize("kind", ["-L", "-D", "-L a socket"])
def test_no_port_is_forwarded_from_a_guest(kind: str, box: Box) -> None:
    port = free_port()
    there = {
        "-L": ("-L", f"{port}:127.0.0.1:{box.port}"),
        "-D": ("-D", f"{port}"),
        "-L a socket": ("-L", f"{port}:/run/dbus/system_bus_socket"),
    }[kind]
    socks4 = b"\x04\x01" + box.port.to_bytes(2, "big") + socket.inet_aton("127.0.0.1") + b"\0"
    with box.login("ana", options=there) as session:
        in_the_hall(session)
        with through(port) as line:
            line.sendall(socks4 + HTTP if kind == "-D" else HTTP)
            said = heard(line)
        session.waits_for(lambda: "open failed" in session.text)
        leaves(session)

    assert b"Facedown" not in said


def test_no_port_is_forwarded_to_a_guest(box: Box) -> None:
    port = free_port()
    there = ("-o", "ExitOnForwardFailure=yes", "-R", f"{port}:127.0.0.1:{box.port}")

    with box.login("ana", options=there) as session:
        assert session.ends() == 255
    assert "remote port forwarding failed" in session.text
    assert not can_connect(port)


def test_nothing_is_piped_through(box: Box) -> None:
    done = box.without_a_terminal("ana", "-W", f"127.0.0.1:{box.port}", box.address())

    assert done.returncode
    assert "administratively prohibited" in done.stderr
    assert done.stdout == ""


TUNSETIFF, IFF_TUN = 0x400454CA, 0x0001


def may_have_a_tunnel() -> bool:
    """Whether this end could dig one."""
    with contextlib.suppress(OSError), Path("/dev/net/tun").open("r+b", 0) as device:
        fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22x", b"", IFF_TUN))
        return True
    return False


@pytest.mark.skipif(not may_have_a_tunnel(), reason="needs /dev/net/tun")
def test_no_tunnel_is_dug_through(box: Box) -> None:
    there = ("-o", "Tunnel=point-to-point", "-w", "any:any")

    with box.login("ana", options=there) as session:
        in_the_hall(session)
        session.waits_for(lambda: "Tunnel forwarding failed" in session.text)
        leaves(session)

    assert (
        "Tunnel device open failed" not in session.text
    )  # ours is there: it was sshd that refused


@pytest.mark.skipif(not KNOWS_UNUSED, reason="needs OpenSSH 9.2 or newer")
def test_a_login_that_asks_for_nothing_is_ended_and_one_that_plays_is_not(box: Box) -> None:
    with box.login("bo") as playing:
        in_the_hall(playing)
        began = time.monotonic()
        idle = box.without_a_terminal("ana", "-N", box.address())
        took_s = time.monotonic() - began
        playing.types("hall\n")
        leaves(playing)

    assert idle.returncode == 255
    assert took_s >= UNUSED_S  # and no longer than all who wait here have patience


def test_neither_agent_nor_display_nor_variables_get_through(box: Box) -> None:
    agent = str(box.folder / "agent")
    own = {
        "SSH_AUTH_SOCK": agent,
        "DISPLAY": "127.0.0.1:99.0",
        "PYTHONSTARTUP": "/planted.py",
        "PYTHONPATH": "/planted",
        "PYTHONINSPECT": "1",
        "LD_PRELOAD": "",
        "FACEDOWN_NAME": "mallory",
        "FACEDOWN_KIOSK": "0",
        "BASH_ENV": "/planted.sh",
        "ENV": "/planted.sh",
    }
    sent = ("-o", "SendEnv=PYTHON* LD_* FACEDOWN_* BASH_ENV ENV DISPLAY")
    set_there = ("-o", "SetEnv=LD_AUDIT=/planted.so PYTHONHOME=/planted")
    running = subprocess.Popen(["ssh-agent", "-D", "-a", agent], stdout=subprocess.DEVNULL)
    try:
        wait_until(Path(agent).exists, "the agent never came")
        with box.login("ana", options=("-A", "-Y", *sent, *set_there), **own) as session:
            in_the_hall(session)
            there = environment_of(*box.processes())
            leaves(session)
    finally:
        running.kill()
        running.wait()

    assert {*own, "LD_AUDIT", "PYTHONHOME", "XAUTHORITY"} & set(there) == set()
    assert "mallory" not in session.text
    assert there["SSH_CONNECTION"].startswith("127.0.0.1 ")
