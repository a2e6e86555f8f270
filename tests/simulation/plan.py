"""What one seed stands for: the settings, the disk, the circles of players, the faults."""

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from protocol.codes import SPELLINGS, BadRulesCode, parse_rules, rules_code
from protocol.rules import PRESETS
from server.bots.registry import TEMPERAMENTS
from tests.simulation.disk import DiskPlan
from tests.simulation.network import BUFFER, CRUMBS, LAN, WEATHERS, WIFI, Weather
from tests.simulation.tempers import (
    CALL_HAPPY,
    CALM,
    CHATTY,
    HONEST,
    HURRIED,
    LIAR,
    PASSER,
    QUITTER,
    SHAKY,
    SLEEPER,
    SNEAK,
    SNIPER,
    TEMPERS,
    UNDECIDED,
    Temper,
)
from tests.simulation.world import SECOND
from tests.support.any_rules import some_word

NAMES = [
    "ana",
    "bo",
    "cy",
    "dee",
    "eli",
    "fay",
    "gus",
    "hal",
    "ida",
    "jon",
    "kay",
    "leo",
    "mia",
    "ned",
    "oda",
    "pia",
    "quin",
    "ray",
    "sue",
    "tom",
    "uma",
    "vic",
    "wes",
    "xia",
    "yan",
    "zoe",
    "abe",
    "bea",
    "cal",
    "dot",
]


LOOPBACK = "127.0.0.1"
HOUSEHOLDS = 0.3  # of all tables: everybody comes from one address
PASSWORDS = 0.2  # of all lobbies
MOST_OF_A_TABLE = 6
ALL_SNIPERS = 0.1  # of all tables
CROWDS = 0.1  # of all evenings
RESTLESS = 0.3  # of all evenings
BOLD = 0.7  # of all of these
STOPPED = 0.3  # of all rough evenings: the server is stopped as it should be
DEALS_OF_MATCHES = 6  # mostly of two
SHORT_DEALS = 0.7  # of all: the others take as long as they take


@dataclass(frozen=True, slots=True, kw_only=True)
class Guest:
    """One player to be."""

    name: str
    temper: Temper
    weather: Weather
    address: str = LOOPBACK


@dataclass(frozen=True, slots=True, kw_only=True)
class TablePlan:
    """Those who mean to play together."""

    rules: str
    guests: tuple[Guest, ...]
    watchers: frozenset[str]
    computers: tuple[str, ...]
    deals: int
    public: bool
    password: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Faults:
    """What goes wrong until it is late; each is a mean time between two in microseconds, or never."""

    crashes: int = 0  # so many in all
    deeds_between: int = 300  # things that the server does before it dies
    breaks: int = 0
    stalls: int = 0
    busy: int = 0
    full_disk: int = 0
    stops: int = 0  # of the whole server, as by SIGSTOP
    wall: int = 0  # the wall clock is set
    crashes_at: tuple[int, ...] = ()  # and at these times
    ends: int = 0  # the server is told to stop, and says goodbye


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that a seed decides before anything happens."""

    seed: str
    settings: dict[str, Any]
    tables: tuple[TablePlan, ...]
    disk: DiskPlan
    faults: Faults
    buffer: int  # bytes of the kernel for one connection
    creeps: float  # how often a call to the server's kernel takes a while
    late: int  # from then on nothing foolish happens any more
    byzantines: int = 0
    den: int = 0  # byzantines with lobbies of their own
    crowd: int = 0  # people who come only to be there


# Of all evenings: on the others nobody is ever too fast, so that more happens in less time.
REAL_LIMITS, TIGHT_LIMITS = 0.3, 0.1
TIGHT: dict[str, Any] = {
    "commands_per_s": 2.0,
    "commands_burst": 5,
    "chat_per_s": 0.5,
    "chat_burst": 2,
    "refusals_per_s": 1.0,
    "refusals_burst": 5,
}
GENEROUS: dict[str, Any] = {
    "commands_per_s": 1000.0,
    "commands_burst": 100_000,
    "chat_burst": 1000,
    "chat_per_s": 100.0,
    "wrong_codes_per_min": 1000,
    "refusals_burst": 100_000,
    "reconnects_per_min": 100_000,
}


def plan_for(seed: str) -> Plan:
    """The plan of a seed."""
    dice = Random(f"{seed}/plan")
    is_rough = dice.random() < 0.6
    names = list(NAMES)
    dice.shuffle(names)
    count = dice.choice((1, 1, 2, 3))
    tables = tuple(_table(dice, names, f"192.0.2.{n}", is_rough=is_rough) for n in range(count))
    ping_s = dice.choice((5.0, 30.0, 60.0, 120.0))
    plan = Plan(
        seed=seed,
        settings={
            **_limits(seed),
            "ping_s": ping_s,
            "silence_s": 3 * ping_s,
            "replay": dice.choice((5, 512)),
            "send_queue": dice.choice((1024, 4096, 128 * 1024)),
            "inbox": dice.choice((8, 512)),
            "unauthenticated": dice.choice((3, 64)),
            "per_address": MOST_OF_A_TABLE,
        },
        tables=tables,
        disk=_disk(dice, is_rough=is_rough),
        faults=_with_ends(seed, _faults(dice)) if is_rough else Faults(),
        buffer=dice.choice((1024, BUFFER)),
        creeps=dice.choice((0.0, 0.02, 0.2)),
        late=dice.randint(60, 600) * SECOND,
        byzantines=dice.choice((0, 0, 0, 1)),
    )
    return _with_strange_people(plan)


def _with_strange_people(plan: Plan) -> Plan:
    """The same plan, on some evenings, of people who do more than play, or come only to be there."""
    if Random(f"{plan.seed}/restless 24152").random() < RESTLESS:
        plan = _restless(plan)
    return _crowded(plan) if Random(f"{plan.seed}/a crowd").random() < CROWDS else plan


def _restless(plan: Plan) -> Plan:
    """The same plan of people who ask for anything at any moment, on a server of other patience."""
    dice = Random(f"{plan.seed}/restless")
    often = dice.choice((0.01, 0.04, 0.15))
    bold = Random(f"{plan.seed}/bold 3").random() < BOLD
    tables = tuple(
        replace(
            table,
            guests=tuple(
                replace(guest, temper=replace(guest.temper, restless=often, bold=bold))
                for guest in table.guests
            ),
        )
        for table in plan.tables
    )
    patience = {
        "settle_ms": dice.choice((0.0, 0.0, 20.0)),
        "stand_in_s": dice.choice((1.0, 20.0)),
        "vote_s": dice.choice((5.0, 60.0)),
        "pause_min": dice.choice((0.1, 15.0)),
        "return_s": dice.choice((1.0, 30.0)),
        "park_h": dice.choice((0.005, 24.0)),
        "idle_min": dice.choice((0.1, 30.0)),
    }
    return replace(plan, tables=tables, settings={**plan.settings, **patience})


def _limits(seed: str) -> dict[str, Any]:
    """How much everybody may ask for: the server's own limits are those that are not named."""
    what = Random(f"{seed}/limits 4104").random()  # the first seeds of seeds.txt stay as they were
    if what < REAL_LIMITS:
        return {}
    return TIGHT if what < REAL_LIMITS + TIGHT_LIMITS else GENEROUS


def _crowded(plan: Plan) -> Plan:
    """The same plan on a server that has hardly room for all, and people who come for nothing."""
    dice = Random(f"{plan.seed}/crowd")
    people = plan.byzantines + sum(len(table.guests) for table in plan.tables)
    settings = {**plan.settings, "connections": people + dice.randint(0, 2)}
    return replace(plan, settings=settings, crowd=dice.randint(2, 6))


def with_room(plan: Plan) -> Plan:
    """The same plan on a server that has room for whoever plays there instead."""
    settings = {name: value for name, value in plan.settings.items() if name != "connections"}
    return replace(plan, settings=settings, crowd=0)


def _table(dice: Random, names: list[str], house: str, *, is_rough: bool) -> TablePlan:
    size = dice.choice((2, 2, 3, 3, 4, 4, 5, MOST_OF_A_TABLE))
    tempers = TEMPERS if is_rough else CALM
    weathers = WEATHERS if is_rough else (LAN, WIFI, CRUMBS)
    one_weather = dice.choice((*weathers, None))
    one_temper = SNIPER if dice.random() < ALL_SNIPERS else None
    address = house if dice.random() < HOUSEHOLDS else LOOPBACK
    guests = tuple(
        Guest(
            name=names.pop(),
            address=address,
            temper=one_temper or dice.choice(tempers),
            weather=one_weather or dice.choice(weathers),
        )
        for _ in range(size)
    )
    watching = guests[2:] if size > 2 and dice.random() < 0.3 else ()
    return TablePlan(
        rules=some_rules(dice),
        guests=guests,
        watchers=frozenset(guest.name for guest in watching[:1]),
        computers=tuple(dice.choice(list(TEMPERAMENTS)) for _ in range(dice.choice((0, 0, 0, 1)))),
        deals=dice.choice((1, 2, 3, 5)),
        public=dice.random() < 0.7,
        password=f"open {house}" if dice.random() < PASSWORDS else None,
    )


def _disk(dice: Random, *, is_rough: bool) -> DiskPlan:
    if not is_rough or dice.random() < 0.5:
        return DiskPlan()
    return DiskPlan(
        fastest=dice.choice((100, 1_000, 8_000)),
        slowest=dice.choice((10_000, 40_000)),
        hiccups=0.02,
        hiccup=2 * SECOND,
        faults=dice.choice((0.0, 0.02)),
    )


def _faults(dice: Random) -> Faults:
    return Faults(
        crashes=dice.choice((0, 1, 3)),
        deeds_between=dice.choice((40, 200, 600)),
        breaks=dice.choice((0, 5, 30)) * SECOND,
        stalls=dice.choice((0, 10, 40)) * SECOND,
        busy=dice.choice((0, 1, 5)) * SECOND,
        full_disk=dice.choice((0, 0, 40)) * SECOND,
        stops=dice.choice((0, 0, 60)) * SECOND,
        wall=dice.choice((0, 0, 20)) * SECOND,
    )


def _with_ends(seed: str, faults: Faults) -> Faults:
    """The same faults and, on some evenings, a host who stops the server and starts it again."""
    dice = Random(f"{seed}/ends 2512")
    is_stopped = dice.random() < STOPPED
    return replace(faults, ends=dice.choice((20, 60)) * SECOND) if is_stopped else faults


# --- any rules -----------------------------------------------------------------------------------


def some_rules(dice: Random) -> str:
    """A rules code with a few things changed at random, mostly such that deals do not take long."""
    words = [dice.choice(list(PRESETS))]
    words += [some_word(spelling, dice) for spelling in SPELLINGS if dice.random() < 0.2]
    if dice.random() < SHORT_DEALS:
        words = [word for word in words if not word.startswith("plays-")]
        words.append(f"plays-{dice.randint(1, 30)}")
    code = ".".join(words)
    try:
        return rules_code(parse_rules(code))
    except BadRulesCode:
        return words[0]


# --- evenings with much of something --------------------------------------------------------------

_TILTS: dict[str, dict[str, Any]] = {
    "": {},
    "races": {"creeps": 0.0, "faults": Faults(busy=SECOND)},
    "crashes": {"faults": Faults(crashes=5, deeds_between=60)},
    "lines": {"faults": Faults(breaks=2 * SECOND)},
    "stalls": {"faults": Faults(stalls=5 * SECOND), "buffer": 1024},
    "chairs": {},
    "burglars": {"byzantines": 2},
    "passing": {},
    "clocks": {"faults": Faults(busy=SECOND, stops=30 * SECOND, wall=5 * SECOND), "creeps": 0.0},
    "sneaking": {},
    "crowds": {"faults": Faults(breaks=5 * SECOND)},
    "whims": {"faults": Faults(breaks=20 * SECOND, ends=40 * SECOND), "late": 300 * SECOND},
    "matches": {"faults": Faults(), "late": 600 * SECOND},
    "other matches": {"faults": Faults(), "late": 600 * SECOND},
    "sleepers": {"faults": Faults(), "late": 600 * SECOND},
    "haste": {"faults": Faults(), "late": 600 * SECOND},
}
_RULES_OF_TILTS = {
    "passing": "british.w0.plays-25",
    "sneaking": "sneaky.pass.j2.max-8.w2.plays-25",
    "matches": "m2.plays-4.w0",
    "other matches": "m2.plays-4.w0",
    "sleepers": "t30.plays-25.w0",
    "haste": "t-off.plays-25.w0",
}
_TEMPERS_OF_TILTS: dict[str, tuple[Temper, ...]] = {
    "races": (SNIPER, SNIPER, CALL_HAPPY),
    "clocks": (CALL_HAPPY, LIAR),
    "stalls": (CHATTY, CHATTY, LIAR),
    "chairs": (QUITTER, QUITTER, LIAR),
    "lines": (CHATTY, LIAR, SHAKY),
    "passing": (PASSER, HONEST),
    "sneaking": (SNEAK, CALL_HAPPY),
    "other matches": (UNDECIDED,),
    "sleepers": (SLEEPER,),
    "haste": (SLEEPER, HURRIED),
}


def planned(seed: str) -> Plan:
    """The plan of a seed as in seeds.txt: before a colon stands its tilt, if it has one."""
    tilt, _, name = seed.rpartition(":")
    return tilted(plan_for(name), tilt) if tilt in _TILTS else plan_for(seed)


def tilted(plan: Plan, tilt: str) -> Plan:
    """The same plan with much of what the tilt names."""
    dice = Random(f"{plan.seed}/{tilt}")
    tempers = _TEMPERS_OF_TILTS.get(tilt)
    tables = plan.tables
    if tempers is not None:
        tables = tuple(_with_tempers(table, tempers, dice) for table in tables)
    if rules := _RULES_OF_TILTS.get(tilt):
        tables = tuple(replace(table, rules=rules) for table in tables)
    if tilt in {"matches", "other matches"}:
        tables = tuple(replace(table, deals=DEALS_OF_MATCHES) for table in tables)
    plan = replace(plan, tables=tables, **_TILTS[tilt])
    others = {"crowds": _crowded, "whims": _restless}.get(tilt)
    return plan if others is None else others(plan)


def _with_tempers(table: TablePlan, tempers: tuple[Temper, ...], dice: Random) -> TablePlan:
    """The same table with people of other tempers."""
    guests = tuple(replace(guest, temper=dice.choice(tempers)) for guest in table.guests)
    return replace(table, guests=guests)
