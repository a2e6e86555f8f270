"""The guests of a box: whose secrets follow from the guest key, and the names that are theirs.

Whoever has the key may be known on first sight; without it nothing can be made known, so that a
stranger's own secret is as unknown as ever. The name of a guest who has been here is kept for them.
"""

import os
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

from protocol.guests import LONGEST_KEY, BadGuestKey, checked_key, guest_secret
from protocol.text import name_key
from server.config import BadSettings, reason_of


class GuestList:
    """The guests known by now. Without a key there are none."""

    def __init__(self, key: bytes | None = None) -> None:
        self._key = key
        self._names: dict[str, bytes] = {}

    def has_made(self, secret: bytes, name: str) -> bool:
        """Whether this is the secret of the guest of this name."""
        return self._key is not None and compare_digest(guest_secret(self._key, name), secret)

    def note(self, digest: bytes, name: str) -> None:
        """Keep the name for this person, if they are its guest."""
        if self._key is not None and sha256(guest_secret(self._key, name)).digest() == digest:
            self._names[name_key(name)] = digest

    def forget(self, digest: bytes, name: str) -> None:
        """The person is not known any more."""
        if self._names.get(name_key(name)) == digest:
            del self._names[name_key(name)]

    def keeps(self, name: str, digest: bytes | None) -> bool:
        """Whether the name belongs to another than the one with this digest."""
        return self._names.get(name_key(name), digest) != digest


def read_guest_key(path: str) -> bytes | None:
    """The key in this file; None where no file is named.

    Raises:
        BadSettings: it cannot be read, or cannot be a key.
    """
    if not path:
        return None
    try:
        # Without waiting, even for a pipe: that it is no plain file is said afterwards.
        file = os.open(Path(path).expanduser(), os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            return checked_key(os.read(file, LONGEST_KEY + 1), os.fstat(file).st_mode)
        finally:
            os.close(file)
    except BadGuestKey as fault:
        message = f"cannot use the guest key {path}: {fault}"
        raise BadSettings(message) from fault
    except (OSError, RuntimeError) as fault:  # the second where there is no such home
        message = f"cannot read the guest key {path}: {reason_of(fault)}"
        raise BadSettings(message) from fault
