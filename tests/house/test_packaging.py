"""The project can be installed beside others, and set up on any machine in the same way."""

import os
import re
import subprocess
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, packages_distributions, requires, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SCRIPTS = sorted(
    path.name for path in (ROOT / "scripts").iterdir() if path.is_file() and not path.suffix
)
CONSTRAINTS = ROOT / "scripts" / "constraints.txt"
PIN = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>[a-z0-9.+]+)")

# Written in pieces, so that this file does not mention what it forbids.
WORKPLACE = re.compile(
    "|".join(["/" + "work/", r"pypi\." + "org", "python" + "hosted", "index" + "-url"])
)


@pytest.mark.parametrize("package", ["client", "protocol", "server"])
def test_no_other_distribution_brings_a_package_of_our_name(package: str) -> None:
    owners = set(packages_distributions().get(package, []))

    assert owners <= {"facedown"}


def test_the_installed_version_is_the_one_in_pyproject() -> None:
    assert version("facedown") == PROJECT["project"]["version"]


@pytest.mark.parametrize("package", ["client", "protocol", "server"])
def test_a_package_says_that_it_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_every_command_has_its_module() -> None:
    commands = {entry.name: entry.value for entry in distribution("facedown").entry_points}

    assert commands == PROJECT["project"]["scripts"]


def test_hosts_of_a_box_were_told_to_install_where_ssh_does_not_find_the_client() -> None:
    hosting = (ROOT / "server" / "README.md").read_text(encoding="utf-8")
    (linked,) = re.findall(r"^ln -s (.+) /usr/local/bin/$", hosting, re.MULTILINE)

    assert {Path(one).name for one in linked.split()} == set(PROJECT["project"]["scripts"])
    assert "## For all accounts of a box" in hosting
    assert "(server/README.md#for-all-accounts-of-a-box)" in (ROOT / "README.md").read_text(
        encoding="utf-8"
    )


def test_who_had_only_played_was_told_to_type_a_command_that_is_not_there_before_the_install() -> (
    None
):
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    before = page.partition("## Play in a minute")[2].partition("## With friends")[0]

    assert re.findall(r"`([^` ]*)facedown\b", before) == [".venv/bin/"]


@pytest.mark.parametrize(
    "script",
    [".ci/run", *(f"scripts/{name}" for name in SCRIPTS)],
)
def test_a_script_can_be_run_as_it_is(script: str) -> None:
    path = ROOT / script

    assert path.read_text(encoding="utf-8").startswith("#!/")
    assert os.access(path, os.X_OK)


@pytest.mark.parametrize("script", ["check", "snapshots", "wire_tables"])
def test_a_script_that_was_asked_for_help_once_did_its_work_instead(script: str) -> None:
    asked = run_script(script, "--help")
    mistyped = run_script(script, "--hlep")

    assert (asked.returncode, mistyped.returncode) == (0, 2)
    assert asked.stdout.count("\n") == 1
    assert "--help" in mistyped.stderr


def run_script(name: str, argument: str) -> "subprocess.CompletedProcess[str]":
    path = ROOT / "scripts" / name
    return subprocess.run([path, argument], capture_output=True, text=True, check=False)


def test_the_constraints_are_pins_and_nothing_else() -> None:
    lines = [line for line in constraint_lines() if not PIN.fullmatch(line)]

    assert lines == []


def test_every_package_we_install_is_pinned() -> None:
    pins = {canonicalize_name(line.split("==")[0]) for line in constraint_lines()}

    assert installed_needs("facedown", {"dev"}) - pins == set()


def test_every_package_that_builds_us_is_pinned() -> None:
    pins = {canonicalize_name(line.split("==")[0]) for line in constraint_lines()}
    builders = {
        canonicalize_name(Requirement(need).name) for need in PROJECT["build-system"]["requires"]
    }

    assert builders - pins == set()


def test_no_file_mentions_the_workplace_it_was_written_in() -> None:
    guilty = [str(path.relative_to(ROOT)) for path in files_of_ours() if mentions_workplace(path)]

    assert guilty == []


def constraint_lines() -> list[str]:
    """Return the constraints without comments and empty lines."""
    lines = CONSTRAINTS.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def installed_needs(name: str, extras: set[str]) -> set[str]:
    """Return every distribution that one needs here, and those that they need in turn."""
    found: set[str] = set()
    waiting = [(name, frozenset(extras))]
    seen = set(waiting)
    while waiting:
        for need in direct_needs(*waiting.pop()):
            found.add(canonicalize_name(need.name))
            step = (need.name, frozenset(need.extras))
            if step not in seen:
                seen.add(step)
                waiting.append(step)
    return found


def direct_needs(name: str, extras: frozenset[str]) -> Iterator[Requirement]:
    """Yield what one distribution asks for on this machine, with these extras."""
    for text in requires(name) or []:
        need = Requirement(text)
        wanted = [need.marker is None or need.marker.evaluate({"extra": e}) for e in ("", *extras)]
        if any(wanted):
            yield need


def files_of_ours() -> list[Path]:
    """Return the files that belong to the project, also those not yet committed."""
    if not (ROOT / ".git").exists():
        pytest.skip("this folder is no git checkout, so there is no telling which files are ours")
    git = ["git", "-C", str(ROOT), "-c", f"safe.directory={ROOT}"]
    listing = [*git, "ls-files", "-z", "-co", "--exclude-standard"]
    names = subprocess.run(listing, capture_output=True, text=True, check=True).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def mentions_workplace(path: Path) -> bool:
    """Say whether a file names a machine's own paths or a package index."""
    return bool(WORKPLACE.search(path.read_text(encoding="utf-8", errors="replace")))
