"""The small numbers of the game, each a type of its own, and the range it has on the wire.

The plain name (`Seat`) is for code; the name ending in `Field` is for a field of a message and
carries the range that a decoder enforces. All times are whole microseconds.
"""

from typing import Annotated, NewType

from msgspec import Meta

MIN_SEATS = 2  # for a deal, and for one to go on: with one more seat out it is over (RULES A1, B16)
MAX_SEATS = 10
MAX_CARDS = 4 * (52 + 2)  # four decks with two jokers each (RULES B1, B2)
MAX_PLAYS = 100_000  # far above the cap that ends a deal (RULES B21)
LARGEST = 2**53  # every whole number up to it is exact in any language, even where all are floats

Seat = NewType("Seat", int)
"""A place at the table, counted from 0 clockwise: the next seat is the one on the left."""

SEATS = tuple(Seat(number) for number in range(MAX_SEATS))

PlayNumber = NewType("PlayNumber", int)
"""The number of a play in its deal, counted from 1; 0 stands for "before the first"."""

PileNumber = NewType("PileNumber", int)
"""How many piles have been taken or set aside in this deal."""

CardId = NewType("CardId", int)
"""A card's name in one deal: a random number that only its holder is told."""

CommandNumber = NewType("CommandNumber", int)
"""A client's own count of its commands: strictly increasing, one answer each."""

EventNumber = NewType("EventNumber", int)
"""A person's own count of what they were told; 0 marks what is not replayed after a reconnect."""

UNNUMBERED = EventNumber(0)

SeatField = Annotated[Seat, Meta(ge=0, le=MAX_SEATS - 1)]
PlayField = Annotated[PlayNumber, Meta(ge=0, le=MAX_PLAYS)]
PileField = Annotated[PileNumber, Meta(ge=0, le=MAX_PLAYS)]
CardField = Annotated[CardId, Meta(ge=0, le=MAX_CARDS - 1)]
CommandField = Annotated[CommandNumber, Meta(ge=1, le=LARGEST)]
EventField = Annotated[EventNumber, Meta(ge=0, le=LARGEST)]

Size = Annotated[int, Meta(ge=0, le=MAX_CARDS)]
"""A number of cards."""

Count = Annotated[int, Meta(ge=0, le=MAX_PLAYS)]
DealField = Annotated[int, Meta(ge=1, le=LARGEST)]
"""The number of a deal in its lobby, counted from 1 through all matches: never given twice."""

MICROS = 1_000_000  # in a second

Micros = Annotated[int, Meta(ge=0, le=LARGEST)]
"""A stretch of time in microseconds."""
