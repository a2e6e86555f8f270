"""What each command of `facedown` does: read the command line and start what it asks for."""

import argparse
import contextlib
import gc
import io
import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

from msgspec.structs import replace

from client.command_line.complaints import meant
from client.command_line.hosting import hosted, log_file
from client.command_line.options import INDENTED, argument_parser, settings_of
from client.command_line.unread import is_unread
from client.exit_codes import CRASHED, INTERRUPTED, UNREACHABLE, USAGE
from client.kept import crash
from client.kept.config import keep, own_name, state_folder
from client.kept.identity import Keyring
from client.line import child
from client.settings import BY_NAME, PREFIX, SETTINGS, BadSetting, Settings, noted
from client.start import opening
from client.start.first_run import FirstRun
from client.start.terminal_here import can_draw, has_terminal
from client.start.visit import Visit
from client.way_in.address import Address, BadAddress, read_address
from client.way_in.ssh import came_in_by, way_in
from protocol.codes import BadRulesCode, parse_rules
from protocol.rules import CLASSIC, PRESETS

WIDEST = 100
NO_SETTING = "is no setting, and changes nothing."
WHERE = ("HOST", "LAN")  # commands under which a server listens
WITHOUT_A_GAME = frozenset({"rules", "doctor"})


def run(arguments: list[str]) -> int:
    """Run a command line; the exit code."""
    if sys.stdout is None:  # closed by who started us: there is nobody to play with
        return _complain("standard output is closed: start it in a terminal", USAGE)
    _hear_anything()
    parser = argument_parser()
    parser.words = arguments
    parsed = parser.parse_args(arguments)
    try:
        return _done(parsed)
    except (BadSetting, BadRulesCode, BadAddress) as error:
        return _complain(str(error), USAGE)
    except child.NoServer as error:
        return _complain(str(error), UNREACHABLE)
    except KeyboardInterrupt:  # while a question of the first start was waiting for its answer
        sys.stdout.write("\n")
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 - whatever it is, a person is told in a sentence
        return _crashed(error, None)  # it is not known yet whether this is a guest


def _hear_anything() -> None:
    """What is typed in answer to a question and is no text is answered, too: it is no name, and no yes."""
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")


_NO_CRASH = (BadSetting, BadRulesCode, BadAddress, child.NoServer)


def _done(parsed: argparse.Namespace) -> int:
    _check_platform(parsed)
    settings = settings_of(parsed, os.environ)
    _check_kiosk(parsed, settings)
    _check_use(parsed)
    _say_what_is_unread(parsed, settings)
    try:
        return _COMMANDS[parsed.command](parsed, settings)
    except _NO_CRASH:
        raise
    except Exception as error:  # noqa: BLE001 - a person is told of it in a sentence
        return _crashed(error, None if settings.kiosk else state_folder())


def _crashed(error: Exception, folder: Path | None) -> int:
    if is_unread(error):
        raise error
    with contextlib.suppress(OSError):
        sys.stderr.write(crash.report(error, folder) + "\n")
    return CRASHED


def _check_platform(parsed: argparse.Namespace) -> None:
    """Native Windows has neither the signals nor the sockets that a game rests on."""
    if sys.platform == "win32" and parsed.command not in WITHOUT_A_GAME:
        message = "the game does not run on native Windows: use WSL, or play over SSH"
        raise BadSetting(message)


def _check_kiosk(parsed: argparse.Namespace, settings: Settings) -> None:
    if settings.kiosk and parsed.command in {None, "play", "host"}:
        message = "--kiosk goes with join: facedown join localhost --kiosk"
        raise BadSetting(message)
    if getattr(parsed, "password", None) and settings.kiosk:
        message = "--password is not for guests: each is asked for that of the lobby"
        raise BadSetting(message)
    if getattr(parsed, "key_file", None) and not settings.kiosk:
        message = "--key-file goes with --kiosk: elsewhere each client keeps its own secret"
        raise BadSetting(message)


def _check_use(parsed: argparse.Namespace) -> None:
    """What is said on the command line and would change nothing is not passed over.

    Raises:
        BadSetting: there is such an option.
    """
    said = vars(parsed)
    useless = [setting.name for setting in SETTINGS if setting.name in said]
    if parsed.command == "rules" and useless:
        message = f"--{useless[0]} changes nothing about the rules: leave it out"
        raise BadSetting(message)
    if parsed.command in {"play", "host", "doctor"} and said.get("spectate"):
        message = "--spectate goes with join: facedown join HOST/FOX-42 --spectate"
        raise BadSetting(message)


def _check_code(parsed: argparse.Namespace, address: Address) -> None:
    """A password, and watching, are for the lobby that is named."""
    for name in ("password", "spectate"):
        if getattr(parsed, name, None) and not address.code:
            message = f"--{name} goes with a lobby: facedown join {parsed.address}/FOX-42 --{name}"
            raise BadSetting(message)


def _say_what_is_unread(parsed: argparse.Namespace, settings: Settings) -> None:
    """Name what looks like a setting and is none; the doctor says it itself, and guests set nothing."""
    if parsed.command == "doctor" or settings.kiosk:
        return
    said = settings.origins
    for name in said.unread:
        _complain(f"{said.file}: {name} {NO_SETTING}{meant(name, tuple(BY_NAME))}", 0)
    for name in said.unheard:
        near = meant(name, tuple(BY_NAME), lambda one: PREFIX + one.upper())
        _complain(f"{PREFIX}{name} {NO_SETTING}{near}", 0)


def _complain(text: str, code: int) -> int:
    if sys.stderr is not None:
        with contextlib.suppress(OSError):  # if nobody takes it, the code has to do
            sys.stderr.write(f"facedown: {text}\n")
    return code


# --- games -------------------------------------------------------------------------------------


def _visit(settings: Settings, address: Address | None = None, *, new: bool = True) -> Visit:
    """What every game begins with; `new` players are offered the lessons at their first start."""
    return Visit(
        name=own_name(settings),
        address=address,
        folder=state_folder(),
        crashes=state_folder(),
        profile=settings.profile,
        spectate=settings.spectate,
        first=FirstRun(offers_lessons=new) if _is_first_start(settings) else None,
    )


def _is_first_start(settings: Settings) -> bool:
    """Whether nobody has said yet who plays here, and somebody is there to be asked."""
    return not (settings.name or settings.kiosk) and has_terminal()


def _start(_: argparse.Namespace, settings: Settings) -> int:
    return show(_visit(settings), settings)


def _join(parsed: argparse.Namespace, settings: Settings) -> int:
    address = read_address(parsed.address)
    if settings.kiosk:
        return show(_guest(parsed, settings, address), settings)
    _check_code(parsed, address)
    plan = opening.NO_PLAN
    if address.code:
        plan = opening.to_join(address.code, watch=settings.spectate, password=parsed.password)
    visit = replace(_visit(settings, address, new=False), plan=plan, ssh=_way_in(address))
    return show(visit, settings)


def _way_in(address: Address) -> str:
    """How a friend gets to a server on this box, if we came here by SSH ourselves."""
    way = way_in(os.environ, user="") if address.is_loopback else ""
    return f"{way}facedown join {address}/" if way else ""


def _guest(parsed: argparse.Namespace, settings: Settings, address: Address) -> Visit:
    from client.start.kiosk import receive  # noqa: PLC0415 - only what is used is imported

    name = getattr(parsed, "name", None)  # of the command line alone: a guest has no say in it
    return receive(
        address, settings, key_file=parsed.key_file, key_name=name, environment=os.environ
    )


def _play(parsed: argparse.Namespace, settings: Settings) -> int:
    parse_rules(parsed.rules)
    with child.practice_server(lambda: _load(settings)) as server:
        visit = _visit(settings, server.address)
        plan = opening.to_practise(parsed.rules)
        visit = replace(visit, plan=plan, passing=True, server=server)
        return show(_to_learn(visit) if parsed.tutorial else visit, settings)


def _to_learn(visit: Visit) -> Visit:
    """The same practice table, for the lessons."""
    from client.lessons.tutorial import RULES  # noqa: PLC0415 - only what is used is imported

    first = None if visit.first is None else replace(visit.first, offers_lessons=False)
    return replace(visit, plan=opening.to_learn(RULES), learn=True, first=first)


def _host(parsed: argparse.Namespace, settings: Settings) -> int:
    parse_rules(parsed.rules)
    log = log_file(state_folder())
    port = () if parsed.port is None else ("--port", str(parsed.port))  # else as the server is set
    # Who has said for a server of theirs where it listens, to one network perhaps, has said it for this.
    lan = (
        () if {f"{child.ITS_SETTINGS}{name}" for name in WHERE} & os.environ.keys() else ("--lan",)
    )
    arguments = (*lan, *port, "--log", str(log))
    start = partial(child.start, arguments, meanwhile=lambda: _load(settings))
    with hosted(start, log) as server:
        ours = server.child
        visit = _visit(settings, ours.address, new=False)
        Keyring(visit.folder, visit.profile).follow(ours.server, str(ours.address))
        plan = opening.to_host(parsed.rules)
        ssh, here = _way_in(ours.address), _ways_for_friends(ours)
        hosting = replace(visit, server=ours, left=server.leave, hosted_at=here)
        code = show(replace(hosting, plan=plan, ssh=ssh), settings)
        sys.stdout.write(server.part(code))
    return code


def _ways_for_friends(server: child.Child) -> tuple[str, ...]:
    """Where the others find a server on this machine: by the way we came here ourselves, if we did."""
    came_in, _ = came_in_by(os.environ)
    hosts = (came_in,) if came_in else server.friends
    return tuple(str(Address(host=host, port=server.address.port)) for host in hosts)


def show(visit: Visit, settings: Settings) -> int:
    """Play: on the full screen, or line by line; the exit code."""
    why = why_plain(settings)
    if why is None:
        from client.full_screen.app import run as run_screen  # noqa: PLC0415 - only what is used is imported

        _all_is_loaded()
        return run_screen(visit, settings)
    from client.plain.start import run as run_plain  # noqa: PLC0415 - the same

    _all_is_loaded()
    if visit.first is not None:
        visit, settings = _ask_line_by_line(visit, visit.first, settings)
    if visit.learn and visit.address is None:
        with child.practice_server() as server:
            there = replace(visit, address=server.address, passing=True, server=server)
            return run_plain(there, why, settings)
    return run_plain(visit, why, settings)


def _load(settings: Settings) -> None:
    """Load what `show` will run: a server takes longer to start, and has a processor of its own."""
    import_module("client.plain.start" if why_plain(settings) else "client.full_screen.app")


def _all_is_loaded() -> None:
    """From here on there may be garbage, but nothing that is here already is any."""
    gc.freeze()
    gc.enable()


def _ask_line_by_line(visit: Visit, first: FirstRun, settings: Settings) -> tuple[Visit, Settings]:
    """The visit and the settings with what somebody has answered at their first start."""
    from client.plain.first_lines import questions  # noqa: PLC0415 - the same

    answers = questions(first, visit.name, input, print)
    said = noted(replace(settings, name=answers.name), "name")
    if trouble := keep(said, "name"):
        sys.stdout.write(f"NOTE: {trouble}\n")
    named = replace(visit, name=answers.name, first=None)
    return (_to_learn(named) if answers.learn or visit.learn else named), said


def why_plain(settings: Settings) -> str | None:
    """Why the client goes line by line; None for the full screen."""
    if settings.plain:
        return "switched on by --plain"
    if not can_draw(os.environ.get("TERM", "")):
        return "the terminal cannot draw"
    return None if has_terminal() else "no terminal here"


# --- tools -------------------------------------------------------------------------------------


def _rules(parsed: argparse.Namespace, _: Settings) -> int:
    from client.rule_sheet.sheet import rule_sheet  # noqa: PLC0415 - the same

    rules = parse_rules(parsed.code) if parsed.code else CLASSIC
    width = min(WIDEST, shutil.get_terminal_size().columns)
    for line in rule_sheet(rules):
        indent = "    " if line.startswith(" ") else ""
        wrapped = textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False)
        sys.stdout.write("\n".join(wrapped or [""]) + "\n")
    sys.stdout.write("\nOther rules: facedown rules and a preset or rules code. Presets:\n")
    sys.stdout.write(textwrap.fill(", ".join(PRESETS), width, **INDENTED) + "\n")
    return 0


def _doctor(parsed: argparse.Namespace, settings: Settings) -> int:
    from client.command_line.doctor import doctor  # noqa: PLC0415 - the same

    address = read_address(parsed.address) if parsed.address else None
    return doctor(address, settings, None if settings.kiosk else state_folder())


_COMMANDS: dict[str | None, Callable[[argparse.Namespace, Settings], int]] = {
    None: _start,
    "play": _play,
    "join": _join,
    "host": _host,
    "rules": _rules,
    "doctor": _doctor,
}
