"""The pictures in the READMEs are what the client draws."""

from pathlib import Path

import pytest

from client.screens.parts.cells import width_of
from picture import FOLDER, ROOT, drawn
from picturing.moments import COLUMNS, ROWS, Picture, pictures

ALL = pictures()


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.name)
def test_a_picture_is_what_the_client_draws(each: Picture) -> None:
    path = FOLDER / f"{each.name}.svg"

    assert path.exists(), f"{path} is missing: scripts/snapshots draws it"
    assert path.read_text("utf-8") == drawn(each), "it has changed: scripts/snapshots draws it anew"


@pytest.mark.parametrize("each", ALL, ids=lambda each: each.name)
def test_a_picture_has_the_size_of_a_terminal(each: Picture) -> None:
    assert len(each.page) == ROWS
    assert all(width_of(line) <= COLUMNS for line in each.page)


def test_no_file_is_left_of_a_picture_that_is_gone() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == {each.name for each in ALL}


@pytest.mark.parametrize("page", ["README.md", "client/README.md"])
def test_the_pages_show_pictures_that_exist(page: str) -> None:
    path = ROOT / page
    shown = [part.split(")")[0] for part in path.read_text("utf-8").split("](")[1:]]
    files = [target for target in shown if target.endswith(".svg")]

    assert files
    assert [target for target in files if not (path.parent / Path(target)).exists()] == []
