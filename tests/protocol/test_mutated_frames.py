"""100,000 frames that nobody meant to send: each is a message, or the one typed error."""

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fuzzing.evenings import frames_of_an_evening
from fuzzing.mutations import mutated
from fuzzing.samples import command_frames, event_frames
from fuzzing.targets import stream_to_client, stream_to_server, to_client, to_server
from protocol import codec
from protocol.codec import COMMANDS, EVENTS, decode_command, decode_event
from protocol.commands import ClientMessage
from protocol.errors import RemoteProtocolError
from protocol.framing import COMMAND_CAP, EVENT_CAP, frame

SEEDS = range(5)
EACH_WAY = 10_000  # frames of each seed
STREAMS = 300


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mutated_frame_to_the_server_is_a_message_or_the_one_typed_error(seed: int) -> None:
    rng = Random(seed)
    frames = command_frames(rng, each=5)
    outcomes: Counter[str] = Counter()

    for _ in range(EACH_WAY):
        body = mutated(rng.choice(frames), rng, frames)
        try:
            outcomes[type(decode_command(body)).__name__] += 1
        except RemoteProtocolError:
            outcomes["refused"] += 1

    assert outcomes["refused"] > EACH_WAY // 2
    assert len(outcomes) > len(COMMANDS) // 2  # mutations are not so wild that nothing gets through


@pytest.mark.parametrize("seed", SEEDS)
def test_a_command_read_at_once_is_what_is_read_of_it_pair_by_pair(seed: int) -> None:
    rng = Random(seed)
    frames = command_frames(rng, each=5)
    bodies = frames + [mutated(rng.choice(frames), rng, frames) for _ in range(EACH_WAY)]

    at_once = [outcome(decode_command, body) for body in bodies]

    assert at_once == [outcome(codec._read_pair_by_pair, body) for body in bodies]


def outcome(read: Callable[[bytes], ClientMessage], body: bytes) -> ClientMessage | None:
    """What is read, or None for the one typed error."""
    try:
        return read(body)
    except RemoteProtocolError:
        return None


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mutated_frame_to_the_client_is_an_event_or_the_one_typed_error(seed: int) -> None:
    rng = Random(seed)
    frames = event_frames(rng, each=4) + frames_of_an_evening(rng)
    outcomes: Counter[str] = Counter()

    for _ in range(EACH_WAY):
        body = mutated(rng.choice(frames), rng, frames)
        try:
            outcomes[type(decode_event(body)[1]).__name__] += 1
        except RemoteProtocolError:
            outcomes["refused"] += 1

    assert outcomes["refused"] > EACH_WAY // 2
    assert len(outcomes) > len(EVENTS) // 2


def test_the_corpus_has_frames_of_all_message_types() -> None:
    rng = Random(1)

    commands = {type(decode_command(body)) for body in command_frames(rng, each=1)}
    events = {type(decode_event(body)[1]) for body in event_frames(rng, each=1)}

    assert commands == set(COMMANDS.values())
    assert events == set(EVENTS.values())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_read_of_a_mutated_frame_is_read_again_as_it_was(seed: int) -> None:
    rng = Random(seed)
    commands = command_frames(rng, each=2)
    events = event_frames(rng, each=2)

    for _ in range(500):
        to_server(mutated(rng.choice(commands), rng, commands))
        to_client(mutated(rng.choice(events), rng, events))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mutated_stream_ends_in_the_one_typed_error_and_nothing_more_is_read(seed: int) -> None:
    rng = Random(seed)
    commands = [frame(body, COMMAND_CAP) for body in command_frames(rng, each=1)]
    events = [frame(body, EVENT_CAP) for body in event_frames(rng, each=1)]

    for _ in range(STREAMS):
        stream_to_server(mutated(b"".join(rng.sample(commands, 3)), rng, commands))
        stream_to_client(mutated(b"".join(rng.sample(events, 3)), rng, events))


@given(data=st.binary(max_size=200))
def test_any_bytes_at_all_are_read_or_refused(data: bytes) -> None:
    to_server(data)
    to_client(data)
    stream_to_server(data)
    stream_to_client(data)
