"""Guests who do what no honest client does: many things in one piece, or at the very same instant."""

from collections.abc import Mapping
from typing import Any

from protocol.commands import ClientMessage
from protocol.numbers import CommandNumber
from server.arrivals import Arrived, now_us
from server.hall import Hall
from server.person import Person
from tests.support.guests import Guest

Asked = tuple[type[Any], Mapping[str, object]]


async def send_together(guest: Guest, *asked: Asked) -> list[int]:
    """Send commands that the server reads at once; their numbers."""
    first = guest._number + 1
    guest._number += len(asked)
    messages: list[ClientMessage] = [
        kind(n=CommandNumber(first + place), **(guest.aim(kind) | {**fields}))
        for place, (kind, fields) in enumerate(asked)
    ]
    await send_as_they_are(guest, *messages)
    return list(range(first, first + len(asked)))


async def send_as_they_are(guest: Guest, *messages: ClientMessage) -> None:
    """Send messages in one piece, whatever their numbers are."""
    data = b"".join(guest._connection.send(message) for message in messages)
    await guest._stream.send_all(data)


def arrive_together(hall: Hall, *asked: tuple[Guest, type[Any], Mapping[str, object]]) -> list[int]:
    """Commands of several guests that reach the hall in this order before anything is done."""
    numbers = []
    for guest, kind, fields in asked:
        guest._number += 1
        numbers.append(guest._number)
        arrived = Arrived(data=b"", at=now_us(), stamped=False)
        command = kind(n=CommandNumber(guest._number), **(guest.aim(kind) | {**fields}))
        hall.obey(person_of(hall, guest), command, arrived)
    return numbers


def person_of(hall: Hall, guest: Guest) -> Person:
    """The guest as the server knows them."""
    return next(person for person in hall.people if person.name == guest.name)
