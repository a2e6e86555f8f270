"""The full-screen client at work: keys and events in, pages and commands out, one Application.

Everything that is decided here is decided by a pure function elsewhere: `store.reduce` for events,
`keys.press.press` for keys, `screens.page.draw` for what is seen.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from prompt_toolkit.data_structures import Point
from prompt_toolkit.input import Input
from prompt_toolkit.output import Output

from client import selectors
from client.acts.anywhere import settled
from client.acts.done import Done, Wish, typing
from client.acts.first import LEARN
from client.acts.returned import returned
from client.exit_codes import INTERRUPTED
from client.full_screen.beginnings import first_desk
from client.full_screen.stage import Stage
from client.full_screen.teaching import learning, taught
from client.intents.shared import ABOUT_NAMES
from client.kept.keeper import Keeper
from client.keys.held import Pressed, may_repeat, pressed, repeats
from client.keys.mouse import clicked
from client.keys.press import press, with_keys
from client.keys.typing_line import pasted
from client.line.server_line import ServerLine
from client.screens.desk import Field, Typing
from client.screens.frame import Frame
from client.screens.parting import parting_text
from client.settings import Settings
from client.start.first_run import ANSWERED
from client.start.opening import NO_PLAN, follow_up, to_join, to_practise
from client.start.visit import Visit, beginning
from client.state import NO_PLAY, ClientState, Hinted, LinkRefused, Noted, Painted
from client.store import AnyEvent, reduce
from client.terminal.leaving import disarm
from client.terminal.signals import Signals, can_stop
from client.way_in.address import Address, BadAddress, read_address
from protocol.answers import Refused, Welcome
from protocol.commands import AnyCommand, JoinLobby
from protocol.refusals import Refusal

if TYPE_CHECKING:
    from client.line.network import Ending

FOR_GUESTS = {Wish.DISCONNECT, Wish.QUIT, Wish.INTERRUPT, Wish.REPAINT, Wish.SUSPEND}
IDLE_S = 5.0  # the bell rings only for somebody who has not touched a key for so long


class ScreenClient:
    """One run of the full-screen client; `run` returns the exit code."""

    def __init__(
        self,
        visit: Visit,
        settings: Settings,
        *,
        clock: Callable[[], float] = time.monotonic,
        terminal: tuple[Input | None, Output | None] = (None, None),
    ) -> None:
        """The clock gives seconds; only its differences count."""
        self.state = beginning(visit)
        self.desk = first_desk(visit, settings)
        self.parting = ""  # what to say in the normal screen afterwards
        self._visit, self._plan = visit, visit.plan
        self._tried = visit.address and replace(visit.address, code=None)  # as its field shows it
        self._clock = clock
        self._line = ServerLine(visit, tell=self.tell, over=self._line_over)
        self._pressed = Pressed(at=clock())
        self._code = 0
        self._is_over = False  # even if that came before the first page
        self._keeper = Keeper(self.tell)
        self._stage = Stage(
            self.frame,
            press=self._press,
            click=self._click,
            drawn=self._drawn,
            terminal=terminal,
        )
        self.app = self._stage.app

    async def run(self) -> int:
        """Play until somebody or something ends it.

        Raises:
            BaseExceptionGroup: a crash, or EOFError because the terminal is gone.
        """
        asyncio.get_running_loop().set_exception_handler(self._loop_fault)
        self._signals = Signals(self.app, self._exit, may_stop=not self.desk.kiosk)
        with self._signals.heeded():
            async with asyncio.TaskGroup() as self._group:
                ticking = self._group.create_task(self._stage.tick(self._refresh))
                if self._visit.address and self._visit.first is None:
                    self._dial(self._visit.address)
                code = await self._run_app()
                self.parting = parting_text(self.state, self.desk)
                ticking.cancel()
                self._line.close()
        return code

    async def _run_app(self) -> int:
        try:
            with self._signals.interrupting(lambda: self._press("<sigint>", "")):
                return await self.app.run_async(handle_sigint=False, set_exception_handler=False)
        except BaseException:  # a crash in the very first page is before prompt_toolkit tidies up
            with contextlib.suppress(OSError):
                self.app.renderer.reset()
            raise

    def close(self) -> None:
        """Give back what was taken: the window's title, and the server for practice."""
        self._stage.give_back()
        disarm()  # what takes its time from here on is no terminal
        self._line.end_servers()

    # --- drawing -------------------------------------------------------------------------------

    def frame(self) -> Frame:
        """All that a page is drawn from, as it is now."""
        columns, rows = self._stage.size
        now = self._clock()
        return Frame(state=self.state, desk=self.desk, columns=columns, rows=rows, now=now)

    def _drawn(self, shown: ClientState) -> None:
        if self._is_over:
            self._exit(self._code)
        newest = shown.table.table.newest if shown.table else NO_PLAY
        if newest != self.state.painted:
            self.state = reduce(self.state, Painted(play=newest), self._clock())

    def _refresh(self) -> None:
        self.desk = settled(self.frame())
        self._stage.refresh()

    # --- what happens --------------------------------------------------------------------------

    def tell(self, events: Sequence[AnyEvent]) -> None:
        """Take in all events of one read, then draw once and do what follows from them."""
        before = self.state
        for event in events:
            self.desk = returned(self.desk, self.state, event)
            self.state = reduce(self.state, event, self._clock())
            self._notice(event)
        self._plan, command, notes = follow_up(self._plan, self.state)
        self.desk, lesson = taught(self.desk, self.state, self._plan)
        self._refresh()
        self._ring(before)
        self._stage.stir()
        for each in (command, lesson):
            if each:
                self._send(each)
        if notes:
            self.tell(notes)

    def _notice(self, event: AnyEvent) -> None:
        """What an event does to the desk."""
        match event:
            case Welcome():
                self._code = 0
                recents = self._line.been_here(self.state, self.desk.recents, self._keeper)
                self.desk = replace(self.desk, recents=recents)
            case Refused(code=Refusal.WRONG_PASSWORD) if self.desk.code:
                self.desk = typing(self.frame(), Typing.PASSWORD).desk
            case LinkRefused() if event.code in ABOUT_NAMES:
                self.desk = replace(self.desk, focus=Field.NAME)
            case _:
                pass

    def _ring(self, before: ClientState) -> None:
        idle = self._clock() - self._pressed.at > IDLE_S
        turned = selectors.waits_for_me(self.state) and not selectors.waits_for_me(before)
        if self.desk.settings.bell and idle and turned:
            self._stage.ring()

    # --- keys ----------------------------------------------------------------------------------

    def _press(self, key: str, data: str) -> None:
        frame = self.frame()
        before, self._pressed = self._pressed, pressed(frame, key)
        held, may_be = repeats(before, self._pressed), may_repeat(before, self._pressed)
        frame = replace(frame, held_down=held, may_be_held=may_be)
        pastes = key == "<bracketed-paste>"
        self._do(pasted(frame, data) if pastes else press(frame, key))

    def _click(self, where: Point, wheel: int) -> None:
        key = clicked(with_keys(self.frame()), self._stage.page, (where.x, where.y), wheel)
        if key is not None:
            self._press(key, "")

    def _do(self, done: Done) -> None:
        self.desk = done.desk
        local: list[AnyEvent] = []
        for told in done.told:
            if isinstance(told, AnyCommand):
                self._send(told)
            else:
                local.append(told)
        self.tell(local)
        if done.wish is not None:
            self._grant(done.wish, done.about)
        self.app.invalidate()

    def _send(self, command: AnyCommand) -> None:
        if isinstance(command, JoinLobby):
            self.desk = replace(self.desk, code=command.code, watching=command.watch)
        if not self._line.send(command):
            self.tell((Hinted(text="Not connected: choose a server first."),))

    # --- wishes --------------------------------------------------------------------------------

    def _grant(self, wish: Wish, about: str) -> None:
        grants: dict[Wish, Callable[[], None]] = {
            Wish.CONNECT: lambda: self._connect(about),
            Wish.PRACTISE: self._practise,
            Wish.LEARN: lambda: self._practise(learn=True),
            Wish.BEGIN: lambda: self._begin(learn=about == LEARN),
            Wish.DISCONNECT: self._disconnect,
            Wish.QUIT: lambda: self._exit(self._code),
            Wish.INTERRUPT: lambda: self._exit(INTERRUPTED),
            Wish.REPAINT: self.app.renderer.clear,
            Wish.SUSPEND: self._suspend,
            Wish.COPY: lambda: self._copy(about),
            Wish.REMEMBER: lambda: self._remember(about),
        }
        if self.desk.kiosk and wish not in FOR_GUESTS:
            return
        grants[wish]()

    def _connect(self, text: str) -> None:
        try:
            address = read_address(text)
        except BadAddress as error:
            self.tell((Hinted(text=str(error)),))
            return
        if self._is_busy():
            return
        if address.code:
            self._plan = to_join(address.code, watch=self._visit.spectate)
        elif address != self._tried:  # what was planned for another server is not done to this one
            self._plan = NO_PLAN
        tutorial = self.desk.tutorial if address == self._tried else None
        passing = self._visit.passing and str(address) == str(self._visit.address)
        self._line.folder, self._tried = None if passing else self._visit.folder, address
        self.desk = replace(self.desk, passing=passing, tutorial=tutorial)
        self._dial(address)

    def _is_busy(self) -> bool:
        """Whether there is a server already, or one on its way; the hint says so."""
        if busy := self._line.why_busy:
            self.tell((Hinted(text=busy),))
        return bool(busy)

    def _dial(self, address: Address) -> None:
        self._line.dial(address, self.state.name, self._group)

    def _disconnect(self) -> None:
        if self.desk.kiosk:  # what is known of the way back is said at the end
            self._end_of_kiosk()
            return
        self._plan, self.desk = NO_PLAN, replace(self.desk, tutorial=None)
        self._line.hang_up()

    def _line_over(self, ending: "Ending | None") -> None:
        if ending is not None and ending.value:
            self._code = ending.value
        self._end_of_kiosk()

    def _end_of_kiosk(self) -> None:
        """There is no other server to go to for a guest."""
        if self.desk.kiosk:
            self._is_over = True
            self._exit(self._code)

    def _begin(self, *, learn: bool) -> None:
        for name in ANSWERED:
            self._remember(name)
        if self._visit.address is not None:
            if learn:
                self._plan, self.desk = learning(self.desk)
            self._dial(self._visit.address)
        elif learn:
            self._practise(learn=True)

    def _practise(self, *, learn: bool = False) -> None:
        if not self.desk.can_practise:
            self.tell((Hinted(text="Practice is not available here."),))
        elif not self._is_busy():
            self.tell((Hinted(text="Starting a server for practice ..."),))
            begin = partial(self._begin_practice, learn=learn)
            self._group.create_task(self._line.practise(begin=begin, failed=self._no_practice))

    def _no_practice(self, why: str) -> None:
        self.tell((LinkRefused(text=f"No practice: {why}"),))

    def _begin_practice(self, address: Address, *, learn: bool) -> None:
        self._plan, self._tried = to_practise(), address
        self.desk = replace(self.desk, passing=True, tutorial=None)
        if learn:
            self._plan, self.desk = learning(self.desk)
        self.tell((Hinted(text=""),))
        self._dial(address)

    def _suspend(self) -> None:
        if self.desk.kiosk or not can_stop():
            self.tell((Hinted(text="There is no shell here to go back to."),))
        else:
            self._signals.stop()

    def _copy(self, text: str) -> None:
        self._stage.copy(text)
        self.tell((Noted(text=f"Copied, if your terminal allows it: {text}"),))

    def _remember(self, name: str) -> None:
        self._group.create_task(self._keeper.keep(self.desk.settings, name))

    # --- leaving -------------------------------------------------------------------------------

    def _exit(self, code: int) -> None:
        if self._stage.is_up:
            self.app.exit(result=code)

    def _loop_fault(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """A fault in a callback ends the client like any other."""
        error = context.get("exception")
        if error is None:
            loop.default_exception_handler(context)
        elif self._stage.is_up:
            self.app.exit(exception=error)
