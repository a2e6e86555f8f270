"""Votes at a table: more than half of those with a seat and a line (RULES D6)."""

import pytest

from protocol.events import VoteOn, VoteState
from server.table.votes import Vote


def a_vote(*voters: str) -> Vote:
    return Vote(
        number=1, on=VoteOn.END_DEAL, by="ana", voters=frozenset(voters), ends_at=60_000_000
    )


@pytest.mark.parametrize(
    ("voters", "needed"),
    [
        pytest.param(1, 1, id="alone"),
        pytest.param(2, 2, id="both of two"),
        pytest.param(3, 2, id="two of three"),
        pytest.param(4, 3, id="three of four, for half is not more than half"),
        pytest.param(10, 6, id="six of ten"),
    ],
)
def test_more_than_half_must_be_for_it(voters: int, needed: int) -> None:
    names = [f"p{number}" for number in range(voters)]
    vote = a_vote(*names)

    for name in names[: needed - 1]:
        vote = vote.cast(name, yes=True)
    assert vote.needed == needed
    assert vote.passed is not True

    assert vote.cast(names[needed - 1], yes=True).passed is True


def test_a_vote_is_lost_as_soon_as_it_cannot_be_won() -> None:
    vote = a_vote("ana", "bo", "cy", "dee").cast("bo", yes=False)
    assert vote.passed is None

    assert vote.cast("cy", yes=False).passed is False


def test_a_vote_that_somebody_is_for_is_lost_once_too_few_are_undecided() -> None:
    vote = a_vote("ana", "bo", "cy", "dee").cast("ana", yes=True).cast("bo", yes=False)
    assert vote.passed is None

    assert vote.cast("cy", yes=False).passed is False


def test_a_second_vote_replaces_the_first() -> None:
    vote = a_vote("ana", "bo", "cy").cast("ana", yes=True)

    changed = vote.cast("ana", yes=False)

    assert (changed.yes, changed.no) == (frozenset(), frozenset({"ana"}))
    assert changed.cast("ana", yes=True) == vote


def test_voting_twice_counts_once() -> None:
    vote = a_vote("ana", "bo", "cy").cast("ana", yes=True).cast("ana", yes=True)

    assert vote.passed is None


def test_whoever_is_gone_no_longer_counts_and_may_decide_it_by_that() -> None:
    vote = a_vote("ana", "bo", "cy", "dee").cast("ana", yes=True).cast("bo", yes=True)
    assert vote.passed is None

    assert vote.without("dee").passed is True


def test_the_yes_of_somebody_who_is_gone_goes_with_them() -> None:
    vote = a_vote("ana", "bo", "cy").cast("ana", yes=True).without("ana")

    assert (vote.voters, vote.yes) == (frozenset({"bo", "cy"}), frozenset())
    assert vote.needed == 2


def test_a_vote_with_nobody_left_is_lost() -> None:
    assert a_vote("ana").cast("ana", yes=True).without("ana").passed is False


def test_everybody_is_told_how_it_stands_but_not_who_voted_how() -> None:
    vote = a_vote("ana", "bo", "cy", "dee").cast("ana", yes=True).cast("cy", yes=False)

    assert vote.state(20_000_000, passed=None) == VoteState(
        vote=1, on=VoteOn.END_DEAL, by="ana", yes=1, no=1, needed=3, left_us=40_000_000
    )


def test_a_vote_that_is_over_has_no_time_left() -> None:
    state = a_vote("ana", "bo").state(61_000_000, passed=False)

    assert (state.left_us, state.passed) == (0, False)
