"""Secrets that nobody has to store: of the guests on a box, by key and name, and short ones to write down.

All guests of a box share one account, whose files would be everybody's. So the host of the box
makes one key, which the server and the guests' clients can read and nobody else: a guest's secret
follows from the key and the name that the host gave them. A secret to write down is the server's,
as any other, only shorter.
"""

import hmac
import stat
from hashlib import sha256

SECRET_BYTES = 32
SHORTEST_KEY = 32
LONGEST_KEY = 4096
FEWEST_VALUES = 16  # among the bytes of a key: 32 random ones have 24 or more, as good as always
NOT_THEIRS = stat.S_IWGRP | stat.S_IRWXO  # what the guests' group and all others may not do
BRIEF_BYTES = 10  # of a secret to write down: 80 bits, then zeros
_PURPOSE = b"facedown guest\0"


class BadGuestKey(ValueError):
    """A key file cannot be used; the message is for the host of the box."""


def guest_secret(key: bytes, name: str) -> bytes:
    """The secret of the guest of this name."""
    return hmac.digest(key, _PURPOSE + name.encode(), sha256)


def brief_secret(drawn: bytes) -> bytes:
    """A secret of which only the first bytes are drawn, so that a person can write it down."""
    return drawn[:BRIEF_BYTES].ljust(SECRET_BYTES, b"\0")


def checked_key(data: bytes, mode: int) -> bytes:
    """What a key file holds, once it is certain that nobody else can read or guess it.

    `mode` is that of the file, and `data` at most one byte longer than a key may be.

    Raises:
        BadGuestKey: the file says too much to others, or too little.
    """
    if not stat.S_ISREG(mode):
        raise BadGuestKey("it is not a plain file")
    if mode & NOT_THEIRS:
        raise BadGuestKey("others can read or change it: chmod 0440 it, or 0400")
    if not SHORTEST_KEY <= len(data) <= LONGEST_KEY:
        raise BadGuestKey(
            f"it holds {len(data)} bytes, not {SHORTEST_KEY} to {LONGEST_KEY} random ones"
        )
    if len(set(data)) < FEWEST_VALUES:
        raise BadGuestKey("it is too simple to be a key: fill it from /dev/urandom")
    return data
