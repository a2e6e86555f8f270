"""The engine against the reference, step by step, under every rule and with illegal actions."""

from random import Random

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from protocol.cards import Rank
from protocol.rules import PRESETS, TableRules
from server.game.actions import Action, EndProtection, EndReveal, Stop
from server.game.automatic import automatic_play
from tests.game.beside import SECOND, Beside
from tests.game.dice import (
    ANY_RULES,
    any_rules,
    some_action,
    some_late_call,
    some_letting_go,
    some_pass,
    some_play,
    some_ruling,
    some_seating,
    some_stop,
    some_take_back,
    some_wrong_play,
)
from tests.game.reference import OVER, PROTECTED, REVEAL, TO_PLAY

DICE = st.randoms(use_true_random=False)


class EngineBesideReference(RuleBasedStateMachine):
    """Any table, any action, in any order."""

    @initialize(
        rules=ANY_RULES,
        players=st.integers(2, 6),
        hand=st.sampled_from((1, 2, 4, None)),
        seed=st.integers(0, 2**16),
    )
    def deal(self, rules: TableRules, players: int, hand: int | None, seed: int) -> None:
        """Begin, mostly with few cards each: the end of a deal is where the rules are hard."""
        self.beside = Beside(rules, players, Random(seed), hand=hand, cap=25)

    @rule(rng=DICE)
    def play(self, rng: Random) -> None:
        """Lay cards."""
        self.beside.offer(some_play(self.beside.reference, rng))

    @rule(rng=DICE)
    def play_wrongly(self, rng: Random) -> None:
        """Lay what cannot be laid."""
        self.beside.offer(some_wrong_play(self.beside.reference, rng))

    @rule(rng=DICE)
    def be_too_slow(self, rng: Random) -> None:
        """The server plays a card for the seat to move (RULES D1)."""
        r = self.beside.reference
        if r.phase == TO_PLAY and r.may_move(r.turn):
            play = automatic_play(self.beside.deal, rng)
            (card,), natural = play.cards, {r.faces[card].rank for card in r.hands[r.turn]}
            as_it_should_be = {play.rank, None} if len(r.due()) == len(Rank) else {play.rank}

            assert r.faces[card].rank in as_it_should_be or play.rank not in natural
            assert play.rank == r.one_on() or len(r.due()) == len(Rank)
            assert play.count == 1
            assert self.beside.offer(play)

    @rule(rng=DICE)
    def pass_on(self, rng: Random) -> None:
        """Pass."""
        self.beside.offer(some_pass(self.beside.reference, rng))

    @rule(rng=DICE)
    def take_back(self, rng: Random) -> None:
        """Take back what is held."""
        self.beside.offer(some_take_back(self.beside.reference, rng))

    @rule(rng=DICE)
    def let_go(self, rng: Random) -> None:
        """Believe a play."""
        self.beside.offer(some_letting_go(self.beside.reference, rng))

    @rule(rng=DICE)
    def challenge(self, rng: Random) -> None:
        """Doubt a play."""
        self.beside.offer(some_ruling(self.beside.reference, rng))

    @rule()
    def end_window(self) -> None:
        """The protected time is over."""
        self.beside.offer(EndProtection())

    @rule()
    def end_reveal(self) -> None:
        """Everybody has read the ruling."""
        self.beside.offer(EndReveal())

    @rule(rng=DICE)
    def change_seats(self, rng: Random) -> None:
        """Somebody comes to a seat."""
        self.beside.offer(some_seating(self.beside.reference, rng))

    @rule(rng=DICE)
    def call_late(self, rng: Random) -> None:
        """Doubt after the ruling."""
        self.beside.offer(some_late_call(self.beside.reference, rng))

    @rule(rng=DICE, sure=st.integers(0, 9))
    def stop(self, rng: Random, sure: int) -> None:
        """Time is up, in one deal of ten or so."""
        if not sure:
            self.beside.offer(some_stop(self.beside.reference, rng))

    @rule(seconds=st.integers(0, 9))
    def wait(self, seconds: int) -> None:
        """Time goes by."""
        self.beside.at += seconds * SECOND

    @rule()
    def restart(self) -> None:
        """The server has come back."""
        self.beside.restart()

    def teardown(self) -> None:
        """What holds of a whole deal."""
        if hasattr(self, "beside"):
            self.beside.check_rulings()
            self.beside.check_snapshots()


EngineBesideReference.TestCase.settings = settings(
    max_examples=200,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
TestEngineBesideReference = EngineBesideReference.TestCase


def play_out(beside: Beside, rng: Random, steps: int) -> None:
    """Do this many random things, or fewer if the deal ends."""
    for _ in range(steps):
        if beside.reference.phase == OVER:
            return
        beside.at += rng.choice((0, 1, SECOND))
        beside.offer(some_action(beside.reference, rng))


@pytest.mark.parametrize("seed", range(40))
def test_engine_and_reference_agree_through_a_deal_with_few_cards(seed: int) -> None:
    rng = Random(seed)
    beside = Beside(any_rules(rng), rng.randint(2, 6), rng, hand=rng.randint(1, 5))

    play_out(beside, rng, 300)

    beside.check_rulings()
    beside.check_snapshots()


@pytest.mark.parametrize("seed", range(10))
def test_engine_and_reference_agree_when_time_runs_out(seed: int) -> None:
    rng = Random(seed)
    beside = Beside(any_rules(rng), rng.randint(2, 6), rng, hand=3)
    play_out(beside, rng, rng.randint(1, 40))

    beside.offer(some_stop(beside.reference, rng))
    play_out(beside, rng, 500)

    assert beside.reference.phase == OVER


@pytest.mark.parametrize("preset", PRESETS)
def test_deals_of_random_players_end_under_every_preset(preset: str) -> None:
    rng = Random(preset)
    beside = Beside(PRESETS[preset], rng.randint(3, 5), rng, cap=120)
    r = beside.reference

    while r.phase != OVER:
        endings: dict[str, Action] = {PROTECTED: EndProtection(), REVEAL: EndReveal()}
        beside.offer(endings.get(r.phase) or some_play(r, rng))
        if rng.random() < 0.2:
            beside.offer(some_ruling(r, rng))

    assert not beside.offer(Stop(reason=some_stop(r, rng).reason))
    assert beside.deal.table.outcome is not None
    beside.check_snapshots()
