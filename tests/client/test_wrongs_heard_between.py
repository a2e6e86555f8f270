"""Wrongs heard line by line between deals, in the hall, and without a connection."""

import asyncio
import io

import pytest
from msgspec.structs import replace

from client.plain.after_lines import stats_lines
from client.plain.console import Console
from client.plain.lobby_reports import hall_report
from client.plain.loop import PlainClient
from client.plain.reports import hand_line, log_lines, time_lines
from client.plain.typed import understand
from client.plain.word import Here, Reply
from client.settings import Settings
from client.start.opening import to_join
from client.start.visit import Visit
from client.state import ClientState, Connecting, Hinted, LinkLost, Sent
from protocol import events as e
from protocol.answers import Refused
from protocol.cards import Rank
from protocol.commands import JoinLobby, SetReady
from protocol.numbers import CommandNumber, Seat
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer
from tests.support.fake_tables import at_a_table
from tests.support.heard import lines
from tests.support.screen_states import (
    NAMES,
    WELCOME,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
)


def test_who_got_the_seat_they_had_asked_for_was_dealt_in_next_time_and_played_again() -> None:
    others = [e.LobbySeat(name=name) for name in ("ana", "bo", "dee")]
    asking = lobby_state(
        host="ana",
        stage=e.LobbyStage.PLAYING,
        seats=others,
        watching=("maya",),
        asking=("maya",),
    )
    three = dealt(you=None, names=("ana", "bo", "certain"))
    watching = folded((e.LobbyChanged(lobby=asking),), three)
    seated = lobby_state(
        host="ana", stage=e.LobbyStage.PLAYING, seats=[*others, e.LobbySeat(name="maya")]
    )
    chair = e.ChairChanged(seat=Seat(2), chair=e.Chair.OWNER, name="maya")

    heard = lines(watching, e.LobbyChanged(lobby=seated), chair)

    assert heard == ["SEAT: you have the seat of certain now."]


def test_who_was_not_ready_heard_of_a_deal_that_they_had_no_hand_in_only_what_it_is() -> None:
    seats = tuple(e.SeatState(name=name, cards=26) for name in ("ana", "bo"))
    rules = lobby_state().rules
    deal = e.DealStarted(deal=1, rules=rules, dealer=Seat(1), turn=Seat(0), seats=seats)

    left_out, watching = lines(in_lobby(), deal), lines(in_lobby(lobby_state(seats=())), deal)

    assert left_out[:2] == [
        "DEAL: 2 players, 52 cards. bo deals, ana starts.",
        "NEXT: you are dealt in next time.",
    ]
    assert not any(line.startswith("NEXT") for line in watching)


def test_a_seat_that_is_taken_over_was_played_again_by_who_had_never_had_it() -> None:
    chair = e.ChairChanged(seat=Seat(2), chair=e.Chair.OWNER, name="kim")

    assert lines(dealt(), chair) == ["SEAT: kim has the seat of cy now."]


def test_in_a_lobby_the_hall_of_an_hour_ago_was_told_as_that_of_now() -> None:
    assert next(hall_report(in_lobby())) == "HALL: as it was when you left it."
    assert next(hall_report(online())) == "HALL: 5 online, 0 lobbies."
    assert list(hall_report(ClientState())) == ["HALL: nothing is known of it here."]


def test_who_asked_for_the_hand_where_no_deal_is_was_told_of_no_cards() -> None:
    assert hand_line(in_lobby()) == "TABLE: no deal here now."
    assert hand_line(dealt(hand="")) == "HAND: 0 cards."


@pytest.mark.parametrize("word", ["result", "stats"])
def test_a_deal_that_there_was_not_was_said_not_to_be_over(word: str) -> None:
    assert understand(in_lobby(), word, 1.0) == Reply(lines=("TABLE: no deal here now.",))


def test_of_a_deal_that_ended_before_the_first_play_it_was_said_that_the_table_does_not_confess() -> (
    None
):
    places = (1,) * len(NAMES)
    over = e.DealOver(reason=e.StopReason.VOTE, places=places, cards=places)

    (first, *_) = stats_lines(folded((over,), dealt()))

    assert first.startswith("STATS: ana, 0 lies")


@pytest.mark.parametrize(
    ("password", "way"), [(None, "watch FOX-42"), ("owl", "watch FOX-42 PASSWORD")]
)
def test_who_found_a_lobby_full_was_told_that_they_can_watch_and_not_how(
    password: str | None, way: str
) -> None:
    asked = Sent(command=JoinLobby(n=CommandNumber(3), code="FOX-42", password=password))
    full = Refused(n=CommandNumber(3), code=Refusal.LOBBY_FULL)

    assert lines(folded((asked,), online()), full)[-1] == f"NEXT: {way} watches it."


@pytest.mark.parametrize("word", ["remove", "host"])
def test_who_named_nobody_was_told_to_check_the_spelling(word: str) -> None:
    assert understand(in_lobby(), word, 1.0) == Hinted(
        text="Say whose name behind it; seats lists them."
    )


def test_who_watched_a_full_lobby_and_asked_for_a_seat_was_told_that_they_can_watch() -> None:
    full = [e.LobbySeat(name=f"p{number}") for number in range(lobby_state().settings.size)]
    watching = in_lobby(lobby_state(seats=full, watching=("maya",)))

    said = understand(watching, "sit", 1.0)

    assert said == Hinted(text="Every seat is taken: wait until one is free.")


def test_line_by_line_what_was_asked_for_without_a_connection_was_answered_by_nothing() -> None:
    lost = folded((LinkLost(reason="it broke", attempt=1, retry_s=4.0),), in_lobby())
    ready = Sent(command=SetReady(n=CommandNumber(3)))

    assert lines(lost, ready) == ["LINK: what you asked for is sent when the connection is back."]
    assert lines(in_lobby(), ready) == []


def test_how_long_a_pause_or_a_vote_lasts_was_told_on_the_screen_only() -> None:
    pause = e.Paused(reason=e.PauseReason.ASKED, pause=1, left_us=900_000_000)
    vote = e.VoteState(
        vote=1, on=e.VoteOn.END_DEAL, by="bo", yes=1, no=0, needed=4, left_us=60_000_000
    )

    stopped = tuple(time_lines(folded((pause, vote), dealt()), 20.0))
    counted_in = tuple(time_lines(folded((pause, e.Resumed(in_us=3_000_000)), dealt()), 1.0))

    assert stopped[:2] == (
        "TIME: 15 minutes of the pause left, at most.",
        "TIME: 40 seconds left to vote.",
    )
    assert counted_in[0] == "TIME: 2 seconds until the table goes on."


def test_while_a_table_was_counted_in_it_was_too_paused_to_lay_and_not_paused_to_resume() -> None:
    pause = e.Paused(reason=e.PauseReason.ASKED, pause=1, left_us=900_000_000)
    counted_in = folded((pause, e.Resumed(in_us=3_000_000)), dealt())

    assert understand(counted_in, "resume", 1.0) == Hinted(text="The table goes on in a moment.")
    assert understand(dealt(), "resume", 1.0) == Hinted(text="The table is not paused.")


@pytest.mark.parametrize(
    ("passing", "unkept", "cost"),
    [
        (False, "", "your seat is kept"),
        (True, "", "this practice ends"),
        (False, "/full", "you lose your seat"),
    ],
    ids=["on a server", "in practice", "with a secret that is not stored"],
)
def test_whoever_would_leave_a_deal_was_told_that_quit_keeps_the_seat_where_nothing_does(
    *, passing: bool, unkept: str, cost: str
) -> None:
    playing = replace(dealt(), unkept=unkept)

    said = understand(playing, "leave", 1.0, here=Here(connected=True, passing=passing))

    assert isinstance(said, Hinted)
    assert said.text.endswith(f"; quit: {cost}.")


def test_whoever_came_back_to_a_lobby_by_a_pipe_was_answered_before_anybody_said_where_they_are() -> (
    None
):
    client = PlainClient(Visit(name="maya"), Console(None, io.StringIO(), is_terminal=False))
    there: list[bool] = []

    for events in (
        (),
        (e.LobbyChanged(lobby=lobby_state()),),
        (e.HallChanged(online=1, lobbies=()),),
    ):
        client.state = folded((Connecting(address="pi:5252", encrypted=False), WELCOME, *events))
        there.append(client._is_there())

    assert there == [False, True, True]


def test_of_a_watcher_whose_line_was_lost_it_was_said_that_the_seat_is_kept() -> None:
    seats = [e.LobbySeat(name="maya"), e.LobbySeat(name="bo")]
    there = in_lobby(lobby_state(seats=seats, watching=("dee",)))

    told = [lines(there, e.LobbyNews(news=e.News.LOST, name=name)) for name in ("bo", "dee")]

    assert told == [
        ["NEWS: bo lost the connection; the seat is kept"],
        ["NEWS: dee lost the connection"],
    ]


def test_whoever_came_back_as_they_had_been_told_to_heard_nothing_of_what_comes_next() -> None:
    out = io.StringIO()
    visit = Visit(name="maya", plan=to_join("FOX-42"))
    client = PlainClient(visit, Console(None, out, is_terminal=False))

    client.tell((Connecting(address="pi:5252"), WELCOME, e.LobbyChanged(lobby=lobby_state())))

    assert "NEXT: start (d) deals" in out.getvalue()


def test_a_guest_heard_the_way_back_and_their_rejoin_phrase_in_one_breath() -> None:
    out = io.StringIO()
    visit = Visit(name="maya", phrase="ZW0F-Y07Z-03ZG-1ZR0")
    console = Console(None, out, is_terminal=False)
    client = PlainClient(visit, console, settings=Settings(kiosk=True))
    client.tell((Connecting(address="pi:5252"), WELCOME, e.LobbyChanged(lobby=lobby_state())))

    client._say_goodbye()

    assert out.getvalue().splitlines()[-2:] == [
        "BYE: Your seat is kept. To come back: log in again",
        "BYE: Your rejoin phrase:  ZW0F-Y07Z-03ZG-1ZR0",
    ]


def test_disconnect_kept_a_seat_and_did_not_say_how_to_come_back_to_it() -> None:
    out = io.StringIO()

    async def leave() -> int:
        async with FakeServer(at_a_table) as server:
            console = Console(io.BytesIO(b"disconnect\n"), out, is_terminal=False)
            return await PlainClient(Visit(name="maya", address=server.address), console).run()

    assert asyncio.run(asyncio.wait_for(leave(), 20)) == 0
    way = out.getvalue().splitlines()[-1]
    assert way.startswith("BYE: Your seat is kept. To come back: facedown join 127.0.0.1:")


def test_who_asked_for_the_log_before_the_first_play_was_answered_by_nothing() -> None:
    outcome = understand(dealt(), "log", 0.0)

    assert outcome == Reply(lines=("LOG: nothing has been laid yet.",))


def test_of_the_newest_plays_so_many_fewer_were_told_as_something_else_had_happened() -> None:
    seat = e.ChairChanged(seat=Seat(1), name="bo", chair=e.Chair.STAND_IN)
    state = folded((played(1, 0, 1, Rank.ACE, turn=1), seat), dealt())

    assert tuple(log_lines(state, 1)) == ("LOG: 1 ana 1 ace.",)


def test_who_watches_and_asked_for_the_hand_was_told_of_no_cards() -> None:
    assert hand_line(dealt(you=None)) == "HAND: none: you only watch this deal."
