"""A rejoin phrase: what a person writes down, types again in their own way, and what it stands for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.way_in.phrase import phrase_of, secret_of
from protocol.guests import BRIEF_BYTES, brief_secret


@given(st.binary(min_size=BRIEF_BYTES, max_size=BRIEF_BYTES))
def test_every_brief_secret_has_a_phrase_that_stands_for_it(drawn: bytes) -> None:
    secret = brief_secret(drawn)

    assert secret_of(phrase_of(secret)) == secret


def test_a_phrase_is_sixteen_letters_and_digits_in_four_groups() -> None:
    phrase = phrase_of(brief_secret(b"\xff\x00" * 5))

    assert phrase == "ZW0F-Y07Z-03ZG-1ZR0"
    assert [len(group) for group in phrase.split("-")] == [4, 4, 4, 4]


@pytest.mark.parametrize(
    "typed",
    [
        "0123-4567-89AB-CDEF",
        "0123-4567-89ab-cdef",
        "0123456789abcdef",
        "0123 4567 89AB CDEF",
        "OI23-4567-89AB-CDEF",
        "ol23-4567-89ab-cdef",
    ],
)
def test_a_phrase_may_be_typed_in_many_ways(typed: str) -> None:
    assert secret_of(typed) == bytes.fromhex("00443214c74254b635cf") + bytes(22)


@pytest.mark.parametrize(
    "typed",
    ["", "ana", "0123-4567-89AB-CDE", "0123-4567-89AB-CDEFG", "0123-4567-89AB-CDEU", "é" * 16],
)
def test_what_is_no_phrase_stands_for_nothing(typed: str) -> None:
    assert secret_of(typed) is None


@given(st.text())
def test_whatever_is_typed_is_a_phrase_or_none(typed: str) -> None:
    secret = secret_of(typed)

    assert secret is None or phrase_of(secret)


@pytest.mark.parametrize("secret", [None, b"s" * 32, b"\0" * 31 + b"!", b""])
def test_only_a_brief_secret_has_a_phrase(secret: bytes | None) -> None:
    assert phrase_of(secret) == ""
