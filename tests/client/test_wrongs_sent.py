"""Wrongs of what was sent, or never answered, each with a test named after it."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from client.intents import in_lobby as lobby
from client.intents.shared import Intent
from client.start.opening import Plan, to_host, to_join, to_practise
from client.state import Hinted
from client.way_in.address import read_address
from protocol import commands as c
from protocol.codec import decode_command, encode_command
from protocol.framing import PREFIX
from protocol.numbers import CommandNumber
from tests.support.screen_states import online


def commands_of(outcome: Intent | Plan) -> Iterator[c.AnyCommand]:
    """What would be sent, under some number."""
    steps = outcome.steps if isinstance(outcome, Plan) else (outcome,)
    yield from (replace(step, n=CommandNumber(1)) for step in steps if isinstance(step, c.Command))


@pytest.mark.parametrize(
    "outcome",
    [
        pytest.param(to_join("FOX-42", password=""), id="an empty password"),
        pytest.param(to_join("FOX-42", password="x" * 70), id="a long password"),
        pytest.param(to_join("FOX-42", password="\udcff"), id="a password that is no text"),  # noqa: S106
        pytest.param(to_host(""), id="hosting with empty rules"),
        pytest.param(to_practise(""), id="practice with empty rules"),
        pytest.param(lobby.join(online(), "ß" * 24), id="a code that is longer in capitals"),
        pytest.param(lobby.join(online(), "FOX\udcff"), id="a code that is no text"),
        pytest.param(lobby.join(online(), "FOX-42", password="x" * 70), id="a long one, typed"),
    ],
)
def test_what_a_server_cannot_read_was_sent_and_sent_again_for_ever(outcome: Intent | Plan) -> None:
    for command in commands_of(outcome):
        read = decode_command(encode_command(command)[PREFIX:])

        assert read == command


@pytest.mark.parametrize("code", ["ß" * 24, "FOX\udcff"])
def test_a_code_that_no_lobby_can_have_was_asked_for_all_the_same(code: str) -> None:
    assert isinstance(lobby.join(online(), code), Hinted)
    with pytest.raises(ValueError, match="looks like FOX-42"):
        read_address(f"pi/{code}")
