"""Bytes changed the way faults and attackers change them: flipped, cut, repeated, spliced, deepened."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgpack

Mutation = Callable[[bytes, Random, Sequence[bytes]], bytes]

# Heads of MessagePack values: nil, numbers, floats, long texts, lists and maps, extensions, one unused.
HEADS = bytes([0xC0, 0xC1, 0xC2, 0xC3, 0xC4, 0xC6, 0xC7, 0xCA, 0xCB, 0xCF, 0xD3, 0xD4, 0xD9, 0xDB])
LISTS = bytes([0x80, 0x81, 0x8F, 0x90, 0x91, 0x9F, 0xDC, 0xDD, 0xDE, 0xDF, 0xFF, 0x7F, 0xE0])
ODD_VALUES = (
    b"\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",  # not a number
    b"\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00",  # infinity
    b"\xcf" + b"\xff" * 8,  # the largest number there is
    b"\xd3\x80" + b"\x00" * 7,  # the smallest
    b"\xd6\xff" + b"\x00" * 4,  # a time
    b"\xa2\xc3\x28",  # a text that is no UTF-8
    b"\x91" * 600,  # a list in a list in a list
    b"\x81\xa1a" * 300,
    b"\x91" * 1000 + b"\xc0",  # a sound value as deep as msgpack reads one
    b"\x81\xa1a" * 1000 + b"\xc0",
    b"\xdd\xff\xff\xff\xff",  # a list of four billion
    b"\xdb\xff\xff\xff\xff",
)
ODD_LEAVES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2,
    9,
    10,
    216,
    2**53,
    2**53 + 1,
    2**64 - 1,
    0.5,
    "",
    "\0",
    b"",
    [],
    {},
)
GO_DEEPER = 0.9
NEARBY = 0.5
AT_ONCE = (1, 1, 1, 2, 4)


def mutated(body: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """These bytes after a few mutations; parts of `others` may come in."""
    for _ in range(rng.choice(AT_ONCE)):
        body = rng.choice(MUTATIONS)(body, rng, others)
    return body


def _flip(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    return _with(
        body, _place(body, rng), bytes([rng.choice(body or b"\0") ^ (1 << rng.randrange(8))])
    )


def _overwrite(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    return _with(body, _place(body, rng), bytes([rng.choice(HEADS + LISTS)]))


def _insert(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    place = _place(body, rng)
    return body[:place] + rng.randbytes(rng.randint(1, 4)) + body[place:]


def _odd_value(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    place = _place(body, rng)
    return body[:place] + rng.choice(ODD_VALUES) + body[place + rng.randint(0, 2) :]


def _cut_out(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    place = _place(body, rng)
    return body[:place] + body[place + rng.randint(1, 8) :]


def _cut_short(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    return body[: _place(body, rng)]


def _repeat(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    place = _place(body, rng)
    part = body[place : place + rng.randint(1, 24)]
    return body[:place] + part * rng.randint(2, 4) + body[place:]


def _splice(body: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    other = rng.choice(others)
    return body[: _place(body, rng)] + other[_place(other, rng) :]


def _number(body: bytes, rng: Random, _others: Sequence[bytes]) -> bytes:
    """Another small number: mostly still a message, but one that tells something else."""
    return _with(body, _place(body, rng), bytes([rng.randrange(16)]))


def _replant(body: bytes, rng: Random, others: Sequence[bytes]) -> bytes:
    """One value in the tree of values replaced: what is left is sound MessagePack."""
    try:
        tree = msgpack.unpackb(body, strict_map_key=False)
        packed: bytes = msgpack.packb(_replanted(tree, rng))
    except (ValueError, TypeError, RecursionError, OverflowError):
        return _flip(body, rng, others)
    return packed


def _replanted(tree: Any, rng: Random) -> Any:  # noqa: ANN401 - whatever MessagePack can hold
    if isinstance(tree, list) and tree and rng.random() < GO_DEEPER:
        place = rng.randrange(len(tree))
        return [*tree[:place], *_instead_of(tree[place], rng), *tree[place + 1 :]]
    if isinstance(tree, dict) and tree and rng.random() < GO_DEEPER:
        key = rng.choice(list(tree))
        return tree | {name: value for name in (key,) for value in _instead_of(tree[key], rng)}
    if isinstance(tree, int) and rng.random() < NEARBY:
        return max(0, tree + rng.choice([-2, -1, 1, 2]))
    return rng.choice(ODD_LEAVES)


def _instead_of(value: Any, rng: Random) -> list[Any]:  # noqa: ANN401
    """What comes in the place of one value: mostly another one, sometimes nothing or two of it."""
    match rng.randrange(8):
        case 0:
            return []
        case 1:
            return [value, value]
        case _:
            return [_replanted(value, rng)]


def _place(body: bytes, rng: Random) -> int:
    return rng.randrange(len(body)) if body else 0


def _with(body: bytes, place: int, byte: bytes) -> bytes:
    return body[:place] + byte + body[place + 1 :]


MUTATIONS: tuple[Mutation, ...] = (
    _flip,
    _overwrite,
    _insert,
    _odd_value,
    _cut_out,
    _cut_short,
    _repeat,
    _splice,
    _number,
    _replant,
    _replant,
    _replant,
    _replant,
)
