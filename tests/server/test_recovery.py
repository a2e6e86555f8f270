"""The deal recovered from what was kept is the deal as it was, whatever happened in it."""

import contextlib
import hashlib
from itertools import count
from pathlib import Path
from random import Random

import msgspec
import pytest
import trio
from msgspec.structs import replace

from protocol.events import Chair, Phase, StopReason
from protocol.numbers import PlayNumber, Seat
from server.game import actions as a
from server.game.deal import Deal
from server.game.engine import LAWS, restart_window
from server.journal.records import ActionDone, Kept, KeptLobby
from server.journal.recovery import Recovered, after, recovered_deal
from server.journal.sqlite_store import SqliteStore
from server.journal.store import Damaged, Store
from tests.game.beside import SECOND, Beside
from tests.game.dice import any_rules, some_action, some_stop
from tests.game.reference import OVER
from tests.support.changes import FOX, OWL, a_beginning, a_lobby, an_action
from tests.support.deals import a_table
from tests.support.lives import recovered
from tests.support.memory_store import MemoryStore

Step = tuple[ActionDone, Deal]
"""What was done, and the live deal after it."""


class Game:
    """A random deal being played, with what a table would keep of it."""

    def __init__(self, seed: int, *, hand: int | None = None) -> None:
        self.rng = Random(seed)
        players = self.rng.randint(2, 6)
        self.beside = Beside(any_rules(self.rng), players, self.rng, hand=hand)
        self.begun = self.beside.deal
        self.steps: list[Step] = []

    def play(self, steps: int) -> "Game":
        """Try this many things, or fewer if the deal ends."""
        for _ in range(steps):
            if self.beside.reference.phase == OVER:
                break
            self.beside.at += self.rng.choice((0, 1, 3 * SECOND))
            self.offer(some_action(self.beside.reference, self.rng))
        return self

    def offer(self, action: a.Action) -> None:
        """Do it if the rules allow it; a new play is announced a little later."""
        newest, at = self.beside.deal.table.newest, self.beside.at
        if not self.beside.offer(action):
            return
        announced_at = None
        if self.beside.deal.table.newest != newest:
            self.beside.at = announced_at = at + self.rng.randrange(10_000)
            self.beside.restart()
        done = ActionDone(code=FOX, action=action, at=at, announced_at=announced_at)
        self.steps.append((done, self.beside.deal))

    @property
    def done(self) -> list[ActionDone]:
        """The actions so far."""
        return [done for done, _ in self.steps]


@pytest.mark.parametrize("seed", range(20))
def test_after_every_step_the_recovered_deal_is_the_live_one(seed: int) -> None:
    game = Game(seed, hand=6 if seed % 2 else None).play(120)

    assert game.steps
    for number, (_, live) in enumerate(game.steps, start=1):
        assert recovered_deal(FOX, game.begun, game.done[:number]) == live


@pytest.mark.parametrize("seed", range(100, 110))
def test_a_long_deal_stopped_in_the_end_is_recovered_step_by_step(seed: int) -> None:
    game = Game(seed).play(400)
    game.offer(some_stop(game.beside.reference, game.rng))
    game.play(200)

    deal = game.begun
    for done, live in game.steps:
        deal = after(deal, done)
        assert deal == live


@pytest.mark.parametrize("seed", range(200, 206))
@pytest.mark.parametrize("where", ["in memory", "on disk"])
def test_a_deal_is_recovered_from_a_journal_that_was_read_back(
    tmp_path: Path, where: str, seed: int
) -> None:
    game = Game(seed).play(150)
    store: Store = MemoryStore() if where == "in memory" else SqliteStore(tmp_path)
    with contextlib.closing(store):
        trio.run(keep, store, game)
    if where == "on disk":
        store = SqliteStore(tmp_path)

    with contextlib.closing(store):
        (found,) = recovered(store.read())

    assert found.deal == game.beside.deal
    assert found.at == max((done.announced_at or done.at for done in game.done), default=0)


def fingerprint(deal: Deal) -> str:
    """A hash of all there is in a deal, hidden or not."""
    return hashlib.sha256(msgspec.msgpack.encode(deal)).hexdigest()


def phase_of(deal: Deal) -> str:
    """What a deal waits for, told apart where hidden cards or a last play are at stake."""
    if deal.held is not None:
        return "cards are held"
    newest = deal.table.newest_play
    pending = newest is not None and newest.last and deal.table.phase is Phase.PROTECTED
    return "a last play is pending" if pending else deal.table.phase.value


PHASES = {"protected", "to_play", "reveal", "cards are held", "a last play is pending"}


@pytest.mark.parametrize("seed", range(2))
def test_the_hash_of_the_table_is_the_same_before_and_after_a_restart_in_every_phase(
    tmp_path: Path, seed: int
) -> None:
    before, after = dict[str, str](), dict[str, str]()
    for number in count(seed * 1_000):
        game = Game(number, hand=4).play(60)
        for place, (_, live) in enumerate(game.steps, start=1):
            if (phase := phase_of(live)) in PHASES - set(before):
                folder = tmp_path / f"{number}-{place}"
                folder.mkdir()
                with contextlib.closing(SqliteStore(folder)) as store:
                    trio.run(keep, store, game, place)
                with contextlib.closing(SqliteStore(folder)) as store:
                    (found,) = recovered(store.read())
                assert found.deal is not None
                before[phase], after[phase] = fingerprint(live), fingerprint(found.deal)
        if set(before) == PHASES:
            break

    assert before == after
    assert len(set(before.values())) == len(PHASES)


async def keep(store: Store, game: Game, steps: int | None = None) -> None:
    """Keep what a table would, of all steps or of the first few."""
    begun = replace(a_beginning(), deal=game.begun)
    await store.commit(a_lobby(deal_runs=True), begun)
    for done in game.done[:steps]:
        await store.commit(done)


def test_a_held_play_is_still_held_and_a_silent_belief_still_counts() -> None:
    begun = a_table(["AS KD QC", "2H 3H 4H", "5C 6C 7C", "8D"])
    live = a_table(["AS KD QC", "2H 3H 4H", "5C 6C 7C", "8D"]).play("KD").let_go(2)
    held = live.a_play("2H")
    live.do(held)
    actions = (begun.a_play("KD"), a.LetGo(seat=Seat(2), play=PlayNumber(1)), held)

    deal = recovered_deal(
        FOX, begun.deal, [ActionDone(code=FOX, action=action, at=0) for action in actions]
    )

    assert deal.held == held
    assert deal == live.deal


def test_a_window_counts_from_where_it_was_announced() -> None:
    begun = a_table(["AS KD QC", "2H 3H 4H"])
    play = begun.a_play("KD")
    later = ActionDone(code=FOX, action=play, at=1 * SECOND, announced_at=5 * SECOND)
    at_once = replace(later, announced_at=None)

    deals = [recovered_deal(FOX, begun.deal, [done]) for done in (later, at_once)]

    assert [deal.opened_at for deal in deals] == [5 * SECOND, 1 * SECOND]
    assert deals[0] == restart_window(deals[1], 5 * SECOND)


# --- whole lobbies -----------------------------------------------------------------------------------


def test_a_lobby_without_a_running_deal_is_recovered_as_it_was() -> None:
    lobby = a_lobby(OWL, lines=2).lobby

    found = recovered(Kept(lobbies=(KeptLobby(code=OWL, lobby=lobby),)))

    assert found == (Recovered(code=OWL, lobby=lobby),)


def test_the_time_goes_on_from_the_last_record() -> None:
    kept = KeptLobby(
        code=FOX,
        lobby=a_lobby(deal_runs=True).lobby,
        deal=a_beginning().deal,
        actions=(an_action(3), replace(an_action(5), announced_at=9), an_action(8)),
    )

    (found,) = recovered(Kept(lobbies=(kept,)))

    assert found.at == 9


def test_a_deal_stopped_while_its_last_play_was_kept_had_a_longer_window_after_a_restart() -> None:
    begun = a_table(["AS KD QC", "2H 3H 4H"])
    play = ActionDone(code=FOX, action=begun.a_play("KD"), at=1 * SECOND, announced_at=1 * SECOND)
    stop = ActionDone(  # fell due before the play was announced
        code=FOX, action=a.Stop(reason=StopReason.TIME), at=2 * SECOND, opened_at=3 * SECOND
    )
    lobby = a_lobby(deal_runs=True).lobby
    kept = KeptLobby(code=FOX, lobby=lobby, deal=begun.deal, actions=(play, stop))

    (found,) = recovered(Kept(lobbies=(kept,)))

    assert found.deal is not None
    assert found.deal.ends_at - found.at == found.deal.table.rules.last_window_s * SECOND


def test_a_running_deal_that_is_not_there_is_a_damage() -> None:
    kept = KeptLobby(code=FOX, lobby=a_lobby(deal_runs=True).lobby)

    with pytest.raises(Damaged, match=f"at lobby {FOX}: its deal runs but is not there"):
        recovered(Kept(lobbies=(kept,)))


BEYOND = a.Seated(seat=Seat(9), name="Zoe", chair=Chair.OWNER)


@pytest.mark.parametrize(
    "action",
    [a.Pass(seat=Seat(0)), a.EndReveal(), a.LetGo(seat=Seat(1), play=PlayNumber(40)), BEYOND],
    ids=["a pass that is not allowed", "no reveal to end", "a play to come", "a seat to come"],
)
def test_an_action_that_the_rules_refuse_is_named(action: a.Action) -> None:
    actions = [an_action(1), an_action(2), ActionDone(code=FOX, action=action, at=3)]

    with pytest.raises(Damaged, match=f"lobby {FOX}, record 3: the rules do not allow it"):
        recovered_deal(FOX, a_beginning().deal, actions)


def test_the_random_games_do_everything_that_can_be_done() -> None:
    games = [Game(seed).play(200) for seed in range(300, 312)]

    done = {type(action.action) for game in games for action in game.done}

    assert done == set(LAWS) - {a.Stop}
