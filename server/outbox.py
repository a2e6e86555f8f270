"""What a lobby has to say, held back until all that it tells of is kept.

A line is flushed by many (a ping, an answer of the hall), so nothing may lie in its buffer that a
crash could still undo. What is put here goes out in order, and only after the commit.
"""

from collections.abc import Callable, Mapping

from protocol.codec import encode_event
from protocol.events import Event
from server.person import Person, tell_each

Letter = tuple[tuple[Person, ...], bytes, bool]
"""For whom, a packed event, and whether it is a passing one."""


class Outbox:
    """Things to say and do once what has changed is kept, the oldest first."""

    def __init__(self, people: Mapping[str, Person]) -> None:
        """`people` are always those of the lobby, by name."""
        self._people = people
        self._waiting: list[Letter | Callable[[], None]] = []
        # While nothing can be kept, and so nothing goes out: who was told so, and whether at a table.
        self.stalled: dict[Person, bool] | None = None

    def tell(self, person: Person, event: Event) -> None:
        """An event for one person."""
        self._waiting.append(((person,), encode_event(event), event.passing))

    def tell_packed(self, person: Person, packed: bytes) -> None:
        """An event for one person, packed for others as well; no passing one."""
        self._waiting.append(((person,), packed, False))

    def tell_all(self, event: Event) -> None:
        """An event for everybody who is here now, packed once."""
        people = tuple(self._people.values())
        self._waiting.append((people, encode_event(event), event.passing))

    def then(self, step: Callable[[], None]) -> None:
        """Something to do between what is told before it and what is told after it."""
        self._waiting.append(step)

    def drop(self) -> None:
        """Nothing of it happened after all."""
        self._waiting = []

    def deliver(self) -> None:
        """All of it is kept: say it."""
        if not self._waiting:
            return
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if isinstance(each, tuple):
                people, packed, passing = each
                tell_each(people, packed, passing=passing)
            else:
                each()
