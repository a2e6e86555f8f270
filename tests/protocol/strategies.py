"""Examples without end: any message of the protocol, drawn from its own types and ranges."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy
from msgspec import Struct, inspect

from protocol.codec import COMMANDS, EVENTS
from protocol.commands import ClientMessage
from protocol.events import Event
from protocol.rules import SHORTEST_TURN_S, TableRules

MOST_ITEMS = 3  # of a tuple: enough to go wrong, few enough to be quick


def _turn_without_a_hole(fields: dict[str, Any]) -> TableRules:
    if 0 < fields["turn_s"] < SHORTEST_TURN_S:
        fields["turn_s"] = 0
    return TableRules(**fields)


def _struct(kind: inspect.StructType) -> SearchStrategy[Any]:
    fields = st.fixed_dictionaries({field.name: values_of(field.type) for field in kind.fields})
    if kind.cls is TableRules:
        return fields.map(_turn_without_a_hole)
    return fields.map(lambda values: kind.cls(**values))


def _tuple(kind: inspect.VarTupleType) -> SearchStrategy[Any]:
    most = min(kind.max_length or MOST_ITEMS, MOST_ITEMS)
    items = st.lists(values_of(kind.item_type), min_size=kind.min_length or 0, max_size=most)
    return items.map(tuple)


def _text(kind: inspect.StrType) -> SearchStrategy[str]:
    return st.text(min_size=kind.min_length or 0, max_size=min(kind.max_length or 20, 20))


_MADE_BY: dict[type[inspect.Type], Callable[[Any], SearchStrategy[Any]]] = {
    inspect.StructType: lambda kind: st.deferred(lambda: _struct(kind)),
    inspect.VarTupleType: _tuple,
    inspect.UnionType: lambda kind: st.one_of([values_of(part) for part in kind.types]),
    inspect.EnumType: lambda kind: st.sampled_from(list(kind.cls)),
    inspect.LiteralType: lambda kind: st.sampled_from(kind.values),
    inspect.IntType: lambda kind: st.integers(kind.ge, kind.le),
    inspect.StrType: _text,
    inspect.BytesType: lambda kind: st.binary(min_size=kind.min_length, max_size=kind.max_length),
    inspect.BoolType: lambda _: st.booleans(),
    inspect.NoneType: lambda _: st.none(),
}


def values_of(kind: inspect.Type) -> SearchStrategy[Any]:
    """Any value that a field of this type may hold."""
    return _MADE_BY[type(kind)](kind)


def any_of(kind: type[Struct]) -> SearchStrategy[Any]:
    """Any value of this struct."""
    return values_of(inspect.type_info(kind))


ANY_COMMAND: SearchStrategy[ClientMessage] = st.one_of([any_of(kind) for kind in COMMANDS.values()])
ANY_EVENT: SearchStrategy[Event] = st.one_of([any_of(kind) for kind in EVENTS.values()])
ANY_RULES: SearchStrategy[TableRules] = any_of(TableRules)
