"""Lobby codes that can be said aloud: FOX-42, and FOX-42-KIWI for a lobby that is not listed."""

import itertools
from collections.abc import Container, Iterator
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
    "KEA",
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
    "TUI",
    "YAK",
    "ZHO",
]
_PLANTS = [
    "ACAI",
    "AKEE",
    "BAEL",
    "BEET",
    "CRAB",
    "DATE",
    "FERN",
    "GOJI",
    "HUSK",
    "KAKI",
    "KALE",
    "KIWI",
    "LEEK",
    "LIME",
    "MINT",
    "NONI",
    "OKRA",
    "PAPA",
    "PEAR",
    "PLUM",
    "REED",
    "RICE",
    "ROSE",
    "SAGE",
    "SLOE",
    "TARO",
    "UGLI",
    "YUZU",
]
_NUMBERS = 100
_TRIES = 20  # so many codes are drawn before another digit is added


def new_code(rng: Random, taken: Container[str], *, public: bool) -> str:
    """A code that nobody has."""
    return next(code for code in _codes(rng, public=public) if code not in taken)


def _codes(rng: Random, *, public: bool) -> Iterator[str]:
    """Codes without end; where nearly all are taken, the number gets longer."""
    for tries in itertools.count():
        numbers = _NUMBERS * 10 ** (tries // _TRIES)
        code = f"{rng.choice(_ANIMALS)}-{rng.randrange(numbers):02}"
        yield code if public else f"{code}-{rng.choice(_PLANTS)}"
