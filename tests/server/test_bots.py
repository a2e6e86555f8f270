"""Computer players: always legal, blind to what is hidden, and true to their temperaments."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from protocol import events as e
from protocol import views
from protocol.cards import Card, Rank, read_faces
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.options import options_of
from protocol.rules import RankOrder, TableRules
from server.bots.choices import Pass, PlayChoice, Temperament
from server.bots.evidence import is_disproved, is_proved, play_in_pile
from server.bots.memory import full_memory
from server.bots.registry import TEMPERAMENTS
from server.bots.thinking import Thought, thinking_us
from server.game.deal import Deal
from server.game.view import view_for
from tests.game.dice import ANY_RULES
from tests.support.bot_deals import NAMES, deals_along, new_table

BOTS = [pytest.param(each, id=name) for name, each in TEMPERAMENTS.items()]
SOON = settings(max_examples=25, deadline=None)
ANY_BOT = st.sampled_from(tuple(TEMPERAMENTS.values()))
ANY_SEED = st.integers(0, 2**32)


# --- whole deals of computer players ------------------------------------------------------------


@SOON
@given(rules=ANY_RULES, players=st.integers(2, 6), bot=ANY_BOT, seed=ANY_SEED)
def test_every_move_is_legal_under_every_rule(
    rules: TableRules, players: int, bot: Temperament, seed: int
) -> None:
    rng = Random(seed)

    # `deals_along` sees every action of theirs accepted.
    deals = list(deals_along(new_table(rules, players, rng), [bot] * players, rng, 120))

    assert deals[-1].table.phase is e.Phase.OVER or len(deals) == 120


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("order", RankOrder)
def test_deals_come_to_an_end_in_every_rank_order(bot: Temperament, order: RankOrder) -> None:
    rng = Random(5)
    deal = new_table(TableRules(rank_order=order, passing=True, play_on=True), 4, rng)

    *_, last = deals_along(deal, [bot] * 4, rng, 3000)

    assert last.table.phase is e.Phase.OVER


@SOON
@given(rules=ANY_RULES, players=st.integers(2, 5), bot=ANY_BOT, seed=ANY_SEED)
def test_dealing_the_hidden_cards_anew_changes_no_choice(
    rules: TableRules, players: int, bot: Temperament, seed: int
) -> None:
    rng = Random(seed)
    deals = list(deals_along(new_table(rules, players, rng), [bot] * players, rng, 40))
    deal = rng.choice(deals)
    for seat in deal.table.seats_in:
        other = with_hidden_cards_dealt_anew(deal, seat, rng)

        assert choices(other, seat, bot, seed) == choices(deal, seat, bot, seed)


def with_hidden_cards_dealt_anew(deal: Deal, seat: Seat, rng: Random) -> Deal:
    """The same deal for this seat, with other faces wherever it has not looked."""
    laid = [card for lying in deal.laid if lying.seat == seat for card in lying.cards]
    seen = {*deal.hands[seat], *laid}
    hidden = [card for card in deal.cards if card.id not in seen]
    faces = [card.face for card in hidden]
    rng.shuffle(faces)
    anew = {card.id: Card(card.id, face) for card, face in zip(hidden, faces, strict=True)}
    return replace(deal, cards=tuple(anew.get(card.id, card) for card in deal.cards))


def choices(deal: Deal, seat: Seat, bot: Temperament, seed: int) -> list[object]:
    """All that the bot would do now at this seat, and how long it would think."""
    view, rng = view_for(deal, seat), Random(seed)
    may = options_of(view)
    made: list[object] = [thinking_us(Random(seed), thought) for thought in Thought]
    made += [bot.decide_doubt(view, play, rng) for play in may.challenge]
    return [*made, bot.decide_play(view, rng)] if may.may_play else made


@SOON
@given(rules=ANY_RULES, players=st.integers(2, 6), bot=ANY_BOT, seed=ANY_SEED)
def test_what_memory_proves_is_so(
    rules: TableRules, players: int, bot: Temperament, seed: int
) -> None:
    rng = Random(seed)
    for deal in deals_along(new_table(rules, players, rng), [bot] * players, rng, 100):
        for seat in deal.table.seats_in:
            view = view_for(deal, seat)
            for number in options_of(view).challenge:
                play = play_in_pile(view.table, number)
                evidence = full_memory(view, play)
                lies = is_lie(deal, play)

                assert lies or not is_disproved(view.table, play, evidence)
                assert not (lies and is_proved(view.table, play, evidence))


def is_lie(deal: Deal, play: e.Played) -> bool:
    cards = deal.laid[play.play - 1].cards
    true = all(deal.cards[card].face.is_a(play.rank) for card in cards)
    return len(cards) != play.count or not true


# --- one decision -------------------------------------------------------------------------------


def a_view(hand: str, *happened: e.Event, rules: TableRules | None = None) -> views.TableView:
    """What Cy, at seat 2 of three, knows: his hand and what has happened since it was dealt."""
    cards = tuple(Card(CardId(n), face) for n, face in enumerate(read_faces(hand)))
    sizes = (17, 17, len(cards))
    seats = tuple(
        e.SeatState(name=name, cards=size) for name, size in zip(NAMES, sizes, strict=False)
    )
    started = e.DealStarted(
        deal=1, rules=rules or TableRules(), dealer=Seat(2), turn=Seat(0), seats=seats
    )
    view: views.TableView | None = None
    for event in (started, e.HandDealt(seat=Seat(2), cards=cards), *happened):
        view = views.apply(view, event)
    assert view is not None
    return view


def played(
    number: int, seat: int, count: int, rank: Rank, *, left: int = 9, last: bool = False
) -> e.Played:
    return e.Played(
        play=PlayNumber(number),
        seat=Seat(seat),
        count=count,
        rank=rank,
        left=left,
        turn=Seat((seat + 1) % 3),
        last=last,
    )


def caught(number: int, seat: int, count: int, rank: Rank, faces: str) -> e.Ruled:
    """The seat lied with these cards, was challenged by Cy, and has picked them up."""
    shown = e.ShownPlay(
        play=PlayNumber(number),
        seat=Seat(seat),
        count=count,
        rank=rank,
        faces=read_faces(faces),
    )
    return e.Ruled(
        shown=shown,
        challenger=Seat(2),
        lie=True,
        taker=Seat(seat),
        taken=count,
        left=9,
        turn=Seat((seat + 1) % 3),
        calls=(e.Call(seat=Seat(2), after_us=0),),
    )


def doubts(name: str, view: views.TableView) -> bool:
    return TEMPERAMENTS[name].decide_doubt(view, view.table.newest, Random(3))


SURE = [pytest.param(name, id=name) for name in ("certain", "proof")]


@pytest.mark.parametrize("name", SURE)
def test_three_aces_are_doubted_by_who_holds_two_of_them(name: str) -> None:
    view = a_view("AS AH 3C", played(1, 0, 3, Rank.ACE))

    assert doubts(name, view)


@pytest.mark.parametrize("name", SURE)
def test_two_aces_are_believed_by_who_holds_two_of_them(name: str) -> None:
    view = a_view("AS AH 3C", played(1, 0, 2, Rank.ACE))

    assert not doubts(name, view)


@pytest.mark.parametrize("name", SURE)
def test_three_aces_are_possible_when_there_are_jokers(name: str) -> None:
    view = a_view("AS AH 3C", played(1, 0, 3, Rank.ACE), rules=TableRules(jokers=2))

    assert not doubts(name, view)


@pytest.mark.parametrize("bot", BOTS)
def test_last_cards_are_doubted_though_they_may_be_true(bot: Temperament) -> None:
    view = a_view("3C 4C", played(1, 0, 1, Rank.ACE, left=0, last=True))

    assert bot.decide_doubt(view, PlayNumber(1), Random(3))


@pytest.mark.parametrize("bot", BOTS)
def test_whoever_said_six_kings_of_four_in_two_plays_was_believed(bot: Temperament) -> None:
    rules = TableRules(rank_order=RankOrder.FREE)
    said = (played(1, 0, 3, Rank.KING), played(2, 1, 1, Rank.KING))
    six = a_view("3C 4C", *said, played(3, 0, 3, Rank.KING), rules=rules)

    doubts = sum(bot.decide_doubt(six, PlayNumber(3), Random(seed)) for seed in range(100))

    assert doubts > 80


@pytest.mark.parametrize("name", SURE)
def test_four_kings_are_believed_of_who_says_them_in_two_plays_beside_others(name: str) -> None:
    rules = TableRules(rank_order=RankOrder.FREE)
    said = (played(1, 0, 3, Rank.KING), played(2, 1, 1, Rank.KING))

    assert not doubts(name, a_view("3C 4C", *said, played(3, 0, 1, Rank.KING), rules=rules))


kings_at_ann = (
    played(1, 0, 2, Rank.ACE, left=1),
    caught(1, 0, 2, Rank.ACE, "KS KH"),
)
"""Ann, at seat 0, laid two kings as aces and has them in her hand again."""


def test_the_proof_player_knows_who_picked_up_the_kings() -> None:
    view = a_view("3C 4C", *kings_at_ann, played(2, 1, 3, Rank.KING))

    assert doubts("proof", view)
    assert not doubts("certain", view)


def test_the_proof_player_believes_three_kings_of_who_picked_them_up() -> None:
    view = a_view("3C 4C", *kings_at_ann, played(2, 0, 3, Rank.KING))

    assert not doubts("proof", view)


def test_the_proof_player_counts_what_is_left_beside_known_cards() -> None:
    view = a_view("3C 4C", *kings_at_ann, played(2, 0, 2, Rank.TWO, left=1))

    assert doubts("proof", view)


def test_the_proof_player_lets_known_cards_go_once_they_may_have_been_laid() -> None:
    after = played(2, 0, 2, Rank.TWO)
    gone = caught(3, 1, 1, Rank.THREE, "5H")
    view = a_view(
        "3C 4C", *kings_at_ann, after, played(3, 1, 1, Rank.THREE), gone, played(4, 1, 3, Rank.KING)
    )

    assert not doubts("proof", view)


def test_the_proof_player_remembers_its_own_cards_under_the_pile() -> None:
    aces = (Card(CardId(0), read_faces("AS")[0]), Card(CardId(1), read_faces("AH")[0]))
    laid = e.Laid(play=PlayNumber(1), cards=aces)
    view = a_view("AS AH 3C", laid, played(1, 2, 2, Rank.TWO), played(2, 0, 3, Rank.ACE))

    assert doubts("proof", view)
    assert not doubts("certain", view)


def test_the_proof_player_believes_last_cards_that_it_saw_picked_up() -> None:
    view = a_view("3C 4C", *kings_at_ann, played(2, 0, 2, Rank.KING, left=0, last=True))

    assert not doubts("proof", view)
    assert doubts("certain", view)


def test_an_honest_player_lays_every_card_that_is_true() -> None:
    choice = TEMPERAMENTS["certain"].decide_play(a_view_to_move("AS AH 3C"), Random(1))

    assert choice == PlayChoice(cards=(CardId(0), CardId(1)), count=2, rank=Rank.ACE)


def test_an_honest_player_lies_with_the_card_that_is_due_last() -> None:
    choice = TEMPERAMENTS["certain"].decide_play(a_view_to_move("4S 7S KS"), Random(1))

    # With three players aces now means 4, 7, 10, K, 3, ... on the next turns.
    assert choice == PlayChoice(cards=(CardId(2),), count=1, rank=Rank.ACE)


def test_an_honest_player_keeps_a_joker_until_it_ends_the_hand() -> None:
    rules = TableRules(jokers=1)
    bot = TEMPERAMENTS["proof"]

    lie = bot.decide_play(a_view_to_move("JK 7S", rules=rules), Random(1))
    end = bot.decide_play(a_view_to_move("JK AS", rules=rules), Random(1))

    assert lie == PlayChoice(cards=(CardId(1),), count=1, rank=Rank.ACE)
    assert end == PlayChoice(cards=(CardId(0), CardId(1)), count=2, rank=Rank.ACE)


def test_an_honest_player_passes_rather_than_lie_with_its_last_card() -> None:
    view = a_view(
        "7S", played(1, 0, 1, Rank.ACE), played(2, 1, 1, Rank.TWO), rules=TableRules(passing=True)
    )

    assert TEMPERAMENTS["certain"].decide_play(view, Random(1)) == Pass()


def test_a_casual_player_sneaks_now_and_then() -> None:
    view = a_view_to_move("AS AH 3C 5C 7C", rules=TableRules(sneak=1))
    plays = [TEMPERAMENTS["casual"].decide_play(view, Random(seed)) for seed in range(100)]

    extra = {len(play.cards) - play.count for play in plays if isinstance(play, PlayChoice)}

    assert extra == {0, 1}


def a_view_to_move(hand: str, *, rules: TableRules | None = None) -> views.TableView:
    """A deal in which Cy, at seat 2, is the first to move."""
    view = a_view(hand, rules=rules)
    return replace(view, table=replace(view.table, turn=Seat(2)))


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        pytest.param("AS AH 3C", (1,), id="one of two"),
        pytest.param("AS 3C", (1,), id="the only one, with a lie before it"),
        pytest.param("AS JK 3C", (2,), id="a natural one before a joker"),
        pytest.param("AS AH", (0, 1), id="none at the end"),
    ],
)
@pytest.mark.parametrize("name", SURE)
@pytest.mark.parametrize("order", [RankOrder.FREE, RankOrder.SAME_UNTIL_CHALLENGE])
def test_where_the_rank_stays_the_last_card_was_a_lie_for_all_true_ones_had_gone_before(
    hand: str, laid: tuple[int, ...], name: str, order: RankOrder
) -> None:
    rules = TableRules(rank_order=order, jokers=1)
    view = a_view(hand, played(1, 1, 1, Rank.ACE), rules=rules)

    choice = TEMPERAMENTS[name].decide_play(view, Random(1))

    assert isinstance(choice, PlayChoice)
    assert (choice.cards, choice.rank) == (laid, Rank.ACE)


@pytest.mark.parametrize("name", SURE)
def test_whoever_led_with_all_there_are_of_a_rank_made_liars_of_all_others(name: str) -> None:
    rules = TableRules(rank_order=RankOrder.FREE)

    lead = TEMPERAMENTS[name].decide_play(
        a_view_to_move("AS AH AD AC KS KH 3C", rules=rules), Random(1)
    )

    assert lead == PlayChoice(cards=(CardId(5),), count=1, rank=Rank.KING)


def with_bea_out(view: views.TableView) -> views.TableView:
    """The same where Ann and Cy are the two who are left."""
    out = e.WentOut(seat=Seat(1), place=1, turn=view.table.turn)
    return replace(view, table=views.follow(view.table, out))


@pytest.mark.parametrize(
    ("hand", "laid"),
    [
        pytest.param("AS AH AD 2C", (1, 2), id="one of three"),
        pytest.param("AS 2C", (0,), id="not the only one"),
        pytest.param("AS AH 3D 3C 5C", (0, 1), id="none where each turn finds its rank"),
    ],
)
@pytest.mark.parametrize("bot", BOTS)
def test_of_two_who_were_left_whoever_laid_a_whole_rank_lied_when_it_was_due_again(
    hand: str, laid: tuple[int, ...], bot: Temperament
) -> None:
    view = with_bea_out(a_view_to_move(hand))

    choices = [bot.decide_play(view, Random(seed)) for seed in range(30)]

    # With two players aces now means 3 and 5 on the next turns.
    cards = tuple(CardId(card) for card in laid)
    assert choices == [PlayChoice(cards=cards, count=len(laid), rank=Rank.ACE)] * 30


def test_of_two_who_were_left_a_casual_player_doubted_what_the_other_had_to_have() -> None:
    view = a_view("AS 3C", played(1, 0, 3, Rank.ACE))

    casual = TEMPERAMENTS["casual"]
    doubting = [
        {casual.decide_doubt(each, PlayNumber(1), Random(seed)) for seed in range(30)}
        for each in (view, with_bea_out(view))
    ]

    assert doubting == [{True, False}, {False}]
