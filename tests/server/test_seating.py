"""Seats, readiness and wins as pure functions on a lobby's state (RULES A1, B22, D2, D6 to D8)."""

from random import Random

import pytest
from msgspec.structs import replace

from protocol.events import LobbySeat, LobbySettings, LobbyStage, LobbyState, SeatKind
from protocol.refusals import Refusal
from protocol.rules import TableRules
from server.lobby import seating
from server.lobby.seating import NotAllowed


def a_lobby(*names: str, size: int = 10, match_wins: int = 1, watchers: bool = True) -> LobbyState:
    return LobbyState(
        code="FOX-42",
        rules=TableRules(match_wins=match_wins),
        settings=LobbySettings(size=size, watchers=watchers),
        host=names[0] if names else "ana",
        stage=LobbyStage.GATHERING,
        seats=tuple(LobbySeat(name=name) for name in names),
    )


def names_of(state: LobbyState) -> list[str]:
    return [seat.name for seat in state.seats]


def wins_of(state: LobbyState) -> dict[str, int]:
    return {seat.name: seat.wins for seat in state.seats}


def after(state: LobbyState, *winners: str) -> LobbyState:
    """The lobby once a deal by its rules has been played."""
    return seating.deal_over(seating.dealt(state), winners, state.rules.match_wins)


def all_ready(state: LobbyState) -> LobbyState:
    return replace(state, seats=tuple(replace(seat, ready=True) for seat in state.seats))


# --- who sits where -----------------------------------------------------------------------------


def test_whoever_sits_down_gets_the_next_seat_and_no_longer_watches() -> None:
    state = replace(a_lobby("ana"), watching=("bo", "cy"))

    state = seating.with_person(state, "bo")

    assert names_of(state) == ["ana", "bo"]
    assert state.watching == ("cy",)


def test_a_full_lobby_has_no_seat_left() -> None:
    state = a_lobby("ana", "bo", size=2)

    with pytest.raises(NotAllowed) as no:
        seating.with_person(state, "cy")

    assert no.value.refusal is Refusal.LOBBY_FULL


def test_a_full_lobby_has_no_seat_for_a_computer_player_either() -> None:
    with pytest.raises(NotAllowed) as no:
        seating.with_computer(a_lobby("ana", "bo", size=2), "casual")

    assert no.value.refusal is Refusal.TOO_FEW_SEATS


def test_standing_up_to_watch_frees_the_seat() -> None:
    state = seating.with_watcher(a_lobby("ana", "bo"), "bo", most=50)

    assert names_of(state) == ["ana"]
    assert state.watching == ("bo",)


@pytest.mark.parametrize(
    ("watchers", "most", "refusal"),
    [
        pytest.param(False, 50, Refusal.NO_WATCHERS, id="the host wants none"),
        pytest.param(True, 1, Refusal.TOO_MANY_WATCH, id="there are enough"),
    ],
)
def test_watching_may_be_refused(most: int, refusal: Refusal, *, watchers: bool) -> None:
    state = replace(a_lobby("ana", watchers=watchers), watching=("bo",))

    with pytest.raises(NotAllowed) as no:
        seating.with_watcher(state, "cy", most)

    assert no.value.refusal is refusal


def test_somebody_who_is_gone_is_gone_everywhere() -> None:
    state = replace(a_lobby("ana", "bo"), watching=("bo", "cy"), asking=("bo", "cy"))

    state = seating.without(state, "bo")

    assert (names_of(state), state.watching, state.asking) == (["ana"], ("cy",), ("cy",))


def test_computer_players_are_told_apart_by_a_number() -> None:
    state = a_lobby("ana")

    for temperament in ("casual", "casual", "certain", "casual"):
        state, _ = seating.with_computer(state, temperament)
    state = seating.without(state, "casual-2")
    state, name = seating.with_computer(state, "casual")

    assert name == "casual-2"
    assert names_of(state) == ["ana", "casual", "certain", "casual-3", "casual-2"]


def test_a_computer_player_is_ready_at_once() -> None:
    state, _ = seating.with_computer(a_lobby("ana"), "casual")

    seat = seating.seat_named(state, "casual")

    assert seat == LobbySeat(
        name="casual", kind=SeatKind.COMPUTER, temperament="casual", ready=True
    )


def test_nobody_has_the_seat_of_somebody_who_is_not_there() -> None:
    assert seating.seat_named(a_lobby("ana"), "bo") is None


def test_shuffling_changes_the_order_and_nothing_else() -> None:
    before = a_lobby("ana", "bo", "cy", "dee", "ed")

    after = seating.shuffled(before, Random(7))

    assert names_of(after) != names_of(before)
    assert sorted(after.seats, key=lambda seat: seat.name) == list(before.seats)


# --- who is ready (RULES D6) --------------------------------------------------------------------


def test_readiness_is_ones_own() -> None:
    state = seating.ready(a_lobby("ana", "bo"), "bo", is_ready=True)

    assert [seat.ready for seat in state.seats] == [False, True]


def test_a_seat_that_loses_its_line_is_no_longer_ready_and_does_not_become_so_by_coming_back() -> (
    None
):
    state = all_ready(a_lobby("ana", "bo"))

    lost = seating.connected(state, "bo", is_connected=False)
    back = seating.connected(lost, "bo", is_connected=True)

    assert [(seat.connected, seat.ready) for seat in lost.seats] == [(True, True), (False, False)]
    assert [(seat.connected, seat.ready) for seat in back.seats] == [(True, True), (True, False)]


def test_the_host_who_starts_is_ready_by_that() -> None:
    state = seating.ready(a_lobby("ana", "bo"), "bo", is_ready=True)

    assert [seat.name for seat in seating.who_plays(state, anyway=False)] == ["ana", "bo"]


def test_a_deal_does_not_start_without_those_who_are_not_ready_and_says_who_they_are() -> None:
    state = seating.ready(a_lobby("ana", "bo", "cy", "dee"), "cy", is_ready=True)

    with pytest.raises(NotAllowed) as no:
        seating.who_plays(state, anyway=False)

    assert no.value.refusal is Refusal.NOT_READY
    assert no.value.detail == "Still waiting for: bo, dee."


def test_anyway_deals_to_those_who_are_ready() -> None:
    state = seating.ready(a_lobby("ana", "bo", "cy"), "cy", is_ready=True)

    assert [seat.name for seat in seating.who_plays(state, anyway=True)] == ["ana", "cy"]


@pytest.mark.parametrize("anyway", [True, False], ids=["anyway", "all ready"])
def test_nobody_plays_alone(*, anyway: bool) -> None:
    with pytest.raises(NotAllowed) as no:
        seating.who_plays(a_lobby("ana"), anyway=anyway)

    assert no.value.refusal is Refusal.TOO_FEW_PLAYERS


def test_a_host_without_a_line_is_not_ready() -> None:
    state = all_ready(a_lobby("ana", "bo", "cy"))
    state = seating.connected(state, "ana", is_connected=False)

    assert [seat.name for seat in seating.who_plays(state, anyway=True)] == ["bo", "cy"]


# --- wins and matches (RULES B22, D7) -----------------------------------------------------------


def test_a_deal_is_counted_when_it_begins() -> None:
    state = seating.dealt(a_lobby("ana", "bo", match_wins=3))

    assert (state.stage, state.deals) == (LobbyStage.PLAYING, 1)


def test_a_win_short_of_the_goal_does_not_end_the_match() -> None:
    state = after(a_lobby("ana", "bo", match_wins=2), "bo")

    assert wins_of(state) == {"ana": 0, "bo": 1}
    assert (state.stage, state.match_winner) == (LobbyStage.BETWEEN_DEALS, None)


def test_the_match_is_over_when_one_leads_with_the_goal() -> None:
    state = after(after(a_lobby("ana", "bo", match_wins=2), "bo"), "bo")

    assert (state.stage, state.match_winner) == (LobbyStage.MATCH_OVER, "bo")


def test_two_who_reach_the_goal_together_play_one_more_deal_that_anybody_may_win() -> None:
    level = after(after(a_lobby("ana", "bo", "cy", match_wins=2), "ana", "bo"), "ana", "bo")
    assert (level.stage, level.match_winner) == (LobbyStage.BETWEEN_DEALS, None)

    more = after(after(level, "cy"), "cy")
    decided = after(more, "cy")

    assert (more.stage, wins_of(more)) == (
        LobbyStage.BETWEEN_DEALS,
        {"ana": 2, "bo": 2, "cy": 2},
    )
    assert decided.match_winner == "cy"


def test_a_deal_that_nobody_wins_leaves_the_score_as_it_was() -> None:
    state = after(a_lobby("ana", "bo"))

    assert wins_of(state) == {"ana": 0, "bo": 0}
    assert state.stage is LobbyStage.BETWEEN_DEALS


def test_a_win_of_somebody_who_has_left_the_lobby_counts_for_nobody() -> None:
    state = after(a_lobby("ana", "bo"), "gone")

    assert wins_of(state) == {"ana": 0, "bo": 0}


def test_after_a_match_the_next_deal_begins_a_new_one() -> None:
    over = after(after(a_lobby("ana", "bo", match_wins=2), "bo"), "bo")

    state = seating.dealt(over)

    assert (state.deals, state.match_winner, wins_of(state)) == (1, None, {"ana": 0, "bo": 0})


def test_between_deals_of_a_match_the_score_is_kept() -> None:
    state = seating.dealt(after(a_lobby("ana", "bo", match_wins=3), "bo"))

    assert (state.deals, wins_of(state)) == (2, {"ana": 0, "bo": 1})


def test_each_deal_of_an_evening_without_a_match_forgot_who_had_won_before() -> None:
    state = after(after(after(a_lobby("ana", "bo"), "bo"), "ana"), "bo")

    assert wins_of(state) == {"ana": 1, "bo": 2}
    assert (state.stage, state.match_winner) == (LobbyStage.BETWEEN_DEALS, None)


def test_wins_before_a_match_are_no_wins_in_it() -> None:
    evening = after(after(a_lobby("ana", "bo"), "bo"), "bo")

    state = after(replace(evening, rules=TableRules(match_wins=2)), "ana")

    assert (state.deals, wins_of(state)) == (1, {"ana": 1, "bo": 0})


def test_a_match_that_is_given_up_leaves_its_wins_to_the_evening() -> None:
    match = after(a_lobby("ana", "bo", match_wins=3), "bo")

    evening = after(replace(match, rules=TableRules()), "bo")
    again = seating.dealt(replace(evening, rules=TableRules(match_wins=3)))

    assert (evening.deals, evening.match_winner, wins_of(evening)) == (0, None, {"ana": 0, "bo": 2})
    assert (again.deals, wins_of(again)) == (1, {"ana": 0, "bo": 0})


def test_rules_set_during_a_deal_decided_that_deals_match() -> None:
    state = seating.dealt(a_lobby("ana", "bo", match_wins=3))
    for_the_next = replace(state, rules=TableRules(match_wins=2))

    first = seating.deal_over(for_the_next, ("bo",), 3)
    second = seating.deal_over(seating.dealt(first), ("bo",), 3)

    assert (second.stage, second.match_winner) == (LobbyStage.BETWEEN_DEALS, None)


# --- who sits where somebody sat (RULES A4) -------------------------------------------------------


@pytest.mark.parametrize(
    ("now", "there"),
    [
        pytest.param(("ana", "bo", "cy"), "bo", id="the same"),
        pytest.param(("cy", "bo", "ana"), "bo", id="in another seat"),
        pytest.param(("ana", "dee", "cy"), "dee", id="somebody who took the seat over"),
        pytest.param(("ana", "cy"), None, id="nobody, if the seat is gone"),
        pytest.param(("ana", "cy", "dee"), None, id="not whoever sat down elsewhere"),
        pytest.param((), None, id="nobody at all"),
    ],
)
def test_a_seat_is_found_again_though_its_player_has_left(
    now: tuple[str, ...], there: str | None
) -> None:
    before, after = a_lobby("ana", "bo", "cy"), a_lobby(*now)

    assert seating.still_there(before, after, "bo") == there


@pytest.mark.parametrize(
    ("now", "left"),
    [
        pytest.param(("ana", "cy"), "cy", id="who sat there"),
        pytest.param(("ana", "dee"), "ana", id="the next one, if that one is gone too"),
        pytest.param(("dee",), None, id="nobody who sat there is left"),
        pytest.param((), None, id="nobody at all"),
    ],
)
def test_who_sat_on_the_left_of_a_seat_that_is_gone(now: tuple[str, ...], left: str | None) -> None:
    before, after = a_lobby("ana", "bo", "cy"), a_lobby(*now)

    assert seating.left_of(before, after, "bo") == left


def test_after_a_deal_people_must_be_ready_again_and_nobody_asks_for_a_seat_any_more() -> None:
    state, _ = seating.with_computer(all_ready(a_lobby("ana", "bo")), "casual")
    state = replace(state, asking=("dee",))

    state = after(state, "bo")

    assert [seat.ready for seat in state.seats] == [False, False, True]
    assert state.asking == ()


def test_an_empty_lobby_has_no_match_winner() -> None:
    state = after(a_lobby(match_wins=2))

    assert state.match_winner is None
