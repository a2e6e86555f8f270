"""`facedown-server`: read the settings, open the door, and close it well."""

import logging
import os
import secrets
import signal
import sys
from pathlib import Path
from random import SystemRandom

import trio

from protocol.answers import Stamps
from server.config import BadSettings, Settings, data_folder, read_settings
from server.hall import Hall
from server.journal import MemoryJournal
from server.listener import Listener, open_socket

LAST_WORDS_S = 1.0  # for goodbyes to be written
LOG = logging.getLogger("facedown")


def main() -> None:
    """Run the server of the command line; exit code 0 after SIGTERM or Ctrl-C, 2 for bad settings."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s %(message)s")
    try:
        settings = read_settings(sys.argv[1:], os.environ)
        folder = data_folder(settings)
        trio.run(serve, settings, folder)
    except BadSettings as fault:
        sys.exit(_complaint(str(fault)))
    except OSError as fault:
        where = f"{settings.host}:{settings.port}"
        hint = "Is a server running there already? Another --port may be free."
        sys.exit(_complaint(f"cannot listen on {where}: {fault.strerror}. {hint}"))


def _complaint(text: str) -> int:
    sys.stderr.write(f"facedown-server: {text}\n")
    return 2


async def serve(settings: Settings, folder: Path) -> None:
    """Serve until a signal says to stop."""
    sock, stamped = await open_socket(settings)
    with sock, trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            hall = Hall(
                settings,
                MemoryJournal(),
                nursery=nursery,
                server_id=_server_id(folder),
                epoch=secrets.token_hex(8),
                stamps=Stamps.KERNEL if stamped else Stamps.AFTER_READ,
                rng=SystemRandom(),
            )
            nursery.start_soon(hall.run)
            nursery.start_soon(Listener(sock, hall, settings).run)
            _say_ready(sock, folder, stamped=stamped)
            await anext(signals)
            sock.close()
            hall.close()
            await trio.sleep(LAST_WORDS_S)
            nursery.cancel_scope.cancel()


def _say_ready(sock: trio.socket.SocketType, folder: Path, *, stamped: bool) -> None:
    host, port = sock.getsockname()[:2]
    timed = "by the kernel's arrival stamps" if stamped else "after reading (no kernel stamps here)"
    sys.stdout.write(
        f"facedown-server ready on {host}:{port}  data {folder}  challenges timed {timed}\n"
    )
    sys.stdout.flush()


def _server_id(folder: Path) -> str:
    """The same after each restart, so that clients find the secret they keep for this server."""
    path = folder / "server-id"
    if path.exists():
        return path.read_text(encoding="utf-8").strip()
    identity = secrets.token_hex(16)
    path.write_text(identity + "\n", encoding="utf-8")
    return identity


if __name__ == "__main__":
    main()
