"""Fail when a module is too long for one sitting. Functions are counted by ruff (PLR0915)."""

import sys
from pathlib import Path

FOLDERS = ("protocol", "server", "client", "tests", "scripts")
MOST_LINES = 400


def main() -> int:
    """Name every module over the limit."""
    lengths = {path: lines_of(path) for folder in FOLDERS for path in Path(folder).rglob("*.py")}
    too_long = {path: length for path, length in lengths.items() if length > MOST_LINES}
    for path, length in sorted(too_long.items()):
        print(f"{path}: {length} lines; split it, {MOST_LINES} is the most")
    print(f"{len(lengths)} modules, {len(too_long)} over {MOST_LINES} lines")
    return 1 if too_long else 0


def lines_of(path: Path) -> int:
    """Count the lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


if __name__ == "__main__":
    sys.exit(main())
