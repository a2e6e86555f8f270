"""What is said of a pause: why the table stands still, who wanted that, and who can end it (RULES D9)."""

import asyncio
import io

import pytest
from msgspec.structs import replace as changed

from client.acts.table import AT_TABLE
from client.intents import at_table
from client.plain.console import Console
from client.plain.loop import PlainClient
from client.plain.reports import table_lines
from client.plain.told import told
from client.screens.deeds import Act
from client.start.visit import Visit
from client.state import ClientState, LinkLost, Noted, Renamed
from client.store import AnyEvent, reduce
from protocol import events as e
from protocol.cards import Rank
from protocol.commands import PauseTable
from protocol.views import TableSnapshot
from tests.support.heard import lines
from tests.support.looking import USUAL, seen
from tests.support.screen_states import (
    NAMES,
    WELCOME,
    YOU,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    played,
    ruled,
    stands,
)

PAUSED = e.Paused(reason=e.PauseReason.ASKED, left_us=900_000_000, pause=1, by="maya")
PARKED = e.Paused(reason=e.PauseReason.PARKED, left_us=900_000_000, pause=2)
WAITING = e.Paused(reason=e.PauseReason.WAITING, left_us=30_000_000, pause=2)
MISTAKE = e.Paused(reason=e.PauseReason.MISTAKE, pause=2)
ANAS_VOTE, BOS_VOTE = changed(PAUSED, by="ana", voted=True), changed(PAUSED, by="bo", voted=True)
BACK = (
    LinkLost(reason="it broke", attempt=1, retry_s=1.0),
    changed(WELCOME, name="bo", resumed=True),
)
VOTED = e.VoteState(
    vote=1, on=e.VoteOn.PAUSE, by="bo", yes=4, no=0, needed=4, left_us=1, passed=True
)
ANA_HOSTS = e.LobbyChanged(lobby=lobby_state(stage=e.LobbyStage.PLAYING, host="ana"))


def as_bo(*events: AnyEvent) -> ClientState:
    """What bo knows, who is not the host: that is maya."""
    return folded((Renamed(name="bo"), *events), dealt(you=1))


@pytest.mark.parametrize(
    ("state", "said"),
    [
        pytest.param(as_bo(PAUSED), "maya has paused the table.", id="the host"),
        pytest.param(folded((PAUSED,), dealt()), "The table is paused.", id="I as the host"),
        pytest.param(
            as_bo(ANAS_VOTE), "The table is paused by a vote that ana called.", id="a vote"
        ),
        pytest.param(
            as_bo(BOS_VOTE), "The table is paused by a vote that you called.", id="a vote of mine"
        ),
        pytest.param(
            as_bo(ANAS_VOTE, PARKED, e.Resumed(), ANAS_VOTE),
            "The table is paused by a vote that ana called.",
            id="a vote, and then nobody was there",
        ),
        pytest.param(
            as_bo(VOTED, WAITING, e.Resumed(), PAUSED),
            "maya has paused the table.",
            id="the host after a vote that paused nothing",
        ),
        pytest.param(
            as_bo(ANA_HOSTS, PAUSED), "maya has paused the table.", id="who was the host then"
        ),
        pytest.param(
            as_bo(*BACK, PAUSED), "maya has paused the table.", id="the host while I was away"
        ),
    ],
)
def test_a_pause_did_not_say_who_wanted_it(state: ClientState, said: str) -> None:
    assert f" {said} At most 14:59 more." in seen(state)
    assert f"{said} At most 15 minutes." in state.log[-1].text


def test_the_plain_client_says_who_paused_and_says_so_again_with_the_table() -> None:
    before = as_bo()
    after = reduce(before, PAUSED, 1.0)

    assert told(before, PAUSED, after) == ("NOTE: maya has paused the table. At most 15 minutes.",)
    assert [*table_lines(after)][-1] == "NOTE: maya has paused the table."


def test_whoever_came_back_alone_was_told_that_no_person_plays_any_more() -> None:
    back = folded((PARKED, e.Resumed()), dealt())

    assert "No person plays any more" not in " ".join(line.text for line in back.log)
    assert back.log[-1].text == "The table goes on."


def test_whoever_left_the_seat_to_a_computer_player_is_told_that_no_person_plays_any_more() -> None:
    gone = e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.COMPUTER)

    assert "No person plays any more" in folded((gone, PARKED), dealt()).log[-1].text


def test_a_table_that_waited_for_people_did_not_say_for_whom() -> None:
    seats = [e.LobbySeat(name=name, connected=name not in {"ana", "cy"}) for name in NAMES]
    lobby = lobby_state(stage=e.LobbyStage.PLAYING, seats=seats)

    page = seen(folded((e.LobbyChanged(lobby=lobby), WAITING), dealt()))

    assert "The table waits for people to come back. Away: ana, cy. At most 0:29 more." in page


@pytest.mark.parametrize(
    ("state", "goes_on"),
    [
        pytest.param(folded((PAUSED,), dealt()), True, id="the host's, to the host"),
        pytest.param(as_bo(PAUSED), False, id="the host's, to others"),
        pytest.param(as_bo(BOS_VOTE), True, id="to who asked for it"),
        pytest.param(as_bo(ANAS_VOTE), False, id="another's"),
        pytest.param(as_bo(VOTED, WAITING, e.Resumed(), PAUSED), False, id="not for an old vote"),
        pytest.param(as_bo(*BACK, PAUSED), False, id="not for being away"),
        pytest.param(as_bo(changed(PAUSED, by="bo")), True, id="to who was the host then"),
        pytest.param(as_bo(MISTAKE), True, id="a mistake of ours, to every player"),
        pytest.param(as_bo(WAITING), False, id="while people are waited for, to nobody"),
    ],
)
def test_the_way_on_is_named_to_whom_it_is_open(state: ClientState, *, goes_on: bool) -> None:
    assert ("Esc: go on." in seen(state)) is goes_on


OPEN = played(1, 0, 1, Rank.ACE, turn=1)


@pytest.mark.parametrize(
    ("events", "text"),
    [
        pytest.param((OPEN,), "once the open window has ended", id="a window is open"),
        pytest.param(
            (OPEN, played(2, 4, 1, Rank.KING, turn=5), ruled()),
            "once the ruling has been read",
            id="a ruling stands",
        ),
        pytest.param((OPEN, stands(1)), "", id="at once"),
    ],
)
def test_a_host_who_paused_while_a_play_could_be_doubted_saw_nothing_come_of_it(
    events: tuple[e.Event, ...], text: str
) -> None:
    state, out = folded(events, dealt()), io.StringIO()
    client = PlainClient(Visit(name="maya"), Console(None, out, is_terminal=False))
    client.state = state

    pause, *notes = AT_TABLE[Act.PAUSE](a_frame(state, USUAL), "").told
    client._do(at_table.pause(state))

    assert isinstance(pause, PauseTable)
    assert [note.text for note in notes if isinstance(note, Noted)] == (
        [f"The table pauses {text}."] if text else []
    )
    assert ("NOTE: The table pauses" in out.getvalue()) is bool(text)


def test_a_day_that_a_table_is_parked_was_counted_in_minutes() -> None:
    a_day = changed(PARKED, left_us=86_400_000_000)

    assert "At most 23:59:59 more." in " ".join(seen(folded((a_day,), dealt(you=None))).split())


def heard(*reads: tuple[e.Event, ...]) -> list[str]:
    """What somebody on turn hears line by line who knows of no deal yet; each read by itself."""
    out = io.StringIO()

    async def listen() -> None:
        client = PlainClient(Visit(name="maya"), Console(None, out, is_terminal=False))
        client.state = in_lobby(lobby_state(stage=e.LobbyStage.PLAYING))
        for events in reads:
            client.tell(events)

    asyncio.run(listen())
    return out.getvalue().splitlines()


def test_after_a_restart_of_the_server_whoever_is_to_move_heard_it_twice_and_too_early() -> None:
    """The first time they were told of seconds that did not run, and a play was refused."""
    view = dealt(turn=YOU).table
    assert view is not None
    shown = TableSnapshot(table=view.table, you=YOU, hand=view.hand)
    clocks = e.WindowState(phase=e.Phase.TO_PLAY)

    told_it = heard((shown, clocks, WAITING), (e.Resumed(), clocks))

    turn = "TURN: you, claim aces, 45 seconds. You hold 1. Example: a"
    assert [line for line in told_it if line.startswith("TURN")] == [turn]
    assert told_it[-2:] == ["NOTE: The table goes on.", turn]
    assert turn in heard((shown, clocks))


def test_my_turn_that_comes_with_a_pause_is_told_as_the_table_goes_on() -> None:
    count = e.Resumed(in_us=3_000_000)
    before = folded((played(1, 2, 1, Rank.ACE, turn=YOU),), dealt(turn=2))
    state = folded((stands(1), PAUSED, count), before)

    assert not [line for line in lines(before, PAUSED, stands(1)) if line.startswith("TURN")]
    assert lines(state, e.Resumed())[0] == "NOTE: The table goes on."
    assert lines(state, e.Resumed())[1].startswith("TURN: you, claim twos")
