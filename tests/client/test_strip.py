"""The photo finish: a line of time on which every call stands where it arrived."""

import pytest

from client.screens.parts.cells import text_of
from client.screens.parts.skin import ASCII, UNICODE
from client.screens.parts.strip import strip_line
from protocol import events as e
from protocol.numbers import Seat


def calls(*after_us: int) -> tuple[e.Call, ...]:
    """The first call's time is that since the window opened; the others' is after the first."""
    return tuple(e.Call(seat=Seat(seat), after_us=time) for seat, time in enumerate(after_us))


@pytest.mark.parametrize(
    ("after_us", "shown"),
    [
        pytest.param((1_204_000, 83_000), " |1-----------------2| 83 ms ", id="two"),
        pytest.param((1_204_000, 400), " |1----------------2| 0.4 ms ", id="less than a ms"),
        pytest.param((900_000, 0), " |+-----------------| 0.0 ms ", id="a dead heat"),
        pytest.param((1, 10_000, 20_000), " |1--------2--------3| 20 ms ", id="to scale"),
        pytest.param((1, 100, 20_000), " |+-----------------3| 20 ms ", id="too near to tell"),
    ],
)
def test_the_distance_is_the_time(after_us: tuple[int, ...], shown: str) -> None:
    assert text_of(strip_line(calls(*after_us), (), Seat(0), 29, ASCII)) == shown


def test_a_lone_call_is_no_race() -> None:
    assert strip_line(calls(1_000), (), Seat(0), 29, ASCII) == ()


def test_where_there_is_no_room_there_is_no_strip() -> None:
    assert strip_line(calls(1, 900_000), (), Seat(0), 18, ASCII) == ()


def test_the_late_ones_are_added_and_the_scale_grows() -> None:
    late = (e.Call(seat=Seat(5), after_us=806_000),)

    before = text_of(strip_line(calls(1, 83_000), (), Seat(0), 32, UNICODE))
    after = strip_line(calls(1, 83_000), late, Seat(0), 32, UNICODE)

    assert before == " ├1────────────────────2┤ 83 ms "
    assert text_of(after) == " ├1─2─────────────────3┤ 806 ms "
    assert ("class:dim", "3") in after


def test_the_one_that_counted_is_marked_also_when_it_was_not_the_earliest() -> None:
    line = strip_line(calls(1, 40_000, 80_000), (), Seat(1), 40, ASCII)

    assert [text for style, text in line if style == "class:first"] == ["2"]


def test_more_than_nine_have_no_digit() -> None:
    line = text_of(strip_line(calls(*range(0, 1_000_000, 90_000)), (), Seat(0), 60, ASCII))

    assert line.count("+") == 3  # the tenth, the eleventh and the twelfth
