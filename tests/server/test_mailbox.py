"""What is kept for one person: numbered events for a resume, and the answers to commands."""

import pytest

from protocol.answers import Accepted, Refused
from protocol.codec import encode_event
from protocol.events import Online, Said
from protocol.numbers import CommandNumber, EventNumber
from protocol.refusals import Refusal
from server.journal.records import STORED_ANSWERS
from server.mailbox import Mailbox
from server.person import Person
from tests.support.crowds import FakeLine, arrive, some_people

# --- mailboxes ----------------------------------------------------------------------------------


def a_mailbox(kept: int, added: int) -> Mailbox:
    mailbox = Mailbox(kept)
    for number in range(1, added + 1):
        assert mailbox.add(b"%d" % number) == number
    return mailbox


@pytest.mark.parametrize(
    ("seen", "missed"),
    [
        pytest.param(5, (), id="nothing missed"),
        pytest.param(3, (4, 5), id="two missed"),
        pytest.param(2, (3, 4, 5), id="all that is kept"),
        pytest.param(1, None, id="one is no longer kept"),
        pytest.param(0, None, id="never seen any"),
        pytest.param(6, None, id="a number never given"),
    ],
)
def test_what_was_missed_is_given_in_order_or_not_at_all(
    seen: int, missed: tuple[int, ...] | None
) -> None:
    mailbox = a_mailbox(kept=3, added=5)

    after = mailbox.after(EventNumber(seen))

    expected = None if missed is None else tuple((number, b"%d" % number) for number in missed)
    assert after == expected


def test_without_room_for_any_event_only_a_snapshot_helps() -> None:
    mailbox = a_mailbox(kept=0, added=2)

    assert mailbox.after(EventNumber(1)) is None
    assert mailbox.after(EventNumber(2)) == ()


def test_long_events_once_filled_the_memory_of_the_server() -> None:
    mailbox = Mailbox(512, most_bytes=100)

    for _ in range(50):
        mailbox.add(bytes(12))

    assert len(mailbox) * 12 <= 100
    assert mailbox.after(EventNumber(41)) is None
    assert [number for number, _ in mailbox.after(EventNumber(42)) or ()] == list(range(43, 51))


def test_a_mailbox_that_was_emptied_has_room_again() -> None:
    mailbox = Mailbox(2, most_bytes=100)
    for _ in range(5):
        mailbox.add(bytes(60))

    mailbox.clear()
    mailbox.add(bytes(50))
    mailbox.add(bytes(50))

    assert [number for number, _ in mailbox.after(EventNumber(5)) or ()] == [6, 7]


def test_events_are_numbered_and_passing_ones_are_not() -> None:
    person, _ = arrive(some_people(), "ana")

    person.tell(Said(name="bo", text="hi"))
    person.tell(Online(count=2))
    person.tell(Said(name="bo", text="ho"))

    assert isinstance(person.line, FakeLine)
    assert [number for number, _ in person.line.posted] == [1, 0, 2]


def test_what_is_told_while_the_line_is_down_is_kept_for_later() -> None:
    person, _ = arrive(some_people(), "ana")
    person.line = None

    person.tell(Said(name="bo", text="hi"))
    person.flush()

    assert person.mailbox.after(EventNumber(0)) == ((1, encode_event(Said(name="bo", text="hi"))),)


# --- answers ------------------------------------------------------------------------------------


def asked(person: Person, *numbers: int) -> None:
    person.pending.extend(CommandNumber(number) for number in numbers)


def accepted(number: int) -> Accepted:
    return Accepted(n=CommandNumber(number))


def test_a_command_is_answered_once() -> None:
    person, _ = arrive(some_people(), "ana")
    asked(person, 1)

    person.answer(CommandNumber(1))
    person.answer(CommandNumber(1), Refused(n=CommandNumber(1), code=Refusal.STALE))

    assert isinstance(person.line, FakeLine)
    assert person.line.posted == [(0, accepted(1))]
    assert person.answers.packed(CommandNumber(1)) == encode_event(accepted(1))


def test_a_command_that_nobody_gave_is_not_answered() -> None:
    person, _ = arrive(some_people(), "ana")

    person.answer(CommandNumber(1))

    assert not len(person.answers)


def test_an_answer_without_a_line_is_kept_for_when_the_command_comes_again() -> None:
    person, _ = arrive(some_people(), "ana")
    person.line = None
    asked(person, 1)

    person.answer(CommandNumber(1))

    assert person.answers.packed(CommandNumber(1)) == encode_event(accepted(1))
    assert not person.pending


def test_the_newest_answers_are_kept() -> None:
    person, _ = arrive(some_people(), "ana")
    asked(person, *range(1, 101))

    for number in range(1, 101):
        person.answer(CommandNumber(number))

    assert STORED_ANSWERS == 32
    assert list(person.answers) == list(range(69, 101))
