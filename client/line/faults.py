"""What the system has to say of a line that could not be had or broke, in words. Pure."""

import errno
import os
import re
import socket

from client.way_in.address import code_meant, is_usual_code

NOBODY_THERE = "Is a server running there? facedown host starts one here."
NO_GREETING = (
    "Something takes calls there that does not say hello: another program, a tunnel without a server"
    " at its other end, or a server that is stuck. Check the port and the server."
)
OTHER_PROGRAM = "Another program answers there: check the port. Facedown's is 5252, unless its host says another."
NO_SUCH_NAME = "no machine has that name"
NO_NAMES = "names cannot be looked up just now"
BY_NUMBER = "Check it, or take the address in numbers, such as 192.168.1.20."
_NUMBER = re.compile(r"\[Errno (\d+)\]")


def in_words(error: OSError) -> str:
    """What the system said; asyncio puts addresses in its place and keeps only the numbers.

    Where a name has several addresses, one that refused tells the most: somebody is at home there.
    """
    if isinstance(error, socket.gaierror):
        return NO_NAMES if error.errno == socket.EAI_AGAIN else NO_SUCH_NAME
    numbers = [int(number) for number in _NUMBER.findall(str(error))]
    if errno.ECONNREFUSED in numbers:
        return "connection refused"
    return (os.strerror(numbers[0]) if numbers else str(error) or "the line broke").lower()


def next_step(reason: str, host: str, usual: str) -> str:
    """What to do where these words say why nobody was reached: a server does not help a name."""
    if reason not in {NO_SUCH_NAME, NO_NAMES}:
        return usual
    code = code_meant(host)
    return (
        f"If {code} is a lobby, say where it is: HOST/{code}." if is_usual_code(code) else BY_NUMBER
    )
