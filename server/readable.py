"""Which of many sockets there is something to read on: asked two times in each pass of the loop.

`selectors` tells the same in three times as many steps of the interpreter, since it can also wait, for
this or that. So it is asked only where the kernel has no epoll.
"""

import contextlib
import select
import selectors
from typing import Generic, Protocol, TypeVar


class HasFile(Protocol):
    """Something with a socket."""

    def fileno(self) -> int:
        """The number of the socket; -1 once it is closed."""
        ...


S = TypeVar("S", bound=HasFile)


class Selected(Generic[S]):
    """Sockets by the standard library's own selector."""

    def __init__(self) -> None:
        self._selector = selectors.DefaultSelector()

    def fileno(self) -> int:
        """A file that is readable as long as one of the sockets is."""
        return self._selector.fileno()

    def add(self, one: S) -> None:
        """Look at this socket, too."""
        self._selector.register(one, selectors.EVENT_READ, one)

    def remove(self, one: S) -> None:
        """Look no longer at this one, if it was looked at."""
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(one)

    def ready(self) -> list[S]:
        """Those on which there is something to read, or that have ended; never waits."""
        return [key.data for key, _ in self._selector.select(0)]

    def close(self) -> None:
        """Look at none of them any longer."""
        self._selector.close()


class Polled(Generic[S]):
    """The same by epoll itself."""

    def __init__(self) -> None:
        self._epoll = select.epoll()
        self._by_file: dict[int, S] = {}

    def fileno(self) -> int:
        """A file that is readable as long as one of the sockets is."""
        return self._epoll.fileno()

    def add(self, one: S) -> None:
        """Look at this socket, too."""
        file = one.fileno()
        self._epoll.register(file, select.EPOLLIN)
        self._by_file[file] = one

    def remove(self, one: S) -> None:
        """Look no longer at this one, if it was looked at."""
        file = one.fileno()
        if self._by_file.pop(file, None) is not None:
            self._epoll.unregister(file)

    def ready(self) -> list[S]:
        """Those on which there is something to read, or that have ended; never waits."""
        by_file = self._by_file
        return [by_file[file] for file, _ in self._epoll.poll(0, len(by_file) or 1)]

    def close(self) -> None:
        """Look at none of them any longer."""
        self._by_file.clear()
        self._epoll.close()


def to_be_read() -> Polled[S] | Selected[S]:
    """No sockets yet, to be looked at in the quickest way there is."""
    return Polled() if hasattr(select, "epoll") else Selected()
