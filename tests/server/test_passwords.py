"""Lobby passwords: hashed, checked off the loop, two at once at most."""

import hashlib
import threading

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from server.passwords import PasswordHash, Passwords


async def test_the_right_password_matches_and_a_wrong_one_does_not() -> None:
    passwords = Passwords()

    kept = await passwords.hashed("three blind mice")

    assert await passwords.matches("three blind mice", kept)
    assert not await passwords.matches("three blind mouse", kept)


async def test_no_password_at_all_opens_no_locked_lobby() -> None:
    passwords = Passwords()

    assert not await passwords.matches(None, await passwords.hashed("x"))


@pytest.mark.parametrize("given", [None, "anything"])
async def test_where_no_password_is_set_anything_will_do(given: str | None) -> None:
    assert await Passwords().matches(given, None)


async def test_the_same_password_is_kept_differently_each_time() -> None:
    passwords = Passwords()

    first, second = await passwords.hashed("same"), await passwords.hashed("same")

    assert first.salt != second.salt
    assert first.digest != second.digest


async def test_what_is_kept_does_not_hold_the_password() -> None:
    kept = await Passwords().hashed("swordfish")

    assert b"swordfish" not in kept.salt + kept.digest
    assert "swordfish" not in repr(kept)


async def test_letters_of_all_scripts_make_a_password() -> None:
    passwords = Passwords()
    kept = await passwords.hashed("пароль🂡")

    assert await passwords.matches("пароль🂡", kept)


async def test_two_are_checked_at_once_at_most_while_the_loop_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    may_end = threading.Event()

    def slow_scrypt(*_args: object, **_costs: object) -> bytes:
        may_end.wait()
        return bytes(64)

    monkeypatch.setattr(hashlib, "scrypt", slow_scrypt)
    passwords = Passwords()
    expected = PasswordHash(salt=bytes(16), digest=bytes(64))
    matched: list[bool] = []

    async def check() -> None:
        matched.append(await passwords.matches("x", expected))

    async with trio.open_nursery() as nursery:
        for _ in range(5):
            nursery.start_soon(check)
        await wait_all_tasks_blocked()
        at_work = passwords._limiter.statistics()
        may_end.set()

    assert (at_work.borrowed_tokens, at_work.tasks_waiting) == (2, 3)
    assert matched == [True] * 5
