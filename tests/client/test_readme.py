"""What the client's own page says is what there is."""

from dataclasses import fields
from pathlib import Path

import pytest

from client.config import Settings
from client.options import argument_parser
from client.plain.typed import WORDS

PAGE = (Path(__file__).parents[2] / "client" / "README.md").read_text("utf-8")
PLAIN = PAGE.partition("## Plain mode")[2].partition("## How")[0]


@pytest.mark.parametrize("word", WORDS, ids=lambda word: word.name)
def test_every_word_of_the_plain_client_is_on_the_page(word: object) -> None:
    assert getattr(word, "name", "") in PLAIN


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_is_an_option_and_on_the_page(name: str) -> None:
    assert f"`--{name}` | `FACEDOWN_{name.upper()}` | `{name}`" in PAGE
    assert f"--{name}" in argument_parser().format_help()
