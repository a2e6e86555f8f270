"""What the full-screen client keeps on disk: servers it has been to, and traces of a crash."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from client.kept import crash, recents
from client.way_in.address import Recent

PI, PC = Recent(address="pi:5252", note="as maya"), Recent(address="pc:5252")


def test_servers_come_back_as_they_were_saved(tmp_path: Path) -> None:
    recents.save(tmp_path, (PI, PC))

    assert recents.load(tmp_path) == (PI, PC)


def test_a_visit_moves_a_server_to_the_head() -> None:
    assert recents.visited((PC, PI), PI) == (PI, PC)


def test_only_so_many_servers_are_kept() -> None:
    many = tuple(Recent(address=f"host-{number}") for number in range(20))

    assert len(recents.visited(many, PI)) == recents.MOST


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"note": "x"}]', "[[]]"])
def test_a_damaged_list_is_no_list(tmp_path: Path, text: str) -> None:
    (tmp_path / recents.FILE).write_text(text)

    assert recents.load(tmp_path) == ()


def test_a_kiosk_remembers_nothing() -> None:
    assert recents.load(None) == ()


def an_error() -> BaseExceptionGroup[BaseException]:
    return BaseExceptionGroup("tasks", [BaseExceptionGroup("inner", [KeyError("x")])])


def test_a_crash_is_written_down_and_named(tmp_path: Path) -> None:
    sentence = crash.report(an_error(), tmp_path)

    (written,) = tmp_path.glob("crash-*.txt")
    assert "KeyError: 'x'" in written.read_text()
    assert "(KeyError)" in sentence
    assert str(written) in sentence


@pytest.mark.parametrize("year", [2026, 2999], ids=["before", "by a clock that was ahead"])
def test_what_was_left_of_crashes_once_grew_without_end(tmp_path: Path, year: int) -> None:
    names = [f"crash-{year}0101-0000{number:02}.txt" for number in range(crash.MOST + 5)]
    for name in names:
        (tmp_path / name).write_text("")
    (tmp_path / "settings.toml").write_text("")

    sentence = crash.report(an_error(), tmp_path)

    left = sorted(tmp_path.glob("crash-*.txt"))
    (written,) = (path for path in left if str(path) in sentence)
    assert [path.name for path in left if path != written] == names[-crash.MOST + 1 :]
    assert "KeyError" in written.read_text()
    assert (tmp_path / "settings.toml").exists()


def test_a_crash_that_cannot_be_written_down_is_still_told(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")

    assert "Details" not in crash.report(an_error(), in_the_way)
    assert "(KeyError)" in crash.report(an_error(), None)


def test_the_way_back_is_told_where_there_is_one() -> None:
    said = crash.report(an_error(), None)

    assert "seat" not in said
    assert crash.report(an_error(), None, back="Come back.") == f"{said}\nCome back."


def test_a_clone_that_was_updated_under_a_client_was_said_to_be_a_bug(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    source = tmp_path / "words.py"
    newer = ModuleType("client.words")
    newer.__file__ = str(source)
    monkeypatch.setitem(sys.modules, "client.words", newer)
    source.touch()

    updated = crash.report(ImportError(), None)
    source.unlink()
    gone = crash.report(ImportError(), None)

    assert (
        updated
        == gone
        == ("facedown stopped because its own files were changed while it ran: start it again.")
    )
