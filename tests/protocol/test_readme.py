"""The page about the wire tells the truth: its tables are the types, its bytes are messages."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from protocol.codec import COMMANDS, EVENTS
from protocol.connection import ClientConnection, ServerConnection
from protocol.refusals import Refusal
from tests.protocol.examples import HELLO

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "protocol" / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(
    r"(Client to server|Server to client), (\d+) bytes:\n\n```text\n(.*?)```", re.DOTALL
)
HEX = re.compile(r"^(?:[0-9a-f]{2} ?)+", re.MULTILINE)


def exchange() -> list[tuple[str, bytes]]:
    """Who speaks, and the bytes, in the order of the page."""
    return [
        (who, bytes.fromhex(" ".join(row.group() for row in HEX.finditer(rows))))
        for who, _, rows in BLOCK.findall(PAGE)
    ]


def test_the_tables_are_those_of_the_types() -> None:
    done = subprocess.run(
        [sys.executable, "scripts/wire_tables.py", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("kind", [*COMMANDS, *EVENTS])
def test_every_message_has_its_heading(kind: str) -> None:
    assert f"#### `{kind}`\n" in PAGE


@pytest.mark.parametrize("refusal", Refusal)
def test_every_refusal_is_listed(refusal: Refusal) -> None:
    assert f"| `{refusal}` |" in PAGE


def test_what_many_fields_of_the_wire_mean_was_left_to_be_guessed() -> None:
    assert re.findall(r"^\| `\w+` \|.*\|  \|$", PAGE, re.MULTILINE) == []


def anchors() -> set[str]:
    """What a link inside the page can lead to."""
    headings = re.findall(r"^##+ (.+)$", PAGE, re.MULTILINE)
    return {re.sub(r"[^a-z0-9_ -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_leads_somewhere() -> None:
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors()


def test_what_is_never_on_the_wire_was_described_as_a_part_of_messages() -> None:
    parts = PAGE[PAGE.index("## 8. Parts") : PAGE.index("## 10. Refusals")]

    described = {name.lower() for name in re.findall(r"^#### (\w+)$", parts, re.MULTILINE)}

    assert described <= set(re.findall(r"\]\(#([^)]+)\)", PAGE))
    assert len(described) > 20


def test_the_bytes_of_the_exchange_are_as_long_as_the_page_says() -> None:
    said = [int(count) for _, count, _ in BLOCK.findall(PAGE)]

    assert [len(data) for _, data in exchange()] == said


def test_the_exchange_can_be_had() -> None:
    client, server = ClientConnection(), ServerConnection()
    client.send(HELLO)

    heard = [
        type(message).__name__
        for who, data in exchange()
        for message in (
            server.receive(data)
            if who == "Client to server"
            else [event for _, event in client.receive(data)]
        )
    ]

    assert heard == ["Hello", "Welcome", "Played", "Challenge", "Ruled", "Accepted"]
