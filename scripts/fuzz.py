"""Throw bytes at one target for long. Run by scripts/fuzz, whose help (`fuzzing.arguments`) says more."""

import sys
import tempfile
from pathlib import Path
from random import Random

import msgspec

from fuzzing.arguments import read_arguments
from fuzzing.evenings import LOBBY, RULES, SEATS
from fuzzing.samples import command_frames, event_frames
from fuzzing.targets import AN_EVENING, TARGETS
from protocol.codes import rules_code
from protocol.events import Said
from protocol.framing import COMMAND_CAP, EVENT_CAP, frame
from protocol.numbers import Seat
from protocol.rules import PRESETS
from server.game.engine import new_deal
from server.journal.records import DealBegun, LineSaid, LobbyKept, LobbyRecord

MISSING = (
    "scripts/fuzz needs Atheris, which is not installed. It is for Linux and macOS:\n"
    "    .venv/bin/python -m pip install atheris\n"
    "or, where uv has made .venv and left no pip in it:\n"
    "    uv pip install --python .venv/bin/python atheris\n"
    "Without it, the tests throw 100,000 mutated frames: scripts/test tests/protocol/test_mutated_frames.py"
)
LONGEST = 8 * 1024  # bytes of one input


def main() -> int:
    """Replay one file, or fuzz until the time is over or something breaks; 2 without Atheris."""
    asked = read_arguments()
    if asked.replay is not None:
        return replay(asked.target, asked.replay)
    try:
        import atheris  # noqa: PLC0415 - optional
    except ImportError:
        print(MISSING, file=sys.stderr)
        return 2
    corpus = asked.corpus or Path(tempfile.mkdtemp(prefix=f"fuzz-{asked.target}-"))
    try:
        corpus.mkdir(parents=True, exist_ok=True)
        for number, seed in enumerate(seeds(asked.target)):
            (corpus / f"seed-{number}").write_bytes(seed)
    except OSError as fault:
        return complain(fault)
    print(f"corpus in {corpus}; what breaks {asked.target} is left in a file crash-... here")
    atheris.instrument_all()
    options = [f"-max_total_time={round(asked.minutes * 60)}", f"-max_len={LONGEST}"]
    atheris.Setup([sys.argv[0], str(corpus), *options], TARGETS[asked.target])
    atheris.Fuzz()
    return 0


def replay(target: str, path: Path) -> int:
    """Throw one file at a target: what breaks that is for whoever reads it."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        return complain(fault)
    TARGETS[target](data)
    print(f"{path}: {target} takes it")
    return 0


def complain(fault: OSError) -> int:
    """Say which file or folder cannot be used, and why."""
    print(f"scripts/fuzz: {fault.filename}: {fault.strerror}", file=sys.stderr)
    return 2


def seeds(target: str) -> list[bytes]:
    """What a target is first thrown: real frames, codes, records."""
    rng = Random(1)  # noqa: S311 - the same each time, on purpose
    commands, events = command_frames(rng, each=1), event_frames(rng, each=1)
    return {
        "to-server": commands,
        "to-client": events + AN_EVENING,
        "stream-to-server": [frame(body, COMMAND_CAP) for body in commands],
        "stream-to-client": [frame(body, EVENT_CAP) for body in events],
        "text": ["e\u0301\u0302\u0303 \x1b[2J \u202e \u200b".encode()],
        "rules": [code.encode() for code in (*PRESETS, *map(rules_code, PRESETS.values()))],
        "journal": _records(rng),
        "client": [b"\xff".join(AN_EVENING[at : at + 3]) for at in range(0, len(AN_EVENING), 3)],
    }[target]


def _records(rng: Random) -> list[bytes]:
    deal, _ = new_deal(RULES, SEATS, Seat(0), 1, rng)
    kept = (
        DealBegun(code=LOBBY.code, deal=deal),
        LobbyKept(code=LOBBY.code, lobby=LobbyRecord(state=LOBBY)),
        LineSaid(code=LOBBY.code, said=Said(name="Ann", text="well", line=1)),
    )
    return [msgspec.msgpack.encode(record) for record in kept]


if __name__ == "__main__":
    sys.exit(main())
