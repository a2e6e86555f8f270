"""Who was removed stays out for as long as the lobby remembers it; it remembers the newest ones."""

from server.lobby.removed import MOST, Removed
from server.person import Person
from tests.support.crowds import arrive, some_people

LATER = 60_000_000


def somebody(name: str, address: str = "192.0.2.7", *, now: int = 0) -> Person:
    person, _ = arrive(some_people(new_people_per_min=1), name, address, now=now)
    return person


def test_a_removal_is_the_same_after_a_restart() -> None:
    removed = Removed()
    bo = somebody("bo")
    removed.add(bo, now=0)

    again = Removed(removed.kept(), now=LATER)

    assert again.kept() == removed.kept()
    assert again.bars(bo)
    assert again.bars(somebody("B0", "198.51.100.1"))
    assert again.bars(somebody("cy", now=LATER + 1))
    assert not again.bars(somebody("cy", now=LATER - 1))


def test_who_was_removed_stays_out_under_another_name() -> None:
    removed = Removed()
    bo = somebody("bo", "127.0.0.1")
    removed.add(bo, now=0)

    bo.name = "zed"

    assert removed.bars(bo)


def test_who_is_removed_again_is_not_forgotten_before_those_removed_in_between() -> None:
    removed = Removed()
    bo, *_ = people = [somebody(f"p{n}", f"192.0.2.{n}") for n in range(MOST)]
    for person in people:
        removed.add(person, now=0)

    removed.add(bo, now=LATER)
    removed.add(somebody("zed", "192.0.2.250"), now=LATER)

    assert removed.bars(bo)
    assert not removed.bars(people[1])


def test_removing_without_end_does_not_fill_the_memory() -> None:
    removed = Removed()
    first, *_ = people = [somebody(f"p{n}", f"192.0.2.{n}") for n in range(MOST + 1)]

    for person in people:
        removed.add(person, now=0)

    assert len(removed.kept()) == MOST
    assert not removed.bars(first)
    assert not removed.bars(somebody("zed", "192.0.2.0", now=LATER))
    assert all(removed.bars(person) for person in people[1:])


def test_an_address_is_barred_for_as_long_as_any_of_its_removals_is_remembered() -> None:
    removed = Removed()
    removed.add(somebody("bo"), now=0)
    for n in range(MOST - 1):
        removed.add(somebody(f"p{n}", f"192.0.2.{100 + n % 100}"), now=0)
    removed.add(somebody("cy"), now=0)

    assert len(removed.kept()) == MOST
    assert removed.bars(somebody("dee", now=LATER))
