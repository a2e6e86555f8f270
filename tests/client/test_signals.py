"""While a client is at work every signal that it means to heed has a handler, and none afterwards."""

import asyncio
import io
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from prompt_toolkit.application import Application
from prompt_toolkit.input import DummyInput
from prompt_toolkit.output import DummyOutput

from client.plain.console import Console
from client.plain.loop import PlainClient
from client.start.visit import Visit
from client.terminal.leaving import told_to_leave
from client.terminal.signals import Signals
from tests.support.processes import ROOT

Handlers = dict[signal.Signals, object]
LEAVE = {signal.SIGTERM, signal.SIGHUP}
STOPS = {signal.SIGTSTP, signal.SIGCONT}


@contextmanager
def on_the_screen() -> Iterator[None]:
    """What the full-screen client heeds."""
    app: Application[int] = Application(input=DummyInput(), output=DummyOutput())
    signals = Signals(app, lambda _: None, may_stop=True)
    with signals.heeded(), signals.interrupting(lambda: None):
        yield


@contextmanager
def line_by_line() -> Iterator[None]:
    """What the client line by line heeds."""
    console = Console(None, io.StringIO(), is_terminal=False)
    client = PlainClient(Visit(name="maya"), console)
    try:
        with client._interrupts_ask(), told_to_leave(client._leave):
            yield
    finally:
        console.stop()


def handlers() -> Handlers:
    """What this process does about each signal."""
    return {number: signal.getsignal(number) for number in (*LEAVE, *STOPS, signal.SIGINT)}


@pytest.mark.parametrize(
    ("at_work", "heeded"),
    [
        pytest.param(on_the_screen, {*LEAVE, *STOPS, signal.SIGINT}, id="on the full screen"),
        pytest.param(line_by_line, {*LEAVE, signal.SIGINT}, id="line by line"),
    ],
)
def test_every_signal_has_its_handler_until_the_end(
    at_work: Callable[[], AbstractContextManager[None]], heeded: set[signal.Signals]
) -> None:
    async def seen() -> tuple[Handlers, Handlers, Handlers]:
        before = handlers()
        with at_work():
            during = handlers()
        return before, during, handlers()

    before, during, after = asyncio.run(seen())

    assert {number for number in before if during[number] is not before[number]} == heeded
    assert {number for number in heeded if after[number] is during[number]} == set()


@pytest.mark.parametrize("at_work", [on_the_screen, line_by_line])
def test_a_handler_that_cannot_be_set_is_not_passed_over(
    at_work: Callable[[], AbstractContextManager[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(*_: object) -> None:
        raise NotImplementedError

    async def work() -> None:
        monkeypatch.setattr(asyncio.get_running_loop(), "add_signal_handler", cannot)
        with at_work():
            pass

    with pytest.raises(NotImplementedError):
        asyncio.run(work())


PRESSED_AT_THE_END = """
import signal, sys
from client.__main__ import main
setting, leaving = signal.signal, sys.exit
def at_once(*_):
    signal.signal = setting
    raise KeyboardInterrupt
def and_again(code):
    signal.raise_signal(signal.SIGINT)
    leaving(code)
signal.signal, sys.exit, sys.argv[1:] = at_once, and_again, ["rules"]
main()
"""


def test_ctrl_c_pressed_while_it_was_being_ignored_ended_the_client_by_the_signal() -> None:
    program = [sys.executable, "-c", PRESSED_AT_THE_END]

    ended = subprocess.run(program, cwd=ROOT, capture_output=True, check=False)

    assert ended.returncode == 130
