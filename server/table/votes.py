"""Votes of the people at a table: more than half of those with a seat and a line (RULES D6)."""

from dataclasses import dataclass, replace

from protocol.events import VoteOn, VoteState


@dataclass(frozen=True, slots=True, kw_only=True)
class Vote:
    """An open vote; times are microseconds since the table began."""

    number: int  # of this deal's votes, from 1
    on: VoteOn
    by: str
    voters: frozenset[str]
    ends_at: int
    yes: frozenset[str] = frozenset()
    no: frozenset[str] = frozenset()

    @property
    def needed(self) -> int:
        """How many must be for it."""
        return len(self.voters) // 2 + 1

    @property
    def passed(self) -> bool | None:
        """Whether it is decided, and how; None while it is open."""
        if len(self.yes) >= self.needed:
            return True
        undecided = len(self.voters) - len(self.yes) - len(self.no)
        return False if len(self.yes) + undecided < self.needed else None

    def cast(self, name: str, *, yes: bool) -> "Vote":
        """Somebody votes; a second vote replaces the first."""
        others = frozenset({name})
        return replace(
            self,
            yes=self.yes | others if yes else self.yes - others,
            no=self.no - others if yes else self.no | others,
        )

    def without(self, name: str) -> "Vote":
        """Somebody's line or seat is gone: they no longer count."""
        gone = frozenset({name})
        return replace(self, voters=self.voters - gone, yes=self.yes - gone, no=self.no - gone)

    def state(self, now: int, *, passed: bool | None) -> VoteState:
        """What everybody is told of it."""
        return VoteState(
            vote=self.number,
            on=self.on,
            by=self.by,
            yes=len(self.yes),
            no=len(self.no),
            needed=self.needed,
            left_us=max(0, self.ends_at - now),
            passed=passed,
        )
