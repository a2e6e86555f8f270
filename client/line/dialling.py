"""Call a server by its name or address. Nobody who leaves meanwhile has to wait for a name to be found."""

import asyncio
import contextlib
import socket
import threading
from typing import Any

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def dialled(host: str, port: int, within_s: float) -> Stream:
    """A connection to the first of the host's addresses that takes one; each has its share of the time.

    Raises:
        OSError: none does; it names what the system said of each. TimeoutError: it said nothing.
    """
    addresses, refusals = await _addresses_of(host, port), []
    for address in addresses:
        try:
            async with asyncio.timeout(within_s / len(addresses)):
                return await asyncio.open_connection(address, port)
        except TimeoutError:
            continue
        except OSError as error:
            refusals.append(error)
    if not refusals:
        raise TimeoutError
    raise refusals[0] if len(refusals) == 1 else OSError("; ".join(map(str, refusals)))


async def _addresses_of(host: str, port: int) -> list[str]:
    """Where a name leads. A thread of asyncio's own would be waited for at the end, for as long as it asks."""
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def answer(addresses: list[str], error: OSError | None) -> None:
        if found.done():  # nobody waits any more
            return
        if error is None:
            found.set_result(addresses)
        else:
            found.set_exception(error)

    def look_up() -> None:
        addresses, error = _looked_up(host, port)
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(answer, addresses, error)

    try:
        threading.Thread(target=look_up, daemon=True).start()
    except RuntimeError:  # an account of many guests may have no more of them
        look_up()
    return await found


def _looked_up(host: str, port: int) -> tuple[list[str], OSError | None]:
    try:
        known: list[Any] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        return [], error
    found = [_with_its_link(where) for *_, where in known]
    # A server listens on 127.0.0.1 unless it is told otherwise. Then the same port of ::1 is free for
    # any account of this machine, whose program would be told by what secret we come back, if only
    # while the server starts again.
    return [each for each in found if each != "::1" or "127.0.0.1" not in found], None


def _with_its_link(where: tuple[Any, ...]) -> str:
    """An address as it can be dialled: one that holds on a single link (fe80::) names this too."""
    address, _, *more = where
    link = more[1] if more else 0
    return f"{address}%{link}" if link else str(address)
