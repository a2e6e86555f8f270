"""Every page of the client as text, in each skin and size: what the snapshot files hold.

`scripts/snapshots` writes them anew. A file is one screen; a page's rows stand behind a bar, so
that blank ones can be seen and no editor trims them.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from client.keys.press import with_keys
from client.screens.desk import Desk, Overlay, Question, screen_of
from client.screens.page import draw
from client.screens.parts.cells import text_of
from client.state import ClientState, Doubt, DoubtStage, Sent
from protocol import events as e
from protocol.commands import Challenge
from protocol.numbers import CommandNumber, PlayNumber, Seat
from tests.support.keyboard import LONG_AGO
from tests.support.scenes import Scene, scenes, the_reveal, the_window
from tests.support.screen_states import SIZES, a_frame, dealt, folded

FOLDER = Path(__file__).parents[1] / "client" / "snapshots"
SKINS = {"unicode": False, "ascii": True}
TINY = (40, 12)
TALK = (
    e.Said(name="bo", text="that is never a king"),
    e.Said(name="dee", text="say it, then :)"),
)


def shown_scenes() -> dict[str, Scene]:
    """All scenes, and some that differ only by what was just done."""
    doubt = Challenge(n=CommandNumber(9), deal=1, play=PlayNumber(2))
    more = {
        "a doubt sent": (folded((Sent(command=doubt),), the_window()), Desk()),
        "too small": (the_window(), Desk()),
        "the help of the main game": (dealt(), Desk(overlay=Overlay.HELP)),
        "the reveal, going on": (replace(the_reveal(), gone_on=True), Desk()),
        "leaving the table": (the_window(), Desk(asking=Question.LEAVE)),
        "talk at the table": (folded(TALK, the_window()), Desk()),
        "believing all": (replace(the_window(), believe_all=True), Desk()),
        "first by 83 ms": (_doubted(DoubtStage.FIRST), Desk()),
        "beaten by 83 ms": (_doubted(DoubtStage.BEATEN), Desk()),
    }
    return {**scenes(), **more}


def _doubted(stage: DoubtStage) -> ClientState:
    """The ruling is there, and with it what has become of my doubt."""
    doubt = Doubt(
        play=PlayNumber(2), n=CommandNumber(9), stage=stage, margin_us=83_000, other=Seat(1)
    )
    return replace(the_reveal(), doubt=doubt)


def path_of(name: str) -> Path:
    """The file of a scene."""
    return FOLDER / f"{re.sub('[^a-z0-9]+', '-', name.lower())}.txt"


def written(name: str, state: ClientState, desk: Desk) -> str:
    """What belongs into the file of a scene."""
    return "\n".join(_lines(name, state, desk)) + "\n"


def _lines(name: str, state: ClientState, desk: Desk) -> Iterator[str]:
    yield f"# {name}"
    for columns, rows in (TINY,) if name == "too small" else SIZES:
        for skin, is_ascii in SKINS.items():
            yield ""
            yield f"## {columns}x{rows} {skin}"
            settings = replace(desk.settings, ascii=is_ascii)
            here = replace(desk, settings=settings, screen_since=LONG_AGO)
            at = replace(here, screen=screen_of(state, here))
            for line in draw(with_keys(a_frame(state, (columns, rows), desk=at))):
                yield f"|{text_of(line).rstrip()}"
