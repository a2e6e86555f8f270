"""Computer players bring deals to an end: where the rank stays, and down to the last place (RULES B7, B8, B16)."""

import re
from pathlib import Path
from random import Random
from statistics import median

import pytest

from protocol import events as e
from protocol.codes import parse_rules
from protocol.rules import PRESETS
from server.bots import registry
from server.bots.registry import TEMPERAMENTS
from server.game.deal import Deal
from tests.support.bot_deals import deals_along, new_table

DEALS = 4
CAP = 600
BOTS = tuple(TEMPERAMENTS.values())
PAGE = Path(registry.__file__).with_name("README.md").read_text(encoding="utf-8")


def the_end_of(rules: str, players: int, seed: int) -> Deal:
    """A deal of players of all kinds, once it is over."""
    rng = Random(seed)
    deal = new_table(parse_rules(rules), players, rng, CAP)
    bots = [BOTS[(seed + seat) % len(BOTS)] for seat in range(players)]
    *_, deal = deals_along(deal, bots, rng, 10 * CAP)
    return deal


def reasons_of(ends: list[Deal]) -> list[e.StopReason]:
    return [entry.reason for deal in ends for entry in deal.log if isinstance(entry, e.DealOver)]


@pytest.mark.parametrize("players", range(3, 7))
@pytest.mark.parametrize("rules", ["bluff", "bluff-pass", "same"])
def test_where_the_rank_stays_deals_of_computer_players_never_ended(
    rules: str, players: int
) -> None:
    ends = [the_end_of(rules, players, seed) for seed in range(DEALS)]

    assert reasons_of(ends) == [e.StopReason.OUT] * DEALS
    assert median(deal.table.newest for deal in ends) < CAP / 2


@pytest.mark.parametrize("players", range(3, 7))
def test_two_who_were_left_took_the_pile_from_each_other_for_ever(players: int) -> None:
    ends = [the_end_of("for-places", players, seed) for seed in range(2 * DEALS)]

    assert reasons_of(ends) == [e.StopReason.OUT] * len(ends)
    assert median(deal.table.newest for deal in ends) < CAP / 2


def test_the_page_about_them_had_figures_of_players_who_play_otherwise_now() -> None:
    of_tables = (
        figures_of([the_end_of("classic", players, seed) for seed in range(100)])
        for players in range(3, 7)
    )

    assert f"| `classic` | {' | '.join(of_tables)} |" in PAGE


def figures_of(ends: list[Deal]) -> str:
    """How many were won, and after how many plays in the median."""
    plays = [deal.table.newest for deal in ends if reasons_of([deal]) == [e.StopReason.OUT]]
    return f"{len(plays)}, {int(median(plays) + 0.5)}"


def test_the_page_about_them_tells_of_every_preset_that_is_played_in_another_way() -> None:
    paced = {"evening", "family"}  # another pace, and the same play

    told = re.findall(r"^\| `([\w-]+)` \| \d", PAGE, re.MULTILINE)

    assert told == [name for name in PRESETS if name not in paced]
    assert all(f"| `{name}` |" in PAGE for name in TEMPERAMENTS)
