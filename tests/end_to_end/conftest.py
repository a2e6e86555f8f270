"""The box that all tests of SSH share: setting it up takes as long as ten of them."""

from collections.abc import Iterator

import pytest

from tests.support.ssh_box import Box, a_box, wait_until


@pytest.fixture(scope="package")
def shared_box() -> Iterator[Box]:
    with a_box() as it:
        yield it


@pytest.fixture
def box(shared_box: Box) -> Iterator[Box]:
    """The box; no program of a guest is left on it once a test has ended its sessions."""
    yield shared_box
    wait_until(lambda: not shared_box.processes(), "a guest's program is still there")
