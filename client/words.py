"""Cards, claims, names and times in words, shared by the plain client and the logs on the screen. Pure.

Remote text is cleaned here once more: a server is not trusted to have done so. The smallest parts
are here; `news` makes whole sentences of them.
"""

from collections.abc import Iterator, Sequence

from protocol.cards import Card, Face, Rank
from protocol.events import Chair, ChairChanged, DeadHeat, LobbyStage, Ruled, StopReason
from protocol.numbers import MICROS, Seat
from protocol.rules import TableRules
from protocol.text import clean
from protocol.views import PublicTable, TableView

SUIT_WORDS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
PLACES = ("", "1st", "2nd", "3rd")
KINDS = {
    "casual": "mostly honest, doubts by gut feeling",
    "certain": "honest, doubts what hand or pile disproves, and last cards",
    "proof": "the same, and forgets nothing that it has seen",
}
"""What some computer players are like; a server may have others."""
STAGES = {
    LobbyStage.GATHERING: "waiting",
    LobbyStage.BETWEEN_DEALS: "between deals",
    LobbyStage.MATCH_OVER: "match over",
}

NO_OPEN_LOBBY = "No open lobby here: c opens one, f takes a code."
LOBBY_GONE = "That lobby is no longer open: Up and Down choose another."
HOST_AWAY = "{} is away: whoever has sat here longest acts as host."
WHY_OVER = {
    StopReason.OUT: "one hand is empty",
    StopReason.PLAYS: "the agreed number of plays is over",
    StopReason.TIME: "the time is up",
    StopReason.VOTE: "by vote",
    StopReason.CAP: "2,000 plays are enough",
}


def why_over(reason: StopReason, rules: TableRules) -> str:
    """What ended a deal (RULES A16, B16, B21)."""
    last_place = reason is StopReason.OUT and rules.play_on
    return "all hands but one are empty" if last_place else WHY_OVER[reason]


def provided(rules: TableRules) -> str:
    """What has to hold for ranks to come as they are foretold: " if nobody passes" (RULES A6, B11, B16)."""
    ways = (*(("passes",) if rules.passing else ()), *(("goes out",) if rules.play_on else ()))
    return f" if nobody {' or '.join(ways)}" if ways else ""


def truly(rank: Rank, rules: TableRules) -> str:
    """All that can truly be of a rank: "kings", or "kings and jokers" (RULES B2)."""
    return f"{rank.plural} and jokers" if rules.jokers else rank.plural


def between(stage: LobbyStage) -> str | None:
    """What a lobby does while no deal runs; None while one does."""
    return STAGES.get(stage)


def place(number: int) -> str:
    """A place in the ranking: "1st", "4th"."""
    return PLACES[number] if number < len(PLACES) else f"{number}th"


def many(count: int, word: str) -> str:
    """How many of something: "1 lie", "0 doubts"."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def cards(count: int) -> str:
    """A number of cards: "1 card", "12 cards"."""
    return many(count, "card")


def believed(let_go: int, could: int) -> str:
    """How many of those who could doubt a play believe it: "2 of 4 believe it" (RULES C4)."""
    return f"{let_go} of {could} {'believes' if let_go == 1 else 'believe'} it"


def claim(count: int, rank: Rank) -> str:
    """What is said of a play: "1 king", "3 sixes"."""
    return f"{count} {rank.word if count == 1 else rank.plural}"


def short_claim(count: int, rank: Rank) -> str:
    """The same for a narrow column: "2 x Q"."""
    return f"{count} x {rank.symbol}"


def ranks(due: Sequence[Rank]) -> str:
    """The ranks that may be claimed: "queens", "kings, queens or jacks", "any rank"."""
    if len(due) == len(Rank):
        return "any rank"
    words = [rank.plural for rank in due]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def face(shown: Face) -> str:
    """A card in words: "the seven of clubs", "a joker"."""
    if shown.rank is None or shown.suit is None:
        return "a joker"
    return f"the {shown.rank.word} of {SUIT_WORDS[shown.suit]}"


def faces(shown: Sequence[Face]) -> str:
    """Several cards in words, or "no cards"."""
    words = [face(one) for one in shown]
    if len(words) < 2:  # noqa: PLR2004
        return words[0] if words else "no cards"
    return f"{', '.join(words[:-1])} and {words[-1]}"


def by_rank(hand: Sequence[Card]) -> str:
    """How many of each rank: "ace 1, three 2, joker 1"."""
    return ", ".join(
        f"{rank.word if rank else 'joker'} {held}"
        for rank in (*Rank, None)
        if (held := sum(card.face.rank is rank for card in hand))
    )


def laid(hand: Sequence[Card]) -> str:
    """Cards by rank as one says them: "1 queen, 1 five"."""
    return by_kind([card.face for card in hand])


def by_kind(shown: Sequence[Face]) -> str:
    """The same of faces alone."""
    parts = [claim(held, rank) for rank in Rank if (held := sum(f.rank is rank for f in shown))]
    if jokers := sum(face.rank is None for face in shown):
        parts.append(many(jokers, "joker"))
    return ", ".join(parts)


def margin(micros: int) -> str:
    """A short time between two calls: "0.4 ms", "83 ms", "1.2 s"."""
    if micros < 10_000:  # noqa: PLR2004
        return f"{micros / 1000:.1f} ms"
    return f"{micros / 1000:.0f} ms" if micros < MICROS else f"{micros / MICROS:.1f} s"


def call_notes(table: PublicTable, ruled: Ruled) -> Iterator[str]:
    """What there is to say of a call order: why this call counts, and how it was timed (RULES C5, C6)."""
    nearest = f"nearest to {name_of(table, ruled.shown.seat)}'s left counts"
    if ruled.dead_heat is DeadHeat.PHOTO_FINISH:
        yield f"photo finish: {nearest}"
    if ruled.dead_heat is DeadHeat.EQUAL_ARRIVAL:
        yield f"dead heat: {nearest}"
    if ruled.unstamped:
        yield "timed after reading"


def seconds(count: float) -> str:
    """A longer time, in the unit one would say: "1 second", "45 seconds", "15 minutes"."""
    for unit, length in (("hour", 3600), ("minute", 60)):
        if count >= 2 * length:
            return f"{round(count / length)} {unit}s"
    return many(max(0, round(count)), "second")


def name_of(table: PublicTable, seat: Seat, you: Seat | None = None) -> str:
    """Who sits there; "you" for one's own seat."""
    if seat == you:
        return "you"
    return clean(table.seats[seat].name) if seat < len(table.seats) else f"seat {seat + 1}"


def played_on(view: TableView, seat: Seat) -> str:
    """That a computer player has ended the deal for a person who was away, or left (RULES D2, D3)."""
    chair = view.table.seats[seat].chair
    if chair is Chair.STAND_IN:
        return "a computer played on"
    changed = (entry.seat == seat for entry in view.log if isinstance(entry, ChairChanged))
    return "left: a computer played on" if chair is Chair.COMPUTER and any(changed) else ""
