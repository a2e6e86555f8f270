"""Places, and the plays turned up when a deal is over (RULES A16, B16, B24)."""

import msgspec
import pytest

from protocol.cards import Rank
from protocol.events import Confession, SeatState
from protocol.rules import RankOrder, TableRules
from server.game.outcome import places
from server.game.pages import paged
from tests.support.deals import a_table

FRAME = 64 * 1024


@pytest.mark.parametrize(
    ("out", "sizes", "expected"),
    [
        pytest.param({0: 1}, (0, 3, 3, 5), (1, 2, 2, 4), id="equal hands share a place"),
        pytest.param({}, (2, 7, 2, 9), (1, 3, 1, 4), id="nobody is out"),
        pytest.param({2: 1, 0: 2}, (0, 4, 0, 1), (2, 4, 1, 3), id="two are out"),
        pytest.param({1: 1, 3: 2, 0: 3}, (0, 0, 6, 0), (3, 1, 4, 2), id="one is left"),
    ],
)
def test_places_go_by_going_out_and_then_by_cards_left(
    out: dict[int, int], sizes: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    seats = tuple(
        SeatState(name=f"P{seat}", cards=size, place=out.get(seat))
        for seat, size in enumerate(sizes)
    )

    assert places(seats, sizes) == expected


def test_every_play_is_turned_up_when_the_deal_is_over() -> None:
    rules = TableRules(window_s=0)
    table = a_table(["KD 2S", "9H", "3C"], rules).play("KD").play("9H").time_up()

    confession = table.views[None].confession

    assert [(play.seat, play.is_lie, *map(str, play.faces)) for play in confession] == [
        (0, True, "KD"),
        (1, True, "9H"),
    ]


def test_nothing_is_turned_up_where_the_rules_say_so() -> None:
    table = a_table(["KD", "9H"], TableRules(confess=False)).play("KD").time_up()

    assert table.kinds() == ["Stands", "WentOut", "DealOver"]
    assert table.views[None].confession == ()


def test_a_long_confession_comes_in_pages_that_say_when_more_follow() -> None:
    rules = TableRules(rank_order=RankOrder.FREE, window_s=0, reveal_s=0)
    table = a_table(["KD 2S", "9H 3H"], rules)
    for _ in range(202):
        table.play("KD", rank=Rank.TWO).doubt(1)

    table.stop()

    pages = [event for event in table.events if isinstance(event, Confession)]

    assert [(page.play, len(page.faces)) for page in pages] == [(1, 200), (201, 2)]
    assert [page.more for page in pages] == [True, False]


def test_pages_are_bounded_by_weight_and_lose_nothing() -> None:
    items = ["x" * 10_000] * 7

    pages = paged(items)

    assert [len(page) for page in pages] == [3, 3, 1]
    assert all(len(msgspec.msgpack.encode(page)) < FRAME for page in pages)


def test_one_heavy_item_has_a_page_of_its_own() -> None:
    assert paged(["x" * 40_000, "y"]) == [("x" * 40_000,), ("y",)]


def test_nothing_makes_no_page() -> None:
    assert paged([]) == []
