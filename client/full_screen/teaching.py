"""How the full screen teaches: the lesson of the moment, and what the tutorial asks of its table."""

from msgspec.structs import replace

from client.screens.desk import Desk
from client.start.opening import Plan, to_learn
from client.state import ClientState
from protocol.commands import AnyCommand


def taught(desk: Desk, state: ClientState, plan: Plan) -> tuple[Desk, AnyCommand | None]:
    """The desk with the lesson of the moment, and what the tutorial asks of its table."""
    if desk.tutorial is None or plan.steps:
        return desk, None
    from client.lessons.tutorial import asks, follow  # noqa: PLC0415 - few people take lessons

    tutorial, command = asks(follow(desk.tutorial, state), state)
    return replace(desk, tutorial=tutorial), command


def with_lessons(desk: Desk) -> Desk:
    """The desk with all lessons ahead."""
    from client.lessons.tutorial import Tutorial  # noqa: PLC0415 - the same

    return replace(desk, tutorial=Tutorial())


def learning(desk: Desk) -> tuple[Plan, Desk]:
    """What is to be done for the tutorial, and the desk it begins with."""
    from client.lessons.tutorial import RULES  # noqa: PLC0415 - the same

    return to_learn(RULES), with_lessons(desk)
