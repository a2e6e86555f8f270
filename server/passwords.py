"""Lobby passwords: kept as scrypt hashes, computed off the loop, two at once at most."""

import hashlib
import hmac
from dataclasses import dataclass
from random import Random, SystemRandom

import trio

_COST = {"n": 2**14, "r": 8, "p": 1}
_SALT_SIZE = 16
_AT_ONCE = 2
SALTS = SystemRandom()


@dataclass(frozen=True, slots=True, kw_only=True)
class PasswordHash:
    """A salted hash of a password."""

    salt: bytes
    digest: bytes


class Passwords:
    """Hashes and checks passwords without stopping the tables."""

    def __init__(self, salts: Random = SALTS) -> None:
        self._salts = salts
        self._limiter = trio.CapacityLimiter(_AT_ONCE)

    async def hashed(self, password: str) -> PasswordHash:
        """Hash a new password."""
        salt = self._salts.randbytes(_SALT_SIZE)
        return PasswordHash(salt=salt, digest=await self._scrypt(password, salt))

    async def matches(self, password: str | None, expected: PasswordHash | None) -> bool:
        """Whether this is the password; where none is set, anything is."""
        if expected is None:
            return True
        if password is None:
            return False
        return hmac.compare_digest(await self._scrypt(password, expected.salt), expected.digest)

    async def _scrypt(self, password: str, salt: bytes) -> bytes:
        def scrypt() -> bytes:
            return hashlib.scrypt(password.encode(), salt=salt, **_COST)

        return await trio.to_thread.run_sync(scrypt, limiter=self._limiter)
