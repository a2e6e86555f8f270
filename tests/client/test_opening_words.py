"""The words that open a lobby and set it up mean the same everywhere, and none is swallowed."""

import pytest

from client.plain.typed import understand
from client.screens.desk import Desk, Typing
from client.screens.editor import Editor
from client.state import Hinted
from protocol import commands as c
from tests.support.keyboard import after, hint
from tests.support.looking import seen
from tests.support.screen_states import in_lobby, online

NOW = 1000.0


def test_a_mistyped_private_once_opened_a_listed_lobby_with_that_word_as_its_password() -> None:
    opening = Desk(typing=Typing.CREATE, line=Editor().of("classic privat"))

    done = after(online(), "c-m", desk=opening)

    assert "What is 'privat'?" in hint(done)
    assert not any(isinstance(told, c.CreateLobby) for told in done.told)


@pytest.mark.parametrize(
    "typed", ["classic privat", "classic password", "britsh", "classic password a b", "private", ""]
)
def test_the_words_that_open_a_lobby_mean_the_same_on_the_screen_and_line_by_line(
    typed: str,
) -> None:
    opening = Desk(typing=Typing.CREATE, line=Editor().of(typed))

    (told,) = after(online(), "c-m", desk=opening).told

    assert told == understand(online(), f"create {typed}", NOW)


def test_the_page_shows_the_password_that_is_being_typed() -> None:
    opening = Desk(typing=Typing.CREATE, line=Editor().of("bluff private password hush"))

    page = " ".join(seen(online(), opening, size=(60, 20)).split())

    assert "; not listed in the hall; the password is hush" in page


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("set size 99", "A lobby has 2 to 10 seats"),
        ("set size", "A lobby has 2 to 10 seats"),
        ("set watchers maybe", "set watchers yes, or set watchers no"),
        ("set public 3", "set public yes, or set public no"),
        ("set shout", "up to 20 characters"),
        ("set colour red", "Say set size 6, "),
    ],
)
def test_what_a_setting_of_the_lobby_may_be_was_not_said(typed: str, told: str) -> None:
    answer = understand(in_lobby(), typed, NOW)

    assert isinstance(answer, Hinted)
    assert told in answer.text


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        pytest.param([*"bluff"], "bluff", id="the name of a preset"),
        pytest.param(
            ["space", *"private"], "classic private", id="more words for what is proposed"
        ),
        pytest.param(["c-i", "c-i", *"w6"], "w6", id="after a look at the presets"),
        pytest.param(["c-i", "space", *"private"], "pagat private", id="more words for a preset"),
        pytest.param([*".w6"], "classic.w6", id="more rules"),
        pytest.param(["end", "s"], "classics", id="going on from its end"),
    ],
)
def test_a_typed_preset_was_hung_on_to_the_one_that_was_only_proposed(
    keys: list[str], line: str
) -> None:
    """Whoever typed bluff asked for classicbluff."""
    assert after(online(), "c", *keys).desk.line.text == line


@pytest.mark.parametrize(
    "line", ["Create bluff Private Password Tea", "CREATE BLUFF PRIVATE PASSWORD Tea"]
)
def test_in_capitals_the_words_that_open_a_lobby_were_taken_for_rules(line: str) -> None:
    outcome = understand(online(), line, NOW)

    assert isinstance(outcome, c.CreateLobby)
    assert (outcome.settings.public, outcome.password) == (False, "Tea")
