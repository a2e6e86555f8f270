"""Which key does what on which page, in what words, and when: the key bar and the help read this.

Keys have prompt_toolkit's names, except enter, tab, space and backspace, which have their own.
"""

from collections.abc import Callable

from msgspec import Struct

from client.intents.at_table import RANK_KEYS
from client.keys.live import (
    always,
    connect_words,
    enter_words,
    has_choices,
    has_chosen_play,
    has_hand,
    has_older,
    in_list,
    is_to_move,
    is_turned,
    is_typed,
    may_believe,
    may_believe_all,
    may_choose_rank,
    may_doubt,
    may_enter,
    may_pass,
    may_sneak,
    may_unpick,
    may_vote_no,
    may_vote_yes,
    must_choose_rank,
    never,
    unpick_words,
)
from client.screens.deeds import Act
from client.screens.desk import Overlay
from client.screens.frame import Frame
from client.screens.leaving import with_cost

When = Callable[[Frame], bool]
Words = str | Callable[[Frame], str]


class Binding(Struct, frozen=True, kw_only=True):
    """Some keys that do one act; `live` and `leads` decide only what the key bar names, and first."""

    keys: tuple[str, ...]
    act: Act
    label: str
    does: Words  # what it says on the key bar
    help: str = ""  # what it says in the help; empty: as on the key bar
    live: When = always
    leads: When = never

    def words(self, frame: Frame) -> str:
        """What it does now."""
        return self.does if isinstance(self.does, str) else self.does(frame)


# --- the tables ----------------------------------------------------------------------------------

HELP = Binding(keys=("?", "f1"), act=Act.HELP, label="?", does="help", help="help (also F1)")
MENU = Binding(
    keys=("escape", "f10", "c-g"),
    act=Act.MENU,
    label="Esc",
    does="menu",
    help="menu (also F10, Ctrl-G)",
)
CLOSE = Binding(keys=("escape", "q", "f10", "c-g"), act=Act.BACK, label="Esc", does="close")

ANYWHERE = (
    Binding(keys=("f2",), act=Act.SKIN, label="F2", does="letters for suits"),
    Binding(keys=("f3",), act=Act.COLOURS, label="F3", does="colours"),
    Binding(keys=("f4",), act=Act.BELL, label="F4", does="bell"),
    Binding(
        keys=("S", "f5"), act=Act.SETTINGS, label="S", does="settings", help="settings (also F5)"
    ),
    Binding(keys=("c-l",), act=Act.REPAINT, label="Ctrl-L", does="repaint"),
    Binding(
        keys=("c-c", "c-d", "<sigint>"),
        act=Act.LEAVE,
        label="Ctrl-C",
        does=lambda frame: with_cost(frame, "twice: leave", " ({})"),
    ),
    Binding(keys=("c-z",), act=Act.SUSPEND, label="Ctrl-Z", does="to the background"),
)

SAY = Binding(keys=("/",), act=Act.SAY, label="/", does="say", help="say something to all here")
MOUSE = Binding(keys=("m",), act=Act.MOUSE, label="m", does="mouse on or off", live=never)
RANKS = Binding(
    keys=tuple(RANK_KEYS),
    act=Act.PICK,
    label="A-K",
    does="pick",
    help="a 2-9 t j q k (0: ten, x: joker): one more of it; again and again: 1, 2 .. all, none",
    live=has_hand,
    leads=is_to_move,
)
DOUBT = Binding(
    keys=("b",),
    act=Act.DOUBT,
    label="b",
    does="doubt",
    help="doubt the newest play; the first doubt counts, and pays if the play was true",
    live=may_doubt,
)
BELIEVE = Binding(
    keys=("y",),
    act=Act.BELIEVE,
    label="y",
    does="believe",
    help="believe it: once all do, nobody waits any longer; b still doubts",
    live=may_believe,
)
BELIEVE_ALL = Binding(
    keys=("Y",),
    act=Act.BELIEVE_ALL,
    label="Y",
    does=lambda frame: "stop believing" if frame.state.believe_all else "believe all",
    help="believe all until my turn; last cards excepted",
    live=may_believe_all,
)

VOTE = (
    Binding(keys=("v",), act=Act.YES, label="v", does="vote yes", live=may_vote_yes),
    Binding(keys=("V",), act=Act.NO, label="V", does="vote no", live=may_vote_no),
)

TABLE = (
    DOUBT,
    BELIEVE,
    Binding(
        keys=("enter",),
        act=Act.ENTER,
        label="Enter",
        does=enter_words,
        help="lay what is picked; after a ruling: go on",
        live=may_enter,
        leads=may_enter,
    ),
    RANKS,
    Binding(
        keys=("backspace",),
        act=Act.UNPICK,
        label="Bksp",
        does=unpick_words,
        help="unpick the last one; take back what lies ready",
        live=may_unpick,
        leads=may_unpick,
    ),
    Binding(
        keys=("p",),
        act=Act.PASS,
        label="p",
        does="pass",
        help="pass, where the rules allow it",
        live=may_pass,
    ),
    *VOTE,
    Binding(
        keys=("=",),
        act=Act.NAME_RANK,
        label="=",
        does="other rank",
        help="then a rank key: say that rank, where several are due",
        live=may_choose_rank,
        leads=must_choose_rank,
    ),
    Binding(
        keys=("tab",), act=Act.NEXT_RANK, label="Tab", does="say the next rank due", live=never
    ),
    Binding(
        keys=("-",),
        act=Act.SAY_FEWER,
        label="-",
        does="say fewer",
        help="say one fewer than you lay, where sneaking is allowed",
        live=may_sneak,
    ),
    Binding(keys=("+",), act=Act.SAY_MORE, label="+", does="say one more again", live=never),
    Binding(
        keys=("B",),
        act=Act.OLDER,
        label="B",
        does="older play",
        help="doubt an older play, where the rules allow it",
        live=has_older,
    ),
    Binding(keys=("left",), act=Act.LEFT, label="Left", does="cursor left", live=never),
    Binding(keys=("right",), act=Act.RIGHT, label="Right", does="cursor right", live=never),
    Binding(keys=("space",), act=Act.SPACE, label="Space", does="pick at the cursor", live=never),
    Binding(keys=("up",), act=Act.UP, label="Up", does="all of the rank at the cursor", live=never),
    Binding(keys=("down",), act=Act.DOWN, label="Down", does="none of it", live=never),
    Binding(keys=("o",), act=Act.ORDER, label="o", does="order by rank or by size", live=never),
    Binding(keys=("n",), act=Act.NAMES, label="n", does="names: who sits where", live=never),
    MOUSE,
    SAY,
    BELIEVE_ALL,
    Binding(keys=("l",), act=Act.LOG, label="l", does="log", help="every play of this deal"),
    HELP,
    MENU,
)

CONNECT = (
    Binding(
        keys=("enter",),
        act=Act.ENTER,
        label="Enter",
        does=connect_words,
        help="connect, or do what is chosen",
    ),
    Binding(keys=("up", "c-p"), act=Act.UP, label="Up/Down", does="choose", live=has_choices),
    Binding(keys=("down", "c-n"), act=Act.DOWN, label="", does="", live=never),
    Binding(keys=("tab",), act=Act.TAB, label="Tab", does="next field"),
    Binding(keys=("q",), act=Act.QUIT, label="q", does="quit", live=in_list),
    HELP,
    Binding(
        keys=MENU.keys,
        act=Act.MENU,
        label="Esc",
        does=lambda frame: "menu" if in_list(frame) else "to the list",
        help=MENU.help,
    ),
)
"""All other letters go into the address (`typing_line`)."""

KIOSK = (
    Binding(keys=("q",), act=Act.QUIT, label="q", does="quit"),
    HELP,
    MENU,
)
"""While a guest on an account of many waits for the server: there is nothing to choose."""

_SCROLL = (
    Binding(keys=("up", "k"), act=Act.UP, label="Up/Down", does="scroll"),
    Binding(keys=("down", "j"), act=Act.DOWN, label="Down", does="scroll", live=never),
    Binding(keys=("pagedown", "space"), act=Act.SPACE, label="Space", does="next page"),
    Binding(keys=("pageup", "u"), act=Act.PAGE_UP, label="PageUp", does="page back", live=never),
    Binding(keys=("enter",), act=Act.ENTER, label="Enter", does="close", live=never),
)
_PAGES = (Binding(keys=("up", "k"), act=Act.UP, label="Up/Down", does="turn pages"), *_SCROLL[1:])
_CHOOSE = (
    Binding(keys=("up", "k"), act=Act.UP, label="Up/Down", does="choose"),
    Binding(keys=("down", "j"), act=Act.DOWN, label="Down", does="choose", live=never),
)
_ANSWER = (DOUBT, BELIEVE, BELIEVE_ALL, *VOTE)
"""What answers a play or a vote works from every page laid over the table, and comes first: it cannot wait."""

_SAY = Binding(keys=("/",), act=Act.SAY, label="/", does="say", live=never)

OVER: dict[Overlay, tuple[Binding, ...]] = {
    Overlay.HELP: (*_ANSWER, *_PAGES, _SAY, HELP, CLOSE),
    Overlay.LOG: (*_ANSWER, *_SCROLL, _SAY, HELP, CLOSE),
    Overlay.NAMES: (
        *_ANSWER,
        _SAY,
        Binding(keys=("enter", "n"), act=Act.ENTER, label="n", does="close", live=never),
        HELP,
        CLOSE,
    ),
    Overlay.MENU: (
        *_ANSWER,
        Binding(keys=("enter", "space"), act=Act.ENTER, label="Enter", does="do it"),
        *_CHOOSE,
        HELP,
        CLOSE,
    ),
    Overlay.OLDER: (
        Binding(
            keys=("enter", "b", "B"),
            act=Act.ENTER,
            label="Enter",
            does="doubt this play",
            live=has_chosen_play,
        ),
        *_CHOOSE,
        BELIEVE,
        *VOTE,
        HELP,
        CLOSE,
    ),
    Overlay.CONFESSION: (*_SCROLL, HELP, CLOSE),
    Overlay.EVENING: (
        Binding(keys=("enter", "e"), act=Act.ENTER, label="e", does="close", live=never),
        HELP,
        CLOSE,
    ),
    Overlay.SETTINGS: (
        *_ANSWER,
        Binding(
            keys=("left", "-"), act=Act.LEFT, label="Left/Right", does="change", live=is_turned
        ),
        Binding(keys=("right", "+", "="), act=Act.RIGHT, label="Right", does="change", live=never),
        Binding(
            keys=("enter", "space"), act=Act.ENTER, label="Enter", does="change", live=is_typed
        ),
        *_CHOOSE,
        HELP,
        CLOSE,
    ),
}
