"""Make the project's environment, .venv, once. Run by scripts/environment, which finds a fitting Python."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "facedown-stamp.json"
LOG = VENV / "facedown-setup.log"
CONSTRAINTS = Path("scripts", "constraints.txt")  # relative: pip splits paths at spaces
TARGETS = {"play": ".", "dev": ".[dev]"}
COMPILED = ("client", "protocol", "server")
NO_ROOM = re.compile(r"No space left on device|Errno 28\b|[Qq]uota exceeded")
SLOW_S = 10.0  # after which a step that fetches says what it waits for
TRIES_AGAIN = {"PIP_RETRIES": "2", "UV_HTTP_RETRIES": "2"}  # 5 and 3 of 15 to 30 s without a word
ROOM_MB = 100  # what an environment for players takes while it is made
UNREACHABLE = re.compile(
    r"Connection\w*Error|Retrying \(Retry|name resolution|timed out|unreachable|ProxyError|SSLError"
    r"|dns error|error sending request|Failed to fetch"
)


class Stamp(NamedTuple):
    """What a finished .venv holds. It is written last, so a half-made .venv has none."""

    kind: str  # "play" or "dev"
    home: str  # the project folder and the Python: change either, and .venv no longer runs
    asked: str  # a hash of what was to be installed

    def serves(self, wanted: "Stamp") -> bool:
        """Say whether nothing needs doing to have what is wanted."""
        return self.kind in {wanted.kind, "dev"} and self[1:] == wanted[1:]


class SetUpError(Exception):
    """The set-up cannot go on; the text says why and what to do next."""


def main() -> int:
    """Have .venv ready, or with --ready only tell whether it is."""
    kind = sys.argv[-1]
    if kind not in TARGETS:
        say(f"Usage: scripts/environment [{' | '.join(TARGETS)}]")
        return 2
    if "--ready" in sys.argv:
        return 0 if is_ready(wanted_stamp(kind, sys.implementation.cache_tag)) else 1
    try:
        with only_one_at_a_time():
            set_up(kind)
    except SetUpError as error:
        say(str(error))
        return 1
    except OSError as error:
        say(explain_refusal(error))
        return 1
    except KeyboardInterrupt:
        say("Stopped half-way. Run the same command again to set up from the start.")
        return 130
    return 0


def set_up(kind: str) -> None:
    """Bring .venv to what is wanted: nothing to do, packages to change, or all of it to make."""
    wanted = wanted_stamp(kind, tag_of(PYTHON))
    if is_ready(wanted):  # another set-up did it while this one waited
        return
    began = time.monotonic()
    found = read_stamp()
    if found and found.home == wanted.home and installers():
        say("Bringing .venv up to date, a few seconds.")
        update(found, wanted)
    else:
        say("Setting up Facedown in .venv, about 20 seconds, only this once.")
        make_anew(kind)
    say(f"Ready after {time.monotonic() - began:.0f} s.")


def installers() -> list[bool]:
    """Return what can change .venv, uv (True) first; uv leaves no pip in the environments it makes."""
    at_hand = {True: shutil.which("uv") is not None, False: (VENV / "bin" / "pip").exists()}
    return [with_uv for with_uv, is_at_hand in at_hand.items() if is_at_hand]


def update(found: Stamp, wanted: Stamp) -> None:
    """Change the packages of a finished .venv. If the installer gives up, the old stamp holds."""
    kind = "dev" if found.kind == "dev" else wanted.kind
    STAMP.unlink()
    try:
        with_the_first_that_can(installers(), lambda with_uv: install(kind, with_uv=with_uv))
    except SetUpError:
        write_stamp(found)  # the installer changes nothing before it has everything
        raise
    write_stamp(wanted._replace(kind=kind))


def make_anew(kind: str) -> None:
    """Make .venv from nothing, with uv where it is at hand and willing, else with venv and pip."""

    def make(with_uv: bool) -> None:  # noqa: FBT001 - as the makers are tried
        make_environment(with_uv=with_uv)
        install(kind, with_uv=with_uv)

    with_the_first_that_can([True, False] if shutil.which("uv") else [False], make)
    write_stamp(wanted_stamp(kind, tag_of(PYTHON)))


def with_the_first_that_can(makers: Sequence[bool], work: Callable[[bool], None]) -> None:
    """Do the work with uv (True) or pip (False), with the next one where the first gives up."""
    *earlier, last = makers
    for with_uv in earlier:
        try:
            work(with_uv)
        except SetUpError:
            say("  uv could not do it; trying again with pip")
        else:
            return
    work(last)


def make_environment(*, with_uv: bool) -> None:
    """Make an empty environment where .venv was."""
    say("  making a Python environment")
    if VENV.is_symlink():
        VENV.unlink()
    shutil.rmtree(VENV, ignore_errors=True)
    VENV.mkdir(exist_ok=True)
    tool = ["uv", "venv", "--quiet", "--allow-existing", "--python"] if with_uv else []
    run([*tool, sys.executable, *([] if with_uv else ["-m", "venv"]), str(VENV)])


def install(kind: str, *, with_uv: bool) -> None:
    """Install the project itself, editable, and the pinned packages it asks for."""
    say("  fetching and installing the packages")
    if with_uv:
        pins = ["--constraint", str(CONSTRAINTS), "--build-constraint", str(CONSTRAINTS)]
        tool = ["uv", "pip", "install", "--quiet", "--python", str(PYTHON), *pins]
    else:
        tool = [str(PYTHON), "-I", "-m", "pip", "install", "--quiet"]
    with saying_what_is_slow():
        run([*tool, "--editable", TARGETS[kind]])
    # An installer compiles packages, but not a project that stays where it is: without this the
    # first start takes twice as long, and each one does where Python may not write beside sources.
    run([str(PYTHON), "-I", "-m", "compileall", "-q", *COMPILED])


@contextmanager
def saying_what_is_slow() -> Iterator[None]:
    """Say what is waited for, and how to stop, where fetching takes long: pip says nothing itself."""
    slow = "  still fetching: slow network, or a silent package index? (Ctrl-C stops)"
    after_a_while = threading.Timer(SLOW_S, say, (slow,))
    after_a_while.daemon = True
    after_a_while.start()
    try:
        yield
    finally:
        after_a_while.cancel()


def run(command: list[str]) -> None:
    """Run one step without questions, its output in the log; explain a failure."""
    with LOG.open("w") as log:
        status = subprocess.run(
            command,
            cwd=ROOT,
            env=calm_environment(),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            close_fds=False,  # the step holds the lock too: should this script be killed, it works on
            check=False,
        )
    if status.returncode:
        raise SetUpError(explain(LOG.read_text(errors="replace")))


def calm_environment() -> dict[str, str]:
    """Return the environment for pip: our pins, also while building, few retries, no questions."""
    strangers = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PYTHONHOME", "PYTHONPATH", "VIRTUAL_ENV"}
    kept = {name: value for name, value in os.environ.items() if name not in strangers}
    pins = dict.fromkeys(("PIP_CONSTRAINT", "PIP_BUILD_CONSTRAINT"), str(CONSTRAINTS))
    return (
        TRIES_AGAIN
        | kept
        | pins
        | {"PIP_NO_INPUT": "1", "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    )


def explain(log: str) -> str:
    """Turn the log of a failed step into what happened and what to do next."""
    if NO_ROOM.search(log) or (not log.strip() and is_full()):  # no room for the log either
        return no_room()
    if UNREACHABLE.search(log):
        return (
            "The package index could not be reached, so the packages could not be fetched.\n"
            "Next step: check the network connection; then run this command again."
        )
    tail = "\n".join(f"  | {line}" for line in log.splitlines()[-12:])
    return (
        f"Setting up .venv failed. The last lines were:\n{tail}\n"
        f"Next step: read all of {LOG.relative_to(ROOT)}, fix the cause, and run this command again."
    )


def explain_refusal(error: OSError) -> str:
    """Say what the system did not allow, and what to do next."""
    if NO_ROOM.search(str(error)):
        return no_room()
    return (
        f"Setting up .venv failed: {error.strerror or error}: {error.filename or ROOT}.\n"
        "Next step: fix that, or use a clone in a folder of your own; then run this command again."
    )


def is_full() -> bool:
    """Say whether the project's disk has no room left, but for crumbs."""
    return shutil.disk_usage(ROOT).free < 2**20


def no_room() -> str:
    """Say that the disk is full."""
    return (
        f"The disk of {ROOT} is full, so .venv could not be made: it takes some {ROOM_MB} MB.\n"
        "Next step: make room there; then run this command again."
    )


@contextmanager
def only_one_at_a_time() -> Iterator[None]:
    """Hold the set-up for this process and its steps; the system lets go when all have ended."""
    with (ROOT / "pyproject.toml").open() as lock:
        os.set_inheritable(lock.fileno(), True)  # noqa: FBT003 - it takes no keyword
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("Another set-up is at work here; waiting for it.")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def wanted_stamp(kind: str, python: str) -> Stamp:
    """Return the stamp that a .venv has when it is just as this folder asks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    installed = [project["build-system"], project["project"], project["tool"]["hatch"]]
    asked = json.dumps(installed, sort_keys=True) + (ROOT / CONSTRAINTS).read_text(encoding="utf-8")
    return Stamp(kind, f"{python} in {ROOT}", hashlib.sha256(asked.encode()).hexdigest())


def is_ready(wanted: Stamp) -> bool:
    """Say whether .venv is finished and as wanted."""
    found = read_stamp()
    return found is not None and found.serves(wanted)


def read_stamp() -> Stamp | None:
    """Return the stamp of a finished .venv, or None."""
    try:
        return Stamp(*json.loads(STAMP.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def write_stamp(stamp: Stamp) -> None:
    """Call .venv finished, in one step."""
    draft = STAMP.with_suffix(".new")
    draft.write_text(json.dumps(stamp), encoding="utf-8")
    draft.replace(STAMP)


def tag_of(python: Path) -> str:
    """Return which Python this is, as in cpython-311, or nothing if it does not run."""
    question = "import sys; print(sys.implementation.cache_tag)"
    try:
        answer = subprocess.run([python, "-I", "-c", question], capture_output=True, check=False)
    except OSError:
        return ""
    return answer.stdout.decode().strip()


def say(sentence: str) -> None:
    """Tell the person at the terminal, beside whatever the program itself prints."""
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
