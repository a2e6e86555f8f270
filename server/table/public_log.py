"""The log of a deal, packed: its full pages once, for all who are ever shown it."""

from collections.abc import Sequence

from protocol.codec import encode_event
from protocol.views import LogEntry
from server.game.pages import paged
from server.game.view import log_page


class PublicLog:
    """Pages that are full never change: what comes later stands on later ones.

    Without them whoever comes and goes at a long deal costs the server milliseconds each time.
    """

    __slots__ = ("_entries", "_full")

    def __init__(self) -> None:
        self._full: list[bytes] = []
        self._entries = 0  # how many entries are on the full pages

    def pages(self, log: Sequence[LogEntry]) -> tuple[bytes, ...]:
        """The packed pages of this log, which is the one of the last time and what came since."""
        *full, last = paged(log[self._entries :]) or [()]
        for page in full:
            self._full.append(encode_event(log_page(page)))
            self._entries += len(page)
        newest = (encode_event(log_page(last)),) if last else ()
        return (*self._full, *newest)
