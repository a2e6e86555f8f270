"""The moments of one evening that are worth a picture, and how they are looked at."""

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from client import my_hand, selectors
from client.keys.press import with_keys
from client.screens.desk import Desk, Overlay, screen_of
from client.screens.frame import Frame
from client.screens.page import draw
from client.screens.parts.cells import Page, plain, wrapped
from client.settings import Settings
from client.state import ClientState, Picked
from client.store import reduce
from protocol.cards import Rank
from protocol.events import Phase, Played
from tests.support.played_evening import YOU, Moment, an_evening

COLUMNS, ROWS = 80, 24
SEED = 12
READ_S = 1.4  # after which somebody looks up
PLAIN_ROWS = 23
LONG_AGO = -9.0


class Picture(Struct, frozen=True, kw_only=True):
    """A page, how it is to be coloured, and in what words it is described."""

    name: str
    caption: str
    page: Page
    settings: Settings = Settings(theme="dark", color="true")


def pictures() -> tuple[Picture, ...]:
    """All of them, from one evening."""
    moments = an_evening(SEED)
    mine = _first(moments, _is_my_turn)
    bluff = _bluffing(mine)
    window = _first(moments, _is_a_window)
    finish = _first(moments, _is_a_photo_finish)
    over = moments[-1]
    light = Settings(theme="light", color="true")
    contrast = Settings(theme="contrast", color="true", ascii=True)
    return (
        Picture(name="table", caption="My turn: a bluff is picked", page=_page(bluff)),
        Picture(name="window", caption="A play that can be doubted", page=_page(window)),
        Picture(name="photo-finish", caption="Who doubted first", page=_page(finish)),
        Picture(name="confession", caption="Who lied, and got away with it", page=_page(over)),
        Picture(
            name="all-plays",
            caption="Every play, cards up",
            page=_page(over, Desk(overlay=Overlay.CONFESSION, step=8)),
        ),
        Picture(name="plain", caption="Line by line", page=_plain(moments, finish)),
        _in(light, "light", "The light theme", finish),
        _in(contrast, "contrast", "High contrast, letters for suits", bluff),
    )


def _in(settings: Settings, name: str, caption: str, moment: Moment) -> Picture:
    page = _page(moment, Desk(settings=settings))
    return Picture(name=name, caption=caption, page=page, settings=settings)


def _first(moments: Sequence[Moment], fits: Callable[[ClientState], bool]) -> Moment:
    return next(moment for moment in moments if fits(moment.state))


def _is_my_turn(state: ClientState) -> bool:
    table = selectors.public(state)
    ready = table is not None and table.phase is Phase.TO_PLAY and table.newest > 10  # noqa: PLR2004
    return ready and selectors.my_turn(state) and bool(my_hand.held_of(state, _due(state)))


def _due(state: ClientState) -> Rank:
    return selectors.due(state)[0]


def _is_a_window(state: ClientState) -> bool:
    table = selectors.public(state)
    if table is None or table.phase is not Phase.PROTECTED or table.newest < 12:  # noqa: PLR2004
        return False
    play = table.newest_play
    mine = isinstance(play, Played) and play.seat != YOU and my_hand.held_of(state, play.rank)
    return bool(mine) and table.let_go == 1


def _is_a_photo_finish(state: ClientState) -> bool:
    ruling = state.ruling
    return ruling is not None and ruling.challenger == YOU and len(ruling.calls) > 2 and ruling.lie  # noqa: PLR2004


def _bluffing(moment: Moment) -> Moment:
    """One of the due rank picked, and one that is none."""
    hand = moment.state.table.hand if moment.state.table else ()
    due = _due(moment.state)
    true = next(card for card in hand if card.face.rank is due)
    false = next(card for card in hand if card.face.rank is not due)
    picked = Picked(cards=(true.id, false.id))
    return Moment(state=reduce(moment.state, picked, moment.at), at=moment.at)


def _page(moment: Moment, desk: Desk | None = None) -> Page:
    """The page as it looks a moment later."""
    state = moment.state
    here = desk or Desk()
    at = replace(here, screen=screen_of(state, here), screen_since=LONG_AGO)
    now = moment.at + READ_S
    frame = Frame(state=state, desk=at, columns=COLUMNS, rows=ROWS, now=now)
    return draw(with_keys(frame))


def _plain(moments: Sequence[Moment], until: Moment) -> Page:
    """What plain mode had printed up to that moment; what was typed is bold."""
    printed = [line for moment in moments[: moments.index(until) + 1] for line in moment.lines]
    lines = [piece for line in printed for piece in wrapped(line, COLUMNS - 1)]
    shown = lines[-PLAIN_ROWS:]
    return tuple(
        plain(line, "class:key" if line.startswith("> ") else "") for line in (*shown, ">")
    )
