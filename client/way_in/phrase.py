"""A secret that can be written down, as sixteen letters and digits in groups of four. Pure."""

from base64 import b32decode, b32encode

from protocol.guests import BRIEF_BYTES, brief_secret

LENGTH = BRIEF_BYTES * 8 // 5
GROUP = 4
STANDARD = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none of I, L, O, U
_WRITTEN = str.maketrans(STANDARD, DIGITS)
_READ = str.maketrans(DIGITS + "OIL", STANDARD + "ABB")


def phrase_of(secret: bytes | None) -> str:
    """The phrase for a secret; empty if it is none to write down."""
    if secret is None or secret != brief_secret(secret):
        return ""
    letters = b32encode(secret[:BRIEF_BYTES]).decode().translate(_WRITTEN)
    return "-".join(letters[start : start + GROUP] for start in range(0, LENGTH, GROUP))


def secret_of(phrase: str) -> bytes | None:
    """The secret for a phrase as somebody types it; None if it is no phrase."""
    letters = phrase.upper().replace("-", "").replace(" ", "")
    if len(letters) != LENGTH or not set(letters) <= set(DIGITS + "OIL"):
        return None
    return brief_secret(b32decode(letters.translate(_READ)))
