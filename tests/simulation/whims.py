"""What people do beside playing, at any moment: host's tools, votes, pauses, seats, other lobbies."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from msgspec.structs import replace

from protocol import commands as c
from protocol import events as e
from protocol.codes import rules_code
from server.bots.registry import TEMPERAMENTS
from tests.simulation.plan import some_rules

if TYPE_CHECKING:
    from tests.simulation.players import Player

Fields = dict[str, object]
Wish = tuple[type[c.Command], Fields]

ELSEWHERE = 0.5  # of all who leave a lobby: they go to another one, if there is one
SAY_YES, SAY_NO = 0.4, 0.3  # of all who are asked for their vote: the others wait for a while


def come_to(player: "Player") -> bool:
    """Whether somebody has a whim now."""
    likely = 0.0 if player.is_calm else player.temper.restless
    only = _ONLY.get(player.temper.wish)
    if only is not None and not [*only(player)]:
        return False
    return likely > 0 and player.dice.random() < likely


def give_way(player: "Player") -> None:
    """Ask for something that nobody has to ask for now."""
    lobby = player.lobby
    assert lobby is not None
    only = _ONLY.get(player.temper.wish)
    wishes = _wishes(player, lobby) if only is None else only(player)
    kind, fields = player.dice.choice([*wishes])
    if kind is c.LeaveLobby:
        _go_elsewhere(player)
    player.send(kind, **fields)


def vote(player: "Player", state: e.VoteState) -> None:
    """Give a vote that is asked for."""
    if state.passed is None and state.by != player.name and player.view is not None:
        mood = player.dice.random()
        if mood < SAY_YES + SAY_NO:
            player.ask(player.view, c.CastVote, vote=state.vote, yes=mood < SAY_YES)


def use_a_tool(player: "Player", name: str) -> None:
    """As host between two deals, on this person or on the order of seats (RULES D6)."""
    tools: tuple[Wish, ...] = (
        (c.RemoveSeat, {"name": name}),
        (c.HandOver, {"name": name}),
        (c.ShuffleSeats, {}),
        (c.StandUp, {}),
    )
    kind, fields = player.dice.choice(tools)
    player.send(kind, **fields)


def _go_elsewhere(player: "Player") -> None:
    others = [circle for circle in player.circles if circle is not player.circle]
    if others and player.dice.random() < ELSEWHERE:
        player.circle = player.dice.choice(others)
        player.is_maker = False


def _wishes(player: "Player", lobby: e.LobbyState) -> Iterator[Wish]:
    yield from _of_anybody(player, lobby)
    stands_in = player.temper.bold and _is_away(lobby, lobby.host)
    if lobby.host == player.name or stands_in:
        yield from _of_a_host(player, lobby)
    if player.view is not None and lobby.stage is e.LobbyStage.PLAYING:
        yield from _at_a_table(player)


def _is_away(lobby: e.LobbyState, name: str) -> bool:
    return any(seat.name == name and not seat.connected for seat in lobby.seats)


def _of_anybody(player: "Player", lobby: e.LobbyState) -> Iterator[Wish]:
    yield c.SetReady, {"ready": player.dice.random() < 0.5}
    yield c.SitDown, {}
    yield c.StandUp, {}
    yield c.LeaveLobby, {}
    if player.view is not None:
        seat = player.dice.randrange(max(2, len(lobby.seats)))
        yield c.SitDown, {"deal": player.view.table.deal, "seat": seat}


def _of_a_host(player: "Player", lobby: e.LobbyState) -> Iterator[Wish]:
    dice = player.dice
    names = [*(seat.name for seat in lobby.seats), *lobby.watching]
    settings = e.LobbySettings(
        public=dice.random() < 0.7, size=dice.randint(2, 7), watchers=dice.random() < 0.8
    )
    yield c.SetRules, {"rules": some_rules(dice)}
    yield c.SetSettings, {"settings": settings}
    yield c.AddComputer, {"temperament": dice.choice(list(TEMPERAMENTS))}
    yield c.RemoveSeat, {"name": dice.choice(names)}
    yield c.HandOver, {"name": dice.choice(names)}
    yield c.ShuffleSeats, {}


def _at_a_table(player: "Player") -> Iterator[Wish]:
    assert player.view is not None
    table, dice = player.view.table, player.dice
    deal: Fields = {"deal": table.deal}
    turn = {"seat": table.turn, "after": table.newest, "pile": table.pile_number}
    yield c.CallVote, deal | {"on": dice.choice(list(e.VoteOn))}
    yield c.PauseTable, deal
    yield c.ResumeTable, deal | {"pause": player.pause if player.is_paused else 0}
    yield c.StartClock, deal | turn
    yield c.TakeBack, deal | {"after": table.newest}
    yield c.GiveUpSeat, deal
    yield c.ReturnToSeat, deal


def _for_another_match(player: "Player") -> Iterator[Wish]:
    """As host, for a longer one than the one being played, or a shorter one (RULES D7)."""
    lobby = player.lobby
    if lobby is not None and lobby.host == player.name:
        wins = player.dice.choice((1, 2, 3))
        yield c.SetRules, {"rules": rules_code(replace(lobby.rules, match_wins=wins))}


def _for_a_clock(player: "Player") -> Iterator[Wish]:
    """For the clock of a seat that is to move, without a look whether it may have one (RULES D1)."""
    if player.view is not None:
        table = player.view.table
        turn: Fields = {"seat": table.turn, "after": table.newest, "pile": table.pile_number}
        yield c.StartClock, {"deal": table.deal} | turn


_ONLY: dict[str, Callable[["Player"], Iterator[Wish]]] = {
    "another match": _for_another_match,
    "a clock": _for_a_clock,
}
