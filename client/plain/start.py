"""Start the plain client on this process's own input and output; the counterpart of `client.full_screen.app`."""

import asyncio
import contextlib
import sys

from client.exit_codes import CRASHED
from client.kept import crash
from client.plain.console import standard
from client.plain.loop import PlainClient
from client.settings import DEFAULTS, Settings
from client.start.visit import Visit
from client.version import version


def run(visit: Visit, why: str, settings: Settings = DEFAULTS) -> int:
    """Play line by line, saying why; the exit code (client/README).

    Raises:
        OSError: nobody takes what is printed.
    """
    console = standard()
    console.show(
        (f"facedown {version()}, plain mode ({why}). Type help. Lines start with a label.",)
    )
    client = PlainClient(visit, console, settings=settings)
    try:
        code = asyncio.run(client.run())
    except Exception as error:  # noqa: BLE001 - whatever it is, a person is told in a sentence
        with contextlib.suppress(OSError):
            sys.stderr.write(crash.report(error, visit.crashes, back=client.way_back) + "\n")
        return CRASHED
    finally:
        if visit.left:
            visit.left(client.state)
    if code == 0 and console.broken:
        raise console.broken
    return code
