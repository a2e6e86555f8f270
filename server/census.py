"""What is kept of people besides their coming: who has become a player, and who is forgotten."""

from collections.abc import Callable

from server.journal.keeping import keep_as_it_is
from server.journal.records import Change, PersonForgotten, PersonKept
from server.journal.store import Store
from server.people import People
from server.person import Person


async def keep_census(people: People, store: Store, wall_s: Callable[[], int]) -> None:
    """Keep who has become a player, and forget in the journal whoever is forgotten.

    On a full disk that takes a while; whoever has come again meanwhile is not forgotten.
    """
    players, gone = people.new_players, people.forgotten

    def census() -> tuple[Change, ...]:
        nonlocal players, gone
        players, gone = people.new_players, people.forgotten
        records = [record_of(player, player.name, wall_s()) for player in players]
        return (*records, *[PersonForgotten(digest=digest) for digest in gone])

    if players or gone:
        await keep_as_it_is(store, census, stalled=lambda: None)
        people.are_kept_as_players(*players)
        people.are_forgotten(*gone)


def record_of(person: Person, name: str, seen_at: int, *, address: str | None = None) -> PersonKept:
    """What is kept of somebody, under this name; `seen_at` is in seconds of the wall clock.

    `address` is where they are just coming from.
    """
    return PersonKept(
        digest=person.digest,
        name=name,
        address=address or person.address,
        seen_at=seen_at,
        last_command=max(person.answers, default=0),  # those still pending will come again
        has_played=person.has_played,
        nth=person.nth,
    )
