"""Who I am to each server: the secrets that alone bring a person back to a seat, kept on disk.

One file for each server and slot, readable by its owner only and written in one step. A file in
use is locked, so that a second client of the same user is a person of its own. One whose server is
not at its address any more, where another one answers, is set aside until its own is back. Where
nothing can be written an identity lasts as long as its process, which plays on all the same.
"""

import contextlib
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from client.kept.files import in_lines, make_folder, write_whole
from client.kept.locks import lock_if_free, lock_of
from client.way_in.address import is_on_this_machine, is_one_place

SLOTS = 32  # so many clients of one user may be on one server at once
SECRET_BYTES = 32
MOST_ASIDE = 8  # so many identities set aside are kept for each address, the latest


class Identity(Struct, frozen=True, kw_only=True):
    """One person on one server, as that server knows them."""

    server: str  # its id, the same after a restart
    secret: bytes
    name: str
    address: str  # the address under which this server was reached
    aside: int = 0  # 0: in use; else set aside there, a higher number later


Unstored = dict[bytes, tuple[Identity, str]]
"""Those that are in no file, by their secrets, with where and why not, if that is trouble."""


class _Kept(Struct, kw_only=True):
    """An identity as its file has it."""

    server: str
    secret: str  # in hexadecimal digits
    name: str
    address: str = ""
    addresses: tuple[str, ...] = ()  # the address, in a file of an older version
    aside: int = 0


class Keyring:
    """The identities of one profile. Holds the lock of at most one of them, until `release`."""

    brief = False  # whether a new secret is to be one that a person can write down
    trouble = ""  # where and why the secret in use could not be stored; empty if it was
    if_no_name = ""  # why it ends if the server does not take the name; empty: it says so itself
    if_unknown = ""  # why it ends if the server does not know the secret; empty: come as new

    def __init__(
        self, folder: Path | None, profile: str = "default", unstored: Unstored | None = None
    ) -> None:
        """Keep identities below `folder`; without one nothing is stored (kiosk, practice).

        What is `unstored` is found again by every keyring that is given the same.
        """
        self._unstored = {} if unstored is None else unstored
        self._folder = None if folder is None else folder / "identities" / profile
        self._path: Path | None = None
        self._lock: int | None = None
        self._identity: Identity | None = None
        self._dead: set[Path] = set()  # neither to be used again nor to be changed or deleted
        self._tried: set[bytes] = set()  # secrets that were of no use on this line

    @property
    def identity(self) -> Identity | None:
        """The one in use."""
        return self._identity

    # --- finding one ------------------------------------------------------------------------------

    def find(self, address: str, name: str = "") -> Identity | None:
        """Take a free identity of the server at this address; the one in use stays.

        One under this name is taken before any other, and none that was set aside.
        """
        if self._identity and is_one_place(self._identity.address, address):
            return self._identity
        self.release()
        here = [
            (path, one)
            for path, one in self._known()
            if is_one_place(one.address, address) and not one.aside
        ]
        for path, identity in sorted(
            here, key=lambda one: (one[0] is None, one[1].name != name, one[1].address != address)
        ):
            if self._uses(path, identity):
                break
        return self._identity

    def start_afresh(self) -> None:
        """The line is about to be had anew: another server may be there, so what was tried may be of use."""
        self._tried.clear()

    def recall(self, address: str, *, server: str = "", name: str = "") -> bool:
        """Take one that was set aside there, of this server or else under this name; each only once for a line.

        The one in use until then is deleted as soon as the server knows the other.
        """
        wanted = [
            (path, one)
            for path, one in self._known()
            if is_one_place(one.address, address) and one.aside and one.secret not in self._tried
            if (one.server == server if server else one.name.casefold() == name.casefold())
        ]
        if not wanted:
            return False
        spare = self._identity
        self.release()
        for path, identity in sorted(wanted, key=lambda one: -one[1].aside):
            if self._uses(path, identity):
                self._tried |= {spare.secret} if spare else set()
                return True
        if spare:
            self.find(address, spare.name)
        return False

    def follow(self, server: str, address: str) -> None:
        """This server, which was started here, is at this address now: so is what was for it on this machine."""
        for path, one in self._known():
            is_elsewhere = is_on_this_machine(one.address) and not is_one_place(
                one.address, address
            )
            if path is not None and one.server == server and is_elsewhere:
                with contextlib.suppress(OSError), _unused(path, one) as is_unused:
                    if is_unused:
                        _write(path, replace(one, address=address))

    def _known(self) -> list[tuple[Path | None, Identity]]:
        stored = [(path, one) for path in self._files() if (one := _read(path))]
        return [*stored, *((None, one) for one, _ in self._unstored.values())]

    def _uses(self, path: Path | None, identity: Identity) -> bool:
        if path is not None and not (self._takes(path) and _read(path) == identity):
            self.release()  # another client has it, or has had it, and it is another one by now
            return False
        self._identity, self.trouble = identity, ""
        if path is None:
            _, self.trouble = self._unstored[identity.secret]
            if self.trouble:  # perhaps it can be stored by now
                self._store(identity)
        return True

    def _takes(self, path: Path) -> bool:
        with contextlib.suppress(OSError):  # none that cannot be locked: two clients would share it
            return self._take(path)
        return False

    # --- keeping it -------------------------------------------------------------------------------

    def keep(self, *, server: str, address: str, name: str, secret: bytes) -> None:
        """Store a new identity in the first free slot of its server, or say what `trouble` there is."""
        self.release()
        self._identity = Identity(server=server, secret=secret, name=name, address=address)
        self._store(self._identity)

    def _store(self, identity: Identity) -> None:
        try:
            self.trouble = self._stored(identity)
        except OSError as error:
            self.trouble = f"{self._folder} ({(error.strerror or str(error)).lower()})"
        if self.trouble or self._folder is None:
            self._unstored[identity.secret] = (identity, self.trouble)
        else:
            self._unstored.pop(identity.secret, None)

    def _stored(self, identity: Identity) -> str:
        if self._folder is None:
            return ""
        for path in self._slots(self._folder, identity.server):
            if not path.exists() and self._take(path):
                _write(path, identity)
                return ""
        return f"{self._folder} (it has {SLOTS} for this server already)"

    def settle(self, *, server: str, name: str) -> None:
        """The server has let us in: what is for another is set aside, what it does not know deleted.

        The one in use is its own from now on, under this name.
        """
        known = self._identity
        if known is not None and known.server != server:
            self.set_aside()
        elif known is not None and (known.name != name or known.aside):
            with contextlib.suppress(OSError):  # it is found by its old name, too
                self._change(replace(known, name=name, aside=0))
        if self._identity:
            self._tried.discard(self._identity.secret)
        for path, one in self._known() if self._tried else ():
            if one.secret in self._tried and one.server == server:
                self._drop_if_free(path, one)

    # --- parting with it --------------------------------------------------------------------------

    def set_aside(self) -> None:
        """Who answers does not know this one: it may be for another server, and waits for that.

        If it is not, `settle` deletes it. Until then it is sent there again on another line only, if
        the name is taken.
        """
        if (known := self._identity) is None:
            return
        self._tried.add(known.secret)
        latest = max((one.aside for _, one in self._set_aside_at(known.address)), default=0)
        try:
            self._change(replace(known, aside=latest + 1))
        except OSError:
            self._dead |= {self._path} if self._path else set()
        self.release()
        here = self._set_aside_at(known.address)
        for path, oldest in sorted(here, key=lambda one: -one[1].aside)[MOST_ASIDE:]:
            self._drop_if_free(path, oldest)

    def _set_aside_at(self, address: str) -> list[tuple[Path | None, Identity]]:
        known = self._known()
        return [one for one in known if is_one_place(one[1].address, address) and one[1].aside]

    def _change(self, identity: Identity) -> None:
        """Keep what has changed of the one in use.

        Raises:
            OSError: its file stays as it was.
        """
        self._identity = identity
        if identity.secret in self._unstored:
            self._unstored[identity.secret] = (identity, self.trouble)
        if self._path:
            _write(self._path, identity)

    def forget(self) -> None:
        """Delete the one in use."""
        if self._identity:
            self._drop(self._path, self._identity)
        self.release()

    def _drop_if_free(self, path: Path | None, identity: Identity) -> None:
        """Delete one that is not in use here, unless another client uses it now, or has changed it."""
        if path is None:
            self._drop(path, identity)
            return
        with contextlib.suppress(OSError), _unused(path, identity) as is_unused:
            if is_unused:
                self._drop(path, identity)

    def _drop(self, path: Path | None, identity: Identity) -> None:
        self._unstored.pop(identity.secret, None)
        if path is None:
            return
        try:
            path.unlink(missing_ok=True)
        except OSError:
            self._dead.add(path)
        with contextlib.suppress(OSError):  # where an open file cannot be deleted
            lock_of(path).unlink()

    def release(self) -> None:
        """Let another client of this user have the identity."""
        if self._lock is not None:
            os.close(self._lock)
        self._lock = self._path = self._identity = None

    # --- the files --------------------------------------------------------------------------------

    def _files(self) -> list[Path]:
        with contextlib.suppress(OSError):  # none that may not be looked at
            return sorted({*self._folder.glob("*.json")} - self._dead) if self._folder else []
        return []

    def _slots(self, folder: Path, server: str) -> Iterator[Path]:
        make_folder(folder, mode=0o700)
        key = hashlib.sha256(server.encode()).hexdigest()[:16]
        for slot in range(SLOTS):
            yield folder / f"{key}-{slot:02}.json"

    def _take(self, path: Path) -> bool:
        if (lock := lock_if_free(path)) is None:
            return False
        self._lock, self._path = lock, path
        return True


class GuestRing(Keyring):
    """The one secret of a guest on an account of many: made from a key, typed, or new; never stored."""

    def __init__(
        self, *, secret: bytes | None, if_unknown: str, if_no_name: str = "", brief: bool = False
    ) -> None:
        """Without a secret the server gives one, `brief` one to write down."""
        super().__init__(None)
        self.secret = secret
        self.brief = brief
        self.if_unknown = if_unknown if secret else ""
        self.if_no_name = if_no_name

    def find(self, address: str, name: str = "") -> Identity | None:
        """The same for every server: the host of the box has chosen it."""
        if self._identity is None and self.secret is not None:
            self._identity = Identity(server="", secret=self.secret, name=name, address=address)
        return self._identity

    def keep(self, *, server: str, address: str, name: str, secret: bytes) -> None:
        """What the server gave is good for as long as this client runs."""
        self.secret = secret
        super().keep(server=server, address=address, name=name, secret=secret)

    def settle(self, *, server: str, name: str) -> None:
        """Whatever server has let us in is the right one; a phrase has proved good by then."""
        if self._identity is not None:
            self._identity = replace(self._identity, server=server, name=name)
            self.if_unknown = "" if self.brief else self.if_unknown

    def set_aside(self) -> None:
        """There is one server for a guest: what that does not know is of no use."""
        self.forget()

    def forget(self) -> None:
        """The server does not know it any more."""
        self.secret = None
        super().forget()


@contextlib.contextmanager
def _unused(path: Path, identity: Identity) -> Iterator[bool]:
    """Whether no other client uses this one, or has changed it; none can in this block.

    Raises:
        OSError: it cannot be locked, and so is never used.
    """
    lock = lock_if_free(path)
    try:
        yield lock is not None and _read(path) == identity
    finally:
        if lock is not None:
            os.close(lock)


def _read(path: Path) -> Identity | None:
    """The identity in a file; None if it is damaged."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
        secret = bytes.fromhex(kept.secret)
    except (OSError, ValueError, msgspec.DecodeError):
        return None
    if len(secret) != SECRET_BYTES:
        return None
    address = kept.address or next(iter(kept.addresses), "")
    return Identity(
        server=kept.server, secret=secret, name=kept.name, address=address, aside=kept.aside
    )


def _write(path: Path, known: Identity) -> None:
    kept = _Kept(
        server=known.server,
        secret=known.secret.hex(),
        name=known.name,
        address=known.address,
        aside=known.aside,
    )
    write_whole(path, in_lines(kept))
