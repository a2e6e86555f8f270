"""Clients that do everything but what they should: junk, mutated and repeated frames, forged secrets.

A byzantine keeps an honest client's line and identity, so that it gets in, and sends what it likes.
A burglar comes with a secret that nobody gave out, or under the name of somebody who has a seat: it
must not get in. Some keep to a den: they do what they like in lobbies and at tables of their own,
and in the hall, and nobody else may notice.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from protocol import commands as c
from protocol import events as e
from protocol.answers import MAJOR, Accepted, Refused, Welcome
from protocol.cards import Rank
from protocol.codec import encode_command
from protocol.numbers import CommandNumber, EventNumber
from protocol.options import options_of
from server.bots.registry import TEMPERAMENTS
from tests.simulation.circle import Circle
from tests.simulation.client import Client
from tests.simulation.machine import Machine
from tests.simulation.network import LAN, Connection
from tests.simulation.world import SECOND, World

# Not those with which it would be host of a lobby of its own, and deal: that is no attack.
KINDS: tuple[type[c.Command], ...] = (
    *(kind for kind in get_args(c.AnyCommand) if kind not in {c.CreateLobby, c.JoinLobby}),
    *(c.JoinLobby,) * 4,
)
# Those who keep among themselves do all there is to do, and mostly what leads on.
KINDS_OF_A_DEN: tuple[type[c.Command], ...] = (
    *get_args(c.AnyCommand),
    *(c.StartDeal, c.SetReady, c.AddComputer, c.Say) * 6,
    *(c.PlayCards, c.Challenge, c.Pass) * 8,
)
KINDS_OUTSIDE: tuple[type[c.Command], ...] = (c.CreateLobby, c.JoinLobby, c.Say, c.PlayCards)
REMEMBERED = 50  # frames, to be sent again
FLOOD = 40  # commands at once
CROWD = 8  # connections that say nothing
ADDRESS = "203.0.113.66"  # whose limits are nobody else's


class Burglar:
    """A connection that must not be let in as somebody else."""

    def __init__(self, world: World, victim: Client) -> None:
        self._world = world
        self._victim = victim

    def hear(self, number: EventNumber, event: e.Event) -> None:
        """Only a refusal is right."""
        if isinstance(event, Welcome):
            what = f"somebody without their secret is let in as {self._victim.name}: {event}"
            self._world.wrong("DESIGN 4: the secret alone resumes a seat", what)
        del number

    def hung_up(self) -> None:
        """As it should be."""


def _keeps_name(victim: Client) -> bool:
    """Whether the name is certainly nobody else's: the server, too, has them in a lobby, and a line."""
    line = victim.connection
    return victim.is_open and victim.lobby is not None and line is not None and line.is_heard


@dataclass(slots=True, eq=False)
class Den:
    """The lobbies that some byzantines have made for themselves."""

    codes: list[str] = field(default_factory=lambda: ["NO-SUCH"])


class Silent:
    """A connection that only takes up room."""

    def hear(self, number: EventNumber, event: e.Event) -> None:
        """A full server may say so."""

    def hung_up(self) -> None:
        """Whoever says nothing has to go some time."""


class Byzantine(Client):
    """A client that sends what it likes."""

    asks_once = False

    def __init__(
        self,
        world: World,
        machine: Machine,
        name: str,
        *,
        victims: Sequence[Client],
        circles: Sequence[Circle],
        den: Den | None = None,
    ) -> None:
        super().__init__(world, machine, name, LAN)
        self.address = ADDRESS
        self._victims = victims
        self._circles = circles
        self._den = den
        self._frames: list[bytes] = []
        self._break_ins = 0

    def begin(self) -> None:
        """Come, and do something bad every now and then."""
        self.connect()
        self.world.after(SECOND, self._act)

    def _act(self) -> None:
        if self.is_home:
            return
        dice = self.dice
        deeds: tuple[Callable[[], None], ...] = (
            self._ask_for_anything,
            self._ask_for_anything,
            self._mutate,
            self._repeat,
            self._flood,
            self._stop_halfway,
            self._break_in,
            self._crowd_the_door,
            self._stop_reading,
        )
        if self.is_open or dice.random() < 0.2:
            dice.choice(deeds)()
        slowest = 3 * SECOND if self._den is None else SECOND
        self.world.after(dice.randint(1_000, slowest), self._act)

    def _put(self, data: bytes) -> None:
        if self.connection is not None and self.is_open:
            self.connection.to_server(data)

    def _anything(self, kinds: tuple[type[c.Command], ...] = ()) -> bytes:
        """A frame with some command that is valid as such."""
        self.number += 1
        command = self._some_command(CommandNumber(self.number), kinds or self._kinds())
        frame = encode_command(command)
        self._frames = [*self._frames[-REMEMBERED:], frame]
        return frame

    def _some_command(self, n: CommandNumber, kinds: tuple[type[c.Command], ...]) -> c.AnyCommand:
        fields = self._fields(n)
        if self._den is not None:
            fields |= self._as_in_a_den()
        fields["play"] = fields["after"]
        kind = self.dice.choice(kinds)
        return cast(
            "c.AnyCommand",
            kind(**{name: fields[name] for name in kind.__struct_fields__ if name in fields}),
        )

    def _fields(self, n: CommandNumber) -> dict[str, Any]:
        dice = self.dice
        table = None if self.view is None else self.view.table
        return {
            "n": n,
            "deal": dice.choice((1, 2, 1 if table is None else table.deal)),
            "after": dice.choice((0, 1, 7, 0 if table is None else table.newest)),
            "pile": 0 if table is None else table.pile_number,
            "cards": tuple(dice.randrange(216) for _ in range(dice.randint(1, 4))),
            "count": dice.randint(1, 4),
            "rank": dice.choice(list(Rank)),
            "seat": dice.randrange(4),
            "name": dice.choice((*(victim.name for victim in self._victims), self.name)),
            "code": dice.choice(self._codes()),
            "text": f"{self.name} \x1b[2J {n}",
            "on": dice.choice(list(e.VoteOn)),
            "vote": 1,
            "yes": dice.random() < 0.5,
            "anyway": True,
            "watch": True,
            "password": dice.choice((None, "open sesame")) if self._den is None else None,
            "rules": "bluff.plays-30",
            "temperament": "nobody",
            "settings": e.LobbySettings(),
        }

    def _codes(self) -> list[str]:
        if self._den is not None:
            return self._den.codes
        return [each.code for each in self._circles if each.code] or ["FOX-42"]

    def _kinds(self) -> tuple[type[c.Command], ...]:
        if self._den is None:
            return KINDS
        return KINDS_OUTSIDE if self.lobby is None else KINDS_OF_A_DEN

    def _as_in_a_den(self) -> dict[str, Any]:
        """What makes things happen, too: plays that are legal, and somebody to play with."""
        fields: dict[str, Any] = {
            "temperament": self.dice.choice(list(TEMPERAMENTS)),
            "ready": True,
            "settings": e.LobbySettings(public=self.dice.random() < 0.7),
        }
        view = self.view
        if view is not None and view.hand and self.dice.random() < 0.8:
            ranks = options_of(view).ranks
            laid = self.dice.sample(view.hand, self.dice.randint(1, min(4, len(view.hand))))
            fields |= {
                "cards": tuple(card.id for card in laid),
                "count": len(laid),
                "rank": ranks[0] if ranks else Rank.ACE,
                "after": view.table.newest,
                "deal": view.table.deal,
            }
        return fields

    def heard(self, event: e.Event) -> None:
        """Tell the others of the den where one is."""
        if self._den is not None and isinstance(event, e.LobbyChanged):
            codes = self._den.codes
            if event.lobby.code not in codes:
                self._den.codes = [*codes[-3:], event.lobby.code]

    def _answered(self, answer: Accepted | Refused) -> None:
        """Whoever asks twice may be told two things."""
        if answer.n is not None:
            self.unanswered.pop(answer.n, None)

    # --- deeds --------------------------------------------------------------------------------------

    def _ask_for_anything(self) -> None:
        self._put(self._anything())

    def _mutate(self) -> None:
        frame = bytearray(self._anything())
        for _ in range(self.dice.randint(1, 4)):
            frame[self.dice.randrange(len(frame))] = self.dice.randrange(256)
        self._put(bytes(frame))

    def _repeat(self) -> None:
        if self._frames:
            self._put(self.dice.choice(self._frames))

    def _flood(self) -> None:
        talks = self._den is not None and self.dice.random() < 0.5
        kinds = (c.Say,) if talks else self._kinds()
        self._put(b"".join(self._anything(kinds) for _ in range(FLOOD)))

    def _stop_halfway(self) -> None:
        frame = self._anything()
        self._put(frame[: self.dice.randrange(1, len(frame))])

    def _stop_reading(self) -> None:
        line = self.connection
        if line is not None and line.reads:
            line.reads = False
            self.world.after(self.dice.randint(1, 20) * SECOND, line.read_again)

    def _crowd_the_door(self) -> None:
        """Come many times at once, and say nothing."""
        for _ in range(CROWD):
            self._break_ins += 1
            name = f"{self.name}.crowd-{self._break_ins}"
            line = Connection(self.world, LAN, name, Silent(), ADDRESS)
            self.machine.knock(line)
            self.world.after(self.dice.randint(1_000, 7 * SECOND), line.hang_up)

    def _break_in(self) -> None:
        """Come as somebody else, with a secret that nobody gave out, or with none at all."""
        victim = self.dice.choice(self._victims)
        self._break_ins += 1
        name = f"{self.name}.burglar-{self._break_ins}"
        line = Connection(self.world, LAN, name, Burglar(self.world, victim), ADDRESS)
        resume = None
        if not _keeps_name(victim) or self.dice.random() < 0.7:
            resume = c.Resume(secret=self.dice.randbytes(32), epoch=victim.epoch)
        hello = c.Hello(major=MAJOR, minor=0, client="burglar", name=victim.name, resume=resume)
        self.machine.knock(line)
        line.to_server(encode_command(hello))
        self.world.after(SECOND, line.hang_up)
