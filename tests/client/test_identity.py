"""The secrets on disk: private, whole, one user at a time, never for another server."""

import json
import stat
from pathlib import Path

import pytest

from client.kept import identity
from client.kept.identity import Keyring

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

    assert not ring.confirm(server="impostor", name="maya")

    ring.release()
    assert Keyring(tmp_path).find(HERE) is None


def test_each_welcome_of_a_server_that_called_itself_anew_once_left_two_files_for_ever(
    tmp_path: Path,
) -> None:
    ring = a_ring(tmp_path)

    for number in range(5):
        ring.find(HERE)
        ring.confirm(server=f"impostor {number}", name="maya")
        ring.keep(server=f"impostor {number}", address=HERE, name="maya", secret=OTHER)

    left = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(left) == 2


def test_a_lock_that_was_deleted_while_it_was_taken_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_ring(tmp_path).release()

    def deleted_meanwhile(_: int) -> bool:
        for lock in tmp_path.rglob("*.lock"):
            lock.unlink()
        return True

    monkeypatch.setattr(identity, "_locked", deleted_meanwhile)

    assert Keyring(tmp_path).find(HERE) is None


def test_the_right_server_is_confirmed_and_may_respell_the_name(tmp_path: Path) -> None:
    ring = a_ring(tmp_path)

    assert ring.confirm(server="s1", name="Maya")

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
