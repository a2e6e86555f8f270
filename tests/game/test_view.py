"""The one exit of a deal: views, snapshots, and what they must not say (RULES A14, B10, C3, D8)."""

from random import Random

import msgspec
import pytest

from protocol.cards import Face, Rank
from protocol.events import Phase
from protocol.numbers import Seat
from protocol.options import options_of
from protocol.rules import PRESETS, ChallengeUntil, Reveal, TableRules
from protocol.views import TableSnapshot, TableView
from protocol.views import apply as fold
from server.game import actions as a
from server.game.deal import Deal
from server.game.engine import new_deal
from server.game.view import view_for, window_state_for
from tests.support.deals import SECOND, AtTable, a_new_table, a_table, some_seats
from tests.support.shown import snapshot_for

FRAME = 64 * 1024
THREE_HANDS = ("AS KD QC", "2H 3H 4H", "5C 6C 7C")
HARD_RULES = {
    "until the pick-up": TableRules(
        challenge_until=ChallengeUntil.PICK_UP, passing=True, play_on=True
    ),
    "everything": TableRules(
        jokers=2, sneak=2, passing=True, play_on=True, reveal=Reveal.WHOLE_PILE, max_cards="none"
    ),
    "short": TableRules(stop_after_plays=9, sneak=1, window_s=0),
}
RULES = {**PRESETS, **HARD_RULES}


def resumed(deal: Deal, seat: Seat | None, at: int = 0) -> TableView | None:
    """What a seat or a watcher knows after a snapshot alone."""
    view: TableView | None = None
    for event in (*snapshot_for(deal, seat), window_state_for(deal, seat, at)):
        view = fold(view, event)
    return view


def some_step(table: AtTable, rng: Random) -> None:
    """Something legal, by anybody."""
    deal = table.deal
    seat = Seat(rng.randrange(len(deal.hands)))
    may = options_of(view_for(deal, seat))
    if may.challenge and rng.random() < 0.3:
        table.doubt(seat, play=rng.choice(may.challenge))
    elif may.may_let_go and rng.random() < 0.5:
        table.let_go(seat)
    elif may.may_pass and rng.random() < 0.3:
        table.passes()
    elif may.may_play:
        claimed = rng.randint(1, may.most_claimed)
        laid = min(len(deal.hands[seat]), claimed + rng.randint(0, may.most_extra))
        cards = tuple(rng.sample(deal.hands[seat], laid))
        table.do(a.Play(seat=seat, cards=cards, count=claimed, rank=rng.choice(may.ranks)))
    elif deal.held is not None and rng.random() < 0.2:
        table.do(a.TakeBack(seat=deal.held.seat))
    elif deal.table.phase in {Phase.PROTECTED, Phase.REVEAL} and rng.random() < 0.5:
        table.time_up()


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
@pytest.mark.parametrize("seed", range(3))
def test_every_view_is_the_fold_of_what_its_owner_was_told(rules: TableRules, seed: int) -> None:
    rng = Random(seed)
    players = rng.randint(2, 5)
    table = a_new_table(*new_deal(rules, some_seats(players), Seat(0), 1, rng))

    for _ in range(150):
        some_step(table, rng)  # `AtTable` compares every view after every step

    for who in table.views:
        assert resumed(table.deal, who) == table.views[who]


def test_a_view_shows_your_hand_and_your_plays_and_nobody_elses() -> None:
    table = a_table(THREE_HANDS).play("KD").time_up()

    own, other = view_for(table.deal, Seat(0)), view_for(table.deal, Seat(1))

    assert [str(card) for laid in own.laid for card in laid.cards] == ["KD"]
    assert other.laid == ()
    assert {str(card) for card in other.hand} == {"2H", "3H", "4H"}


def test_a_watcher_sees_what_is_public() -> None:
    table = a_table(THREE_HANDS).play("KD").play("2H")

    view = view_for(table.deal, None)

    assert view == TableView(table=table.deal.table, log=table.deal.log)


def test_a_view_has_the_hand_sorted_by_number_after_a_pick_up() -> None:
    table = a_table(THREE_HANDS).play("AS").doubt(2)

    hand = view_for(table.deal, Seat(2)).hand

    assert [card.id for card in hand] == [0, 6, 7, 8]


def test_a_snapshot_says_how_much_log_follows() -> None:
    table = a_table(THREE_HANDS).play("KD").doubt(2)

    snapshot, *_ = snapshot_for(table.deal, Seat(1))

    assert isinstance(snapshot, TableSnapshot)
    assert snapshot.entries == 2


def test_the_state_of_the_window_counts_down_and_stops_at_nothing() -> None:
    table = a_table(THREE_HANDS).play("KD")

    lefts = [window_state_for(table.deal, None, at).protected_us for at in (SECOND, 9 * SECOND)]

    assert lefts == [3 * SECOND, 0]


def test_the_state_of_the_window_counts_the_reveal_and_the_turn_clock() -> None:
    table = a_table(THREE_HANDS).play("KD").doubt(2)

    state = window_state_for(table.deal, Seat(0), SECOND, turn_us=7)

    assert (state.phase, state.reveal_us, state.turn_us) == (Phase.REVEAL, 2 * SECOND, 7)
    assert state.protected_us == 0


def test_the_largest_table_fits_into_messages() -> None:
    rules = TableRules(
        decks=4,
        jokers=2,
        max_cards=1,
        window_s=0,
        reveal=Reveal.WHOLE_PILE,
        challenge_until=ChallengeUntil.PICK_UP,
        play_on=True,
    )
    table = AtTable(new_deal(rules, some_seats(10), Seat(0), 1, Random(7))[0])
    for _ in range(200):
        mover = table.deal.table.turn
        cards = table.deal.hands[mover][:1]
        table.do(a.Play(seat=mover, cards=cards, count=1, rank=table.deal.table.due[0]))

    before = snapshot_for(table.deal, Seat(1))
    table.doubt(5)
    after = snapshot_for(table.deal, table.deal.table.turn)

    told = [telling.event for telling in table.told]
    assert max(len(msgspec.msgpack.encode(event)) for event in (*before, *told, *after)) < FRAME


def test_a_lie_in_the_log_stays_face_down_until_it_is_challenged() -> None:
    table = a_table(THREE_HANDS).play("KD", rank=Rank.ACE)

    def known() -> str:
        return msgspec.json.encode(view_for(table.deal, None)).decode()

    lie = f"[{Face.KING_OF_DIAMONDS.value}]"
    assert lie not in known()
    table.doubt(1)
    assert lie in known()
