"""Fail when a module is too long for one sitting, or a function for one glance."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

FOLDERS = ("protocol", "server", "client", "tests", "scripts")
MOST_LINES = 400  # of a module
MOST_LINES_OF_A_FUNCTION = 30


def main() -> int:
    """Name every module and function over its limit."""
    paths = sorted(path for folder in FOLDERS for path in Path(folder).rglob("*.py"))
    too_long = [complaint for path in paths for complaint in complaints_about(path)]
    for complaint in too_long:
        print(complaint)
    print(f"{len(paths)} modules, {len(too_long)} things too long")
    return 1 if too_long else 0


def complaints_about(path: Path) -> Iterator[str]:
    """Say what is too long in a module."""
    text = path.read_text(encoding="utf-8")
    lines = len(text.splitlines())
    if lines > MOST_LINES:
        yield f"{path}: {lines} lines; split it, {MOST_LINES} is the most"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > MOST_LINES_OF_A_FUNCTION:
                where = f"{path}:{node.lineno} {node.name}"
                yield f"{where}: {length} lines; {MOST_LINES_OF_A_FUNCTION} is the most"


if __name__ == "__main__":
    sys.exit(main())
