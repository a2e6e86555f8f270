"""Wrongs of what was sent, or never answered, each with a test named after it."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from client.intents import at_table
from client.intents import in_lobby as lobby
from client.intents.shared import UNNUMBERED, Intent
from client.rule_bundles import CHOICES
from client.screens.desk import Desk, Screen, screen_of
from client.screens.menu import menu_items
from client.screens.parting import parting_text
from client.start.opening import Plan, next_step, to_host, to_join, to_practise
from client.state import (
    ClientState,
    Connecting,
    Hinted,
    LinkClosed,
    LinkRefused,
    LinkState,
    Sent,
    Unkept,
)
from client.way_in.address import read_address
from client.way_in.invites import invites
from protocol import commands as c
from protocol import events as e
from protocol.codec import decode_command, encode_command
from protocol.framing import PREFIX
from protocol.numbers import CommandNumber, PlayNumber
from tests.support.keyboard import after
from tests.support.looking import seen
from tests.support.screen_states import (
    WELCOME,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
)

KICKED = LinkRefused(text="Somebody else came with your secret.")
ELSEWHERE = Connecting(address="10.0.0.7:5252")
DOUBT = c.Challenge(n=CommandNumber(9), deal=1, play=PlayNumber(1))
READY = c.SetReady(n=CommandNumber(9))
DECKS = next(row for row, choice in enumerate(CHOICES) if choice.label == "decks")


def commands_of(outcome: Intent | Plan) -> Iterator[c.AnyCommand]:
    """What would be sent, under some number."""
    steps = outcome.steps if isinstance(outcome, Plan) else (outcome,)
    yield from (replace(step, n=CommandNumber(1)) for step in steps if isinstance(step, c.Command))


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(to_join("FOX-42", password=""), id="an empty password"),
        pytest.param(to_join("FOX-42", password="x" * 70), id="a long password"),
        pytest.param(to_join("FOX-42", password="\udcff"), id="a password that is no text"),  # noqa: S106
        pytest.param(to_host(""), id="hosting with empty rules"),
        pytest.param(to_practise(""), id="practice with empty rules"),
        pytest.param(lobby.join(online(), "ß" * 24), id="a code that is longer in capitals"),
        pytest.param(lobby.join(online(), "FOX\udcff"), id="a code that is no text"),
        pytest.param(lobby.join(online(), "FOX-42", password="x" * 70), id="a long one, typed"),
    ],
)
def test_what_a_server_cannot_read_was_sent_and_sent_again_for_ever(outcome: Intent | Plan) -> None:
    for command in commands_of(outcome):
        read = decode_command(encode_command(command)[PREFIX:])

        assert read == command


@pytest.mark.parametrize("code", ["ß" * 24, "FOX\udcff"])
def test_a_code_that_no_lobby_can_have_was_asked_for_all_the_same(code: str) -> None:
    assert isinstance(lobby.join(online(), code), Hinted)
    with pytest.raises(ValueError, match="looks like FOX-42"):
        read_address(f"pi/{code}")


def test_what_a_server_had_left_unanswered_kept_one_from_playing_on_the_next() -> None:
    asked = folded((Sent(command=READY), KICKED, ELSEWHERE, WELCOME), in_lobby())

    assert asked.pending == ()
    assert next_step(to_join("FOX-42"), replace(asked, hall=online().hall))[1] is not None


def test_on_the_way_to_another_server_the_table_of_the_one_before_came_up() -> None:
    on_the_way = folded((KICKED, ELSEWHERE), dealt())

    assert screen_of(on_the_way, Desk()) is Screen.CONNECT
    assert "Connecting to 10.0.0.7:5252" in seen(on_the_way)


def test_another_server_was_said_to_be_the_same_one_started_again() -> None:
    other = replace(WELCOME, epoch="another", server="another")
    lost = folded((Unkept(where="a folder"), KICKED), in_lobby())

    there = folded((ELSEWHERE, other), lost)

    assert not any("started again" in line.text for line in there.log)
    assert there.unkept == ""


def test_on_the_way_back_all_that_is_known_is_kept() -> None:
    gone = folded((Sent(command=DOUBT),), dealt())
    lost = replace(gone, link=replace(gone.link, state=LinkState.LOST))

    again = folded((Connecting(address=gone.link.address),), lost)

    assert (again.table, again.pending, again.welcome) == (gone.table, gone.pending, gone.welcome)


def test_after_a_refusal_the_menu_offered_what_could_no_longer_be_done() -> None:
    labels = {item.label for item in menu_items(a_frame(folded((KICKED,), dealt())))}

    assert not labels & {"say something", "leave the lobby", "give up my seat for this deal"}


def test_without_a_server_one_was_told_to_wait_for_the_connection() -> None:
    told = at_table.doubt(folded((KICKED,), dealt()), 1.0)

    assert told == Hinted(text="You are not connected: choose a server first.")


def turned_right(state: ClientState, number: int) -> c.AnyCommand:
    """What is asked for by one more Right on the option under the cursor, under this number."""
    (told,) = after(state, "right", desk=Desk(row=DECKS)).told
    assert isinstance(told, c.SetRules | c.SetSettings)
    return replace(told, n=CommandNumber(number))


def test_on_a_slow_line_an_option_turned_twice_came_out_turned_once() -> None:
    once = turned_right(in_lobby(), 1)
    twice = turned_right(folded((Sent(command=once),), in_lobby()), 2)

    assert isinstance(once, c.SetRules)
    assert isinstance(twice, c.SetRules)
    assert (once.rules, twice.rules) == ("d2", "d3")


def test_ready_pressed_again_before_the_answer_was_still_ready() -> None:
    sent = Sent(command=c.SetReady(n=CommandNumber(1), ready=True))

    assert lobby.ready(folded((sent,), in_lobby())) == c.SetReady(n=UNNUMBERED, ready=False)


def test_a_host_who_had_gone_on_to_a_friend_s_server_was_given_the_invite_of_their_own() -> None:
    host = replace(
        ClientState(name="maya"), set_out_for="127.0.0.1:5252", hosted_at=("10.0.0.2:5252",)
    )
    here = (Connecting(address="127.0.0.1:5252"), WELCOME, e.LobbyChanged(lobby=lobby_state()))
    there = (LinkClosed(), ELSEWHERE, WELCOME, e.LobbyChanged(lobby=lobby_state()))

    own = folded(here, host)
    friends = folded(there, own)

    assert [one.text for one in invites(own)] == ["facedown join 10.0.0.2:5252/FOX-42"]
    assert [one.text for one in invites(friends)] == ["facedown join 10.0.0.7:5252/FOX-42"]
    assert "while the server runs" not in parting_text(friends, Desk())
