"""Votes as a table counts them, and what comes of them (RULES D6)."""

from typing import TYPE_CHECKING

from protocol import events as e
from protocol.numbers import MICROS, PlayNumber
from server.person import Person
from server.table.halts import Wish, begin_wanted_pause, go_on, is_paused
from server.table.votes import Vote

if TYPE_CHECKING:
    from server.table.table import Table

FIRST_VOTE_OFFER = 150  # plays until a vote to end the deal is first offered (RULES B21)
VOTE_OFFER_EVERY = 50  # plays from one offer to the next


async def open_vote(table: "Table", on: e.VoteOn, by: str, voters: frozenset[str]) -> None:
    """Let these people vote; whoever calls the vote is for it."""
    table.votes += 1
    ends_at = table.now + int(table.settings.vote_s * MICROS)
    vote = Vote(number=table.votes, on=on, by=by, voters=voters, ends_at=ends_at)
    await count_votes(table, vote.cast(by, yes=True), table.now)


async def count_votes(table: "Table", vote: Vote, at: int, *, final: bool = False) -> None:
    """Tell how a vote stands now and, once it is decided or over, do what it says (RULES D6)."""
    passed = False if final and vote.passed is None else vote.passed
    table.vote = vote if passed is None else None
    table.tell_all(vote.state(at, passed=passed))
    if passed is False:
        table.no_vote_before[vote.by] = at + int(table.settings.vote_s * MICROS)
    elif passed and vote.on is e.VoteOn.PAUSE and not is_paused(table):
        table.pause_wanted = Wish(by=vote.by, voted=True)
        begin_wanted_pause(table)
    elif passed and vote.on is e.VoteOn.END_DEAL:
        await _end_deal(table, at)


async def _end_deal(table: "Table", at: int) -> None:
    """End the deal as soon as no challenge is being decided, even if the table is paused."""
    table.pause_wanted = None  # else going on would begin it
    if table.halt is not None:
        await go_on(table, table.halt, at)
    table.stop_at, table.stop_reason = min(at, table.stop_at), e.StopReason.VOTE


def offer_vote(table: "Table", plays: PlayNumber) -> None:
    """Remind everybody, after so many plays, that they may vote to end the deal (RULES B21)."""
    if plays >= FIRST_VOTE_OFFER and (plays - FIRST_VOTE_OFFER) % VOTE_OFFER_EVERY == 0:
        table.tell_all(e.VoteOffered(plays=plays))


async def without_voter(table: "Table", person: Person) -> None:
    """Somebody's line or seat is gone: an open vote does without them."""
    if table.vote is not None and person.name in table.vote.voters:
        await count_votes(table, table.vote.without(person.name), table.now)
