"""A typed line and the state -> what comes of it. Pure; the words themselves are beside this."""

import difflib
from collections.abc import Iterable

from client.plain import lobby_words, play_words, suggest_words
from client.plain.look_words import WORDS as LOOK
from client.plain.settings_words import WORDS as SETTINGS
from client.plain.way_words import WORDS as WAY
from client.plain.word import Here, Outcome, Reply, Topic, TypedLine, Word
from client.settings import DEFAULTS, Settings
from client.state import ClientState, Hinted
from protocol.text import clean

WORDS: tuple[Word, ...] = (
    *play_words.WORDS,
    *LOOK,
    *SETTINGS,
    *lobby_words.WORDS,
    *suggest_words.WORDS,
    *WAY,
)
HELP = "help"
LIKELY = 0.7  # how like a word a mistyped one is
ELSEWHERE = {
    **dict.fromkeys(("bs", "cheat", "bluff", "challenge", "call", "liar", "lie"), "b (doubt)"),
    **dict.fromkeys(("ok", "true", "trust", "accept", "letgo"), "y (believe)"),
    **dict.fromkeys(("exit", "bye", "end", "stop"), "quit"),
    **dict.fromkeys(("cards", "me", "my"), "hand"),
    **dict.fromkeys(("who", "players", "names", "lobby"), "seats"),
    **dict.fromkeys(("score", "scores", "points"), "evening"),
    **dict.fromkeys(("status", "pile", "turn", "look"), "table"),
    **dict.fromkeys(("chat", "tell"), "say TEXT"),
    **dict.fromkeys(("deal", "begin"), "start"),
    **dict.fromkeys(("new", "open"), "create"),
    **dict.fromkeys(("kick", "ban"), "remove NAME"),
    **dict.fromkeys(("undo", "take"), "back"),
    **dict.fromkeys(("next", "continue"), "go"),
    **dict.fromkeys(("play", "lay"), "the ranks alone, such as q 5"),
    "rule": "sheet",
    "lobbies": "hall",
    "skip": "pass",
}
"""What people type who know other games, and what that is here."""

NOWHERE = Here()
GAME = (
    "HELP: the game: in turn, lay cards face down and say how many they are of the rank due.",
    "HELP: q 5 on your turn lays a queen and a five as two of the rank due, true or not.",
    "HELP: after SAYS, b doubts and y believes. A lie: the player takes the pile. The truth: you do.",
    "HELP: first to be rid of all cards wins. hand and table say how things are, at any time.",
    "HELP: sheet tells the rules of this table in full, and answers what people ask about them.",
)
"""What somebody has to know who has never played."""

LAYING = (
    "HELP: ranks alone lay cards: q 5 lays a queen and a five, 3 3 two threes, x a joker.",
    "HELP: q 5 = k says kings, where there is a choice of ranks; q 5 as 1 says one card, where sneaking is allowed.",
)
"""What has no word of its own: with it begins the help on playing."""

TITLES = {
    Topic.PLAY: "to play",
    Topic.LOOK: "to look",
    Topic.LOBBY: "to meet",
    Topic.HOST: "for the host of a lobby",
    Topic.TABLE: "at the table",
    Topic.WAY: "to come and go",
}


def understand(
    state: ClientState,
    line: str,
    now: float,
    settings: Settings = DEFAULTS,
    here: Here = NOWHERE,
) -> Outcome:
    """What a line means. `now` is when Enter was pressed, on the local monotonic clock."""
    text = clean(line, 400)
    if not text:
        return Reply()
    if play_words.is_a_play(text):
        return play_words.lay(TypedLine(state=state, now=now, rest=text))
    if text.startswith("/"):
        text = f"say {text[1:]}"
    first, _, rest = text.partition(" ")
    if first.casefold() in {HELP, "?"}:
        return Reply(lines=help_lines(rest))
    word = find(first)
    if word is None:
        return Hinted(text=_unknown(first))
    return word.act(
        TypedLine(state=state, now=now, rest=rest.strip(), settings=settings, here=here)
    )


def find(typed: str) -> Word | None:
    """The word for its name or letter; only letters tell capitals from small ones."""
    by_letter = next((word for word in WORDS if word.letter == typed), None)
    return by_letter or next((word for word in WORDS if word.name == typed.casefold()), None)


def _unknown(typed: str) -> str:
    asked = typed.casefold()
    names = [word.name for word in WORDS]
    near = difflib.get_close_matches(asked, names, n=1, cutoff=LIKELY)
    letter = next((f"{asked} ({word.name})" for word in WORDS if word.letter == asked), "")
    what = letter or ELSEWHERE.get(asked.strip("!")) or (near[0] if near else "")
    meant = f" Did you mean {what}?" if what else " Type help."
    return f"{typed[:20]} is not a word here.{meant}"


def help_lines(topic: str = "") -> tuple[str, ...]:
    """The help: all of it in short, or one topic or word in full."""
    asked = topic.strip().casefold()
    word = find(topic.strip()) if asked else None
    laying = asked == Topic.PLAY or play_words.is_a_play(asked)
    found = LAYING if laying else _explained((word,)) if word else ()
    if asked in set(Topic):
        found += _explained(one for one in WORDS if one.topic == asked and one is not word)
    if found:
        return found
    if asked:
        return (f"NO: {_unknown(topic.strip())}",)
    topics = ", ".join(Topic)
    lines = tuple(f"HELP: {TITLES[one]}: {_names(one)}." for one in Topic)
    return (*GAME, *lines, f"HELP: help and a topic ({topics}) or a word tells more.")


def _explained(words: Iterable[Word]) -> tuple[str, ...]:
    return tuple(f"HELP: {usage(word)}: {word.about}." for word in words)


def _names(topic: Topic) -> str:
    return ", ".join(_name(word) for word in WORDS if word.topic is topic)


def _name(word: Word) -> str:
    return f"{word.name} ({word.letter})" if word.letter else word.name


def usage(word: Word) -> str:
    """A word with its letter and arguments: "join (f) CODE [PASSWORD]"."""
    return f"{_name(word)} {word.usage}".rstrip()
