"""What is asked and said when somebody who hosts a server leaves their own client."""

import builtins
import contextlib
import importlib
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from subprocess import Popen

import pytest

from client.command_line import commands as program
from client.exit_codes import TERMINATED
from client.kept.identity import Keyring
from client.line import child
from client.plain.console import Console
from client.settings import DEFAULTS
from client.start.visit import Visit
from client.state import ClientState
from client.terminal import leaving
from client.way_in.address import Address
from protocol import events as e
from server.journal.sqlite_store import SqliteStore
from tests.support.homes import move_in
from tests.support.screen_states import in_lobby, lobby_state, online

QUESTION = "Keep the server running"


class Keyboard(io.StringIO):
    """Standard input that belongs to somebody."""

    def isatty(self) -> bool:
        """It does."""
        return True


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home of its own, so that nobody's settings are read or written."""
    move_in(monkeypatch, tmp_path, FACEDOWN_NAME="maya")


@pytest.fixture
def process(monkeypatch: pytest.MonkeyPatch) -> "Iterator[Popen[bytes]]":
    """What `facedown host` starts: nothing that serves, but it can end."""
    with Popen((sys.executable, "-c", "import sys; sys.stdin.read()"), stdin=-1) as started:
        server = child.Child(process=started, address=Address(host="127.0.0.1", port=7))
        monkeypatch.setattr(child, "start", lambda *_, **__: server)
        monkeypatch.setattr(sys, "stdin", Keyboard())
        yield started
        started.kill()


def asked(
    monkeypatch: pytest.MonkeyPatch, answer: str, code: int = 0, left: ClientState | None = None
) -> list[str]:
    """Play that ends at once, and what is asked after it: each question gets the same answer."""
    questions: list[str] = []

    def put(question: str) -> str:
        questions.append(question)
        return answer

    def show(visit: Visit, _: object) -> int:
        assert visit.left is not None
        visit.left(left or ClientState())
        return code

    monkeypatch.setattr(program, "show", show)
    monkeypatch.setattr(builtins, "input", put)
    assert program.run(["host"]) == code
    return questions


@pytest.mark.parametrize(
    ("answer", "stays"), [("y", True), ("yes", True), (" Yes ", True), ("", False), ("no", False)]
)
def test_who_answered_yes_in_full_saw_the_server_stop(
    answer: str,
    stays: bool,  # noqa: FBT001 - a parameter
    process: "Popen[bytes]",
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (question,) = asked(monkeypatch, answer)

    assert question.startswith(QUESTION)
    assert (process.poll() is None) == stays
    assert (f"To stop it: kill {process.pid}" in capsys.readouterr().out) == stays


def test_whoever_let_the_server_end_was_only_told_a_way_back_that_needs_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], process: "Popen[bytes]"
) -> None:
    asked(monkeypatch, "n")

    assert process.poll() is not None
    again = "The server ends. To go on from where it is:\n  facedown host --port 7\n"
    assert capsys.readouterr().out.endswith(again)


ALONE = [e.LobbySeat(name="maya"), e.LobbySeat(name="Cy", kind=e.SeatKind.COMPUTER)]
GONE = [*ALONE, e.LobbySeat(name="ana", connected=False)]


@pytest.mark.parametrize(
    ("left", "question"),
    [
        pytest.param(ClientState(), f"{QUESTION}? [y/N] ", id="never arrived"),
        pytest.param(in_lobby(lobby_state(seats=ALONE)), f"{QUESTION}? [y/N] ", id="alone"),
        pytest.param(in_lobby(lobby_state(seats=GONE)), f"{QUESTION}? [y/N] ", id="all gone"),
        pytest.param(
            in_lobby(lobby_state(seats=ALONE, watching=("ana",))),
            f"{QUESTION} for the others? [y/N] ",
            id="watched",
        ),
        pytest.param(in_lobby(), f"{QUESTION} for the others? [y/N] ", id="with friends"),
        pytest.param(online(), f"{QUESTION} for the others? [y/N] ", id="others in the hall"),
    ],
)
def test_who_hosted_alone_was_asked_about_the_others(
    left: ClientState, question: str, process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(monkeypatch, "", left=left) == [question]


def test_a_letter_of_another_encoding_at_that_question_was_a_crash(
    process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    keyboard = io.TextIOWrapper(io.BytesIO(b"\xe9\n"), encoding="utf-8")
    monkeypatch.setattr(keyboard, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", keyboard)
    monkeypatch.setattr(program, "show", lambda *_: 0)

    assert program.run(["host"]) == 0
    assert process.poll() is not None


def test_a_server_that_had_died_was_said_to_run_on_under_a_number_that_may_be_anybodys(
    process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    process.kill()
    process.wait()

    assert asked(monkeypatch, "y") == []
    said = capsys.readouterr().out
    assert "kill" not in said
    assert "has ended. To go on from where it was:\n  facedown-server --port 7\n" in said


def test_who_is_told_to_go_is_asked_nothing_and_the_server_goes_too(
    process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(monkeypatch, "y", code=TERMINATED) == []

    assert process.poll() is not None


@pytest.fixture
def started(process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The arguments of each server that is started: none of them serves."""
    all_arguments: list[Sequence[str]] = []
    start = child.start

    def noted(arguments: Sequence[str], meanwhile: Callable[[], None]) -> child.Child:
        all_arguments.append(arguments)
        return start(arguments, meanwhile=meanwhile)

    monkeypatch.setattr(child, "start", noted)
    monkeypatch.setattr(program, "show", lambda *_: 0)
    monkeypatch.setattr(builtins, "input", lambda _: "n")
    return all_arguments


def test_the_port_that_a_host_had_set_for_the_server_gave_way_to_one_that_nobody_had_named(
    started: list[Sequence[str]],
) -> None:
    program.run(["host"])
    program.run(["host", "--port", "7"])

    assert started[0][:2] == ("--lan", "--log")
    assert started[1][:3] == ("--lan", "--port", "7")


@pytest.mark.parametrize("variable", ["HOST", "LAN"])
def test_a_server_that_its_host_had_set_to_one_network_was_opened_to_all(
    variable: str, started: list[Sequence[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"FACEDOWN_SERVER_{variable}", "192.0.2.7")

    program.run(["host"])

    assert "--lan" not in started[0]


def test_the_log_of_a_server_that_stayed_was_in_a_file_that_nobody_could_open(
    process: "Popen[bytes]",
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    started: list[Sequence[str]] = []
    start = child.start

    def noted(arguments: Sequence[str], meanwhile: Callable[[], None]) -> child.Child:
        started.append(arguments)
        return start(arguments, meanwhile=meanwhile)

    monkeypatch.setattr(child, "start", noted)
    asked(monkeypatch, "y")
    (log,) = tmp_path.glob("**/host")

    assert started[0][-2:] == ("--log", f"{log}/server.log")
    assert log.stat().st_mode & 0o77 == 0
    assert capsys.readouterr().out.endswith(f"Its log: {log}/server.log\n")


NOWHERE = [
    pytest.param(Path("/proc/nowhere"), id="cannot be made"),
    pytest.param(Path("/tmp") / ("a" * 300), id="may not be looked into"),  # noqa: S108 - never made
]


@pytest.mark.parametrize("folder", NOWHERE)
def test_where_nothing_can_be_kept_a_server_is_hosted_without_a_log(
    folder: Path,
    process: "Popen[bytes]",
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(program, "state_folder", lambda: folder)

    asked(monkeypatch, "y")

    assert process.poll() is None
    assert "log" not in capsys.readouterr().out


TOLD = [pytest.param(number, id=number.name) for number in (signal.SIGTERM, signal.SIGHUP)]


def told(number: signal.Signals) -> None:
    """A signal for this process; its handler has run before the next line does."""
    signal.raise_signal(number)


@pytest.mark.parametrize("number", TOLD)
def test_a_window_closed_at_the_question_left_the_server_behind(
    number: signal.Signals, process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "show", lambda *_: 0)
    monkeypatch.setattr(builtins, "input", lambda _: told(number))
    before = signal.getsignal(number)  # under nohup it is ignored

    with pytest.raises(SystemExit) as ended:
        program.run(["host"])

    assert ended.value.code == 128 + number
    assert process.poll() is not None
    assert signal.getsignal(number) is before


@pytest.mark.parametrize("number", TOLD)
def test_a_window_closed_while_the_server_started_left_it_behind(
    number: signal.Signals, process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[object] = []
    start = child.start

    def closed(arguments: Sequence[str], meanwhile: Callable[[], None]) -> child.Child:
        told(number)
        return start(arguments, meanwhile=meanwhile)

    monkeypatch.setattr(child, "start", closed)
    monkeypatch.setattr(program, "show", lambda *_: shown.append(1))

    with pytest.raises(SystemExit) as ended:
        program.run(["host"])

    assert (ended.value.code, shown) == (128 + number, [])
    assert process.poll() is not None


def test_a_second_signal_did_not_wait_until_the_server_had_ended(
    process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    waited, stop = [], child.Child.stop

    def stopped(server: child.Child) -> None:
        told(signal.SIGHUP)
        waited.append(True)
        stop(server)

    monkeypatch.setattr(child.Child, "stop", stopped)
    monkeypatch.setattr(program, "show", lambda *_: TERMINATED)

    assert program.run(["host"]) == TERMINATED
    assert waited == [True]
    assert process.poll() is not None


def test_a_stalled_terminal_that_was_closed_left_the_server_behind(
    process: "Popen[bytes]", monkeypatch: pytest.MonkeyPatch
) -> None:
    def stalled(*_: object) -> int:
        leaving._go_at_once(TERMINATED, b"", None)

    monkeypatch.setattr(program, "show", stalled)
    monkeypatch.setattr(child.Child, "stop", lambda _: None)  # nothing else has the time
    monkeypatch.setattr(os, "_exit", sys.exit)

    with pytest.raises(SystemExit):
        program.run(["host"])

    assert process.wait(10) == -signal.SIGTERM


def test_a_host_whose_server_ran_already_was_told_of_an_option_that_hosting_has_not(
    tmp_path: Path,
) -> None:
    with contextlib.closing(SqliteStore(tmp_path)), pytest.raises(child.NoServer) as no:
        child.start(("--port", "0", "--data", str(tmp_path)))

    said = str(no.value)
    assert said.startswith("facedown-server: the server with process id ")
    assert "Join it (facedown join localhost)" in said
    assert said.endswith("or give another folder with --data")


def test_who_hosted_the_same_data_on_another_port_was_asked_for_another_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ("--data", str(tmp_path / "data"))
    start, found = child.start, []

    def show(visit: Visit, _: object) -> int:
        ring = Keyring(visit.folder, visit.profile)
        assert visit.server is not None
        known = ring.find(str(visit.address))
        found.append(known.secret if known else None)
        if known is None:
            ring.keep(
                server=visit.server.server,
                address=str(visit.address),
                name="maya",
                secret=b"s" * 32,
            )
        ring.release()
        return 0

    monkeypatch.setattr(program, "show", show)
    monkeypatch.setattr(child, "start", lambda said, **more: start((*said, *data), **more))
    monkeypatch.setenv("FACEDOWN_SERVER_HOST", "127.0.0.1")

    for _ in range(2):
        assert program.run(["host", "--port", "0"]) == 0

    assert found == [None, b"s" * 32]


class Played:
    """Stands in for either client: it has been in the hall, and ends at once."""

    state, parting, way_back = online(), "", ""

    async def run(self) -> int:
        """Be over."""
        return 0

    def close(self) -> None:
        """Give nothing back."""


@pytest.mark.parametrize(
    ("module", "client"), [("full_screen.app", "ScreenClient"), ("plain.start", "PlainClient")]
)
def test_both_clients_say_how_everything_was_at_the_end(
    module: str, client: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[ClientState] = []
    app = importlib.import_module(f"client.{module}")
    monkeypatch.setattr(app, client, lambda *_, **__: Played())
    monkeypatch.setattr(
        "client.plain.start.standard", lambda: Console(None, io.StringIO(), is_terminal=False)
    )
    visit = Visit(name="maya", left=told.append)

    code = app.run(visit, "", DEFAULTS) if module == "plain.start" else app.run(visit, DEFAULTS)

    assert (code, told) == (0, [Played.state])
