"""What is typed ahead waits in the terminal, not in the memory of the client; long lines break at words."""

import asyncio
import io
import os
import select
import threading

import pyte
import pytest

from client.plain.console import MOST_WAITING, Console

LINES = 3 * MOST_WAITING


def a_console_with_lines() -> tuple[Console, int]:
    reading, writing = os.pipe()
    os.write(writing, b"y\n" * LINES)
    os.close(writing)
    return Console(reading, io.StringIO(), is_terminal=False), reading


def test_lines_typed_without_end_once_filled_the_memory() -> None:
    console, reading = a_console_with_lines()

    async def lines_and_waiting() -> tuple[list[str | None], int]:
        console.start()
        lines, waiting = [], 0
        for _ in range(LINES + 1):
            lines.append(await console.next_line())
            waiting = max(waiting, console._inbox.qsize())
        console.stop()
        return lines, waiting

    lines, waiting = asyncio.run(lines_and_waiting())
    os.close(reading)

    assert lines == ["y"] * LINES + [None]
    assert waiting <= MOST_WAITING


def test_a_reader_without_room_can_be_stopped() -> None:
    console, reading = a_console_with_lines()

    async def stop_after_the_first() -> None:
        console.start()
        await console.next_line()
        console.stop()

    asyncio.run(stop_after_the_first())
    os.close(reading)

    assert console._thread is not None
    assert not console._thread.is_alive()


def test_ctrl_c_right_after_a_line_left_the_client_waiting_for_a_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reading, writing = os.pipe()
    is_asked = threading.Event()

    def select_what_is_thrown_away(*_asked: object) -> tuple[list[int], list[int], list[int]]:
        is_asked.set()
        return [reading], [], []

    monkeypatch.setattr(select, "select", select_what_is_thrown_away)
    console = Console(reading, io.StringIO(), is_terminal=True)

    async def start_and_stop() -> None:
        console.start()
        is_asked.wait()
        console.stop()

    asyncio.run(start_and_stop())
    os.close(writing)  # the terminal goes, once nobody waits for a key any more
    assert console._thread is not None
    console._thread.join()
    os.close(reading)


LONG = "SAYS: dee 1 king, 7 left, pile 12. You hold 2 of 4. You are next: aces. (4 s: b doubts)"


def shown(line: str, columns: int) -> list[str]:
    out = io.StringIO()
    Console(None, out, is_terminal=False, columns=lambda: columns).show((line, "TURN: you."))
    return out.getvalue().splitlines()


def test_the_terminal_broke_long_lines_inside_words() -> None:
    assert shown(LONG, 40) == [
        "SAYS: dee 1 king, 7 left, pile 12. You",
        "  hold 2 of 4. You are next: aces. (4 s:",
        "  b doubts)",
        "TURN: you.",
    ]


@pytest.mark.parametrize("columns", [0, 10, len(LONG)], ids=["a pipe", "hardly any", "enough"])
def test_a_line_stays_whole_in_a_pipe_and_where_there_is_space(columns: int) -> None:
    assert shown(LONG, columns) == [LONG, "TURN: you."]


@pytest.mark.parametrize("columns", [0, 40], ids=["nobody knows how wide", "40 columns"])
def test_the_end_of_what_was_being_typed_stood_behind_a_line_that_came_in(columns: int) -> None:
    """As in "PASS: bo.hink that cy lies", for "say I think that cy lies"."""
    out, screen = io.StringIO(), pyte.Screen(40, 5)
    console = Console(None, out, is_terminal=True, columns=lambda: columns)
    console.prompt()
    out.write("say I think that cy lies" if columns else "")  # as a terminal echoes it

    console.show(("PASS: bo.",))

    pyte.Stream(screen).feed(out.getvalue().replace("\n", "\r\n"))
    assert [row.rstrip() for row in screen.display[:3]] == ["PASS: bo.", ">", ""]
