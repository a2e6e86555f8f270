"""The client's state is a fold: what each event does to it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from client import state as s
from client.state import ClientState, LineKind, LinkState
from client.store import reduce
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Ping, Refused, Stamps
from protocol.cards import Rank, read_faces
from protocol.codec import UnknownEvent
from protocol.numbers import CardId, CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import CLASSIC, TableRules
from tests.support.screen_states import (
    NAMES,
    WELCOME,
    YOU,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
    ruled,
    stands,
)

ONE, TWO = CommandNumber(1), CommandNumber(2)
NOW = 100.0


def two_plays() -> ClientState:
    """Maya has laid a queen, and dee after her a king."""
    plays = (played(1, 3, 1, Rank.QUEEN, turn=4), played(2, 4, 1, Rank.KING, turn=5))
    return folded(plays, dealt())


# --- the link ----------------------------------------------------------------------------------


def test_a_welcome_makes_the_client_online_under_the_servers_spelling() -> None:
    state = reduce(ClientState(name="MAYA"), WELCOME, NOW)

    assert (state.link.state, state.name) == (LinkState.ONLINE, "maya")


def test_a_lost_line_says_when_the_next_attempt_is_made() -> None:
    state = reduce(online(), s.LinkLost(reason="reset", attempt=1, retry_s=2.0), NOW)

    assert state.link.state is LinkState.LOST
    assert state.link.retry_at == NOW + 2.0
    assert state.log[-1].text == "Connection lost: reset."


def test_further_attempts_are_not_told_again() -> None:
    lost = reduce(online(), s.LinkLost(reason="reset", attempt=1, retry_s=2.0), NOW)

    state = folded(
        (s.Connecting(address="x:1"), s.LinkLost(reason="x", attempt=2, retry_s=4.0)), lost
    )

    assert state.log == lost.log
    assert (state.link.state, state.link.attempt) == (LinkState.LOST, 2)


def test_a_resumed_session_keeps_the_table() -> None:
    welcome = replace(WELCOME, resumed=True)

    state = reduce(dealt(), welcome, NOW)

    assert state.table is not None


def test_a_session_that_was_not_resumed_forgets_the_table_until_a_snapshot_comes() -> None:
    state = reduce(dealt(), WELCOME, NOW)

    assert (state.table, state.lobby) == (None, None)


def test_a_new_identity_has_no_commands_under_way() -> None:
    sent = reduce(online(), s.Sent(command=c.StandUp(n=ONE)), NOW)

    state = reduce(sent, replace(WELCOME, secret=b"x" * 32), NOW)

    assert state.pending == ()


def test_leaving_a_server_forgets_everything_but_the_name() -> None:
    state = reduce(dealt(), s.LinkClosed(), NOW)

    assert (state.lobby, state.table, state.welcome, state.name) == (None, None, None, "maya")


def test_a_ping_tells_the_round_trip() -> None:
    assert reduce(online(), Ping(nonce=2, rtt_us=12_000), NOW).rtt_us == 12_000


def test_an_event_from_a_newer_server_changes_only_the_time() -> None:
    before = dealt()

    after = reduce(before, UnknownEvent(kind="weather"), NOW)

    assert after == replace(before, now=NOW, heard_at=NOW)


# --- commands and answers ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [Accepted(n=ONE), Refused(n=ONE, code=Refusal.NOT_HOST)],
    ids=["accepted", "refused"],
)
def test_an_answered_command_is_no_longer_pending(answer: e.Event) -> None:
    sent = folded(
        (s.Sent(command=c.ShuffleSeats(n=ONE)), s.Sent(command=c.StandUp(n=TWO))), online()
    )

    state = reduce(sent, answer, NOW)

    assert [command.n for command in state.pending] == [TWO]


def test_a_refusal_is_told_with_its_clause() -> None:
    sent = reduce(online(), s.Sent(command=c.ShuffleSeats(n=ONE)), NOW)

    state = reduce(sent, Refused(n=ONE, code=Refusal.NOT_HOST, clause="D6"), NOW)

    assert state.hint == "Only the host can do that: ask them. (D6)"
    assert state.log[-1].kind is LineKind.ANSWER


def test_cards_that_came_back_because_of_a_doubt_are_no_refusal_to_read() -> None:
    state = reduce(dealt(), Refused(n=ONE, code=Refusal.CALLED_FIRST), NOW)

    assert state.hint == ""


# --- clocks ------------------------------------------------------------------------------------


def test_a_play_opens_a_window_on_the_local_clock() -> None:
    state = reduce(dealt(), played(1, 0, 1, Rank.ACE, turn=1), NOW)

    assert (state.clocks.window_ends, state.clocks.window_s) == (NOW + 4.0, 4.0)


def test_a_window_that_closed_has_no_seconds_left() -> None:
    state = folded((played(1, 0, 1, Rank.ACE, turn=1), stands(1)), dealt())

    assert state.clocks.window_ends is None


def test_a_ruling_starts_the_reading_time() -> None:
    state = reduce(two_plays(), ruled(), NOW)

    assert state.clocks.reveal_ends == NOW + 3.0
    assert state.clocks.window_ends is None


def test_the_last_counted_play_has_a_last_plays_window_from_its_opening() -> None:
    opened = reduce(dealt(), played(1, 0, 1, Rank.ACE, turn=1), NOW)

    state = reduce(opened, e.Stopping(reason=e.StopReason.VOTE), NOW + 1)

    assert state.clocks.window_ends == NOW + 8.0


def test_a_pause_stops_every_clock_and_a_window_state_starts_them_again() -> None:
    paused = reduce(
        reduce(dealt(), e.TurnClock(seat=YOU, left_us=9_000_000), NOW),
        e.Paused(reason=e.PauseReason.ASKED, left_us=60_000_000, by="maya"),
        NOW,
    )

    state = reduce(paused, e.WindowState(phase=e.Phase.TO_PLAY, turn_us=5_000_000), NOW + 30)

    assert paused.clocks == s.Clocks()
    assert paused.pause == s.Pause(reason=e.PauseReason.ASKED, by="maya", ends=NOW + 60)
    assert (state.pause, state.clocks.turn_ends) == (None, NOW + 35)


# --- cards picked ------------------------------------------------------------------------------


def test_cards_that_were_laid_are_no_longer_picked() -> None:
    state = reduce(dealt(), s.Picked(cards=(CardId(0), CardId(1))), NOW)
    assert state.table is not None

    state = reduce(state, e.Laid(play=PlayNumber(1), cards=state.table.hand[:1]), NOW)

    assert state.picks == (CardId(1),)


def test_cards_that_lie_ready_are_not_picked_and_are_again_when_they_come_back() -> None:
    ready = e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.ACE))
    state = folded((s.Picked(cards=(CardId(0),)), ready), dealt())
    assert state.picks == ()

    state = reduce(state, e.HeldBack(), NOW)

    assert state.picks == (CardId(0),)


def test_a_new_deal_starts_with_a_clean_table() -> None:
    busy = folded((s.Picked(cards=(CardId(0),)), s.BelieveAll(on=True)), two_plays())
    seats = tuple(e.SeatState(name=name, cards=9) for name in NAMES)
    next_deal = e.DealStarted(deal=2, rules=CLASSIC, dealer=Seat(0), turn=Seat(1), seats=seats)

    state = reduce(busy, next_deal, NOW)

    assert (state.picks, state.believe_all, state.doubt) == ((), False, None)


def test_believing_everything_ends_with_my_own_play() -> None:
    believing = reduce(dealt(turn=3), s.BelieveAll(on=True), NOW)

    others = reduce(believing, played(1, 0, 1, Rank.ACE, turn=3), NOW)
    own = reduce(others, played(2, 3, 1, Rank.TWO, turn=4), NOW)

    assert (others.believe_all, own.believe_all) == (True, False)


# --- votes, lobby, hall ------------------------------------------------------------------------


def a_vote(**more: object) -> e.VoteState:
    """Bo asks to end the deal."""
    usual: dict[str, object] = {"yes": 1, "no": 0, "needed": 3, "left_us": 60_000_000}
    return e.VoteState(vote=1, on=e.VoteOn.END_DEAL, by="bo", **{**usual, **more})  # type: ignore[arg-type]


def test_an_open_vote_remembers_how_i_voted() -> None:
    state = folded(
        (a_vote(), s.Sent(command=c.CastVote(n=ONE, deal=1, vote=1, yes=True)), a_vote(yes=2)),
        dealt(),
    )

    assert state.vote is not None
    assert (state.vote.mine, state.vote.state.yes) == (True, 2)


def test_a_vote_that_ended_is_gone_and_told() -> None:
    state = folded((a_vote(), a_vote(yes=3, passed=True)), dealt())

    assert state.vote is None
    assert state.log[-1].text == "The vote to end the deal passed."


def test_chat_is_cleaned_once_more() -> None:
    state = reduce(online(), e.Said(name="bo", text="hi\x1b[31m\u202ethere"), NOW)

    assert (state.log[-1].who, state.log[-1].text) == ("bo", "hi[31mthere")


def test_the_log_is_bounded() -> None:
    said = [e.Said(name="bo", text=str(number)) for number in range(s.MAX_LINES + 5)]

    state = folded(said, online())

    assert len(state.log) == s.MAX_LINES
    assert state.log[0].text == "5"


def test_another_lobby_takes_the_old_table_away() -> None:
    other = replace(lobby_state(), code="OWL-17")

    assert reduce(dealt(), e.LobbyChanged(lobby=other), NOW).table is None


def test_a_lobby_is_followed_in_few_words() -> None:
    ready = e.SeatChanged(name="bo", ready=True)
    begun = e.StageChanged(stage=e.LobbyStage.PLAYING, deals=1, wins=(0,) * 6)

    lobby = folded((ready, begun), in_lobby()).lobby

    assert lobby is not None
    assert (lobby.stage, [seat.name for seat in lobby.seats if seat.ready]) == (
        e.LobbyStage.PLAYING,
        ["bo"],
    )


def test_back_in_the_hall_there_is_no_lobby_and_the_reason_is_told() -> None:
    state = reduce(in_lobby(), e.LobbyLeft(reason="ana removed you"), NOW)

    assert state.lobby is None
    assert state.log[-1].text == "ana removed you"


def test_the_hall_lists_a_lobby_once_and_as_it_is_now() -> None:
    first, second = a_listing(plays=1), a_listing(plays=2)

    state = folded((e.Listed(lobby=first), e.Listed(lobby=second), e.Online(count=7)), online())

    assert [one.plays for one in state.hall.lobbies] == [2]
    assert state.hall.online == 7
    assert reduce(state, e.Unlisted(code="FOX-42"), NOW).hall.lobbies == ()


def a_listing(*, plays: int = 0) -> e.Listing:
    """Ana's lobby, open to all."""
    return e.Listing(
        code="FOX-42",
        host="ana",
        stage=e.LobbyStage.PLAYING,
        rules=TableRules(),
        size=6,
        seated=("ana",),
        plays=PlayNumber(plays),
    )


# --- whatever comes ----------------------------------------------------------------------------

EVENTS = (
    played(1, 0, 1, Rank.ACE, turn=1),
    played(2, 4, 1, Rank.KING, turn=5),
    stands(1),
    e.ProtectionOver(play=PlayNumber(1)),
    e.RevealOver(),
    e.HeldBack(),
    e.Held(held=e.HeldPlay(cards=(CardId(1),), count=1, rank=Rank.THREE)),
    e.Took(cards=()),
    e.Paused(reason=e.PauseReason.PARKED),
    e.Resumed(in_us=3_000_000),
    e.TurnClock(seat=YOU, left_us=45_000_000),
    e.LobbyLeft(),
    e.HallChanged(online=1, lobbies=()),
    e.LobbyChanged(lobby=lobby_state()),
    e.SeatChanged(name="bo", ready=True),
    e.StageChanged(stage=e.LobbyStage.PLAYING, deals=1, wins=(0, 1)),
    a_vote(),
    a_vote(passed=False),
    e.VoteOffered(plays=PlayNumber(150)),
    s.LinkLost(reason="reset", attempt=1, retry_s=0.5),
    s.LinkRefused(text="No."),
    s.LinkClosed(),
    s.Picked(cards=(CardId(3), CardId(4))),
    s.Painted(play=PlayNumber(2)),
    s.BelieveAll(on=True),
    s.Sent(command=c.GoOn(n=TWO, deal=1, play=PlayNumber(1))),
    Refused(n=TWO, code=Refusal.STALE),
    WELCOME,
)


@given(st.lists(st.sampled_from(EVENTS), max_size=25))
def test_no_order_of_events_breaks_the_state(events: list[e.Event]) -> None:
    state = folded(events, dealt())

    held = {card.id for card in state.table.hand} if state.table else set()
    assert state.table is None or set(state.picks) <= held | {CardId(3), CardId(4)}
    assert len(state.log) <= s.MAX_LINES


def test_stamps_are_kept_for_the_ruling_screen() -> None:
    state = reduce(online(), replace(WELCOME, stamps=Stamps.AFTER_READ), NOW)

    assert state.welcome is not None
    assert state.welcome.stamps is Stamps.AFTER_READ


def test_faces_of_a_ruling_stay_until_the_next_play() -> None:
    seen = reduce(two_plays(), ruled(), NOW)

    after = reduce(seen, played(3, 5, 1, Rank.ACE, turn=0), NOW)

    assert seen.ruling is not None
    assert seen.ruling.shown.faces == read_faces("7C")
    assert after.ruling is None
