"""Everything the server tells, looked at in the moment in which it is handed to the kernel.

For each person there is an ear. It knows which lobby and which deal they are being told of, and asks
of every event: is it on the disk already, does it come in its place, may this person know it?
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Refused, Welcome
from protocol.numbers import EventNumber
from protocol.views import LOGGED, LogPage, PublicTable, TableSnapshot
from tests.simulation.client import Client
from tests.simulation.knowledge import Knowledge
from tests.simulation.law import wrongly_dealt
from tests.simulation.ledger import Booked, Entry, Ledger
from tests.simulation.network import Connection
from tests.simulation.world import World

# Commands that cannot be carried out without a trace on the disk: so their answers are kept, too.
LEAVES_A_TRACE = (
    c.PlayCards,
    c.Pass,
    c.Challenge,
    c.CreateLobby,
    c.JoinLobby,
    c.LeaveLobby,
    c.StartDeal,
    c.AddComputer,
    c.RemoveSeat,
    c.AnswerSeat,
    c.GiveUpSeat,
    c.CallVote,
)


UNKNOWN = -1  # where in a deal somebody is who has just come back


@dataclass(slots=True, eq=False)
class Ear:
    """What one person has been told."""

    client: Client
    digest: bytes | None = None
    code: str | None = None  # of the lobby they are told of
    deal: Booked | None = None
    place: int = 0  # in the deal's public events
    epoch: str = ""
    heard: dict[int, e.Event] = field(default_factory=dict)  # by number


class Wiretap:
    """All ears."""

    def __init__(self, world: World, ledger: Ledger) -> None:
        self._world = world
        self._ledger = ledger
        self._ears: dict[str, Ear] = {}
        self._knowledge: dict[Booked, Knowledge] = {}
        self._said: dict[tuple[str, str, str], int] = {}  # and on which line
        self.on_accepted: list[Callable[[Client, Accepted], None]] = []
        self.on_refused: list[Callable[[Client, Refused], None]] = []
        ledger.on_deal.append(self._dealt)
        ledger.on_record.append(lambda table: self._knowledge[table].note_owners())
        ledger.on_action.append(self._acted)

    def meet(self, connection: Connection) -> None:
        """Listen to what the server says on a connection."""
        client = connection.end
        if isinstance(client, Client):
            ear = self._ears.setdefault(client.name, Ear(client))
            connection.on_told.append(lambda number, event: self._told(ear, number, event))

    def is_abreast(self, client: Client, table: Booked) -> bool:
        """Whether somebody has been told all that is in the books of a deal."""
        ear = self._ears.get(client.name)
        return ear is not None and ear.deal is table and ear.place == len(table.told)

    # --- the books ----------------------------------------------------------------------------------

    def _dealt(self, table: Booked) -> None:
        knowledge = self._knowledge[table] = Knowledge(table)
        if wrong := knowledge.why_names_tell():
            self._world.wrong("DESIGN 3: the names of cards tell nothing", wrong)
        hands = tuple(len(hand) for hand in table.deal.hands)
        if wrong := wrongly_dealt(table.deal.table, hands):
            self._world.wrong("cards and rulings", f"lobby {table.code}: {wrong}")

    def _acted(self, entry: Entry) -> None:
        wrong = self._knowledge[entry.table].follow(entry)
        if wrong is not None:
            self._world.wrong("cards and rulings", f"lobby {entry.table.code}: {wrong}")

    # --- what is told -------------------------------------------------------------------------------

    def _told(self, ear: Ear, number: EventNumber, event: e.Event) -> None:
        if number and not self._is_new(ear, number, event):
            return
        check = _CHECKS.get(type(event))
        wrong = None if check is None else check(self, ear, event)
        if wrong is not None:
            what = f"{ear.client.name} is told {event}: {wrong}"
            self._world.wrong("what a seat may know, and when", what)

    def _is_new(self, ear: Ear, number: EventNumber, event: e.Event) -> bool:
        """What comes again under the same number is the same; nothing is wrong with it by now."""
        known = ear.heard.get(number)
        if known is None:
            ear.heard[number] = event
            return True
        if known != event:
            what = f"{ear.client.name}: number {number} is {known} and then {event}"
            self._world.wrong("DESIGN 3: an event keeps its number", what)
        return False

    def _welcome(self, ear: Ear, event: Welcome) -> str | None:
        if event.epoch != ear.epoch:
            ear.epoch = event.epoch
            ear.heard.clear()
        secret = event.secret or ear.client.secret
        assert secret is not None
        ear.digest = hashlib.sha256(secret).digest()
        if not event.resumed:  # where they were is told anew: perhaps it is another lobby by now
            ear.code = self._ledger.code_of(ear.digest)
            ear.deal, ear.place = self._ledger.tables.get(ear.code or ""), UNKNOWN
        if self._ledger.names.get(ear.digest) != event.name:
            return "it is not kept that they are known (DESIGN 5)"
        return None

    def _accepted(self, ear: Ear, event: Accepted) -> str | None:
        for look in self.on_accepted:
            look(ear.client, event)
        command = ear.client.unanswered.get(event.n)
        if not isinstance(command, LEAVES_A_TRACE):
            return None
        kept = (ear.client.name, event.n) in self._ledger.answers
        return None if kept else f"but {command} is not on the disk (DESIGN 5)"

    def _refused(self, ear: Ear, event: Refused) -> None:
        for look in self.on_refused:
            look(ear.client, event)

    def _line(self, ear: Ear, event: e.Said) -> str | None:
        """Nobody says the same twice here: if it is told on two lines, it was done twice."""
        if not event.line:
            return None
        known = self._said.setdefault((self._code(ear), event.name, event.text), event.line)
        if known != event.line:
            return f"it was line {known} before (DESIGN 3)"
        return None if event in self._ledger.lines else "the line is not on the disk (DESIGN 5)"

    def _listed(self, _ear: Ear, event: e.Listed) -> str | None:
        return self._listing(event.lobby)

    def _hall(self, ear: Ear, event: e.HallChanged) -> str | None:
        self._left(ear, event)
        return next((wrong for lobby in event.lobbies if (wrong := self._listing(lobby))), None)

    def _listing(self, listing: e.Listing) -> str | None:
        """The hall shows what is kept of a lobby, and nothing of one that is not public."""
        states = self._ledger.states.get(listing.code, [])
        shown = listing.host, listing.stage, listing.rules, listing.seated
        for state in reversed(states):
            seated = tuple(seat.name for seat in state.seats)
            is_it = (state.host, state.stage, state.rules, seated) == shown
            if is_it and state.settings.public:
                return None
        return "no such lobby is kept, or it is not public (DESIGN 4)"

    def _talk(self, ear: Ear, event: e.TalkSoFar) -> str | None:
        numbers = [line.line for line in event.lines]
        last = numbers[-1]
        if numbers != [*range(max(1, last + 1 - e.MAX_TALK), last + 1)]:
            return f"these are not the newest lines up to {last}"
        return next((wrong for line in event.lines if (wrong := self._line(ear, line))), None)

    def _lobby(self, ear: Ear, event: e.LobbyChanged) -> str | None:
        ear.code = event.lobby.code
        if event.lobby.password and not ear.client.knows_password:
            return "they have not said the password (DESIGN 4)"
        return None if self._is_kept(event.lobby) else "such a lobby is not on the disk (DESIGN 5)"

    def _is_kept(self, lobby: e.LobbyState) -> bool:
        """Whether a lobby is on the disk as it is told."""
        return any(state == lobby for state in reversed(self._ledger.states.get(lobby.code, [])))

    def _left(self, ear: Ear, _event: e.Event) -> None:
        ear.code = ear.deal = None

    def _code(self, ear: Ear) -> str:
        """Where they are: as they were told, or, if that was lost on the way, as it is kept."""
        if ear.code is not None:
            return ear.code
        return self._ledger.code_of(ear.digest) or ""

    def _started(self, ear: Ear, event: e.DealStarted) -> str | None:
        table = self._ledger.deals.get((self._code(ear), event.deal))
        if table is None:
            return "the deal is not on the disk (DESIGN 5)"
        ear.deal, ear.place = table, 0
        sizes = [seat.cards for seat in event.seats]
        right = [len(hand) for hand in self._knowledge[table].hands]
        return None if sizes == right or table.told else f"hands are {right} (A3)"

    def _public(self, ear: Ear, event: e.Event) -> str | None:
        table = ear.deal
        if table is None or ear.place == UNKNOWN:
            return self._public_before_snapshot(ear, event)
        if ear.place >= len(table.told):
            return "it is not on the disk yet (DESIGN 5)"
        if table.told[ear.place] != event:
            return f"{table.told[ear.place]} should come here (DESIGN 3)"
        ear.place += 1
        return None

    def _public_before_snapshot(self, ear: Ear, event: e.Event) -> str | None:
        """What was on its way when somebody came back: it must be on the disk all the same."""
        here = self._code(ear)
        deals = [deal for (code, _), deal in self._ledger.deals.items() if code == here]
        known = any(event in deal.told for deal in deals)
        return None if known else "it is not on the disk (DESIGN 5)"

    # --- what is private ------------------------------------------------------------------------------

    def _of_seat(self, ear: Ear, seat: int | None) -> str | None:
        """Only the owner of a seat is told its private part."""
        if ear.deal is None:
            return "they know of no deal"
        if seat is None:
            return None
        listener = ear.deal.record.holders[seat].owner
        return None if listener == ear.digest else f"seat {seat} is not theirs"

    def _hand(self, ear: Ear, event: e.HandDealt) -> str | None:
        assert ear.deal is not None
        knowledge = self._knowledge[ear.deal]
        return self._of_seat(ear, event.seat) or knowledge.why_not_tell_cards(
            ear.digest, event.cards
        )

    def _took(self, ear: Ear, event: e.Took) -> str | None:
        if ear.deal is None:
            return "they know of no deal"
        if list(event.cards) != sorted(event.cards, key=lambda card: card.id):
            return "the order tells who laid what (DESIGN 3)"
        return self._knowledge[ear.deal].why_not_tell_cards(ear.digest, event.cards)

    def _laid(self, ear: Ear, event: e.Laid) -> str | None:
        if ear.deal is None:
            return "they know of no deal"
        return self._knowledge[ear.deal].why_not_tell_laid(ear.digest, (event,))

    def _held(self, ear: Ear, held: e.HeldPlay) -> str | None:
        if ear.deal is None:
            return "they know of no deal"
        asked = (c.PlayCards, c.Pass)
        unanswered = ear.client.unanswered.values()
        if ear.client.asks_once and not any(isinstance(each, asked) for each in unanswered):
            return "they have laid nothing ready (C3)"
        return self._knowledge[ear.deal].why_not_tell_ids(ear.digest, held.cards)

    def _window(self, ear: Ear, event: e.WindowState) -> str | None:
        return None if event.held is None else self._held(ear, event.held)

    def _snapshot(self, ear: Ear, event: TableSnapshot) -> str | None:
        table = self._ledger.deals.get((self._code(ear), event.table.deal))
        if table is None:
            return "the deal is not on the disk (DESIGN 5)"
        ear.deal = table
        place = _place_after(table.told, event.entries)
        if place is None:
            return f"only {len(table.told)} events are on the disk (DESIGN 5)"
        ear.place = place
        wrong = self._of_seat(ear, event.you) or self._sizes(event.table, table)
        return wrong or self._knowledge[table].why_not_tell_cards(ear.digest, event.hand)

    def _sizes(self, shown: PublicTable, table: Booked) -> str | None:
        if shown != table.deal.table and shown.newest == table.deal.table.newest:
            return None  # something was told since
        knowledge = self._knowledge[table]
        sizes = [seat.cards for seat in shown.seats]
        over = shown.phase is e.Phase.OVER
        right = [len(hand) for hand in knowledge.hands] if over else knowledge.shown_sizes
        fits = shown.newest != table.deal.table.newest or sizes == right
        return None if fits else f"what is public of the hands is {right} (B10)"

    def _page(self, ear: Ear, event: LogPage) -> str | None:
        if ear.deal is None:
            return "they know of no deal"
        for entry in event.log:
            if entry not in ear.deal.told:
                return f"{entry} is not on the disk (DESIGN 5)"
        return self._knowledge[ear.deal].why_not_tell_laid(ear.digest, event.laid)


def _place_after(told: list[e.Event], entries: int) -> int | None:
    """Where the next event belongs after a snapshot with so many entries in its log."""
    logged = 0
    for place, event in enumerate(told):
        if logged == entries:
            return place
        logged += isinstance(event, LOGGED)
    return len(told) if logged == entries else None


_CHECKS: dict[type[e.Event], Callable[..., str | None]] = {
    Welcome: Wiretap._welcome,
    Accepted: Wiretap._accepted,
    Refused: Wiretap._refused,
    e.LobbyChanged: Wiretap._lobby,
    e.Said: Wiretap._line,
    e.TalkSoFar: Wiretap._talk,
    e.LobbyLeft: Wiretap._left,
    e.HallChanged: Wiretap._hall,
    e.Listed: Wiretap._listed,
    e.DealStarted: Wiretap._started,
    e.HandDealt: Wiretap._hand,
    e.Took: Wiretap._took,
    e.Laid: Wiretap._laid,
    e.Held: lambda tap, ear, event: tap._held(ear, event.held),
    e.WindowState: Wiretap._window,
    TableSnapshot: Wiretap._snapshot,
    LogPage: Wiretap._page,
    e.Confession: Wiretap._public,
    **dict.fromkeys(LOGGED, Wiretap._public),
}
