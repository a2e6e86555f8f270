"""What is left of a crash: a file for whoever repairs it, and one sentence for whoever played."""

import traceback
from datetime import UTC, datetime
from pathlib import Path

from client.kept.files import write_whole


def report(error: BaseException, folder: Path | None) -> str:
    """Write the traceback into the folder, if there is one; the sentence to say."""
    what = f"facedown stopped because of a mistake in itself ({_named(error)})."
    if folder is None:
        return f"{what} Your seat is kept: start it again."
    now = datetime.now(UTC)
    path = folder / f"crash-{now:%Y%m%d-%H%M%S}.txt"
    try:
        write_whole(path, "".join(traceback.format_exception(error)))
    except OSError:
        return f"{what} Your seat is kept: start it again."
    return f"{what} Your seat is kept: start it again. Details: {path}"


def _named(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return type(error).__name__
