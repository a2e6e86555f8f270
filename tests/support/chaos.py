"""Guests who do everything at random: what nobody would think of in a test written by hand."""

from random import Random
from typing import Any

import trio
from trio.testing import wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.codes import SPELLINGS, BadRulesCode, parse_rules
from protocol.rules import PRESETS
from protocol.views import TableView
from server.hall import Hall
from tests.support.any_rules import some_word
from tests.support.guests import Guest

Fields = dict[str, object]
NO_LIMITS: dict[str, Any] = {
    "commands_per_s": 1000.0,
    "commands_burst": 100_000,
    "chat_burst": 1000,
    "wrong_codes_per_min": 1000,
    "refusals_burst": 100_000,
    "reconnects_per_min": 100_000,
}


class Crowd:
    """Guests and the dice they are led by; a calm crowd mostly plays."""

    def __init__(self, hall: Hall, guests: tuple[Guest, ...], dice: Random, *, calm: bool) -> None:
        self._hall = hall
        self._guests = guests
        self._dice = dice
        self._unrest = 0.2 if calm else 1.0

    def move_to(self, hall: Hall) -> None:
        """The server was started again: everything happens there from now on."""
        self._hall = hall

    async def act(self) -> None:
        """Let somebody do something."""
        guest = self._dice.choice(self._guests)
        if not guest.is_connected:
            await guest.connect(resume=guest.secret is not None, last_event=self._seen(guest))
        elif self._dice.random() < 0.02 * self._unrest:
            await self._dice.choice([self._vanish, self._replace])(guest)
        elif guest.lobby is None:
            await self._in_the_hall(guest)
        elif guest.view is not None and self._dice.random() < 0.85:
            await self._ask(guest, *self._table_command(guest, guest.view))
        else:
            await self._ask(guest, *self._lobby_command(guest.lobby))

    def _seen(self, guest: Guest) -> int:
        """The newest event, or one that nobody has told: then only a snapshot helps."""
        return guest.last_event + self._dice.choice([0, 0, 0, 1_000_000])

    async def _vanish(self, guest: Guest) -> None:
        await guest.vanish()

    async def _replace(self, guest: Guest) -> None:
        await wait_all_tasks_blocked()
        if guest.is_connected:
            await guest.connect(resume=True)

    async def _in_the_hall(self, guest: Guest) -> None:
        codes = list(self._hall.lobbies)
        if not codes or self._dice.random() < 0.1:
            await self._ask(guest, c.CreateLobby, {"rules": some_rules(self._dice)})
        else:
            watch = self._dice.random() < 0.2 * self._unrest
            join = {"code": self._dice.choice(codes), "watch": watch}
            await self._ask(guest, c.JoinLobby, join)

    async def _ask(self, guest: Guest, kind: type[c.Command], fields: Fields) -> None:
        try:
            await guest.send(kind, **fields)
        except (trio.BrokenResourceError, trio.ClosedResourceError):
            guest.is_connected = False

    # --- what to ask for ------------------------------------------------------------------------

    def _lobby_command(self, lobby: e.LobbyState) -> tuple[type[c.Command], Fields]:
        dice, rare = self._dice, self._unrest
        names = [*(seat.name for seat in lobby.seats), *lobby.watching, "nobody"]
        settings = e.LobbySettings(size=dice.randint(2, 10), watchers=dice.random() < 0.9)
        return self._one_of(
            (8, c.SetReady, {"ready": dice.random() < 0.95}),
            (6, c.StartDeal, {"anyway": dice.random() < 0.6}),
            (1, c.SetRules, {"rules": some_rules(dice)}),
            (1 * rare, c.SetSettings, {"settings": settings}),
            (3, c.AddComputer, {"temperament": dice.choice(["casual", "proof", "nobody"])}),
            (rare / 2, c.RemoveSeat, {"name": dice.choice(names)}),
            (rare, c.HandOver, {"name": dice.choice(names)}),
            (1, c.ShuffleSeats, {}),
            (2, c.SitDown, {}),
            (2, c.SitDown, {"deal": 1, "seat": dice.randint(0, 9)}),
            (rare, c.StandUp, {}),
            (2, c.AnswerSeat, {"name": dice.choice(names), "yes": dice.random() < 0.8}),
            (rare, c.LeaveLobby, {}),
            (1, c.Say, {"text": "\x1b[31mhi"}),
        )

    def _table_command(self, guest: Guest, view: TableView) -> tuple[type[c.Command], Fields]:
        dice, rare, table = self._dice, self._unrest, view.table
        newest, pile = self._nearly(table.newest), self._nearly(table.pile_number)
        doubted = dice.choice([table.newest, *(play.play for play in table.pile)])
        moves = 40 if view.hand and table.turn == view.you else 2
        asking = guest.lobby.asking if guest.lobby is not None else ()
        return self._one_of(
            (moves if view.hand else 0, c.PlayCards, self._some_cards(view, newest, pile)),
            (7, c.Pass, {"after": newest, "pile": pile}),
            (3, c.TakeBack, {"after": newest}),
            (12, c.Challenge, {"play": self._nearly(doubted)}),
            (16, c.LetGoOf, {"play": newest}),
            (8, c.GoOn, {"play": newest}),
            (1, c.StartClock, {}),
            (1.5 * rare, c.GiveUpSeat, {}),
            (2, c.ReturnToSeat, {}),
            (rare, c.CallVote, {"on": dice.choice(list(e.VoteOn))}),
            (2, c.CastVote, {"yes": dice.random() < 0.7}),
            (rare, c.PauseTable, {}),
            (rare, c.ResumeTable, {}),
            (rare, c.SitDown, {"deal": table.deal, "seat": dice.randint(0, 5)}),
            (1, c.AnswerSeat, {"name": dice.choice(asking or ("nobody",)), "yes": True}),
        )

    def _some_cards(self, view: TableView, newest: int, pile: int) -> Fields:
        dice = self._dice
        many = min(dice.choice([1, 1, 1, 2, 3, 5, len(view.hand)]), len(view.hand))
        cards = [card.id for card in dice.sample(view.hand, many)]
        strange = [dice.randint(0, 215)] if dice.random() < 0.03 or not cards else []
        honest = bool(view.table.due) and dice.random() < 0.95
        return {
            "after": newest,
            "pile": pile,
            "cards": (*cards, *strange),
            "count": max(0, len(cards) - dice.choice([0, 0, 0, 0, 1, 2])),
            "rank": dice.choice(view.table.due if honest else tuple(Rank)),
        }

    def _nearly(self, number: int) -> int:
        return max(
            0, number + (self._dice.choice([-2, -1, 1]) if self._dice.random() < 0.05 else 0)
        )

    def _one_of(self, *choices: tuple[float, type[Any], Fields]) -> tuple[type[c.Command], Fields]:
        weights = [weight for weight, _, _ in choices]
        ((_, kind, fields),) = self._dice.choices(choices, weights)
        return kind, fields


def some_rules(dice: Random) -> str:
    """A rules code with a few things changed at random."""
    words = [dice.choice(list(PRESETS))]
    words += [some_word(spelling, dice) for spelling in SPELLINGS if dice.random() < 0.25]
    code = ".".join(words)
    try:
        parse_rules(code)
    except BadRulesCode:
        return words[0]
    return code
