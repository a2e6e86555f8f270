"""The words that open a lobby, on the full screen and line by line: [CODE] [private] [password WORD]. Pure."""

from collections.abc import Sequence

from msgspec import Struct

from client.intents import in_lobby
from client.intents.shared import Intent
from client.state import ClientState, Hinted
from protocol.codes import BadRulesCode, parse_rules

PASSWORD = "password"  # noqa: S105 - a word of the language
PRIVATE = "private"
GRAMMAR = f"[CODE] [{PRIVATE}] [{PASSWORD} WORD]"


class Opening(Struct, frozen=True, kw_only=True):
    """The lobby that somebody wants to open."""

    rules: str = "classic"
    public: bool = True
    password: str | None = None


def opened(state: ClientState, words: Sequence[str]) -> Intent:
    """Open the lobby that these words mean, or say which of them makes no sense."""
    wanted = read_opening(words)
    if isinstance(wanted, Hinted):
        return wanted
    return in_lobby.create(state, wanted.rules, public=wanted.public, password=wanted.password)


def read_opening(words: Sequence[str]) -> Opening | Hinted:
    """What the words mean. None is taken for a password that does not stand behind that word."""
    password, small = None, [word.casefold() for word in words]
    if PASSWORD in small:
        place = small.index(PASSWORD)
        if place == len(words) - 1:
            return Hinted(text=f"Behind {PASSWORD} stands the word that is asked for.")
        password = words[place + 1]
        words = [*words[:place], *words[place + 2 :]]
    codes = [word for word in words if word.casefold() != PRIVATE]
    if len(codes) > 1:
        return Hinted(text=f"What is {codes[1]!r}? It goes: {GRAMMAR}.")
    rules = codes[0] if codes else "classic"
    try:
        parse_rules(rules)
    except BadRulesCode as bad:
        return Hinted(text=str(bad))
    public = len(codes) == len(words)
    return Opening(rules=rules, public=public, password=password)
