"""One deal played out by the real rules and the real computer players, as one client sees it.

Everything follows from the seeds: the same moments come every time. The pictures in the READMEs
are taken of it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random

from client.plain.told import told
from client.state import NO_PLAY, ClientState, Connecting, Painted, Sent
from client.store import AnyEvent, reduce
from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Ping
from protocol.numbers import CommandNumber, PlayNumber, Seat
from protocol.options import options_of
from protocol.rules import TableRules
from server.bots.choices import PlayChoice
from server.bots.registry import TEMPERAMENTS
from server.game import actions as a
from server.game import engine
from server.game.deal import Deal, Telling
from server.game.view import view_for
from tests.support.screen_states import WELCOME, lobby_state

NAMES = ("ana", "bo", "cy", "maya", "dee")
YOU = Seat(3)
MOODS = ("casual", "certain", "casual", "casual", "proof")
RULES = TableRules(window_s=6, photo_finish_ms=0)
SECOND_US = 1_000_000
MOST_STEPS = 2_000
CARRIED = 0.3
SSH = 1  # the seat that plays over SSH
CHAT = {
    8: e.Said(name="bo", text="that is never three of them"),
    9: e.Said(name="dee", text="say it, then :)"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """What the client knew after one step, when that was, and what plain mode printed of it."""

    state: ClientState
    at: float  # seconds
    lines: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class Evening:
    """A deal in progress, and what maya's client has been told of it."""

    rng: Random
    moments: list[Moment] = field(default_factory=list)
    at: float = 0.0
    decided: PlayNumber = NO_PLAY
    chatted: set[int] = field(default_factory=set)

    def hears(self, *events: AnyEvent) -> None:
        """The client is told something."""
        for event in events:
            before = self.moments[-1].state if self.moments else ClientState(name="maya")
            after = reduce(before, event, self.at)
            typed = (f"> {_typed(before, event.command)}",) if isinstance(event, Sent) else ()
            lines = (*typed, *told(before, event, after))
            self.moments.append(Moment(state=after, at=self.at, lines=lines))

    def does(self, action: a.Action, deal: Deal) -> None:
        """If it is something maya does, her client sends it."""
        n = CommandNumber(len(self.moments))
        table = deal.table
        match action:
            case a.Play(seat=seat) if seat == YOU:
                command: c.AnyCommand = c.PlayCards(
                    n=n,
                    deal=table.deal,
                    after=table.newest,
                    pile=table.pile_number,
                    cards=action.cards,
                    count=action.count,
                    rank=action.rank,
                )
            case a.Rule() if YOU in {call.seat for call in action.calls}:
                command = c.Challenge(n=n, deal=table.deal, play=action.play)
            case _:
                return
        self.hears(Sent(command=command))
        self.hears(Accepted(n=n))

    def told(self, tellings: tuple[Telling, ...]) -> None:
        """What the rules tell everybody, or maya alone."""
        self.hears(*(telling.event for telling in tellings if telling.to in {None, YOU}))


def an_evening(seed: int = 7) -> tuple[Moment, ...]:
    """All moments of one deal, from the lobby to the result."""
    rng = Random(seed)
    seats = tuple(e.SeatState(name=name, cards=0) for name in NAMES)
    deal, first = engine.new_deal(RULES, seats, dealer=Seat(2), number=1, rng=rng)
    evening = Evening(rng=rng)
    arrived = Connecting(address="192.168.1.20:5252", encrypted=True)
    evening.hears(arrived, WELCOME, Ping(nonce=1, rtt_us=3_000), e.LobbyChanged(lobby=_lobby()))
    evening.told(first)
    for _ in range(MOST_STEPS):
        if deal.table.outcome is not None:
            break
        deal = _step(deal, evening)
    done = lobby_state(rules=RULES, stage=e.LobbyStage.BETWEEN_DEALS, seats=_people())
    evening.hears(e.LobbyChanged(lobby=done))
    return tuple(evening.moments)


def _lobby() -> e.LobbyState:
    return lobby_state(rules=RULES, stage=e.LobbyStage.PLAYING, seats=_people())


def _people() -> list[e.LobbySeat]:
    return [e.LobbySeat(name=name) for name in NAMES]


def _typed(state: ClientState, command: c.AnyCommand) -> str:
    """What one would have typed in plain mode."""
    if not isinstance(command, c.PlayCards) or state.table is None:
        return "b"
    faces = {card.id: card.face.rank for card in state.table.hand}
    ranks = [rank.symbol.lower() for card in command.cards if (rank := faces[card])]
    return " ".join(ranks)


def _step(deal: Deal, evening: Evening) -> Deal:
    """What happens next: a doubt, the end of a clock, or a move."""
    action = next(_actions(deal, evening))
    micros = int(evening.at * SECOND_US)
    if isinstance(action, a.EndProtection | a.EndReveal):
        micros = engine.next_deadline(deal) or micros
    elif isinstance(action, a.LetGo):
        micros += evening.rng.randrange(SECOND_US // 4)
    elif not isinstance(action, a.Rule):
        micros += SECOND_US + evening.rng.randrange(2 * SECOND_US)
    evening.at = micros / SECOND_US
    evening.does(action, deal)
    deal, tellings = engine.apply(deal, action, micros)
    evening.told(tellings)
    newest = deal.table.newest
    if newest in CHAT and newest not in evening.chatted:
        evening.chatted.add(newest)
        evening.hears(CHAT[newest])
    evening.hears(Painted(play=newest))
    return deal


def _actions(deal: Deal, evening: Evening) -> Iterator[a.Action]:
    if deal.table.phase is e.Phase.REVEAL:
        yield a.EndReveal()
    if deal.protected_until is not None:
        yield from _about_the_newest(deal, evening)
        yield a.EndProtection()
    turn = deal.table.turn
    choice = TEMPERAMENTS[MOODS[turn]].decide_play(view_for(deal, turn), evening.rng)
    assert isinstance(choice, PlayChoice), "nobody passes under these rules"
    yield a.Play(seat=turn, cards=choice.cards, count=choice.count, rank=choice.rank)


def _about_the_newest(deal: Deal, evening: Evening) -> Iterator[a.Action]:
    """Everybody makes up their mind, once: doubts, or believes."""
    newest = deal.table.newest
    may = {seat: options_of(view_for(deal, seat)) for seat in map(Seat, range(len(NAMES)))}
    minds = [seat for seat, each in may.items() if newest in each.challenge]
    if newest > evening.decided:
        evening.decided = newest
        doubters = [seat for seat in minds if _doubts(deal, seat, evening.rng)]
        if doubters:
            calls = _calls(doubters, minds, evening.rng)
            yield a.Rule(play=newest, challenger=calls[0].seat, calls=calls)
    for seat in minds:
        if may[seat].may_let_go and seat != YOU and not view_for(deal, seat).you_let_go:
            yield a.LetGo(seat=seat, play=newest)


def _doubts(deal: Deal, seat: Seat, rng: Random) -> bool:
    mood = TEMPERAMENTS[MOODS[seat]]
    return mood.decide_doubt(view_for(deal, seat), deal.table.newest, rng)


def _calls(doubters: list[Seat], minds: list[Seat], rng: Random) -> tuple[e.Call, ...]:
    """The call order: those who doubt, and now and then somebody who is carried along."""
    order = doubters + [seat for seat in minds if seat not in doubters and rng.random() < CARRIED]
    rng.shuffle(order)
    times = [rng.randrange(600_000, 2_400_000)]
    times += sorted(rng.randrange(9_000, 400_000) for _ in order[1:])
    return tuple(
        e.Call(seat=seat, after_us=after, rtt_us=3_000 + 1_000 * seat, ssh=seat == SSH)
        for seat, after in zip(order, times, strict=True)
    )
