"""Frames cut from a stream and recognised by their first bytes, so that a busy driver stays cheap."""

PREFIX = 4  # bytes of the length

_TYPE = b"\xa4type"  # the first key of every message, with its length
_KIND = len(_TYPE) + 1
_SHORT_TEXT = 0x1F  # the length in the header of a text under 32 bytes
_FAR_ENOUGH = 20  # bytes in which the first key begins, whatever the event number


def cut(data: bytes) -> tuple[list[bytes], bytes]:
    """The complete frames' bodies at the front of these bytes, and what is left of them."""
    bodies = []
    start, size = 0, len(data)
    while size - start >= PREFIX:
        end = start + PREFIX + int.from_bytes(data[start : start + PREFIX])
        if end > size:
            break
        bodies.append(data[start + PREFIX : end])
        start = end
    return bodies, data[start:]


def kind_of(body: bytes) -> bytes:
    """The type of the message in a frame, such as `played`; nothing else of it is read."""
    at = body.find(_TYPE, 0, _FAR_ENOUGH)
    length = body[at + _KIND - 1] & _SHORT_TEXT
    return body[at + _KIND : at + _KIND + length]


def framed(body: bytes) -> bytes:
    """The frame that holds this body."""
    return len(body).to_bytes(PREFIX) + body
