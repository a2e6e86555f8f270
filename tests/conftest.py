"""What holds for every test: how Hypothesis looks for counter-examples, nobody's settings, nothing left."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.support.homes import folders, forget_settings
from tests.support.processes import kill_what_is_left

# A slow machine is no failure, so there is no deadline. In CI the same examples are tried on every
# run, so that a change is judged by what it changed; at a desk each run looks further.
settings.register_profile("desk", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "desk")

# A script that starts the tests in its background makes them ignore Ctrl-C, and with them every process
# that they start, also those that a test ends by Ctrl-C.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session", autouse=True)
def _nobody_is_at_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Whoever runs the tests has settings of their own, which are none of the tests' business."""
    with pytest.MonkeyPatch.context() as patch:
        forget_settings(patch)
        for name, folder in folders(tmp_path_factory.mktemp("nobody")).items():
            patch.setenv(name, folder)
        yield


@pytest.fixture(autouse=True)
def _nothing_is_left_running() -> Iterator[None]:
    yield
    kill_what_is_left()
