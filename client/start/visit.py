"""What a run of the client sets out to do: who, where, and what first.

Both user interfaces take one: `client.plain.loop.PlainClient(visit, console)` and
`client.full_screen.app.run(visit, settings) -> int`, which returns the exit code.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from client.kept.identity import Keyring
from client.start.first_run import FirstRun
from client.start.opening import NO_PLAN, Plan
from client.state import ClientState
from client.way_in.address import Address

if TYPE_CHECKING:
    from collections.abc import Callable

    from client.line.child import Child


class Visit(Struct, frozen=True, kw_only=True):
    """Whom to play as, where, and what to do there first."""

    name: str
    address: Address | None = None  # None: the start screen asks
    plan: Plan = NO_PLAN
    folder: Path | None = None  # where identities are kept; None keeps them in memory (kiosk)
    crashes: Path | None = None  # where crashes are written; None: nowhere (kiosk)
    profile: str = "default"
    passing: bool = False  # the address is for practice: nobody can come back, and nothing is kept
    spectate: bool = False  # watch the lobby of the address instead of sitting down
    first: FirstRun | None = None  # questions to be asked before anything else
    learn: bool = False  # the address is a practice table, and the plan the tutorial's
    ring: Keyring | None = None  # kiosk: the one secret of this guest
    phrase: str = ""  # kiosk: by which the guest came back
    ssh: str = ""  # how others get here by SSH: the command line up to a lobby's code
    nobody_there: str = ""  # what to do if no server answers, where that is not the usual
    server: "Child | None" = None  # the server that was started for this visit, at its address
    left: "Callable[[ClientState], None] | None" = None  # is told how everything was at the end
    hosted_at: tuple[str, ...] = ()  # host:port where friends find it, if this client hosts it


def beginning(visit: Visit) -> ClientState:
    """What a client knows before it has heard of a server."""
    return ClientState(
        name=visit.name,
        phrase=visit.phrase,
        set_out_for=str(visit.address or ""),
        hosted_at=visit.hosted_at,
        ssh=visit.ssh,
    )
