"""The first start: three questions, asked once, each with an answer that Enter gives. Pure."""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace

ANSWERED = ("name", "ascii")
"""The settings that are asked for, and kept."""


class Step(StrEnum):
    """The questions, in their order."""

    NAME = "name"
    SUITS = "suits"
    LESSONS = "lessons"


class FirstRun(Struct, frozen=True, kw_only=True):
    """Where the questions stand. The answers themselves are on the desk."""

    step: Step = Step.NAME
    offers_lessons: bool = True  # false for somebody who is on the way to friends

    @property
    def steps(self) -> tuple[Step, ...]:
        """The questions that are asked."""
        return tuple(Step) if self.offers_lessons else (Step.NAME, Step.SUITS)

    @property
    def is_last(self) -> bool:
        """Whether this is the last question."""
        return self.step is self.steps[-1]


def next_step(first: FirstRun) -> FirstRun | None:
    """With the next question; None after the last."""
    place = first.steps.index(first.step) + 1
    return replace(first, step=first.steps[place]) if place < len(first.steps) else None


def step_back(first: FirstRun) -> FirstRun:
    """With the question before, or still the first."""
    return replace(first, step=first.steps[max(0, first.steps.index(first.step) - 1)])
