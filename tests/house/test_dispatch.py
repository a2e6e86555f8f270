"""Tables that choose a function by type: each function takes what it is filed under."""

from collections.abc import Callable, Mapping
from inspect import signature
from typing import Any, get_args

import pytest

from client.steps import deal, link, lobby
from protocol import commands as c
from protocol import views
from server.game.engine import LAWS
from server.lobby import commands as lobby_commands
from server.table import commands as table_commands

HANDLERS = table_commands._HANDLERS | lobby_commands._HANDLERS
WHY_NOTS = {kind: law.why_not for kind, law in LAWS.items()}
ACTS = {kind: law.step for kind, law in LAWS.items()}


def misfiled(table: Mapping[Any, Callable[..., Any]], place: int) -> list[str]:
    """Name the functions whose parameter at this place is not of the type they are filed under."""
    return [
        f"{kind.__name__}: {function.__name__}"
        for kind, function in table.items()
        if not issubclass(kind, kinds_taken(function, place))
    ]


def kinds_taken(function: Callable[..., Any], place: int) -> tuple[Any, ...]:
    """List the types that the parameter at this place may have."""
    annotation = tuple(signature(function).parameters.values())[place].annotation
    return get_args(annotation) or (annotation,)


@pytest.mark.parametrize(
    ("table", "place"),
    [
        pytest.param(HANDLERS, -1, id="commands"),
        pytest.param(WHY_NOTS, 1, id="why not an action"),
        pytest.param(ACTS, 1, id="actions"),
        pytest.param(views._STEPS, 1, id="public events"),
        pytest.param(deal.STEPS, 1, id="the client's deal"),
        pytest.param(link.STEPS, 1, id="the client's link"),
        pytest.param(lobby.STEPS, 1, id="the client's lobby"),
    ],
)
def test_each_takes_what_it_is_filed_under(
    table: Mapping[Any, Callable[..., Any]], place: int
) -> None:
    assert misfiled(table, place) == []


def test_a_function_under_a_wrong_type_is_found() -> None:
    assert misfiled({c.Pass: table_commands._let_go_of}, -1) == ["Pass: _let_go_of"]


def test_every_command_has_a_handler() -> None:
    at_the_table, in_a_lobby = set(table_commands._HANDLERS), set(lobby_commands._HANDLERS)

    assert at_the_table == set(get_args(c.TableCommand))
    assert in_a_lobby >= {*get_args(c.LobbyCommand), *get_args(c.HallCommand)}
