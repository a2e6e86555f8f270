"""Every setting of the server: its default, what it means, and where it may come from.

A setting is given as a flag, as an environment variable (`FACEDOWN_SERVER_…`), as a key of the TOML
file, or not at all; the first of these that names it wins.
"""

import argparse
import difflib
import os
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from pathlib import Path
from typing import Any, Never

import platformdirs

APP = "facedown"
DEFAULT_PORT = 5252
ENVIRONMENT_PREFIX = "FACEDOWN_SERVER_"
MOST_UNITS = 1_000_000  # of time: seconds, minutes, hours; messages cannot hold much more
MOST_THINGS = 1_000_000_000  # of whatever is counted
LIKELY = 0.7  # how similar a mistyped word is to the one meant

Value = Any  # of a setting, or a field of a dataclass that stands for it


def _setting(
    default: Value,
    help_text: str,
    group: str = "limits",
    *,
    least: float = 0,
    most: float | None = None,
    what: str = "",
) -> Value:
    if most is None:
        most = MOST_UNITS if isinstance(default, float) else MOST_THINGS
    return field(
        default=default,
        metadata={
            "help": help_text,
            "group": group,
            "least": least,
            "most": most,
            "what": what,  # a value is, in the help
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How one server runs. Times are in seconds unless the name says otherwise."""

    host: str = _setting("127.0.0.1", "address to listen on", "where", what="ADDRESS")
    port: int = _setting(DEFAULT_PORT, "port to listen on; 0 takes a free one", "where", most=65535)
    lan: bool = _setting(False, "listen on all addresses, for friends on this network", "where")  # noqa: FBT003 - the default
    title: str = _setting("Facedown", "name of this server, shown to players", "where", what="TEXT")
    data: str = _setting(
        platformdirs.user_data_dir("facedown-server", appauthor=False),
        "folder for what the server keeps",
        "where",
        what="FOLDER",
    )
    guest_key: str = _setting(
        "",
        "key file for guests who share an account over SSH (server/README.md)",
        "where",
        what="FILE",
    )
    in_memory: bool = _setting(
        False,  # noqa: FBT003 - the default
        "write nothing to disk: tables end with the server",
        "where",
    )
    check: str = _setting(
        "",
        "check everything in this data folder, list it, and stop",
        "where",
        what="FOLDER",
    )
    log: str = _setting(
        "",
        "write the log into this file, 2 MiB of it at most, and not to standard error",
        "where",
        what="FILE",
    )
    until_eof: bool = _setting(
        False,  # noqa: FBT003 - the default
        "stop when standard input ends, as when the program that started this is gone",
        "where",
    )

    hello_s: float = _setting(5.0, "time for a new connection to say hello", least=0.1)
    ping_s: float = _setting(5.0, "time between two pings", least=0.1)
    silence_s: float = _setting(
        15.0, "after this long without a word a connection counts as lost", least=1
    )
    send_queue: int = _setting(
        128 * 1024,
        "bytes that may wait for a client that does not read; then it is disconnected",
        least=1024,
    )
    commands_per_s: float = _setting(
        10.0, "commands of one person per second, in the long run", least=0.1
    )
    commands_burst: int = _setting(20, "commands of one person at once", least=1)
    chat_per_s: float = _setting(1.0, "lines of chat of one person per second, in the long run")
    chat_burst: int = _setting(5, "lines of chat of one person at once")
    hall_chat_per_s: float = _setting(
        10.0,
        "lines of chat in the hall per second, of all people together; twice that at once",
        least=0.1,
    )
    refusals_per_s: float = _setting(
        5.0,
        "refusals of one person per second, in the long run; then they are disconnected",
        least=0.1,
    )
    refusals_burst: int = _setting(200, "refusals of one person at once", least=1)
    reconnects_per_min: int = _setting(30, "times one person may come back, per minute", least=1)
    unauthenticated: int = _setting(64, "connections that have not said hello, in all", least=1)
    per_address: int = _setting(
        32, "people per address; loopback, where SSH comes from, has no limit"
    )
    new_people_per_min: int = _setting(10, "new people per minute and address off this machine")
    new_local_people_per_min: int = _setting(
        300, "new people per minute from this machine itself, where all SSH players come from"
    )
    new_far_people_per_min: int = _setting(
        300, "new people per minute from all other machines together"
    )
    connections: int = _setting(
        5_000, "people at once, including those who are away and whose seat is kept", least=1
    )
    people: int = _setting(50_000, "people the server remembers", least=1)
    passers_by: int = _setting(
        10_000, "of these, people who were never dealt cards; they are forgotten first", least=1
    )
    remember_days: float = _setting(30.0, "how long somebody who stays away is remembered")
    lobbies_per_person: int = _setting(2, "open lobbies made by one person")
    lobbies_per_address: int = _setting(
        4, "open lobbies made from one address; loopback has no limit"
    )
    lobbies: int = _setting(
        500, "open lobbies in all; one more takes the place of one that nobody is in any more"
    )
    wrong_secrets_per_min: int = _setting(
        10, "unknown secrets per minute and address; loopback has no limit", least=1
    )
    entries_per_min: int = _setting(
        30, "lobbies that one person may open or enter per minute, a third of it at once", least=3
    )
    own_passwords_per_min: int = _setting(
        10, "passwords of one person that are checked per minute", least=1
    )
    passwords_per_min: int = _setting(
        60, "passwords checked per minute and address off this machine", least=1
    )
    local_passwords_per_min: int = _setting(
        300,
        "passwords checked per minute from this machine itself, where all SSH players come from",
        least=1,
    )
    connects_per_s: int = _setting(
        20, "connections per second and address off this machine; ten times that at once", least=1
    )
    wrong_codes_per_min: int = _setting(5, "wrong codes or passwords of one person per minute")
    inbox: int = _setting(
        512,
        "commands waiting at one lobby, besides a few that each person may always have there",
        least=1,
    )
    replay: int = _setting(96, "events kept for somebody who comes back")
    watchers: int = _setting(50, "watchers of one lobby", most=200)

    settle_ms: float = _setting(0.0, "wait this long for even earlier challenges", "play")
    stand_in_s: float = _setting(20.0, "time away after which a computer player stands in", "play")
    vote_s: float = _setting(60.0, "time to vote", "play")
    pause_min: float = _setting(15.0, "longest pause", "play")
    return_s: float = _setting(30.0, "wait for people to come back after parking", "play")
    park_h: float = _setting(24.0, "how long a table without people is kept", "play")
    idle_min: float = _setting(30.0, "how long a lobby without people is kept", "play")

    @property
    def listens_on(self) -> str:
        """The address to listen on, all of them for `lan`."""
        return "0.0.0.0" if self.lan else self.host  # noqa: S104 - that is what --lan asks for


GROUPS = {
    "where": "where it runs",
    "play": "at the tables (most rules are set per lobby, by its host)",
    "limits": "limits",
}


class BadSettings(Exception):
    """A setting cannot be used; the message says which, why and what to do."""


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Gather the settings of one run.

    Raises:
        BadSettings: a value or key is wrong.
        SystemExit: `--help`, `--version` or a flag that does not exist (from argparse).
    """
    flags = vars(argument_parser().parse_args(arguments))
    path = flags.pop("config") or environment.get(f"{ENVIRONMENT_PREFIX}CONFIG")
    in_file, in_environment = _from_file(path), _from_environment(environment)
    flags = {name: value for name, value in flags.items() if value is not None}
    sources = {name: f"{path}: {name}" for name in in_file}
    sources |= {name: f"{ENVIRONMENT_PREFIX}{name.upper()}" for name in in_environment}
    sources |= {name: _flag(name) for name in flags}
    return _checked(in_file | in_environment | flags, sources)


def argument_parser() -> argparse.ArgumentParser:
    """The command line of `facedown-server`."""
    parser = _Parser(
        prog="facedown-server",
        usage="%(prog)s [OPTIONS]",
        description="Serve Facedown, the card game BS (Cheat, I Doubt It), to terminals.",
        epilog=(
            "Examples:\n"
            "  facedown-server                        for this machine and SSH logins to it\n"
            "  facedown-server --lan                  for everybody on this network\n"
            "  facedown-server --port 6000 --data /srv/facedown\n"
            "  facedown-server --check /srv/facedown  is everything kept there sound?\n"
            "Friends then type:  facedown join THIS-MACHINE\n\n"
            f"Each setting is also an environment variable ({ENVIRONMENT_PREFIX}PORT=6000) and\n"
            "a key of the TOML file given by --config (port = 6000).\n\n"
            "Exit codes: 0 after SIGTERM or Ctrl-C, 1 crash, 2 could not start (it says why).\n"
            "--check: 0 sound, 1 not."
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"facedown-server {version()}")
    parser.add_argument("--config", metavar="FILE", help="read settings from this TOML file")
    groups = {name: parser.add_argument_group(title) for name, title in GROUPS.items()}
    for setting in fields(Settings):
        _add_flag(groups[setting.metadata["group"]], setting)
    return parser


class _Parser(argparse.ArgumentParser):
    """One that complains in a sentence; argparse would put all the options before it."""

    def error(self, message: str) -> Never:
        text = f"{message}."
        if unknown := message.partition("unrecognized arguments: ")[2].split()[:1]:
            flags = [_flag(setting.name) for setting in fields(Settings)]
            text = f"there is no option {unknown[0]}.{_meant(unknown[0], flags)}"
        self.exit(2, f"{self.prog}: {text} {self.prog} --help lists all.\n")


def _meant(said: str, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(said.partition("=")[0], known, n=2, cutoff=LIKELY)
    return f" Did you mean {' or '.join(near)}?" if near else ""


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


@cache
def version() -> str:
    """The version of this distribution."""
    from importlib.metadata import version as installed_version  # noqa: PLC0415 - slow to import

    return installed_version(APP)


def _add_flag(group: Any, setting: Any) -> None:  # noqa: ANN401 - argparse's and dataclasses' own types are private
    flag, text, default = _flag(setting.name), setting.metadata["help"], setting.default
    if _kind(setting) is bool:
        group.add_argument(flag, action=argparse.BooleanOptionalAction, help=text)
        return
    shown = f"{text} (default: {default})" if default != "" else text
    what = setting.metadata["what"] or ("NUMBER" if _kind(setting) is float else "N")
    group.add_argument(flag, metavar=what, help=shown.replace("%", "%%"))


def _kind(setting: Any) -> type:  # noqa: ANN401
    return type(setting.default)


def _from_file(path: str | None) -> dict[str, Any]:
    if not path:
        return {}
    try:
        keys = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"cannot read the settings file {path}: {reason}. Fix it, or leave it out"
        raise BadSettings(message) from error
    for key in keys:
        if "-" in key and _name(key) in keys:
            message = f"{path}: {key} and {_name(key)} are one setting. Leave one of them out"
            raise BadSettings(message)
    return {_name(key): value for key, value in keys.items()}


def _name(key: str) -> str:
    """What a setting is called, from its key in the file, which may be written like the flag."""
    return key.replace("-", "_")


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = {f"{ENVIRONMENT_PREFIX}{s.name.upper()}": s.name for s in fields(Settings)}
    return {names[key]: value for key, value in environment.items() if key in names}


def _checked(given: Mapping[str, Any], sources: Mapping[str, str]) -> Settings:
    """The settings; a complaint names a value by its source, where it was given."""
    known = {setting.name: setting for setting in fields(Settings)}
    unknown = sorted(set(given) - set(known))
    if unknown:
        near = _meant(unknown[0], tuple(known))
        message = f"there is no setting {unknown[0]!r}: see facedown-server --help.{near}"
        raise BadSettings(message)
    values = {name: _converted(known[name], value, sources[name]) for name, value in given.items()}
    settings = Settings(**values)
    _check_ranges(settings, sources)
    return settings


def _converted(setting: Any, value: Any, source: str) -> Any:  # noqa: ANN401
    """A value of the setting's own type. Text may stand for any, as in the environment."""
    kind: Any = _kind(setting)
    fits = type(value) is kind or (kind is float and type(value) is int)
    try:
        if fits:
            return kind(value)
        if isinstance(value, str):
            return _WORDS[value.strip().lower()] if kind is bool else kind(value)
    except (KeyError, OverflowError, ValueError):
        pass
    message = f"{source} cannot be {value!r}: it is {_KINDS[kind]}"
    raise BadSettings(message)


_WORDS = {"1": True, "true": True, "yes": True, "0": False, "false": False, "no": False}
_KINDS = {bool: "yes or no", int: "a whole number", float: "a number", str: "text"}


def _check_ranges(settings: Settings, sources: Mapping[str, str]) -> None:
    for setting in fields(Settings):
        value = getattr(settings, setting.name)
        lowest, highest = setting.metadata["least"], setting.metadata["most"]
        if isinstance(value, int | float) and not lowest <= value <= highest:
            message = f"{sources[setting.name]} cannot be {value}: it is {lowest} to {highest}"
            raise BadSettings(message)
    if not settings.host:
        message = f"{sources['host']} cannot be empty: use --lan to listen on all addresses"
        raise BadSettings(message)


def data_folder(settings: Settings) -> Path:
    """The data folder, made if it is missing.

    Raises:
        BadSettings: it cannot be made or written.
    """
    try:
        folder = Path(settings.data).expanduser()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError) as error:  # the second where there is no such home
        reason = error.strerror if isinstance(error, OSError) else error
        message = f"cannot make the data folder {settings.data}: {reason}. Give another with --data"
        raise BadSettings(message) from error
    if not os.access(folder, os.W_OK):
        message = f"the data folder {folder} cannot be written. Give another with --data"
        raise BadSettings(message)
    return folder
