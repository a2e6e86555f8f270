"""Deals won and matches, as the pages and the lines tell of them (RULES B22)."""

from typing import Any

import pytest
from msgspec.structs import replace

from client.plain.after_lines import match_lines
from client.plain.lobby_reports import listing_line
from client.screens.page import draw
from client.state import ClientState
from protocol import events as e
from protocol.rules import TableRules
from tests.support.scenes import a_full_hall
from tests.support.screen_states import a_frame, folded, in_lobby, lobby_state, online, texts


@pytest.mark.parametrize(
    ("lobby", "said"),
    [
        pytest.param({"deals": 0}, "WON: ana 2, bo 1.", id="no match"),
        pytest.param(
            {"deals": 2, "rules": TableRules(match_wins=3)},
            "MATCH: it goes to 3 deals won. Won: ana 2, bo 1.",
            id="a match",
        ),
        pytest.param(
            {"deals": 0, "rules": TableRules(match_wins=3)},
            "MATCH: it goes to 3 deals won. Won: none yet.",
            id="a match to come",
        ),
        pytest.param(
            {"deals": 3, "match_winner": "ana"},
            "MATCH: ana wins the match. Won: ana 2, bo 1.",
            id="a match won, and no other to come",
        ),
    ],
)
def test_who_had_won_before_was_not_said_where_there_is_no_match(
    lobby: dict[str, Any], said: str
) -> None:
    seats = (e.LobbySeat(name="ana", wins=2), e.LobbySeat(name="bo", wins=1))
    state = folded((e.LobbyChanged(lobby=replace(lobby_state(seats=seats), **lobby)),), online())

    assert list(match_lines(state)) == [said]


@pytest.mark.parametrize(
    ("over", "stage"),
    [(e.LobbyStage.BETWEEN_DEALS, "between deals"), (e.LobbyStage.MATCH_OVER, "match over")],
    ids=["a deal", "a match"],
)
def test_a_lobby_whose_next_rules_are_without_a_match_hid_that_one_was_over(
    over: e.LobbyStage, stage: str
) -> None:
    rules = TableRules()
    (first, *_) = a_full_hall().hall.lobbies
    listing = replace(first, stage=over, rules=rules)
    hall = folded((e.HallChanged(online=1, lobbies=(listing,)),), online())

    def seen(state: ClientState) -> str:
        return "\n".join(texts(draw(a_frame(state, (80, 24)))))

    assert f"FOX-42  {stage}" in seen(in_lobby(lobby_state(rules=rules, stage=over)))
    assert stage in seen(hall)
    assert f", {stage}, " in listing_line(listing)
