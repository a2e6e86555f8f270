"""The bindings of the hall, the lobby and the result, and which page has which. See `bindings`."""

from client.keys.bindings import CONNECT, HELP, MENU, MOUSE, SAY, TABLE, Binding
from client.keys.live import (
    acts_as_host,
    has_evening,
    has_lobby,
    has_lost_lobby,
    has_seat_menu,
    has_suggestion,
    is_seated,
    may_sit_or_be_ready,
    may_start,
    never,
    ready_words,
    turns_options,
)
from client.screens.deeds import Act
from client.screens.desk import Screen

EVENING = Binding(
    keys=("e",),
    act=Act.EVENING,
    label="e",
    does="evening",
    help="the evening's table: deals won, lies and doubts since you came",
    live=has_evening,
)

LOG = Binding(keys=("l",), act=Act.LOG, label="l", does="log", live=never)

HALL = (
    Binding(keys=("enter",), act=Act.ENTER, label="Enter", does="join", live=has_lobby),
    Binding(keys=("c",), act=Act.CREATE, label="c", does="create"),
    Binding(keys=("w",), act=Act.WATCH, label="w", does="watch", live=has_lobby),
    Binding(
        keys=("f",),
        act=Act.CODE,
        label="f",
        does="code",
        help="join by code, with a password after it",
    ),
    Binding(keys=("up", "k"), act=Act.UP, label="Up/Down", does="choose", live=has_lost_lobby),
    Binding(keys=("down", "j"), act=Act.DOWN, label="", does="", live=never),
    SAY,
    LOG,
    MOUSE,
    Binding(keys=("q",), act=Act.DISCONNECT, label="q", does="leave"),
    HELP,
    MENU,
)

LOBBY = (
    Binding(
        keys=("space",), act=Act.SPACE, label="Space", does=ready_words, live=may_sit_or_be_ready
    ),
    Binding(keys=("s",), act=Act.START, label="s", does="start", live=may_start),
    Binding(
        keys=("a",),
        act=Act.COMPUTERS,
        label="a",
        does="add computer",
        help="add a computer player",
        live=acts_as_host,
    ),
    Binding(
        keys=("left", "-"),
        act=Act.LEFT,
        label="Left/Right",
        does="set",
        help="change the option (host); also - and +",
        live=turns_options,
    ),
    Binding(
        keys=("enter",),
        act=Act.ENTER,
        label="Enter",
        does="seat menu",
        help="on a seat: what can be done about it; on an option: next value",
        live=has_seat_menu,
    ),
    SAY,
    Binding(keys=("right", "+", "="), act=Act.RIGHT, label="", does="", live=never),
    Binding(keys=("up", "k"), act=Act.UP, label="Up/Down", does="choose", live=never),
    Binding(keys=("down", "j"), act=Act.DOWN, label="", does="", live=never),
    Binding(
        keys=("tab",),
        act=Act.TAB,
        label="Tab",
        does="seats or options",
        help="between seats and options",
    ),
    Binding(
        keys=("u",),
        act=Act.SUGGESTED,
        label="u",
        does="take suggestion",
        help="take the rules suggested for this many players (host)",
        live=has_suggestion,
    ),
    Binding(
        keys=("y", "i"),
        act=Act.INVITE,
        label="y",
        does="copy invite",
        live=lambda frame: not frame.desk.passing,
    ),
    EVENING,
    Binding(keys=("C",), act=Act.COPY_RULES, label="C", does="copy the rules code", live=never),
    LOG,
    Binding(keys=("n",), act=Act.NAMES, label="n", does="names", live=never),
    MOUSE,
    Binding(keys=("r",), act=Act.READY, label="r", does="ready", live=never),
    Binding(keys=("q",), act=Act.LEAVE_LOBBY, label="q", does="leave the lobby", live=never),
    HELP,
    MENU,
)

RESULT = (
    Binding(
        keys=("r", "space"),
        act=Act.READY,
        label="r",
        does=ready_words,
        help="ready for a rematch",
        live=is_seated,
    ),
    Binding(keys=("s",), act=Act.START, label="s", does="start", live=may_start),
    Binding(
        keys=("l",),
        act=Act.CONFESSION,
        label="l",
        does="all plays",
        help="step through all plays, cards up",
    ),
    EVENING,
    Binding(keys=("L",), act=Act.LOG, label="L", does="log", live=never),
    Binding(keys=("enter", "q"), act=Act.TO_LOBBY, label="Enter", does="to the lobby"),
    SAY,
    HELP,
    MENU,
)

ON: dict[Screen, tuple[Binding, ...]] = {
    Screen.FIRST: (),  # its keys go by the question: `live_bindings`
    Screen.CONNECT: CONNECT,
    Screen.HALL: HALL,
    Screen.LOBBY: LOBBY,
    Screen.TABLE: TABLE,
    Screen.RESULT: RESULT,
}
