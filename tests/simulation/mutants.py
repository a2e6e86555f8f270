"""One-line bugs of kinds that card servers really have. The simulation must notice each of them.

A mutant is a text in a file, exactly as it stands there, and what is put in its place. If the text
has moved, mend the entry: say the same wrong in the words of today. `tilt` names what the evenings
should have much of, so that the bug shows soon (`plan.tilted`); or which twins are laid beside each
other (`twins`), for what shows on no evening by itself.
"""

from tests.simulation.asking import ASKING
from tests.simulation.leaks import LEAKS
from tests.simulation.mutant import Mutant
from tests.simulation.pace import PACE

MUTANTS = (
    *LEAKS,
    *ASKING,
    *PACE,
    # --- who was first ----------------------------------------------------------------------------
    Mutant(
        name="the stamp is taken after the read",
        file="server/sockets.py",
        old="if stamp_ns is None else self._ears.wall.loop_us(stamp_ns)",
        new="if stamp_ns is None else now",
        tilt="races",
    ),
    Mutant(
        name="< for <= at the end of the window",
        file="server/table/arbiter.py",
        old="in_time = self.closes_at is None or arrival.at <= self.closes_at",
        new="in_time = self.closes_at is None or arrival.at < self.closes_at",
        tilt="races",
    ),
    Mutant(
        name="an equal arrival goes to the seat that is farthest",
        file="server/table/arbiter.py",
        old="key=lambda a: (-a.play, window_of[a.play].seats.index(a.seat), a.at)",
        new="key=lambda a: (-a.play, -window_of[a.play].seats.index(a.seat), a.at)",
        tilt="races",
    ),
    Mutant(
        name="a window ends without a look at what has arrived in time",
        file="server/table/intake.py",
        old="        reached = now_us()\n        await settle(2)",
        new="        reached = now_us()\n        await settle(0)",
        tilt="races",
    ),
    Mutant(
        name="what is held stays held when somebody calls",
        file="server/game/rulings.py",
        old="    deal, told = give_back(deal)\n",
        new="    told: tuple[Telling, ...] = ()\n",
    ),
    Mutant(
        name="who doubts an older play is told as if it had lain there from the start",
        file="server/table/calls.py",
        old="first.at - opened_at(deal, first.play)",
        new="first.at - (deal.opened_at if first.play == deal.table.newest else 0)",
    ),
    # --- the rules --------------------------------------------------------------------------------
    Mutant(
        name="the rank due does not move on",
        file="protocol/views.py",
        old="due=due_after_claim(table.rules, event.rank),",
        new="due=table.due if table.newest else due_after_claim(table.rules, event.rank),",
    ),
    Mutant(
        name="after a challenge the taker is to move",
        file="server/game/rulings.py",
        old="turn=taker if rules.rank_order is RankOrder.FREE else table.turn,",
        new="turn=taker,",
    ),
    Mutant(
        name="the liar goes free: the pile goes to whoever called",
        file="server/game/rulings.py",
        old="taker = play.seat if lie else action.challenger",
        new="taker = action.challenger",
    ),
    Mutant(
        name="a wrong count is no lie",
        file="protocol/cards.py",
        old="return len(faces) == count and all(",
        new="return all(",
        tilt="sneaking",
    ),
    Mutant(
        name="last cards can be doubted no longer than others",
        file="server/game/laying.py",
        old="protected_us=MICROS * (rules.last_window_s if last or final else rules.window_s),",
        new="protected_us=MICROS * rules.window_s,",
    ),
    Mutant(
        name="cards that are laid stay in the hand",
        file="server/game/laying.py",
        old="        left.remove(card)",
        new="        left.index(card)",
    ),
    Mutant(
        name="a seat is given to somebody whose line is down",
        file="server/lobby/takeovers.py",
        old="if command.yes and not person.connected:",
        new="if False:",
        tilt="chairs",
    ),
    Mutant(
        name="equal counts share no place",
        file="server/game/outcome.py",
        old="sum(other < size for other in inside)",
        new="sum(other <= size for other in inside) - 1",
    ),
    Mutant(
        name="when time runs out any card is laid",
        file="server/game/automatic.py",
        old="if deal.cards[card].face.rank is due[0]]",
        new="if deal.cards[card].face.rank is None]",
    ),
    Mutant(
        name="who was called too late for is told that it was by nothing",
        file="server/table/calls.py",
        old="voice.refuse(Refusal.NOT_FIRST, voice.arrival.at - verdict.order[0].at)",
        new="voice.refuse(Refusal.NOT_FIRST, 0)",
        tilt="races",
    ),
    # --- an evening at a table --------------------------------------------------------------------
    Mutant(
        name="who has dealt deals again",
        file="server/lobby/deals.py",
        old="    start = everybody.index(last.name) + (not last.has_left)\n",
        new="    start = everybody.index(last.name)\n",
        tilt="whims",
    ),
    Mutant(
        name="after a restart the dealer is drawn",
        file="server/lobby/records.py",
        old="lobby.dealer, lobby.dealt, lobby.talk = _dealer(record),",
        new="lobby.dealer, lobby.dealt, lobby.talk = None,",
        tilt="whims",
    ),
    Mutant(
        name="a win of somebody who left counts for them",
        file="server/table/holders.py",
        old="return None if self.gave_up else self.name",
        new="return self.name",
        tilt="whims",
    ),
    Mutant(
        name="who was removed is forgotten with a restart",
        file="server/lobby/records.py",
        old="Removed(record.removed, record.barred_after,",
        new="Removed((), (),",
        tilt="whims",
    ),
    Mutant(
        name="after a restart nobody has paused the table",
        file="server/lobby/records.py",
        old="return None if by is None else Wish(by=by, voted=record.paused_by_vote)",
        new="return None",
        tilt="whims",
    ),
    Mutant(
        name="after a restart pauses are counted from one again",
        file="server/restoring.py",
        old="table.votes, table.halts = record.votes, record.halts",
        new="table.votes = record.votes",
        tilt="whims",
    ),
    Mutant(
        name="a pause begins while the newest play can be doubted",
        file="server/table/halts.py",
        old="    if table.deal.table.phase is not e.Phase.TO_PLAY or table.calls.contest is not None:",
        new="    if table.calls.contest is not None:",
        tilt="whims",
    ),
    Mutant(
        name="computer players go on in a pause",
        file="server/table/alarms.py",
        old="    elif halt is None:\n        _add_running(table, found)",
        new="    else:\n        _add_running(table, found)",
        tilt="whims",
    ),
    Mutant(
        name="the minutes of a deal go on in a pause",
        file="server/table/halts.py",
        old="    table.stop_at += stood_still\n",
        new="",
        tilt="whims",
    ),
    Mutant(
        name="everybody has the short clock",
        file="server/table/winding.py",
        old="start(table, SHORT_CLOCK_US if holder.autos else turn_s * MICROS, now)",
        new="start(table, SHORT_CLOCK_US, now)",
    ),
    Mutant(
        name="one automatic play is enough for a stand-in",
        file="server/table/holders.py",
        old="AUTOS_TO_STAND_IN = 2",
        new="AUTOS_TO_STAND_IN = 1",
    ),
    Mutant(
        name="somebody stands in as soon as a line is lost",
        file="server/table/alarms.py",
        old="missed_at = holder.absent_since + int(table.settings.stand_in_s * MICROS)",
        new="missed_at = holder.absent_since + int(table.settings.stand_in_s)",
        tilt="lines",
    ),
    # --- nothing is lost --------------------------------------------------------------------------
    Mutant(
        name="broadcast before commit",
        file="server/table/table.py",
        old="        stalled_us = await self._keep(",
        new="        self.tell(tellings)\n        self.company.deliver()\n"
        "        [each.flush() for each in self.company.everybody()]\n"
        "        stalled_us = await self._keep(",
    ),
    Mutant(
        name="the answer is not kept with what it answers",
        file="server/table/table.py",
        old="answers = tuple(answer for errand in done for answer in errand.to_keep())",
        new="answers = ()",
    ),
    Mutant(
        name="what is said in a lobby is kept with the next change of it, and told at once",
        file="server/lobby/records.py",
        old="    if kept is None or replace(record, chat=kept.chat) != kept:\n",
        new="    if kept is not None and replace(record, chat=kept.chat) == kept:\n        return ()\n"
        "    if kept is None or replace(record, chat=kept.chat) != kept:\n",
    ),
    Mutant(
        name="nobody in a lobby hears that there is room on the disk again",
        file="server/lobby/stalls.py",
        old="        if not at_table:\n",
        new="        if False:\n",
    ),
    Mutant(
        name="somebody is let in before that is kept",
        file="server/hall.py",
        old="            await self._keep_person(person, name, address)\n        except BaseException",
        new="            pass\n        except BaseException",
    ),
    Mutant(
        name="a command that comes again is done again",
        file="server/hall.py",
        old="        if number > person.last_command or person.may_have_lost(number):\n",
        new="        if number not in person.pending:\n",
        tilt="lines",
    ),
    Mutant(
        name="a command is taken for one that came before if it says the same",
        file="server/hall.py",
        old="        if number > person.last_command or person.may_have_lost(number):\n",
        new='        said = self.__dict__.setdefault("_said", {})\n'
        '        body = person.digest, repr(command).partition(", ")[2]\n'
        "        if said.setdefault(body, number) == number > person.last_command:\n",
    ),
    Mutant(
        name="numbers of another life are taken for this one's",
        file="server/hall.py",
        old="if resume is None or resume.epoch != self._epoch or not resume.last_event:",
        new="if resume is None or not resume.last_event:",
        tilt="crashes",
    ),
    Mutant(
        name="a resume repeats one event too many",
        file="server/mailbox.py",
        old="        missing = self.newest - number\n",
        new="        missing = self.newest - number + 1\n",
        tilt="lines",
    ),
    # --- bounds -----------------------------------------------------------------------------------
    Mutant(
        name="all deadlines are over after a stop",
        file="server/steady_clock.py",
        old="        self._hidden += ended - began - LATE_S\n",
        new="        self._hidden += 0.0\n",
        tilt="clocks",
    ),
    Mutant(
        name="what lay in the kernel when the wall clock was set keeps its stamp",
        file="server/arrivals.py",
        old="        return moved <= 1000 * STEP_US\n",
        new="        return True\n",
        tilt="clocks",
    ),
    Mutant(
        name="a password that is wrong is as good",
        file="server/passwords.py",
        old="        return hmac.compare_digest(await self._scrypt(password, expected.salt), expected.digest)",
        new="        return bool(await self._scrypt(password, expected.salt))",
    ),
    Mutant(
        name="there is no limit to strangers",
        file="server/listener.py",
        old="        if len(self._strangers) >= self._settings.unauthenticated:",
        new="        if len(self._strangers) >= 100 * self._settings.unauthenticated:",
        tilt="burglars",
    ),
    Mutant(
        name="strangers take the room of those who come back",
        file="server/people.py",
        old="        self._check_places(person, person.name)\n",
        new="        if len(self._by_name) >= self._settings.connections:\n"
        "            raise Unwelcome(Refusal.SERVER_FULL)\n",
        tilt="crowds",
    ),
    Mutant(
        name="the room of whoever has lost their line is given away",
        file="server/people.py",
        old="len(self._by_name) >= self._settings.connections",
        new="len(self._present) >= self._settings.connections",
        tilt="crowds",
    ),
    Mutant(
        name="whoever says nothing takes up the room of people",
        file="server/listener.py",
        old="        return self._settings.connections + 2 * self._settings.unauthenticated",
        new="        return self._settings.connections",
        tilt="crowds",
    ),
    Mutant(
        name="the queue of a client that does not read has no bound",
        file="server/writer.py",
        old="if self.waiting > self.most:",
        new="if self.waiting > 1000 * self.most:",
        tilt="stalls",
    ),
    Mutant(
        name="all answers are kept for ever",
        file="server/answered.py",
        old="if len(numbers) > STORED_ANSWERS:",
        new="if len(numbers) > 100 * STORED_ANSWERS:",
    ),
    Mutant(
        name="all events are kept for ever",
        file="server/mailbox.py",
        old="if len(kept) > self._most:",
        new="if len(kept) > 1000 * self._most:",
    ),
    Mutant(
        name="a line that is dead is never given up",
        file="server/session.py",
        old="return self._heard_at / MICROS + patience_s",
        new="return self._heard_at / MICROS + patience_s + 1e9",
        tilt="lines",
    ),
)
