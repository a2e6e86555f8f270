"""What a power cut leaves: files and folders that were written to the disk, in the order in which that was done."""

import os
from pathlib import Path

import pytest


def note_what_lasts(patch: pytest.MonkeyPatch) -> list[str]:
    """From now on what is written to the disk is noted by its name, and what a file is renamed to."""
    done: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def noted_fsync(descriptor: int) -> None:
        fsync(descriptor)
        name = Path(f"/proc/self/fd/{descriptor}").readlink().name
        done.append("a draft" if name.startswith(".") else name)

    def noted_replace(path: Path, target: Path) -> Path:
        done.append(f"renamed to {target.name}")
        return replace(path, target)

    patch.setattr(os, "fsync", noted_fsync)
    patch.setattr(Path, "replace", noted_replace)
    return done
