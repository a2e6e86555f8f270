"""Lobby codes: short enough to say, never one that is taken."""

import re
from random import Random

import pytest

from server.codes import new_code

LISTED = re.compile("[A-Z]{3}-[0-9]{2}")
UNLISTED = re.compile("[A-Z]{3}-[0-9]{2}-[A-Z]{4}")


@pytest.mark.parametrize(
    ("shape", "public"),
    [pytest.param(LISTED, True, id="listed"), pytest.param(UNLISTED, False, id="not listed")],
)
def test_a_code_can_be_said_aloud(shape: re.Pattern[str], *, public: bool) -> None:
    rng = Random(7)

    codes = [new_code(rng, (), public=public) for _ in range(500)]

    assert all(shape.fullmatch(code) for code in codes)
    assert len(set(codes)) > 400


def test_no_code_is_given_twice() -> None:
    rng = Random(7)
    taken: set[str] = set()

    for _ in range(1_000):
        code = new_code(rng, taken, public=True)
        assert code not in taken
        taken.add(code)


class NearlyAllTaken:
    """Every code with a number of two digits is taken."""

    def __contains__(self, code: object) -> bool:
        return LISTED.match(str(code)) is not None and len(str(code).split("-")[1]) == 2


@pytest.mark.parametrize("public", [True, False], ids=["listed", "not listed"])
def test_a_new_code_never_took_the_server_for_ever_once_all_were_taken(*, public: bool) -> None:
    code = new_code(Random(7), NearlyAllTaken(), public=public)

    assert len(code.split("-")[1]) == 3
    assert len(code) <= 24  # what a JoinLobby may hold


def test_the_same_dice_give_the_same_code() -> None:
    assert new_code(Random(1), (), public=True) == new_code(Random(1), (), public=True)
