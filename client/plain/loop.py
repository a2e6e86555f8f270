"""The plain client at work: events to lines, lines to commands, until somebody leaves."""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from client import selectors
from client.exit_codes import HUNG_UP, INTERRUPTED
from client.intents.at_table import when_paused
from client.intents.shared import ABOUT_NAMES, UNNUMBERED
from client.kept import recents
from client.kept.keeper import Keeper
from client.lessons.tutorial import RULES, Tutorial, asks, follow
from client.line.network import Ending
from client.line.server_line import ServerLine
from client.plain.clock_reader import ClockReader
from client.plain.console import Console
from client.plain.lesson_lines import SKIPPED, heard, lesson_lines
from client.plain.settings_words import changed_line
from client.plain.told import for_one_alone, told, while_standing_still, without_advice
from client.plain.typed import understand
from client.plain.way_words import NAME_BY_COMMAND, NOT_CONNECTED, OTHER_NAME, start_lines
from client.plain.word import Changed, Go, Here, Outcome, Quit, Reply, Way
from client.screens.desk import Desk
from client.screens.leaving import TWICE_S, cost_of_leaving
from client.screens.parting import parting_text
from client.settings import DEFAULTS, Settings
from client.start.opening import (
    NO_PLAN,
    follow_up,
    has_arrived,
    is_under_way,
    to_join,
    to_learn,
    to_practise,
)
from client.start.visit import Visit, beginning
from client.state import BelieveAll, Hinted, LinkState, Painted, Picked
from client.store import AnyEvent, reduce
from client.terminal.leaving import disarm, told_to_leave
from client.way_in.address import Address
from protocol import commands as c
from protocol.answers import Welcome
from protocol.commands import AnyCommand

SLOW_S = 1.0  # a server that has not answered for so long is worth a word
CONNECT_S = 30.0  # a typed line waits so long for the connection and what was to be done first
ANSWER_S = 2.0  # a typed line waits so long for the answer to the one before
PARTING_S = 15.0  # at the end of a pipe all answers are awaited for so long
HAVE_LEFT = "you have left."
ON_THE_WAY = {LinkState.OFFLINE, LinkState.CONNECTING, LinkState.REFUSED}
"""While a server is dialled: `REFUSED` is of the one before, or this one is about to be given up."""


class PlainClient:
    """One run of the plain client; `run` returns the exit code."""

    def __init__(
        self,
        visit: Visit,
        console: Console,
        clock: Callable[[], float] = time.monotonic,
        settings: Settings = DEFAULTS,
    ) -> None:
        """The clock gives seconds; only its differences count."""
        self.state = beginning(visit)
        self._visit = visit
        self._name = visit.name  # the name to give to the next server
        self._console = console
        self._clock = clock
        self._settings = settings
        self._plan = visit.plan
        self._line = ServerLine(visit, tell=self.tell, over=self._line_over)
        self._changed = asyncio.Event()
        self._reader = ClockReader(clock, lambda line: console.show((line,)))
        self._asked_at = float("-inf")  # when leaving was last asked about
        self._tutorial = Tutorial(typed=True) if visit.learn else None
        self._passing = visit.passing  # nobody can come back to a practice table
        self._recents = recents.load(visit.folder)
        self._keeper = Keeper(self._not_kept)
        self._exit = 0
        self._has_left = False
        self._kept_out = bool(visit.plan.steps)  # whether a lobby was asked for, and not got into

    async def run(self) -> int:
        """Play until the person, the pipe, a signal or the server ends it; the exit code."""
        self._console.start()
        try:
            with self._interrupts_ask(), told_to_leave(self._leave):
                await self._visit_server()
            if self._has_left:
                self._say_goodbye()
        finally:
            self._reader.stop()
            self._console.stop()
            disarm()
            self._line.end_servers()
        return self._exit

    @property
    def way_back(self) -> str:
        """How to come back, should this client end now; empty where there is no way, or no need."""
        desk = Desk(settings=self._settings, passing=self._passing)
        return parting_text(self.state, desk).replace("\n  ", " ")

    def _say_goodbye(self) -> None:
        """A pipe that has ended knows so; whoever typed may have meant to leave a lobby."""
        text = self.way_back or (HAVE_LEFT if self._console.is_terminal else "")
        if text:
            self._console.say([f"BYE: {line}" for line in text.splitlines()])

    async def _visit_server(self) -> None:
        async with asyncio.TaskGroup() as self._group:
            self._talk = self._group.create_task(self._converse())
            if self._visit.address:
                self._dial(self._visit.address)
            else:
                self._console.show(tuple(start_lines(self._recents)))

    # --- the network ---------------------------------------------------------------------------

    def _dial(self, address: Address) -> None:
        self._line.dial(address, self._name, self._group)
        asyncio.get_running_loop().call_later(SLOW_S, self._say_if_slow)

    def _say_if_slow(self) -> None:
        link = self.state.link
        if link.state is LinkState.CONNECTING and not self._has_left:
            self._console.show((f"LINK: connecting to {link.address} ... (quit leaves)",))

    def _line_over(self, ending: Ending | None) -> None:
        self._changed.set()
        if ending is not Ending.CLOSED and ending is not None:
            self._exit = ending.value
        if self.state.link.code in ABOUT_NAMES and self._visit.ring is None:
            self._console.show((NAME_BY_COMMAND if self._visit.address else OTHER_NAME,))
        if self._visit.address or ending is Ending.CLOSED:
            self._talk.cancel()

    def tell(self, events: Sequence[AnyEvent]) -> None:
        """Take in events: print what they say, then do what follows from them."""
        lines: list[str] = []
        try:
            for event in events:
                before, self.state = self.state, reduce(self.state, event, self._clock())
                lines.extend(told(before, event, self.state))
                if isinstance(event, Welcome):
                    self._recents = self._line.been_here(self.state, self._recents, self._keeper)
        finally:  # a server that tells what cannot be ends the line, but what came before is said
            lines = without_advice(lines) if is_under_way(self._plan, self.state) else lines
            lines = while_standing_still(lines) if selectors.stands_still(self.state) else lines
            self._console.show(for_one_alone(lines) if self._passing else lines)
        self._kept_out = self._kept_out and self.state.lobby is None
        self._paint()
        self._changed.set()
        self._follow_up()
        self._teach()
        self._reader.follow(self.state)
        if self._console.broken:
            self._leave(0)

    def _paint(self) -> None:
        if self.state.table and self.state.table.table.newest != self.state.painted:
            painted = Painted(play=self.state.table.table.newest)
            self.state = reduce(self.state, painted, self._clock())

    def _follow_up(self) -> None:
        self._plan, command, notes = follow_up(self._plan, self.state)
        if command:
            self._send(command)
        if notes:
            self.tell(notes)

    def _teach(self) -> None:
        """Tell the lesson whose moment has come, and let the table wait for it or go on."""
        if self._tutorial is None or self._plan.steps:
            return
        before = self._tutorial.open
        now, command = asks(follow(self._tutorial, self.state), self.state)
        self._tutorial = now
        if now.open is not None and now.open is not before:
            self._console.show(lesson_lines(now.open))
        if command:
            self._send(command)

    def _send(self, command: AnyCommand) -> None:
        if not self._line.send(command):
            self._console.show((f"NO: not connected. {NOT_CONNECTED}",))

    # --- the person ----------------------------------------------------------------------------

    async def _converse(self) -> None:
        while not self._has_left:
            line = await self._console.next_line()
            if line is None:
                if await self._input_ended():
                    return
                continue
            self._console.entered()
            if not (self._console.is_terminal and isinstance(self._understood(line), Quit)):
                await self._wait_until(self._is_there, CONNECT_S)
            await self._wait_until(self._is_settled, ANSWER_S)
            self._obey(line)

    def _obey(self, line: str) -> None:
        if self._tutorial is not None:
            was_over = self._tutorial.over
            self._tutorial, left = heard(self._tutorial, line)
            if self._tutorial.over and not was_over:
                self._console.show((SKIPPED,))
            self._teach()
            if left is None:
                self._console.prompt()
                return
        self._do(self._understood(line))

    def _understood(self, line: str) -> Outcome:
        return understand(self.state, line, self._clock(), self._settings, self._here())

    def _here(self) -> Here:
        return Here(
            connected=not self._line.is_free,
            can_practise=self._visit.address is None,
            recents=self._recents,
            passing=self._passing,
        )

    def _do(self, outcome: Outcome) -> None:
        match outcome:
            case Reply():
                self._console.show(outcome.lines)
                if not outcome.lines:
                    self._console.prompt()
            case Hinted():
                self._console.show((f"NO: {outcome.text}",))
            case Changed():
                self._change(outcome)
            case Go():
                self._go(outcome)
            case Quit():
                self._leave(0)
            case BelieveAll() | Picked():
                self._console.show(believed(outcome))
                self.tell((outcome,))
            case _:
                self._ask(outcome)

    def _ask(self, command: AnyCommand) -> None:
        """Send what was typed, and say what will come of it later on."""
        notes = when_paused(self.state, command)
        self._send(command)
        if notes:
            self.tell(notes)

    def _change(self, changed: Changed) -> None:
        self._settings = changed.settings
        if changed.name == "name":
            self._name = changed.settings.name
        self._console.show((changed_line(changed.settings, changed.name),))
        self._group.create_task(self._keeper.keep(changed.settings, changed.name))

    def _not_kept(self, why: Sequence[Hinted]) -> None:
        self._console.show(tuple(f"NO: {hint.text}" for hint in why))

    def _go(self, go: Go) -> None:
        match go.way:
            case Way.CONNECT if go.address is not None:
                code, self._tutorial = go.address.code, None
                self._plan = to_join(code, watch=self._visit.spectate) if code else NO_PLAN
                self._line.folder, self._passing = self._visit.folder, self._visit.passing
                self._dial(go.address)
            case Way.PRACTISE | Way.LEARN:
                self._console.show(("NOTE: starting a server for practice.",))
                begin = partial(self._begin_practice, learn=go.way is Way.LEARN)
                self._group.create_task(self._line.practise(begin=begin, failed=self._no_practice))
            case _:
                self._go_away()

    def _go_away(self) -> None:
        if self._visit.address:  # there is nowhere else to go from here
            self._leave(0)
            return
        self._plan, self._tutorial = NO_PLAN, None
        self._line.hang_up()
        self._console.show(tuple(start_lines(self._recents)))

    def _no_practice(self, why: str) -> None:
        self._console.show((f"NO: no practice: {why}",))
        self._changed.set()

    def _begin_practice(self, address: Address, *, learn: bool) -> None:
        self._plan = to_learn(RULES) if learn else to_practise()
        self._tutorial = Tutorial(typed=True) if learn else None
        self._passing = True
        self._dial(address)
        self._changed.set()

    def _is_there(self) -> bool:
        """Whether the way in is behind us, up to where we are told to be, or there is none just now."""
        connecting = not self._line.is_free and self.state.link.state in ON_THE_WAY
        untold = selectors.is_online(self.state) and not has_arrived(self.state)
        waiting = connecting or untold or self._line.is_starting
        return not waiting and (not self._plan.steps or self._line.is_free)

    def _is_settled(self) -> bool:
        """Whether the next typed line may count on what the last one did.

        A play that lies ready is answered only when it takes effect, so it is not waited for.
        """
        entering = any(isinstance(one, c.JoinLobby | c.CreateLobby) for one in self.state.pending)
        moving = (c.PlayCards, c.Pass)
        open_answers = [one for one in self.state.pending if not isinstance(one, moving)]
        held = selectors.laid_ready(self.state) is not None
        return not entering and not open_answers and (held or not self.state.pending)

    async def _input_ended(self) -> bool:
        """The end of a terminal's input asks; that of a pipe leaves, politely."""
        if self._console.is_gone:
            self._leave(HUNG_UP)
            return True
        if self._console.is_terminal:
            return self._ask_to_leave(INTERRUPTED)
        await self._wait_until(self._is_done, PARTING_S)
        if not self._line.is_free and self.state.lobby:
            self._send(c.LeaveLobby(n=UNNUMBERED))
            await self._wait_until(lambda: not self.state.pending, ANSWER_S)
        self._leave(Ending.REFUSED.value if self._kept_out else 0)
        return True

    def _is_done(self) -> bool:
        return not self.state.pending and self._is_there()

    async def _wait_until(self, holds: Callable[[], bool], seconds: float) -> None:
        """Wait until something holds of the state, or the time is over."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not holds():
                    self._changed.clear()
                    await self._changed.wait()

    # --- leaving -------------------------------------------------------------------------------

    def _ask_to_leave(self, code: int) -> bool:
        """The second time within two seconds leaves; the seat is kept (RULES D2)."""
        if self._clock() - self._asked_at < TWICE_S:
            self._leave(code)
            return True
        self._asked_at = self._clock()
        cost = cost_of_leaving(self.state, passing=self._passing)
        self._console.show((f"LEAVE: once more and you leave{f'; {cost}' if cost else ''}.",))
        return False

    def _leave(self, code: int) -> None:
        self._exit = code
        self._has_left = True
        self._talk.cancel()
        self._line.close()

    @contextlib.contextmanager
    def _interrupts_ask(self) -> Iterator[None]:
        """Ctrl-C asks first."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._ask_to_leave, INTERRUPTED)
        try:
            yield
        finally:
            loop.remove_signal_handler(signal.SIGINT)


def believed(outcome: BelieveAll | Picked) -> tuple[str, ...]:
    """What somebody hears who believes everything from now on, or no longer does."""
    if isinstance(outcome, Picked):
        return ()
    return (
        f"BELIEVED: {'every play until your turn' if outcome.on else 'no play unless you say so'}.",
    )
