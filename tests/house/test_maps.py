"""The pages that say where things are name every module, each once."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NAME = re.compile(r"`(\w+)/?`")
NO_PART = re.compile(r"__init__\.py|test_")


def named_on(page: str, heading: str) -> list[str]:
    """The modules and packages in the first column of the map."""
    rows = page.partition(f"{heading}\n")[2].partition("\n## ")[0].splitlines()
    return [name for row in rows if row.startswith("|") for name in NAME.findall(row.split("|")[1])]


def there_are(folder: Path) -> list[str]:
    """The modules of a package but its tests, and the packages in it."""
    modules = [path.stem for path in folder.glob("*.py") if not NO_PART.match(path.name)]
    return modules + [path.parent.name for path in folder.glob("*/__init__.py")]


@pytest.mark.parametrize(
    ("package", "heading"),
    [
        ("client", "## How it is built"),
        ("server", "## How it is built"),
        ("tests/simulation", "# The simulation"),
    ],
)
def test_the_map_of_a_package_names_each_of_its_modules_once(package: str, heading: str) -> None:
    page = (ROOT / package / "README.md").read_text("utf-8")

    assert sorted(named_on(page, heading)) == sorted(there_are(ROOT / package))
