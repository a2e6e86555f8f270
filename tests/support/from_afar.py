"""The limits on people off this machine, in a network of its own where a server hears of such.

Run by module inside `unshare --net`: plays each policy once and prints its name, its bound and how
long it has lasted, in seconds.
"""

import sys
import tempfile
from pathlib import Path

import trio

from tests.support import refills
from tests.support.half_open import configure
from tests.support.times import Servers, play_all

HERE = "192.0.2.1"  # an address of this machine, and not loopback
SERVERS: Servers = (
    (
        {"new_people_per_min": 12, "wrong_secrets_per_min": 12, "connects_per_s": 1000},
        (refills.newcomers_from_afar, refills.wrong_secrets),
    ),
    (
        {"new_far_people_per_min": 12, "new_people_per_min": 1000, "connects_per_s": 1000},
        (refills.newcomers_from_everywhere,),
    ),
    ({"connects_per_s": 1, "new_people_per_min": 1000}, (refills.connects,)),
    (
        {"passwords_per_min": 6, "own_passwords_per_min": 1000, "entries_per_min": 1000},
        (refills.passwords,),
    ),
)


async def main() -> None:
    """Have such an address, and play."""
    configure("link", "set", "lo", "up")
    configure("address", "add", f"{HERE}/32", "dev", "lo")
    with tempfile.TemporaryDirectory() as home:
        took = await play_all(Path(home), SERVERS, f"--host={HERE}")
    for policy, (bound_s, lasted_s) in took.items():
        sys.stdout.write(f"{policy} {bound_s} {lasted_s}\n")


if __name__ == "__main__":
    trio.run(main)
