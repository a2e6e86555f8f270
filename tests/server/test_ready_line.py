"""What the ready line tells friends to type. Nothing here listens on a network."""

import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import msgspec
import pytest

from protocol.answers import Stamps
from server import ready as module
from server.config import DEFAULT_PORT
from tests.support.namespaces import lacks
from tests.support.processes import ROOT

VETH = "ip link add one type veth peer name two"
TWO_NETWORKS = f"""
ip link set lo up
{VETH}
ip address add 203.0.113.9/24 dev one
ip address add 198.51.100.7/24 dev two
ip link set one up
ip link set two up
"""
ONE_OF_IPV6 = f"""
ip link set lo up
{VETH}
ip address add fd00::9/64 dev one nodad
ip link set one up
ip link set two up
"""
WAY_OUT = "ip -6 route add default via fd00::1 dev one"
FOUND = """
import socket, sys
from server.networks import own_addresses
print(*sorted(own_addresses(socket.AddressFamily[sys.argv[1]])))
"""
ADDRESSES = (sys.executable, "-c", FOUND)
NEEDS_A_NETWORK = pytest.mark.skipif(
    lacks("unshare", "-rn", *VETH.split()), reason="needs a network namespace and ip, of iproute2"
)


@pytest.mark.parametrize(
    ("port", "after_the_host"),
    [
        pytest.param(DEFAULT_PORT, "", id="the port that a client tries by itself"),
        pytest.param(6000, ":6000", id="another port"),
    ],
)
def test_friends_were_once_told_to_join_on_a_port_where_nobody_was(
    port: int, after_the_host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "own_addresses", lambda: ("192.0.2.9", "198.51.100.7"))

    line = module.on_the_network("0.0.0.0", port)  # noqa: S104 - said, not bound

    both = f"192.0.2.9{after_the_host} or 198.51.100.7{after_the_host}"
    assert line == f" (friends: facedown join {both})"


@pytest.mark.parametrize(
    ("host", "typed"),
    [
        pytest.param("127.0.0.1", "localhost:6000", id="this machine"),
        pytest.param("0.0.0.0", "localhost:6000", id="all of IPv4"),  # noqa: S104 - said, not bound
        pytest.param("::", "localhost:6000", id="everything"),
        pytest.param("192.0.2.9", "192.0.2.9:6000", id="one network alone"),
        pytest.param("::1", "[::1]:6000", id="this machine by IPv6"),
    ],
)
def test_who_is_on_this_machine_joins_where_the_server_listens(host: str, typed: str) -> None:
    assert module.on_this_machine(host, 6000) == typed
    assert module.on_this_machine("127.0.0.1", DEFAULT_PORT) == "localhost"


@pytest.mark.parametrize(
    ("host", "port", "typed"),
    [
        pytest.param("192.0.2.9", DEFAULT_PORT, "192.0.2.9", id="of this network"),
        pytest.param("192.0.2.9", 6000, "192.0.2.9:6000", id="on another port"),
        pytest.param("2001:db8::9", DEFAULT_PORT, "2001:db8::9", id="IPv6"),
        pytest.param("2001:db8::9", 6000, "[2001:db8::9]:6000", id="IPv6 on another port"),
    ],
)
def test_what_friends_type_was_not_said_where_an_address_of_the_network_was_given(
    host: str, port: int, typed: str
) -> None:
    assert module.on_the_network(host, port) == f" (friends: facedown join {typed})"


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.2", "::1"])
def test_nobody_else_is_invited_where_the_server_is_for_this_machine(host: str) -> None:
    assert module.on_the_network(host, DEFAULT_PORT) == ""


def test_on_no_network_friends_were_told_a_name_that_no_network_knows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "own_addresses", lambda *_family: ())

    line = module.on_the_network("0.0.0.0", DEFAULT_PORT)  # noqa: S104 - said, not bound

    assert line == f" ({module.NO_NETWORK})"


@pytest.mark.parametrize(
    ("host", "said"),
    [
        pytest.param("::", "friends: facedown join fd00::9", id="everything"),
        pytest.param("0.0.0.0", module.IPV6_ALONE, id="all of IPv4"),  # noqa: S104 - said, not bound
    ],
)
def test_on_a_network_of_ipv6_alone_the_server_was_said_to_be_on_no_network_yet(
    host: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def own_addresses(family: socket.AddressFamily = socket.AF_INET) -> tuple[str, ...]:
        return ("fd00::9",) if family == socket.AF_INET6 else ()

    monkeypatch.setattr(module, "own_addresses", own_addresses)

    assert module.on_the_network(host, DEFAULT_PORT) == f" ({said})"


@NEEDS_A_NETWORK
@pytest.mark.parametrize("way_out", [False, True])
def test_addresses_of_ipv6_are_found_as_those_of_ipv4_are(*, way_out: bool) -> None:
    there = f"{ONE_OF_IPV6}{WAY_OUT if way_out else ''}"

    assert own_addresses_in(there, "AF_INET") == ""
    assert own_addresses_in(there, "AF_INET6") == "fd00::9"


@NEEDS_A_NETWORK
@pytest.mark.parametrize(
    ("there", "found"),
    [
        pytest.param(TWO_NETWORKS, "198.51.100.7 203.0.113.9", id="two networks"),
        pytest.param("ip link set lo up", "", id="none"),
    ],
)
def test_without_a_way_out_the_addresses_of_all_networks_are_found(there: str, found: str) -> None:
    assert own_addresses_in(there, "AF_INET") == found


def own_addresses_in(there: str, family: str) -> str:
    """Which addresses a machine has for its own on the network that this makes."""
    said = subprocess.run(
        ("unshare", "-rn", "sh", "-ec", f'{there}\nexec "$@"', "sh", *ADDRESSES, family),
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return said.stdout.strip()


def test_whoever_starts_a_server_as_a_program_is_told_in_json_that_it_is_ready() -> None:
    arguments = ("--host", "127.0.0.1", "--port", "0", "--in-memory", "--until-eof", "--ready-json")

    said = subprocess.run(
        (sys.executable, "-m", "server", *arguments),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=True,
    )

    ready = json.loads(said.stdout)
    assert ready.pop("port") > 0
    assert len(ready.pop("server")) == 32
    assert ready == {"host": "127.0.0.1", "friends": [], "data": None, "stamps": "kernel"}


def test_a_program_is_told_the_addresses_that_friends_join(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "own_addresses", lambda: ("192.0.2.9", "198.51.100.7"))
    ready = module.Ready(
        host="0.0.0.0",  # noqa: S104 - said, not bound
        port=6000,
        folder=Path("/data"),
        trial_us=400,
        stamps=Stamps.AFTER_READ,
        server="s1",
    )

    assert json.loads(ready.in_json()) == {
        "host": "0.0.0.0",  # noqa: S104
        "port": 6000,
        "friends": ["192.0.2.9", "198.51.100.7"],
        "data": "/data",
        "stamps": "after_read",
        "server": "s1",
    }


@pytest.mark.parametrize("as_json", [False, True])
def test_where_the_name_of_the_data_folder_is_no_text_the_start_was_a_crash_or_taken_for_one(
    tmp_path: Path, *, as_json: bool
) -> None:
    folder = tmp_path / b"evening \xff".decode(errors="surrogateescape")
    arguments = ("--host", "127.0.0.1", "--port", "0", "--data", str(folder), "--until-eof")

    said = subprocess.run(
        (sys.executable, "-m", "server", *arguments, *(["--ready-json"] if as_json else [])),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "utf-8:strict"},  # as in most locales
        check=True,
    )

    if as_json:
        ready = msgspec.json.decode(said.stdout)  # as the client does, which takes no half pairs
        assert ready["data"] == str(tmp_path / "evening \N{REPLACEMENT CHARACTER}")
    else:
        assert rf"data {tmp_path}/evening \udcff (kept" in said.stdout.decode()


@contextlib.contextmanager
def nobody_reads() -> Iterator[int]:
    """A pipe of which the other end is closed."""
    ear, mouth = os.pipe()
    os.close(ear)
    try:
        yield mouth
    finally:
        os.close(mouth)


@contextlib.contextmanager
def full_disk() -> Iterator[int]:
    """A file on a disk that is full."""
    with Path("/dev/full").open("wb") as full:
        yield full.fileno()


@pytest.mark.parametrize(
    "output",
    [
        pytest.param(nobody_reads, id="nobody reads it any more"),
        pytest.param(
            full_disk,
            id="it goes into a file on a full disk",
            marks=pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full"),
        ),
    ],
)
def test_a_server_whose_ready_line_could_not_be_written_said_that_a_bug_had_ended_it(
    output: Callable[[], AbstractContextManager[int]],
) -> None:
    arguments = ("--host", "127.0.0.1", "--port", "0", "--in-memory", "--until-eof")

    with output() as stdout:
        ended = subprocess.run(
            (sys.executable, "-m", "server", *arguments),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert ended.returncode == 0
    (said,) = ended.stderr.splitlines()
    assert "standard output cannot be written: " in said


def printed(
    *arguments: str, unbuffered: str = "", **streams: int
) -> subprocess.CompletedProcess[bytes]:
    """What came of a server that only had something to print."""
    program = [sys.executable, "-m", "server", *arguments]
    variables = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    return subprocess.run(program, cwd=ROOT, env=variables, check=False, **streams)  # type: ignore[call-overload,no-any-return]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("option", ["--help", "--version"])
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["at the end", "at once"])
def test_a_servers_help_for_which_there_was_no_room_ended_well_and_said_nothing(
    option: str, unbuffered: str
) -> None:
    with full_disk() as disk:
        told = printed(option, unbuffered=unbuffered, stdout=disk, stderr=subprocess.PIPE)

    assert told.stderr == b"facedown-server: this cannot be printed: no space left on device\n"
    assert told.returncode == 141


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_a_servers_help_that_nobody_read_once_ended_in_a_complaint_of_pythons(option: str) -> None:
    with nobody_reads() as pipe:
        told = printed(option, stdout=pipe, stderr=subprocess.PIPE)

    assert (told.stderr, told.returncode) == (b"", 141)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("option", ["--foo", "--port=x"])
def test_a_wrong_option_that_could_not_be_complained_of_ended_as_a_crash(option: str) -> None:
    with full_disk() as disk:
        told = printed(option, stderr=disk)

    assert told.returncode == 2
