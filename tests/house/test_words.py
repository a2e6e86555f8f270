"""The house speaks the table's language: what other games call things is no name here."""

import tokenize
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OF_OTHER_GAMES = frozenset({"trick", "tricks", "room", "rooms"})  # we have piles, lobbies, tables


def names_in(path: Path) -> Iterator[str]:
    """Give every name that a module uses or makes."""
    with path.open("rb") as file:
        yield from (
            token.string
            for token in tokenize.tokenize(file.readline)
            if token.type == tokenize.NAME
        )


def test_nothing_has_a_name_from_another_game() -> None:
    guilty = {
        f"{path.relative_to(ROOT)}: {name}"
        for package in ("protocol", "server", "client")
        for path in (ROOT / package).rglob("*.py")
        for name in names_in(path)
        if OF_OTHER_GAMES & set(name.lower().split("_"))
    }

    assert guilty == set()
