"""Evenings on which the server itself fails here and there: nobody else is worse off, and nothing is lost."""

import time

import pytest

from server.table.table import Table
from tests.simulation.evening import checked
from tests.simulation.slips import with_slips
from tests.simulation.test_evenings import FRESH, PATIENCE_S

PARTS = 2
CPU_S = 6.0  # of each part


@pytest.mark.timeout(PATIENCE_S)
@pytest.mark.parametrize("part", range(PARTS))
def test_what_fails_inside_the_server_stays_where_it_is(part: int) -> None:
    began, slips, number = time.process_time(), 0, 0

    while time.process_time() - began < CPU_S:
        seed = f"{FRESH}-slips-{part}-{number}"
        report, made = with_slips(seed)
        checked(report, again=f"tests.simulation.slips.with_slips({seed!r}): {', '.join(made)}")
        slips += len(made)
        number += 1

    assert slips > number


def test_the_same_seed_makes_the_same_slips() -> None:
    first, second = with_slips("the same"), with_slips("the same")

    assert first[1] == second[1] != []
    assert first[0].digest == second[0].digest


def test_a_server_that_did_not_answer_whom_it_failed_would_be_found_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Table, "answer_all_after_fault", lambda _: None)

    wrongs = [
        wrong for number in range(12) for wrong in with_slips(f"found out-{number}")[0].wrongs
    ]

    assert any("without an answer" in wrong for wrong in wrongs)


def test_who_had_left_and_whose_leaving_was_on_its_way_to_the_disk_was_to_be_told_of_it_already() -> (
    None
):
    assert with_slips("rs3-b-186")[0].wrongs == ()
