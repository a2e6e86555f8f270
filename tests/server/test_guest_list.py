"""Guests on a box: known by key and name, never by a stranger's word, and their names kept for them."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol.answers import Accepted, Goodbye, Refused, Welcome
from protocol.commands import Hello
from protocol.guests import BRIEF_BYTES, guest_secret
from protocol.refusals import Refusal
from server.config import BadSettings, Settings
from server.guest_list import read_guest_key
from server.people import People
from tests.support.callers import a_hello
from tests.support.crowds import HOME, admit, arrive, go, refusal_of, some_people
from tests.support.guests import Guest, a_hall, code_of
from tests.support.lives import FullDisk
from tests.support.memory_store import MemoryStore

ROOT = Path(__file__).resolve().parents[2]
KEY = bytes(range(1, 65))
FAR = "198.51.100.7"
MINUTE = 60 * 1_000_000
DAY = 1440 * MINUTE


def a_box(**settings: int) -> People:
    """The people of a server that has a guest key."""
    return People(Settings(**settings), guest_key=KEY)  # type: ignore[arg-type]


def as_guest(name: str, *, key: bytes = KEY, of: str | None = None) -> Hello:
    """The hello of a guest; `of`: with the secret of another name."""
    return a_hello(name, secret=guest_secret(key, of or name))


def a_guest(name: str, hall: object, nursery: trio.Nursery, key: bytes = KEY) -> Guest:
    """Somebody whose client has the key."""
    guest = Guest(hall, nursery, name)  # type: ignore[arg-type]
    guest.secret = guest_secret(key, name)
    return guest


# --- known on first sight --------------------------------------------------------------------------


def test_a_guest_is_known_on_first_sight_and_then_the_same_person() -> None:
    people = a_box()

    person, told = admit(people, as_guest("ana"), HOME, 0)
    again, not_told = admit(people, as_guest("ana"), HOME, 1)

    assert (person.name, told) == ("ana", guest_secret(KEY, "ana"))
    assert (again, not_told) == (person, None)


@pytest.mark.parametrize(
    "hello",
    [
        pytest.param(as_guest("ana", of="bo"), id="the secret of another name"),
        pytest.param(as_guest("ana", of="Ana"), id="the secret of a name that looks like it"),
        pytest.param(as_guest("ana", key=bytes(64)), id="made with another key"),
        pytest.param(a_hello("ana", secret=b"my own random secret, 32 bytes.."), id="one's own"),
        pytest.param(a_hello("ana", secret=bytes(32)), id="zeros"),
    ],
)
def test_without_the_key_nobody_makes_a_secret_known(hello: Hello) -> None:
    people = a_box()

    assert refusal_of(people, hello) is Refusal.BAD_SECRET
    assert list(people) == []


def test_a_server_without_a_key_knows_no_guests() -> None:
    people = some_people()

    assert refusal_of(people, as_guest("ana")) is Refusal.BAD_SECRET
    assert list(people) == []


def test_guests_come_under_the_limits_of_newcomers() -> None:
    people = a_box(new_people_per_min=1, people=2)
    admit(people, as_guest("ana"), FAR, 0)

    assert refusal_of(people, as_guest("bo"), FAR) is Refusal.TOO_FAST
    arrive(people, "bo", secret=guest_secret(KEY, "bo"))
    arrive(people, "ana", secret=guest_secret(KEY, "ana"))
    assert refusal_of(people, as_guest("cy")) is Refusal.SERVER_FULL


@pytest.mark.parametrize(
    ("name", "refusal"),
    [
        ("server", Refusal.BAD_NAME),
        ("no/name", Refusal.BAD_NAME),
        (" ", Refusal.BAD_NAME),
        ("casual", Refusal.COMPUTERS_NAME),
    ],
)
def test_a_guest_cannot_have_a_name_that_nobody_can_have(name: str, refusal: Refusal) -> None:
    assert refusal_of(a_box(), as_guest(name)) is refusal


# --- names -----------------------------------------------------------------------------------------


def test_the_name_of_a_guest_who_is_away_is_kept_for_them() -> None:
    people = a_box()
    ana, secret = arrive(people, "ana", secret=guest_secret(KEY, "ana"))
    go(people, ana)

    assert refusal_of(people, a_hello("ana")) is Refusal.NAME_TAKEN
    assert refusal_of(people, a_hello("AnA")) is Refusal.NAME_TAKEN
    assert refusal_of(people, as_guest("Ana")) is Refusal.NAME_TAKEN
    assert arrive(people, "ana", secret=secret)[0] is ana


def test_nobody_who_comes_back_takes_the_name_of_a_guest() -> None:
    people = a_box()
    ana, _ = arrive(people, "ana", secret=guest_secret(KEY, "ana"))
    bo, secret = arrive(people, "bo")
    for person in (ana, bo):
        go(people, person)

    assert refusal_of(people, a_hello("ana", secret=secret)) is Refusal.NAME_TAKEN


def test_the_name_of_a_guest_is_free_once_they_are_forgotten() -> None:
    people = a_box(remember_days=1)
    ana, _ = arrive(people, "ana", secret=guest_secret(KEY, "ana"))
    go(people, ana)

    people.expire(2 * DAY)

    assert arrive(people, "ana", now=2 * DAY)[0] is not ana


def test_a_name_in_use_is_not_taken_from_whoever_has_it() -> None:
    people = a_box()
    arrive(people, "ana")

    assert refusal_of(people, as_guest("ana")) is Refusal.NAME_TAKEN


def test_being_forgotten_under_another_name_leaves_the_name_to_its_guest() -> None:
    people = a_box()
    admit(people, as_guest("ana"), HOME, 0)

    people._guests.forget(bytes(32), "ana")

    assert refusal_of(people, a_hello("ana")) is Refusal.NAME_TAKEN


# --- guessing --------------------------------------------------------------------------------------


def test_unknown_secrets_are_counted_by_address() -> None:
    people = a_box(wrong_secrets_per_min=3)
    for guess in range(3):
        hello = a_hello("ana", secret=bytes([guess] * 32))
        assert refusal_of(people, hello, FAR) is Refusal.BAD_SECRET

    assert refusal_of(people, as_guest("ana"), FAR) is Refusal.TOO_FAST
    assert admit(people, as_guest("bo"), "198.51.100.8", 0)
    assert admit(people, as_guest("ana"), FAR, MINUTE)


def test_whoever_guessed_secrets_kept_all_others_of_the_same_address_from_their_seats() -> None:
    people = a_box(wrong_secrets_per_min=3)
    person, secret = admit(people, a_hello("bo"), FAR, 0)
    assert secret is not None
    for guess in range(4):
        refusal_of(people, a_hello("mal", secret=bytes([guess] * 32)), FAR)

    back, _ = admit(people, a_hello("bo", secret=secret), FAR, 0)

    assert back is person


def test_nobody_on_the_box_can_shut_the_guests_out_by_guessing() -> None:
    people = a_box(wrong_secrets_per_min=1)
    for _ in range(100):
        refusal_of(people, a_hello("mal", secret=bytes(32)))

    assert admit(people, as_guest("ana"), HOME, 0)


# --- to write down ---------------------------------------------------------------------------------


def test_a_brief_secret_is_drawn_by_the_server_and_brings_one_back() -> None:
    people = some_people()
    brief = Hello(major=1, minor=0, client="test", name="ana", brief=True)

    person, secret = admit(people, brief, HOME, 0)

    assert secret is not None
    assert (len(secret), secret[BRIEF_BYTES:].strip(b"\0")) == (32, b"")
    assert admit(people, a_hello("ana", secret=secret), HOME, 0)[0] is person


def test_every_brief_secret_is_another() -> None:
    people = some_people()
    hellos = [
        Hello(major=1, minor=0, client="test", name=f"p{number}", brief=True)
        for number in range(50)
    ]

    assert len({admit(people, hello, HOME, 0)[1] for hello in hellos}) == 50


# --- over the wire, and kept -------------------------------------------------------------------------


async def test_the_newest_terminal_of_a_guest_wins_and_the_older_one_is_told(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, guest_key=KEY)
    first, second = (a_guest("ana", hall, nursery) for _ in range(2))
    await first.connect(resume=True)
    await first.ask(c.CreateLobby)

    welcome = await second.connect(resume=True)
    told = await first.wait_for(Goodbye)

    assert isinstance(welcome, Welcome)
    assert told.code is Refusal.ELSEWHERE
    assert second.lobby is None or second.lobby.seats[0].name == "ana"


async def test_two_guests_on_one_account_never_push_each_other_out(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, guest_key=KEY)
    ana, bo = (a_guest(name, hall, nursery) for name in ("ana", "bo"))
    for _ in range(3):
        await ana.connect(resume=True)
        await bo.connect(resume=True)
        await wait_all_tasks_blocked()

        assert hall.people.online == 2
        await ana.vanish()
        await bo.vanish()


async def test_a_guest_comes_back_to_the_seat_after_a_restart_even_without_the_key(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    ana = a_guest("ana", a_hall(nursery, store=store, guest_key=KEY), nursery)
    await ana.connect(resume=True)
    created = await ana.ask(c.CreateLobby)
    await ana.vanish()

    ana.hall = a_hall(nursery, store=store)
    ana.hall.restore(store.read())
    welcome = await ana.connect(resume=True)

    assert isinstance(created, Accepted)
    assert isinstance(welcome, Welcome)
    assert [lobby.state.seats[0].name for lobby in ana.hall.lobbies.values()] == ["ana"]


async def test_the_names_of_guests_are_kept_for_them_over_a_restart(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = MemoryStore()
    ana = a_guest("ana", a_hall(nursery, store=store, guest_key=KEY), nursery)
    await ana.connect(resume=True)
    await ana.vanish()

    after = a_hall(nursery, store=store, guest_key=KEY)
    after.restore(store.read())
    stranger = await Guest(after, nursery, "ana").connect()
    ana.hall = after

    assert code_of(stranger) is Refusal.NAME_TAKEN
    assert isinstance(await ana.connect(resume=True), Welcome)


async def test_a_guest_who_calls_twice_at_once_on_a_full_disk_is_let_in_by_neither(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    store = FullDisk()
    hall = a_hall(nursery, store=store, guest_key=KEY)
    twins = [a_guest("ana", hall, nursery) for _ in range(2)]
    store.is_full = True
    answers: list[object] = []

    async def call(guest: Guest) -> None:
        answers.append(await guest.connect(resume=True))

    async with trio.open_nursery() as calls:
        for guest in twins:
            calls.start_soon(call, guest)

    assert [answer.code for answer in answers if isinstance(answer, Refused)] == [
        Refusal.TRY_AGAIN
    ] * 2
    assert list(hall.people) == []
    store.is_full = False
    assert isinstance(await twins[0].connect(resume=True), Welcome)


# --- the key file ----------------------------------------------------------------------------------


def test_without_a_file_there_is_no_key() -> None:
    assert read_guest_key("") is None


def test_the_key_is_what_the_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "guests.key"
    path.write_bytes(KEY)
    path.chmod(0o440)

    assert read_guest_key(str(path)) == KEY


def test_a_key_in_the_home_was_looked_for_in_a_folder_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_file(tmp_path / "guests.key", KEY, 0o440)
    monkeypatch.setenv("HOME", str(tmp_path))

    assert read_guest_key("~/guests.key") == KEY
    with pytest.raises(BadSettings, match="cannot read the guest key ~no-such-person/"):
        read_guest_key("~no-such-person/guests.key")


def a_file(path: Path, data: bytes, mode: int) -> None:
    path.write_bytes(data)
    path.chmod(mode)


@pytest.mark.parametrize(
    ("prepare", "reason"),
    [
        pytest.param(Path.unlink, "cannot read .*: No such file", id="no file"),
        pytest.param(lambda path: a_file(path, KEY, 0o444), "chmod 0440", id="readable by all"),
        pytest.param(lambda path: a_file(path, b"short", 0o440), "5 bytes", id="short"),
        pytest.param(lambda path: a_file(path, KEY * 65, 0o440), "4097 bytes", id="long"),
    ],
)
def test_a_key_file_that_cannot_be_used_is_answered_with_a_sentence(
    prepare: Callable[[Path], None], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "guests.key"
    path.touch()
    prepare(path)

    with pytest.raises(BadSettings, match=reason) as bad:
        read_guest_key(str(path))
    assert str(path) in str(bad.value)


def test_a_folder_or_a_pipe_is_no_key_and_nobody_waits_for_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o440)

    for path in (tmp_path, pipe):
        with pytest.raises(BadSettings, match=r"Is a directory|not a plain file"):
            read_guest_key(str(path))


def test_a_server_whose_guest_key_others_can_read_does_not_start(tmp_path: Path) -> None:
    path = tmp_path / "guests.key"
    a_file(path, KEY, 0o444)
    where = ("--port", "0", "--data", str(tmp_path / "data"))

    done = subprocess.run(
        [sys.executable, "-m", "server", *where, "--guest-key", str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"facedown-server: cannot use the guest key {path}: others can")
    assert done.stderr.count("\n") == 1
