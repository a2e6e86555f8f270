"""Real frames of all kinds: one message after the other, drawn from its own types and ranges."""

from collections.abc import Callable
from random import Random
from typing import Any

from msgspec import Struct, inspect

from protocol.codec import COMMANDS, EVENTS, encode_command, encode_event, frame_event
from protocol.framing import EVENT_CAP, PREFIX
from protocol.numbers import EventNumber
from protocol.rules import SHORTEST_TURN_S, TableRules

MOST_ITEMS = 4  # of a list
LETTERS = "abcXYZ019-_ é\u0301\u200b\x1b\u202e🂡"


def sample(kind: type[Struct], rng: Random) -> Any:  # noqa: ANN401 - a value of `kind`
    """Some value of this struct."""
    return _value(inspect.type_info(kind), rng)


def command_frames(rng: Random, each: int) -> list[bytes]:
    """So many frames to the server of every kind, without their lengths."""
    kinds = [kind for kind in COMMANDS.values() for _ in range(each)]
    return [encode_command(sample(kind, rng))[PREFIX:] for kind in kinds]


def event_frames(rng: Random, each: int) -> list[bytes]:
    """So many frames to a client of every kind, without their lengths."""
    kinds = [kind for kind in EVENTS.values() for _ in range(each)]
    packed = [encode_event(sample(kind, rng)) for kind in kinds]
    short = [body for body in packed if len(body) < EVENT_CAP - PREFIX * PREFIX]
    return [frame_event(EventNumber(rng.randrange(300)), body)[PREFIX:] for body in short]


def _value(kind: inspect.Type, rng: Random) -> Any:  # noqa: ANN401 - a value of any type
    return _MADE_BY[type(kind)](kind, rng)


def _struct(kind: inspect.StructType, rng: Random) -> Struct:
    fields = {field.name: _value(field.type, rng) for field in kind.fields}
    if kind.cls is TableRules and 0 < fields["turn_s"] < SHORTEST_TURN_S:
        fields["turn_s"] = 0
    made: Struct = kind.cls(**fields)
    return made


def _tuple(kind: inspect.VarTupleType, rng: Random) -> tuple[Any, ...]:
    fewest = kind.min_length or 0
    most = max(fewest, min(kind.max_length or MOST_ITEMS, MOST_ITEMS))
    return tuple(_value(kind.item_type, rng) for _ in range(rng.randint(fewest, most)))


def _text(kind: inspect.StrType, rng: Random) -> str:
    length = rng.randint(kind.min_length or 0, min(kind.max_length or 20, 20))
    return "".join(rng.choices(LETTERS, k=length))


def _number(kind: inspect.IntType, rng: Random) -> int:
    low, high = kind.ge or 0, kind.le or 0
    return rng.choice([low, high, rng.randint(low, min(high, low + 12)), rng.randint(low, high)])


_MADE_BY: dict[type[inspect.Type], Callable[[Any, Random], Any]] = {
    inspect.StructType: _struct,
    inspect.VarTupleType: _tuple,
    inspect.UnionType: lambda kind, rng: _value(rng.choice(kind.types), rng),
    inspect.EnumType: lambda kind, rng: rng.choice(list(kind.cls)),
    inspect.LiteralType: lambda kind, rng: rng.choice(kind.values),
    inspect.IntType: _number,
    inspect.StrType: _text,
    inspect.BytesType: lambda kind, rng: rng.randbytes(kind.min_length or 0),
    inspect.BoolType: lambda _, rng: bool(rng.getrandbits(1)),
    inspect.NoneType: lambda _kind, _rng: None,
}
