"""What the system has to say of a line that could not be had or broke, in words. Pure."""

import errno
import os
import re
import socket

_NUMBER = re.compile(r"\[Errno (\d+)\]")


def in_words(error: OSError) -> str:
    """What the system said; asyncio puts addresses in its place and keeps only the numbers.

    Where a name has several addresses, one that refused tells the most: somebody is at home there.
    """
    if isinstance(error, socket.gaierror):
        return "no machine has that name"
    numbers = [int(number) for number in _NUMBER.findall(str(error))]
    if errno.ECONNREFUSED in numbers:
        return "connection refused"
    return (os.strerror(numbers[0]) if numbers else str(error) or "the line broke").lower()
