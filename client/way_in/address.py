"""Where a server is: HOST[:PORT][/CODE] as people type and paste it. Pure."""

import ipaddress
import re

from msgspec import Struct

DEFAULT_PORT = 5252
LAST_PORT = 65535
MAX_CODE = 24
FORM = "An address is HOST, HOST:PORT or HOST/FOX-42."
SEE_CODE = "A lobby code looks like FOX-42."


_WITHOUT_DASHES = re.compile(r"([A-Z]{3})-?([0-9]{2,})-?([A-Z]{4})?")
_WORD = re.compile(r"[A-Za-z0-9-]+")
_IN_BRACKETS = re.compile(r"\[(.*)\](?::(.*))?")
_NAME = re.compile(r"(?:[\w-]{1,63}\.)*[\w-]{1,63}\.?")


class BadAddress(ValueError):
    """What was typed is no address; the message is for a person."""


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


def is_one_place(server: str, other: str) -> bool:
    """Whether these are one HOST:PORT: this machine has several names for itself."""
    return _said_one_way(server) == _said_one_way(other)


def is_on_this_machine(server: str) -> bool:
    """Whether this HOST:PORT is one of those names."""
    return _said_one_way(server).startswith("localhost:")


def _said_one_way(server: str) -> str:
    host, _, port = server.casefold().rpartition(":")
    return f"{'localhost' if host in {'127.0.0.1', '[::1]'} else host}:{port}"


def read_address(text: str) -> Address:
    """Read "host", "host:port", "[v6]:port" or any of them with "/FOX-42" after it.

    Raises:
        BadAddress: it is none of these.
    """
    server, _, code = text.strip().removeprefix("facedown join ").strip().partition("/")
    host, port = _split(server)
    if code and not may_be_a_code(code):
        raise BadAddress(SEE_CODE)
    return Address(host=host, port=_read_port(port), code=code_meant(code) or None)


def may_be_a_code(text: str) -> bool:
    """Whether a lobby may have this code: no more letters in capitals than as typed, and no others."""
    return text.isascii() and 0 < len(text) <= MAX_CODE


def code_meant(text: str) -> str:
    """A lobby's code in capitals; its dashes need not be typed: fox42 is FOX-42."""
    code = text.upper()
    parts = _WITHOUT_DASHES.fullmatch(code)
    return "-".join(filter(None, parts.groups())) if parts else code


def is_usual_code(text: str) -> bool:
    """Whether this is a code as servers make them, and no other word."""
    return bool(_WITHOUT_DASHES.fullmatch(text))


def in_a_command(code: str) -> str:
    """A lobby's code as a command line may have it: a server could call a lobby what a shell would obey."""
    return code if _WORD.fullmatch(code) else "CODE"


def _split(server: str) -> tuple[str, str | None]:
    """Host and port; None if no port is given."""
    if parts := _IN_BRACKETS.fullmatch(server):
        host, port, fits = parts[1], parts[2], _is_ip6(parts[1])
    elif server.count(":") > 1:
        host, port, fits = server, None, _is_ip6(server)
    else:
        host, colon, port = server.partition(":")
        port, fits = port if colon else None, _is_a_name(host)
    if not fits or port == "":  # as in http://pi
        raise BadAddress(FORM)
    return host, port


def _is_ip6(text: str) -> bool:
    try:
        return bool(ipaddress.IPv6Address(text))
    except ValueError:
        return False


def _is_a_name(text: str) -> bool:
    """Whether a machine may have this name, or this IPv4 address: else looking it up fails badly."""
    try:
        return bool(_NAME.fullmatch(text)) and (text.isascii() or bool(text.encode("idna")))
    except UnicodeError:
        return False


def _read_port(text: str | None) -> int:
    if text is None:
        return DEFAULT_PORT
    is_number = text.isascii() and text.isdigit() and len(text) < 6  # noqa: PLR2004
    if not (is_number and 0 < int(text) <= LAST_PORT):
        message = f"A port is a number from 1 to {LAST_PORT}."
        raise BadAddress(message)
    return int(text)
