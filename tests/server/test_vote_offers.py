"""When people at a long deal are reminded that they may vote to end it (RULES B21)."""

import pytest
import trio
from msgspec.structs import replace
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted
from protocol.numbers import PlayNumber, Seat
from server.game.deal import LaidCards
from server.table.table import Table
from tests.support.guests import Guest, a_hall, a_table


@pytest.mark.parametrize(
    ("play", "is_offered"),
    [
        pytest.param(149, False, id="149"),
        pytest.param(150, True, id="150"),
        pytest.param(151, False, id="151"),
        pytest.param(199, False, id="199"),
        pytest.param(200, True, id="200"),
        pytest.param(250, True, id="250"),
    ],
)
async def test_a_vote_is_offered_at_play_150_and_every_50_after(
    nursery: trio.Nursery, autojump_clock: MockClock, play: int, *, is_offered: bool
) -> None:
    hall = a_hall(nursery)
    first, second = await a_table(hall, nursery, "ana", "bo")
    (lobby,) = hall.lobbies.values()
    assert lobby.table is not None
    _play_on_from(lobby.table, play - 1)

    assert isinstance(await _lay(first, after=play - 1), Accepted)
    await second.wait_for(e.Played)
    await second.ask(c.Say, text="and now?")  # whatever came of the play has been told by then

    offers = second.all_heard(e.VoteOffered)
    assert [offer.plays for offer in offers] == ([play] if is_offered else [])


def _play_on_from(table: Table, newest: int) -> None:
    """Let so many plays have been made, of which nothing else is known."""
    public = replace(table.deal.table, newest=PlayNumber(newest))
    nothing = (LaidCards(Seat(0), ()),) * newest
    table.restart(replace(table.deal, table=public, laid=nothing))


async def _lay(guest: Guest, *, after: int) -> object:
    assert guest.view is not None
    (rank, *_), (card, *_) = guest.view.table.due, guest.view.hand
    return await guest.ask(
        c.PlayCards, after=PlayNumber(after), pile=0, cards=(card.id,), count=1, rank=rank
    )
