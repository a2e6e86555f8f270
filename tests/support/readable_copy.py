"""The project as another account can run it: an interpreter, our packages, and what they need.

What `pip install .` would do, without a network: the packages are copied from where the tests use
them. The interpreter is used where it is, or copied as well if others cannot get at it. What is compiled
comes along, as with pip: a guest's client could not keep what it compiles.
"""

import os
import re
import shutil
import stat
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("client", "protocol", "server")
COMMANDS = {"facedown": "client", "facedown-server": "server"}
NEEDLESS = shutil.ignore_patterns("test", "tests", "site-packages", "idlelib", "*.a")


def install(into: Path) -> None:
    """Put `bin/facedown` and `bin/facedown-server`, which any account can run, into this folder."""
    into.mkdir(mode=0o755)
    python = _interpreter(into)
    packages = into / "packages"
    packages.mkdir()
    for name in PACKAGES:
        shutil.copytree(ROOT / name, packages / name, ignore=NEEDLESS)
    for needed in (distribution("facedown"), *_needed("facedown")):
        _copy(needed, packages)
    (into / "bin").mkdir(exist_ok=True)
    for name, module in COMMANDS.items():
        command = into / "bin" / name
        command.write_text(
            f"#!/bin/sh\nexport LD_LIBRARY_PATH={python.parents[1] / 'lib'}\nexec {python} -I -c "
            f"'import sys; sys.path.insert(0, \"{packages}\"); from {module}.__main__ import main; main()'"
            ' "$@"\n'
        )
        command.chmod(0o755)
    subprocess.run(["chmod", "-R", "a+rX", str(into)], check=True)


def _interpreter(into: Path) -> Path:
    # Of a virtual environment only the interpreter that it was made from counts.
    python = Path(sys.base_prefix, "bin", f"python{sys.version_info[0]}.{sys.version_info[1]}")
    python = python.resolve()
    library = Path(sysconfig.get_path("stdlib"))
    if _is_open(python) and _is_open(library):
        return python
    copied = into / "python"
    shutil.copytree(library, copied / "lib" / library.name, symlinks=True, ignore=NEEDLESS)
    for shared in Path(sys.base_prefix, "lib").glob("libpython*.so*"):
        shutil.copy2(shared, copied / "lib", follow_symlinks=True)
    (copied / "bin").mkdir()
    return Path(shutil.copy2(python, copied / "bin"))


def _is_open(path: Path) -> bool:
    """Whether any account can get at this."""
    return all(each.stat().st_mode & stat.S_IXOTH for each in (path, *path.parents))


def _needed(name: str, known: frozenset[str] = frozenset()) -> Iterator[Distribution]:
    for requirement in distribution(name).requires or ():
        if "extra ==" in requirement:
            continue
        needed = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
        try:
            found = distribution(needed)
        except ModuleNotFoundError:  # for another system
            continue
        if needed not in known:
            yield found
            yield from _needed(needed, known | {needed})


def _copy(needed: Distribution, packages: Path) -> None:
    for file in needed.files or ():
        source = Path(str(file.locate()))
        if ".." in file.parts or not source.is_file():
            continue
        target = packages / file
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists():
            shutil.copy2(source, target)


def main() -> None:
    """Install into the folder of the command line, as it is done for a test."""
    install(Path(os.fspath(sys.argv[1])))


if __name__ == "__main__":
    main()
