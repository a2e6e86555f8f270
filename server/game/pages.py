"""Cut long lists into pages, each of which makes a message far below the wire's limit."""

from collections.abc import Sequence
from typing import TypeVar

import msgspec

from protocol.events import MAX_LOG_PAGE

MAX_WEIGHT = 32 * 1024  # bytes of a page; a message may have 64 KiB

Item = TypeVar("Item")


def paged(items: Sequence[Item]) -> list[tuple[Item, ...]]:
    """The items in order, at most `MAX_LOG_PAGE` and about `MAX_WEIGHT` bytes on a page."""
    if len(items) <= MAX_LOG_PAGE and _weight(items) <= MAX_WEIGHT:
        return [tuple(items)] if items else []
    pages: list[tuple[Item, ...]] = []
    page: list[Item] = []
    weight = 0
    for item in items:
        heavy = _weight(item)
        if page and (len(page) == MAX_LOG_PAGE or weight + heavy > MAX_WEIGHT):
            pages.append(tuple(page))
            page, weight = [], 0
        page.append(item)
        weight += heavy
    return [*pages, tuple(page)] if page else pages


def _weight(item: object) -> int:
    # JSON is never shorter than the wire's own form, so this errs on the safe side.
    return len(msgspec.json.encode(item))
