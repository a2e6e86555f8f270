"""Rows of the journal: a change as bytes, with the version of the rules engine and a checksum.

The checksum covers where the row belongs as well as what is in it, so that a row which strayed to
another lobby or another place in a deal is noticed.
"""

import zlib
from collections.abc import Iterable
from typing import NamedTuple, Self, TypeVar, get_args

import msgspec

from server.journal.records import ENGINE, ActionDone, Change, DealBegun
from server.journal.store import Damaged, OtherRules, one_line

C = TypeVar("C", bound=Change)

_ENCODE = msgspec.msgpack.Encoder().encode
_DECODE = {kind: msgspec.msgpack.Decoder(kind).decode for kind in get_args(Change)}
_REPLAYED = (DealBegun, ActionDone)

Written = tuple[Change, bytes]
"""A change and its bytes."""


def written(changes: Iterable[Change]) -> tuple[Written, ...]:
    """The changes with their bytes, each of which was read back.

    Raises:
        ValueError: a change that would be read as another, or not at all.
    """
    return tuple([(change, _bytes_of(change)) for change in changes])


def _bytes_of(change: Change) -> bytes:
    body = _ENCODE(change)
    # A row that cannot be read would keep the server from ever starting again.
    if _DECODE[type(change)](body) != change:
        # What is in it stays out of the log: hands, and secrets of a lobby.
        message = f"{type(change).__name__} is not read back as it was written"
        raise ValueError(message)
    return body


def as_change(body: bytes, kind: type[C]) -> C:
    """The change in these bytes.

    Raises:
        ValueError: there is none of this kind in them.
    """
    change: C = _DECODE[kind](body)
    return change


class Row(NamedTuple):
    """What every table has: which rules engine wrote it, what it says, and the checksum."""

    engine: int
    body: bytes
    checksum: int

    @classmethod
    def of(cls, where: str, body: bytes, engine: int | None = None) -> Self:
        """The row for these bytes at this place, written by our rules engine or by an earlier one."""
        engine = ENGINE if engine is None else engine
        return cls(engine, body, _checksum(where, engine, body))

    def verify(self, where: str) -> None:
        """Check that the row is what was written at this place.

        Raises:
            Damaged: it is not.
            TypeError: it is of other kinds than a row.
        """
        if _checksum(where, self.engine, self.body) != self.checksum:
            raise Damaged(where, "its checksum is wrong")

    def read(self, where: str, kind: type[C]) -> C:
        """The change in a row that was found at this place.

        Raises:
            Damaged: it is not what was written there, or rests on other rules than ours.
        """
        try:
            self.verify(where)
            change = as_change(self.body, kind)
        except (TypeError, ValueError, OverflowError, RecursionError) as fault:
            raise Damaged(where, f"it cannot be read ({one_line(fault)})") from fault
        if self.engine != ENGINE and kind in _REPLAYED:
            raise OtherRules(where, self.engine, ENGINE)
        return change


def _checksum(where: str, engine: int, body: bytes) -> int:
    return zlib.crc32(body, zlib.crc32(f"{where} {engine}".encode()))


# --- the places of rows, as people read them and as checksums cover them --------------------------


def of_person(digest: bytes) -> str:
    """The place of a person."""
    return f"person {digest.hex()[:16]}"


def of_answer(digest: bytes, n: int) -> str:
    """The place of an answer."""
    return f"{of_person(digest)}, answer {n}"


def of_lobby(code: str) -> str:
    """The place of a lobby."""
    return f"lobby {code}"


def of_deal(code: str) -> str:
    """The place of a lobby's deal as it began."""
    return f"lobby {code}, its deal"


def of_action(code: str, number: int) -> str:
    """The place of an action of a lobby's deal, counted from 1."""
    return f"lobby {code}, record {number}"


def of_page(place: int) -> str:
    """The place of a page of the daybook, counted from 1."""
    return f"the daybook, page {place}"
