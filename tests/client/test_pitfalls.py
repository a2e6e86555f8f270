"""What goes wrong in other people's terminal programs, and is not to go wrong in this one."""

import string
import unicodedata

import pytest
from msgspec.structs import replace

from client.acts.done import Done
from client.keys.bindings import ANYWHERE, OVER, Binding
from client.keys.page_bindings import ON
from client.keys.press import with_keys
from client.screens.deeds import Act
from client.screens.desk import Desk, Field, Overlay, screen_of
from client.screens.page import draw
from client.screens.parts import plays
from client.screens.parts.cells import cells, text_of
from client.screens.parts.skin import ASCII, UNICODE
from client.state import ClientState
from protocol import events as e
from protocol.cards import Rank, Suit, read_faces
from protocol.numbers import PlayNumber, Seat
from tests.support.keyboard import LONG_AGO, after
from tests.support.scenes import scenes
from tests.support.screen_states import SIZES, a_frame, dealt, folded, played, ruled, stands

EVERY = [*ON.items(), *OVER.items()]
PAGES = [pytest.param((*bindings, *ANYWHERE), id=str(name)) for name, bindings in EVERY]
KEPT_BY_TERMINALS = {"c-s", "c-q", "c-\\", "c-m", "c-i", "c-h", "c-j", "c-w", "c-v"}
BY_NAME = {"up", "down", "left", "right", "pageup", "pagedown", "home", "end"}
RANKS_DO_IT = {Act.LEFT, Act.RIGHT, Act.UP, Act.DOWN}  # at the table: a rank's own key is quicker
ON_A_PAGE = {Act.SKIN, Act.COLOURS, Act.BELL}  # on the settings page, too, which has a letter


@pytest.mark.parametrize("bindings", PAGES)
def test_no_key_is_bound_that_terminals_keep_for_themselves(bindings: tuple[Binding, ...]) -> None:
    keys = {key for binding in bindings for key in binding.keys}

    assert keys & KEPT_BY_TERMINALS == set()


@pytest.mark.parametrize("bindings", PAGES)
def test_no_key_has_to_be_waited_for_because_a_longer_one_begins_with_it(
    bindings: tuple[Binding, ...],
) -> None:
    assert [key for binding in bindings for key in binding.keys if " " in key] == []


def needs_no_name(key: str) -> bool:
    """Whether a key gets through every terminal, multiplexer and phone."""
    return key not in BY_NAME and not (key[0] == "f" and key[1:].isdigit())


@pytest.mark.parametrize("bindings", PAGES)
def test_whatever_an_arrow_or_a_function_key_does_another_key_does_as_well(
    bindings: tuple[Binding, ...],
) -> None:
    at_table = any(binding.act is Act.PICK for binding in bindings)
    excused = ON_A_PAGE | (RANKS_DO_IT if at_table else set())
    wanted = {binding.act for binding in bindings} - excused
    reached = {binding.act for binding in bindings if any(map(needs_no_name, binding.keys))}

    assert wanted - reached == set()


NAMED = ["enter", "tab", "backspace", "up", "down", "left", "right", "pageup", "pagedown", "home"]
MORE = ["end", "delete", "insert", "escape", *(f"f{number}" for number in range(1, 13)), "c-a"]
KEYS = [*string.ascii_letters, *string.digits, *string.punctuation, " ", *NAMED, *MORE]
OPEN_FIELD = {Field.ADDRESS, Field.NAME}


@pytest.mark.parametrize(("name", "scene"), scenes().items(), ids=scenes().keys())
def test_no_key_is_met_with_silence(name: str, scene: tuple[ClientState, Desk]) -> None:
    """It does something, or the reason why not is told; only a text line is left in peace."""
    state, desk = scene
    if desk.typing is not None or desk.focus in OPEN_FIELD or screen_of(state, desk) == "first":
        return
    here = replace(desk, screen=screen_of(state, desk), screen_since=LONG_AGO)

    silent = [key for key in KEYS if after(state, key, desk=desk) == Done(desk=here)]

    assert silent == [], name


# --- glyphs ----------------------------------------------------------------------------------------

GLYPHS = [
    UNICODE.across,
    UNICODE.down,
    UNICODE.tee_up,
    UNICODE.full,
    UNICODE.empty,
    UNICODE.card,
    *UNICODE.corners,
    *UNICODE.finish,
]


@pytest.mark.parametrize("glyph", GLYPHS)
def test_a_linux_console_has_every_line_and_block(glyph: str) -> None:
    assert len(glyph.encode("cp437")) == 1


@pytest.mark.parametrize("glyph", [*GLYPHS, *UNICODE.suits.values()])
def test_every_glyph_is_one_cell_and_nothing_is_joined_to_it(glyph: str) -> None:
    assert (len(glyph), cells(glyph)) == (1, 1)


def test_the_ascii_skin_has_a_letter_for_each_suit() -> None:
    assert set(ASCII.suits) == set(Suit)
    assert all(glyph.isascii() for glyph in ASCII.suits.values())


EMOJI = range(0x1F000, 0x20000)
MODIFIERS = {0x200D, *range(0xFE00, 0xFE10)}


@pytest.mark.parametrize(("name", "scene"), scenes().items(), ids=scenes().keys())
def test_there_is_no_emoji_on_any_page(name: str, scene: tuple[ClientState, Desk]) -> None:
    state, desk = scene

    letters = "".join(text_of(line) for line in draw(with_keys(a_frame(state, desk=desk))))

    found = {letter for letter in letters if ord(letter) in EMOJI or ord(letter) in MODIFIERS}
    assert found == set(), name
    assert {unicodedata.category(letter)[0] for letter in letters} <= set("LNPSZ")


SUIT_STYLES = {f"class:{suit.name.lower()}" for suit in Suit}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("name", "scene"), scenes().items(), ids=scenes().keys())
def test_no_line_between_panes_stands_behind_a_suit(
    name: str, scene: tuple[ClientState, Desk], size: tuple[int, int]
) -> None:
    """Where a suit takes two cells, the panes stay where they are."""
    state, desk = scene

    for line in draw(with_keys(a_frame(state, size, desk=desk))):
        styles = [style for style, text in line if text.strip()]
        suits = [place for place, style in enumerate(styles) if style in SUIT_STYLES]
        behind = styles[suits[0] :] if suits else []
        assert "class:rule" not in behind, (name, text_of(line))


# --- long evenings -----------------------------------------------------------------------------------


def a_long_deal() -> ClientState:
    """Two thousand plays, every eighth of them doubted."""
    told: list[e.Event] = []
    for number in range(1, 2001):
        rank = Rank(number % 13 + 1)
        told.append(played(number, number % 6, 1, rank, turn=(number + 1) % 6))
        if number % 8:
            told.append(stands(number))
            continue
        faces = read_faces("7C")
        seat = Seat(number % 6)
        shown = e.ShownPlay(play=PlayNumber(number), seat=seat, count=1, rank=rank, faces=faces)
        told += [ruled(shown=shown), e.RevealOver()]
    return folded(told, dealt())


@pytest.mark.parametrize("overlay", [None, Overlay.LOG])
def test_only_the_lines_that_are_seen_are_written(
    overlay: Overlay | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, written = a_long_deal(), []
    line = plays._Writer.line

    def counted(writer: plays._Writer, entry: e.Event) -> object:
        written.append(entry)
        return line(writer, entry)  # type: ignore[arg-type]

    monkeypatch.setattr(plays._Writer, "line", counted)

    page = draw(with_keys(a_frame(state, desk=Desk(overlay=overlay, scrolled=500))))

    assert 0 < len(written) <= len(page)
