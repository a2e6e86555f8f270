"""Random rules, and random actions that mostly make sense at a table, some of them illegal."""

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from protocol.cards import Rank
from protocol.events import Call, Chair, StopReason
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.rules import (
    Challengers,
    ChallengeUntil,
    FirstTurn,
    RankOrder,
    Reveal,
    TableRules,
)
from server.game.actions import (
    Action,
    AddLateCall,
    EndProtection,
    EndReveal,
    LetGo,
    Pass,
    Play,
    Rule,
    Seated,
    Stop,
    TakeBack,
)
from tests.game.reference import Reference

ANY_RULES = st.builds(
    TableRules,
    decks=st.sampled_from((1, 1, 2, "auto")),
    jokers=st.sampled_from((0, 1, 2)),
    first_turn=st.sampled_from(FirstTurn),
    rank_order=st.sampled_from(RankOrder),
    max_cards=st.sampled_from((4, 1, 8, "none")),
    sneak=st.sampled_from((0, 1, 2)),
    passing=st.booleans(),
    challengers=st.sampled_from(Challengers),
    challenge_until=st.sampled_from(ChallengeUntil),
    reveal=st.sampled_from(Reveal),
    play_on=st.booleans(),
    window_s=st.sampled_from((4, 0)),
    last_window_s=st.sampled_from((8, 2)),
    stop_after_plays=st.sampled_from((None, None, 3, 12)),
    reveal_s=st.sampled_from((3, 0)),
    confess=st.booleans(),
)
"""Every option that the engine looks at, each value about as often as the others."""


def any_rules(rng: Random) -> TableRules:
    """The same from plain dice, for long runs."""
    return TableRules(
        decks=rng.choice((1, 1, 2, "auto")),
        jokers=rng.choice((0, 1, 2)),
        first_turn=rng.choice(tuple(FirstTurn)),
        rank_order=rng.choice(tuple(RankOrder)),
        max_cards=rng.choice((4, 1, 8, "none")),
        sneak=rng.choice((0, 0, 1, 2)),
        passing=rng.random() < 0.5,
        challengers=rng.choice(tuple(Challengers)),
        challenge_until=rng.choice(tuple(ChallengeUntil)),
        reveal=rng.choice(tuple(Reveal)),
        play_on=rng.random() < 0.5,
        window_s=rng.choice((4, 0)),
        last_window_s=rng.choice((8, 2)),
        stop_after_plays=rng.choice((None, None, None, 3, 30)),
        reveal_s=rng.choice((3, 0)),
        confess=rng.random() < 0.5,
    )


def some_play(r: Reference, rng: Random) -> Play:
    """A play by the seat to move, or now and then by any other, true or not."""
    seat = a_seat(r, rng) if rng.random() < 0.1 else r.turn
    rank = rng.choice(sorted(r.due()))
    hand = sorted(r.hands[seat])
    rng.shuffle(hand)
    if rng.random() < 0.5:
        hand.sort(key=lambda card: r.faces[card].rank not in {rank, None})
    most = 8 if r.rules.max_cards == "none" else r.rules.max_cards
    count = rng.randint(1, max(1, min(most, len(hand))))
    laid = hand[: count + rng.choice((0, r.rules.sneak))]
    return Play(
        seat=Seat(seat),
        cards=tuple(map(CardId, laid)),
        count=min(count, len(laid)),
        rank=Rank(rank),
    )


def some_wrong_play(r: Reference, rng: Random) -> Play:
    """Any cards under any claim: somebody else's, the same twice, none (RULES A7)."""
    deck = range(len(r.faces) + 2)
    cards = rng.choices(deck, k=rng.choice((0, 1, 1, 2, 9)))
    mine = r.hands[r.turn]
    if mine and rng.random() < 0.5:
        cards = [mine[0]] * rng.choice((1, 2, 3))
    return Play(
        seat=Seat(r.turn),
        cards=tuple(map(CardId, cards)),
        count=rng.choice((0, 1, 2, len(cards))),
        rank=Rank(rng.randint(1, 13)),
    )


def some_pass(r: Reference, rng: Random) -> Pass:
    """A pass, mostly by the seat to move."""
    return Pass(seat=Seat(a_seat(r, rng) if rng.random() < 0.1 else r.turn))


def some_take_back(r: Reference, rng: Random) -> TakeBack:
    """Somebody takes back what is held."""
    return TakeBack(seat=Seat(r.held[0] if r.held and rng.random() < 0.8 else a_seat(r, rng)))


def some_letting_go(r: Reference, rng: Random) -> LetGo:
    """Somebody lets a play go, mostly the newest."""
    return LetGo(seat=a_seat(r, rng), play=_a_play(r, rng))


def some_ruling(r: Reference, rng: Random) -> Rule:
    """Somebody doubts a play, mostly the newest or one in the pile."""
    challenger = a_seat(r, rng)
    calls = (Call(seat=challenger, after_us=0),)
    return Rule(play=_a_play(r, rng), challenger=challenger, calls=calls)


def some_late_call(r: Reference, rng: Random) -> AddLateCall:
    """A challenge comes after the ruling, mostly the newest one (RULES C8)."""
    late = Call(seat=a_seat(r, rng), after_us=rng.randrange(1_000_000))
    return AddLateCall(play=PlayNumber(rng.choice((0, *r.rulings[-2:]))), call=late)


def some_seating(r: Reference, rng: Random) -> Seated:
    """A computer player leaves its seat, to the owner or to somebody new (RULES D2, D8)."""
    new = rng.random() < 0.5
    return Seated(
        seat=a_seat(r, rng), name="Zoe" if new else "Bot", chair=Chair.OWNER, new_owner=new
    )


def some_stop(_: Reference, rng: Random) -> Stop:
    """The time is over, or a vote has passed (RULES B21)."""
    return Stop(reason=rng.choice((StopReason.TIME, StopReason.VOTE)))


def a_seat(r: Reference, rng: Random) -> Seat:
    """Any seat, in or out."""
    return Seat(rng.randrange(len(r.hands)))


def _a_play(r: Reference, rng: Random) -> PlayNumber:
    older = [play.number for play in r.pile] or [0]
    return PlayNumber(rng.choice((r.plays, r.plays, r.plays + 1, rng.choice(older))))


Chooser = Callable[[Reference, Random], Action]

CHOOSERS: tuple[tuple[float, Chooser], ...] = (
    (12, some_play),
    (1, some_wrong_play),
    (5, some_pass),
    (1, some_take_back),
    (4, some_letting_go),
    (1.5, some_ruling),
    (4, lambda _, __: EndProtection()),
    (3, lambda _, __: EndReveal()),
    (0.2, some_seating),
    (0.2, some_late_call),
)


def some_action(r: Reference, rng: Random) -> Action:
    """Any action but a stop, as often as keeps a deal going."""
    weights, choosers = zip(*CHOOSERS, strict=True)
    chooser: Chooser = rng.choices(choosers, weights)[0]
    return chooser(r, rng)
