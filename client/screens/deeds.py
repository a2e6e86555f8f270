"""Everything a person can do at this terminal, by name: what keys and menu items both end in."""

from enum import StrEnum

from msgspec import Struct


class Act(StrEnum):
    """One thing to do. Some take an argument: a name, a seat, a temperament."""

    # anywhere
    HELP = "help"
    MENU = "menu"
    BACK = "back"
    ENTER = "enter"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    PAGE_UP = "page_up"
    PAGE_DOWN = "page_down"
    SPACE = "space"
    TAB = "tab"
    SAY = "say"
    LEAVE = "leave"
    QUIT = "quit"
    REPAINT = "repaint"
    SUSPEND = "suspend"
    SKIN = "skin"
    COLOURS = "colours"
    BELL = "bell"
    MOUSE = "mouse"
    SETTINGS = "settings"
    # before a server
    DISCONNECT = "disconnect"
    # the hall
    CREATE = "create"
    CODE = "code"
    WATCH = "watch"
    # the lobby
    READY = "ready"
    START = "start"
    START_ANYWAY = "start_anyway"
    COMPUTERS = "computers"
    ADD = "add"
    REMOVE = "remove"
    HAND_OVER = "hand_over"
    SHUFFLE = "shuffle"
    SIT = "sit"
    STAND = "stand"
    ADMIT = "admit"
    TURN_AWAY = "turn_away"
    INVITE = "invite"
    COPY_RULES = "copy_rules"
    SUGGESTED = "suggested"
    LEAVE_LOBBY = "leave_lobby"
    # the table
    PICK = "pick"
    UNPICK = "unpick"
    DOUBT = "doubt"
    OLDER = "older"
    BELIEVE = "believe"
    BELIEVE_ALL = "believe_all"
    PASS = "pass"  # noqa: S105 - a move of the game
    NEXT_RANK = "next_rank"
    NAME_RANK = "name_rank"
    SAY_FEWER = "say_fewer"
    SAY_MORE = "say_more"
    LOG = "log"
    NAMES = "names"
    ORDER = "order"
    YES = "yes"
    NO = "no"
    GIVE_UP = "give_up"
    RETURN = "return"
    VOTE_END = "vote_end"
    VOTE_PAUSE = "vote_pause"
    PAUSE = "pause"
    RESUME = "resume"
    START_CLOCK = "start_clock"
    # after the deal
    CONFESSION = "confession"
    EVENING = "evening"
    TO_LOBBY = "to_lobby"
    # learning
    LESSON_ON = "lesson_on"
    LESSON_SKIP = "lesson_skip"
    LESSONS = "lessons"  # all of them again


class Deed(Struct, frozen=True, kw_only=True):
    """An act with what it is done to."""

    act: Act
    about: str = ""
