"""Two evenings beside each other, on one of which somebody makes moves that the rules keep secret.

* A sneak: whoever lays cards lays more of them than they claim (RULES B10), or just as many.
* Second thoughts: whoever is next lays a play ready, then another, and takes it back (RULES C3), or only
  waits. Meanwhile others let the newest play go, which is told and kept.

Whoever does so goes like clockwork: when and what they lay hangs on nothing but what is public, and
what they send takes as long whatever its length. So nobody else may notice, by a byte or by a time,
until the rules tell it. A commit takes long here, for who waits for one that is secret would notice.
What is shared by right is not on these evenings: the server's own work takes no time at all.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from protocol import commands as c
from protocol import events as e
from protocol.numbers import Seat
from protocol.options import Options, options_of
from protocol.views import TableView
from tests.simulation.disk import DiskPlan
from tests.simulation.evening import Evening, checked, run_plan
from tests.simulation.ledger import Entry
from tests.simulation.network import WEATHERS, Weather
from tests.simulation.plan import Faults, Guest, Plan, TablePlan, plan_for, with_room
from tests.simulation.players import Player
from tests.simulation.tempers import BLIND
from tests.simulation.twins import Compared, Seen, again, beside, lines_of_others
from tests.simulation.world import SECOND

ACTOR = "ana"
UNBELIEVERS = ("bo", "cy")  # two: else all others may have let go, and what lies ready counts (C4)
SWIFT = Weather(name="even and whole", shortest=400, longest=400, cut=0.0)
SLOW = DiskPlan(fastest=50_000, slowest=50_000, is_shared=False)
MOVES_US = 600_000  # after the table waits for them
SLEEPS = 3  # through every so many of the turns that have a clock, so that the clock has to play
FEWEST_HELD = 5  # cards: with fewer of them what can be claimed hangs on how many they are
UNBELIEVING = replace(
    BLIND, doubts=0.015, lets_go=0.0, chats=0.6, quickest=300_000, slowest=700_000
)
BELIEVING = replace(BLIND, doubts=0.015, lets_go=0.8, quickest=100_000, slowest=500_000)
SHAKY = replace(BELIEVING, vanishes=0.02, away_s=(0.1, 4.0))

SNEAKY_RULES = (
    "sneak-2.d2.w2.t-off.plays-40",
    "sneak-1.d2.pass.w0.t-off.until-pickup.plays-40",
    "sneak-2.d2.free.max-none.w1.t-off.show-pile.plays-40",
)
PATIENT_RULES = (
    "w2.t12.plays-30",
    "pass.w3.t12.until-pickup.plays-30",
    "up-same-down.w2.t12.pf200.r5.plays-30",
)

_MAY_WAIT = (e.HandDealt, e.ProtectionOver, e.RevealOver, e.Passed, e.Stands, e.SetAside)


class Clockwork(Player):
    """Somebody who moves as a clock does."""

    deeds = 0  # that the rules keep secret
    _has_slept = (
        False  # through their last turn: after two of them a computer player would stand in
    )

    def heard(self, event: e.Event) -> None:
        """At the table nothing counts but the public course of things."""
        view = self.view
        if view is None or view.you is None or self.is_calm or view.table.phase is e.Phase.OVER:
            super().heard(event)
        elif isinstance(event, _MAY_WAIT):
            self.world.after(MOVES_US, self._move)
        elif isinstance(event, e.Played | e.Ruled):
            if isinstance(event, e.Played) and event.seat == view.you:
                self._has_slept = event.auto
            self.world.after(MOVES_US // 6, self.meanwhile)
            self.world.after(MOVES_US, self._move)

    def _at_the_table(self, view: TableView) -> None:
        if self.is_calm:
            super()._at_the_table(view)

    def meanwhile(self) -> None:
        """A play can still be doubted, or a ruling be read."""

    def _move(self) -> None:
        view = self.view
        if view is None or not self.is_open or self._waits_for(c.PlayCards):
            return
        options, table = options_of(view), view.table
        may_sleep = table.rules.turn_s > 0 and not self._has_slept
        sleeps = may_sleep and table.newest % SLEEPS == 0
        if options.may_play and not options.held and not sleeps:
            self.lay_some(view, options)

    def lay_some(self, view: TableView, options: Options, *, extra: int = 0) -> None:
        """Lay one or two cards, and so many more than are claimed."""
        table = view.table
        aim = {"deal": table.deal, "after": table.newest, "pile": table.pile_number}
        count = min(1 + table.newest % 2, options.most_claimed)
        self.lay(view.hand[: count + extra], count, options.ranks[0], aim)


class Sneak(Clockwork):
    """One who lays more cards than they claim."""

    def lay_some(self, view: TableView, options: Options, *, extra: int = 0) -> None:
        """As many more as the rules allow."""
        self.deeds += 1
        super().lay_some(view, options, extra=extra + options.most_extra)


class Waverer(Clockwork):
    """One who lays something ready, then something else, and takes that back."""

    def meanwhile(self) -> None:
        """Lay it ready, and change their mind twice."""
        view = self.view
        if view is None or not self.is_open or self._waits_for(c.PlayCards, c.Pass):
            return
        options, table = options_of(view), view.table
        if not options.may_play or not options.held:
            return
        self.deeds += 1
        if options.may_pass and table.newest % 2:
            aim = {"deal": table.deal, "after": table.newest, "pile": table.pile_number}
            self.send(c.Pass, **aim)
        else:
            self.lay_some(view, options)
        self.world.after(MOVES_US // 3, self._lay_another)
        self.world.after(MOVES_US * 2 // 3, self._take_back)

    def _lay_another(self) -> None:
        view = self.view
        if view is not None and view.held is not None:
            self.lay_some(view, options_of(view))

    def _take_back(self) -> None:
        view = self.view
        if view is not None and view.held is not None:
            self.ask(view, c.TakeBack, after=view.table.newest)


# --- the evenings ---------------------------------------------------------------------------------


def with_a_sneak(seed: int) -> Compared:
    """The evening of a seed with honest counts, and with cards that nobody knows of."""
    see = partial(_see, again(with_a_sneak, seed), _evening(seed, SNEAKY_RULES), _tells_of_a_sneak)
    return _compared(see, Sneak)


def with_second_thoughts(seed: int) -> Compared:
    """The evening of a seed as it is, and with plays that are laid ready and taken back."""
    see = partial(_see, again(with_second_thoughts, seed), _evening(seed, PATIENT_RULES), _is_over)
    return _compared(see, Waverer)


def _evening(seed: int, rules: tuple[str, ...]) -> Plan:
    """A table of people who do not look at faces; some of them come and go."""
    tempers = (UNBELIEVING, UNBELIEVING, SHAKY, SHAKY)
    weathers = WEATHERS[seed % 3 :] + WEATHERS
    others = tuple(
        Guest(name=name, temper=temper, weather=weather)
        for name, temper, weather in zip(
            (*UNBELIEVERS, "dee", "eve"), tempers, weathers, strict=False
        )
    )
    table = TablePlan(
        rules=rules[seed % len(rules)],
        guests=(*others[:1], Guest(name=ACTOR, temper=BLIND, weather=SWIFT), *others[1:]),
        watchers=frozenset({"eve"}),
        computers=("casual",),
        deals=1,
        public=True,
    )
    plan = with_room(plan_for(f"secret-{seed}"))
    return replace(
        plan,
        settings={**plan.settings, "replay": (5, 512)[seed % 2]},
        tables=(table,),
        disk=SLOW,
        faults=Faults(),
        creeps=0.0,
        late=600 * SECOND,
        byzantines=0,
    )


def _compared(
    see: Callable[[type[Clockwork]], tuple[Seen, int]], actor: type[Clockwork]
) -> Compared:
    """Lay the evening beside that of this actor, until the rules tell of it."""
    (plain, _), (twin, deeds) = see(Clockwork), see(actor)
    assert plain.out_at is not None
    assert twin.out_at is not None
    until = min(plain.out_at, twin.out_at)
    ours, theirs = (lines_of_others(seen, {ACTOR}, until) for seen in (plain, twin))
    return replace(beside(ours, theirs), plays=deeds)


def _see(
    seen_again: str, plan: Plan, tells: Callable[[Entry, Seat], bool], kind: type[Clockwork]
) -> tuple[Seen, int]:
    """Simulate the evening; what was seen of it, and how many deeds were done before it came out."""
    seen, deeds = Seen(), [0]

    def prepare(evening: Evening) -> None:
        def acted(entry: Entry) -> None:
            names = [holder.name for holder in entry.table.record.holders]
            # A host who has not waited for them leaves nothing to compare.
            are_here = {ACTOR, *UNBELIEVERS} <= set(names)
            is_out = not are_here or tells(entry, Seat(names.index(ACTOR)))
            if is_out and seen.out_at is None:
                seen.out_at = evening.world.now
                deeds.extend(p.deeds for p in evening.players if isinstance(p, Clockwork))

        evening.ledger.on_action.append(acted)

    report = run_plan(plan, notes=seen.notes, prepare=prepare, kinds={ACTOR: kind})
    checked(report, again=seen_again)
    return seen, sum(deeds)


def _is_over(entry: Entry, _actor: Seat) -> bool:
    return any(isinstance(telling.event, e.DealOver) for telling in entry.tellings)


def _tells_of_a_sneak(entry: Entry, actor: Seat) -> bool:
    """A pile is taken by the actor, or has cards of theirs in it; or they run out of cards."""
    rulings = [each.event for each in entry.tellings if isinstance(each.event, e.Ruled)]
    laid = any(play.seat == actor for play in entry.before.table.pile)
    return (
        any(laid or ruled.taker == actor for ruled in rulings)
        or len(entry.table.deal.hands[actor]) < FEWEST_HELD
        or _is_over(entry, actor)
    )
