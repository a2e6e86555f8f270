"""Pages of the daybook: what each transaction kept, one after the other, until it is posted.

A page is one row, whatever was in the transaction. So a commit is one statement that changes the
newest page of the file and nothing else, where a row for each change, each in the table where it
belongs, would be many of both. `posting` brings the tables up to date, now and then.
"""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Annotated, NamedTuple, get_args

import msgspec
from msgspec import Meta, Struct

from protocol.numbers import LARGEST
from server.journal.records import Change
from server.journal.rows import Row, of_page
from server.journal.store import Complain, Damaged, one_line


class Entry(Struct, frozen=True, array_like=True, gc=False):
    """One change on a page.

    `kind` is its tag, `key` a person's digest or a lobby's code; `number` that of the command,
    of the line, or of the action in its deal, and of a lobby whether a deal runs there.
    """

    kind: str
    key: bytes
    number: Annotated[int, Meta(ge=0, le=LARGEST)]
    body: bytes


class Page(NamedTuple):
    """All that one transaction kept, and the rules engine that wrote it."""

    place: int  # its place in the daybook, from 1
    engine: int
    entries: tuple[Entry, ...]


Packed = tuple[str, bytes, int, bytes]
"""The same as whoever makes a page hands it over."""

TAGS: dict[type, str] = {kind: kind.__struct_config__.tag for kind in get_args(Change)}

_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(tuple[Entry, ...]).decode


def page_of(place: int, entries: Iterable[Packed]) -> Row:
    """The row for these entries on this page, counted from 1."""
    return Row.of(of_page(place), _PACK(entries))


def pages(connection: sqlite3.Connection, complain: Complain) -> Iterator[Page]:
    """All pages, the oldest first; `complain` is told of what is damaged or missing."""
    statement = "SELECT place, engine, body, checksum FROM daybook ORDER BY place"
    expected = 1
    for place, *columns in connection.execute(statement):
        if place != expected:
            complain(Damaged(of_page(place), f"page {expected} should come here"))
        expected = place + 1
        row = Row(*columns)
        try:
            entries = _read(place, row)
        except Damaged as damage:
            complain(damage)
        else:
            yield Page(place, row.engine, entries)


def _read(place: int, row: Row) -> tuple[Entry, ...]:
    where = of_page(place)
    try:
        row.verify(where)
        return _UNPACK(row.body)
    except (TypeError, ValueError, OverflowError, RecursionError) as fault:
        raise Damaged(where, f"it cannot be read ({one_line(fault)})") from fault
