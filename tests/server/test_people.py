"""Who is known: identities by secret, names, and limits per address."""

from collections.abc import Iterator

import pytest

from protocol.refusals import Refusal
from server.addresses import is_loopback
from server.person import Person
from tests.support.callers import a_hello
from tests.support.crowds import (
    HOME,
    admit,
    arrive,
    go,
    pretend_to_sit_somewhere,
    refusal_of,
    some_people,
)

FAR = "198.51.100.7"


# --- identity -----------------------------------------------------------------------------------


def test_a_newcomer_gets_a_secret_of_which_only_the_hash_is_kept() -> None:
    people = some_people()

    person, secret = admit(people, a_hello(), HOME, 0)

    assert secret is not None
    assert len(secret) == 32
    assert secret not in repr(person).encode("latin-1", "replace")
    assert person.digest != secret


def test_every_newcomer_gets_another_secret() -> None:
    people = some_people()

    secrets = {admit(people, a_hello(f"p{number}"), HOME, 0)[1] for number in range(50)}

    assert len(secrets) == 50


def test_a_secret_brings_back_the_same_person_and_is_not_told_again() -> None:
    people = some_people()
    person, secret = arrive(people, "ana")
    go(people, person)

    again, told = admit(people, a_hello("ana", secret=secret), HOME, 5)

    assert again is person
    assert told is None


def test_an_unknown_secret_is_refused_and_changes_nothing() -> None:
    people = some_people()
    person, _ = arrive(people, "ana")

    assert refusal_of(people, a_hello("bo", secret=bytes(32))) is Refusal.BAD_SECRET

    assert list(people) == [person]
    assert people.online == 1


def test_neither_name_nor_number_brings_back_anybody() -> None:
    people = some_people()
    person, secret = arrive(people, "ana")
    go(people, person)

    stranger, other_secret = arrive(people, "ana")

    assert stranger is not person
    assert other_secret != secret


def test_who_comes_back_says_anew_whether_it_is_by_ssh_and_where_from() -> None:
    people = some_people()
    person, secret = arrive(people, "ana")

    hello = a_hello("ana", secret=secret, ssh=True)
    admit(people, hello, FAR, 0)
    people.let_in(person, "ana", hello, FAR, now=0, serial=1)

    assert (person.ssh, person.address) == (True, FAR)


# --- names --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    ["a  b", " ana", "ana ", "a.b", "añ", "<b>", "x" * 17, "server", "SYSTEM", "B0T", "h0st"],
)
def test_a_name_that_is_none_is_refused(name: str) -> None:
    people = some_people()

    assert refusal_of(people, a_hello(name)) is Refusal.BAD_NAME
    assert list(people) == []


@pytest.mark.parametrize(
    "name",
    [
        "casual",
        "Casual",
        "casual 2",
        "CERTAIN-10",
        "pr00f",
        "casual_2",
        "casual-2-",
        "_casual",
        "proof--3",
        "casual-lo",
        "casual-IO",
        "casua1_l2",
        "proofl0",
    ],
)
def test_nobody_is_called_like_a_computer_player(name: str) -> None:
    assert refusal_of(some_people(), a_hello(name)) is Refusal.COMPUTERS_NAME


@pytest.mark.parametrize("name", ["proof-reader", "Certaino", "casual-lola", "certainly"])
def test_a_name_that_only_begins_like_a_computer_players_is_fine(name: str) -> None:
    person, _ = arrive(some_people(), name)

    assert person.name == name


@pytest.mark.parametrize("name", ["lola", "LOLA", "1o1a", "l0la", "IolA"])
def test_names_that_look_alike_are_the_same_name(name: str) -> None:
    people = some_people()
    arrive(people, "lola")

    assert refusal_of(people, a_hello(name)) is Refusal.NAME_TAKEN


def test_a_name_is_free_again_when_its_owner_is_gone() -> None:
    people = some_people()
    person, secret = arrive(people, "ana")
    go(people, person)

    arrive(people, "ana")

    assert refusal_of(people, a_hello("ana", secret=secret)) is Refusal.NAME_TAKEN


def test_who_comes_back_may_take_another_name_while_nowhere_seated() -> None:
    people = some_people()
    person, secret = arrive(people, "ana")

    arrive(people, "anna", secret=secret)
    people.rename(person, "anna")  # as the hall does once that is kept

    assert person.name == "anna"
    assert arrive(people, "ana")[0] is not person


def test_who_sits_somewhere_keeps_the_name() -> None:
    people = some_people()
    person, secret = arrive(people, "ana")
    pretend_to_sit_somewhere(person)

    arrive(people, "anna", secret=secret)

    assert person.name == "ana"
    assert refusal_of(people, a_hello("ana")) is Refusal.NAME_TAKEN


def test_a_name_from_before_it_was_reserved_once_kept_its_owner_out() -> None:
    people = some_people()
    person, secret = arrive(people, "ana")
    person.name = "you"  # as a journal from before has it

    again, _ = admit(people, a_hello("you", secret=secret), HOME, 5)

    assert again is person


def test_somebody_elses_name_is_not_had_by_coming_back_and_nothing_changes() -> None:
    people = some_people()
    arrive(people, "bo")
    person, secret = arrive(people, "ana")

    assert refusal_of(people, a_hello("b0", secret=secret)) is Refusal.NAME_TAKEN

    assert person.name == "ana"
    assert refusal_of(people, a_hello("ana")) is Refusal.NAME_TAKEN


# --- how many at once -----------------------------------------------------------------------------


def test_a_full_server_lets_in_nobody_who_is_new_or_comes_back_to_nothing() -> None:
    people = some_people(connections=2)
    former, secret = arrive(people, "ana")
    go(people, former)
    arrive(people, "bo")
    last, _ = arrive(people, "cy")

    assert refusal_of(people, a_hello("dee")) is Refusal.SERVER_FULL
    assert refusal_of(people, a_hello("ana", secret=secret)) is Refusal.SERVER_FULL
    go(people, last)
    assert arrive(people, "ana", secret=secret)[0] is former


def test_the_room_of_somebody_with_a_seat_was_once_given_away_while_their_line_was_down() -> None:
    people = some_people(connections=2)
    person, secret = arrive(people, "ana")
    pretend_to_sit_somewhere(person)
    arrive(people, "bo")
    go(people, person)

    assert refusal_of(people, a_hello("cy")) is Refusal.SERVER_FULL
    assert arrive(people, "ana", secret=secret)[0] is person


def test_a_full_server_lets_a_newer_connection_replace_the_older() -> None:
    people = some_people(connections=1)
    person, secret = arrive(people, "ana")

    assert arrive(people, "ana", secret=secret)[0] is person


# --- limits per address -------------------------------------------------------------------------


def test_one_address_has_room_for_so_many_connected_people() -> None:
    people = some_people(per_address=2)
    first, _ = arrive(people, "p1", FAR)
    arrive(people, "p2", FAR)

    assert refusal_of(people, a_hello("p3"), FAR) is Refusal.ADDRESS_FULL
    arrive(people, "p3", "198.51.100.8")
    go(people, first)
    arrive(people, "p4", FAR)


def test_more_than_an_address_may_have_could_not_get_in_by_coming_back() -> None:
    people = some_people(per_address=1)
    person, secret = arrive(people, "p1", FAR)
    go(people, person)
    arrive(people, "p2", FAR)

    assert refusal_of(people, a_hello("p1", secret=secret), FAR) is Refusal.ADDRESS_FULL


def test_a_full_address_still_lets_a_newer_connection_replace_the_older() -> None:
    people = some_people(per_address=1)
    person, secret = arrive(people, "ana", FAR)

    assert arrive(people, "ana", FAR, secret=secret)[0] is person


def test_a_full_address_still_lets_people_back_to_their_seats() -> None:
    people = some_people(per_address=1)
    person, secret = arrive(people, "p1", FAR)
    pretend_to_sit_somewhere(person)
    go(people, person)
    arrive(people, "p2", FAR)

    assert arrive(people, "p1", FAR, secret=secret)[0] is person


def test_whoever_comes_back_from_elsewhere_counts_there() -> None:
    people = some_people(per_address=1)
    ana, secret = arrive(people, "ana", FAR)
    arrive(people, "ana", "198.51.100.8", secret=secret)

    bo, _ = arrive(people, "bo", FAR)
    assert refusal_of(people, a_hello("cy"), "198.51.100.8") is Refusal.ADDRESS_FULL
    go(people, ana)
    go(people, bo)
    arrive(people, "cy", "198.51.100.8")


class OnesOwn(dict[Person, str]):
    """People whom nobody goes through one by one."""

    def __iter__(self) -> Iterator[Person]:
        pytest.fail("everybody was looked at")


def test_each_newcomer_from_elsewhere_once_cost_a_look_at_everybody_there() -> None:
    people = some_people()
    arrive(people, "ana", FAR)
    people._present._from = OnesOwn(people._present._from)

    arrive(people, "bo", FAR)

    assert people.online == 2


def test_new_people_of_one_address_come_at_a_rate() -> None:
    people = some_people(new_people_per_min=3)
    for number in range(3):
        arrive(people, f"p{number}", FAR)

    assert refusal_of(people, a_hello("p3"), FAR) is Refusal.TOO_FAST
    arrive(people, "p3", FAR, now=20 * 1_000_000)
    assert refusal_of(people, a_hello("p4"), FAR, now=20 * 1_000_000) is Refusal.TOO_FAST


def test_ssh_players_who_all_come_from_loopback_share_no_limit_of_a_household() -> None:
    people = some_people(per_address=2, new_people_per_min=2)

    for number in range(40):
        arrive(people, f"p{number}", HOME)

    assert people.online == 40


def test_somebody_on_the_box_could_once_make_identities_without_end() -> None:
    people = some_people()
    for number in range(300):
        arrive(people, f"p{number}", f"127.0.{number % 7}.1")

    assert refusal_of(people, a_hello("p300"), "::1") is Refusal.TOO_FAST
    arrive(people, "p300", "127.0.0.1", now=1_000_000)


def test_somebody_with_many_addresses_could_once_make_identities_without_end() -> None:
    people = some_people(new_far_people_per_min=3)
    for number in range(3):
        arrive(people, f"p{number}", f"198.51.100.{number}")

    assert refusal_of(people, a_hello("p3"), "198.51.100.3") is Refusal.TOO_FAST
    arrive(people, "p4", HOME)  # this machine has a limit of its own
    arrive(people, "p3", "198.51.100.3", now=20_000_000)


def test_whoever_finds_the_crowd_too_large_has_used_up_nothing_of_their_own_address() -> None:
    people = some_people(new_far_people_per_min=6, new_people_per_min=3)
    for number in range(6):
        arrive(people, f"p{number}", f"198.51.100.{number}")
    for _ in range(10):
        refusal_of(people, a_hello("q0"), FAR)

    for number in range(3):
        arrive(people, f"q{number}", FAR, now=30_000_000)


@pytest.mark.parametrize(
    ("address", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("::ffff:198.51.100.7", False),
        ("198.51.100.7", False),
        ("::1234", False),
        ("2001:db8::1", False),
        ("fe80::1%eth0", False),
        ("", False),
    ],
)
def test_loopback_is_known_in_all_its_forms(address: str, *, loopback: bool) -> None:
    assert is_loopback(address) is loopback


def test_leaving_twice_does_no_harm_even_to_the_next_of_that_name() -> None:
    people = some_people(people=1)
    person, _ = arrive(people, "ana")
    go(people, person)
    namesake, _ = arrive(people, "ana")

    people.leave(person, 1)

    assert refusal_of(people, a_hello("ana")) is Refusal.NAME_TAKEN
    assert list(people) == [namesake]


def test_in_the_hall_is_who_is_connected_and_in_no_lobby() -> None:
    people = some_people()
    here, _ = arrive(people, "ana")
    seated, _ = arrive(people, "bo")
    pretend_to_sit_somewhere(seated)
    gone, _ = arrive(people, "cy")
    go(people, gone)

    assert people.in_hall() == (here,)
    assert people.online == 2
