"""The answers kept for a command that comes again."""

from protocol.answers import Accepted, Refused
from protocol.codec import encode_event
from protocol.numbers import CommandNumber
from protocol.refusals import Refusal
from server.answered import Answered
from server.journal.records import STORED_ANSWERS

NUMBERS = [CommandNumber(number) for number in range(1, STORED_ANSWERS + 2)]
LARGEST = CommandNumber(2**53)


def an_acceptance(number: CommandNumber) -> bytes:
    return encode_event(Accepted(n=number))


def a_refusal(number: CommandNumber) -> bytes:
    return encode_event(Refused(n=number, code=Refusal.STALE))


def test_each_answer_is_given_again_as_it_was() -> None:
    answers = Answered()
    refused, accepted, never_given = NUMBERS[:3]

    answers.note(refused, a_refusal(refused))
    answers.note(accepted)
    answers.note(LARGEST)

    assert answers.packed(refused) == a_refusal(refused)
    assert answers.packed(accepted) == an_acceptance(accepted)
    assert answers.packed(LARGEST) == an_acceptance(LARGEST)
    assert answers.packed(never_given) is None


def test_the_oldest_answer_is_forgotten_also_a_refusal() -> None:
    answers = Answered()

    for number in NUMBERS:
        answers.note(number, a_refusal(number))

    assert list(answers) == NUMBERS[1:]
    assert answers.packed(NUMBERS[0]) is None
    assert answers.packed(NUMBERS[1]) == a_refusal(NUMBERS[1])


def test_a_refusal_that_is_forgotten_takes_no_room() -> None:
    answers = Answered()
    for number in NUMBERS:
        answers.note(number, a_refusal(number))

    for number in NUMBERS:
        answers.note(CommandNumber(100 + number))

    assert not answers._refusals


def test_an_answer_dropped_before_that_to_an_older_command_was_once_taken_for_lost() -> None:
    lost, *others = NUMBERS[4:]
    answers = Answered()
    for number in (*NUMBERS[:4], *others, lost):  # which was said again after a restart
        answers.note(number)

    for later in range(100, 100 + STORED_ANSWERS - 1):
        answers.note(CommandNumber(later))

    assert next(iter(answers)) == lost
    assert not any(answers.reach(number) for number in others)
