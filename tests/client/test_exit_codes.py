"""Every exit code has one name and one place, and the README tells of it."""

import ast
import re
from pathlib import Path

import client
from client import exit_codes

HERE = Path(client.__file__).parent
CODES = {name: code for name, code in vars(exit_codes).items() if isinstance(code, int)}


def defined_in(path: Path) -> set[str]:
    """The names that a module gives to something of its own, outside its classes and functions."""
    assigned = [
        one for one in ast.parse(path.read_text("utf-8")).body if isinstance(one, ast.Assign)
    ]
    names = (node for one in assigned for node in ast.walk(one) if isinstance(node, ast.Name))
    return {name.id for name in names if isinstance(name.ctx, ast.Store)}


def test_an_exit_code_was_defined_twice() -> None:
    elsewhere = [path for path in HERE.rglob("*.py") if path.name != "exit_codes.py"]

    again = {path.name: both for path in elsewhere if (both := defined_in(path) & CODES.keys())}

    assert again == {}


def test_the_readme_tells_of_every_exit_code() -> None:
    readme = (HERE / "README.md").read_text("utf-8")
    told = re.search(r"Exit codes: (.*?)\n\n", readme, re.DOTALL)

    assert told is not None
    numbers = {int(number) for number in re.findall(r"\d+", told[1])}
    assert {code for code in CODES.values() if code not in numbers} == {
        exit_codes.TERMINATED,  # 128 + signal
        exit_codes.HUNG_UP,
    }
