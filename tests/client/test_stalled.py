"""A server that can keep nothing says so in a lobby, too; until it can, whoever asks for anything sees why."""

import pytest
from msgspec.structs import replace

from client.plain.lobby_reports import hall_report, lobby_lines
from client.state import ClientState, LinkLost
from protocol import events as e
from tests.support.heard import lines
from tests.support.looking import SMALL, USUAL, seen
from tests.support.scenes import a_full_lobby, the_result
from tests.support.screen_states import WELCOME, folded, in_lobby, lobby_state, online

STALLED, OVER = e.Stalled(), e.Stalled(over=True)
TEXT = "The server cannot write just now: what you ask for waits until it can."


def words(state: ClientState, size: tuple[int, int] = USUAL) -> str:
    """The page in one line."""
    return " ".join(seen(state, size=size).split())


@pytest.mark.parametrize("size", [USUAL, SMALL], ids=["80x24", "60x20"])
@pytest.mark.parametrize(
    "place",
    [online(), in_lobby(), a_full_lobby(), the_result()],
    ids=["in the hall", "in a lobby", "in a full lobby", "after a deal"],
)
def test_keys_did_nothing_in_a_lobby_whose_server_could_not_write_and_nobody_said_why(
    place: ClientState, size: tuple[int, int]
) -> None:
    stalled = folded((STALLED,), place)

    assert TEXT in words(stalled, size)
    assert not folded((OVER,), stalled).stalled
    assert words(folded((OVER,), stalled), size).count("The server cannot write") <= 1  # it was so


def test_the_line_by_line_client_says_it_once_and_when_it_is_over() -> None:
    assert lines(in_lobby(), STALLED, STALLED, OVER, OVER) == [
        f"NOTE: {TEXT}",
        "NOTE: The server can write again.",
    ]


def test_whoever_asks_line_by_line_hears_it_as_well() -> None:
    stalled = folded((STALLED,), in_lobby())

    assert list(lobby_lines(stalled))[-1] == f"NOTE: {TEXT}"
    assert f"NOTE: {TEXT}" in lobby_lines(folded((STALLED,), online()))
    assert f"NOTE: {TEXT}" in hall_report(folded((STALLED,), online()))
    assert not any("write" in line for line in lobby_lines(in_lobby()))


def test_a_terminal_that_is_too_small_says_it_too() -> None:
    assert "The server cannot write." in seen(folded((STALLED,), in_lobby()), size=(40, 10))


RESUMED = replace(WELCOME, resumed=True)
ELSEWHERE = e.LobbyChanged(lobby=replace(lobby_state(), code="OWL-17"))


@pytest.mark.parametrize(
    "event",
    [RESUMED, WELCOME, e.LobbyLeft(), ELSEWHERE],
    ids=["back", "shown anew", "in the hall", "in another lobby"],
)
def test_what_the_server_could_not_write_a_connection_ago_is_no_news(event: e.Event) -> None:
    lost = folded((STALLED, LinkLost(reason="no answer", attempt=1, retry_s=1)), in_lobby())

    assert not folded((event,), lost).stalled
