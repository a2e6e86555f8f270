"""Where settings are given, and what is wrong with those that are.

A setting is given as a flag, as an environment variable (`FACEDOWN_SERVER_…`), as a key of the TOML
file, or not at all; the first of these that names it wins.
"""

import argparse
import difflib
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from enum import IntEnum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Never

from server.config import GROUPS, BadSettings, Settings, reason_of, version

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

ENVIRONMENT_PREFIX = "FACEDOWN_SERVER_"
LIKELY = 0.7  # how similar a mistyped word is to the one meant
PINGS_IN_SILENCE = 2  # at least: the second may still be on its way, and the first was answered


class Source(IntEnum):
    """Where a setting was given; of two the greater wins."""

    FILE = auto()
    ENVIRONMENT = auto()
    FLAGS = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """A value as it was given, and what a complaint calls the place."""

    value: Any
    said: str
    source: Source


def read_settings(arguments: Sequence[str], environment: Mapping[str, str]) -> Settings:
    """Gather the settings of one run.

    Raises:
        BadSettings: a value or key is wrong.
        SystemExit: `--help`, `--version` or a flag that does not exist (from argparse).
    """
    flags = vars(argument_parser().parse_args(arguments))
    flags = {name: value for name, value in flags.items() if value is not None}
    path = _settings_file(flags.pop("config", None), environment)
    in_flags = {
        name: Given(value=value, said=_flag(name), source=Source.FLAGS)
        for name, value in flags.items()
    }
    return _checked(_from_file(path) | _from_environment(environment) | in_flags)


def unheard(environment: Mapping[str, str]) -> Iterator[str]:
    """A sentence for each variable that looks like a setting and is none.

    In the settings file, which is written for the server alone, such a key is an error. An environment
    is everybody's: one server's variables may come to another one, and some systems make up their own.
    """
    known = [name.upper() for name in (*_in_words(), "config")]
    for variable in sorted(environment):
        name = variable.removeprefix(ENVIRONMENT_PREFIX)
        if name not in known and name != variable:
            near = _meant(name, known, ENVIRONMENT_PREFIX)
            yield f"{variable} in the environment is no setting, and changes nothing.{near}"


# --- the command line ---------------------------------------------------------------------------


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
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    parser.add_argument("--config", metavar="FILE", help="read settings from this TOML file")
    groups = {name: parser.add_argument_group(title) for name, title in GROUPS.items()}
    for setting in fields(Settings):
        _add_flag(groups[setting.metadata["group"]], setting)
    return parser


class _Parser(argparse.ArgumentParser):
    """One that complains in a sentence; argparse would put all the options before it."""

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print the help; argparse would not mind if it could not be printed."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> Never:
        text = f"{message}."
        if unknown := message.partition("unrecognized arguments: ")[2].split()[:1]:
            flags = [_flag(setting.name) for setting in fields(Settings)]
            text = f"there is no option {unknown[0]}.{_meant(unknown[0], flags)}"
        self.exit(2, f"{self.prog}: {text} {self.prog} --help lists all.\n")


class _Version(argparse.Action):
    """Print the version and end; argparse would not mind if it could not be printed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> Never:
        sys.stdout.write(f"facedown-server {version()}\n")
        parser.exit()


def _meant(said: str, known: Sequence[str], prefix: str = "") -> str:
    near = difflib.get_close_matches(said.partition("=")[0], known, n=2, cutoff=LIKELY)
    return f" Did you mean {' or '.join(prefix + one for one in near)}?" if near else ""


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


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


# --- the environment and the file ---------------------------------------------------------------


def _in_words() -> dict[str, Any]:
    """The settings that are not only flags."""
    return {one.name: one for one in fields(Settings) if not one.metadata["only_flag"]}


def _variable(name: str) -> str:
    return f"{ENVIRONMENT_PREFIX}{name.upper()}"


def _from_environment(environment: Mapping[str, str]) -> dict[str, Given]:
    return {
        name: Given(value=environment[said], said=said, source=Source.ENVIRONMENT)
        for name in _in_words()
        if (said := _variable(name)) in environment
    }


def _settings_file(flag: str | None, environment: Mapping[str, str]) -> str | None:
    said, path = "--config", flag
    if path is None:
        said = _variable("config")
        path = environment.get(said)
    if path is not None and not path.strip():
        message = f"{said} cannot be empty. Leave it out, or say which file"
        raise BadSettings(message)
    return path


def _from_file(path: str | None) -> dict[str, Given]:
    if path is None:
        return {}
    try:
        keys = tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        message = (
            f"cannot read the settings file {path}: {reason_of(error)}. Fix it, or leave it out"
        )
        raise BadSettings(message) from error
    for key, value in keys.items():
        if wrong := _wrong_with(key, value, keys):
            message = f"{path}: {wrong}"
            raise BadSettings(message)
    return {
        _name(key): Given(value=value, said=f"{path}: {_name(key)}", source=Source.FILE)
        for key, value in keys.items()
    }


def _wrong_with(key: str, value: object, keys: Mapping[str, object]) -> str:
    """What is wrong with a key of the file; empty if it is a setting's."""
    name, known = _name(key), _in_words()
    if "-" in key and name in keys:
        return f"{key} and {name} are one setting. Leave one of them out"
    if name in known:
        return ""
    if name in {setting.name for setting in fields(Settings)}:
        return f"{key} is no setting, but for the command line alone: {_flag(name)}"
    if isinstance(value, dict):
        return f"settings stand at the top of the file, and not in a table [{key}]"
    near = _meant(name, tuple(known))
    return f"there is no setting {key!r}: see facedown-server --help.{near}"


def _name(key: str) -> str:
    """What a setting is called, from its key in the file, which may be written like the flag."""
    return key.replace("-", "_")


# --- what makes no sense ------------------------------------------------------------------------


def _checked(given: Mapping[str, Given]) -> Settings:
    """The settings; a complaint names a value by the place where it was given."""
    values = {
        setting.name: _converted(setting, given[setting.name])
        for setting in fields(Settings)
        if setting.name in given
    }
    settings = Settings(**_without_overruled(values, given))
    for setting in fields(Settings):
        _check_range(setting, getattr(settings, setting.name), given)
    _check_silence(settings, given)
    return settings


def _converted(setting: Any, given: Given) -> Any:  # noqa: ANN401
    """A value of the setting's own type. Text may stand for any, as in the environment."""
    kind: Any = _kind(setting)
    value = given.value
    fits = type(value) is kind or (kind is float and type(value) is int)
    try:
        if fits:
            return "" if kind is str and not value.strip() else kind(value)
        if isinstance(value, str):
            return _WORDS[value.strip().lower()] if kind is bool else kind(value)
    except (KeyError, OverflowError, ValueError):
        pass
    message = f"{given.said} cannot be {value!r}: it is {_KINDS[kind]}"
    raise BadSettings(message)


_WORDS = dict.fromkeys(("1", "true", "yes", "on"), True) | dict.fromkeys(
    ("0", "false", "no", "off"), False
)
_KINDS = {bool: "yes or no", int: "a whole number", float: "a number", str: "text"}


def _without_overruled(values: Mapping[str, Any], given: Mapping[str, Given]) -> Mapping[str, Any]:
    """The values without each switch that would overrule what was said in a place that goes before its own.

    In one place `lan` and `host` contradict each other. `in_memory` there is a word about `data`.
    """
    overruled = set()
    for switch, other in (("lan", "host"), ("in_memory", "data")):
        if not values.get(switch) or other not in given:
            continue
        if given[other].source > given[switch].source:
            overruled.add(switch)
        elif switch == "lan" and given[other].source == given[switch].source:
            message = f"{given[switch].said} is for all addresses, and {given[other].said} for one"
            raise BadSettings(f"{message}. Leave one of them out")
    return {name: value for name, value in values.items() if name not in overruled}


def _check_range(setting: Any, value: object, given: Mapping[str, Given]) -> None:  # noqa: ANN401
    lowest, highest = setting.metadata["least"], setting.metadata["most"]
    if isinstance(value, int | float) and not lowest <= value <= highest:
        message = f"{given[setting.name].said} cannot be {value}: it is {lowest} to {highest}"
        raise BadSettings(message)
    if isinstance(value, str) and not value.strip() and setting.name in given:
        if setting.default == "" and not setting.metadata["only_flag"]:
            return  # none, as where it is not given
        hint = "use --lan to listen on all addresses"
        if setting.name != "host":
            hint = f"leave it out, or say which {setting.metadata['what'].lower()}"
        message = f"{given[setting.name].said} cannot be empty: {hint}"
        raise BadSettings(message)


def _check_silence(settings: Settings, given: Mapping[str, Given]) -> None:
    """Whoever has nothing to say but the answers to pings must not be taken for lost."""
    if settings.silence_s >= PINGS_IN_SILENCE * settings.ping_s:
        return
    name = max({"ping_s", "silence_s"} & given.keys(), key=lambda one: given[one].source)
    message = (
        f"{given[name].said} cannot be {getattr(settings, name)}: silence_s ({settings.silence_s}) "
        f"is at least twice ping_s ({settings.ping_s}), or whoever answers each ping counts as lost"
    )
    raise BadSettings(message)
