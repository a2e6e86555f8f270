"""Who was removed stays out for as long as the lobby remembers it; it remembers the newest ones."""

from server.lobby.removed import MOST, Removed
from server.person import Person
from tests.support.crowds import arrive, some_people

BEFORE, LATER = 5, 9  # how many people were known by then


def somebody(name: str, address: str = "192.0.2.7", *, nth: int = BEFORE) -> Person:
    person, _ = arrive(some_people(new_people_per_min=1), name, address)
    person.nth = nth
    return person


def test_a_removal_is_the_same_after_a_restart() -> None:
    removed = Removed()
    bo = somebody("bo")
    removed.add(bo, known_so_far=BEFORE)

    again = Removed(removed.kept(), removed.barred_after(), known_so_far=LATER)

    assert again.kept() == removed.kept()
    assert again.bars(bo)
    assert again.bars(somebody("B0", "198.51.100.1"))
    assert again.bars(somebody("cy", nth=BEFORE + 1))
    assert not again.bars(somebody("cy"))


def test_of_a_removal_that_an_older_server_kept_only_who_comes_after_the_restart_is_new() -> None:
    removed = Removed()
    removed.add(somebody("bo"), known_so_far=BEFORE)

    again = Removed(removed.kept(), known_so_far=LATER)

    assert again.bars(somebody("cy", nth=LATER + 1))
    assert not again.bars(somebody("cy", nth=LATER))


def test_who_was_removed_stays_out_under_another_name() -> None:
    removed = Removed()
    bo = somebody("bo", "127.0.0.1")
    removed.add(bo, known_so_far=BEFORE)

    bo.name = "zed"

    assert removed.bars(bo)


def test_who_is_removed_again_is_not_forgotten_before_those_removed_in_between() -> None:
    removed = Removed()
    bo, *_ = people = [somebody(f"p{n}", f"192.0.2.{n}") for n in range(MOST)]
    for person in people:
        removed.add(person, known_so_far=BEFORE)

    removed.add(bo, known_so_far=LATER)
    removed.add(somebody("zed", "192.0.2.250"), known_so_far=LATER)

    assert removed.bars(bo)
    assert not removed.bars(people[1])


def test_removing_without_end_does_not_fill_the_memory() -> None:
    removed = Removed()
    first, *_ = people = [somebody(f"p{n}", f"192.0.2.{n}") for n in range(MOST + 1)]

    for person in people:
        removed.add(person, known_so_far=BEFORE)

    assert len(removed.kept()) == MOST
    assert not removed.bars(first)
    assert not removed.bars(somebody("zed", "192.0.2.0", nth=LATER))
    assert all(removed.bars(person) for person in people[1:])


def test_an_address_is_barred_for_as_long_as_any_of_its_removals_is_remembered() -> None:
    removed = Removed()
    removed.add(somebody("bo"), known_so_far=BEFORE)
    for n in range(MOST - 1):
        removed.add(somebody(f"p{n}", f"192.0.2.{100 + n % 100}"), known_so_far=BEFORE)
    removed.add(somebody("cy"), known_so_far=BEFORE)

    assert len(removed.kept()) == MOST
    assert removed.bars(somebody("dee", nth=LATER))
