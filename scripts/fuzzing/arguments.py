"""The command line of scripts/fuzz. Nothing else is needed for its help."""

import argparse
from pathlib import Path

ABOUT = {
    "to-server": "The body of a frame to the server: a message that is read again as it was, or refused.",
    "to-client": "The body of a frame to the client: an event that is read again as it was, or refused.",
    "stream-to-server": "All that comes over a line to the server, in pieces; before it and after a hello.",
    "stream-to-client": "All that comes over a line to a client, in pieces; before it and after a welcome.",
    "text": "What somebody says: one short line that steers no terminal, the same when cleaned again.",
    "rules": "What somebody types as a rules code: a setting that has a code of its own, or refused.",
    "journal": "A record of the journal whose checksum is right: a change, and a lobby that can be used.",
    "client": "Frames to a client in the middle of a deal: `data` is cut at each byte 0xff into their bodies.",
}
"""What each target takes the bytes for."""

DESCRIPTION = """Throw bytes at one target for long, led by the coverage they reach.

The tests do the same for seconds, with mutations drawn by a seed. This is for hours: Atheris keeps
what reaches new code and builds on it. It is no part of the project: where it is missing, this says
what to install. What breaks a target is left in a file, and --replay throws that file again.
"""


def read_arguments() -> argparse.Namespace:
    """Read the command line of scripts/fuzz."""
    parser = argparse.ArgumentParser(
        prog="scripts/fuzz",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.epilog = "targets:\n  " + "\n  ".join(f"{name}: {what}" for name, what in ABOUT.items())
    parser.epilog += "\n\nexample: scripts/fuzz to-server --minutes 60 --corpus /tmp/found"
    parser.add_argument("target", choices=list(ABOUT), help="what the bytes are thrown at")
    parser.add_argument("--minutes", type=float, default=10.0, help="how long (default: 10)")
    parser.add_argument("--corpus", type=Path, help="a folder to keep what reached new code in")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="throw this file, and no more")
    return parser.parse_args()


if __name__ == "__main__":
    read_arguments()
