"""Where a server is: HOST[:PORT][/CODE] as people type and paste it. Pure."""

import ipaddress

from msgspec import Struct

DEFAULT_PORT = 5252
LAST_PORT = 65535
MAX_CODE = 24
SEE_CODE = "A lobby code looks like FOX-42."


class Address(Struct, frozen=True, kw_only=True):
    """A server, and perhaps a lobby on it."""

    host: str
    port: int = DEFAULT_PORT
    code: str | None = None

    def __str__(self) -> str:
        """The server without the lobby: "192.168.1.20:5252"."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this very machine."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host.casefold() == "localhost"


class Recent(Struct, frozen=True, kw_only=True):
    """A server this person has been to."""

    address: str
    note: str = ""


def read_address(text: str) -> Address:
    """Read "host", "host:port", "[v6]:port" or any of them with "/FOX-42" after it.

    Raises:
        ValueError: it is none of these; the message is for a person.
    """
    server, _, code = text.strip().removeprefix("facedown join ").strip().partition("/")
    host, port = _split(server)
    if not host or any(character.isspace() for character in host):
        message = "An address is HOST, HOST:PORT or HOST/FOX-42."
        raise ValueError(message)
    if code and not may_be_a_code(code):
        raise ValueError(SEE_CODE)
    return Address(host=host, port=_read_port(port), code=code.upper() or None)


def may_be_a_code(text: str) -> bool:
    """Whether a lobby may have this code: no more letters in capitals than as typed, and no others."""
    return text.isascii() and 0 < len(text) <= MAX_CODE


def _split(server: str) -> tuple[str, str]:
    if server.startswith("["):
        host, _, rest = server[1:].partition("]")
        return host, rest.removeprefix(":")
    if server.count(":") > 1:
        return server, ""
    host, _, port = server.partition(":")
    return host, port


def _read_port(text: str) -> int:
    if not text:
        return DEFAULT_PORT
    if not (text.isascii() and text.isdigit() and 0 < int(text) <= LAST_PORT):
        message = f"A port is a number from 1 to {LAST_PORT}."
        raise ValueError(message)
    return int(text)
