"""The command line: what each command starts, and its exit codes."""

import asyncio
import errno
import io
import os
import re
import socket
import sys
from pathlib import Path

import pytest

from client.command_line import commands as program
from client.command_line.doctor import _summary, server_lines
from client.command_line.options import argument_parser
from client.kept.config import config_file
from client.line import child
from client.line.network import Ending
from client.settings import Settings
from client.start.opening import to_join
from client.start.visit import Visit
from client.way_in.address import Address
from protocol.answers import Goodbye
from protocol.refusals import Refusal
from tests.support.fake_server import FakeServer
from tests.support.homes import move_in


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home of its own, so that nobody's settings are read or written."""
    move_in(monkeypatch, tmp_path, FACEDOWN_NAME="maya")


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Visit, Settings]]:
    """What would be played, instead of playing it."""
    visits: list[tuple[Visit, Settings]] = []

    def show(visit: Visit, settings: Settings) -> int:
        visits.append((visit, settings))
        return 0

    monkeypatch.setattr(program, "show", show)
    return visits


def test_no_command_opens_the_start_screen(shown: list[tuple[Visit, Settings]]) -> None:
    assert program.run([]) == 0
    assert (shown[0][0].address, shown[0][0].name) == (None, "maya")


def test_a_misspelt_setting_changed_nothing_without_a_word(
    shown: list[tuple[Visit, Settings]],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theem = "dark"\n')
    monkeypatch.setenv("FACEDOWN_COLOUR", "never")
    monkeypatch.setenv("FACEDOWN_SERVER_LAN", "yes")

    assert program.run(["--config", str(path)]) == 0

    assert capsys.readouterr().err.splitlines() == [
        f"facedown: {path}: theem is no setting, and changes nothing. Did you mean theme?",
        (
            "facedown: FACEDOWN_COLOUR is no setting, and changes nothing. "
            "Did you mean FACEDOWN_COLOR?"
        ),
    ]
    assert len(shown) == 1


def test_join_goes_to_the_address_and_into_the_lobby(
    shown: list[tuple[Visit, Settings]],
) -> None:
    assert program.run(["join", "pi:6000/fox-42", "--spectate", "--password", "s"]) == 0

    visit = shown[0][0]
    assert visit.address == Address(host="pi", port=6000, code="FOX-42")
    assert visit.plan == to_join("FOX-42", watch=True, password="s")  # noqa: S106


@pytest.mark.parametrize(
    "arguments",
    [
        ["join", "a b"],
        ["play", "--rules", "nonsense"],
        ["rules", "nonsense"],
        ["--name", "a/b"],
    ],
    ids=["address", "rules", "code", "name"],
)
def test_a_mistake_is_explained_and_ends_with_2(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert program.run(arguments) == 2
    assert capsys.readouterr().err.startswith("facedown: ")


@pytest.mark.parametrize("fault", [ValueError("too many"), RuntimeError("odd")], ids=str)
def test_a_bug_outside_the_game_was_a_mistake_on_the_command_line(
    fault: Exception, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object) -> int:
        raise fault

    monkeypatch.setitem(program._COMMANDS, "doctor", broken)

    assert program.run(["doctor"]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"facedown stopped because of a bug ({type(fault).__name__}).")
    assert "broken" in Path(said.partition("Details: ")[2].strip()).read_text()


def test_an_unknown_option_ends_with_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        program.run(["--fly"])

    assert ended.value.code == 2
    assert capsys.readouterr().err == (
        "facedown: there is no option --fly. facedown --help has examples.\n"
    )


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("plya", "facedown: there is no command plya. Did you mean play?"),
        ("settings", "facedown: there is no command settings. There are: play, join"),
        ("--theem dark", "facedown: there is no option --theem. Did you mean --theme?"),
        ("--theme drak", "facedown: --theme cannot be drak. Did you mean dark?"),
        ("--color 8", "facedown: --color cannot be 8. There are: auto, never, 16"),
        ("join pi --pasword x", "facedown: there is no option --pasword. Did you mean --password?"),
        ("join", "facedown join: HOST[:PORT][/CODE] is missing."),
        ("join pi now", "facedown: now is one word too many."),
        ("play now", "facedown: now is one word too many."),
        ("play bluff", "facedown: rules stand behind --rules: facedown play --rules bluff."),
        ("host pass.w6", "facedown: rules stand behind --rules: facedown host --rules pass.w6."),
        ("host --port 99999", "facedown host: --port: a port is a number from 0 to 65535"),
        ("rules --bell", "facedown: --bell goes with play or join or host or doctor."),
        ("--tutorial", "facedown: --tutorial goes with play."),
        ("doctor --spectate", "facedown: --spectate goes with join."),
        ("play --password x", "facedown: --password goes with join."),
        ("join pi --tut", "facedown: --tut goes with play."),
        ("--port 3 host", "facedown: --port stands behind host."),
        ("--port=3 host", "facedown: --port stands behind host."),
        ("--rules bluff", "facedown: --rules goes with play or host."),
        ("--p", "facedown: ambiguous option: --p could match"),
    ],
)
def test_one_wrong_word_was_answered_with_all_the_options_there_are(
    line: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.run(line.split())

    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(complaint)
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("join pi --password x", "--password goes with a lobby: facedown join pi/FOX-42"),
        ("join pi --spectate", "--spectate goes with a lobby: facedown join pi/FOX-42"),
        ("join pi/FOX-42 --kiosk --password x", "--password is not for guests"),
        ("--spectate play", "--spectate goes with join"),
        ("--spectate host", "--spectate goes with join"),
        ("--bell rules bluff", "--bell changes nothing about the rules"),
    ],
)
def test_an_option_without_effect_was_swallowed(
    line: str,
    complaint: str,
    shown: list[tuple[Visit, Settings]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert program.run(line.split()) == 2
    assert capsys.readouterr().err.startswith(f"facedown: {complaint}")
    assert shown == []


def test_the_help_of_the_rules_offered_what_changes_nothing_about_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        program.run(["rules", "--help"])

    assert set(re.findall("--[a-z]+", capsys.readouterr().out)) == {"--help"}


@pytest.mark.parametrize("command", ["play", "host"])
def test_the_help_offered_to_watch_where_there_is_nobody_to_be_watched(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        program.run([command, "--help"])

    offered = set(re.findall("--[a-z]+", capsys.readouterr().out))
    assert "--theme" in offered
    assert offered.isdisjoint({"--spectate", "--kiosk"})


def test_behind_two_dashes_nothing_is_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.run(["rules", "--", "--fly"]) == 2
    assert "--fly is neither a preset" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["play", "join", "host", "rules", "doctor"])
def test_the_help_of_each_command_teaches_with_examples(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.run([command, "--help"])

    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: facedown {command} [")
    assert f"examples:\n  facedown {command} " in text


@pytest.mark.parametrize("command", ["", "play", "join", "host", "rules", "doctor"])
def test_the_help_once_broke_its_words_at_the_edge_of_eighty_columns(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")

    with pytest.raises(SystemExit):
        program.run([*command.split(), "--help"])

    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if len(line) >= 80 and line != str(config_file())] == []


def test_help_teaches_with_examples() -> None:
    text = argument_parser().format_help()

    assert "facedown join pi/FOX-42" in text
    assert "simulate" not in text


def test_the_rules_are_printed_for_a_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.run(["rules", "bluff.w6"]) == 0

    printed = capsys.readouterr().out
    assert "For 6 s after a play" in printed
    assert max(map(len, printed.splitlines())) <= 100


@pytest.mark.parametrize(
    ("settings", "term", "why"),
    [
        (Settings(plain=True), "xterm", "switched on by --plain"),
        (Settings(), "dumb", "the terminal cannot draw"),
        (Settings(), "xterm", "no terminal here"),
    ],
    ids=["asked for", "dumb", "pipe"],
)
def test_when_the_client_goes_line_by_line(
    settings: Settings, term: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    assert program.why_plain(settings) == why


def test_a_server_that_does_not_start_ends_with_3_and_its_own_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:  # noqa: S104 - as host does
        assert program.run(["host", "--port", str(taken.getsockname()[1])]) == 3

    assert "Is a server running there already?" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["play", "host"])
@pytest.mark.parametrize("place", ["tempfile.TemporaryFile", "subprocess.Popen"])
def test_a_server_that_the_system_did_not_let_start_was_a_traceback(
    place: str, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(f"client.line.child.{place}", refuse)

    assert program.run([command]) == 3
    told = capsys.readouterr().err
    assert told == "facedown: the server could not be started: no space left on device\n"


def test_hosting_stops_the_server_and_practice_too(
    shown: list[tuple[Visit, Settings]], monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped: list[Address] = []
    there = Address(host="127.0.0.1", port=7)

    class Pretend:
        address, is_running, server = there, True, "s1"
        friends = ("192.0.2.7", "198.51.100.7")

        def stop(self) -> None:
            """Be ended."""
            stopped.append(self.address)

    monkeypatch.setattr(child, "start", lambda *_, **__: Pretend())
    monkeypatch.setattr(sys, "stdin", io.StringIO())

    assert program.run(["host", "--port", "7"]) == 0
    assert program.run(["play"]) == 0

    assert stopped == [there, there]
    assert [visit.address for visit, _ in shown] == [there, there]
    assert shown[0][0].hosted_at == ("192.0.2.7:7", "198.51.100.7:7")
    assert shown[1][0].passing


# --- the doctor --------------------------------------------------------------------------------


def test_the_doctor_greets_a_server() -> None:
    async def story() -> tuple[list[str], Ending]:
        async with FakeServer() as server:
            return await server_lines(server.address, "maya")

    lines, ending = asyncio.run(story())

    assert ending is Ending.CLOSED
    assert lines[0].startswith("SERVER: Fake 0 at 127.0.0.1:")
    assert lines[-1] == "TIMING: challenges are timed by the kernel's arrival stamps."


def test_the_doctor_says_when_nobody_is_there(capsys: pytest.CaptureFixture[str]) -> None:
    assert program.run(["doctor", "127.0.0.1:1"]) == 3
    told = capsys.readouterr().out
    assert "Could not reach 127.0.0.1:1" in told
    assert told.endswith("RESULT: the server could not be reached.\n")


def test_a_server_that_refuses_was_said_not_to_be_reached() -> None:
    async def story() -> tuple[list[str], Ending]:
        no = Goodbye(code=Refusal.OLD_CLIENT, text="Update your client.")
        async with FakeServer(lambda _: (no,)) as server:
            return await server_lines(server.address, "maya")

    assert asyncio.run(story()) == (["SERVER: Update your client."], Ending.REFUSED)
    assert _summary(0, Ending.REFUSED) == "RESULT: the server answered, but does not let you in."


def test_how_much_there_is_to_change_was_a_number_of_nothing() -> None:
    told = [_summary(changes, Ending.CLOSED) for changes in range(3)]

    assert told == [
        "RESULT: all well.",
        "RESULT: 1 thing to look at, marked with ->.",
        "RESULT: 2 things to look at, marked with ->.",
    ]


def test_the_doctor_says_what_it_found_though_no_server_was_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")

    assert program.run(["doctor", "--theme", "light", "--ascii"]) == 0

    told = capsys.readouterr().out
    labels = ["PYTHON", "TERMINAL", "SIZE", "COLOUR", "THEME", "ENCODING", "SUITS", "SETTINGS"]
    found = [line.partition(":")[0] for line in told.splitlines() if not line.startswith(" ")]
    assert [label for label in found if label in labels] == labels
    assert "theme = light, from --theme" in told
    assert "SERVER: none checked." in told


@pytest.mark.parametrize("command", [[], ["play"], ["join", "pi"], ["host"]], ids=str)
def test_on_native_windows_it_is_said_where_to_play_instead(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    assert program.run(command) == 2

    assert "use WSL" in capsys.readouterr().err


def test_the_rules_can_be_read_on_native_windows(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", "win32")

    assert program.run(["rules"]) == 0

    assert "FACEDOWN: classic" in capsys.readouterr().out
