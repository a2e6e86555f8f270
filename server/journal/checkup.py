"""Check a journal without changing it: what is in it, and whether a server can use all of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from server.journal.database import opened_to_look
from server.journal.kept import all_kept
from server.journal.records import Kept, KeptLobby
from server.journal.recovery import recovered_lobby
from server.journal.rows import of_lobby
from server.journal.store import Complain, Damaged

Rehearse = Callable[[Kept, Complain], None]
"""Takes up what is kept as a server does that starts, and complains of what it cannot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found, in lines for a person; `is_sound` if a server can start with it."""

    lines: tuple[str, ...]
    is_sound: bool
    people: int  # who are known


def check_folder(folder: Path, rehearse: Rehearse = lambda _kept, _complain: None) -> Report:
    """Verify every record of the journal in a data folder, also while a server uses it.

    What is sound by itself is then taken up in a rehearsal.

    Raises:
        OpenFault: there is no journal, or it is none of ours.
    """
    damages: list[Damaged] = []
    connection = opened_to_look(folder)
    try:
        kept = all_kept(connection, damages.append)
    finally:
        connection.close()
    lobbies = [_line_about(lobby, damages) for lobby in kept.lobbies]
    rehearse(_without(kept, damages), damages.append)
    wrong = [f"damaged: {damage.where}: {damage.why}" for damage in damages]
    verdict = f"{len(wrong)} damaged: no server can start with it" if wrong else "all sound"
    return Report(
        lines=(*_counts(kept), *lobbies, *wrong, verdict),
        is_sound=not wrong,
        people=len(kept.people),
    )


def _counts(kept: Kept) -> tuple[str, ...]:
    answers = sum(len(person.answers) for person in kept.people)
    running = sum(lobby.lobby.deal_runs for lobby in kept.lobbies)
    return (
        f"people: {len(kept.people)}, with {answers} answers",
        f"lobbies: {len(kept.lobbies)}, in {running} of them a deal runs",
    )


def _line_about(kept: KeptLobby, damages: list[Damaged]) -> str:
    state = kept.lobby.state
    line = f"{of_lobby(kept.code)}: {state.stage.replace('_', ' ')}, seats {len(state.seats)}"
    if not kept.lobby.deal_runs or any(_is_in(kept.code, damage) for damage in damages):
        return line
    try:
        deal = recovered_lobby(kept).deal
    except Damaged as damage:
        damages.append(damage)
        return line
    number, play = (0, 0) if deal is None else (deal.table.deal, deal.table.newest)
    return f"{line}, deal {number}, play {play}, records {len(kept.actions)}"


def _without(kept: Kept, damages: list[Damaged]) -> Kept:
    """What is kept, except for the lobbies of which something is known to be damaged."""
    lobbies = [
        each for each in kept.lobbies if not any(_is_in(each.code, damage) for damage in damages)
    ]
    return Kept(people=kept.people, lobbies=tuple(lobbies))


def _is_in(code: str, damage: Damaged) -> bool:
    where = f"{damage.where},"
    return where.startswith(f"{of_lobby(code)},")
