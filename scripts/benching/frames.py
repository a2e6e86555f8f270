"""Frames cut from a stream and recognised by their first bytes, so that a busy driver stays cheap."""

PREFIX = 4  # bytes of the length

_NUMBERS = {0xCC: 1, 0xCD: 2, 0xCE: 4, 0xCF: 8}  # bytes after the header of an event number
_LONG_LIST = 0xDC  # the header of a list of 16 and more, with two bytes for its length
_SHORT_TEXT = 0x1F  # the length in the header of a text under 32 bytes


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
    at = 4 + _NUMBERS.get(body[1], 0)  # after the headers of both lists, the number and the text
    if body[at - 2] == _LONG_LIST:
        at += 2
    return body[at : at + (body[at - 1] & _SHORT_TEXT)]


def framed(body: bytes) -> bytes:
    """The frame that holds this body."""
    return len(body).to_bytes(PREFIX) + body
