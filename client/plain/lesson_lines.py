"""The tutorial line by line: how a lesson is told, and what a typed line does while one is open. Pure."""

from client.lessons.due import Explanation
from client.lessons.tutorial import Tutorial, again, skipped, turned

GO_ON = "LESSON: Enter goes on, skip ends the lessons."
ENTER = {"", "go", "g"}  # go goes on after a ruling: here, too, it means just that
SKIP = "skip"
AGAIN = "lessons"
SKIPPED = "LESSON: no more of them. lessons has them again."


def lesson_lines(told: Explanation) -> tuple[str, ...]:
    """A lesson that has just opened."""
    return (f"LESSON: {told.title}. {told.text}", GO_ON)


def heard(tutorial: Tutorial, line: str) -> tuple[Tutorial, str | None]:
    """What a typed line makes of the tutorial, and the line if it is still to be obeyed.

    Whoever types something else than Enter has understood, and means it.
    """
    word = line.strip().casefold()
    if word == AGAIN:
        return again(tutorial), None
    if word == SKIP and not tutorial.over:
        return skipped(tutorial), None
    if tutorial.open is None:
        return tutorial, line
    return turned(tutorial), None if word in ENTER else line
