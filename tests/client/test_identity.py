"""The secrets on disk: private, whole, one user at a time, never for another server."""

import json
import os
import stat
import sys
from pathlib import Path

import pytest

from client.kept import locks
from client.kept.identity import MOST_ASIDE, Keyring, Unstored
from tests.support.power_cuts import note_what_lasts

HERE, THERE = "127.0.0.1:5252", "10.0.0.9:5252"
SECRET, OTHER = b"a" * 32, b"b" * 32


def a_ring(folder: Path, secret: bytes = SECRET) -> Keyring:
    """A ring in use, with one identity on the server "s1"."""
    ring = Keyring(folder)
    ring.keep(server="s1", address=HERE, name="maya", secret=secret)
    return ring


def files(folder: Path) -> list[Path]:
    """The stored identities."""
    return sorted(folder.rglob("*.json"))


def test_an_identity_is_found_again_by_its_address(tmp_path: Path) -> None:
    a_ring(tmp_path).release()

    found = Keyring(tmp_path).find(HERE)

    assert found is not None
    assert (found.secret, found.name, found.server) == (SECRET, "maya", "s1")


def test_with_a_umask_of_zero_any_account_could_put_secrets_in_the_place_of_new_ones(
    tmp_path: Path,
) -> None:
    before = os.umask(0)
    try:
        a_ring(tmp_path / "state" / "identities" / "default").release()
    finally:
        os.umask(before)

    (kept,) = files(tmp_path)
    modes = [each.stat().st_mode & 0o777 for each in (kept, *kept.parents[:3])]
    assert modes == [0o600, 0o700, 0o755, 0o755]


@pytest.mark.parametrize("said", ["localhost:5252", "LocalHost:5252", "[::1]:5252"])
def test_who_had_hosted_and_joined_localhost_was_somebody_else_whose_name_was_taken(
    tmp_path: Path, said: str
) -> None:
    """To `facedown host` the server is at 127.0.0.1, and people were told to join localhost."""
    a_ring(tmp_path).release()

    found = Keyring(tmp_path).find(said, "maya")

    assert found is not None
    assert (found.secret, found.address) == (SECRET, HERE)


@pytest.mark.parametrize("other", ["localhost:5253", "pi:5252", "127.0.0.2:5252", THERE])
def test_no_secret_is_sent_to_another_port_or_machine(tmp_path: Path, other: str) -> None:
    a_ring(tmp_path).release()

    assert Keyring(tmp_path).find(other, "maya") is None


ELSEWHERE = "127.0.0.1:6000"


def test_who_hosted_the_same_data_on_another_port_was_somebody_else_whose_name_was_taken(
    tmp_path: Path,
) -> None:
    a_ring(tmp_path).release()
    ring = Keyring(tmp_path)

    ring.follow("s1", ELSEWHERE)

    assert ring.find(HERE) is None
    found = ring.find("localhost:6000", "maya")
    assert found is not None
    assert found.secret == SECRET


@pytest.mark.parametrize(
    ("server", "address"), [("s2", HERE), ("s1", THERE)], ids=["another server", "by the network"]
)
def test_what_is_not_for_the_server_that_was_started_here_stays_where_it_is(
    tmp_path: Path, server: str, address: str
) -> None:
    ring = Keyring(tmp_path)
    ring.keep(server=server, address=address, name="maya", secret=SECRET)
    ring.release()

    ring.follow("s1", ELSEWHERE)

    assert ring.find(ELSEWHERE) is None
    assert ring.find(address) is not None


def test_what_another_client_uses_does_not_move_under_it(tmp_path: Path) -> None:
    used = a_ring(tmp_path)

    Keyring(tmp_path).follow("s1", ELSEWHERE)

    used.release()
    assert Keyring(tmp_path).find(HERE) is not None


def test_of_two_names_of_this_machine_the_one_typed_goes_first(tmp_path: Path) -> None:
    ring = a_ring(tmp_path)
    ring.keep(server="s1", address="localhost:5252", name="maya", secret=OTHER)
    ring.release()

    for said, secret in ((HERE, SECRET), ("localhost:5252", OTHER)):
        found = ring.find(said, "maya")
        ring.release()
        assert found is not None
        assert found.secret == secret


def test_a_file_of_an_older_client_is_read_as_it_is(tmp_path: Path) -> None:
    a_ring(tmp_path).release()
    (file,) = files(tmp_path)
    kept = json.loads(file.read_text())
    del kept["address"]
    file.write_text(json.dumps(kept | {"addresses": [HERE]}))

    found = Keyring(tmp_path).find(HERE)

    assert found is not None
    assert (found.secret, found.address) == (SECRET, HERE)


def test_only_the_owner_can_read_it(tmp_path: Path) -> None:
    a_ring(tmp_path)

    assert stat.S_IMODE(files(tmp_path)[0].stat().st_mode) == 0o600


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only on Linux")
def test_after_a_power_cut_a_secret_that_had_just_come_was_gone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    done = note_what_lasts(monkeypatch)

    a_ring(tmp_path)

    (file,) = files(tmp_path)
    folders = ["identities", tmp_path.name]  # of the new ones, each in the one around it
    assert done == [*folders, "a draft", f"renamed to {file.name}", "default"]


def test_nothing_but_the_file_is_left_behind(tmp_path: Path) -> None:
    a_ring(tmp_path)

    assert {path.suffix for path in tmp_path.rglob("*") if path.is_file()} == {".json", ".lock"}


def test_a_secret_in_use_is_not_given_to_a_second_client(tmp_path: Path) -> None:
    ring = a_ring(tmp_path)

    assert Keyring(tmp_path).find(HERE) is None
    ring.release()
    assert Keyring(tmp_path).find(HERE) is not None


def test_a_second_client_keeps_a_slot_of_its_own(tmp_path: Path) -> None:
    first, second = a_ring(tmp_path), a_ring(tmp_path, OTHER)

    assert len(files(tmp_path)) == 2
    first.release()
    second.release()
    found = Keyring(tmp_path).find(HERE)
    assert found is not None
    assert found.secret == SECRET


def test_each_name_gets_its_own_identity_back_in_any_order(tmp_path: Path) -> None:
    first = a_ring(tmp_path)
    second = Keyring(tmp_path)
    second.keep(server="s1", address=HERE, name="bo", secret=OTHER)
    first.release()
    second.release()

    found = Keyring(tmp_path).find(HERE, "bo")

    assert found is not None
    assert found.secret == OTHER


def test_another_server_at_that_address_never_gets_the_secret_again(tmp_path: Path) -> None:
    ring = a_ring(tmp_path)

    ring.settle(server="impostor", name="maya")

    assert ring.identity is None
    assert Keyring(tmp_path).find(HERE) is None


def test_each_welcome_of_a_server_that_called_itself_anew_once_left_two_files_for_ever(
    tmp_path: Path,
) -> None:
    ring = a_ring(tmp_path)

    for number in range(3 * MOST_ASIDE):
        ring.find(HERE)
        ring.settle(server=f"impostor {number}", name="maya")
        ring.keep(
            server=f"impostor {number}", address=HERE, name="maya", secret=bytes([number] * 32)
        )

    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(left) == 2 * (MOST_ASIDE + 1)


# --- another server at the same address ------------------------------------------------------------


def test_one_visit_to_another_server_at_that_address_once_deleted_the_secret_of_the_first(
    tmp_path: Path,
) -> None:
    ring = a_ring(tmp_path)
    ring.set_aside()
    ring.settle(server="s2", name="maya")
    ring.keep(server="s2", address=HERE, name="maya", secret=OTHER)
    ring.release()

    again = Keyring(tmp_path)
    found = again.find(HERE)
    assert found is not None
    assert found.secret == OTHER
    again.set_aside()
    assert again.recall(HERE, server="s1")
    again.settle(server="s1", name="maya")
    again.release()

    later = Keyring(tmp_path).find(HERE)
    assert later is not None
    assert (later.secret, later.aside) == (SECRET, 0)


def test_one_that_was_set_aside_is_recalled_under_its_name_and_only_once(tmp_path: Path) -> None:
    a_ring(tmp_path).set_aside()
    ring = Keyring(tmp_path)

    assert not ring.recall(HERE, name="bo")
    assert not ring.recall(THERE, name="maya")
    assert ring.recall(HERE, name="Maya")
    ring.set_aside()
    assert not ring.recall(HERE, name="Maya")


def test_what_its_own_server_does_not_know_either_is_deleted(tmp_path: Path) -> None:
    ring = a_ring(tmp_path)

    ring.set_aside()
    ring.settle(server="s1", name="maya")

    assert files(tmp_path) == []


def test_who_was_known_after_all_is_not_two_people_there_for_ever(tmp_path: Path) -> None:
    a_ring(tmp_path).set_aside()
    ring = Keyring(tmp_path)
    ring.keep(server="s1", address=HERE, name="bo", secret=OTHER)

    assert ring.recall(HERE, server="s1")
    ring.settle(server="s1", name="maya")

    (file,) = files(tmp_path)
    assert json.loads(file.read_text())["secret"] == SECRET.hex()


def test_of_those_set_aside_at_one_address_the_oldest_goes(tmp_path: Path) -> None:
    for number in range(MOST_ASIDE + 1):
        ring = Keyring(tmp_path)
        ring.keep(server=f"s{number}", address=HERE, name="maya", secret=bytes([number] * 32))
        ring.set_aside()

    ring = Keyring(tmp_path)
    assert not ring.recall(HERE, server="s0")
    assert ring.recall(HERE, server="s1")


def test_one_that_another_client_was_just_trying_was_deleted_as_the_oldest(tmp_path: Path) -> None:
    a_ring(tmp_path).set_aside()
    (its,) = files(tmp_path)
    trying = Keyring(tmp_path)
    assert trying.recall(HERE, server="s1")

    for number in range(MOST_ASIDE + 1):
        ring = Keyring(tmp_path)
        ring.keep(server=f"t{number}", address=HERE, name="maya", secret=bytes([number] * 32))
        ring.set_aside()

    assert its.exists()
    assert its.with_suffix(".lock").exists()


def test_one_that_came_into_the_place_of_another_was_overwritten_by_whoever_had_read_that(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_ring(tmp_path).release()
    late = Keyring(tmp_path)
    read = late._known()

    gone = Keyring(tmp_path)
    gone.find(HERE)
    gone.forget()
    a_ring(tmp_path, OTHER).release()
    monkeypatch.setattr(late, "_known", lambda: read)

    assert late.find(HERE) is None
    found = Keyring(tmp_path).find(HERE)
    assert found is not None
    assert found.secret == OTHER


def test_without_a_folder_it_is_set_aside_for_as_long_as_the_process() -> None:
    unstored: Unstored = {}
    ring = Keyring(None, unstored=unstored)
    ring.keep(server="s1", address=HERE, name="maya", secret=SECRET)
    ring.set_aside()

    later = Keyring(None, unstored=unstored)

    assert later.find(HERE) is None
    assert later.recall(HERE, server="s1")


def test_a_lock_that_was_deleted_while_it_was_taken_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_ring(tmp_path).release()

    def deleted_meanwhile(_: int) -> bool:
        for lock in tmp_path.rglob("*.lock"):
            lock.unlink()
        return True

    monkeypatch.setattr(locks, "_locked", deleted_meanwhile)

    assert Keyring(tmp_path).find(HERE) is None


def test_the_right_server_is_confirmed_and_may_respell_the_name(tmp_path: Path) -> None:
    ring = a_ring(tmp_path)

    ring.settle(server="s1", name="Maya")

    ring.release()
    found = Keyring(tmp_path).find(HERE)
    assert found is not None
    assert found.name == "Maya"


def test_another_address_or_profile_finds_nothing(tmp_path: Path) -> None:
    a_ring(tmp_path).release()

    assert Keyring(tmp_path).find(THERE) is None
    assert Keyring(tmp_path, "work").find(HERE) is None


def test_a_forgotten_identity_is_gone(tmp_path: Path) -> None:
    a_ring(tmp_path).forget()

    assert files(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", json.dumps({"secret": "00", "server": "s", "name": "n", "address": HERE})],
)
def test_a_damaged_file_is_passed_over(tmp_path: Path, text: str) -> None:
    a_ring(tmp_path).release()
    files(tmp_path)[0].write_text(text)

    assert Keyring(tmp_path).find(HERE) is None


def test_without_a_folder_the_identity_lasts_as_long_as_the_process() -> None:
    ring = Keyring(None)

    ring.keep(server="s1", address=HERE, name="maya", secret=SECRET)

    assert ring.find(HERE) is not None
    assert Keyring(None).find(HERE) is None
