"""Whether this machine lets a test have a network or a disk of its own."""

import shutil
import subprocess


def lacks(*command: str) -> bool:
    """Whether this cannot be done here."""
    if shutil.which("unshare") is None:
        return True
    return subprocess.run(command, capture_output=True, check=False).returncode != 0
