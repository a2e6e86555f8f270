"""A command line that complains in one sentence, says what was meant, and where to read on."""

import argparse
import re
from collections.abc import Sequence
from typing import Never

from client.exit_codes import USAGE

LIKELY = 0.7  # how like a word a mistyped one is
_CHOICE = re.compile(
    r"argument (?P<name>\S+): invalid choice: '?(?P<said>.*?)'? \(choose from (.*)\)"
)
_OPTION = re.compile(r"--[a-z][a-z-]+")
_UNKNOWN = re.compile(r"unrecognized arguments: (\S+)")
_MISSING = re.compile(r"the following arguments are required: (.*)")
_ARGUMENT = re.compile(r"argument ([^:]+): (.*)", re.DOTALL)


class Parser(argparse.ArgumentParser):
    """One whose mistakes are a sentence; argparse would put all the options before it."""

    kin: tuple[argparse.ArgumentParser, ...] = ()  # those of its commands
    words: Sequence[str] = ()  # that are being read; looked at only if they make no sense

    def options(self) -> list[str]:
        """Every option that its help, or that of its commands, names."""
        texts = (parser.format_help() for parser in (self, *self.kin))
        return sorted({option for text in texts for option in _OPTION.findall(text)})

    def error(self, message: str) -> Never:
        """Complain and end with 2; first of an option that there is not: what follows is no command."""
        options = self.options()
        unknown = unknown_option(self.words, options)
        text = in_a_sentence(f"unrecognized arguments: {unknown}" if unknown else message, options)
        self.exit(USAGE, f"{self.prog}: {text} {self.prog} --help has examples.\n")


def unknown_option(words: Sequence[str], options: Sequence[str]) -> str:
    """The first of the words that is meant as an option and is none, nor short for one."""
    for word in words:
        name = word.partition("=")[0]
        if name == "--":
            break
        if name.startswith("--") and not any(one.startswith(name) for one in options):
            return name
    return ""


def in_a_sentence(message: str, options: Sequence[str]) -> str:
    """What argparse complains of, for a person; with what was probably meant."""
    if wrong := _CHOICE.fullmatch(message):
        known = re.findall(r"[\w-]+", wrong[3])
        what = f"there is no command {wrong['said']}"
        if wrong["name"] != "COMMAND":
            what = f"{wrong['name']} cannot be {wrong['said']}"
        there_are = f" There are: {', '.join(known)}."
        return f"{what}.{meant(wrong['said'], known) or there_are}"
    if unknown := _UNKNOWN.match(message):
        if not unknown[1].startswith("-"):
            return f"{unknown[1]} is one word too many."
        return f"there is no option {unknown[1]}.{meant(unknown[1], options)}"
    if missing := _MISSING.fullmatch(message):
        return f"{missing[1]} is missing."
    about = _ARGUMENT.fullmatch(message)
    return f"{about[1]}: {about[2]}." if about else f"{message}."


def meant(said: str, known: Sequence[str]) -> str:
    """A question with the words that are like it; empty if none is."""
    import difflib  # noqa: PLC0415 - only a typing mistake needs it

    near = difflib.get_close_matches(said.casefold(), known, n=2, cutoff=LIKELY)
    return f" Did you mean {' or '.join(near)}?" if near else ""
