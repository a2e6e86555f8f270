"""A race that takes long, on a busy machine, goes on over the end of a deal."""

import contextlib
from collections.abc import Callable
from random import Random

import pytest

from racing import driving, trials
from racing.driving import Steps, drive
from racing.server_process import a_server
from racing.table import tables
from racing.tally import Cell, Progress, Tally
from racing.trials import Race

DISTANCE_US = 1_000
Kind = Callable[[Race], Steps]


@pytest.mark.parametrize(
    ("rules", "kind"),
    [
        pytest.param(
            trials.CALLS_RULES, lambda race: trials.call_trials(race, 8, (2,)), id="calls"
        ),
        pytest.param(trials.CARDS_RULES, lambda race: trials.card_trials(race, 8), id="cards"),
    ],
)
def test_a_race_once_waited_in_vain_for_a_late_call_of_the_last_play_that_a_deal_may_have(
    rules: str, kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(driving, "PATIENCE_S", 20.0)
    tally = Tally()
    cell = Cell()
    with a_server() as address, contextlib.ExitStack() as stack:
        (table,) = tables(address, [f"{rules}.plays-3"], 4, "few")
        for player in table.players:
            stack.enter_context(player.socket)
        drive(table.players, iter([table.gather()]))
        race = Race(
            table=table,
            tally=tally,
            cell=cell,
            name="of a few plays",
            distance_us=DISTANCE_US,
            rng=Random(7),
            progress=Progress(8),
        )

        drive(table.players, iter([kind(race)]))

    assert table.deals > 1
    assert cell.trials + cell.late + cell.together + cell.unclear >= 8
    assert not tally.wrong
