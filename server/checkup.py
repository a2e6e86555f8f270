"""Check a data folder without changing it: what is kept there, and whether a server can use all of it.

Verifying each record is not enough: a start is rehearsed as well, without a network and without writing.
"""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

import trio

from protocol.answers import Stamps
from server.config import BadSettings, Settings
from server.data_folder import ID_FILE, known_id
from server.game.deal import Deal
from server.hall import Hall
from server.journal.database import opened_to_look
from server.journal.kept import all_kept
from server.journal.records import Kept, KeptLobby
from server.journal.rows import of_lobby
from server.journal.store import Complain, Damaged, NoStore, OtherRules

NO_ID = f"but {ID_FILE} is missing: clients would take this for another server, and nobody find their seat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was found, in lines for a person."""

    lines: tuple[str, ...]
    is_sound: bool  # a server can start with it, and everybody finds their seat


def check_folder(folder: Path) -> Report:
    """Look through all that is kept in a data folder, also while a server uses it.

    Raises:
        OpenFault: there is no journal, or it is none of ours.
    """
    damages: list[Damaged] = []
    with contextlib.closing(opened_to_look(folder)) as connection:
        kept = all_kept(connection, damages.append)
    has_id = _has_id(folder, damages.append)
    deals = trio.run(_deals_taken_up, _without(kept, damages), damages.append)
    lobbies = [_line_about(lobby, deals.get(lobby.code)) for lobby in kept.lobbies]
    wrong = [f"{damage.word}: {damage.where}: {damage.why}" for damage in damages]
    verdict = [_verdict_on(damages)]
    if is_another := bool(kept.people) and not has_id and not wrong:
        verdict.append(NO_ID)
    return Report(
        lines=(*_counts(kept), *lobbies, *wrong, *verdict), is_sound=not wrong and not is_another
    )


def _verdict_on(damages: list[Damaged]) -> str:
    if not damages:
        return "all sound"
    if all(isinstance(damage, OtherRules) for damage in damages):
        return f"{len(damages)} of other rules: only the server that wrote it can start with it"
    return f"{len(damages)} damaged: no server can start with it"


def _has_id(folder: Path, complain: Complain) -> bool:
    """Whether the server that starts on this folder is the one that it was; so also if we complain."""
    try:
        return bool(known_id(folder))
    except BadSettings as fault:
        complain(Damaged("the server's id", str(fault)))
        return True


async def _deals_taken_up(kept: Kept, complain: Complain) -> Mapping[str, Deal]:
    """Take up what is kept as a server does that starts; the deals that run, by the code of the lobby."""
    async with trio.open_nursery() as nursery:
        hall = Hall(
            Settings(),
            NoStore(),
            nursery=nursery,
            server_id="",
            epoch="",
            stamps=Stamps.AFTER_READ,
            rng=Random(0),  # noqa: S311 - nothing is dealt
        )
        lobbies = hall.understood(kept, complain)
    return {lobby.code: lobby.table.deal for lobby in lobbies if lobby.table is not None}


def _without(kept: Kept, damages: list[Damaged]) -> Kept:
    """What is kept, except for the lobbies of which something is known to be damaged."""
    lobbies = [
        each for each in kept.lobbies if not any(_is_in(each.code, damage) for damage in damages)
    ]
    return Kept(people=kept.people, lobbies=tuple(lobbies))


def _is_in(code: str, damage: Damaged) -> bool:
    where = f"{damage.where},"
    return where.startswith(f"{of_lobby(code)},")


def _counts(kept: Kept) -> tuple[str, ...]:
    answers = sum(len(person.answers) for person in kept.people)
    running = sum(lobby.lobby.deal_runs for lobby in kept.lobbies)
    return (
        f"people: {len(kept.people)}, with {answers} answers",
        f"lobbies: {len(kept.lobbies)}, in {running} of them a deal runs",
    )


def _line_about(kept: KeptLobby, deal: Deal | None) -> str:
    state = kept.lobby.state
    line = f"{of_lobby(kept.code)}: {state.stage.replace('_', ' ')}, seats {len(state.seats)}"
    if deal is None:
        return line
    table = deal.table
    return f"{line}, deal {table.deal}, play {table.newest}, records {len(kept.actions)}"
