"""What the command line asked for, one step after the other."""

from client.intents.shared import UNNUMBERED
from client.start.opening import (
    NO_PLAN,
    Plan,
    elsewhere_text,
    follow_up,
    next_step,
    to_host,
    to_join,
    to_practise,
)
from client.state import BelieveAll, ClientState, Noted, Painted, Sent
from client.store import reduce
from protocol import commands as c
from protocol.cards import Rank
from protocol.numbers import CommandNumber, PlayNumber
from tests.support.screen_states import dealt, folded, in_lobby, online, played


def test_nothing_is_sent_before_the_server_has_said_where_one_is() -> None:
    assert next_step(to_join("FOX-42"), ClientState()) == (to_join("FOX-42"), None)


def test_joining_is_one_step() -> None:
    plan, step = next_step(to_join("FOX-42", watch=True), online())

    assert step == c.JoinLobby(n=UNNUMBERED, code="FOX-42", watch=True)
    assert plan == NO_PLAN


def test_who_is_in_a_lobby_again_stays_there() -> None:
    assert next_step(to_practise(), in_lobby()) == (NO_PLAN, None)


def test_a_step_waits_for_the_answer_to_the_one_before() -> None:
    busy = reduce(in_lobby(), Sent(command=c.SetReady(n=CommandNumber(1))), 0.0)
    plan = Plan(steps=(c.StartDeal(n=UNNUMBERED),))

    assert next_step(plan, busy) == (plan, None)


def test_practice_fills_the_table_and_deals() -> None:
    plan, create = next_step(to_practise("bluff"), online())

    assert isinstance(create, c.CreateLobby)
    assert (create.rules, create.settings.public) == ("bluff", False)
    assert next_step(plan, online()) == (plan, None)
    kinds = []
    while plan.steps:
        plan, step = next_step(plan, in_lobby())
        kinds.append(type(step))
    assert kinds == [*[c.AddComputer] * 3, c.SetReady, c.StartDeal]


def test_hosting_opens_a_lobby_that_friends_can_see() -> None:
    _, create = next_step(to_host(), online())

    assert isinstance(create, c.CreateLobby)
    assert create.settings.public


def test_whoever_came_back_to_another_lobby_than_they_had_asked_for_heard_nothing_of_it() -> None:
    assert elsewhere_text(to_join("OWL-17"), in_lobby()) == (
        "You are still in FOX-42: leave it to join OWL-17."
    )
    assert elsewhere_text(to_join("FOX-42"), in_lobby()) == ""
    assert elsewhere_text(to_join("OWL-17"), online()) == ""
    assert elsewhere_text(to_host(), in_lobby()) == ""


def test_what_follows_from_an_event_was_worked_out_twice_and_in_two_orders() -> None:
    said = played(1, 0, 1, Rank.ACE, turn=1)
    window = folded((said, Painted(play=PlayNumber(1)), BelieveAll(on=True)), dealt())
    step = c.JoinLobby(n=UNNUMBERED, code="FOX-42")
    told = (Noted(text="You are still in FOX-42: leave it to join OWL-17."),)

    _, believing, _ = follow_up(NO_PLAN, window)

    assert isinstance(believing, c.LetGoOf)
    assert follow_up(to_join("FOX-42"), online()) == (NO_PLAN, step, ())
    assert follow_up(to_join("OWL-17"), in_lobby()) == (NO_PLAN, None, told)
