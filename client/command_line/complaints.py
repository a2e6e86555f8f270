"""A command line that complains in one sentence, says what was meant, and where to read on."""

import argparse
import contextlib
import re
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Never

from client.exit_codes import USAGE

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

LIKELY = 0.7  # how like a word a mistyped one is
INSTEAD = {
    "learn": "facedown play --tutorial",
    "practice": "facedown play",
    "practise": "facedown play",
    "server": "facedown-server",
    "tutorial": "facedown play --tutorial",
    "version": "facedown --version",
}
"""What is no command, and what does it."""
_ADDRESS = re.compile(r".*[.:/].*|localhost")
_CODE = re.compile(r"[A-Za-z]{3}-?[0-9]{2,}(-?[A-Za-z]{4})?")
_CHOICE = re.compile(
    r"argument (?P<name>\S+): invalid choice: '?(?P<said>.*?)'? \(choose from (.*)\)"
)
_UNKNOWN = re.compile(r"unrecognized arguments: (\S+)")
_MISSING = re.compile(r"the following arguments are required: (.*)")
_ARGUMENT = re.compile(r"argument ([^:]+): (.*)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """One whose mistakes are a sentence; argparse would put all the options before it."""

    commands: Mapping[str, "Parser"] = {}
    words: Sequence[str] = ()  # the words being read; looked at only if they make no sense

    @property
    def options(self) -> set[str]:
        """Its own options, without those of its commands."""
        return {option for option in self._option_string_actions if option.startswith("--")}

    def print_help(self, file: "SupportsWrite[str] | None" = None) -> None:
        """Print the help; argparse would not mind if it could not be printed."""
        (file or sys.stdout).write(self.format_help())

    def error(self, message: str) -> Never:
        """Complain and end with 2; first of an option out of place: what follows it is no command."""
        own = {name: command.options for name, command in self.commands.items()}
        every = sorted(self.options.union(*own.values()))
        text = misplaced(self.words, self.options, own)
        if not text:
            text = rules_astray(self.words, own) or place_astray(self.words)
        if not text:
            unknown = unknown_option(self.words, every)
            text = in_a_sentence(
                f"unrecognized arguments: {unknown}" if unknown else message, every
            )
        self.exit(USAGE, f"{self.prog}: {text} {self.prog} --help has examples.\n")


def misplaced(
    words: Sequence[str], common: Collection[str], own: Mapping[str, Collection[str]]
) -> str:
    """Where the first option belongs that stands where it is none; empty if there is no such option.

    The `common` ones may stand before the command; each command has its `own`.
    """
    command = next((word for word in words if word in own), "")
    before = words.index(command) if command else len(words)
    for place, name in enumerate(word.partition("=")[0] for word in words):
        if name == "--":
            break
        if not name.startswith("--") or (place < before and _is_among(name, common)):
            continue
        fitting = [each for each in own if _is_among(name, own[each])]
        if command not in fitting and fitting:
            return f"{name} goes with {' or '.join(fitting)}."
        if command in fitting and place < before:
            return f"{name} stands behind {command}."
        if command and not fitting and _is_among(name, common):
            return f"{name} stands before {command}."
    return ""


def rules_astray(words: Sequence[str], own: Mapping[str, Collection[str]]) -> str:
    """Where rules belong that stand behind a command with an option for them; empty if none do."""
    from protocol.codes import BadRulesCode, parse_rules  # noqa: PLC0415 - only for a mistake

    command = next((word for word in words if word in own), "")
    behind = words[words.index(command) + 1 :] if command else ()
    if "--rules" not in own.get(command, ()) or not behind or behind[0].startswith("-"):
        return ""
    with contextlib.suppress(BadRulesCode):
        parse_rules(behind[0])
        return f"rules stand behind --rules: facedown {command} --rules {behind[0]}."
    return ""


def place_astray(words: Sequence[str]) -> str:
    """Where a port or a lobby belongs that stands apart from its server; empty if none does."""
    match words:
        case ["host", port] if port.isdecimal():
            return f"a port stands behind --port: facedown host --port {port}."
        case ["join", where, port] if port.isdecimal() and not set(":/") & set(where):
            return f"a port stands behind a colon: facedown join {where}:{port}."
        case ["join", where, code] if _CODE.fullmatch(code) and "/" not in where:
            return f"a lobby stands behind a slash: facedown join {where}/{code}."
        case _:
            return ""


def _is_among(name: str, options: Collection[str]) -> bool:
    """Whether this is one of them, or short for one."""
    return any(option.startswith(name) for option in options)


def unknown_option(words: Sequence[str], options: Sequence[str]) -> str:
    """The first of the words that is meant as an option and is none, nor short for one."""
    for word in words:
        name = word.partition("=")[0]
        if name == "--":
            break
        if name.startswith("--") and not _is_among(name, options):
            return name
    return ""


def in_a_sentence(message: str, options: Sequence[str]) -> str:
    """What argparse complains of, for a person; with what was probably meant."""
    if wrong := _CHOICE.fullmatch(message):
        known = re.findall(r"[\w-]+", wrong[3])
        there_are = f" There are: {', '.join(known)}."
        if wrong["name"] == "COMMAND":
            better = instead(wrong["said"]) or meant(wrong["said"], known)
            return f"there is no command {wrong['said']}.{better or there_are}"
        return (
            f"{wrong['name']} cannot be {wrong['said']}.{meant(wrong['said'], known) or there_are}"
        )
    if unknown := _UNKNOWN.match(message):
        if not unknown[1].startswith("-"):
            return f"{unknown[1]} is one word too many."
        return f"there is no option {unknown[1]}.{meant(unknown[1], options)}"
    if missing := _MISSING.fullmatch(message):
        return f"{missing[1]} is missing."
    about = _ARGUMENT.fullmatch(message)
    return f"{about[1]}: {about[2]}." if about else f"{message}."


def instead(said: str) -> str:
    """A question with the command line that does what this word asks for; empty if none is known."""
    join = f"facedown join {said}" if _ADDRESS.fullmatch(said) else ""
    better = INSTEAD.get(said.casefold(), join)
    return f" Did you mean {better}?" if better else ""


def meant(said: str, known: Sequence[str], spelled: Callable[[str], str] = str) -> str:
    """A question with the words that are like it, as they are `spelled`; empty if none is."""
    import difflib  # noqa: PLC0415 - only a typing mistake needs it

    near = difflib.get_close_matches(said.casefold(), known, n=2, cutoff=LIKELY)
    return f" Did you mean {' or '.join(map(spelled, near))}?" if near else ""
