"""What is left of a crash: a file for whoever repairs it, and a sentence for whoever played."""

import contextlib
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from client.kept.files import write_whole

MOST = 10  # crash files are kept, the newest
OURS = ("client", "protocol")
_BEGAN = datetime.now(UTC).timestamp()  # as files are dated


def report(error: BaseException, folder: Path | None, *, back: str = "") -> str:
    """Write the traceback into the folder, if there is one; what to say, the way back at its end."""
    said = f"facedown stopped because {_why(error)}."
    if path := _written(error, folder):
        said += f" Details: {path}"
    return f"{said}\n{back}" if back else said


def _written(error: BaseException, folder: Path | None) -> Path | None:
    """The file, if it could be written."""
    if folder is None:
        return None
    path = folder / f"crash-{datetime.now(UTC):%Y%m%d-%H%M%S}.txt"
    try:
        write_whole(path, "".join(traceback.format_exception(error)))
    except OSError:
        return None
    _drop_oldest(set(folder.glob("crash-*.txt")) - {path})
    return path


def _drop_oldest(others: set[Path]) -> None:
    """A client that is started again and again, and crashes each time, must not fill the disk."""
    for path in sorted(others)[: 1 - MOST]:
        with contextlib.suppress(OSError):  # another client does the same, say
            path.unlink()


def _why(error: BaseException) -> str:
    if _is_updated():
        return "its own files were changed while it ran: start it again"
    return f"of a bug ({_named(error)})"


def _named(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__


def _is_updated() -> bool:
    """Whether other files lie where this process loads its modules from, some of them late."""
    ours = [module for name, module in sys.modules.items() if name.partition(".")[0] in OURS]
    files = [Path(module.__file__) for module in ours if module.__file__]
    try:
        return any(file.stat().st_mtime > _BEGAN for file in files)
    except OSError:  # not even one of that name
        return True
