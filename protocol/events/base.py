"""What every event is, and the lists that several of them hold."""

from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from protocol.cards import Card, Face
from protocol.numbers import MAX_CARDS, MAX_SEATS, CardField, Size

MAX_LOG_PAGE = 200  # log entries in one message

Hand = Annotated[tuple[Card, ...], Meta(max_length=MAX_CARDS)]
Faces = Annotated[tuple[Face, ...], Meta(max_length=MAX_CARDS)]
Ids = Annotated[tuple[CardField, ...], Meta(max_length=MAX_CARDS)]
PerSeat = Annotated[tuple[Size, ...], Meta(max_length=MAX_SEATS)]


class Event(Struct, frozen=True, kw_only=True, array_like=True, tag_field="type", gc=False):
    """Something the server tells: on the wire a list of its type and its fields in order.

    Values of values, so never part of a circle: the garbage collector need not know of them.
    """

    passing: ClassVar[bool] = False
