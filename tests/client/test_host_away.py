"""A host who is away kept all others from the next deal: nobody was told, or let, act in their place (RULES D6)."""

from client.intents import at_table
from client.intents import in_lobby as intents
from client.screens.desk import Desk, Overlay
from client.selectors import lobby_seats
from client.state import ClientState, Hinted, Sent
from client.words import HOST_AWAY
from protocol import commands as c
from protocol import events as e
from protocol.events import LobbySeat, SeatKind
from protocol.numbers import CommandNumber
from tests.support.heard import lines
from tests.support.looking import bar, seen
from tests.support.screen_states import dealt, folded, in_lobby, lobby_state

ANA_AWAY = HOST_AWAY.format("ana")
LOST = e.SeatChanged(name="ana", ready=True, connected=False)


def a_lobby(*, mine: bool = True) -> ClientState:
    """Ana's, with bo and a computer player; I have a seat as well, or watch."""
    seats = [
        LobbySeat(name="ana", ready=True),
        LobbySeat(name="bo", ready=True),
        LobbySeat(name="casual", ready=True, kind=SeatKind.COMPUTER),
        *([LobbySeat(name="maya", ready=True)] if mine else []),
    ]
    return in_lobby(lobby_state(host="ana", seats=seats))


def flat(page: str) -> str:
    """What stands there, wherever a line ends."""
    return " ".join(page.split())


def test_nobody_could_deal_in_the_place_of_a_host_who_was_away() -> None:
    state = folded((LOST,), a_lobby())

    assert isinstance(intents.start(a_lobby()), Hinted)
    assert isinstance(intents.start(state), c.StartDeal)
    assert isinstance(intents.set_rules(state, "bluff"), c.SetRules)
    assert "s start" in bar(state)
    assert "start the deal" in seen(state, Desk(overlay=Overlay.MENU))


def test_a_host_who_was_away_was_waited_for() -> None:
    assert "Waiting for ana to start." in seen(a_lobby())
    assert f"{ANA_AWAY} All are ready: s starts." in flat(seen(folded((LOST,), a_lobby())))


def test_line_by_line_it_is_told_once_the_host_has_gone() -> None:
    told = lines(a_lobby(), LOST)

    assert f"NEXT: {ANA_AWAY} For them: start (d) deals" in "\n".join(told)
    assert not [line for line in lines(folded((LOST,), a_lobby()), LOST) if "NEXT" in line]


def test_line_by_line_who_was_host_all_at_once_heard_nothing_of_what_a_host_does() -> None:
    """Their last advice had been to wait for the one before them, who has left."""
    mine = lobby_state(host="maya", seats=lobby_seats(a_lobby())[1:])

    told = lines(a_lobby(), e.LobbyChanged(lobby=mine))

    assert "NEXT: start (d) deals, add casual adds a computer player." in told
    assert not lines(in_lobby(mine), e.LobbyChanged(lobby=mine))


def test_who_watches_does_not_act_for_those_who_sit() -> None:
    assert isinstance(intents.start(folded((LOST,), a_lobby(mine=False))), Hinted)


def test_a_pause_of_a_host_who_was_away_lasted_until_its_time_was_over() -> None:
    lobby = lobby_state(host="ana", stage=e.LobbyStage.PLAYING)
    paused = e.Paused(reason=e.PauseReason.ASKED, by="ana", left_us=900_000_000)
    here = folded((e.LobbyChanged(lobby=lobby), paused), dealt())

    away = folded((LOST,), here)

    assert "Esc: go on." not in seen(here)
    assert "more. Esc: go on." in seen(away)
    assert "go on with the deal" in seen(away, Desk(overlay=Overlay.MENU))


def test_a_deal_that_nobody_played_any_more_kept_all_others_waiting_for_a_day() -> None:
    seats = [LobbySeat(name=name) for name in ("ana", "maya")]
    lobby = lobby_state(host="ana", seats=seats, stage=e.LobbyStage.PLAYING)
    before = folded((e.LobbyChanged(lobby=lobby), LOST), dealt(names=("ana", "bo"), you=None))
    parked = e.Paused(reason=e.PauseReason.PARKED, left_us=86_400_000_000)

    state = folded((parked,), before)

    assert isinstance(at_table.call_vote(before, e.VoteOn.END_DEAL), Hinted)
    assert isinstance(at_table.call_vote(state, e.VoteOn.END_DEAL), c.CallVote)
    assert "Esc: end the deal." in flat(seen(state))
    assert "end the deal, which no person plays" in seen(state, Desk(overlay=Overlay.MENU))
    assert lines(before, parked)[-1] == "NEXT: vote end ends the deal."


def test_who_left_a_deal_as_the_last_person_was_told_how_to_end_it() -> None:
    lobby = lobby_state(host="maya", stage=e.LobbyStage.PLAYING)
    leaving = Sent(command=c.LeaveLobby(n=CommandNumber(1)))
    before = folded((e.LobbyChanged(lobby=lobby), leaving), dealt(you=None))

    told = lines(before, e.Paused(reason=e.PauseReason.PARKED, left_us=86_400_000_000))

    assert not [line for line in told if line.startswith("NEXT")]


def test_a_host_who_was_away_was_said_to_decide_about_a_seat() -> None:
    playing = e.LobbyStage.PLAYING
    lobby = lobby_state(host="ana", stage=playing, seats=[LobbySeat(name="ana")], asking=("maya",))
    asked = folded((e.LobbyChanged(lobby=lobby),), dealt(you=None, names=("ana", "bo")))

    assert "You have asked for a seat: ana decides." in seen(asked)
    assert "whoever acts as host decides." in seen(folded((LOST,), asked))
