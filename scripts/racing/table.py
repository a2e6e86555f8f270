"""A table of scripted players: sit down, deal, lay cards, call."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol import commands as c
from protocol import events as e
from protocol.cards import Card, Rank
from protocol.numbers import PlayNumber, Seat
from protocol.options import last_play_pending
from racing.driving import Steps
from racing.player import Address, Player


class Unexpected(Exception):
    """The server refused what it should not have refused."""


@dataclass(slots=True, kw_only=True)
class RaceTable:
    """Players by seat, all at one lobby of the server."""

    players: Sequence[Player]
    rules: str
    laid_at: int = field(default=0, init=False)  # when the newest cards were sent, in nanoseconds
    deals: int = field(default=0, init=False)

    @property
    def is_over(self) -> bool:
        """Whether a deal has to begin before anything else."""
        view = self.players[0].view
        return view is None or view.table.phase is e.Phase.OVER

    @property
    def turn(self) -> Seat:
        """The seat to move."""
        return self.players[0].table.turn

    @property
    def newest(self) -> PlayNumber:
        """The newest play."""
        return self.players[0].table.newest

    @property
    def is_last_pending(self) -> bool:
        """Whether somebody's last cards wait for their window to end (RULES A15)."""
        return last_play_pending(self.players[0].table)

    @property
    def is_stopping(self) -> bool:
        """Whether the newest play is the last one of the deal, as after 2,000 of them (RULES B21)."""
        view = self.players[0].view
        return view is not None and view.table.stopping is not None

    def heard(self, kind: type[e.Event]) -> bool:
        """Whether everybody has heard an event of this kind since the news were cleared."""
        return all(any(isinstance(event, kind) for event in p.news) for p in self.players)

    def clear_news(self) -> None:
        """Forget what was heard so far."""
        for player in self.players:
            player.news.clear()
            player.answers.clear()

    @property
    def is_at_rest(self) -> bool:
        """Whether everybody's commands are answered."""
        return all(player.is_at_rest for player in self.players)

    # --- a deal ---------------------------------------------------------------------------------

    def gather(self) -> Steps:
        """Open a lobby and bring everybody into it."""
        host, *guests = self.players
        yield lambda: all(player.welcome is not None for player in self.players)
        host.say(c.CreateLobby(n=host.number(), rules=self.rules))
        yield lambda: host.is_at_rest and host.lobby is not None
        assert host.lobby is not None  # noqa: S101 - waited for
        for guest in guests:
            guest.say(c.JoinLobby(n=guest.number(), code=host.lobby.code))
            yield lambda: self.is_at_rest

    def deal(self) -> Steps:
        """Everybody is ready, the host deals, everybody has a hand."""
        host = self.players[0]
        self.deals += 1
        for player in self.players:
            player.say(c.SetReady(n=player.number()))
        yield lambda: self.is_at_rest
        host.say(c.StartDeal(n=host.number()))
        yield lambda: self.is_at_rest and all(self._has_hand(player) for player in self.players)

    def _has_hand(self, player: Player) -> bool:
        return player.deals == self.deals and player.view is not None and bool(player.view.hand)

    def lay(self, *, whole_hand: bool = False) -> Steps:
        """The seat to move lays a card (a lie if it can), or all it has; everybody has heard it."""
        player, newest = self.players[self.turn], self.newest
        number = self._say_play(player, whole_hand=whole_hand)
        yield lambda: player.is_at_rest and all(p.table.newest > newest for p in self.players)
        if refusal := player.why_not(number):
            raise Unexpected(f"{player.name} may not lay cards: {refusal}")

    def _say_play(self, player: Player, *, whole_hand: bool) -> int:
        assert player.view is not None  # noqa: S101 - a deal is running
        rank, hand = player.table.due[0], player.view.hand
        cards = hand if whole_hand else (a_lie(hand, rank),)
        command = self.play_of(player, cards, rank)
        before = time.time_ns()
        player.say(command)
        self.laid_at = player.stamp_of_newest() or before
        return command.n

    def play_of(self, player: Player, cards: Sequence[Card], rank: Rank) -> c.PlayCards:
        """The command that lays these cards after the newest play."""
        table = player.table
        ids = tuple(card.id for card in cards)
        return c.PlayCards(
            n=player.number(),
            deal=table.deal,
            after=table.newest,
            pile=table.pile_number,
            cards=ids,
            count=len(ids),
            rank=rank,
        )

    def call_off(self) -> Steps:
        """The next player doubts the newest play, so that the pile is gone."""
        caller = self.players[self.turn]
        self.clear_news()
        caller.say(c.Challenge(n=caller.number(), deal=caller.table.deal, play=self.newest))
        yield lambda: caller.is_at_rest and self.heard(e.Ruled)
        yield lambda: self.is_over or not self.is_stopping


def a_lie(hand: Sequence[Card], rank: Rank) -> Card:
    """A card that makes the claim a lie, so that it comes back when it is doubted; or any."""
    return next((card for card in hand if not card.face.is_a(rank)), hand[0])


def tables(
    address: Address, rules: Sequence[str], seats: int, prefix: str
) -> tuple[RaceTable, ...]:
    """Connect this many players for each of the rules; they still have to gather."""
    return tuple(
        RaceTable(
            players=[Player(address, f"{prefix}{number}-{seat}") for seat in range(seats)],
            rules=code,
        )
        for number, code in enumerate(rules)
    )
