"""What each lesson of the tutorial says, of the table as this player sees it. Pure."""

from collections.abc import Callable

from msgspec import Struct

from client import my_hand, selectors
from client.lessons.due import NOT_COME_UP, Explanation, Lesson, Seen
from client.state import ClientState
from client.words import cards, claim, faces, margin, name_of, place, ranks
from protocol import events as e
from protocol.cards import Rank, are_as_said
from protocol.numbers import Seat
from protocol.views import PublicTable, TableView


def explanation(lesson: Lesson, state: ClientState, seen: Seen, *, typed: bool) -> Explanation:
    """What a lesson says now; `typed` speaks of words to type, not of keys to press."""
    scene = _Scene(state=state, seen=seen, typed=typed)
    return Explanation(lesson=lesson, text=_TEXTS[lesson](scene))


class _Scene(Struct, frozen=True, kw_only=True):
    """The state a lesson speaks of. The texts below are asked for only when their lesson is due."""

    state: ClientState
    seen: Seen
    typed: bool

    @property
    def view(self) -> TableView:
        assert self.state.table is not None, "a lesson about the table needs one"  # noqa: S101
        return self.state.table

    @property
    def table(self) -> PublicTable:
        return self.view.table

    @property
    def play(self) -> e.Played:
        assert self.table.newest_play is not None, "and one about a play needs a play"  # noqa: S101
        return self.table.newest_play

    @property
    def ruling(self) -> e.Ruled:
        assert self.state.ruling is not None, "and one about a doubt its ruling"  # noqa: S101
        return self.state.ruling

    @property
    def due(self) -> Rank:
        return self.table.due[0]

    def who(self, seat: Seat) -> str:
        return name_of(self.table, seat, self.view.you)

    def does(self, seat: Seat, verb: str) -> str:
        """Such as "you take" or "ana takes"."""
        return f"you {verb}" if seat == self.view.you else f"{self.who(seat)} {verb}s"

    def who_first(self, seat: Seat) -> str:
        """The same at the beginning of a sentence; a name stays as it is spelled."""
        return "You" if seat == self.view.you else self.who(seat)

    def lay(self, rank: Rank, count: int = 1) -> str:
        """How one lays cards of a rank: "press q q, then Enter"."""
        key = "t" if rank is Rank.TEN else rank.symbol.lower()
        keys = " ".join([key] * count)
        return f"type {keys}" if self.typed else f"press {keys}, then Enter"


def _welcome(scene: _Scene) -> str:
    seats = selectors.lobby_seats(scene.state)
    others = [seat.name for seat in seats if seat.kind is e.SeatKind.COMPUTER]
    return (
        "The first to be rid of all cards wins. In turn, everybody lays cards face down and says "
        "what they are. Lies are allowed, and anybody may doubt them. You play a real deal "
        f"against computer players ({', '.join(others)}). Each thing is explained when it first "
        "happens, and nobody plays on while you read."
    )


def _hand(scene: _Scene) -> str:
    mine = my_hand.next_ranks(scene.state)
    turn = scene.table.turn
    starts = f"{scene.who_first(turn)} {'start' if turn == scene.view.you else 'starts'}"
    return (
        f"You hold {cards(len(scene.view.hand))}; suits never matter. Aces are "
        "said first, then twos, and so on up to kings, then aces again: each play is one rank "
        f"up, whoever lays it. {starts}. Your own ranks will be "
        f"{', '.join(rank.symbol for rank in mine)}."
    )


def _turn(scene: _Scene) -> str:
    held = my_hand.held_of(scene.state, scene.due)
    start = f"It is your turn, and {scene.due.plural} are due"
    rest = (
        "You may lay 1 to 4 cards, and slip wrong ones among them: one wrong card makes it a lie."
    )
    if not held:
        return f"{start}: lay 1 to 4 cards face down and say that they are {scene.due.plural}."
    said = claim(held, scene.due)
    return f'{start}: you hold {held}. To say "{said}", the truth, {scene.lay(scene.due, held)}. {rest}'


def _bluff(scene: _Scene) -> str:
    other = _spare_rank(scene.state)
    return (
        f"You hold no {scene.due.word}, and nobody may pass. So lie: lay another card. For "
        f'example {scene.lay(other)}: that says "{claim(1, scene.due)}". One card looks most '
        "like the truth and costs least if it is caught; two or three empty your hand sooner."
    )


def _spare_rank(state: ClientState) -> Rank:
    """A rank of my hand that I shall be asked for late, or not at all."""
    wanted = my_hand.next_ranks(state, len(Rank))
    held = [card.face.rank for card in my_hand.cards(state) if card.face.rank is not None]
    late = {rank: turns for turns, rank in reversed(list(enumerate(wanted)))}
    return max(held, key=lambda rank: (late.get(rank, len(Rank)), -held.count(rank)))


def _own_play(scene: _Scene) -> str:
    laid = scene.view.laid[-1].cards if scene.view.laid else ()
    honest = are_as_said([card.face for card in laid], scene.play.count, scene.play.rank)
    said = claim(scene.play.count, scene.play.rank)
    end = (
        "It is the truth: whoever doubts it takes the pile."
        if honest
        else "It is a lie: if somebody doubts it now, you take the pile."
    )
    return (
        f'You have said "{said}", and your cards lie face down. Until the next ones go down '
        f"anybody may doubt you; after that yours stay unseen until the deal is over. {end}"
    )


SMALL_PILE = 6  # cards that a beginner takes without being sorry


def _window(scene: _Scene) -> str:
    play = scene.play
    who = scene.who(play.seat)
    small = scene.table.pile_cards <= SMALL_PILE
    cheap = " The pile is small, so a wrong doubt costs little: try b." if small else ""
    return (
        f'{who} says "{claim(play.count, play.rank)}". Do you believe it? b doubts: if it is a '
        f"lie, {who} takes the pile of {cards(scene.table.pile_cards)}; if it is true, you do. "
        "y believes it: once all do, the game goes on at once. Y believes everything until your "
        f"turn. Until the time is up nobody else can lay.{cheap}"
    )


def _sure_lie(scene: _Scene) -> str:
    play = scene.play
    held, copies = my_hand.held_of(scene.state, play.rank), my_hand.copies(scene.state)
    return (
        f'{scene.who(play.seat)} says "{claim(play.count, play.rank)}", but there are only '
        f"{copies} {play.rank.plural}, and you hold {held} of them. It cannot be true: doubt it "
        "with b before somebody else does."
    )


def _ready(scene: _Scene) -> str:
    back = "back takes" if scene.typed else "Backspace takes"
    return (
        f"You are next, with {scene.due.plural}, while {scene.who(scene.play.seat)}'s cards may "
        "still be doubted. You need not wait: what you lay now lies ready, and nobody sees it. "
        f"It goes down when the time is over or all believe; {back} it back. b doubts instead."
    )


def _reveal(scene: _Scene) -> str:
    shown = scene.ruling.shown
    owner = "Your" if shown.seat == scene.view.you else f"{scene.who(shown.seat)}'s"
    doubter = scene.who_first(scene.ruling.challenger)
    verdict = "A lie: one wrong card is enough." if shown.is_lie else "The truth."
    return (
        f"{doubter} doubted. {owner} cards are turned up: "
        f'{faces(shown.faces)}, claimed as "{claim(shown.count, shown.rank)}". {verdict} Only '
        "these cards are shown; what lay below them stays unseen."
    )


def _pick_up(scene: _Scene) -> str:
    ruling = scene.ruling
    wrong = "whoever was caught lying" if ruling.lie else "whoever doubted the truth"
    return (
        f"The loser is {wrong}: {scene.does(ruling.taker, 'take')} the whole pile, "
        f"{cards(ruling.taken)}. The middle is empty now. The turn goes on as if nobody had "
        f"doubted: {scene.who(scene.table.turn)} with {ranks(scene.table.due)}."
    )


def _call_order(scene: _Scene) -> str:
    ruling = scene.ruling
    doubter = scene.who_first(ruling.challenger)
    others = len(ruling.calls) - 1
    too = f" {others} more doubted later, which costs nothing." if others else ""
    first = ruling.calls[0].seat == ruling.challenger
    return (
        f"{doubter} {'doubted first' if first else 'won the photo finish'}, after "
        f"{margin(ruling.counted_after_us)}.{too} Only the first doubt counts, and only it can "
        "cost a pile: the server takes the time at which each one reaches it. A table may count "
        "doubts within a few ms as equal: a photo finish, won by the seat nearest to the player's "
        "left."
    )


def _last_cards_text(scene: _Scene) -> str:
    who = scene.who(scene.play.seat)
    if scene.play.seat == scene.view.you:
        return (
            "These were your last cards. If nobody doubts them, or if they are true, you have "
            "won. If they are a lie and somebody doubts them, you take the pile and play on."
        )
    return (
        f"{who} has laid the last cards. If they stand, {who} has won and the deal is over. If "
        f"they are a lie and somebody doubts them, {who} takes the pile and the game goes on. "
        "Nobody lays anything meanwhile. This is the last chance: b doubts, y believes."
    )


def _missed(scene: _Scene) -> str:
    texts = [text for lesson, text in NOT_COME_UP.items() if lesson not in scene.seen]
    return f"{'; '.join(texts[:3])[:1].upper()}{'; '.join(texts[:3])[1:]}."


def _result(scene: _Scene) -> str:
    over = scene.table.outcome
    you = scene.view.you
    mine = "" if over is None or you is None else f" You are {place(over.places[you])}."
    plays, again = ("confess", "start") if scene.typed else ("l", "s")
    return (
        f"The deal is over.{mine} Now every play is turned up: {plays} goes through them and "
        f"shows who lied. {again} deals again, at the usual speed and without explanations. "
        f"{'help' if scene.typed else '?'} explains keys and rules at any time."
    )


_TEXTS: dict[Lesson, Callable[[_Scene], str]] = {
    Lesson.WELCOME: _welcome,
    Lesson.HAND: _hand,
    Lesson.REVEAL: _reveal,
    Lesson.PICK_UP: _pick_up,
    Lesson.CALL_ORDER: _call_order,
    Lesson.LAST_CARDS: _last_cards_text,
    Lesson.WINDOW: _window,
    Lesson.SURE_LIE: _sure_lie,
    Lesson.READY: _ready,
    Lesson.TURN: _turn,
    Lesson.BLUFF: _bluff,
    Lesson.OWN_PLAY: _own_play,
    Lesson.MISSED: _missed,
    Lesson.RESULT: _result,
}
