"""The words with which one plays: ranks, doubting, believing, passing, taking back. Pure."""

from msgspec.structs import replace

from client import my_hand, selectors
from client.intents import at_table, in_lobby
from client.plain.reports import example
from client.plain.word import Outcome, Topic, TypedLine, Word
from client.state import ClientState, Hinted
from client.words import laid
from protocol.cards import Rank, read_rank
from protocol.events import VoteOn
from protocol.numbers import CardId, PlayNumber
from protocol.text import MAX_CHAT

JOKERS = {"x", "jk", "joker", "jokers"}
TOO_LONG = f"Not said: no more than {MAX_CHAT} letters fit. Say it in parts."
HOW_TO_PLAY = "Type ranks to lay them: q 5. Then perhaps: = k (claim kings), as 2 (claim two)."


def is_a_play(line: str) -> bool:
    """Whether the line begins with a rank or a joker."""
    words = _words(line)
    return bool(words) and _rank(words[0]) is not _NOT


class _NotARank:
    """What a word is that names no rank; None is a joker."""


_NOT = _NotARank()


def _words(line: str) -> list[str]:
    return line.replace(",", " ").replace("=", " = ").split()


def _rank(word: str) -> Rank | _NotARank | None:
    if word.casefold() in JOKERS:
        return None
    try:
        return read_rank(word)
    except ValueError:
        return _NOT


def lay(typed: TypedLine) -> Outcome:
    """Lay cards: "q 5", "q 5 as 1" with sneaking, "q 5 = k" where the rank is free.

    Here `typed.rest` is the whole line.
    """
    ranks, options = _parted(_words(typed.rest))
    wanted = [_rank(word) for word in ranks]
    if any(isinstance(rank, _NotARank) for rank in wanted):
        return Hinted(text=HOW_TO_PLAY)
    cards = _cards(typed.state, [rank for rank in wanted if not isinstance(rank, _NotARank)])
    if isinstance(cards, Hinted):
        return cards
    claim = _claim(options)
    if isinstance(claim, Hinted):
        return claim
    rank, count = claim
    outcome = at_table.lay(replace(typed.state, picks=cards), rank=rank, count=count)
    if isinstance(outcome, Hinted) and outcome.text == at_table.SAY_RANK:
        return Hinted(text=f"{at_table.SAY_RANK} For example: {' '.join(ranks)} = k")
    return outcome


def _parted(words: list[str]) -> tuple[list[str], list[str]]:
    """The ranks laid, and what is said of them."""
    for place, word in enumerate(words):
        if word.casefold() in {"=", "as"}:
            return words[:place], words[place:]
    return words, []


def _cards(state: ClientState, ranks: list[Rank | None]) -> tuple[CardId, ...] | Hinted:
    cards: list[CardId] = []
    for rank in ranks:
        free = [card.id for card in my_hand.of_rank(state, rank) if card.id not in cards]
        if not free:
            return _short_of(state, rank)
        cards.append(free[0])
    return tuple(cards)


def _short_of(state: ClientState, rank: Rank | None) -> Hinted:
    if not (selectors.dealing(state) and selectors.holds_a_seat(state)):
        to_quit = " q is a queen; quit ends." if rank is Rank.QUEEN else ""
        why = at_table.lay(state)
        return Hinted(text=(why.text if isinstance(why, Hinted) else at_table.NO_DEAL) + to_quit)
    held = my_hand.of_rank(state, rank)
    word = rank.plural if rank else "jokers"
    if not held and rank in selectors.due(state) and selectors.my_turn(state):
        return Hinted(
            text=f"You hold no {word}: lay others, said to be {word}. Example: {example(state)}"
        )
    mine = laid(held) if held else f"no {word}"
    return Hinted(text=f"You hold {mine}. hand tells what you hold.")


def _claim(options: list[str]) -> tuple[Rank | None, int | None] | Hinted:
    rank: Rank | None = None
    count: int | None = None
    for kind, value in zip(options[::2], [*options[1::2], ""], strict=False):
        named = _rank(value)
        if kind.casefold() == "as" and value.isascii() and value.isdigit():
            count = int(value)
        elif kind == "=" and isinstance(named, Rank):
            rank = named
        else:
            return Hinted(text=HOW_TO_PLAY)
    return rank, count


def _doubt(typed: TypedLine) -> Outcome:
    if not typed.rest:
        return at_table.doubt(typed.state, typed.now)
    number = typed.arguments[0]
    if not (number.isascii() and number.isdigit() and len(number) < 7):  # noqa: PLR2004
        return Hinted(text="b doubts the newest play, b 41 that play.")
    return at_table.doubt(typed.state, typed.now, PlayNumber(int(number)))


def _say(typed: TypedLine) -> Outcome:
    if len(typed.rest) > MAX_CHAT:
        return Hinted(text=TOO_LONG)
    return in_lobby.say(typed.state, typed.rest)


def _vote(typed: TypedLine) -> Outcome:
    votes = {"end": VoteOn.END_DEAL, "pause": VoteOn.PAUSE}
    on = votes.get(typed.rest.casefold())
    if on is None:
        return Hinted(text="Say vote end or vote pause.")
    return at_table.call_vote(typed.state, on)


WORDS = (
    Word(
        name="doubt",
        letter="b",
        usage="[PLAY]",
        about="doubt the newest play, or the one of that number",
        topic=Topic.PLAY,
        act=_doubt,
    ),
    Word(
        name="believe",
        letter="y",
        about="let the newest play go; b still doubts",
        topic=Topic.PLAY,
        act=lambda typed: at_table.believe(typed.state),
    ),
    Word(
        name="all",
        letter="Y",
        about="believe everything until my turn; again: stop that",
        topic=Topic.PLAY,
        act=lambda typed: at_table.believe_all(typed.state),
    ),
    Word(
        name="pass",
        letter="p",
        about="pass, where the rules allow it",
        topic=Topic.PLAY,
        act=lambda typed: at_table.pass_turn(typed.state),
    ),
    Word(
        name="back",
        letter="u",
        about="take back what lies ready",
        topic=Topic.PLAY,
        act=lambda typed: at_table.take_back(typed.state),
    ),
    Word(
        name="go",
        letter="g",
        about="go on after a ruling",
        topic=Topic.PLAY,
        act=lambda typed: at_table.go_on(typed.state),
    ),
    Word(
        name="say",
        letter="s",
        usage="TEXT",
        about="say something to everybody here",
        topic=Topic.TABLE,
        act=_say,
    ),
    Word(
        name="vote",
        usage="end|pause",
        about="ask the table to end the deal or to pause",
        topic=Topic.TABLE,
        act=_vote,
    ),
    Word(
        name="yes",
        about="vote yes",
        topic=Topic.TABLE,
        act=lambda typed: at_table.cast_vote(typed.state, yes=True),
    ),
    Word(
        name="no",
        about="vote no",
        topic=Topic.TABLE,
        act=lambda typed: at_table.cast_vote(typed.state, yes=False),
    ),
    Word(
        name="pause",
        about="host: stop the clocks; others: ask for it",
        topic=Topic.TABLE,
        act=lambda typed: at_table.pause(typed.state),
    ),
    Word(
        name="resume",
        about="let the clocks run again",
        topic=Topic.TABLE,
        act=lambda typed: at_table.resume(typed.state),
    ),
    Word(
        name="clock",
        about="where turns have no clock: start one of 30 seconds",
        topic=Topic.TABLE,
        act=lambda typed: at_table.start_clock(typed.state),
    ),
    Word(
        name="giveup",
        about="leave my seat to a computer player for this deal",
        topic=Topic.TABLE,
        act=lambda typed: at_table.give_up_seat(typed.state),
    ),
    Word(
        name="return",
        about="take my seat back from the computer player",
        topic=Topic.TABLE,
        act=lambda typed: at_table.return_to_seat(typed.state),
    ),
)
