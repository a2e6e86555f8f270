"""Faults of ours, planted: now and then a function of the server fails, before or after its work.

What must come of it is what the promises say: it stays at its table or in its lobby, whoever plays
there is told and can go on, and all that is checked on any other evening is as right as ever.
"""

import functools
import inspect
import pkgutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from random import Random
from types import ModuleType
from typing import Any
from unittest.mock import patch

import server.lobby
import server.table
from protocol import commands as c
from protocol import events as e
from server.hall import Hall
from server.lobby.lobby import Lobby
from server.lobby.talk import Talk
from server.outbox import Outbox
from server.person import Person
from server.table.calls import Calls
from server.table.table import Table
from tests.simulation.evening import Report, run_plan
from tests.simulation.plan import plan_for
from tests.simulation.players import Player
from tests.simulation.trouble import Trouble
from tests.simulation.world import SECOND

CLASSES = (Calls, Hall, Lobby, Outbox, Person, Table, Talk)
# A fault of ours is held by these, where it is, or goes through them to those.
_HOLD_FAULTS = {"attend", "contained", "mend", "played"}
_LET_GO = {"answer_all_after_fault", "let_all_go", "_people_of"}
_BEGIN_AND_END = {"close", "lost", "restore", "run", "understood", "_keep_closed", "_run_lobby"}
# They do nothing before the one thing that they are for, or after it, that could fail.
_LET_IN = {"admit", "open_lobby", "_keep_newcomer", "_keep_sight_of"}
_HAND_ON = {"answer", "put_back", "take", "_by_arrival"}
_TELL_OF_THE_DISK = {"end", "tell_who_comes", "Person.tell", "_is_at_table"}
_KEEPERS = _HOLD_FAULTS | _LET_GO | _BEGIN_AND_END | _LET_IN | _HAND_ON | _TELL_OF_THE_DISK
# From the journal's word until it is so in memory, too, nothing is done that could fail.
_SURE = frozenset(["keep", "keep_and_tell", "_keep", "_keep_person", "_note_or_answer_again"])
RATES = (1e-4, 1e-3, 5e-3)  # of all calls
MOST = 4  # of one evening
_PAUSE_US = 3 * SECOND  # until somebody says that the game shall go on


class Slip(Exception):
    """A fault of ours that was planted."""


class Slips:
    """Which call fails, as a seed decides."""

    def __init__(self, seed: str) -> None:
        self._dice = Random(f"slips of {seed}")
        self._rate = self._dice.choice(RATES)
        self._left = self._dice.randint(1, MOST)
        self._is_on = True
        self.made: list[str] = []

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Until the end of the block functions of the server fail."""
        changed = {function: self._failing(function) for function in _functions()}
        with ExitStack() as stack:
            for kind in CLASSES:
                for name, method in _methods(kind):
                    stack.enter_context(patch.object(kind, name, self._failing(method)))
            for module in [mod for name, mod in sys.modules.items() if name.startswith("server.")]:
                for place in (vars(module), *_tables(module)):
                    now = {key: changed[was] for key, was in place.items() if _is_in(changed, was)}
                    stack.enter_context(patch.dict(place, now))
            stack.enter_context(patch.object(Hall, "restore", self._undisturbed(Hall.restore)))
            stack.enter_context(patch.object(Trouble, "end", self._the_last_of_it(Trouble.end)))
            yield

    def _failing(self, function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__qualname__
        is_sure = function.__name__ in _SURE

        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def slow(*args: object, **named: object) -> object:
                self._perhaps(name, "before")
                result = await function(*args, **named)
                if not is_sure:
                    self._perhaps(name, "after")
                return result

            return slow

        @functools.wraps(function)
        def quick(*args: object, **named: object) -> object:
            self._perhaps(name, "before")
            result = function(*args, **named)
            if not is_sure:
                self._perhaps(name, "after")
            return result

        return quick

    def _undisturbed(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """A server that fails as it starts says so, and does not start."""

        @functools.wraps(function)
        def start(*args: object, **named: object) -> object:
            self._is_on = False
            try:
                return function(*args, **named)
            finally:
                self._is_on = True

        return start

    def _the_last_of_it(self, function: Callable[[Trouble], None]) -> Callable[[Trouble], None]:
        """When it is late nothing goes wrong any more."""

        def end(trouble: Trouble) -> None:
            self._left = 0
            function(trouble)

        return end

    def _perhaps(self, name: str, when: str) -> None:
        if self._is_on and self._left and self._dice.random() < self._rate:
            self._left -= 1
            self.made.append(f"{when} {name}")
            raise Slip(self.made[-1])


def _is_in(functions: dict[Any, Any], thing: object) -> bool:
    return inspect.isfunction(thing) and thing in functions


def _is_a_keeper(function: Callable[..., Any]) -> bool:
    return not _KEEPERS.isdisjoint((function.__name__, function.__qualname__))


def _functions() -> list[Callable[..., Any]]:
    """The functions of the table's and the lobby's modules."""
    modules = [
        import_module(found.name)
        for package in (server.lobby, server.table)
        for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    ]
    return [
        function
        for module in modules
        for function in vars(module).values()
        if inspect.isfunction(function) and function.__module__ == module.__name__
        if not _is_a_keeper(function) and not inspect.isgeneratorfunction(function)
    ]


def _methods(kind: type) -> list[tuple[str, Callable[..., Any]]]:
    return [
        (name, method)
        for name, method in vars(kind).items()
        if inspect.isfunction(method) and not name.startswith("__") and not _is_a_keeper(method)
    ]


def _tables(module: ModuleType) -> list[dict[Any, Any]]:
    """Where functions are looked up by what they are for."""
    return [thing for thing in vars(module).values() if type(thing) is dict]


class Patient(Player):
    """A player who lets the game go on after a fault."""

    def heard(self, event: e.Event) -> None:
        """Something has changed."""
        if isinstance(event, e.Paused) and event.reason is e.PauseReason.MISTAKE:
            self.world.after(_PAUSE_US, self._go_on)
        super().heard(event)

    def _go_on(self) -> None:
        if not self.is_paused or self.view is None or self.view.table.phase is e.Phase.OVER:
            return
        if self.is_open and c.ResumeTable not in map(type, self.unanswered.values()):
            self.ask(self.view, c.ResumeTable, pause=self.pause)
        self.world.after(_PAUSE_US, self._go_on)


def with_slips(seed: str) -> tuple[Report, list[str]]:
    """An evening on which the server fails here and there; and where it did."""
    plan, slips = plan_for(seed), Slips(seed)
    guests = [guest.name for table in plan.tables for guest in table.guests]
    with slips.planted():
        report = run_plan(plan, kinds=dict.fromkeys(guests, Patient), forgiven=Slip)
    return report, slips.made
