"""What holds for every test: how Hypothesis looks for counter-examples, and that nothing is left."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.processes import kill_what_is_left

# A slow machine is no failure, so there is no deadline. In CI the same examples are tried on every
# run, so that a change is judged by what it changed; at a desk each run looks further.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

# A script that starts the tests in its background makes them ignore Ctrl-C, and with them every process
# that they start, also those that a test ends by Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _nothing_is_left_running() -> Iterator[None]:
    yield
    kill_what_is_left()
