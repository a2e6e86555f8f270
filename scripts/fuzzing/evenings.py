"""What one seat hears in a lobby and a deal, from the hall to the confession: frames that fit together."""

from collections.abc import Iterable, Iterator
from random import Random

from protocol import events as e
from protocol.answers import Accepted, Ping, Stamps, Welcome
from protocol.codec import encode_event, frame_event
from protocol.framing import PREFIX
from protocol.numbers import CommandNumber, EventNumber, Seat
from protocol.rules import TableRules
from server.game import actions as a
from server.game.deal import Deal, Telling
from server.game.engine import apply, new_deal
from server.game.view import window_state_for
from tests.support.shown import snapshot_for

NAMES = ("ana", "bo", "cy", "dee")
YOU = Seat(1)
DOUBTS = 0.25
RULES = TableRules(stop_after_plays=40)
SEATS = tuple(e.SeatState(name=name, cards=0) for name in NAMES)
LOBBY = e.LobbyState(
    code="FOX-42",
    rules=RULES,
    settings=e.LobbySettings(),
    host="ana",
    stage=e.LobbyStage.PLAYING,
    seats=tuple(e.LobbySeat(name=name, ready=True) for name in NAMES),
    watching=("wim",),
    deals=1,
)
WELCOME = Welcome(
    server="fuzz",
    title="kitchen",
    version="1",
    minor=0,
    epoch="e",
    name="bo",
    stamps=Stamps.KERNEL,
    temperaments=("casual", "certain"),
)

A_PAUSE = e.Paused(reason=e.PauseReason.ASKED, left_us=900_000_000, pause=1, by="ana", voted=True)
A_VOTE = e.VoteState(vote=1, on=e.VoteOn.PAUSE, by="ana", yes=1, no=0, needed=3, left_us=60_000_000)


def frames_of_an_evening(rng: Random) -> list[bytes]:
    """The frames that the player in `YOU` gets, without their lengths; the first is the welcome."""
    heard = enumerate(_evening(rng))
    return [frame_event(EventNumber(n), encode_event(event))[PREFIX:] for n, event in heard]


def _evening(rng: Random) -> Iterator[e.Event]:
    yield WELCOME
    yield e.HallChanged(online=5, lobbies=())
    yield e.LobbyChanged(lobby=LOBBY)
    yield e.Said(name="ana", text="hi")
    deal, told = new_deal(RULES, SEATS, Seat(0), 1, rng)
    yield from _heard(told)
    while deal.table.phase is not e.Phase.OVER:
        action = _next_action(deal, rng)
        deal, told = apply(deal, action, 0)
        yield from _heard(told)
        yield from _in_between(deal, rng)
    yield e.StageChanged(stage=e.LobbyStage.MATCH_OVER, deals=1, wins=(1, 0, 0, 0))


def _heard(told: Iterable[Telling]) -> Iterator[e.Event]:
    return (telling.event for telling in told if telling.to in {None, YOU})


def _next_action(deal: Deal, rng: Random) -> a.Action:
    table = deal.table
    if table.phase is e.Phase.REVEAL:
        return a.EndReveal()
    if table.phase is e.Phase.PROTECTED:
        newest = table.newest_play
        callers = [seat for seat in table.seats_in if newest is not None and seat != newest.seat]
        if rng.random() < DOUBTS:
            calls = tuple(e.Call(seat=seat, after_us=9_000) for seat in callers)
            return a.Rule(play=table.newest, challenger=callers[0], calls=calls)
        return a.EndProtection()
    hand = deal.hands[table.turn]
    cards = hand[: rng.randint(1, min(3, len(hand)))]
    return a.Play(seat=table.turn, cards=cards, count=len(cards), rank=table.due[0])


def _in_between(deal: Deal, rng: Random) -> Iterator[e.Event]:
    """What is told beside the play: now and then a little of everything."""
    yield from rng.choice(
        (
            (),
            (),
            (),
            (),
            (Ping(nonce=rng.getrandbits(40), rtt_us=900),),
            (Accepted(n=CommandNumber(rng.randint(1, 9))),),
            (e.TurnClock(seat=deal.table.turn, left_us=10_000_000),),
            (e.Said(name="cy", text="liar!"),),
            (e.ChairChanged(seat=Seat(2), name="cy", chair=e.Chair.STAND_IN),),
            (window_state_for(deal, YOU, 0),),
            snapshot_for(deal, YOU),
            (A_VOTE,),
            (A_PAUSE, e.Resumed(in_us=3_000_000)),
        )
    )
