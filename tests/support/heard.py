"""What the line-by-line client prints for what it is told, without a terminal."""

from client.plain.told import told
from client.state import ClientState
from client.store import AnyEvent, reduce


def lines(before: ClientState, *events: AnyEvent) -> list[str]:
    """All that is printed for these events."""
    printed: list[str] = []
    state = before
    for event in events:
        earlier, state = state, reduce(state, event, 10.0)
        printed.extend(told(earlier, event, state))
    return printed
