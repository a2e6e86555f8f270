"""Make every text in what a server tells safe to show: the one door that all of it comes through. Pure.

A server cleans what people say, but a hostile one would not, and a text may be anything: a name, a
lobby's code, a computer player's temperament. So nobody who draws has to think of it.
"""

from enum import Enum
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from protocol.text import clean

Message = TypeVar("Message", bound=Struct)


def cleaned(message: Message) -> Message:
    """The same message; of its texts only what fits on a line of a terminal."""
    changes = {}
    for name in message.__struct_fields__:
        value = getattr(message, name)
        safe = _safe(value)
        if safe is not value:
            changes[name] = safe
    return replace(message, **changes) if changes else message


def _safe(value: Any) -> Any:  # noqa: ANN401 - a field of any type
    """The value with its texts cleaned; the very same one if there is nothing to clean."""
    if isinstance(value, str):
        harmless = isinstance(value, Enum) or (value.isascii() and value.isprintable())
        return value if harmless else clean(value, limit=len(value))
    if isinstance(value, Struct):
        return cleaned(value)
    if isinstance(value, tuple):
        parts = tuple(map(_safe, value))
        changed = any(part is not was for part, was in zip(parts, value, strict=True))
        return parts if changed else value
    return value
