"""What simulated people are like: how soon they act, how often they lie, doubt, talk and vanish."""

from dataclasses import dataclass

from tests.simulation.world import SECOND


@dataclass(frozen=True, slots=True, kw_only=True)
class Temper:
    """What somebody is like: times in microseconds, the rest how likely it is."""

    name: str
    quickest: int = 50_000
    slowest: int = 900_000
    lies: float = 0.15
    doubts: float = 0.08
    lets_go: float = 0.3
    goes_on: float = 0.7
    passes: float = 0.2
    sneaks: float = 0.3
    many: float = 0.6  # to lay all cards that fit, and not only one
    chats: float = 0.01
    whims: float = 0.0  # to vote, pause, take back, give up the seat, ask for a clock …
    restless: float = 0.0  # to use any tool of host, player or guest, at any moment
    wish: str = ""  # of all tools the only one, if there is one (`whims`)
    bold: bool = False  # uses those of a host, too, while the host is away
    snipes: float = 0.0  # to call in the very microsecond in which a window ends, or others call
    blind: bool = False  # goes by the names of cards and by what is public, not by faces
    vanishes: float = 0.0  # each time there is something to do
    away_s: tuple[float, float] = (0.1, 5.0)


HONEST = Temper(name="honest", lies=0.0, doubts=0.03)
LIAR = Temper(name="liar", lies=0.8, sneaks=0.9)
CALL_HAPPY = Temper(name="call-happy", doubts=0.5, quickest=1_000, slowest=60_000, lets_go=0.5)
SILENT = Temper(name="silent", doubts=0.0, lets_go=0.0, goes_on=0.0, chats=0.0, slowest=4_000_000)
ABSENT = Temper(name="absent", vanishes=0.03, away_s=(5.0, 60.0))
SHAKY = Temper(name="shaky", vanishes=0.08, away_s=(0.05, 3.0))
QUITTER = Temper(name="quitter", whims=0.08, vanishes=0.01)
CHATTY = Temper(name="chatty", chats=0.3)
SLEEPER = Temper(name="sleeper", quickest=20 * SECOND, slowest=70 * SECOND, doubts=0.05)
SNIPER = Temper(name="sniper", doubts=0.0, lets_go=0.0, snipes=0.5, lies=0.4)
PASSER = Temper(name="passer", passes=0.6, lets_go=0.9, slowest=2_500_000, doubts=0.02)
SNEAK = Temper(name="sneak", sneaks=0.9, lies=0.1, many=0.2, doubts=0.3)
BLIND = Temper(name="blind", blind=True, doubts=0.03, chats=0.05)
UNDECIDED = Temper(name="undecided", restless=0.1, wish="another match", doubts=0.3)
HURRIED = Temper(name="hurried", restless=0.2, wish="a clock", slowest=20 * SECOND)
TEMPERS = (
    HONEST,
    LIAR,
    CALL_HAPPY,
    SILENT,
    ABSENT,
    SHAKY,
    QUITTER,
    CHATTY,
    SLEEPER,
    SNIPER,
    PASSER,
    SNEAK,
)
CALM = (HONEST, LIAR, CALL_HAPPY, SILENT, CHATTY, SNIPER, PASSER, SNEAK)
