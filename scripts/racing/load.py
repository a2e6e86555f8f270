"""Something else for the server to do: chatty connections, busy tables. Runs in its own process."""

import contextlib
from collections.abc import Sequence
from multiprocessing.synchronize import Event as Flag
from random import Random

from protocol import commands as c
from racing.driving import Steps, drive
from racing.player import Address, LineLost, Player
from racing.table import RaceTable, tables

RULES = "classic.w0.lw2.r0.t-off.no-confess"
SEATS = 4
CHATTY_LOBBIES = 2
BUSY_TABLES = 3
DOUBTS = 0.2  # of all plays


def make_load(load: str, address: Address, ready: Flag) -> None:
    """Keep the server busy until it or this process is ended; `ready` is set once it is."""
    kind, count = {"chatty": (_chatter, CHATTY_LOBBIES), "busy": (_play, BUSY_TABLES)}[load]
    busy = tables(address, [RULES] * count, SEATS, load[0])
    players = [player for table in busy for player in table.players]
    rng = Random()  # noqa: S311 - dice of a measurement
    with contextlib.suppress(LineLost, KeyboardInterrupt):
        drive(players, [table.gather() for table in busy])
        drive(players, [_marked(ready, kind(table, rng)) for table in busy])


def _marked(ready: Flag, steps: Steps) -> Steps:
    ready.set()
    yield from steps


def _chatter(table: RaceTable, rng: Random) -> Steps:
    """Everybody says something as soon as the last thing is answered, for ever."""
    while True:
        for player in table.players:
            if player.is_at_rest:
                _say_something(player, rng)
        yield lambda: _anybody_rests(table.players)


def _say_something(player: Player, rng: Random) -> None:
    if rng.random() < 0.5:  # noqa: PLR2004 - one of two
        player.say(c.Say(n=player.number(), text="I doubt that very much."))
    else:
        player.say(c.SetReady(n=player.number(), ready=rng.random() < 0.5))  # noqa: PLR2004
    player.answers.clear()
    player.news.clear()


def _anybody_rests(players: Sequence[Player]) -> bool:
    return any(player.is_at_rest for player in players)


def _play(table: RaceTable, rng: Random) -> Steps:
    """Deal after deal, as quickly as the server can."""
    while True:
        if table.is_over:
            yield from table.deal()
        yield from table.lay()
        if table.is_last_pending or rng.random() < DOUBTS:
            yield from table.call_off()
        table.clear_news()
