"""What the people in the hall are told: which lobbies there are, what is said, how many are connected.

It goes out in batches, and is not replayed: whoever comes back sees the hall as it is.
"""

from itertools import islice

import trio

from protocol import events as e
from protocol.codec import encode_event
from server.carry_on import carry_on, or_nothing
from server.lobby.lobby import Lobby
from server.lobby.records import listing_of
from server.people import People
from server.person import tell_each

MOST_LISTED = 100  # so many lobbies are shown, the newest: one message may hold no more
ONLINE_EVERY_S = 2.0  # it is told how many people are connected, if that has changed
NEWS_EVERY_S = 0.5  # it is told what is different about lobbies, and what was said


class Notices:
    """The notice board of the hall, and whoever cries out what is new on it."""

    def __init__(self, people: People, lobbies: dict[str, Lobby]) -> None:
        """Both are always those of the hall."""
        self._people, self._lobbies = people, lobbies
        self.told = 0  # pieces of news so far: whoever stands at a lobby's door is told none
        self._changed: dict[str, None] = {}  # codes of lobbies that look different now, in order
        self._listed: dict[str, e.Listing] = {}  # lobbies as the hall was told of them
        self._said: list[e.Said] = []  # what was said and is not told yet
        self._news = trio.Event()
        self._came_or_went = trio.Event()
        self._told_online = 0

    def view(self) -> e.HallChanged:
        """The hall as it is, with the newest lobbies."""
        newest_first = reversed(self._lobbies.values())
        listings = filter(None, (or_nothing(listing_of, lobby) for lobby in newest_first))
        newest = tuple(islice(listings, MOST_LISTED))
        return e.HallChanged(online=self._people.online, lobbies=newest[::-1])

    def changed(self, lobby: Lobby) -> None:
        """A lobby looks different from outside."""
        self._changed[lobby.code] = None
        self._news.set()

    def say(self, name: str, text: str) -> None:
        """Somebody says something in the hall; `text` is clean already."""
        self._said.append(e.Said(name=name, text=text))
        self._news.set()

    def came_or_went(self) -> None:
        """Somebody's line is up or down."""
        self._came_or_went.set()

    async def run(self) -> None:
        """Tell what is new until cancelled."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(carry_on, "telling the hall its news", self._run_news)
            nursery.start_soon(carry_on, "telling the hall how many are here", self._run_online)

    async def _run_news(self) -> None:
        # What many people do and say is told in batches: each of them is one write for everybody here.
        while True:
            await self._news.wait()
            self._news = trio.Event()
            self._tell_news()
            await trio.sleep(NEWS_EVERY_S)

    async def _run_online(self) -> None:
        while True:
            await self._came_or_went.wait()
            await trio.sleep(ONLINE_EVERY_S)
            self._came_or_went = trio.Event()
            online = self._people.online
            if online != self._told_online:
                self._told_online = online
                self._tell(e.Online(count=online))

    def _tell_news(self) -> None:
        """Tell of each lobby that looks different from what was told of it, and what was said."""
        changed, self._changed = self._changed, {}
        said, self._said = self._said, []
        taken = (or_nothing(self._take_change_of, code) for code in changed)
        if news := (*filter(None, taken), *said):
            self._tell(*news)

    def _take_change_of(self, code: str) -> e.Event | None:
        """What is to be told of this lobby, if anything; from now on it counts as told."""
        lobby = self._lobbies.get(code)
        listing = None if lobby is None else listing_of(lobby)
        told = self._listed.pop(code, None)
        if listing is None:
            return None if told is None else e.Unlisted(code=code)
        self._listed[code] = listing
        return None if listing == told else e.Listed(lobby=listing)

    def _tell(self, *events: e.Event) -> None:
        people = self._people.in_hall()
        self.told += len(events)
        for event in events:
            tell_each(people, encode_event(event), passing=True)
        for person in people:
            person.flush()
