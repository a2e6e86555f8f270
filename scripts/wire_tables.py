"""Write the tables of protocol/README.md from the message types; with --check, only compare."""

import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from enum import Enum, IntEnum
from pathlib import Path
from typing import Any, TypeVar

import msgpack
import msgspec
from msgspec import NODEFAULT, Struct
from msgspec import inspect as types

from protocol import answers, commands, events
from protocol.cards import Rank, read_faces
from protocol.codec import COMMANDS, EVENTS, encode_command, encode_event, frame_event
from protocol.codes import SPELLINGS, Spelling, rules_code
from protocol.framing import PREFIX
from protocol.numbers import LARGEST, CommandNumber, EventNumber, PlayNumber, Seat
from protocol.refusals import Refusal, explained
from protocol.rules import PRESETS

PAGE = Path(__file__).resolve().parent.parent / "protocol" / "README.md"
SECTION = re.compile(
    r"(?P<start><!-- begin (?P<name>[a-z-]+)[^>]*-->\n).*?(?P<end><!-- end (?P=name) -->)",
    re.DOTALL,
)
COMMENT = re.compile(r"^    (?P<field>\w+): .*?  # (?P<said>(?!type:|noqa).+)$", re.MULTILINE)
WORD = re.compile(r"^    (?P<word>[A-Z_]+) = .*?  # (?P<said>(?!type:|noqa).+)$", re.MULTILINE)
Kind = TypeVar("Kind")

USUALLY = {
    "n": "your own number of the command",
    "deal": "the number of the deal",
    "after": "the newest play as you know it",
    "pile": "the number of the pile as you know it",
    "play": "the number of the play",
    "vote": "the number of the vote",
    "pause": "the number of the pause",
    "seat": "the seat it is about",
    "turn": "the seat to move now",
    "left_us": "the time left",
}
"""What a number means in messages that do not say it themselves."""

MESSAGE = re.compile(r"`(?P<name>[A-Z]\w+)`")
_TAGS = {kind.__name__: tag for tag, kind in {**COMMANDS, **EVENTS}.items()}

HEX_WIDTH = 16  # bytes in a row


def main() -> int:
    """Rewrite the page, or say whether it is up to date."""
    page = PAGE.read_text(encoding="utf-8")
    made = SECTION.sub(_filled, page)
    if "--check" in sys.argv[1:]:
        if made != page:
            print(f"{PAGE.name} is not up to date: run scripts/wire_tables")
        return int(made != page)
    PAGE.write_text(made, encoding="utf-8")
    return 0


def _filled(section: re.Match[str]) -> str:
    lines = SECTIONS[section["name"]]()
    return section["start"] + "\n" + "\n".join(lines).strip() + "\n\n" + section["end"]


# --- types in words -------------------------------------------------------------------------------


def said(kind: types.Type) -> str:
    """A type of a field in a few words, with its range."""
    return _SAID[type(kind)](kind)


def _range(low: object, high: object) -> str:
    return f"{_number(low)} to {_number(high)}"


def _number(value: object) -> str:
    return "2^53" if value == LARGEST else f"{value:,}" if isinstance(value, int) else "0"


def _length(kind: types.StrType | types.BytesType | types.VarTupleType) -> str:
    low, high = kind.min_length or 0, kind.max_length
    return f"{high}" if low == high else f"{low} to {high}" if high else "any number of"


def _union(kind: types.UnionType) -> str:
    structs = [part for part in kind.types if isinstance(part, types.StructType)]
    if len(structs) > 1:
        return "one of " + ", ".join(_event_name(part.tag) for part in structs)
    return ", or ".join(sorted(map(said, kind.types), key=lambda name: name == "nil"))


def _event_name(tag: object) -> str:
    return f"[`{tag}`](#{tag})"


def _name(thing: type) -> str:
    if thing is Refusal:
        return "[refusal code](#10-refusals)"
    return f"[{thing.__name__}](#{thing.__name__.lower()})"


_SAID: dict[type[types.Type], Callable[[Any], str]] = {
    types.IntType: lambda kind: f"int, {_range(kind.ge, kind.le)}",
    types.StrType: lambda kind: f"text, {_length(kind)} characters",
    types.BytesType: lambda kind: f"bytes, {_length(kind)}",
    types.BoolType: lambda _: "bool",
    types.NoneType: lambda _: "nil",
    types.EnumType: lambda kind: _name(kind.cls),
    types.StructType: lambda kind: _event_name(kind.tag) if kind.tag else _name(kind.cls),
    types.LiteralType: lambda kind: (
        "one of " + ", ".join(f"`{json.dumps(v)}`" for v in kind.values)
    ),
    types.UnionType: _union,
    types.VarTupleType: lambda kind: f"list of {_length(kind)}: {said(kind.item_type)}",
}


def _default(field: types.Field) -> str:
    if field.required:
        return "required"
    value = field.default if field.default is not NODEFAULT else field.default_factory()
    return f"`{_as_json(msgspec.to_builtins(value))}`"


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=lambda data: f"{len(data)} bytes")


def _meaning(kind: type[Struct], field: types.Field) -> str:
    said_there = {found["field"]: found["said"] for found in COMMENT.finditer(_source(kind))}
    usual = USUALLY.get(field.name, "") if isinstance(field.type, types.IntType) else ""
    return said_there.get(field.name, usual).replace("None:", "nil:")


def _source(kind: type) -> str:
    return inspect.getsource(kind)


def _doc(kind: type) -> str:
    one_line = " ".join((kind.__doc__ or "").split())
    return MESSAGE.sub(lambda found: f"`{_TAGS.get(found['name'], found['name'])}`", one_line)


# --- the sections -----------------------------------------------------------------------------------


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    head = tuple(head)
    yield "| " + " | ".join(head) + " |"
    yield "|" + " --- |" * len(head)
    for row in rows:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |"


def _fields(kind: type[Struct]) -> Iterator[str]:
    fields = _shape(kind).fields
    if not fields:
        yield "No fields."
        return
    yield from _table(
        ("field", "type", "if absent", "meaning"),
        (
            (
                f"`{field.encode_name}`",
                said(field.type),
                _default(field),
                _meaning(kind, field),
            )
            for field in fields
        ),
    )


def _shape(kind: type) -> types.StructType:
    shape = types.type_info(kind)
    if not isinstance(shape, types.StructType):
        raise TypeError(kind)
    return shape


def _messages(kinds: dict[str, Any]) -> Iterator[str]:
    for tag, kind in kinds.items():
        number = " *Number 0.*" if getattr(kind, "passing", False) else ""
        yield from (f"#### `{tag}`", "", _doc(kind) + number, "", *_fields(kind), "")


def _to_server() -> Iterator[str]:
    return _messages(COMMANDS)


def _to_client() -> Iterator[str]:
    return _messages(EVENTS)


def _used(what: type[Kind]) -> list[type[Kind]]:
    """The types of this kind that some field of a message holds, in the order of their names."""
    held = _held([*COMMANDS.values(), *EVENTS.values()])
    found = [thing for thing in held if issubclass(thing, what)]
    return sorted(found, key=lambda thing: thing.__name__)


def _held(kinds: Iterable[type]) -> set[type]:
    """The types in the fields of these, and in the fields of those in turn."""
    found: set[type] = set()
    waiting = [field.type for kind in kinds for field in _shape(kind).fields]
    while waiting:
        kind = waiting.pop()
        waiting += getattr(kind, "types", ())
        waiting += [kind.item_type] if isinstance(kind, types.VarTupleType) else []
        if isinstance(kind, types.EnumType | types.StructType) and kind.cls not in found:
            found.add(kind.cls)
            waiting += [field.type for field in getattr(kind, "fields", ())]
    return found


def _parts() -> Iterator[str]:
    messages = {*COMMANDS.values(), *EVENTS.values()}
    for kind in _used(Struct):
        if kind not in messages:
            listed = " A list of its fields in this order, not a map." if _is_list(kind) else ""
            yield from (f"#### {kind.__name__}", "", _doc(kind) + listed, "", *_fields(kind), "")


def _is_list(kind: type) -> bool:
    return issubclass(kind, Struct) and bool(kind.__struct_config__.array_like)


def _words() -> Iterator[str]:
    for kind in _used(Enum):
        if kind is not Refusal:
            said_there = {found["word"]: found["said"] for found in WORD.finditer(_source(kind))}
            yield from (f"#### {kind.__name__}", "")
            if said_there:
                yield from (_doc(kind), "", *_explained(kind, said_there), "")
            else:
                yield from (f"{_doc(kind)} {_listed(kind)}.", "")


def _explained(kind: type[Enum], said_there: dict[str, str]) -> Iterator[str]:
    """The words of a kind, each in a line with what it means."""
    for word in kind:
        meaning = said_there.get(word.name)
        yield f"- `{word.value}`: {meaning}" if meaning else f"- `{word.value}`"


def _listed(kind: type[Enum]) -> str:
    words = [f"`{word.value}`" for word in kind]
    return f"{words[0]} to {words[-1]}" if issubclass(kind, IntEnum) else ", ".join(words)


def _refusals() -> Iterator[str]:
    return _table(
        ("code", "clause", "sentence"),
        ((f"`{code}`", explained(code).clause, explained(code).sentence) for code in Refusal),
    )


def _rules_words() -> Iterator[str]:
    return _table(
        ("option", "words"), ((f"`{each.field}`", ", ".join(_words_of(each))) for each in SPELLINGS)
    )


def _words_of(spelling: Spelling) -> Iterator[str]:
    yield from (f"`{word}` ({json.dumps(value)})" for value, word in spelling.words.items())
    if spelling.stem:
        yield f"`{spelling.stem}{spelling.numbers[0]}` to `{spelling.stem}{spelling.numbers[-1]}`"


def _presets() -> Iterator[str]:
    return _table(
        ("preset", "the same in words"),
        ((f"`{name}`", f"`{rules_code(rules)}`") for name, rules in PRESETS.items()),
    )


# --- the exchange in hex ----------------------------------------------------------------------------


def _exchange() -> Iterator[str]:
    yield from _from_client("The client says who it is.", HELLO)
    yield from _from_server("The server lets it in, with a secret to keep.", 0, WELCOME)
    yield from _from_server("Later, at a table. Ann, in seat 0, says two fives.", 41, PLAYED)
    yield from _from_client("This client, in seat 2, doubts that.", CHALLENGE)
    yield from _from_server("One of the two is a nine: Ann takes the pile of six.", 42, RULED)
    yield from _from_server("And the challenge has its answer.", 0, ACCEPTED)


def _from_client(what: str, message: commands.ClientMessage) -> Iterator[str]:
    frame = encode_command(message)
    yield from (f"{what} Client to server, {len(frame)} bytes:", "", "```text")
    yield from _rows(frame[:PREFIX], f"{len(frame) - PREFIX} bytes follow")
    yield from _map_rows(frame[PREFIX:])
    yield from ("```", "")


def _from_server(what: str, number: int, event: events.Event) -> Iterator[str]:
    packed = encode_event(event)
    frame = frame_event(EventNumber(number), packed)
    start = frame[PREFIX : len(frame) - len(packed)]
    yield from (f"{what} Server to client, {len(frame)} bytes:", "", "```text")
    yield from _rows(frame[:PREFIX], f"{len(frame) - PREFIX} bytes follow")
    yield from _rows(start[:1], "a list of two: number and event")
    yield from _rows(start[1:], f"event number {number}")
    yield from _list_rows(packed, type(event))
    yield from ("```", "")


def _map_rows(packed: bytes) -> Iterator[str]:
    fields = msgpack.unpackb(packed)
    yield from _rows(packed[:1], f"a map of {len(fields)}")
    for name, value in fields.items():
        pair = msgpack.packb(name) + msgpack.packb(value)
        yield from _rows(pair, f"{name}: {_as_json(value)}")


def _list_rows(packed: bytes, kind: type[events.Event]) -> Iterator[str]:
    values = msgpack.unpackb(packed)
    yield from _rows(packed[:1], f"a list of {len(values)}")
    for name, value in zip(("type", *kind.__struct_fields__), values, strict=False):
        yield from _rows(msgpack.packb(value), f"{name}: {_as_json(value)}")


def _rows(data: bytes, comment: str) -> Iterator[str]:
    for at in range(0, len(data), HEX_WIDTH):
        row = data[at : at + HEX_WIDTH].hex(" ")
        yield f"{row:<{HEX_WIDTH * 3}} {comment if not at else ''}".rstrip()


HELLO = commands.Hello(major=1, minor=0, client="example 1.0", name="Cleo")
WELCOME = answers.Welcome(
    server="5f1c",
    title="Friday night",
    version="1.0",
    minor=0,
    epoch="9a3e",
    name="Cleo",
    stamps=answers.Stamps.KERNEL,
    secret=bytes(range(32)),
    temperaments=("casual",),
)
PLAYED = events.Played(
    play=PlayNumber(12),
    seat=Seat(0),
    count=2,
    rank=Rank.FIVE,
    left=7,
    turn=Seat(1),
    protected_us=4_000_000,
)
CHALLENGE = commands.Challenge(n=CommandNumber(1), deal=1, play=PlayNumber(12))
RULED = events.Ruled(
    shown=events.ShownPlay(
        play=PlayNumber(12), seat=Seat(0), count=2, rank=Rank.FIVE, faces=read_faces("5H 9C")
    ),
    challenger=Seat(2),
    lie=True,
    taker=Seat(0),
    taken=6,
    left=13,
    turn=Seat(1),
    calls=(events.Call(seat=Seat(2), after_us=812_300, rtt_us=21_400),),
    reveal_us=3_000_000,
)
ACCEPTED = answers.Accepted(n=CommandNumber(1))

SECTIONS = {
    "to-server": _to_server,
    "to-client": _to_client,
    "parts": _parts,
    "words": _words,
    "refusals": _refusals,
    "rules-words": _rules_words,
    "presets": _presets,
    "exchange": _exchange,
}

if __name__ == "__main__":
    sys.exit(main())
