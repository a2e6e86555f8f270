"""Faults of ours, made where a test wants them."""

from collections.abc import Callable
from typing import NoReturn

from protocol import events as e
from server.hall import Hall
from server.table.table import Table
from tests.support.guests import Guest, the_lobby


def table_of(hall: Hall) -> Table:
    """The table of the only lobby there is."""
    table = the_lobby(hall).table
    assert table is not None
    return table


def broken(*_: object, **__: object) -> NoReturn:
    """What stands in for something of ours that fails. Raises ValueError."""
    message = "this is a fault of ours"
    raise ValueError(message)


def break_once(owner: object, name: str, calls: int = 1) -> None:
    """The next call of this fails, or the next few; those after it are as ever."""
    whole: Callable[..., object] = getattr(owner, name)
    left = iter(range(calls - 1))

    def fails(*arguments: object, **fields: object) -> NoReturn:
        if next(left, None) is None:
            setattr(owner, name, whole)
        broken(*arguments, **fields)

    setattr(owner, name, fails)


def break_commands(hall: Hall) -> None:
    """From now on this table cannot obey anybody; a table in its place can."""
    table_of(hall).holder_of = broken  # type: ignore[method-assign]


def break_rulings(hall: Hall) -> None:
    """From now on this table cannot rule on a challenge; a table in its place can."""
    table_of(hall).calls.decide = broken  # type: ignore[method-assign]


async def hears_of_it(guest: Guest) -> e.Paused:
    """Wait until somebody is told that the table stands still after a mistake."""
    return await guest.wait_for(e.Paused, lambda event: event.reason is e.PauseReason.MISTAKE)
