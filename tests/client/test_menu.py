"""What the menu offers to whom: only what can be done."""

import pytest

from client.screens.menu import menu_items
from client.state import ClientState, Renamed
from client.store import reduce
from protocol import events as e
from protocol.cards import Rank
from protocol.numbers import Seat
from protocol.rules import TableRules
from tests.support.screen_states import ONE_IS_READY, a_frame, dealt, folded, played

HURRY = "start a clock of 30 s for ana, whose turn it is"


def labels_of(state: ClientState) -> list[str]:
    return [item.label for item in menu_items(a_frame(state))]


def test_the_menu_offers_only_what_can_be_done() -> None:
    host = {item.label for item in menu_items(a_frame(ONE_IS_READY))}
    player = {item.label for item in menu_items(a_frame(dealt()))}
    watcher = {item.label for item in menu_items(a_frame(dealt(you=None)))}

    assert {"start the deal", "shuffle the seats"} <= host
    assert "give up my seat for this deal" in player - host
    assert not {label for label in watcher if "vote" in label or "give up" in label}


def test_a_host_who_watches_can_pause_the_table_and_hurry_the_seat_to_move() -> None:
    watching = dealt(you=None, rules=TableRules(turn_s=0))
    guest = reduce(watching, Renamed(name="bo"), 0.0)

    host = {item.label for item in menu_items(a_frame(watching))}
    others = {item.label for item in menu_items(a_frame(guest))}

    assert host - others >= {"pause the table", HURRY}


def test_a_seat_that_was_given_up_can_be_taken_back() -> None:
    changed = e.ChairChanged(seat=Seat(3), name="maya", chair=e.Chair.COMPUTER)
    labels = [item.label for item in menu_items(a_frame(folded((changed,), dealt())))]

    assert labels.index("take my seat back") == 1  # the table says that Esc gives it back
    assert "give up my seat for this deal" not in labels


def test_at_a_paused_table_going_on_was_five_lines_below_help_and_the_log() -> None:
    paused = (e.Paused(reason=e.PauseReason.ASKED),)

    player = [item.label for item in menu_items(a_frame(folded(paused, dealt())))]
    watcher = [
        item.label
        for item in menu_items(a_frame(folded((*paused, Renamed(name="eve")), dealt(you=None))))
    ]

    assert player[:3] == ["back to the table", "go on with the deal", "help"]
    assert player.count("go on with the deal") == 1
    assert not {label for label in player if "pause" in label}
    assert "go on with the deal" not in watcher


BY_ITSELF = (e.PauseReason.PARKED, e.PauseReason.WAITING, e.PauseReason.STALLED)


@pytest.mark.parametrize("reason", e.PauseReason)
def test_a_halt_that_ends_by_itself_was_offered_to_be_ended(reason: e.PauseReason) -> None:
    state = folded((e.Paused(reason=reason),), dealt())

    labels = [item.label for item in menu_items(a_frame(state))]

    assert ("go on with the deal" in labels) == (reason not in BY_ITSELF)


UNHURRIED = TableRules(turn_s=0)
BY_COMPUTER = e.ChairChanged(seat=Seat(0), name="ana", chair=e.Chair.COMPUTER)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(folded((BY_COMPUTER,), dealt(rules=UNHURRIED)), id="a computer player's turn"),
        pytest.param(dealt(rules=UNHURRIED, turn=3), id="my own turn"),
        pytest.param(
            folded((e.TurnClock(seat=Seat(0), left_us=9_000_000),), dealt(rules=UNHURRIED)),
            id="a clock that runs already",
        ),
        pytest.param(
            folded((played(1, 0, 1, Rank.ACE, turn=1),), dealt(rules=UNHURRIED)),
            id="a play that may still be doubted",
        ),
        pytest.param(
            folded((e.Paused(reason=e.PauseReason.ASKED),), dealt(rules=UNHURRIED)),
            id="a pause",
        ),
    ],
)
def test_the_menu_offered_a_clock_that_is_refused(state: ClientState) -> None:
    assert HURRY in labels_of(dealt(rules=UNHURRIED))

    assert not {label for label in labels_of(state) if "clock" in label}


def test_the_menu_offered_another_vote_while_one_was_open() -> None:
    vote = e.VoteState(
        vote=1, on=e.VoteOn.END_DEAL, by="ana", yes=1, no=0, needed=4, left_us=60_000_000
    )
    guest = folded((vote, Renamed(name="bo")), dealt())

    assert not {label for label in labels_of(guest) if "vote" in label}


def test_the_menu_offered_to_end_the_pause_of_somebody_else() -> None:
    named = Renamed(name="bo")
    of_the_host = folded((named, e.Paused(reason=e.PauseReason.ASKED, by="maya")), dealt())
    by_my_vote = e.Paused(reason=e.PauseReason.ASKED, by="bo", voted=True)
    of_mine = folded((named, by_my_vote), dealt())

    assert "go on with the deal" not in labels_of(of_the_host)
    assert "go on with the deal" in labels_of(of_mine)
