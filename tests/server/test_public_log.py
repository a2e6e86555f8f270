"""The log of a deal as it is shown to whoever comes: full pages are packed once."""

from collections.abc import Iterator

import pytest

from protocol.codec import decode_event, frame_event
from protocol.events import MAX_LOG_PAGE, Passed
from protocol.framing import PREFIX
from protocol.numbers import EventNumber, Seat
from protocol.views import LogEntry, LogPage
from server.game.pages import paged
from server.table import public_log as module
from server.table.public_log import PublicLog

ENTRIES = tuple(Passed(seat=Seat(number % 10), turn=Seat(0)) for number in range(1000))
LENGTHS = (0, 1, MAX_LOG_PAGE, MAX_LOG_PAGE + 1, 777, 800, 1000)


def read(pages: tuple[bytes, ...]) -> Iterator[tuple[LogEntry, ...]]:
    for packed in pages:
        _, page = decode_event(frame_event(EventNumber(1), packed)[PREFIX:])
        assert isinstance(page, LogPage)
        yield page.log


def test_the_pages_are_those_of_the_log_however_often_it_was_shown_before() -> None:
    often = PublicLog()

    for length in LENGTHS:
        log = ENTRIES[:length]
        assert list(read(often.pages(log))) == paged(log) == list(read(PublicLog().pages(log)))


def test_whoever_came_to_a_long_deal_and_went_once_had_all_of_its_log_packed_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = PublicLog()
    before = shown.pages(ENTRIES[:999])
    weighed: list[int] = []

    def look_at(entries: tuple[LogEntry, ...]) -> list[tuple[LogEntry, ...]]:
        weighed.append(len(entries))
        return paged(entries)

    monkeypatch.setattr(module, "paged", look_at)
    after = shown.pages(ENTRIES)

    assert weighed == [MAX_LOG_PAGE]  # the newest page, and no other
    assert all(one is other for one, other in zip(before[:-1], after[:-1], strict=True))
