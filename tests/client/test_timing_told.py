"""Where the kernel stamps nothing, people are told so: on coming in and with each ruling (RULES C1)."""

import pytest
from msgspec.structs import replace as changed

from client.command_line.doctor import timing_line
from client.plain.told import told
from client.screens.desk import Desk, Overlay
from client.screens.page import draw
from client.state import ClientState, LinkLost
from client.store import AnyEvent, reduce
from protocol import events as e
from protocol.answers import Stamps, Welcome
from protocol.numbers import Seat
from tests.support.scenes import the_window
from tests.support.screen_states import (
    SIZES,
    WELCOME,
    YOU,
    a_frame,
    folded,
    in_lobby,
    lobby_state,
    online,
    ruled,
    texts,
)

UNSTAMPED = changed(WELCOME, stamps=Stamps.AFTER_READ)
NOTICE = "Challenges are timed after reading (no kernel stamps)."
EVERY_SIZE = [pytest.param(size, id=f"{size[0]}x{size[1]}") for size in SIZES]
FIRST = ClientState(name="maya")


def page(state: ClientState, size: tuple[int, int] = (80, 24)) -> str:
    return "\n".join(texts(draw(a_frame(state, size, desk=Desk()))))


def log_of(state: ClientState) -> str:
    return "\n".join(texts(draw(a_frame(state, (80, 40), desk=Desk(overlay=Overlay.LOG)))))


def printed(before: ClientState, *events: AnyEvent) -> list[str]:
    """What the plain client says to these events."""
    lines: list[str] = []
    state = before
    for event in events:
        earlier, state = state, reduce(state, event, 10.0)
        lines.extend(told(earlier, event, state))
    return lines


# --- on coming in ---------------------------------------------------------------------------------


@pytest.mark.parametrize("size", EVERY_SIZE)
def test_the_hall_and_the_lobby_say_it_on_every_screen(size: tuple[int, int]) -> None:
    hall = folded((UNSTAMPED, e.HallChanged(online=5, lobbies=())))
    lobby = folded((e.LobbyChanged(lobby=lobby_state()),), hall)

    assert NOTICE in page(hall, size)
    assert NOTICE in page(lobby, size)


def test_where_the_kernel_stamps_nothing_is_said_of_it() -> None:
    assert "timed" not in page(online())
    assert "timed" not in page(in_lobby())
    assert not any("timed" in line for line in printed(FIRST, WELCOME))


def test_the_plain_client_says_it_once_and_not_at_each_return() -> None:
    lost = LinkLost(reason="reset", attempt=1, retry_s=1.0)

    lines = printed(FIRST, UNSTAMPED, lost, changed(UNSTAMPED, resumed=True))

    assert lines.count(f"NOTE: {NOTICE}") == 1


def test_another_server_that_times_differently_is_told_of() -> None:
    assert f"NOTE: {NOTICE}" in printed(folded((WELCOME,)), UNSTAMPED)


@pytest.mark.parametrize(
    ("welcome", "line"),
    [
        pytest.param(WELCOME, "by the kernel's arrival stamps.", id="stamped"),
        pytest.param(UNSTAMPED, "after reading (no kernel stamps).", id="not stamped"),
    ],
)
def test_the_doctor_says_how_challenges_are_timed(welcome: Welcome, line: str) -> None:
    assert timing_line(welcome) == f"TIMING: challenges are timed {line}"


# --- with each ruling -----------------------------------------------------------------------------


@pytest.mark.parametrize("size", EVERY_SIZE)
@pytest.mark.parametrize("unstamped", [True, False], ids=["not stamped", "stamped"])
def test_the_reveal_says_that_a_call_was_timed_after_reading(
    size: tuple[int, int], *, unstamped: bool
) -> None:
    state = folded((ruled(unstamped=unstamped),), the_window())

    assert ("timed after reading" in page(state, size)) is unstamped


def test_the_plain_client_says_it_behind_the_call_order() -> None:
    lines = printed(the_window(), ruled(unstamped=True))

    assert "CALLS: you 1.2 s (round trip 3.0 ms), bo +83 ms (ssh); timed after reading." in lines


def test_the_plain_client_says_it_of_a_lone_call_too() -> None:
    only = ruled().calls[:1]

    assert "CALLS: you 1.2 s; timed after reading." in printed(
        the_window(), ruled(calls=only, unstamped=True)
    )
    assert not any("CALLS" in line for line in printed(the_window(), ruled(calls=only)))


@pytest.mark.parametrize("size", EVERY_SIZE)
def test_in_a_photo_finish_who_won_it_stood_before_who_called_first(size: tuple[int, int]) -> None:
    calls = (e.Call(seat=Seat(1), after_us=900_000), e.Call(seat=YOU, after_us=150_000))
    heat = ruled(calls=calls, dead_heat=e.DeadHeat.PHOTO_FINISH)

    state = folded((heat,), the_window())

    assert "first bo    0.900 s" in page(state, size)
    assert "won   maya  +150 ms" in page(state, size)
    assert "after 1.1 s, in a photo finish" in log_of(state)


@pytest.mark.parametrize(
    ("heat", "why"),
    [(e.DeadHeat.PHOTO_FINISH, "photo finish"), (e.DeadHeat.EQUAL_ARRIVAL, "dead heat")],
)
def test_the_plain_client_did_not_say_why_in_a_dead_heat_this_call_counts(
    heat: e.DeadHeat, why: str
) -> None:
    calls = (e.Call(seat=Seat(1), after_us=900_000), e.Call(seat=YOU, after_us=150_000))

    told = printed(the_window(), ruled(calls=calls, dead_heat=heat))

    assert f"CALLS: bo 900 ms, you +150 ms; {why}: nearest to dee's left counts." in told


# --- round trips ----------------------------------------------------------------------------------


@pytest.mark.parametrize("calls", [1, 2], ids=["a lone call", "two calls"])
def test_the_round_trip_of_a_lone_call_stood_behind_it_with_nothing_to_compare_it_to(
    calls: int,
) -> None:
    state = folded((ruled(calls=ruled().calls[:calls]),), the_window())

    pages = [page(state), log_of(state)]

    assert ["(3 ms)" in each for each in pages] == [calls > 1] * 2
    assert all("first" in each and "1.204 s" in each for each in pages)
