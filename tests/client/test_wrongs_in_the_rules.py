"""What screens, sheet and lines said of the rules that is not so, each with a test named after it."""

import pytest

from client.state import ClientState, Picked
from protocol.cards import Rank
from protocol.numbers import CardId
from protocol.rules import Challengers, TableRules
from tests.support.looking import SMALL, bar, seen
from tests.support.screen_states import dealt, folded, played

NEXT_ONLY = TableRules(challengers=Challengers.NEXT_PLAYER)


# --- cards that wait, and cards that do not ------------------------------------------------------


def after_their_ace(state: ClientState) -> ClientState:
    """The player before me has laid."""
    table = state.table.table if state.table else None
    assert table is not None
    you = state.table.you if state.table else None
    return folded((played(1, table.turn, 1, Rank.ACE, turn=you or 0),), state)


@pytest.mark.parametrize(
    "state",
    [
        pytest.param(dealt(names=("ana", "maya"), you=1), id="two players"),
        pytest.param(dealt(turn=2, rules=NEXT_ONLY), id="only the next player may doubt"),
    ],
)
def test_enter_said_lay_ready_of_cards_that_go_down_at_once(state: ClientState) -> None:
    table = after_their_ace(state)
    picked = folded((Picked(cards=(CardId(1),)),), table)

    assert "Your turn: say twos. Pick ranks, then Enter." in seen(table, size=SMALL)
    assert "Enter lay " in bar(picked)
    assert "lay ready" not in bar(picked)


def test_enter_lays_ready_what_somebody_else_may_still_prevent() -> None:
    picked = folded((Picked(cards=(CardId(1),)),), after_their_ace(dealt(turn=2)))

    assert "Enter lay ready" in bar(picked)
