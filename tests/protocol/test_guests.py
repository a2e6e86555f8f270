"""Secrets that nobody stores: by key and name for guests, and short ones to write down."""

import hmac
import stat
from hashlib import sha256

import pytest

from protocol.guests import (
    BRIEF_BYTES,
    LONGEST_KEY,
    SHORTEST_KEY,
    BadGuestKey,
    brief_secret,
    checked_key,
    guest_secret,
)

KEY = bytes(range(64))
FILE = stat.S_IFREG


def test_the_secret_of_a_guest_is_what_the_page_about_the_wire_says() -> None:
    said = hmac.new(KEY, b"facedown guest\0ana", sha256).digest()

    assert guest_secret(KEY, "ana") == said
    assert len(said) == 32


@pytest.mark.parametrize(
    ("key", "name"),
    [
        pytest.param(KEY, "Ana", id="another name, if only by a capital"),
        pytest.param(KEY, "ana ", id="a longer name"),
        pytest.param(KEY[:-1], "ana", id="another key"),
    ],
)
def test_another_name_or_key_makes_another_secret(key: bytes, name: str) -> None:
    assert guest_secret(key, name) != guest_secret(KEY, "ana")


def test_a_brief_secret_is_as_long_as_any_and_ends_in_zeros() -> None:
    secret = brief_secret(bytes(range(1, 33)))

    assert secret == bytes(range(1, BRIEF_BYTES + 1)) + bytes(32 - BRIEF_BYTES)


@pytest.mark.parametrize("mode", [0o400, 0o440, 0o600, 0o640, 0o540])
@pytest.mark.parametrize("size", [SHORTEST_KEY, LONGEST_KEY])
def test_a_key_that_owner_and_group_can_read_is_good(mode: int, size: int) -> None:
    key = (KEY * LONGEST_KEY)[:size]

    assert checked_key(key, FILE | mode) == key


@pytest.mark.parametrize("mode", [0o444, 0o442, 0o441, 0o460, 0o644, 0o777])
def test_a_key_that_others_can_read_or_change_is_refused(mode: int) -> None:
    with pytest.raises(BadGuestKey, match="chmod 0440"):
        checked_key(KEY, FILE | mode)


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        pytest.param(b"", "0 bytes", id="nothing"),
        pytest.param(KEY[: SHORTEST_KEY - 1], "31 bytes", id="too short"),
        pytest.param(KEY * 64 + b"!", "4097 bytes", id="too long"),
        pytest.param(bytes(64), "too simple", id="zeros"),
        pytest.param(b"password" * 4, "too simple", id="a word, again and again"),
    ],
)
def test_a_key_that_says_too_little_is_refused(key: bytes, reason: str) -> None:
    with pytest.raises(BadGuestKey, match=reason):
        checked_key(key, FILE | 0o440)


@pytest.mark.parametrize("kind", [stat.S_IFIFO, stat.S_IFDIR, stat.S_IFCHR])
def test_a_key_that_is_no_file_is_refused(kind: int) -> None:
    with pytest.raises(BadGuestKey, match="not a plain file"):
        checked_key(KEY, kind | 0o440)
