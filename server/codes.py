"""Lobby codes that can be said aloud: FOX-42, and FOX-42-KIWI for a lobby that is not listed."""

from collections.abc import Container
from random import Random

_ANIMALS = [
    "ANT",
    "APE",
    "ASP",
    "AUK",
    "BAT",
    "BEE",
    "BOA",
    "CAT",
    "COD",
    "COW",
    "CUB",
    "DOE",
    "DOG",
    "EEL",
    "ELK",
    "EMU",
    "EWE",
    "FLY",
    "FOX",
    "GNU",
    "HEN",
    "HOG",
    "JAY",
    "KID",
    "KOI",
    "LAB",
    "MOA",
    "OWL",
    "OXO",
    "PIG",
    "PUG",
    "RAM",
    "RAT",
    "RAY",
    "SOW",
    "TIT",
    "TUI",
    "YAK",
    "ZHO",
]
_FRUITS = [
    "ACAI",
    "AKEE",
    "BAEL",
    "CRAB",
    "DATE",
    "FEIJ",
    "GUAV",
    "HUSK",
    "KAKI",
    "KALE",
    "KIWI",
    "LIME",
    "LUCU",
    "MEDL",
    "NECT",
    "NONI",
    "OKRA",
    "PAPA",
    "PEAR",
    "PLUM",
    "POME",
    "QUIN",
    "RASP",
    "ROSE",
    "SLOE",
    "TAMA",
    "UGLI",
    "YUZU",
]
_NUMBERS = 100


def new_code(rng: Random, taken: Container[str], *, public: bool) -> str:
    """A code that nobody has."""
    while True:
        code = f"{rng.choice(_ANIMALS)}-{rng.randrange(_NUMBERS):02}"
        if not public:
            code = f"{code}-{rng.choice(_FRUITS)}"
        if code not in taken:
            return code
