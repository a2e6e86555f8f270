"""What one person hides leaves no trace on anybody else's wire: no byte, no number, no time.

The same deal is played twice, and one person hides something else in it each time. All that the
others hear, and when, must be the same. A challenge would turn cards up, so there is none.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Ping, Welcome
from protocol.codec import encode_event
from tests.support.guests import Guest, a_hall, a_party

RULES = "classic.sneak-2.w2.t20.no-confess.plays-12"
PLAYS = 9

Line = tuple[float, int, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """What ana does that nobody must notice."""

    truth: bool = True
    sneaks: int = 0
    holds_and_takes_back: bool = False


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param(Secret(truth=False), id="a lie"),
        pytest.param(Secret(sneaks=1), id="a card too many (B10)"),
        pytest.param(Secret(truth=False, sneaks=2), id="a lie with two cards too many"),
        pytest.param(Secret(holds_and_takes_back=True), id="cards laid ready and taken back (C3)"),
    ],
)
def test_nobody_hears_a_difference(hidden: Secret) -> None:
    plain, secretive = _overheard(Secret()), _overheard(hidden)

    assert plain.keys() == secretive.keys() == {"bo", "cy", "eve", "late"}
    for name, lines in plain.items():
        assert lines == secretive[name]


def _overheard(secret: Secret) -> dict[str, list[Line]]:
    """What everybody but ana hears in a deal in which ana has this secret."""

    async def evening() -> dict[str, list[Line]]:
        async with trio.open_nursery() as nursery:
            others = await _play(nursery, secret)
            await wait_all_tasks_blocked()
            nursery.cancel_scope.cancel()
        return {guest.name: _lines(guest) for guest in others}

    return trio.run(evening, clock=MockClock(autojump_threshold=0))


def _lines(guest: Guest) -> list[Line]:
    """When, under which number and in which bytes: but for what is random in any case."""
    return [
        (round(at, 6), number, encode_event(event))
        for at, (number, event) in zip(guest.heard_at, guest.heard, strict=True)
        if not isinstance(event, Ping | Welcome)
    ]


async def _play(nursery: trio.Nursery, secret: Secret) -> list[Guest]:
    hall = a_hall(nursery)
    guests = await a_party(hall, nursery, "ana", "bo", "cy", rules=RULES)
    ana, bo, cy = guests
    assert ana.lobby is not None
    join = {"code": ana.lobby.code, "watch": True}
    eve, late = (Guest(hall, nursery, name) for name in ("eve", "late"))
    await eve.connect()
    await eve.ask(c.JoinLobby, **join)
    for guest in (bo, cy):
        await guest.ask(c.SetReady)
    await ana.ask(c.StartDeal)
    for guest in guests:
        await guest.wait_for(e.HandDealt)

    moments: dict[int, Callable[[], Awaitable[object]]] = {
        3: lambda: _come_back(bo, last_event=10**6),  # with a snapshot
        5: lambda: _come_back(cy, last_event=None),
        6: lambda: _come_in(late, join),
    }
    for number in range(1, PLAYS + 1):
        await _turn(guests, number, secret)
        if number in moments:
            await moments[number]()
    return [bo, cy, eve, late]


async def _turn(guests: tuple[Guest, ...], number: int, secret: Secret) -> None:
    ana = guests[0]
    mover = next(guest for guest in guests if guest.view and guest.view.table.turn == guest.seat)
    hides = mover is ana
    if hides and secret.holds_and_takes_back and number > 1:
        await _lay(ana, secret, hides=True)
        await ana.wait_for(e.Held)
        await ana.ask(c.TakeBack, after=number - 1)
    if number > 1:
        await mover.wait_for(e.ProtectionOver, lambda over: over.play == number - 1)
    await _lay(mover, secret, hides=hides)
    for guest in guests:
        await guest.wait_for(e.Played, lambda played: played.play == number)
    if number % 3 == 0:
        await guests[1].ask(c.LetGoOf, play=number)


async def _lay(guest: Guest, secret: Secret, *, hides: bool) -> None:
    """Lay one card, or what is called one."""
    assert guest.view is not None
    table, hand = guest.view.table, guest.view.hand
    rank = table.due[0]
    truth = secret.truth or not hides
    best_first = sorted(hand, key=lambda card: card.face.is_a(rank) is not truth)
    cards = tuple(card.id for card in best_first[: 1 + (secret.sneaks if hides else 0)])
    await guest.send(
        c.PlayCards,
        after=table.newest,
        pile=table.pile_number,
        cards=cards,
        count=1,
        rank=rank,
    )


async def _come_back(guest: Guest, *, last_event: int | None) -> None:
    await guest.vanish()
    await guest.connect(resume=True, last_event=last_event)
    await guest.wait_for(e.WindowState)


async def _come_in(guest: Guest, join: dict[str, object]) -> None:
    await guest.connect()
    await guest.ask(c.JoinLobby, **join)
