"""Output that nobody takes: a pipe without a reader, a file without room, a terminal that has gone."""

import contextlib
import errno
import sys

from client.exit_codes import HUNG_UP, PIPE_CLOSED

CODES = {
    errno.EPIPE: PIPE_CLOSED,  # whoever was reading has read enough, as `head` has
    errno.EIO: HUNG_UP,
    errno.ENOSPC: PIPE_CLOSED,
    errno.EDQUOT: PIPE_CLOSED,
    errno.EFBIG: PIPE_CLOSED,
}
UNSAID = {errno.EPIPE, errno.EIO}


def is_unread(error: BaseException) -> bool:
    """Whether this is no fault of ours: what was printed could not be."""
    return isinstance(error, OSError) and error.filename is None and error.errno in CODES


def code_of(error: OSError) -> int:
    """The exit code of a program whose output is unread; where somebody may hear of it, it is said."""
    number = error.errno or errno.EPIPE
    if number not in UNSAID and sys.stderr is not None:
        with contextlib.suppress(OSError):  # both may lead to one full disk
            why = (error.strerror or "").lower()
            sys.stderr.write(f"facedown: this cannot be printed: {why}\n")
    return CODES[number]
