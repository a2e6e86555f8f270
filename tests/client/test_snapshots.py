"""Every page, in each skin and size, is what it was when somebody last looked at it.

A change that is meant: scripts/snapshots writes the files anew, and `git diff` shows what changed.
"""

import difflib

import pytest

from client.screens.desk import Desk, Overlay, Screen
from client.screens.frame import Frame
from client.state import ClientState
from tests.support.scenes import Scene
from tests.support.snapshots import FOLDER, path_of, shown_scenes, written

SCENES = shown_scenes()
RENEW = "If that is meant, scripts/snapshots writes it anew; look at it with git diff."


@pytest.mark.parametrize(("name", "scene"), SCENES.items(), ids=SCENES.keys())
def test_a_page_looks_as_it_did(name: str, scene: Scene) -> None:
    path, now = path_of(name), written(name, *scene)

    before = path.read_text("utf-8") if path.exists() else ""
    changed = difflib.unified_diff(
        before.splitlines(), now.splitlines(), path.name, "now", lineterm="", n=1
    )
    if before != now:
        pytest.fail("\n".join(("it has changed:", *changed, RENEW)), pytrace=False)


def test_no_file_is_left_of_a_screen_that_is_gone() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {path_of(name).name for name in SCENES}


def frame_of(state: ClientState, desk: Desk) -> Frame:
    return Frame(state=state, desk=desk, columns=80, rows=24, now=1.0)


def test_every_screen_and_every_page_laid_over_one_is_among_them() -> None:
    frames = [frame_of(*scene) for scene in SCENES.values()]

    assert {frame.screen for frame in frames} == set(Screen)
    assert {frame.desk.overlay for frame in frames} == {*Overlay, None}
