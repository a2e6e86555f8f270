"""The rules as written in server/game/RULES.md, held to the code that cites and plays them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import asdict

from client.rule_sheet.sheet import rule_sheet
from protocol.codes import SPELLINGS, Spelling, Value
from protocol.refusals import Refusal, explained
from protocol.rules import CLASSIC, PRESETS

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "server" / "game" / "RULES.md").read_text(encoding="utf-8")
CODE = ("client", "protocol", "server", "scripts", "tests")
NUMBER = r"[A-E]\d{1,2}"
CITED = re.compile(rf"RULES ({NUMBER}(?:(?:, | to | and | or ){NUMBER})*)")
ON_THE_SHEET = re.compile(rf"\(({NUMBER}\*?(?:, {NUMBER}\*?)*)\)")
IN_ORDER = re.findall(rf"^(?:- )?\*\*({NUMBER})\b", PAGE, re.MULTILINE)
CLAUSES = frozenset(IN_ORDER)
PINNED = re.compile(r"^def test_e(\d\d)_", re.MULTILINE)  # the name of a test of a case in RULES E
ROW = re.compile(r"^\| `([\w-]+)` \| ([^|]+?) \|", re.MULTILINE)
ROWS, CHANGES = (dict(ROW.findall(half)) for half in PAGE.split("| preset | changes |"))
CHANGED = re.compile(r"`(\w+)` (\w+)")


def test_a_clause_was_cited_that_stood_nowhere() -> None:
    cited = {(clause, name) for name, text in sources() for clause in clauses_cited(text)}
    of_refusals = {(explained(refusal).clause, refusal) for refusal in Refusal}

    unknown = {pair for pair in cited | of_refusals if pair[0] not in CLAUSES | {""}}

    assert unknown == set()


def test_the_cases_had_no_numbers_that_could_be_cited() -> None:
    written = [int(clause[1:]) for clause in IN_ORDER if clause[0] == "E"]

    pinned = {int(case) for _, text in sources() for case in PINNED.findall(text)}

    assert written == list(range(1, 26))
    assert pinned == set(written)


def test_citations_are_found() -> None:
    assert clauses_cited("who is first (RULES C5, C6); places (RULES A15 to A17)") == {
        *("C5", "C6"),
        *("A15", "A17"),
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_the_rule_sheet_names_clauses_that_are_written_down(preset: str) -> None:
    sheet = " ".join(rule_sheet(PRESETS[preset]))

    named = {clause for found in ON_THE_SHEET.findall(sheet) for clause in found.split(", ")}

    assert len(named) > 20
    assert {clause.rstrip("*") for clause in named} <= CLAUSES


@pytest.mark.parametrize("spelling", SPELLINGS, ids=lambda spelling: spelling.field)
def test_an_option_is_written_down_with_its_default_and_its_values(spelling: Spelling) -> None:
    default, *_ = values = ROWS[spelling.field].split(", ")

    assert default == as_written(asdict(CLASSIC)[spelling.field])
    assert {as_written(value) for value in spelling.words} <= {value.split()[0] for value in values}
    if spelling.numbers:
        assert f"{spelling.numbers[0]}…{spelling.numbers[-1]}" in values


@pytest.mark.parametrize("preset", [name for name in PRESETS if name != "classic"])
def test_a_preset_is_written_down_with_what_it_changes(preset: str) -> None:
    classic, rules = asdict(CLASSIC), asdict(PRESETS[preset])

    written = dict(CHANGED.findall(CHANGES[preset]))

    assert written == {
        name: as_written(value) for name, value in rules.items() if value != classic[name]
    }


def sources() -> Iterator[tuple[str, str]]:
    for folder in CODE:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def clauses_cited(text: str) -> set[str]:
    return {clause for found in CITED.findall(text) for clause in re.findall(NUMBER, found)}


def as_written(value: Value) -> str:
    """A value as people read it: on and off instead of true, false and nothing."""
    if value is None or isinstance(value, bool):
        return "on" if value else "off"
    return str(value)
