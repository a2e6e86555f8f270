"""The words that set several rules at once: the pace of a table, and what suits so many players. Pure."""

from client.intents import in_lobby
from client.plain.word import Outcome, Reply, Topic, TypedLine, Word
from client.rule_bundles import PACE
from client.state import Hinted
from client.suggestions import NOTHING_BETTER, suggestion_text, with_suggestions
from protocol.codes import rules_code
from protocol.text import clean

TAKE = "take"


def _suggest(typed: TypedLine) -> Outcome:
    lobby = typed.state.lobby
    if lobby is None:
        return Hinted(text=in_lobby.NO_LOBBY)
    text = suggestion_text(lobby)
    if not text:
        return Hinted(text=NOTHING_BETTER)
    if typed.rest.casefold() != TAKE:
        return Reply(lines=(f"SUGGEST: {text}. suggest take takes it.",))
    return in_lobby.set_rules(typed.state, rules_code(with_suggestions(lobby)))


def _pace(typed: TypedLine) -> Outcome:
    lobby = typed.state.lobby
    if lobby is None:
        return Hinted(text=in_lobby.NO_LOBBY)
    name = typed.rest.casefold()
    if not name:
        told = (f"PACE: {one}, {about}." for one, about in PACE.about.items())
        return Reply(lines=(*told, "PACE: for example pace beginners."))
    if name not in PACE.values:
        return Hinted(text=f"There is no pace {clean(name, 20)}: {', '.join(PACE.values)}.")
    return in_lobby.set_rules(typed.state, rules_code(PACE.set_to(lobby, name)))


WORDS = (
    Word(
        name="suggest",
        usage="[take]",
        about="rules that suit this many players",
        topic=Topic.HOST,
        act=_suggest,
    ),
    Word(
        name="pace",
        usage="|".join(PACE.values),
        about="how much time there is for doubts and turns",
        topic=Topic.HOST,
        act=_pace,
    ),
)
