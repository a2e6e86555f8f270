"""Frames: a length of four bytes, big-endian, then that many bytes. What is in them is for codec."""

from collections.abc import Generator, Iterator
from contextlib import closing

from protocol.errors import LocalProtocolError, RemoteProtocolError

PREFIX = 4  # bytes of the length
HELLO_CAP = 1024  # bytes in one frame to the server before its hello
COMMAND_CAP = 8 * 1024  # bytes in one frame to the server after it
EVENT_CAP = 64 * 1024  # bytes in one frame to the client


def frame(body: bytes, cap: int) -> bytes:
    """Put the length before the body.

    Raises:
        LocalProtocolError: the body is empty, or longer than the other end takes.
    """
    size = len(body)
    if not 0 < size <= cap:
        message = f"a frame of {size} bytes is not between 1 and {cap}"
        raise LocalProtocolError(message)
    return size.to_bytes(PREFIX) + body


class FrameReader:
    """Cut a stream of bytes into frames; `cap` is the most bytes of one, and may be changed."""

    __slots__ = ("_buffer", "cap")

    def __init__(self, cap: int) -> None:
        self.cap = cap
        self._buffer = b""

    @property
    def waiting(self) -> int:
        """Bytes kept: of a frame that is not complete yet, after `first` also all that followed it."""
        return len(self._buffer)

    def receive(self, data: bytes) -> Iterator[bytes]:
        """Take in what came and give out each frame that is now complete, one at a time.

        A cap changed between two frames holds for the second. A length is judged as soon as it is
        there, before its frame is waited for.

        Raises:
            RemoteProtocolError: a length is zero or above the cap.
        """
        if not self._buffer:
            length = int.from_bytes(data[:PREFIX])
            if PREFIX + length == len(data) and 0 < length <= self.cap:
                return iter((data[PREFIX:],))  # one whole frame, as nearly always
        self._buffer += data
        return self._complete()

    def first(self, data: bytes) -> bytes | None:
        """Take in what came and give out one frame, if it is complete; what follows is kept.

        Raises:
            RemoteProtocolError: its length is zero or above the cap.
        """
        self._buffer += data
        with closing(self._complete()) as frames:
            return next(frames, None)

    def _complete(self) -> Generator[bytes]:
        buffer, start = self._buffer, 0
        try:
            while len(buffer) - start >= PREFIX:
                body = start + PREFIX
                end = body + self._checked(int.from_bytes(buffer[start:body]))
                if len(buffer) < end:
                    return
                start = end
                yield buffer[body:end]
        finally:
            self._buffer = buffer[start:]

    def _checked(self, length: int) -> int:
        if not 0 < length <= self.cap:
            message = f"a frame says it has {length} bytes: 1 to {self.cap} are allowed"
            raise RemoteProtocolError(message)
        return length
