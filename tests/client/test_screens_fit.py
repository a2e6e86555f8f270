"""Every page, in every size and skin, is exactly as big as the terminal and made of safe text."""

import pytest
from msgspec.structs import replace

from client.keys.press import with_keys
from client.screens.desk import Desk
from client.screens.page import draw
from client.screens.parts.cells import CURSOR, Page, text_of, width_of
from client.settings import Settings
from client.state import ClientState
from protocol.cards import Rank
from tests.support.looking import seen
from tests.support.scenes import scenes
from tests.support.screen_states import SIZES, YOU, a_frame, dealt, folded, played

SCENES = scenes()
ALL = [pytest.param(*scene, id=name) for name, scene in SCENES.items()]
EVERY_SIZE = [pytest.param(size, id=f"{size[0]}x{size[1]}") for size in SIZES]


def page_of(state: ClientState, desk: Desk, size: tuple[int, int]) -> Page:
    """The page with the keys that are live."""
    return draw(with_keys(a_frame(state, size, desk=desk)))


@pytest.mark.parametrize("size", EVERY_SIZE)
@pytest.mark.parametrize(("state", "desk"), ALL)
def test_every_line_fits(state: ClientState, desk: Desk, size: tuple[int, int]) -> None:
    page = page_of(state, desk, size)

    assert len(page) == size[1]
    assert [text_of(line) for line in page if width_of(line) > size[0]] == []


@pytest.mark.parametrize(("state", "desk"), ALL)
def test_the_ascii_skin_is_ascii_but_for_what_people_say(state: ClientState, desk: Desk) -> None:
    ascii_desk = replace(desk, settings=Settings(ascii=True))

    page = page_of(state, ascii_desk, (80, 24))

    own = [text for line in page for style, text in line if style != "class:chat"]
    assert [text for text in own if not text.isascii()] == []


@pytest.mark.parametrize(("state", "desk"), ALL)
def test_the_last_row_names_help_and_a_way_out(state: ClientState, desk: Desk) -> None:
    bar = text_of(page_of(state, desk, (60, 20))[-1])

    assert "Esc" in bar
    assert "? help" in bar or desk.typing is not None


@pytest.mark.parametrize(("state", "desk"), ALL)
def test_there_is_at_most_one_cursor(state: ClientState, desk: Desk) -> None:
    page = page_of(state, desk, (80, 24))

    cursors = [style for line in page for style, _ in line if style == CURSOR]
    assert len(cursors) <= 1


@pytest.mark.parametrize("size", [(59, 24), (80, 19), (20, 5), (1, 1)])
def test_a_terminal_that_is_too_small_gets_a_page_that_fits(size: tuple[int, int]) -> None:
    page = page_of(*SCENES["the window"], size)

    assert len(page) == size[1]
    assert all(width_of(line) <= size[0] for line in page)


def test_the_page_of_a_small_terminal_says_what_to_do() -> None:
    page = page_of(*SCENES["the window"], (50, 18))

    text = "\n".join(text_of(line) for line in page)
    assert "50x18 is too small." in text
    assert "dee: 1 x K" in text
    assert "Ctrl-C twice leaves" in text


@pytest.mark.parametrize(
    ("turn", "is_mine"), [(YOU, True), (YOU + 1, False)], ids=["mine", "another's"]
)
def test_a_terminal_that_is_too_small_did_not_say_whose_turn_it_was(
    turn: int, *, is_mine: bool
) -> None:
    assert ("It is your turn." in seen(dealt(turn=turn), size=(50, 18))) is is_mine


def test_a_small_terminal_said_nothing_of_my_turn_as_long_as_a_play_could_be_doubted() -> None:
    ace = played(1, YOU - 1, 1, Rank.ACE, turn=YOU)
    plays = (ace, replace(ace, protected_us=0))

    pages = [seen(folded((play,), dealt(turn=YOU - 1)), size=(30, 8)) for play in plays]

    assert ["b doubts" in page for page in pages] == [True, True]
    assert ["It is your turn." in page for page in pages] == [False, True]
    assert all("your seat is kept" in page for page in pages)
