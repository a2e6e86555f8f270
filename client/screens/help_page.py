"""The help: the game as this table plays it, and the keys as they are bound now."""

from collections.abc import Iterator

from client.screens.frame import Frame, KeyGroup
from client.screens.parts.bars import key_bar, title_bar
from client.screens.parts.cells import BLANK, Line, Page, pad, plain, sized, wrapped
from client.screens.rule_options import differing
from protocol.rules import CLASSIC, TableRules

FIXED = 3
KEY_CELLS = 14

GAME = """\
Get rid of all your cards. In turn, lay cards face down and say how many they are of the rank asked
for. Lie if you like. Anyone may doubt until the bar runs out, and after it until the next cards go
down; the first doubt that reaches the server counts, and pays if the play was true.

A lie: the player takes the pile. The truth: the first doubter takes it. Last cards wait until
nobody can doubt them any more; then that player is out and has won."""


def help_page(frame: Frame) -> Page:
    """One page of it."""
    lines = help_lines(frame)
    rows = frame.rows - FIXED
    pages = max(1, -(-len(lines) // rows))
    page = min(frame.desk.page, pages - 1)
    where = f"page {page + 1} of {pages}"
    head = (title_bar(("Facedown", "help"), (where,), frame.columns), BLANK)
    shown = sized((*head, *lines[page * rows : (page + 1) * rows]), frame.columns, frame.rows - 1)
    return (*shown, key_bar(frame.keys, frame.columns))


def help_lines(frame: Frame) -> tuple[Line, ...]:
    """Everything, page after page."""
    lobby = frame.state.lobby
    width = frame.columns - 6
    return (
        plain("   THE GAME", "class:head"),
        *_paragraphs(tuple(GAME.split("\n\n")), width),
        *rules_lines(lobby.rules if lobby else CLASSIC, width),
        *[line for group in frame.help for line in group_lines(group)],
    )


def _paragraphs(texts: tuple[str, ...], width: int) -> Iterator[Line]:
    for text in texts:
        yield from (plain(f"   {line}") for line in wrapped(text, width))


def rules_lines(rules: TableRules, width: int) -> tuple[Line, ...]:
    """What is different at this table, with the clauses."""
    options = differing(rules)
    head = plain("   AT THIS TABLE", "class:head")
    if not options:
        return (BLANK, head, plain("   The main game, with nothing changed."), BLANK)
    texts = tuple(
        f"{option.label}: {option.words(getattr(rules, option.field))} ({option.clause}). {option.about}"
        for option in options
    )
    return (BLANK, head, *_paragraphs(texts, width), BLANK)


def group_lines(group: KeyGroup) -> Iterator[Line]:
    """One group of keys."""
    yield plain(f"   {group.name}", "class:head")
    for key in group.keys:
        yield (("class:key", f"     {pad(key.label, KEY_CELLS)}"), ("", f" {key.does}"))
    yield BLANK
