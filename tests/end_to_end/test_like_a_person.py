"""A deal against computer players as a person plays it: by reading the screen and pressing keys.

Nothing here knows the program: whose turn it is, what is held and which keys work is read off the
page in tmux, the bottom row above all. The rules are short, so that a deal takes less than a minute.
"""

import faulthandler
import re
import shlex
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.ptys import ROOT
from tests.support.tmux import Screen, a_screen, needs_tmux

RULES = "classic.w1.lw2.r1.plays-20"
PLAY = shlex.join((sys.executable, "-m", "client", "play", "--rules", RULES))
LONGEST_S = 150.0  # on a machine with much else to do
FOUR = 4
LOOK_AGAIN_S = 5.0  # somebody who waits for so long looks at the last line once more
KEYS = {"10": "t"}

pytestmark = [needs_tmux, pytest.mark.timeout(200)]


def held(rows: list[str]) -> list[str]:
    """The ranks that are in the hand, read off the two rows in which it lies."""
    heading = next((n for n, row in enumerate(rows) if row.strip().startswith("YOUR HAND")), None)
    if heading is None:
        return []
    labels_at = next(n for n in range(heading + 1, len(rows)) if rows[n].strip())
    labels, suits = rows[labels_at], rows[labels_at + 1]
    return [
        label.group().strip("><[]")
        for label in re.finditer(r"\S+", labels)
        if suits[label.start() : label.end() + 1].strip()
    ]


def due(text: str) -> str:
    """The rank that has to be said, as it stands in the hand."""
    found = re.search(r"your turn: (\w+)", text)
    word = found.group(1).removesuffix("S") if found else ""
    names = {"ACE": "A", "KING": "K", "QUEEN": "Q", "JACK": "J"}
    numbers = ("TWO", "THREE", "FOUR", "FIVE", "SIXE", "SEVEN", "EIGHT", "NINE", "TEN")
    if word in numbers:
        return str(numbers.index(word) + 2)
    return names.get(word, "")


def next_key(text: str) -> str:
    """The key that somebody presses who looks at this page; none if there is nothing to do."""
    rows = text.rstrip().splitlines()
    bar = rows[-1] if rows else ""
    if "Enter lay" in bar or "Enter go on" in bar:
        return "Enter"
    if "your turn" in text and "ranks pick" in bar and "Ready:" not in text:
        ranks = held(rows)
        rank = due(text) if due(text) in ranks else next(iter(ranks), "")
        return KEYS.get(rank, rank.lower())
    if "b doubt" in bar and ("A sure lie" in text or "if it stands" in text):
        return "b"
    return "y" if "y believe" in bar else ""


def play_on(screen: Screen) -> str:
    """Press key after key until the deal is over; the page on which it says so."""
    ends = time.monotonic() + LONGEST_S
    while "deal over" not in (text := screen.text):
        assert time.monotonic() < ends, text
        if key := next_key(text):
            screen.press(key)
        screen.changes_from(text)
    return screen.text


def a_deal_on_the_full_screen(home: Path, size: tuple[int, int]) -> str:
    """Play a deal and leave; the page with the result."""
    with a_screen(home, PLAY, size) as screen:
        screen.shows("YOUR HAND")
        result = play_on(screen)
        screen.press("C-c")
        screen.shows("Ctrl-C again leaves")
        screen.press("C-c")
        screen.shows("ended with 130")
    return result


# --- line by line -----------------------------------------------------------------------------------


def answer_to(line: str) -> str:
    """What somebody types who has just heard this line."""
    if found := re.match(r"TURN: you.*Example: (.+)", line):
        return found.group(1)
    if line.startswith("SAYS:"):
        return "b" if "sure lie" in line or "if it stands" in line else "y"
    return "go" if line.startswith("REVEAL:") else ""


def a_deal_line_by_line(home: Path) -> str:
    """Play a deal and leave; everything that was heard."""
    play = shlex.join((str(ROOT / "scripts" / "play"), "--plain", "--rules", RULES))
    with a_screen(home, play, (80, 300)) as screen:
        screen.shows("HAND: 13 cards.")
        answered = 0
        ends = time.monotonic() + LONGEST_S
        while "RESULT: 1st" not in (text := screen.text):
            assert time.monotonic() < ends, text
            lines = heard(text)
            for answer in filter(None, map(answer_to, lines[answered:])):
                screen.type(answer)
                screen.press("Enter")
            answered = len(lines)
            if not screen.changes_from(text, LOOK_AGAIN_S):
                answered = max(0, answered - 1)
        screen.type("quit")
        screen.press("Enter")
        return screen.shows("ended with 0")


def heard(text: str) -> list[str]:
    """The lines so far, without what was typed, and without one of which the end is not there yet."""
    rows = text.rstrip().splitlines()
    whole = rows if rows and rows[-1].startswith(">") else rows[:-1]
    return [row for row in whole if re.match(r"[A-Z]+[ :]", row)]


# --- the three of them, at the same time ------------------------------------------------------------


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[str]]]:
    """Deals that are being played, by where."""
    with ThreadPoolExecutor() as people:
        yield {
            "80x24": people.submit(
                a_deal_on_the_full_screen, tmp_path_factory.mktemp("a"), (80, 24)
            ),
            "60x20": people.submit(
                a_deal_on_the_full_screen, tmp_path_factory.mktemp("b"), (60, 20)
            ),
            "plain": people.submit(a_deal_line_by_line, tmp_path_factory.mktemp("c")),
        }


@pytest.fixture(autouse=True)
def patient() -> None:
    """People take their time: no dump of the stacks after half a minute."""
    faulthandler.cancel_dump_traceback_later()


@pytest.mark.parametrize("size", ["80x24", "60x20"])
def test_a_deal_is_played_to_its_result_by_keys_alone(
    deals: dict[str, Future[str]], size: str
) -> None:
    result = deals[size].result()

    assert "1st" in result
    assert "maya" in result


def test_a_deal_is_played_to_its_result_line_by_line(deals: dict[str, Future[str]]) -> None:
    lines = deals["plain"].result()

    assert "plain mode (switched on by --plain)" in lines
    assert len(re.findall(r"^RESULT: \d", lines, re.MULTILINE)) == FOUR  # of whom some may be level
