"""The words for hall and lobby: create, join, ready, start, and the host's tools. Pure."""

from collections.abc import Callable

from msgspec.structs import replace

from client import selectors
from client.intents import in_lobby
from client.intents.opening_words import GRAMMAR, opened
from client.intents.shared import Intent
from client.plain.word import Outcome, Quit, Reply, Topic, TypedLine, Word
from client.screens.leaving import cost_of_leaving
from client.state import ClientState, Hinted
from client.way_in.address import SEE_CODE
from client.words import KINDS
from protocol.codes import BadRulesCode, parse_rules
from protocol.events import LobbySettings
from protocol.numbers import MAX_SEATS, MIN_SEATS, Seat
from protocol.text import MAX_SHOUT, clean

YES = {"yes", "on", "y"}
NO = {"no", "off", "n"}
SETTINGS = "Say set size 6, set watchers no, set public no, or set shout Cheat!"
WHAT_A_SETTING_MAY_BE = {
    "size": f"A lobby has {MIN_SEATS} to {MAX_SEATS} seats: set size 6, say.",
    "watchers": "Say set watchers yes, or set watchers no.",
    "public": "Say set public yes, or set public no.",
    "shout": f"Say set shout and what is called with a doubt, up to {MAX_SHOUT} characters.",
}
LEAVING = "A deal is running. leave yes gives your seat to a computer player"


def _create(typed: TypedLine) -> Outcome:
    return opened(typed.state, typed.arguments)


def _wrong_rules(text: str) -> Hinted | None:
    try:
        parse_rules(text)
    except BadRulesCode as bad:
        return Hinted(text=str(bad))
    return None


def _join(typed: TypedLine, *, watch: bool) -> Outcome:
    if not typed.rest:
        return Hinted(text=SEE_CODE)
    code, _, password = typed.rest.partition(" ")  # which may have been given with spaces
    return in_lobby.join(typed.state, code, password=password.strip() or None, watch=watch)


def _ready(typed: TypedLine) -> Outcome:
    word = typed.rest.casefold()
    if word and word not in YES | NO:
        return Hinted(text="Say ready or ready no.")
    return in_lobby.ready(typed.state, on=word not in NO if word else None)


def _start(typed: TypedLine) -> Outcome:
    return in_lobby.start(typed.state, anyway=typed.rest.casefold() == "anyway")


def _add(typed: TypedLine) -> Outcome:
    """One of a kind; without a word the kinds, and what each is like."""
    kinds = typed.state.welcome.temperaments if typed.state.welcome else ()
    if typed.rest or not kinds:
        return in_lobby.add(typed.state, typed.rest.casefold())
    told = (f"ADD: {clean(kind)}{_like(kind)}." for kind in kinds)
    return Reply(lines=(*told, f"ADD: for example add {clean(kinds[0])}."))


def _like(kind: str) -> str:
    return f", {KINDS[kind]}" if kind in KINDS else ""


def _rules(typed: TypedLine) -> Outcome:
    if not typed.rest:
        return Hinted(
            text="Say rules and a preset or code; options lists them, and sheet tells those of here."
        )
    return _wrong_rules(typed.rest) or in_lobby.set_rules(typed.state, typed.rest)


def _set(typed: TypedLine) -> Outcome:
    lobby = typed.state.lobby
    if lobby is None:
        return Hinted(text=in_lobby.NO_LOBBY)
    name, _, value = typed.rest.partition(" ")
    settings = _with(lobby.settings, name.casefold(), value.strip())
    if settings is None:
        return Hinted(text=WHAT_A_SETTING_MAY_BE.get(name.casefold(), SETTINGS))
    return in_lobby.set_settings(typed.state, settings)


def _with(settings: LobbySettings, name: str, value: str) -> LobbySettings | None:
    word = value.casefold()
    if name == "size" and word.isascii() and word.isdigit():
        seats = int(word)
        return replace(settings, size=seats) if MIN_SEATS <= seats <= MAX_SEATS else None
    if name == "shout" and value and len(value) <= MAX_SHOUT:
        return replace(settings, shout=value)
    if name == "watchers" and word in YES | NO:
        return replace(settings, watchers=word in YES)
    if name == "public" and word in YES | NO:
        return replace(settings, public=word in YES)
    return None


def _sit(typed: TypedLine) -> Outcome:
    if not typed.rest:
        return in_lobby.sit(typed.state)
    if not (typed.rest.isascii() and typed.rest.isdigit() and len(typed.rest) < 3):  # noqa: PLR2004
        return Hinted(text="Say sit, or sit and the number of a computer player's seat.")
    return in_lobby.sit(typed.state, Seat(int(typed.rest) - 1))


def _answer(typed: TypedLine) -> Outcome:
    name, _, word = typed.rest.rpartition(" ")
    if word.casefold() not in YES | NO:
        return Hinted(text="Say answer NAME yes or answer NAME no.")
    return in_lobby.answer_seat(typed.state, name, yes=word.casefold() in YES)


def _with_a_name(typed: TypedLine, act: Callable[[ClientState, str], Intent]) -> Outcome:
    if not typed.rest:
        return Hinted(text="Say whose name behind it; seats lists them.")
    return act(typed.state, typed.rest)


def _leave(typed: TypedLine) -> Outcome:
    if typed.state.lobby is None:
        return Quit()
    playing = selectors.dealing(typed.state) and selectors.my_seat(typed.state) is not None
    if playing and typed.rest.casefold() not in YES:
        cost = cost_of_leaving(typed.state, passing=typed.here.passing)
        return Hinted(text=f"{LEAVING}{f'; quit: {cost}' if cost else ''}.")
    return in_lobby.leave(typed.state)


WORDS = (
    Word(
        name="create",
        usage=GRAMMAR,
        about="open a lobby with a preset or rules code",
        topic=Topic.LOBBY,
        act=_create,
    ),
    Word(
        name="join",
        letter="f",
        usage="CODE [PASSWORD]",
        about="sit down in a lobby",
        topic=Topic.LOBBY,
        act=lambda typed: _join(typed, watch=False),
    ),
    Word(
        name="watch",
        letter="w",
        usage="CODE [PASSWORD]",
        about="watch a lobby",
        topic=Topic.LOBBY,
        act=lambda typed: _join(typed, watch=True),
    ),
    Word(
        name="ready",
        letter="r",
        usage="[yes|no]",
        about="ready for the next deal, or a rematch",
        topic=Topic.LOBBY,
        act=_ready,
    ),
    Word(
        name="sit",
        usage="[SEAT]",
        about="take a seat; in a deal: ask for a computer player's",
        topic=Topic.LOBBY,
        act=_sit,
    ),
    Word(
        name="stand",
        about="from a seat to watching, between deals",
        topic=Topic.LOBBY,
        act=lambda typed: in_lobby.stand(typed.state),
    ),
    Word(
        name="leave",
        letter="e",
        usage="[yes]",
        about="back to the hall; from the hall: quit",
        topic=Topic.LOBBY,
        act=_leave,
    ),
    Word(
        name="quit",
        letter="z",
        about="end the program; a seat is kept",
        topic=Topic.LOBBY,
        act=lambda _: Quit(),
    ),
    Word(
        name="start",
        letter="d",
        usage="[anyway]",
        about="deal the cards",
        topic=Topic.HOST,
        act=_start,
    ),
    Word(
        name="add",
        usage="[KIND]",
        about="a computer player of this kind takes a seat; alone it lists the kinds",
        topic=Topic.HOST,
        act=_add,
    ),
    Word(
        name="remove",
        usage="NAME",
        about="take somebody out of the lobby",
        topic=Topic.HOST,
        act=lambda typed: _with_a_name(typed, in_lobby.remove),
    ),
    Word(
        name="rules",
        usage="CODE",
        about="these rules from the next deal on",
        topic=Topic.HOST,
        act=_rules,
    ),
    Word(
        name="set",
        usage="size|watchers|public|shout VALUE",
        about="change the lobby",
        topic=Topic.HOST,
        act=_set,
    ),
    Word(
        name="host",
        usage="NAME",
        about="hand the lobby over",
        topic=Topic.HOST,
        act=lambda typed: _with_a_name(typed, in_lobby.hand_over),
    ),
    Word(
        name="shuffle",
        about="seats in a new order",
        topic=Topic.HOST,
        act=lambda typed: in_lobby.shuffle(typed.state),
    ),
    Word(
        name="answer",
        usage="NAME yes|no",
        about="let somebody have a computer player's seat",
        topic=Topic.HOST,
        act=_answer,
    ),
)
