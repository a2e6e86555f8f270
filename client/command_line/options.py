"""The command line of `facedown`: its commands, their options, and help that teaches."""

import argparse
import sys
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Never

from client.command_line.complaints import Parser
from client.kept.config import config_file, load, with_flags
from client.kept.files import may_be_there
from client.settings import NO, SETTINGS, BadSetting, Kind, Setting, Settings
from client.version import version
from client.way_in.address import LAST_PORT
from protocol.rules import PRESETS

EPILOG = """\
examples:
  facedown                      the start screen: choose a server, or practise
  facedown play                 practise at once against three computer players
  facedown play --tutorial      learn the game in about three minutes
  facedown host                 a server for friends on this network, with you
  facedown join 192.168.1.20    join a friend's server
  facedown join pi/FOX-42       ... and go straight into a lobby
  facedown rules bluff          the rules of the preset "bluff"

the game in one breath:
  In turn, lay cards face down and say they are the rank asked for. Lie if you
  like. Anyone may doubt (b); the first doubt that reaches the server counts.
  A lie: the player takes the pile. The truth: the doubter does. First to be
  rid of all cards wins.

Each option is also a variable (FACEDOWN_NAME=ana) and, but for --config, a key
(name = "ana") of
{config}
"""


PLAY = """\
examples:
  facedown play                   against three computer players
  facedown play --tutorial        the game explained as it goes
  facedown play --rules bluff.w8  the preset "bluff", 8 seconds for a doubt
"""
JOIN = """\
examples:
  facedown join 192.168.1.20                   a server; its lobbies are shown
  facedown join pi:6000                        on another port than 5252
  facedown join pi/FOX-42                      straight into a lobby
  facedown join pi/FOX-42-KIWI --password tea  one with a password
  facedown join pi/FOX-42 --spectate           only to watch
  printf 'join FOX-42\\nsay hi\\n' | facedown join pi     from a pipe

Exit codes: 0, 2 usage, 3 cannot connect, 4 refused, 5 connection lost,
128 + signal.
"""
HOST = """\
examples:
  facedown host                    on port 5252; it shows what friends type
  facedown host --rules evening    a match of three deals won
  facedown host --port 6000        on another port
"""
RULES = """\
examples:
  facedown rules                   the main game
  facedown rules bluff             a preset
  facedown rules bluff.pass.w6     a rules code, as a lobby shows it

presets:
{presets}
"""
DOCTOR = """\
examples:
  facedown doctor                  this terminal and the settings
  facedown doctor pi               and whether a server there answers

Exit codes: 0, 3 the server cannot be reached, 4 it does not let you in.
"""


WATCHES, GUEST = "spectate", "kiosk"
INDENTED: Any = {
    "initial_indent": "  ",
    "subsequent_indent": "  ",
    "break_on_hyphens": False,
}


class _Version(argparse.Action):
    """Print the version and end; it is looked up only then."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> Never:
        """Print and end with 0."""
        sys.stdout.write(f"facedown {version()}\n")
        parser.exit()


@cache  # five parsers share them
def _common() -> Parser:
    """The options of every command but `rules`."""
    everywhere = (setting for setting in SETTINGS if setting.name not in {WATCHES, GUEST})
    common, group = _settings("options of every command but rules", everywhere)
    group.add_argument("--config", type=Path, help="another file with settings")
    return common


@cache
def _of_join() -> Parser:
    """The settings for a visit to somebody else's server."""
    return _settings("options of join", (each for each in SETTINGS if each.name == WATCHES))[0]


@cache
def _of_guests() -> Parser:
    """What tells that this is a guest of an SSH box."""
    guest = (each for each in SETTINGS if each.name == GUEST)
    return _settings("options of join and doctor", guest)[0]


def _settings(title: str, settings: Iterable[Setting]) -> "tuple[Parser, argparse._ArgumentGroup]":
    """Options for these settings. None of them has a default here: `Settings` has."""
    parser = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    group = parser.add_argument_group(title)
    for setting in settings:
        _add_setting(group, setting)
    return parser, group


def argument_parser() -> Parser:
    """The parser of `facedown`; every option may stand before or after the command."""
    parser = Parser(
        prog="facedown",
        usage="%(prog)s [OPTIONS] [COMMAND ...]",
        description="Play BS (Cheat, I Doubt It) in the terminal, with friends or the computer.",
        epilog=EPILOG.format(config=config_file()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[_common(), _of_join(), _of_guests()],
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and end")
    commands = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", prog="facedown"
    )
    _add_games(commands)
    _add_tools(commands)
    parser.commands = commands.choices
    return parser


def _add_games(commands: "argparse._SubParsersAction[Parser]") -> None:
    play = _command(commands, "play", "practise against computer players", PLAY)
    which = play.add_mutually_exclusive_group()
    _add_rules(which)
    which.add_argument(
        "--tutorial", action="store_true", help="learn the game, in about three minutes"
    )
    join = _command(
        commands,
        "join",
        "join a server",
        JOIN,
        "HOST[:PORT][/CODE]",
        parents=(_common, _of_join, _of_guests),
    )
    join.add_argument(
        "address", metavar="HOST[:PORT][/CODE]", help="where, and perhaps which lobby"
    )
    join.add_argument("--password", help="of the lobby")
    join.add_argument(
        "--key-file", type=Path, help="with --kiosk: the guests' key, from which secrets are made"
    )
    host = _command(commands, "host", "run a server for friends and play on it", HOST)
    _add_rules(host)
    host.add_argument(
        "--port", type=_port, help="port for it (default: as the server is set, else 5252)"
    )


def _port(text: str) -> int:
    """A port to listen on; 0 takes a free one."""
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= LAST_PORT):  # noqa: PLR2004
        message = f"a port is a number from 0 to {LAST_PORT}, not {text}"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def _add_rules(command: "argparse._ActionsContainer") -> None:
    command.add_argument(
        "--rules", default="classic", metavar="CODE", help="a preset or a rules code"
    )


def _add_tools(commands: "argparse._SubParsersAction[Parser]") -> None:
    rules = _command(
        commands,
        "rules",
        "print the rules, for any preset or rules code",
        RULES.format(presets=textwrap.fill(", ".join(PRESETS), 78, **INDENTED)),
        "[CODE]",
        parents=(),  # a sheet of text is the same with all settings
    )
    rules.add_argument("code", nargs="?", metavar="CODE", help="a preset or a rules code")
    about = "check this terminal, and the connection to a server"
    doctor = _command(
        commands, "doctor", about, DOCTOR, "[HOST[:PORT]]", parents=(_common, _of_guests)
    )
    doctor.add_argument("address", nargs="?", metavar="HOST[:PORT]", help="a server to check")


def _command(
    commands: "argparse._SubParsersAction[Parser]",
    name: str,
    about: str,
    examples: str,
    arguments: str = "",
    *,
    parents: Sequence[Callable[[], Parser]] = (_common,),
) -> Parser:
    return commands.add_parser(
        name,
        usage=f"%(prog)s {'[OPTIONS] ' * bool(parents)}{arguments}".rstrip(),
        help=about,
        description=f"{about[0].upper()}{about[1:]}.",
        epilog=examples,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        parents=[parent() for parent in parents],
    )


def _add_setting(group: "argparse._ArgumentGroup", setting: Setting) -> None:
    option = f"--{setting.name}"
    if setting.kind is Kind.SWITCH:
        group.add_argument(option, action=argparse.BooleanOptionalAction, help=setting.about)
    elif setting.kind is Kind.CHOICE:
        group.add_argument(option, choices=tuple(setting.values), help=setting.about)
    else:
        group.add_argument(option, metavar=setting.name.upper(), help=setting.about)


def settings_of(arguments: argparse.Namespace, environment: Mapping[str, str]) -> Settings:
    """The settings of this run: the file, then the environment, then the command line.

    Raises:
        BadSetting: a value makes no sense.
    """
    given = vars(arguments)
    kiosk = given.get("kiosk", environment.get("FACEDOWN_KIOSK", "").casefold() not in NO)
    named = given.get("config") or environment.get("FACEDOWN_CONFIG")
    path = None if kiosk else Path(named) if named else config_file()
    if named and path and not may_be_there(path):
        message = f"{path} does not exist: make it, or leave --config out for {config_file()}"
        raise BadSetting(message)
    names = {setting.name for setting in SETTINGS}
    flags = {name: value for name, value in given.items() if name in names}
    return with_flags(load(path, environment), flags)
