"""The rules of a table for whoever asks: in full, or option by option. Pure lines."""

from collections.abc import Iterator

from msgspec.structs import replace

from client import selectors
from client.rule_bundles import CHOICES
from client.rule_sheet.sheet import rule_sheet
from client.state import ClientState
from protocol.codes import rules_code
from protocol.rules import PRESETS


def sheet_lines(state: ClientState) -> Iterator[str]:
    """The rule sheet of the deal that runs, or else of the lobby (RULES D7)."""
    for line in rule_sheet(selectors.rules_here(state)):
        if line:
            yield f"RULES: {line}"
    if then := selectors.rules_to_come(state):
        yield f"RULES: the next deal has other rules: {rules_code(then)}."


def option_lines(state: ClientState) -> Iterator[str]:
    """Every option as it is in the deal that runs, or else in the lobby, with its clause (RULES B)."""
    if state.lobby is None:
        yield "OPTION: you are not in a lobby."
        return
    lobby = replace(state.lobby, rules=selectors.rules_here(state))
    for option in CHOICES:
        yield f"OPTION: {option.label}: {option.text(lobby)}. {option.about_now(lobby)}"
    then = selectors.rules_to_come(state)
    later = f"; the next deal has {rules_code(then)}" if then else ""
    code = rules_code(lobby.rules)
    yield f"OPTION: the code of all this is {code}{later}. Change it: rules CODE."
    yield f"OPTION: a code may begin with a preset: {', '.join(PRESETS)}."
