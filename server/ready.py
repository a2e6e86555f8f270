"""What a server says once it is ready: a line for a person, or one of JSON for the program that started it."""

import ipaddress
import json
import socket
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from protocol.answers import Stamps
from server.addresses import is_loopback
from server.config import DEFAULT_PORT
from server.networks import own_addresses

ALL_OF_IPV4 = "0.0.0.0"  # noqa: S104 - said, not bound
NO_NETWORK = "on no network yet; once it is, ip address or ifconfig says what friends join"
IPV6_ALONE = "on no network of IPv4; --host :: listens on IPv6 as well"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A server that can be joined from now on."""

    host: str  # the address that the server listens on
    port: int
    folder: Path | None  # where the journal is, if anything is kept
    trial_us: int | None  # how long it takes to keep something there
    stamps: Stamps
    server: str  # its id, by which clients find the secret that is theirs

    def in_words(self) -> str:
        """For a person."""
        by_kernel = self.stamps is Stamps.KERNEL
        timed = (
            "by the kernel's arrival stamps"
            if by_kernel
            else "after reading (no kernel stamps here)"
        )
        where = f"{with_port(self.host, self.port)}{on_the_network(self.host, self.port)}"
        return f"facedown-server ready on {where}  {self._kept()}  challenges timed {timed}"

    def _kept(self) -> str:
        if self.trial_us is None:
            return "nothing is kept: tables end with the server"
        return f"data {self.folder} (kept in {self.trial_us / 1000:.1f} ms)"

    def in_json(self) -> str:
        """For a program (server/README)."""
        said = {
            "host": self.host,
            "port": self.port,
            "friends": _reached_at(self.host),
            "data": None if self.folder is None else _as_text(self.folder),
            "stamps": self.stamps,
            "server": self.server,
        }
        return json.dumps(said)


def _as_text(path: Path) -> str:
    """A path of which any program can read the name, if not use it: some names are no text."""
    return str(path).encode(errors="surrogateescape").decode(errors="replace")


def on_the_network(host: str, port: int) -> str:
    """What friends can type, where the server listens on more than this machine alone."""
    if is_loopback(host):
        return ""
    friends = " or ".join(map(partial(_as_typed, port=port), _reached_at(host)))
    if friends:
        return f" (friends: facedown join {friends})"
    has_ipv6_alone = host == ALL_OF_IPV4 and own_addresses(socket.AF_INET6)
    return f" ({IPV6_ALONE if has_ipv6_alone else NO_NETWORK})"


def _reached_at(host: str) -> tuple[str, ...]:
    """The addresses where others find this machine; none if it listens to this one alone."""
    if is_loopback(host):
        return ()
    if not ipaddress.ip_address(host).is_unspecified:
        return (host,)
    if host == ALL_OF_IPV4:
        return own_addresses()
    return own_addresses() or own_addresses(socket.AF_INET6)


def on_this_machine(host: str, port: int) -> str:
    """What people on this machine type."""
    usual = host == "127.0.0.1" or ipaddress.ip_address(host).is_unspecified
    return _as_typed("localhost" if usual else host, port)


def _as_typed(address: str, port: int) -> str:
    return address if port == DEFAULT_PORT else with_port(address, port)


def with_port(address: str, port: int) -> str:
    """Address and port, as they can be typed."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
