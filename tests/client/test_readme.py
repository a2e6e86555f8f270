"""What the client's own page says is what there is."""

from pathlib import Path

import pytest

from client.command_line.options import argument_parser
from client.keys.bindings import ANYWHERE, TABLE, Binding
from client.keys.held import DELAY_S, REPEAT_S
from client.plain.typed import WORDS
from client.selectors import FRESH_S
from client.settings import DEFAULTS, SETTINGS, Kind, Setting, value_of

PAGE = (Path(__file__).parents[2] / "client" / "README.md").read_text("utf-8")
PLAIN = PAGE.partition("## Plain mode")[2].partition("## How")[0]
KEYS = PAGE.partition("## Keys")[2].partition("## Plain mode")[0]
NAMES = {"escape": "Esc", "c-g": "Ctrl-G", "c-l": "Ctrl-L", "c-c": "Ctrl-C", "c-d": "Ctrl-D"}
BESIDE = {"<sigint>", "tab", "down", "+", "c-z"}  # twins, and what the page need not teach


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_every_word_of_the_plain_client_is_on_the_page(word: object) -> None:
    assert getattr(word, "name", "") in PLAIN


def values_of(setting: Setting) -> str:
    """The values as the page lists them, the default in bold."""
    default = value_of(DEFAULTS, setting.name)
    if setting.kind is Kind.NAME:
        return "letters A to Z, digits, spaces, - and _"
    if setting.kind is Kind.SWITCH:
        return ", ".join(
            f"**{word}**" if word == str(default).lower() else word for word in ("true", "false")
        )
    return ", ".join(
        f"**`{value}`**" if value == default else f"`{value}`" for value in setting.values
    )


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_an_option_and_on_the_page(setting: Setting) -> None:
    name = setting.name
    names = f"| `--{name}` | `FACEDOWN_{name.upper()}` | `{name}` |"

    assert f"{names} {values_of(setting)} | {setting.about} |" in PAGE
    assert f"--{name}" in argument_parser().format_help()


@pytest.mark.parametrize("binding", [*TABLE, *ANYWHERE], ids=lambda binding: binding.act)
def test_every_key_of_the_table_is_on_the_page(binding: Binding) -> None:
    for key in binding.keys:
        if key in BESIDE:
            continue
        name = NAMES.get(key, key)
        shown = {f"`{name}`", f" {name.upper()} ", f" {name.capitalize()}", f" {name}"}
        assert any(spelling in KEYS for spelling in shown) or (
            key in "3456789" and "`2`-`9`" in KEYS
        ), key


def test_it_was_said_that_a_key_held_down_counts_once_however_late_it_repeats() -> None:
    said = " ".join(KEYS.split())

    assert f"not within {FRESH_S * 1000:.0f} ms of a newer one" in said
    assert f"again within {REPEAT_S} s counts as held down" in said
    assert f"again within {DELAY_S} s, by which time most keyboards begin to repeat" in said
