"""Whatever the full screen can do and show, the plain client can do and say.

Acts, commands and events are counted by reflection: a new one without its plain form fails here.
"""

from collections.abc import Iterator
from itertools import chain
from typing import get_args

import pytest

from client.plain.lesson_lines import AGAIN, SKIP
from client.plain.play_words import is_a_play
from client.plain.told import told
from client.plain.typed import find, understand
from client.plain.word import Changed, Go, Here, Quit, Reply
from client.screens.deeds import Act
from client.state import ClientState, Painted
from client.store import AnyEvent, reduce
from client.way_in.address import Recent
from protocol import answers as a
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank, read_faces
from protocol.codec import UnknownEvent
from protocol.commands import AnyCommand
from protocol.events import Event
from protocol.numbers import CardId, CommandNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.rules import ChallengeUntil, TableRules
from protocol.views import LogPage, TableSnapshot
from tests.support.cards import numbered
from tests.support.scenes import the_result, the_reveal
from tests.support.screen_states import (
    ONE_IS_READY,
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

NOW = 50.0
HERE = Here(can_practise=True, recents=(Recent(address="pi:5252", note="as maya"),))
BO_SAYS = played(1, 1, 2, Rank.ACE, turn=2)
QUEEN, KING = played(1, 3, 1, Rank.QUEEN, turn=4), played(2, 4, 1, Rank.KING, turn=5)
CARDS = (CardId(0),)
HELD = e.Held(held=e.HeldPlay(cards=CARDS, count=1, rank=Rank.ACE))
PAUSE = e.Paused(reason=e.PauseReason.ASKED, pause=1, left_us=900_000_000)
VOTE = e.VoteState(vote=1, on=e.VoteOn.END_DEAL, by="bo", yes=1, no=0, needed=4, left_us=60_000_000)
LISTING = e.Listing(
    code="OWL-17",
    host="kim",
    rules=TableRules(),
    stage=e.LobbyStage.GATHERING,
    size=4,
    seated=("kim",),
)

TO_PLAY = dealt(turn=3)
assert TO_PLAY.table is not None
SNAPSHOT = TableSnapshot(table=TO_PLAY.table.table, you=YOU, hand=TO_PLAY.table.hand, entries=1)
OPEN = folded((BO_SAYS, Painted(play=PlayNumber(1))), dealt())
PASSING = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(rules=TableRules(passing=True)))
PASSING = folded((e.ProtectionOver(play=PlayNumber(1)),), PASSING)
NO_CLOCK = dealt(rules=TableRules(turn_s=0))
REPLACED = folded((e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.STAND_IN),), dealt(turn=3))


# --- what can be done ------------------------------------------------------------------------------

WORDS: dict[Act, str] = {
    Act.HELP: "help",
    Act.ENTER: "go",
    Act.SAY: "say hello",
    Act.QUIT: "quit",
    Act.SETTINGS: "settings",
    Act.SKIN: "settings ascii yes",
    Act.COLOURS: "settings theme dark",
    Act.BELL: "settings bell no",
    Act.MOUSE: "settings mouse yes",
    Act.ORDER: "settings order size",
    Act.DISCONNECT: "disconnect",
    Act.CREATE: "create bluff",
    Act.CODE: "join FOX-42",
    Act.WATCH: "watch FOX-42",
    Act.READY: "ready",
    Act.START: "start",
    Act.START_ANYWAY: "start anyway",
    Act.COMPUTERS: "add",
    Act.ADD: "add proof",
    Act.REMOVE: "remove bo",
    Act.HAND_OVER: "host bo",
    Act.SHUFFLE: "shuffle",
    Act.SIT: "sit",
    Act.STAND: "stand",
    Act.ADMIT: "answer bo yes",
    Act.TURN_AWAY: "answer bo no",
    Act.INVITE: "invite",
    Act.COPY_RULES: "options",
    Act.SUGGESTED: "suggest take",
    Act.LEAVE_LOBBY: "leave",
    Act.TO_LOBBY: "seats",
    Act.PICK: "q 5",
    Act.NAME_RANK: "q 5 = k",
    Act.NEXT_RANK: "q 5 = k",
    Act.SAY_FEWER: "q 5 as 1",
    Act.SAY_MORE: "q 5 as 2",
    Act.UNPICK: "back",
    Act.DOUBT: "b",
    Act.OLDER: "older",
    Act.BELIEVE: "y",
    Act.BELIEVE_ALL: "Y",
    Act.PASS: "pass",
    Act.LOG: "log",
    Act.NAMES: "table",
    Act.YES: "yes",
    Act.NO: "no",
    Act.GIVE_UP: "giveup",
    Act.RETURN: "return",
    Act.VOTE_END: "vote end",
    Act.VOTE_PAUSE: "vote pause",
    Act.PAUSE: "pause",
    Act.RESUME: "resume",
    Act.START_CLOCK: "clock",
    Act.CONFESSION: "confess",
    Act.EVENING: "evening",
    Act.LESSON_SKIP: SKIP,
    Act.LESSONS: AGAIN,
}
THE_SCREEN_ITSELF = {
    Act.MENU,  # every item of it has its word
    Act.BACK,
    Act.UP,
    Act.DOWN,
    Act.LEFT,
    Act.RIGHT,
    Act.PAGE_UP,
    Act.PAGE_DOWN,
    Act.SPACE,
    Act.TAB,
    Act.REPAINT,  # nothing is drawn that could be drawn again
    Act.SUSPEND,  # the terminal's own Ctrl-Z does it
    Act.LEAVE,  # and its own Ctrl-C
    Act.LESSON_ON,  # Enter on an empty line
}


def test_every_act_of_the_screen_has_its_word() -> None:
    assert WORDS.keys() | THE_SCREEN_ITSELF == set(Act)
    assert not WORDS.keys() & THE_SCREEN_ITSELF


@pytest.mark.parametrize("line", sorted(set(WORDS.values()) - {SKIP, AGAIN}))
def test_the_word_is_one_that_is_known(line: str) -> None:
    assert is_a_play(line) or find(line.split(maxsplit=1)[0]) or line == "help"


COMMANDS: tuple[tuple[ClientState, str, type], ...] = (
    (TO_PLAY, "q 5", c.PlayCards),
    (PASSING, "pass", c.Pass),
    (folded((HELD,), TO_PLAY), "back", c.TakeBack),
    (OPEN, "b", c.Challenge),
    (OPEN, "y", c.LetGoOf),
    (the_reveal(), "go", c.GoOn),
    (NO_CLOCK, "clock", c.StartClock),
    (TO_PLAY, "giveup", c.GiveUpSeat),
    (REPLACED, "return", c.ReturnToSeat),
    (TO_PLAY, "vote end", c.CallVote),
    (folded((VOTE,), TO_PLAY), "yes", c.CastVote),
    (TO_PLAY, "pause", c.PauseTable),
    (folded((PAUSE,), TO_PLAY), "resume", c.ResumeTable),
    (online(), "create bluff private", c.CreateLobby),
    (online(), "join FOX-42", c.JoinLobby),
    (in_lobby(), "leave", c.LeaveLobby),
    (in_lobby(), "ready", c.SetReady),
    (ONE_IS_READY, "start anyway", c.StartDeal),
    (in_lobby(), "rules bluff", c.SetRules),
    (in_lobby(), "set watchers no", c.SetSettings),
    (in_lobby(), "add proof", c.AddComputer),
    (in_lobby(), "remove bo", c.RemoveSeat),
    (in_lobby(), "host bo", c.HandOver),
    (in_lobby(), "shuffle", c.ShuffleSeats),
    (in_lobby(lobby_state(seats=())), "sit", c.SitDown),
    (in_lobby(), "stand", c.StandUp),
    (TO_PLAY, "answer bo yes", c.AnswerSeat),
    (in_lobby(), "say hello", c.Say),
)


@pytest.mark.parametrize(
    ("state", "line", "kind"), COMMANDS, ids=[kind.__name__ for _, _, kind in COMMANDS]
)
def test_a_word_sends_the_command(state: ClientState, line: str, kind: type) -> None:
    assert isinstance(understand(state, line, NOW), kind)


def test_every_command_is_sent_by_some_word() -> None:
    assert {kind for _, _, kind in COMMANDS} == set(get_args(AnyCommand))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("settings bell no", Changed),
        ("settings", Reply),
        ("connect 1", Go),
        ("practise", Go),
        ("learn", Go),
        ("servers", Reply),
        ("help", Reply),
        ("quit", Quit),
    ],
)
def test_what_is_done_without_a_server_has_its_word(line: str, kind: type) -> None:
    assert isinstance(understand(ClientState(name="maya"), line, NOW, here=HERE), kind)


# --- what is told ---------------------------------------------------------------------------------

Told = tuple[ClientState, Event]

SAID: tuple[Told, ...] = (
    (ClientState(name="maya"), WELCOME),
    (TO_PLAY, a.Refused(n=CommandNumber(1), code=Refusal.NOT_YOUR_TURN)),
    (
        in_lobby(),
        e.DealStarted(
            deal=2,
            rules=TableRules(),
            dealer=Seat(0),
            turn=Seat(1),
            seats=(e.SeatState(name="ana", cards=9), e.SeatState(name="bo", cards=9)),
        ),
    ),
    (dealt(you=None), e.HandDealt(seat=YOU, cards=())),
    (dealt(), BO_SAYS),
    (PASSING, e.Passed(seat=YOU, turn=Seat(4))),
    (OPEN, e.YouLetGo(play=PlayNumber(1))),
    (TO_PLAY, HELD),
    (folded((HELD,), TO_PLAY), e.HeldBack()),
    (folded((QUEEN,), dealt()), stands(1)),
    (folded((QUEEN, KING), dealt()), ruled()),
    (the_reveal(), e.LateCall(play=PlayNumber(2), call=e.Call(seat=Seat(0), after_us=806_000))),
    (PASSING, e.SetAside(cards=1, turn=Seat(2))),
    (TO_PLAY, e.DealOver(reason=e.StopReason.VOTE, places=(1,) * 6, cards=(9,) * 6)),
    (in_lobby(), SNAPSHOT),
    (OPEN, e.WentOut(seat=Seat(1), place=1, turn=Seat(2))),
    (OPEN, e.Stopping(reason=e.StopReason.VOTE)),
    (OPEN, e.Confession(play=PlayNumber(1), faces=(read_faces("2C 2D"),))),
    (TO_PLAY, e.ChairChanged(seat=YOU, name="maya", chair=e.Chair.STAND_IN)),
    (OPEN, e.WindowState(phase=e.Phase.PROTECTED, protected_us=4_000_000)),
    (TO_PLAY, e.TurnClock(seat=YOU, left_us=10_000_000)),
    (TO_PLAY, PAUSE),
    (folded((PAUSE,), TO_PLAY), e.Resumed()),
    (TO_PLAY, VOTE),
    (TO_PLAY, e.VoteOffered(plays=PlayNumber(150))),
    (in_lobby(), e.Said(name="bo", text="hi")),
    (in_lobby(), e.TalkSoFar(lines=(e.Said(name="bo", text="hi", line=1),))),
    (in_lobby(), e.LobbyNews(news=e.News.LOST, name="cy")),
    (online(), e.LobbyChanged(lobby=lobby_state())),
    (in_lobby(), e.Stalled()),
    (in_lobby(), e.LobbyLeft(reason="ana closed it")),
    (online(), e.HallChanged(online=3, lobbies=())),
    (online(), e.Listed(lobby=LISTING)),
)
"""A line comes by itself."""

ASKED: tuple[tuple[ClientState, Event, str], ...] = (
    (OPEN, e.LetGo(play=PlayNumber(1), count=2), "table"),
    (TO_PLAY, e.Laid(play=PlayNumber(1), cards=TO_PLAY.table.hand[:1]), "hand"),
    (dealt(), e.Took(cards=numbered(read_faces("2C"))), "hand"),
    (OPEN, e.ProtectionOver(play=PlayNumber(1)), "time"),
    (the_reveal(), e.RevealOver(), "time"),
    (
        folded((e.HallChanged(online=1, lobbies=(LISTING,)),), online()),
        e.Unlisted(code="OWL-17"),
        "hall",
    ),
    (online(), e.Online(count=9), "hall"),
    (folded((SNAPSHOT,), in_lobby()), LogPage(log=(BO_SAYS,)), "log"),
    (in_lobby(), e.SeatChanged(name="bo", connected=False), "seats"),
    (
        in_lobby(),
        e.StageChanged(stage=e.LobbyStage.BETWEEN_DEALS, deals=1, wins=(1, 0, 0, 0, 0, 0)),
        "seats",
    ),
    (online(), a.Ping(nonce=1, rtt_us=250_000), "time"),
)
"""Nobody is interrupted for it, but whoever asks hears something else than before."""

UNSAID = {
    a.Accepted,  # what was accepted is told by the event that follows
    a.Goodbye,  # what it says is the reason that is told of the end of the line
    UnknownEvent,  # of a newer server: nobody knows what it says
}


def lines(state: ClientState, *events: AnyEvent) -> Iterator[str]:
    """What is printed for these events."""
    for event in events:
        before, state = state, reduce(state, event, 10.0)
        yield from told(before, event, state)


def every_event() -> Iterator[type[Event]]:
    """All that a server can tell."""
    waiting = [Event]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind is not Event and kind.__struct_config__.tag is not None:
            yield kind


@pytest.mark.parametrize(("state", "event"), SAID, ids=[type(event).__name__ for _, event in SAID])
def test_an_event_is_told(state: ClientState, event: Event) -> None:
    printed = list(lines(state, event))

    assert printed
    assert all(": " in line for line in printed)  # each begins with its label


@pytest.mark.parametrize(
    ("state", "event", "word"), ASKED, ids=[type(event).__name__ for _, event, _ in ASKED]
)
def test_what_is_not_told_can_be_asked_for(state: ClientState, event: Event, word: str) -> None:
    after = reduce(state, event, 10.0)

    assert understand(after, word, 10.0) != understand(state, word, 10.0)


def test_every_event_is_told_or_can_be_asked_for() -> None:
    known = chain((event for _, event in SAID), (event for _, event, _ in ASKED))

    assert {type(event) for event in known} | UNSAID == set(every_event())


# --- when it is over --------------------------------------------------------------------------------


def test_who_lied_and_doubted_is_told_as_on_the_screen() -> None:
    told_it = understand(the_result(), "stats", NOW)

    assert isinstance(told_it, Reply)
    text = "\n".join(told_it.lines)
    assert "STATS: you, 1 lie, 0 caught, 1 doubt, 1 right." in text
    assert "true plays doubted: 0." in text


def test_the_plays_that_may_be_doubted_are_named_with_their_numbers() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP)
    state = folded(
        (played(1, 1, 2, Rank.ACE, turn=2), played(2, 2, 1, Rank.TWO, turn=3)), dealt(rules=rules)
    )

    told_it = understand(state, "older", NOW)

    assert isinstance(told_it, Reply)
    assert told_it.lines == (
        "OLDER: 2 cy, 1 two. (b 2 doubts it)",
        "OLDER: 1 bo, 2 aces. (b 1 doubts it)",
    )
