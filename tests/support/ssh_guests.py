"""What guests at a terminal over SSH do in several tests, and what these tests need."""

import os
import re
import shutil

import pytest

from tests.support.ptys import OnPty
from tests.support.ssh_box import SSHD

SHELL = "uid="  # what `id` would say in one
ASKED = os.environ.get("FACEDOWN_TEST_SSHD") == "1"

needs_a_box = pytest.mark.skipif(
    not (ASKED and os.geteuid() == 0 and SSHD and shutil.which("ssh")),
    reason="it adds accounts: only as root, with sshd and ssh, and FACEDOWN_TEST_SSHD=1",
)
unhurried = pytest.mark.timeout(240)


def in_the_hall(session: OnPty) -> int:
    """Wait for the hall, line by line or on the screen; how much was printed until then."""
    session.waits_for(lambda: "HALL:" in session.text or "the hall" in session.screen)
    return len(session.text)


def leaves(session: OnPty) -> None:
    """Press Ctrl-C twice; the exit code of the client comes through."""
    asked = session.text.count("LEAVE: once more")
    session.types("\x03")
    session.waits_for(
        lambda: (
            "C again leaves" in session.screen
            or session.text.count("LEAVE: once more") > asked
            or session.process.poll() is not None  # it had been asked just before
        )
    )
    if session.process.poll() is None:
        session.types("\x03")
    assert session.ends() == 130


def opens_a_lobby(session: OnPty, rules: str) -> str:
    """Create a lobby, line by line; its code."""
    in_the_hall(session)
    session.types(f"create {rules}\n")
    session.prints("INVITE: ")
    code = re.search(r"LOBBY: ([A-Z]+-\d+),", session.text)
    assert code is not None
    return code[1]
