"""What still fits where as much waits at a lobby as may."""

import pytest
import trio
from trio.testing import MockClock

from protocol import commands as c
from protocol import events as e
from protocol.refusals import Refusal
from server.lobby.lobby import ALWAYS_FIT
from server.session import Session
from tests.support.attackers import arrive_together, person_of
from tests.support.guests import Guest, a_hall, a_party, code_of, the_lobby


@pytest.mark.parametrize(
    ("waiting", "refusal"),
    [pytest.param(1, None, id="room for one"), pytest.param(2, Refusal.TOO_FAST, id="full")],
)
async def test_who_joins_fits_into_the_last_place_and_into_none_after_it(
    nursery: trio.Nursery, autojump_clock: MockClock, waiting: int, refusal: Refusal | None
) -> None:
    hall = a_hall(nursery, inbox=2)
    (maker,) = await a_party(hall, nursery, "ana")
    joiner = Guest(hall, nursery, "bo")
    await joiner.connect()
    join = {"code": the_lobby(hall).code}

    *_, joined = arrive_together(
        hall, *[(maker, c.SetReady, {})] * waiting, (joiner, c.JoinLobby, join)
    )

    assert code_of(await joiner.answer_to(joined)) is refusal


async def test_that_a_line_is_lost_fits_whatever_its_owner_has_waiting_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, inbox=1)
    ana, bo = await a_party(hall, nursery, "ana", "bo")

    arrive_together(hall, *[(bo, c.SetReady, {})] * ALWAYS_FIT)
    line = person_of(hall, bo).line
    assert isinstance(line, Session)
    line.close_now()

    news = await ana.wait_for(e.LobbyNews, lambda news: news.news is e.News.LOST)
    assert news.name == "bo"
