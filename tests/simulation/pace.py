"""Bugs in how long anything waits, and in what one deal leaves to the next; see `mutants`."""

from tests.simulation.mutant import Mutant

PACE = (
    # --- how long it waits ------------------------------------------------------------------------
    Mutant(
        name="a pause lasts twice as long",
        file="server/table/halts.py",
        old="int(table.settings.pause_min * 60 * MICROS)",
        new="int(table.settings.pause_min * 120 * MICROS)",
        tilt="whims",
    ),
    Mutant(
        name="after a pause it goes on without a count",
        file="server/table/halts.py",
        old="COUNT_IN_US = 3_000_000",
        new="COUNT_IN_US = 1",
        tilt="whims",
    ),
    Mutant(
        name="those who have yet to come back are waited for twice as long",
        file="server/table/seats.py",
        old="halt.ends_at = table.now + int(table.settings.return_s * MICROS)",
        new="halt.ends_at = table.now + 2 * int(table.settings.return_s * MICROS)",
        tilt="whims",
    ),
    Mutant(
        name="nobody stands in for a minute more",
        file="server/table/alarms.py",
        old="missed_at = holder.absent_since + int(table.settings.stand_in_s * MICROS)",
        new="missed_at = holder.absent_since + int((table.settings.stand_in_s + 60) * MICROS)",
        tilt="lines",
    ),
    Mutant(
        name="a window closes once all but one let it go",
        file="server/game/windows.py",
        old="return open_still and not could_still_challenge(deal)",
        new="return open_still and len(could_still_challenge(deal)) < 2",
    ),
    Mutant(
        name="a ruling is read by nobody",
        file="server/game/rulings.py",
        old="reveal_us=0 if ends else MICROS * rules.reveal_s,",
        new="reveal_us=0,",
    ),
    Mutant(
        name="who has read one ruling has read the next",
        file="server/table/table.py",
        old="            self.gone_on.clear()",
        new="            pass",
    ),
    Mutant(
        name="nobody is reminded of the clock",
        file="server/table/alarms.py",
        old="        table.tell_all(e.TurnClock(seat=clock.seat, left_us=clock.left_us(at)))\n",
        new="",
    ),
    Mutant(
        name="the minutes of a deal are longer",
        file="server/table/alarms.py",
        old="rules.stop_after_min * 60 * MICROS",
        new="rules.stop_after_min * 100 * MICROS",
    ),
    Mutant(
        name="one play more than the last that counts",
        file="server/game/laying.py",
        old="return StopReason.PLAYS if number >= limit else None",
        new="return StopReason.PLAYS if number > limit else None",
    ),
    # --- votes ------------------------------------------------------------------------------------
    Mutant(
        name="who gave up the seat still votes",
        file="server/table/commands.py",
        old="for each in table.holders if each.present)",
        new="for each in table.holders if each.owner is not None and each.owner.connected)",
        tilt="whims",
    ),
    Mutant(
        name="a changed vote counts twice",
        file="server/table/votes.py",
        old="yes=self.yes | others if yes else self.yes - others",
        new="yes=self.yes | others if yes else self.yes",
        tilt="whims",
    ),
    Mutant(
        name="who has just lost a vote calls the next one",
        file="server/table/voting.py",
        old="= at + int(table.settings.vote_s * MICROS)",
        new="= at",
        tilt="whims",
    ),
    Mutant(
        name="a vote that has passed ends no deal",
        file="server/table/voting.py",
        old="    table.stop_at, table.stop_reason = min(at, table.stop_at), e.StopReason.VOTE\n",
        new="    table.stop_at = min(at + table.settings.vote_s * MICROS, table.stop_at)\n",
        tilt="whims",
    ),
    # --- from deal to deal ------------------------------------------------------------------------
    Mutant(
        name="the dealer has one card too many",
        file="server/game/engine.py",
        old="deck[(seat - dealer - 1) % players :: players]",
        new="deck[(seat - dealer) % players :: players]",
    ),
    Mutant(
        name="the dealer plays first",
        file="server/game/engine.py",
        old="    first = (dealer + 1) % len(seats)\n",
        new="    first = dealer\n",
    ),
    Mutant(
        name="the pile is set aside one pass too soon",
        file="server/game/moves.py",
        old="    if table.passes < len(others):",
        new="    if table.passes < len(others) - 1:",
        tilt="passing",
    ),
    Mutant(
        name="who was ready is ready for the next deal, too",
        file="server/lobby/seating.py",
        old="            ready=seat.kind is SeatKind.COMPUTER,",
        new="            ready=seat.ready,",
    ),
    Mutant(
        name="who is granted a seat gets the first one",
        file="server/lobby/takeovers.py",
        old="    seat = lobby.asking_for[name]\n",
        new="    seat = next(h.seat for h in table.holders if h.chair is e.Chair.COMPUTER)\n",
        tilt="whims",
    ),
    Mutant(
        name="one more sits there than there are seats",
        file="server/lobby/seating.py",
        old="    if len(state.seats) >= state.settings.size:\n        raise NotAllowed(if_full)",
        new="    if len(state.seats) > state.settings.size:\n        raise NotAllowed(if_full)",
        tilt="whims",
    ),
    Mutant(
        name="people watch where nobody may",
        file="server/lobby/seating.py",
        old="    if not state.settings.watchers:\n        raise NotAllowed(Refusal.NO_WATCHERS)\n",
        new="",
        tilt="whims",
    ),
    Mutant(
        name="a private lobby is shown in the hall",
        file="server/lobby/records.py",
        old="kept is None or not kept.state.settings.public or not kept.people",
        new="kept is None or not kept.people",
    ),
    Mutant(
        name="after a restart the talk is told from its end",
        file="server/lobby/talk.py",
        old="self.lines = tuple(lines)[-MAX_TALK:]",
        new="self.lines = tuple(lines)[::-1][-MAX_TALK:]",
        tilt="crashes",
    ),
)
