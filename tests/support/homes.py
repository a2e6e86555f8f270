"""Homes for what the tests run, in which nothing of this machine's user is read or written."""

import os
from pathlib import Path

import pytest

OURS, OF_TESTS = "FACEDOWN_", "FACEDOWN_TEST_"


def environment(home: Path, **more: str) -> dict[str, str]:
    """This environment without anybody's settings, for a process whose home this is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(OURS)}
    return kept | folders(home) | {"HOME": str(home)} | more


def folders(home: Path) -> dict[str, str]:
    """What says where data, state and settings are."""
    return {f"XDG_{kind}_HOME": str(home / kind.lower()) for kind in ("DATA", "STATE", "CONFIG")}


def move_in(monkeypatch: pytest.MonkeyPatch, home: Path, **more: str) -> None:
    """Let this be the home of this process, until the test ends."""
    forget_settings(monkeypatch)
    for name, value in (folders(home) | {"HOME": str(home)} | more).items():
        monkeypatch.setenv(name, value)


def forget_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the settings that whoever runs the tests has for themselves."""
    for name in tuple(os.environ):
        if name.startswith(OURS) and not name.startswith(OF_TESTS):
            monkeypatch.delenv(name)
