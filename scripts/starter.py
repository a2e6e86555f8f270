"""Load a script of this folder, or pytest, and run it: until it heeds Ctrl-C, that just ends it.

Without this the first tenths of a second would end in a traceback, of whatever is just being loaded.
"""

import signal
import sys
from importlib import import_module

INTERRUPTED = 130


class Heeding:
    """For pytest, which loads much before it heeds Ctrl-C."""

    @staticmethod
    def pytest_sessionstart() -> None:
        """Heed it from now on."""
        heed()


def heed() -> None:
    """Let Ctrl-C be a KeyboardInterrupt again, unless it is not heeded at all."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def main() -> int:
    """Run what is named first on the command line; the rest of that is for it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    folder, _, _ = __file__.rpartition("/")
    name = sys.argv.pop(1)
    sys.argv[0] = f"{folder}/{name}"
    if folder not in sys.path:
        sys.path.insert(0, folder)
    started = import_module(name)
    if name == "pytest":
        return int(started.main(plugins=[Heeding]))
    heed()
    try:
        return int(started.main())
    except KeyboardInterrupt:
        sys.stderr.write("\ninterrupted\n")
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
