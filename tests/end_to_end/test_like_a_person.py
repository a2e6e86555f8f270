"""A deal against computer players as a person plays it: by reading the screen and pressing keys.

Nothing here knows the program: whose turn it is, what is held and which keys work is read off the
page in tmux, the bottom row above all. On the full screen a deal is over when somebody is out. There
are two at the table with two jokers, and both tell the truth where they can: some 25 plays.
"""

import re
import shlex
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from client.line.child import practice_server
from tests.support.ptys import ROOT
from tests.support.tmux import PATIENCE_S, Screen, a_screen, needs_tmux

RULES = "classic.j2.w1.lw2.r1"
RULES_LINE_BY_LINE = "classic.w1.lw2.r1.plays-20"
CLIENT = (sys.executable, "-m", "client")
MOST_TURNS = 40  # of mine; computer players alone need 14, and hardly ever more than 15
MOST_IN_A_PLAY = 4
LONGEST_S = 150.0  # on a machine with much else to do
FOUR = 4
READ_S = 1.0  # what stands on the page for so long is no leftover of what came before
LOOK_AGAIN_S = 5.0  # somebody who has waited for this long looks at the last line once more
JOKER = "*"
KEYS = {"10": "t", JOKER: "x"}

pytestmark = [needs_tmux, pytest.mark.timeout(200)]


def held(rows: list[str]) -> dict[str, int]:
    """How many cards of each rank are in the hand, read off the two rows in which it lies."""
    heading = next((n for n, row in enumerate(rows) if re.match(r" (YOUR )?HAND ", row)), None)
    if heading is None:
        return {}
    labels_at = next(n for n in range(heading + 1, len(rows)) if rows[n].strip())
    labels, suits = rows[labels_at], rows[labels_at + 1]
    columns = list(re.finditer(r"\S+", labels))
    ends = [*(column.start() - 1 for column in columns[1:]), None]
    cards = [suits[max(0, each.start() - 1) : end] for each, end in zip(columns, ends, strict=True)]
    names = [column.group().strip("><[]") for column in columns]
    return {name: count(text) for name, text in zip(names, cards, strict=True) if text.strip()}


def count(suits: str) -> int:
    """How many cards stand in a column: a suit for each, or x4 where that is too wide."""
    many = re.search(r"x(\d+)", suits)
    return int(many.group(1)) if many else len(suits.split(maxsplit=1)[0])


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
    if "Enter go on" in bar:
        return "Enter"
    if "your turn" in text and "A-K pick" in bar and "Ready:" not in text:
        return next_pick(text, held(rows))
    if "b doubt" in bar and "A sure lie" in text:
        return "b"
    return "y" if "y believe" in bar else ""


def next_pick(text: str, hand: dict[str, int]) -> str:
    """All that is of the rank due and then Enter; if there is nothing of it, any one card."""
    true = {rank: hand[rank] for rank in (due(text), JOKER) if rank in hand}
    wanted = true or dict.fromkeys([*hand][:1], 1)
    picked = int(found.group(1)) if (found := re.search(r"picked (\d+):", text)) else 0
    if picked >= min(sum(wanted.values()), MOST_IN_A_PLAY):
        return "Enter"
    rank = next(rank for rank in wanted if picked < sum(take(wanted, rank)))
    return KEYS.get(rank, rank.lower())


def take(wanted: dict[str, int], rank: str) -> list[int]:
    """How many are picked of each rank by the time that this one is."""
    ranks = list(wanted)
    return [wanted[each] for each in ranks[: ranks.index(rank) + 1]]


def press_for(screen: Screen, key: str, wanted: str) -> None:
    """Press a key for what it is to bring, and again where the page goes on saying that it was too soon."""
    screen.press(key)
    ends = time.monotonic() + PATIENCE_S
    while wanted not in (text := screen.text):
        assert time.monotonic() < ends, f"{key} never came to {wanted!r}:\n{text}"
        if not screen.changes_from(text, READ_S) and "press again" in text:
            screen.press(key)


def sit_down(screen: Screen) -> None:
    """From the hall to the first cards: open a lobby, add a computer player, start."""
    screen.shows("Press c to open one.")
    press_for(screen, "c", "rules> classic")
    screen.type(RULES.removeprefix("classic"))
    screen.shows(f"rules> {RULES}")
    press_for(screen, "Enter", "It takes two:")
    press_for(screen, "a", "> casual:")
    press_for(screen, "Down", "> certain:")
    press_for(screen, "Enter", "The others are ready: s starts.")
    press_for(screen, "s", "YOUR HAND")


def play_on(screen: Screen) -> str:
    """Press key after key until the deal is over; the page on which it says so."""
    turns = 0
    while "deal over" not in (text := screen.text):
        key = next_key(text)
        turns += key == "Enter" and "your turn" in text
        assert turns <= MOST_TURNS, text
        if key:
            screen.press(key)
        assert screen.changes_from(text), f"nothing goes on here:\n{text}"
    return screen.text


def a_deal_on_the_full_screen(home: Path, size: tuple[int, int]) -> str:
    """Open a lobby, play a deal in it and leave; the page with the result."""
    with practice_server() as server:
        join = shlex.join((*CLIENT, "join", str(server.address)))
        return a_deal_on(home, size, join)


def a_deal_on(home: Path, size: tuple[int, int], join: str) -> str:
    """The same on a server that is there."""
    with a_screen(home, join, size) as screen:
        sit_down(screen)
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
    play = shlex.join((str(ROOT / "scripts" / "play"), "--plain", "--rules", RULES_LINE_BY_LINE))
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


@pytest.mark.parametrize("size", ["80x24", "60x20"])
def test_a_deal_is_played_by_keys_alone_until_somebody_is_out(
    deals: dict[str, Future[str]], size: str
) -> None:
    result = deals[size].result()

    assert "one hand is empty" in result
    assert re.search(r"1st +(maya|certain) +out", result)
    assert re.search(r"2nd +(maya|certain) +\d+ cards?", result)


def test_a_deal_is_played_to_its_result_line_by_line(deals: dict[str, Future[str]]) -> None:
    lines = deals["plain"].result()

    assert "plain mode (switched on by --plain)" in lines
    assert len(re.findall(r"^RESULT: \d", lines, re.MULTILINE)) == FOUR  # of whom some may be level
