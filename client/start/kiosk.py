"""A client for guests who share one account on a box: nothing but the game, and a seat for each.

It is what a forced command of sshd starts (server/README). The guest gets no file, no shell and no
other server out of it: nothing is stored, and who they are follows from the host's key file and the
name of their key line, or from a phrase that they write down themselves.
"""

import os
import re
import resource
import signal
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from client.exit_codes import INTERRUPTED
from client.kept.identity import GuestRing
from client.settings import BadSetting, Settings
from client.start.opening import NO_PLAN, to_join
from client.start.terminal_here import has_terminal
from client.start.visit import Visit
from client.way_in.address import Address
from client.way_in.phrase import phrase_of, secret_of
from client.way_in.ssh import login_name, way_in
from protocol.guests import LONGEST_KEY, BadGuestKey, checked_key, guest_secret
from protocol.refusals import Refusal, explained
from protocol.text import is_a_name

CODE = re.compile(r"[A-Za-z]{3}-[0-9]{2,6}(-[A-Za-z]{4})?", re.ASCII)
TRIES = 3
MOST_MEMORY = 256 * 1024 * 1024  # a client needs a tenth of it
PR_SET_DUMPABLE = 4
PR_SET_NO_NEW_PRIVS = 38

NO_KEY_HERE = "The server was not given the key of this account's guests: its host starts it with --guest-key."
NO_NAME_HERE = "The name on your key line is somebody else's here, or cannot be used: tell the host of this box."
NO_SUCH_PHRASE = (
    "Nobody here has that rejoin phrase (any more). Log in again, and leave it empty to be new."
)
NOBODY_THERE = "The game is not running on this box just now: tell its host, or try again later."

Ask = Callable[[str], str]


def ask_here(question: str) -> str:
    """Ask on this terminal; Ctrl-D leaves."""
    try:
        return input(question)
    except EOFError:
        sys.stdout.write("\n")
        raise SystemExit(INTERRUPTED) from None


def receive(
    address: Address,
    settings: Settings,
    *,
    key_file: Path | None,
    key_name: str | None,
    environment: Mapping[str, str],
    ask: Ask = ask_here,
) -> Visit:
    """Shut every way out, then find out who has come; `key_name` is the host's, not the guest's.

    Raises:
        BadSetting: no terminal, no usable key, or no usable name; the message is for the guest.
    """
    way = way_in(environment, login_name())
    _need_terminal(way)
    shut()
    code = address.code or lobby_asked_for(environment)
    name, ring = _who(key_file, key_name, ask)
    return Visit(
        name=name,
        address=address,
        plan=to_join(code, watch=settings.spectate) if code else NO_PLAN,
        spectate=settings.spectate,
        ring=ring,
        phrase=phrase_of(ring.secret),
        ssh=way,
        nobody_there=NOBODY_THERE,
    )


def lobby_asked_for(environment: Mapping[str, str]) -> str | None:
    """The lobby of `ssh box FOX-42`; whatever else was asked for is not even looked at."""
    asked = environment.get("SSH_ORIGINAL_COMMAND", "")
    return asked.upper() if CODE.fullmatch(asked) else None


def _need_terminal(way: str) -> None:
    if not has_terminal():
        like_this = f" Like this:  {way} (the code of a lobby may follow)" if way else ""
        message = f"This is a card game and nothing else, and it needs a terminal.{like_this}"
        raise BadSetting(message)


def shut() -> None:
    """No core file, no file at all, no looking in from outside, no more rights, no background.

    Whoever floods their own client ends it before it can fill the box.

    Raises:
        BadSetting: this system cannot do that.
    """
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    if hasattr(resource, "RLIMIT_DATA"):
        resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    sys.dont_write_bytecode = True
    for number in (signal.SIGTSTP, signal.SIGTTIN, signal.SIGTTOU, signal.SIGQUIT):
        signal.signal(number, signal.SIG_IGN)
    # Until a user interface takes over, Ctrl-C simply ends it: no traceback, nothing left to do.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if sys.platform == "linux":
        _keep_closed(PR_SET_DUMPABLE, 0)
        _keep_closed(PR_SET_NO_NEW_PRIVS, 1)


def _keep_closed(option: int, value: int) -> None:
    import ctypes  # noqa: PLC0415 - nobody else needs it

    if ctypes.CDLL(None).prctl(option, value, 0, 0, 0) != 0:
        message = "This process cannot be protected from others here, so it stops."
        raise BadSetting(message)


# --- who has come --------------------------------------------------------------------------------


def _who(key_file: Path | None, key_name: str | None, ask: Ask) -> tuple[str, GuestRing]:
    if key_file is not None:
        if not key_name:
            message = "--key-file needs the --name of the key line: it says whose seat it is."
            raise BadSetting(message)
        secret = guest_secret(read_key(key_file), key_name)
        return key_name, GuestRing(secret=secret, if_unknown=NO_KEY_HERE, if_no_name=NO_NAME_HERE)
    name = key_name or _asked_name(ask)
    phrase = _asked_phrase(ask)
    return name, GuestRing(secret=phrase, if_unknown=NO_SUCH_PHRASE, brief=True)


def _asked_name(ask: Ask) -> str:
    for _ in range(TRIES):
        name = ask("Your name: ").strip()
        if is_a_name(name):
            return name
        sys.stdout.write(f"{explained(Refusal.BAD_NAME).sentence}\n")
    raise BadSetting("No name, no game. Log in again when you have thought of one.")


def _asked_phrase(ask: Ask) -> bytes | None:
    for _ in range(TRIES):
        typed = ask("Your rejoin phrase, if you have been here before (else just Enter): ").strip()
        secret = secret_of(typed)
        if secret is not None or not typed:
            return secret
        sys.stdout.write("A rejoin phrase looks like K7QF-2MZD-9XWA-4TBN.\n")
    raise BadSetting("That is no rejoin phrase. Log in again, and leave it empty to be new.")


def read_key(path: Path) -> bytes:
    """The key in this file.

    Raises:
        BadSetting: it cannot be read, or cannot be a key. The guest is told no more than that.
    """
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            return checked_key(os.read(file, LONGEST_KEY + 1), os.fstat(file).st_mode)
        finally:
            os.close(file)
    except OSError as fault:
        message = f"The key file of this account cannot be read ({fault.strerror}): tell its host."
        raise BadSetting(message) from fault
    except BadGuestKey as fault:
        message = f"The key file of this account cannot be used ({fault}): tell its host."
        raise BadSetting(message) from fault
