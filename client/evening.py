"""The evening's table: what everybody has done over all deals since this client came to the lobby. Pure."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from client.state import ClientState
from client.stats import DealTally, SeatTally, tally_of
from client.words import many, margin


class Row(Struct, frozen=True, kw_only=True):
    """One person's evening. Lies are known only of deals that were confessed (RULES B24)."""

    name: str
    deals: int = 0
    won: int = 0
    lies: int = 0
    caught: int = 0
    doubts: int = 0
    right: int = 0
    biggest_pile: int = 0
    fastest_us: int | None = None

    @property
    def best(self) -> str:
        """What this evening is remembered for: the fastest doubt and the biggest pile."""
        fastest = "" if self.fastest_us is None else f"doubted after {margin(self.fastest_us)}"
        pile = f"took {self.biggest_pile}" if self.biggest_pile else ""
        return ", ".join(part for part in (fastest, pile) if part)


def deals_of(state: ClientState) -> tuple[DealTally, ...]:
    """Every deal that is over, the one on the screen too."""
    over = (tally_of(state.table),) if state.table and state.table.table.outcome else ()
    return (*state.evening, *over)


def evening(state: ClientState) -> tuple[Row, ...]:
    """A row for everybody who has played, the most deals won first."""
    rows: dict[str, Row] = {}
    for deal in deals_of(state):
        for seat in deal.seats:
            rows[seat.name] = _with(rows.get(seat.name, Row(name=seat.name)), seat)
    return tuple(sorted(rows.values(), key=lambda row: (-row.won, row.deals, row.name)))


def _with(row: Row, seat: SeatTally) -> Row:
    stats = seat.stats
    times = [time for time in (row.fastest_us, stats.fastest_us) if time is not None]
    return replace(
        row,
        deals=row.deals + 1,
        won=row.won + seat.won,
        lies=row.lies + stats.lies,
        caught=row.caught + stats.caught,
        doubts=row.doubts + stats.doubts,
        right=row.right + stats.right,
        biggest_pile=max(row.biggest_pile, stats.biggest_pile),
        fastest_us=min(times, default=None),
    )


def counted(deals: Iterable[DealTally]) -> str:
    """How many deals, and whether all lies are known."""
    every = tuple(deals)
    dark = sum(not deal.complete for deal in every)
    number = many(len(every), "deal")
    return f"{number}, {dark} of them without a confession" if dark else number
