"""The server of the command line: read the settings, open the door, and close it well."""

import contextlib
import errno
import gc
import io
import logging
import os
import secrets
import signal
import socket
import sys
from pathlib import Path
from random import SystemRandom
from typing import TextIO

import trio

from protocol.answers import Stamps
from server.checkup import check_folder
from server.config import BadSettings, Settings, reason_of
from server.data_folder import data_folder, server_id
from server.guest_list import read_guest_key
from server.hall import Hall
from server.journal.database import FILE
from server.journal.lock import note_address
from server.journal.sqlite_store import SqliteStore
from server.journal.store import NoStore, OpenFault, Store
from server.listener import Listener, open_socket
from server.ready import Ready, on_this_machine, with_port
from server.sources import read_settings, unheard
from server.steady_clock import SteadyClock

LOG = logging.getLogger("server")
LOG_FORM = "%(asctime)s %(message)s"
LOG_BYTES = 1 << 20
LAST_WORDS_S = 1.0  # so long goodbyes may take to be written
REPORT = "Start it again, what it keeps is there; and please report what the log says"
UNREAD = 141  # nobody takes what is printed: as a shell says of SIGPIPE
OTHER_HOST = "--host is an address of this machine; --lan listens on all of them."
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)


def run() -> None:
    """Run the server of the command line.

    Exit code 0 after SIGTERM or Ctrl-C, 2 for what cannot be used, 1 after a fault of ours.
    """
    # Few objects here die young and in circles, and many live as long as a deal: look for them
    # rarely (measured: 5 % less processor time, and a third off the slowest answers).
    gc.freeze()
    gc.set_threshold(10_000, 20, 50)
    _have_streams()
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format=LOG_FORM)
    try:
        _run()
    except Exception as fault:  # noqa: BLE001 - whatever it is, it is said in a sentence
        sys.exit(_complaint(fault))
    finally:
        _give_up_complaints()


def _run() -> None:
    settings = _settings()
    if settings.log:
        _log_into(settings.log)
    for sentence in unheard(os.environ):
        LOG.warning(sentence)
    if settings.check:
        sys.exit(_check(Path(settings.check)))
    folder = None if settings.in_memory else data_folder(settings)
    trio.run(serve, settings, folder, clock=SteadyClock())
    _ignore_signals()  # Python gives its handlers back to the system at the end: that kills


def _settings() -> Settings:
    """The settings of this run. Help and the like are printed instead, or it is said why they are not."""
    try:
        try:
            return read_settings(sys.argv[1:], os.environ)
        finally:
            sys.stdout.flush()
    except OSError as fault:
        _write_nowhere(sys.stdout)
        if fault.errno != errno.EPIPE:  # else whoever was reading has read enough, as `head` has
            _complain(f"this cannot be printed: {(fault.strerror or '').lower()}")
        sys.exit(UNREAD)


def _have_streams() -> None:
    """Whoever started us may have closed them; what is said then goes nowhere, and harms nothing."""
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - for as long as we run
    if sys.stderr is None:
        sys.stderr = sys.stdout
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # the name of a folder need not be text


def _log_into(path: str) -> None:
    """Log into this file and one older than it, and no longer to standard error.

    Raises:
        BadSettings: it cannot be written.
    """
    from logging.handlers import RotatingFileHandler  # noqa: PLC0415 - few servers need it

    try:
        file = RotatingFileHandler(
            Path(path).expanduser(), maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8"
        )
    except (OSError, RuntimeError) as error:  # the second where there is no such home
        message = f"cannot write the log {path}: {reason_of(error)}. Give another with --log"
        raise BadSettings(message) from error
    logging.basicConfig(level=logging.INFO, handlers=[file], format=LOG_FORM, force=True)


def _check(folder: Path) -> int:
    """Say what is kept in a data folder; 1 if no server could start with it, or nobody find their seat.

    Raises:
        BadSettings: it is a file.
        OpenFault: there is no journal in it, or it is none of ours.
    """
    if folder.is_file():
        message = f"--check takes a folder with {FILE} in it, and {folder} is a file"
        raise BadSettings(message)
    report = check_folder(folder)
    _say("\n".join(report.lines))
    return 0 if report.is_sound else 1


def _complaint(fault: Exception) -> int:
    """Say in a sentence what keeps the server from starting or has ended it, and give the exit code."""
    first = fault
    while isinstance(first, ExceptionGroup):  # of tasks that have failed together
        first = first.exceptions[0]
    if isinstance(first, BadSettings | OpenFault):
        code, text = 2, str(first)
    else:
        LOG.critical("the server has crashed", exc_info=fault)
        code, text = 1, f"a bug has ended it ({type(first).__name__}). {REPORT}"
    _complain(text)
    return code


def _complain(text: str) -> None:
    """Say it where complaints go; if that is full or gone, the exit code has to do."""
    with contextlib.suppress(OSError):
        sys.stderr.write(f"facedown-server: {text}\n")


async def serve(settings: Settings, folder: Path | None) -> None:
    """Serve until a signal says to stop. Without a folder nothing is written anywhere.

    Raises:
        BadSettings, OpenFault: the address, a file, or what is kept there cannot be used.
    """
    guest_key = read_guest_key(settings.guest_key)
    with contextlib.closing(_store(folder)) as store:
        own_id, kept = server_id(folder), store.read()
        sock, stamps = _opened_socket(settings)
        stop = _stop_by_signal()
        with sock:
            async with trio.open_nursery() as nursery:
                hall = Hall(
                    settings,
                    store,
                    nursery=nursery,
                    server_id=own_id,
                    epoch=secrets.token_hex(8),
                    stamps=stamps,
                    rng=SystemRandom(),
                    guest_key=guest_key,
                )
                hall.restore(kept)
                nursery.start_soon(hall.run)
                listener = Listener(sock, hall, settings)
                nursery.start_soon(listener.run)
                _say_ready(_ready(sock, folder, store, stamps, own_id), as_json=settings.ready_json)
                await _wait_for_the_end(stop, nursery, watch_input=settings.until_eof)
                await _close(hall, listener, nursery)


def _ready(
    sock: socket.socket, folder: Path | None, store: Store, stamps: Stamps, own_id: str
) -> Ready:
    host, port = sock.getsockname()[:2]
    trial_us = store.statistics().trial_us
    return Ready(
        host=host, port=port, folder=folder, trial_us=trial_us, stamps=stamps, server=own_id
    )


async def _wait_for_the_end(stop: trio.Event, nursery: trio.Nursery, *, watch_input: bool) -> None:
    """Wait for a signal or, for whoever started this as a child, for the end of standard input."""
    if watch_input:
        nursery.start_soon(_stop_at_eof, stop)
    await stop.wait()


async def _close(hall: Hall, listener: Listener, nursery: trio.Nursery) -> None:
    """Take in nobody more, say goodbye to everybody, let the last words go out, and stop."""
    listener.stop()
    hall.close()
    with trio.move_on_after(LAST_WORDS_S):
        await listener.wait_until_ended()
    nursery.cancel_scope.cancel()


def _store(folder: Path | None) -> Store:
    return NoStore() if folder is None else SqliteStore(folder)


def _stop_by_signal() -> trio.Event:
    """What the first signal to stop sets; later ones change nothing, whatever ends the server.

    The handlers stay to the end of the process: without them a signal that comes while the server is
    closing would end it with that signal's exit code.
    """
    stop, token = trio.Event(), trio.lowlevel.current_trio_token()

    def heed(_signal: int, _frame: object) -> None:
        _ignore_signals()
        with contextlib.suppress(trio.RunFinishedError):
            token.run_sync_soon(stop.set)

    for each in STOP_SIGNALS:
        signal.signal(each, heed)
    return stop


def _ignore_signals() -> None:
    for each in STOP_SIGNALS:
        signal.signal(each, signal.SIG_IGN)


async def _stop_at_eof(stop: trio.Event) -> None:
    """Read to the end; an input that is not there, or breaks, has ended as well."""
    with contextlib.suppress(AttributeError, OSError, trio.BrokenResourceError):
        stream = trio.lowlevel.FdStream(os.dup(sys.stdin.fileno()))
        while await stream.receive_some():
            pass
    stop.set()


def _opened_socket(settings: Settings) -> tuple[socket.socket, Stamps]:
    try:
        sock, stamped = open_socket(settings)
    except OSError as fault:
        where = with_port(settings.listens_on, settings.port)
        message = f"cannot listen on {where}: {fault.strerror}. {_what_now(fault)}"
        raise BadSettings(message) from fault
    return sock, Stamps.KERNEL if stamped else Stamps.AFTER_READ


def _what_now(fault: OSError) -> str:
    """What to do where the address cannot be had."""
    if isinstance(fault, socket.gaierror):  # its numbers are of another kind
        return OTHER_HOST
    if fault.errno == errno.EADDRINUSE:
        return "Is a server running there already? Another --port may be free."
    if fault.errno in {errno.EACCES, errno.EPERM}:
        return "Ports below 1024 are for the system: give another --port."
    return OTHER_HOST


def _give_up_complaints() -> None:
    """What standard error has not taken changes no exit code."""
    try:
        sys.stderr.flush()
    except OSError:
        _write_nowhere(sys.stderr)


def _say_ready(ready: Ready, *, as_json: bool) -> None:
    """Say it to whoever reads along, and to the next server that wants the same folder."""
    if ready.folder is not None:
        note_address(ready.folder, on_this_machine(ready.host, ready.port))
    _say(ready.in_json() if as_json else ready.in_words())


def _say(text: str) -> None:
    """Say it to whoever reads along. That nobody does any more, or the disk is full, ends no server."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError as fault:
        LOG.warning("standard output cannot be written: %s", fault.strerror)
        _write_nowhere(sys.stdout)


def _write_nowhere(stream: TextIO) -> None:
    """What this has not taken goes nowhere: else Python would try once more at the end."""
    with Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())
