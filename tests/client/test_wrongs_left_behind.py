"""What a refusal, a pause, a lost line or a turn that was over once left behind at the table."""

import pytest
from msgspec.structs import replace

from client import state as s
from client.acts.anywhere import settled
from client.intents import at_table
from client.screens.desk import ClaimChoice, Desk
from client.state import BelieveAll, ClientState, Hinted, Sent
from client.store import AnyEvent
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused
from protocol.cards import Card, Rank, read_faces
from protocol.numbers import CardId, CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal, explained
from protocol.rules import TableRules
from protocol.views import LogPage, TableSnapshot
from tests.support.heard import lines
from tests.support.looking import bar, seen
from tests.support.scenes import the_reveal
from tests.support.screen_states import (
    WELCOME,
    YOU,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    played,
    ruled,
)

ONE = CommandNumber(1)
FIRST = PlayNumber(1)
NOW = 10.0  # long after everything was shown
ACE_SAID = played(1, 0, 1, Rank.ACE, turn=1)
SHOWN = s.Painted(play=FIRST)
DOUBT = c.Challenge(n=ONE, deal=1, play=FIRST)
BELIEF = c.LetGoOf(n=ONE, deal=1, play=FIRST)
PAUSE = e.Paused(reason=e.PauseReason.ASKED, pause=1, left_us=900_000_000)
COUNT = e.Resumed(in_us=3_000_000)
CLOCKS = e.WindowState(phase=e.Phase.TO_PLAY)
ON = (e.Resumed(), CLOCKS)
WAIT = explained(Refusal.PAUSED).sentence


def open_window() -> ClientState:
    """Ana has said one ace, it is on the screen, and its protected time is over."""
    return folded((ACE_SAID, SHOWN, e.ProtectionOver(play=FIRST)), dealt())


def a_vote(**more: object) -> e.VoteState:
    """Ana asks to end the deal."""
    usual: dict[str, object] = {
        "vote": 1,
        "by": "ana",
        "yes": 1,
        "no": 0,
        "needed": 4,
        "left_us": 60_000_000,
    }
    return e.VoteState(on=e.VoteOn.END_DEAL, **{**usual, **more})  # type: ignore[arg-type]


def refused(code: Refusal) -> Refused:
    """The answer to command 1."""
    return Refused(n=ONE, code=code)


def bottom(state: ClientState) -> str:
    """What is said between the hand and the key bar."""
    return seen(state).split("YOUR HAND")[1]


# --- said on a key that did nothing ---------------------------------------------------------------

PAUSE = e.Paused(reason=e.PauseReason.ASKED)
NOT_HOST = explained(Refusal.NOT_HOST).sentence
BACK = e.SeatChanged(name="ana", ready=True, connected=True)
ALONE = lobby_state(seats=lobby_state().seats[:1])


@pytest.mark.parametrize(
    ("said", "before", "then"),
    [
        pytest.param(
            "It is ana's turn: wait for yours.",
            dealt(rules=TableRules(passing=True)),
            e.Passed(seat=Seat(0), turn=YOU),
            id="somebody passed",
        ),
        pytest.param(
            "You believe it already; b still doubts.",
            open_window(),
            e.Stands(play=FIRST),
            id="nobody doubts any more",
        ),
        pytest.param(WAIT, folded((PAUSE,), dealt()), e.Resumed(in_us=0), id="the table goes on"),
        pytest.param(
            "There is no connection just now: wait, it comes back by itself.",
            folded((s.LinkLost(reason="x", attempt=1, retry_s=1),), dealt()),
            replace(WELCOME, resumed=True),
            id="the line is back",
        ),
        pytest.param(
            "It takes two who are ready: invite somebody, wait, or add a computer player.",
            folded((e.LobbyChanged(lobby=ALONE),), in_lobby()),
            e.LobbyChanged(lobby=lobby_state()),
            id="somebody came",
        ),
        pytest.param(
            "Not ready: bo. It takes two who are: wait, or add a computer player.",
            in_lobby(lobby_state(seats=[e.LobbySeat(name=name) for name in ("maya", "bo")])),
            e.SeatChanged(name="bo", ready=True),
            id="the other is ready",
        ),
        pytest.param(
            NOT_HOST,
            in_lobby(lobby_state(host="bo")),
            e.LobbyChanged(lobby=lobby_state(host="maya")),
            id="I am the host now",
        ),
        pytest.param(
            NOT_HOST,
            folded((replace(BACK, connected=False),), in_lobby(lobby_state(host="ana"))),
            BACK,
            id="the host is back",
        ),
    ],
)
def test_why_a_key_did_nothing_was_said_on_when_it_was_true_no_more(
    said: str, before: ClientState, then: AnyEvent
) -> None:
    told = folded((Hinted(text=said),), before)
    assert said in seen(told)

    assert said not in seen(folded((then,), told))


# --- refused -----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [Refusal.PAUSED, Refusal.TRY_AGAIN, Refusal.TOO_FAST])
def test_a_doubt_that_was_refused_could_never_be_made_again(code: Refusal) -> None:
    state = folded((Sent(command=DOUBT), refused(code)), open_window())

    assert explained(code).sentence in state.hint
    assert isinstance(at_table.doubt(state, NOW), c.Challenge)
    assert "b doubt" in bar(state)


@pytest.mark.parametrize("code", [Refusal.TOO_LATE, Refusal.NOT_FIRST])
def test_a_doubt_that_came_to_nothing_for_good_is_not_made_again(code: Refusal) -> None:
    state = folded((Sent(command=DOUBT), refused(code)), open_window())

    assert not isinstance(at_table.doubt(state, NOW), c.Challenge)


def test_line_by_line_a_refused_doubt_is_told_like_any_other_refusal() -> None:
    sent = folded((Sent(command=DOUBT),), open_window())

    assert [line for line in lines(sent, refused(Refusal.TRY_AGAIN)) if "try again" in line] != []


def test_after_a_refused_go_on_nobody_could_go_on_any_more() -> None:
    read = c.GoOn(n=ONE, deal=1, play=PlayNumber(2))
    reveal = folded((ACE_SAID, played(2, 4, 1, Rank.KING, turn=5), ruled()), dealt())

    state = folded((Sent(command=read), refused(Refusal.TRY_AGAIN)), reveal)

    assert isinstance(at_table.go_on(state), c.GoOn)


def test_whoever_had_called_a_vote_was_asked_for_theirs() -> None:
    call = c.CallVote(n=ONE, deal=1, on=e.VoteOn.END_DEAL)

    mine = folded((Sent(command=call), a_vote(by="maya")), dealt())
    another = folded((Sent(command=call), a_vote(by="bo")), dealt())

    assert "maya asks to end the deal: you said yes." in seen(mine)
    assert "bo asks to end the deal: v yes, V no." in seen(another)


def test_whoever_had_called_a_vote_was_asked_for_theirs_where_the_answer_came_first() -> None:
    call = c.CallVote(n=ONE, deal=1, on=e.VoteOn.END_DEAL)

    state = folded((Sent(command=call), Accepted(n=ONE), a_vote(by="maya")), dealt())

    assert "maya asks to end the deal: you said yes." in seen(state)


def test_a_vote_that_was_not_taken_was_shown_as_given() -> None:
    yes = c.CastVote(n=ONE, deal=1, vote=1, yes=True)

    state = folded((a_vote(), Sent(command=yes), refused(Refusal.TRY_AGAIN)), dealt())

    assert "you said yes" not in seen(state)
    assert "v yes, V no" in seen(state)


# --- the line lost -----------------------------------------------------------------------------

AWAY = (s.LinkLost(reason="it broke", attempt=1, retry_s=1.0), replace(WELCOME, resumed=True))


def test_a_vote_that_ended_while_the_line_was_down_stayed_open_for_ever() -> None:
    state = folded((a_vote(), *AWAY, CLOCKS), dealt())

    assert "ana asks to end the deal" not in bottom(state)
    assert isinstance(at_table.call_vote(state, e.VoteOn.END_DEAL), c.CallVote)


def test_a_vote_that_is_still_open_when_the_line_is_back_is_shown_and_can_be_answered() -> None:
    state = folded((a_vote(), *AWAY, CLOCKS, a_vote(yes=2)), dealt())

    assert "ana asks to end the deal: v yes, V no. 2 yes" in bottom(state)


def test_the_next_vote_was_taken_for_the_one_before() -> None:
    yes = c.CastVote(n=ONE, deal=1, vote=1, yes=True)
    before = folded((a_vote(), Sent(command=yes)), dealt())

    told, state = lines(before, a_vote(vote=2, by="bo")), folded((a_vote(vote=2),), before)

    assert "VOTE: answer yes or no." in told
    assert any("bo asks to end the deal" in line for line in told)
    assert "you said yes" not in seen(state)


# --- paused ------------------------------------------------------------------------------------


@pytest.mark.parametrize("still", [(PAUSE,), (PAUSE, COUNT)], ids=["paused", "counted in"])
def test_while_the_table_stood_still_keys_were_named_and_sent_that_it_does_not_hear(
    still: tuple[e.Event, ...],
) -> None:
    state = folded(still, open_window())

    assert at_table.doubt(state, NOW) == at_table.believe(state) == Hinted(text=WAIT)
    assert "b = BS!" not in seen(state)
    assert isinstance(at_table.doubt(folded(ON, state), NOW), c.Challenge)


@pytest.mark.parametrize("still", [(PAUSE,), (PAUSE, COUNT)], ids=["paused", "counted in"])
def test_what_lies_ready_or_is_read_waits_as_well_while_the_table_stands_still(
    still: tuple[e.Event, ...],
) -> None:
    laid = e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.TWO))
    ready = folded((played(1, 2, 1, Rank.ACE, turn=3), laid), dealt(turn=2))
    reveal = folded((ACE_SAID, played(2, 4, 1, Rank.KING, turn=5), ruled()), dealt())

    assert at_table.take_back(folded(still, ready)) == Hinted(text=WAIT)
    assert at_table.go_on(folded(still, reveal)) == Hinted(text=WAIT)
    assert "Bksp take back" in bar(ready)
    assert "Bksp take back" not in bar(folded(still, ready))


def test_a_doubt_while_the_server_cannot_write_still_counts_and_is_sent() -> None:
    state = folded((e.Paused(reason=e.PauseReason.STALLED),), open_window())

    assert isinstance(at_table.doubt(state, NOW), c.Challenge)


def test_what_was_to_be_believed_unasked_was_forgotten_if_a_pause_came_before_it() -> None:
    believing = folded((BelieveAll(on=True), Sent(command=BELIEF), PAUSE), open_window())

    state = folded((refused(Refusal.PAUSED),), believing)

    assert at_table.automatic(state) is None
    assert at_table.automatic(folded((COUNT,), state)) is None
    assert at_table.automatic(folded((COUNT, *ON), state)) is not None


def test_a_belief_that_is_refused_is_not_sent_over_and_over_again() -> None:
    believing = folded((BelieveAll(on=True), Sent(command=BELIEF)), open_window())

    assert at_table.automatic(folded((refused(Refusal.TOO_FAST),), believing)) is None


def test_when_a_vote_ended_a_paused_deal_the_last_play_had_no_time_to_be_seen() -> None:
    still = folded((PAUSE,), open_window())
    running = folded(ON, still, at=NOW)

    ending = folded((e.Stopping(reason=e.StopReason.VOTE),), running, at=NOW + 1)

    assert (ending.clocks.window_ends, ending.clocks.window_s) == (NOW + 8, 8)
    assert "] 7 s" in seen(ending, now=NOW + 1)


# --- my turn is over ---------------------------------------------------------------------------


def test_believing_all_until_my_turn_outlived_my_turn_if_i_passed() -> None:
    passing = TableRules(passing=True)
    said = played(1, 2, 1, Rank.ACE, turn=3)
    believing = folded((said, BelieveAll(on=True)), dealt(turn=2, rules=passing))

    others = folded((e.Passed(seat=Seat(4), turn=Seat(5)),), believing)
    mine = folded((e.Passed(seat=YOU, turn=Seat(4)),), believing)

    assert others.believe_all
    assert not mine.believe_all
    assert at_table.automatic(mine) is None


def test_who_came_back_while_a_ruling_was_read_saw_none_and_could_not_go_on_from_it() -> None:
    ruling = the_reveal()
    view = ruling.table
    assert view is not None
    shown = TableSnapshot(table=view.table, you=view.you, hand=view.hand, entries=len(view.log))

    back = folded((shown, LogPage(log=view.log[:1]), LogPage(log=view.log[1:])), in_lobby())

    assert back.ruling == ruling.ruling
    assert isinstance(at_table.go_on(back), c.GoOn)


# --- the deal is shown anew -----------------------------------------------------------------------

LOST = s.LinkLost(reason="it broke", attempt=1, retry_s=1.0)
RESTARTED = replace(WELCOME, epoch="e2")
(ACE,) = read_faces("AS")


def shown_anew(state: ClientState, **other: object) -> TableSnapshot:
    view = state.table
    assert view is not None
    hand = tuple(card for card in view.hand if card.id != CardId(5))  # a stand-in has laid that one
    table = replace(view.table, **other)
    return TableSnapshot(table=table, you=view.you, hand=hand)


def replace_face(card: Card) -> Card:
    return Card(card.id, ACE)


def picked() -> ClientState:
    return folded((s.Picked(cards=(CardId(9), CardId(5), CardId(4))),), dealt(turn=3))


@pytest.mark.parametrize(
    "on_the_way",
    [
        pytest.param((), id="on the same line"),
        pytest.param((LOST, RESTARTED), id="by a server started again"),
        pytest.param((LOST, RESTARTED, LOST, RESTARTED), id="at the second try"),
    ],
)
def test_what_was_picked_was_lost_when_the_deal_was_shown_anew(
    on_the_way: tuple[AnyEvent, ...],
) -> None:
    before = picked()
    lobby = before.lobby
    assert lobby is not None

    back = folded((*on_the_way, e.LobbyChanged(lobby=lobby), shown_anew(before)), before)

    assert back.picks == (CardId(9), CardId(4))
    assert "picked 2: Q 5" in seen(back)


@pytest.mark.parametrize(
    ("code", "deal"), [("FOX-42", 2), ("OWL-17", 1)], ids=["the next deal", "another lobby"]
)
def test_what_was_picked_is_picked_in_no_other_deal(code: str, deal: int) -> None:
    before = picked()
    assert before.lobby is not None
    elsewhere = e.LobbyChanged(lobby=replace(before.lobby, code=code))

    back = folded((LOST, RESTARTED, elsewhere, shown_anew(before, deal=deal)), before)

    assert back.picks == ()


def test_cards_with_the_numbers_of_what_was_picked_are_not_picked_for_it() -> None:
    before = picked()
    assert before.lobby is not None
    shown = shown_anew(before)
    others = replace(shown, hand=tuple(replace_face(card) for card in shown.hand))

    back = folded((LOST, RESTARTED, e.LobbyChanged(lobby=before.lobby), others), before)

    assert back.picks == ()


def test_fewer_said_than_laid_was_forgotten_while_the_server_was_away() -> None:
    desk = Desk(claim=ClaimChoice(sneaked=1))
    before = picked()
    assert before.lobby is not None
    away = folded((LOST, RESTARTED), before)

    between = settled(a_frame(away, desk=desk))

    assert between.claim == desk.claim
