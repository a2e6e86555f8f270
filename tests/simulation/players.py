"""People at simulated tables: what they do, how soon, and how often they do something foolish.

A player looks at what its client knows, never at the server. Its temper says how often it lies,
doubts, lets go, talks, vanishes or gives up; its dice say when.
"""

from typing import TYPE_CHECKING

from protocol import commands as c
from protocol import events as e
from protocol.answers import Refused
from protocol.cards import Rank
from protocol.codec import encode_command
from protocol.numbers import CommandNumber, PlayNumber
from protocol.options import Options, options_of, turn_of
from protocol.refusals import Refusal
from protocol.views import TableView
from tests.simulation import whims
from tests.simulation.circle import Circle
from tests.simulation.client import Client
from tests.simulation.machine import Machine
from tests.simulation.network import Weather
from tests.simulation.tempers import Temper
from tests.simulation.world import SECOND, World

if TYPE_CHECKING:
    from protocol.cards import Card

TRIES = 3  # to move in one turn, when something comes in between
RETRY_US = 2 * SECOND


class Player(Client):
    """A client with a person in front of it."""

    def __init__(
        self,
        world: World,
        machine: Machine,
        name: str,
        weather: Weather,
        *,
        temper: Temper,
        circle: Circle,
        is_maker: bool = False,
    ) -> None:
        super().__init__(world, machine, name, weather)
        self.temper = temper
        self.circle = circle
        self.circles: list[Circle] = [circle]  # all there are
        self.is_maker = is_maker
        self.is_calm = False  # faults are over: nothing foolish any more
        self.has_left = False
        self.said = 0
        self._thinks = False
        self._decided: set[tuple[int, int]] = set()  # deal and play
        self._read: tuple[int, int] = (0, 0)  # deal and pile of the newest ruling gone on from
        self._tried: tuple[object, int] = (None, 0)

    # --- when to think ----------------------------------------------------------------------------

    def heard(self, event: e.Event) -> None:
        """Something has changed: think about it in a while."""
        if isinstance(event, Refused):
            self.circle.is_gone |= event.code is Refusal.NO_SUCH_LOBBY
            self.has_left |= event.code is Refusal.WAS_REMOVED  # no way back into that lobby
        if isinstance(event, e.Played) and self.temper.snipes and not self.is_calm:
            self._aim_at(event)
        if isinstance(event, e.VoteState) and self.temper.restless and not self.is_calm:
            whims.vote(self, event)
        hasty = self.is_calm and isinstance(event, Refused) and event.code is Refusal.TOO_FAST
        if hasty or isinstance(event, e.Resumed | e.WindowState):
            self._tried = (None, 0)  # neither haste nor a pause is a reason to give the turn up
        if not isinstance(event, e.Said | e.Listed | e.Unlisted | e.Online | e.LetGo):
            self.think_later(RETRY_US if hasty else 0)

    def think_later(self, at_least: int = 0) -> None:
        """Think in a while, unless that is going to happen anyway."""
        if self._thinks:
            return
        self._thinks = True
        temper = self.temper
        quickest, slowest = temper.quickest, temper.slowest
        if self.is_calm:
            quickest, slowest = 20_000, 500_000
        self.world.after(max(at_least, self.dice.randint(quickest, slowest)), self._think)

    def _aim_at(self, played: e.Played) -> None:
        """Plan a call for the instant in which last cards stand, or half a second after any play."""
        line, view = self.connection, self.view
        mine = view is None or view.you is None or played.seat == view.you
        if line is None or view is None or mine or self.dice.random() >= self.temper.snipes:
            return
        ends = played.last or played.play == view.table.rules.stop_after_plays
        after = played.protected_us if ends else SECOND // 2
        self.world.at(line.told_at + after, lambda: self._snipe(view.table.deal, played.play))

    def _snipe(self, deal: int, play: int) -> None:
        """Call in this very microsecond, if that play is still the newest."""
        line, view = self.connection, self.view
        if line is None or view is None or not self.is_open or self.unanswered:
            return
        if (view.table.deal, view.table.newest) == (deal, play) and view.table.pile:
            self.number += 1
            call = c.Challenge(n=CommandNumber(self.number), deal=deal, play=PlayNumber(play))
            if line.drop_in(encode_command(call), lambda: self.landed(call, line)):
                self.unanswered[self.number] = call
            else:
                self.number -= 1

    def _think(self) -> None:
        self._thinks = False
        if not self.is_open or self.is_silent:
            return
        temper, dice = self.temper, self.dice
        if not self.is_calm and temper.vanishes and dice.random() < temper.vanishes:
            self.go_away(*temper.away_s)
        elif not self.is_placed:
            return  # behind a slow disk the lobby comes seconds after the welcome
        elif self.lobby is None:
            self._in_the_hall()
        elif whims.come_to(self):
            whims.give_way(self)
            self.think_later(RETRY_US)
        elif self.view is not None and self.lobby.stage is e.LobbyStage.PLAYING:
            self._at_the_table(self.view)
        else:
            self._between_deals(self.lobby)

    def go_away(self, shortest_s: float, longest_s: float) -> None:
        """Lose the line for a while."""
        self.stays_away = True
        self.vanish()

        def come_back() -> None:
            self.stays_away = False
            self.connect()

        away_s = self.dice.uniform(shortest_s, longest_s)
        self.world.after(int(away_s * SECOND), come_back)

    def _waits_for(self, *kinds: type[c.Command]) -> bool:
        return any(isinstance(command, kinds) for command in self.unanswered.values())

    # --- in the hall and in the lobby ---------------------------------------------------------------

    def _in_the_hall(self) -> None:
        circle = self.circle
        if self._waits_for(c.CreateLobby, c.JoinLobby) or self.has_left:
            return
        if circle.is_closing or circle.is_gone:
            self.has_left = True
        elif circle.code is not None:
            self._knock_at_the_lobby(circle.code)
        elif self.is_maker:
            settings = e.LobbySettings(public=circle.public)
            self.knows_password = True
            kind = c.CreateLobby
            self.send(kind, rules=circle.rules, settings=settings, password=circle.password)
        else:
            self.think_later(RETRY_US)

    def _knock_at_the_lobby(self, code: str) -> None:
        """Join it; whoever mistypes the password tries again."""
        circle, password = self.circle, self.circle.password
        if not (types_it := password is None or self.dice.random() < 0.7):
            password = self.dice.choice((None, "open up", f"{password} "))
        self.knows_password = types_it or self.was_let_in  # before the line broke
        watches = self.name in circle.watchers
        self.send(c.JoinLobby, code=code, watch=watches, password=password)

    def _between_deals(self, lobby: e.LobbyState) -> None:
        self.circle.code = lobby.code
        if self._waits_for(c.SetReady, c.StartDeal, c.AddComputer, c.LeaveLobby):
            return
        played = 0 if self.view is None else self.view.table.deal
        if played >= self.circle.deals or self.circle.is_closing:
            self.has_left = True
            self.send(c.LeaveLobby)
        elif lobby.host == self.name:
            self._be_host(lobby)
        else:
            seat = next((seat for seat in lobby.seats if seat.name == self.name), None)
            if seat is not None and not seat.ready:
                self.send(c.SetReady)
            self._maybe_talk()
            self.think_later(10 * RETRY_US)

    def _be_host(self, lobby: e.LobbyState) -> None:
        persons = [seat for seat in lobby.seats if seat.kind is e.SeatKind.PERSON]
        computers = len(lobby.seats) - len(persons)
        if self._maybe_change_lobby(persons):
            self.think_later(RETRY_US)
        elif computers < len(self.circle.computers):
            self.send(c.AddComputer, temperament=self.circle.computers[computers])
        elif len(persons) == self.circle.size and all(
            seat.ready or seat.name == self.name for seat in lobby.seats
        ):
            self.send(c.StartDeal)
        else:
            tired = self.dice.random() < 0.2 and len(lobby.seats) > 1
            if tired:
                self.send(c.StartDeal, anyway=True)
            self.think_later(RETRY_US)

    def _maybe_change_lobby(self, persons: list[e.LobbySeat]) -> bool:
        """As host use a tool on the people, or on the order of their seats (RULES D6)."""
        likely = 0.0 if self.is_calm or not persons else self.temper.whims
        if not likely or self.dice.random() >= likely:
            return False
        whims.use_a_tool(self, self.dice.choice(persons).name)
        return True

    # --- at the table -------------------------------------------------------------------------------

    def _at_the_table(self, view: TableView) -> None:
        if view.table.phase is e.Phase.OVER:
            self.think_later(RETRY_US)
            return
        if self.is_calm and self._help_to_an_end(view):
            return
        if self._maybe_change_seats(view):
            return
        if view.you is None:
            self._maybe_talk()
            return
        options = options_of(view)
        if not (
            self._maybe_follow_a_whim(view)
            or self._maybe_doubt(view, options)
            or self._maybe_go_on(view)
            or self._maybe_move(view, options)
        ):
            self._maybe_talk()

    def _help_to_an_end(self, view: TableView) -> bool:
        """A deal that nobody plays any more would wait for a day: come back, or end it."""
        table = view.table
        gave_up = view.you is not None and table.seats[view.you].chair is e.Chair.COMPUTER
        is_host = self.lobby is not None and self.lobby.host == self.name
        # What lies ready is answered once the deal goes on.
        asked = {type(each) for each in self.unanswered.values()} - {c.PlayCards, c.Pass}
        if asked or not (gave_up or (self.is_paused and is_host)):
            return False
        if gave_up:
            self.ask(view, c.ReturnToSeat)
        else:
            self.ask(view, c.CallVote, on=e.VoteOn.END_DEAL)
        self.think_later(5 * RETRY_US)
        return True

    def ask(self, view: TableView, kind: type[c.Command], **fields: object) -> None:
        """Ask something of the deal that the view is of."""
        self.send(kind, deal=view.table.deal, **fields)

    def _maybe_doubt(self, view: TableView, options: Options) -> bool:
        """Doubt, or let go, once for each play."""
        table = view.table
        key = (table.deal, table.newest)
        if key in self._decided or not options.challenge:
            return False
        self._decided.add(key)
        temper, dice = self.temper, self.dice
        if self.circle.is_closing:
            doubts = False
        else:
            doubts = dice.random() < temper.doubts or (
                temper.doubts > 0
                and not temper.blind
                and self._is_sure(view)
                and dice.random() < 0.5
            )
        if doubts:
            older = dice.random() < 0.3
            play = dice.choice(options.challenge) if older else options.challenge[0]
            self.ask(view, c.Challenge, play=play)
            return True
        if options.may_let_go and dice.random() < temper.lets_go:
            self.ask(view, c.LetGoOf, play=table.newest)
            return True
        return False

    def _is_sure(self, view: TableView) -> bool:
        """Whether the own hand gives the newest play the lie."""
        play = view.table.newest_play
        if play is None:
            return False
        own = sum(card.face.is_a(play.rank) for card in view.hand)
        return own + play.count > view.table.copies_of_a_rank

    def _maybe_go_on(self, view: TableView) -> bool:
        table = view.table
        key = (table.deal, table.pile_number)
        if table.phase is not e.Phase.REVEAL or self._read == key:
            return False
        self._read = key
        if self.dice.random() >= self.temper.goes_on:
            return False
        ruled = next((entry for entry in reversed(view.log) if isinstance(entry, e.Ruled)), None)
        if ruled is not None:  # else the pages of a snapshot are still on their way
            self.ask(view, c.GoOn, play=ruled.shown.play)
        return ruled is not None

    def _maybe_move(self, view: TableView, options: Options) -> bool:
        if not options.may_play or view.held is not None or self._waits_for(c.PlayCards, c.Pass):
            return False
        if not view.hand:  # the seat was given up with its last cards, and has taken the pile since
            return False
        turn, tries = self._tried
        this_turn = (view.table.deal, turn_of(view.table))
        if turn == this_turn and tries >= TRIES:
            return False
        self._tried = (this_turn, tries + 1 if turn == this_turn else 1)
        aim = {"deal": view.table.deal, "after": view.table.newest, "pile": view.table.pile_number}
        if options.may_pass and self.dice.random() < self.temper.passes and not self.is_calm:
            self.send(c.Pass, **aim)
        else:
            self._lay(view, options, aim)
        return True

    def _lay(self, view: TableView, options: Options, aim: dict[str, int]) -> None:
        temper, dice = self.temper, self.dice
        rank = dice.choice(options.ranks)
        if temper.blind:
            blindly = dice.sample(view.hand, dice.randint(1, min(3, options.most_claimed)))
            self.lay(tuple(blindly), len(blindly), rank, aim)
            return
        fitting = [card for card in view.hand if card.face.is_a(rank)]
        others = [card for card in view.hand if not card.face.is_a(rank)]
        cards: list[Card] = []
        if dice.random() < temper.lies or not fitting:
            dice.shuffle(others)
            cards = others[: dice.randint(1, min(4, max(1, len(others))))]
        if dice.random() < temper.many:
            cards = [*cards, *fitting]
        elif not cards:
            cards = fitting[:1]
        cards = (cards or fitting)[: options.most_claimed]
        count = len(cards)
        if options.most_extra and dice.random() < temper.sneaks:
            chosen = {card.id for card in cards}
            spare = [card for card in view.hand if card.id not in chosen]
            if dice.random() < 0.5:
                spare.sort(key=lambda card: not card.face.is_a(rank))
            cards = [*cards, *spare[: options.most_extra]]
        self.lay(tuple(cards), count, rank, aim)

    def lay(self, cards: "tuple[Card, ...]", count: int, rank: Rank, aim: dict[str, int]) -> None:
        """Lay these cards under this claim."""
        ids = tuple(card.id for card in cards)
        self.send(c.PlayCards, cards=ids, count=count, rank=rank, **aim)

    def _maybe_change_seats(self, view: TableView) -> bool:
        """Ask for a computer player's hand; as host let whoever asks have it (RULES D8)."""
        lobby, dice = self.lobby, self.dice
        if self.is_calm or lobby is None or self._waits_for(c.SitDown, c.AnswerSeat):
            return False
        if lobby.host == self.name and lobby.asking:
            self.ask(view, c.AnswerSeat, name=lobby.asking[0], yes=dice.random() < 0.9)
            return True
        if view.you is None and dice.random() < 0.1:
            self.send(c.SitDown, deal=view.table.deal, seat=dice.randrange(len(view.table.seats)))
            return True
        return False

    # --- whims --------------------------------------------------------------------------------------

    def _maybe_talk(self) -> None:
        if self.dice.random() < self.temper.chats and not self._waits_for(c.Say):
            self.talk()

    def talk(self) -> None:
        """Say something that nobody has said before."""
        self.said += 1
        self.send(c.Say, text=f"{self.name} says thing {self.said}")

    def _maybe_follow_a_whim(self, view: TableView) -> bool:
        if self.is_calm or not self.temper.whims or self.dice.random() >= self.temper.whims:
            return False
        table, dice = view.table, self.dice
        yes, on = dice.random() < 0.5, dice.choice(list(e.VoteOn))
        turn = {"seat": table.turn, "after": table.newest, "pile": table.pile_number}
        wishes: list[tuple[type[c.AtTheTable], dict[str, object]]] = [
            (c.GiveUpSeat, {}),
            (c.ReturnToSeat, {}),
            (c.CallVote, {"on": on}),
            (c.CastVote, {"vote": self.vote, "yes": yes}),
            (c.PauseTable, {}),
            (c.ResumeTable, {"pause": self.pause}),
            (c.TakeBack, {"after": table.newest}),
            (c.StartClock, dict(turn)),
            (c.Challenge, {"play": table.newest}),
        ]
        if dice.random() < 0.1:
            self.send(c.LeaveLobby)
        else:
            kind, fields = dice.choice(wishes)
            self.ask(view, kind, **fields)
        self.think_later(RETRY_US)
        return True
