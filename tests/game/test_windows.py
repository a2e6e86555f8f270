"""When windows and reveals end, and how they start again (RULES C2, C10, D5)."""

from typing import get_args

import pytest

from protocol.events import StopReason
from protocol.rules import TableRules
from server.game.actions import Action
from server.game.engine import LAWS, next_deadline, restart_window
from tests.support.deals import SECOND, AtTable, a_deal, a_table

THREE_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C")
LATER = 100 * SECOND


def in_protected_time() -> AtTable:
    """A play was just made."""
    return a_table(THREE_HANDS).play("KD")


def with_last_cards_pending() -> AtTable:
    """A seat has laid its last cards."""
    return a_table(["KD", *THREE_HANDS[1:]]).play("KD")


def in_the_reveal() -> AtTable:
    """A ruling is to be read."""
    return in_protected_time().doubt(2)


def while_stopping() -> AtTable:
    """The time of the deal is over, one window is left."""
    return in_protected_time().stop(StopReason.TIME)


@pytest.mark.parametrize(
    ("table", "seconds"),
    [
        pytest.param(in_protected_time(), 4, id="protected time"),
        pytest.param(with_last_cards_pending(), 8, id="last cards"),
        pytest.param(in_the_reveal(), 3, id="reveal"),
        pytest.param(while_stopping(), 8, id="stopping"),
    ],
)
def test_what_runs_starts_again_in_full(table: AtTable, seconds: int) -> None:
    assert next_deadline(table.deal) == seconds * SECOND

    again = restart_window(table.deal, LATER)

    assert next_deadline(again) == LATER + seconds * SECOND
    assert again.table == table.deal.table


def test_challenges_count_from_the_new_opening() -> None:
    again = restart_window(in_protected_time().deal, LATER)

    assert (again.opened_at, again.protected_until, again.reveal_until) == (
        LATER,
        LATER + 4 * SECOND,
        None,
    )


def test_protected_time_that_is_over_stays_over() -> None:
    again = restart_window(in_protected_time().time_up().deal, LATER)

    assert (again.opened_at, next_deadline(again)) == (LATER, None)


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(AtTable(a_deal(THREE_HANDS)), id="nothing played"),
        pytest.param(in_protected_time().let_go(1, 2), id="window closed"),
    ],
)
def test_with_no_window_open_nothing_starts_again(table: AtTable) -> None:
    assert restart_window(table.deal, LATER) == table.deal


def test_a_window_of_no_length_has_no_deadline() -> None:
    table = a_table(THREE_HANDS, TableRules(window_s=0)).play("KD")

    assert next_deadline(table.deal) is None
    assert table.refusal(table.a_doubt(1)) is None


def test_there_is_a_law_for_every_action() -> None:
    assert set(LAWS) == set(get_args(Action))
