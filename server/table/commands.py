"""The commands of people at a table: whose seat, is it allowed, do it, answer."""

from collections.abc import Awaitable, Callable
from math import ceil
from typing import TYPE_CHECKING, Any

from protocol import commands as c
from protocol import events as e
from protocol.numbers import MICROS, Seat
from protocol.options import turn_of, why_not_hurry
from protocol.refusals import Refusal
from server.errand import Errand
from server.game import actions as a
from server.game.engine import IllegalAction, apply, refusal_for
from server.game.rulings import newest_ruling
from server.table import halts, seats, showing, voting, winding
from server.table.arbiter import Arrival
from server.table.calls import Voice
from server.table.halts import Halt, Wish
from server.table.holders import Holder
from server.table.reading import end_if_read
from server.table.turn_clock import ASKED_CLOCK_US

if TYPE_CHECKING:
    from server.table.table import Table

_OWNER = e.Chair.OWNER
ENOUGH_TO_START_A_CLOCK = 2  # so many players must want one (RULES D1)

# What a host, or whoever paused, may ask without having a seat.
_EVEN_WITHOUT_SEAT = {c.CallVote, c.PauseTable, c.ResumeTable}
# What says itself who plays the seat from now on.
_ABOUT_THE_SEAT = {c.GiveUpSeat, c.ReturnToSeat}
# What may be asked while the clocks stand still.
_EVEN_WHEN_PAUSED = {c.ResumeTable, c.CallVote, c.CastVote, c.GiveUpSeat, c.ReturnToSeat}
# What is said again after a restart, by people who may be back before others (RULES C3, D5).
_ABOUT_WHAT_LIES_READY = {c.PlayCards, c.Pass, c.TakeBack}


async def obey(table: "Table", errand: Errand) -> None:
    """Carry out a command at the table. The order of the checks is the order of the answers."""
    holder = table.holder_of(errand.person)
    command: Any = errand.command  # one of `AT_THE_TABLE`
    kind = type(command)
    if command.deal != table.deal.table.deal:
        errand.refuse(Refusal.OTHER_DEAL)
        return
    if table.over and kind is not c.Challenge:  # which is too late, and hears by how much
        errand.refuse(Refusal.NO_DEAL)
        return
    if kind in _EVEN_WITHOUT_SEAT:
        await _HANDLERS[kind](table, errand, holder, command)
        return
    plays = holder is not None and (not holder.gave_up or kind is c.ReturnToSeat)
    if not plays and not _may_hurry(table, errand):
        errand.refuse(Refusal.WATCHING if holder is None else Refusal.SEAT_GIVEN_UP)
        return
    if table.halt is not None and not _may_be_asked_in(table.halt, kind):
        errand.refuse(Refusal.PAUSED)
        return
    if holder is not None and plays and kind not in _ABOUT_THE_SEAT:
        seats.note_presence(holder)
        if holder.chair is not _OWNER:
            await seats.take_seat_back(table, holder)
    await _HANDLERS[kind](table, errand, holder, command)


def _may_be_asked_in(halt: Halt, kind: type) -> bool:
    """Whether this may be asked while the clocks stand still, if only about what lies ready."""
    lies_ready = kind in _ABOUT_WHAT_LIES_READY and not halt.reason.ends_by_hand
    return kind in _EVEN_WHEN_PAUSED or lies_ready


def _may_hurry(table: "Table", errand: Errand) -> bool:
    """A host hurries the seat to move, with or without a seat of their own (RULES D1)."""
    hurries = isinstance(errand.command, c.StartClock)
    return hurries and table.company.may_act(errand.person)


def voice_of(table: "Table", errand: Errand) -> Voice | None:
    """The challenge in an errand, if it is one from a seat of this deal."""
    holder = table.holder_of(errand.person)
    command = errand.command
    if holder is None or holder.gave_up or not isinstance(command, c.Challenge):
        return None
    return _voice(table, errand, holder, command) if command.deal == table.number else None


def _voice(table: "Table", errand: Errand, holder: Holder, command: c.Challenge) -> Voice:
    at = errand.at - table.began
    arrival = Arrival(seat=holder.seat, play=command.play, at=at, stamped=errand.stamped)
    return Voice(arrival=arrival, errand=errand)


# --- cards and challenges ---------------------------------------------------------------------


async def _move(
    table: "Table", errand: Errand, holder: Holder, command: c.PlayCards | c.Pass
) -> None:
    at = errand.at - table.began
    if (refusal := _aimed_elsewhere(table, command)) is not None:
        errand.refuse(refusal)
        return
    action = _action_of(command, holder.seat)
    try:
        told = apply(table.deal, action, at)
    except IllegalAction as illegal:
        errand.refuse(illegal.refusal)
        return
    if table.halt is not None and told[0].held is not action:  # it would go down
        errand.refuse(Refusal.PAUSED)
        return
    if table.held is not None:
        table.held.refuse(Refusal.TAKEN_BACK, "You laid something else instead.")
    table.held = errand
    await table.carry_out(action, at, told)


def _aimed_elsewhere(table: "Table", command: c.PlayCards | c.Pass) -> Refusal | None:
    public = table.deal.table
    if table.calls.contest is not None:
        return Refusal.CALLED_FIRST
    if command.after != public.newest:
        return Refusal.STALE
    if command.pile == public.pile_number:
        return None
    ruled_since = command.pile == public.pile_number - 1
    return Refusal.CALLED_FIRST if ruled_since else Refusal.STALE


def _action_of(command: c.PlayCards | c.Pass, seat: Seat) -> a.Move:
    if isinstance(command, c.PlayCards):
        return a.Play(seat=seat, cards=command.cards, count=command.count, rank=command.rank)
    return a.Pass(seat=seat)


async def _take_back(table: "Table", errand: Errand, holder: Holder, command: c.TakeBack) -> None:
    action = a.TakeBack(seat=holder.seat)
    refusal = refusal_for(table.deal, action)
    if command.after != table.deal.table.newest:
        refusal = Refusal.NOTHING_HELD  # what was meant has taken effect or come back
    if refusal is not None:
        errand.refuse(refusal)
        return
    await table.do(action, errand.at - table.began, asked=errand)


async def _challenge(table: "Table", errand: Errand, holder: Holder, command: c.Challenge) -> None:
    await table.hear(_voice(table, errand, holder, command))


async def _let_go_of(table: "Table", errand: Errand, holder: Holder, command: c.LetGoOf) -> None:
    action = a.LetGo(seat=holder.seat, play=command.play)
    refusal = refusal_for(table.deal, action)
    if refusal is not None:
        errand.refuse(refusal)
        return
    known = holder.seat in table.deal.let_go - table.deal.silently
    # While a challenge is being decided the window can no longer be let go.
    if table.calls.contest is None and not known:
        await table.do(action, errand.at - table.began, asked=errand)
    errand.accept()


async def _go_on(table: "Table", errand: Errand, holder: Holder, command: c.GoOn) -> None:
    ruled = newest_ruling(table.deal)
    newest = ruled is not None and ruled.shown.play == command.play
    if not newest or table.deal.table.phase is not e.Phase.REVEAL:
        errand.refuse(Refusal.NOTHING_TO_READ)
        return
    table.gone_on.add(holder.seat)
    errand.accept()
    await end_if_read(table, errand.at - table.began)


# --- clocks, seats, votes and pauses ------------------------------------------------------------


async def _start_clock(
    table: "Table", errand: Errand, holder: Holder | None, command: c.StartClock
) -> None:
    turn = turn_of(table.deal.table)
    seat, after, pile, _ = turn
    if (command.seat, command.after, command.pile) != (seat, after, pile):
        errand.refuse(Refusal.STALE)
        return
    refusal = why_not_hurry(table.deal.table, None if holder is None else holder.seat)
    if refusal is not None or table.clock is not None:
        errand.refuse(refusal or Refusal.CLOCK_RUNS)
        return
    errand.accept()
    asked = 0 if holder is None else table.clocks_wanted.ask(turn, holder.seat)
    if asked >= ENOUGH_TO_START_A_CLOCK or table.company.take_up_host(errand.person):
        winding.start(table, ASKED_CLOCK_US, table.now)


async def _give_up(table: "Table", errand: Errand, holder: Holder, _command: c.GiveUpSeat) -> None:
    await seats.give_up(table, holder, errand)
    errand.accept()


async def _return(table: "Table", errand: Errand, holder: Holder, _command: c.ReturnToSeat) -> None:
    if holder.gave_up and not holder.returns.take(table.now):
        errand.refuse(Refusal.TOO_FAST)
        return
    knows_nothing = holder.gave_up
    holder.gave_up, holder.name = False, errand.person.name
    table.company.sit_again(errand.person)  # who has left and watches has no seat there
    await seats.take_seat_back(table, holder, errand)
    errand.accept()
    if knows_nothing:
        showing.show(table, errand.person)
    await seats.back(table, errand.person)


async def _call_vote(
    table: "Table", errand: Errand, _holder: Holder | None, command: c.CallVote
) -> None:
    name = errand.person.name
    voters = frozenset(each.name for each in table.holders if each.present)
    acts_as_host = not voters and table.company.may_act(errand.person)
    if acts_as_host:
        voters = frozenset({name})  # nobody is left but who watches
    if name not in voters:
        errand.refuse(Refusal.NO_VOTE)
        return
    refusal = _why_no_vote(table, name, command.on)
    if refusal is not None:
        errand.refuse(refusal, _when_again(table, name) if refusal is Refusal.TOO_FAST else "")
        return
    if acts_as_host:
        table.company.take_up_host(errand.person)
    await voting.open_vote(table, command.on, name, voters)
    await _accept_once_kept(table, errand)


def _why_no_vote(table: "Table", name: str, on: e.VoteOn) -> Refusal | None:
    """Why no vote can be opened now: nobody keeps others from voting by calling one after another."""
    if table.vote is not None:
        return Refusal.VOTE_RUNS
    if table.now < table.no_vote_before.get(name, 0):
        return Refusal.TOO_FAST
    return Refusal.PAUSED if on is e.VoteOn.PAUSE and halts.stands_still(table) else None


def _when_again(table: "Table", name: str) -> str:
    """When somebody whose vote has failed can call another."""
    left = ceil((table.no_vote_before[name] - table.now) / MICROS)
    return f"Your last vote failed: you can call the next one in {left} s."


async def _cast_vote(table: "Table", errand: Errand, _holder: Holder, command: c.CastVote) -> None:
    vote, name = table.vote, errand.person.name
    if vote is None or name not in vote.voters:
        errand.refuse(Refusal.NO_VOTE)
        return
    if command.vote != vote.number:
        errand.refuse(Refusal.OTHER_VOTE)
        return
    await voting.count_votes(table, vote.cast(name, yes=command.yes), table.now)
    await _accept_once_kept(table, errand)


async def _pause(
    table: "Table", errand: Errand, _holder: Holder | None, _command: c.PauseTable
) -> None:
    if not table.company.may_act(errand.person):
        errand.refuse(Refusal.NOT_HOST, "A vote can pause the table, too.")
    elif halts.stands_still(table):
        errand.refuse(Refusal.PAUSED)
    else:
        table.company.take_up_host(errand.person)
        table.pause_wanted = Wish(by=errand.person.name)
        halts.begin_wanted_pause(table)
        await _accept_once_kept(table, errand)


async def _resume(
    table: "Table", errand: Errand, holder: Holder | None, command: c.ResumeTable
) -> None:
    halt = table.halt if halts.stands_still(table) else None
    wish = halt.wish if halt is not None else table.pause_wanted
    if wish is None:
        errand.refuse(Refusal.NOT_PAUSED)
    elif halt is not None and not halt.reason.ends_by_hand:
        errand.refuse(Refusal.WAITS_FOR_PEOPLE)
    elif command.pause != (0 if halt is None else halt.number):
        errand.refuse(Refusal.OTHER_PAUSE)
    elif not _may_resume(table, errand, holder, halt, wish.by):
        errand.refuse(Refusal.NOT_HOST)
    elif halt is None:  # it has not begun, and nobody has been told of it
        table.pause_wanted = None
        await _accept_once_kept(table, errand)
    else:
        halts.count_in(table, halt, table.now)
        await _accept_once_kept(table, errand)


async def _accept_once_kept(table: "Table", errand: Errand) -> None:
    """Keep a vote or a pause with the lobby, since it changes no deal; then accept it."""
    stalled_us = await table.company.keep(answers=errand.to_keep())
    errand.accept()
    if stalled_us:
        halts.go_on_after_stall(table, stalled_us)


def _may_resume(
    table: "Table", errand: Errand, holder: Holder | None, halt: Halt | None, by: str
) -> bool:
    """The host, who asked for the pause, and after a mistake of ours every player."""
    ours = halt is not None and halt.reason is e.PauseReason.MISTAKE
    plays = holder is not None and not holder.gave_up
    asked = by == errand.person.name
    return asked or (ours and plays) or table.company.take_up_host(errand.person)


# Each handler is given the command of its key.
_HANDLERS: dict[type, Callable[..., Awaitable[None]]] = {
    c.PlayCards: _move,
    c.Pass: _move,
    c.TakeBack: _take_back,
    c.Challenge: _challenge,
    c.LetGoOf: _let_go_of,
    c.GoOn: _go_on,
    c.StartClock: _start_clock,
    c.GiveUpSeat: _give_up,
    c.ReturnToSeat: _return,
    c.CallVote: _call_vote,
    c.CastVote: _cast_vote,
    c.PauseTable: _pause,
    c.ResumeTable: _resume,
}
