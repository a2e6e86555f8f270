"""Who plays each seat of a deal: its owner, a stand-in, or a computer player (RULES D2, D3, D8)."""

from dataclasses import dataclass, field
from random import Random

from protocol.events import Chair, SeatState
from protocol.numbers import Seat
from server.bot_seat import BotSeat
from server.bots.choices import Temperament
from server.limits import Bucket
from server.person import Person

AUTOS_TO_STAND_IN = 2  # automatic plays in a row (RULES D2)
RETURNS_PER_S = 0.1  # to a seat that was given up: each time fills everybody's log (RULES D3)
RETURNS_AT_ONCE = 5


@dataclass(eq=False, slots=True, kw_only=True)
class Holder:
    """One seat: its owner, if it has one, and whoever plays it now."""

    seat: Seat
    name: str
    bot: BotSeat
    chair: Chair
    owner: Person | None = None
    gave_up: bool = False
    absent_since: int | None = None
    autos: int = 0  # automatic plays in a row
    returns: Bucket = field(default_factory=lambda: Bucket(RETURNS_PER_S, RETURNS_AT_ONCE))

    @property
    def present(self) -> bool:
        """Whether the owner has a line and has not given the seat up."""
        return self.owner is not None and self.owner.connected and not self.gave_up

    @property
    def listener(self) -> Person | None:
        """Who is told what is private to the seat: the owner, unless the seat was given up."""
        return None if self.gave_up else self.owner

    def state(self) -> SeatState:
        """The seat before the deal."""
        return SeatState(name=self.name, cards=0, chair=self.chair)

    def was_played_for(self) -> None:
        """The server has played for the owner, whose time was up (RULES D1, D2)."""
        self.autos += 1

    @property
    def scores_for(self) -> str | None:
        """Whose win it is if this seat wins: nobody's if the owner left (RULES B22)."""
        return None if self.gave_up else self.name


def a_holder(
    seat: Seat, name: str, owner: Person | None, temperament: Temperament, seed: Random
) -> Holder:
    """A holder whose computer player has dice of its own."""
    seeds = (seed.getrandbits(64), seed.getrandbits(64))
    bot = BotSeat(temperament=temperament, seeds=seeds)
    chair = Chair.COMPUTER if owner is None else Chair.OWNER
    return Holder(seat=seat, name=name, bot=bot, chair=chair, owner=owner)
