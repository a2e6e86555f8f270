"""Bugs in what people ask for beside playing: votes, pauses, the tools of a host; see `mutants`."""

from tests.simulation.mutant import Mutant

ASKING = (
    # --- votes ------------------------------------------------------------------------------------
    Mutant(
        name="half of the votes are enough",
        file="server/table/votes.py",
        old="return len(self.voters) // 2 + 1",
        new="return (len(self.voters) + 1) // 2",
        tilt="whims",
    ),
    Mutant(
        name="whoever calls a vote counts twice",
        file="server/table/votes.py",
        old="        if len(self.yes) >= self.needed:",
        new="        if len(self.yes) + (self.by in self.yes) >= self.needed:",
        tilt="whims",
    ),
    Mutant(
        name="a vote is open twice as long",
        file="server/table/voting.py",
        old="    ends_at = table.now + int(table.settings.vote_s * MICROS)",
        new="    ends_at = table.now + 2 * int(table.settings.vote_s * MICROS)",
        tilt="whims",
    ),
    # --- hosts and clocks -------------------------------------------------------------------------
    Mutant(
        name="anybody goes on after a pause",
        file="server/table/commands.py",
        old="return asked or (ours and plays) or table.company.take_up_host(errand.person)",
        new="return True",
        tilt="whims",
    ),
    Mutant(
        name="a host who stays away is waited for",
        file="server/lobby/hosts.py",
        old="now_us() - since >= lobby.settings.stand_in_s * MICROS",
        new="since < 0",
        tilt="whims",
    ),
    Mutant(
        name="who came last is host when the host goes",
        file="server/lobby/hosts.py",
        old="if (heir := next(_by_seniority(lobby), None)) is not None:",
        new="if (heir := next(reversed([*_by_seniority(lobby)]), None)) is not None:",
        tilt="whims",
    ),
    Mutant(
        name="wins are carried into another match",
        file="server/lobby/seating.py",
        old="    if state.stage is LobbyStage.MATCH_OVER or (is_of_match and not deals):",
        new="    if is_of_match and not state.deals:",
        tilt="matches",
    ),
    Mutant(
        name="who is not ready is dealt in",
        file="server/lobby/seating.py",
        old="return seat.ready or (seat.name == state.host and seat.connected)",
        new="return seat.connected",
        tilt="whims",
    ),
    Mutant(
        name="three automatic plays are too few for a stand-in",
        file="server/table/holders.py",
        old="AUTOS_TO_STAND_IN = 2",
        new="AUTOS_TO_STAND_IN = 4",
    ),
)
