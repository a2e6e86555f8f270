"""People without connections: who is known to a server, with lines that only keep what is posted."""

from typing import Any

import pytest

from protocol.codec import decode_event
from protocol.commands import Hello
from protocol.events import Event
from protocol.framing import PREFIX
from protocol.numbers import EventNumber
from protocol.refusals import Refusal
from server.config import Settings
from server.people import People, Unwelcome
from server.person import Person
from tests.support.callers import a_hello

HOME = "127.0.0.1"


class FakeLine:
    """A line that keeps what is posted."""

    def __init__(self) -> None:
        self.posted: list[tuple[EventNumber, Event]] = []
        self.serial = 0

    def post(self, frame: bytes) -> None:
        self.posted.append(decode_event(frame[PREFIX:]))

    def flush(self) -> None:
        """What is posted is kept at once: there is nothing to send."""

    def ping(self, rtt_us: int | None) -> None:
        raise AssertionError(rtt_us)

    def say_goodbye(self, refusal: Refusal) -> None:
        raise AssertionError(refusal)


def some_people(**settings: Any) -> People:  # noqa: ANN401 - settings are of all types
    return People(Settings(**settings))


def admit(
    people: People, hello: Hello, address: str = HOME, now: int = 0
) -> tuple[Person, bytes | None]:
    """Somebody says hello, on a line that is as new as any."""
    return people.admit(hello, address, now, serial=0)


def arrive(
    people: People, name: str, address: str = HOME, *, secret: bytes | None = None, now: int = 0
) -> tuple[Person, bytes]:
    """Somebody says hello and has a line from then on."""
    hello = a_hello(name, secret=secret)
    person, given = admit(people, hello, address, now)
    people.let_in(person, name, hello, address, now=now, serial=0)
    person.line = FakeLine()
    people.came(person)
    return person, secret or given or b""


def go(people: People, person: Person, now: int = 0) -> None:
    person.line = None
    people.went(person, now)


def refusal_of(people: People, hello: Hello, address: str = HOME, now: int = 0) -> Refusal:
    """Why this hello is not let in."""
    with pytest.raises(Unwelcome) as no:
        admit(people, hello, address, now)
    return no.value.refusal


def pretend_to_sit_somewhere(person: Person) -> None:
    """Somebody has a seat to keep."""
    person.lobby = object()  # type: ignore[assignment]
