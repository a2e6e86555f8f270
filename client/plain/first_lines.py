"""The questions of the first start, line by line; Enter gives the sensible answer to each."""

from collections.abc import Callable

from msgspec import Struct

from client.kept.config import valid_name
from client.start.first_run import FirstRun, Step
from protocol.refusals import Refusal, explained
from protocol.text import is_a_name

Ask = Callable[[str], str]
"""Prints a question and returns the line that is typed; raises EOFError at the end of the input."""

NO = {"n", "no"}


class Answers(Struct, frozen=True, kw_only=True):
    """What a person has said at their first start."""

    name: str
    learn: bool = False


def questions(first: FirstRun, name: str, ask: Ask, say: Callable[[str], object]) -> Answers:
    """Ask them all; `name` is the one that Enter takes."""
    answers = Answers(name=name)
    say("WELCOME: Facedown is the card game BS, also known as Cheat and I Doubt It.")
    try:
        for step in first.steps:
            if step in _ASKERS:  # suits are said in words here
                answers = _ASKERS[step](answers, ask, say)
    except EOFError:  # nobody there to answer: the sensible answers stand
        say("")
    return answers


def _name(answers: Answers, ask: Ask, say: Callable[[str], object]) -> Answers:
    default = valid_name(answers.name)
    while True:
        typed = ask(f"NAME: what is your name at the table? Enter takes {default}. ").strip()
        if not typed or is_a_name(typed):
            return Answers(name=typed or default)
        say(f"NO: {explained(Refusal.BAD_NAME).sentence}")


def _lessons(answers: Answers, ask: Ask, _: Callable[[str], object]) -> Answers:
    typed = ask("LEARN: learn the game in about three minutes? Enter for yes, n for no. ")
    learn = typed.strip().casefold() not in NO
    return Answers(name=answers.name, learn=learn)


_ASKERS = {Step.NAME: _name, Step.LESSONS: _lessons}
