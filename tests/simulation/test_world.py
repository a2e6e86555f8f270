"""Time in the simulation goes on and never back: else a call could come after its own ruling."""

import pytest

from tests.simulation.world import SECOND, World


@pytest.mark.parametrize("fault", ["be_busy", "stop"])
def test_time_ran_backwards_when_the_server_stood_still_in_a_call_to_its_kernel(fault: str) -> None:
    world = World("a call to the kernel")
    world.after(10, lambda: getattr(world, fault)(5 * SECOND))

    world.creep(20)

    assert world.now == 5 * SECOND + 10
    assert world.current_time() * SECOND == pytest.approx(world.loop_us(world.now))
