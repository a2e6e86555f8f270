"""What a person means in hall and lobby, and why it cannot be done now."""

import pytest

from client.intents import in_lobby as lobby
from client.intents.shared import UNNUMBERED, Intent
from client.state import ClientState, Hinted
from protocol import commands as c
from protocol import events as e
from protocol.numbers import Seat
from tests.support.screen_states import ONE_IS_READY, dealt, in_lobby, lobby_state, online

SOMEBODY = in_lobby(lobby_state(host="ana"))
WATCHER = in_lobby(lobby_state(host="ana", seats=[e.LobbySeat(name="ana")], watching=("maya",)))
READY = in_lobby(lobby_state(seats=[e.LobbySeat(name="maya"), e.LobbySeat(name="ana", ready=True)]))


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (lobby.create(in_lobby()), "in a lobby already"),
        (lobby.create(online(), "x" * 300), "not a rules code"),
        (lobby.join(in_lobby(), "OWL-17"), "in a lobby already"),
        (lobby.join(online(), "x" * 30), "looks like FOX-42"),
        (lobby.leave(online()), "not in a lobby"),
        (lobby.ready(WATCHER), "sit down first"),
        (lobby.start(SOMEBODY, anyway=True), "Only the host"),
        (lobby.start(dealt()), "A deal is running"),
        (lobby.start(in_lobby()), "Not ready: ana, bo, cy, dee, hal"),
        (lobby.start(ONE_IS_READY), "Not ready: bo. Start anyway, or wait."),
        (lobby.start(in_lobby(lobby_state(seats=[e.LobbySeat(name="maya")]))), "two who are ready"),
        (lobby.add(in_lobby(), "grumpy"), "casual, certain, proof"),
        (lobby.remove(in_lobby(), "no/name"), "Nobody here"),
        (lobby.shuffle(dealt()), "A deal is running"),
        (lobby.stand(dealt()), "A deal is running"),
        (lobby.stand(WATCHER), "watching already"),
        (lobby.sit(in_lobby()), "a seat already"),
        (lobby.sit(WATCHER, Seat(4)), "No computer player"),
        (lobby.answer_seat(in_lobby(), "dee", yes=True), "No deal is running"),
        (lobby.say(online(), " \x1b "), "message is empty"),
    ],
)
def test_what_cannot_be_done_says_why(outcome: Intent, reason: str) -> None:
    assert isinstance(outcome, Hinted)
    assert reason in outcome.text


@pytest.mark.parametrize(
    ("outcome", "command"),
    [
        (lobby.join(online(), "fox-42"), c.JoinLobby(n=UNNUMBERED, code="FOX-42")),
        (lobby.join(online(), "fox42kiwi"), c.JoinLobby(n=UNNUMBERED, code="FOX-42-KIWI")),
        (lobby.leave(in_lobby()), c.LeaveLobby(n=UNNUMBERED)),
        (lobby.ready(in_lobby()), c.SetReady(n=UNNUMBERED, ready=True)),
        (lobby.ready(in_lobby(), on=False), c.SetReady(n=UNNUMBERED, ready=False)),
        (lobby.start(ONE_IS_READY, anyway=True), c.StartDeal(n=UNNUMBERED, anyway=True)),
        (lobby.start(READY), c.StartDeal(n=UNNUMBERED)),
        (lobby.set_rules(in_lobby(), "bluff"), c.SetRules(n=UNNUMBERED, rules="bluff")),
        (lobby.add(in_lobby(), "proof"), c.AddComputer(n=UNNUMBERED, temperament="proof")),
        (lobby.remove(in_lobby(), "BO"), c.RemoveSeat(n=UNNUMBERED, name="bo")),
        (lobby.hand_over(in_lobby(), "cy"), c.HandOver(n=UNNUMBERED, name="cy")),
        (lobby.sit(WATCHER), c.SitDown(n=UNNUMBERED)),
        (lobby.stand(in_lobby()), c.StandUp(n=UNNUMBERED)),
        (lobby.say(online(), "hi \x07there"), c.Say(n=UNNUMBERED, text="hi there")),
        (
            lobby.answer_seat(dealt(), "Dee", yes=True),
            c.AnswerSeat(n=UNNUMBERED, deal=1, name="dee", yes=True),
        ),
    ],
)
def test_what_can_be_done_is_a_command(outcome: Intent, command: c.AnyCommand) -> None:
    assert outcome == command


def test_where_nobody_else_was_ready_the_host_was_told_to_start_anyway_which_cannot_be() -> None:
    two = in_lobby(lobby_state(seats=[e.LobbySeat(name=name) for name in ("maya", "bo")]))

    for anyway in (False, True):
        assert lobby.start(two, anyway=anyway) == Hinted(
            text="Not ready: bo. It takes two who are: wait, or add a computer player."
        )


def test_ready_turns_round() -> None:
    lobby_of_mine: ClientState = in_lobby(lobby_state(seats=[e.LobbySeat(name="maya", ready=True)]))

    assert lobby.ready(lobby_of_mine) == c.SetReady(n=UNNUMBERED, ready=False)
