"""The help: the game as this table plays it, and the keys as they are bound now."""

from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile

from client import selectors
from client.rule_options import differing
from client.screens.frame import Frame, KeyGroup
from client.screens.parts.cells import BLANK, Line, Page, pad, plain, text_of, wrapped
from client.screens.titled import titled
from protocol.codes import rules_code
from protocol.numbers import MIN_SEATS
from protocol.rules import Challengers, ChallengeUntil, TableRules

FIXED = 4  # rows for title, gap, what the table is doing, keys
KEY_CELLS = 12
ENTRY_INDENT = 5  # what goes on below an entry stands further in

GAME = """\
Get rid of all your cards. In turn, lay cards face down and say how many they are of the rank asked
for. Lie if you like. {who} {until}; {first} pays if the play was true.

A lie: the player takes the pile. The truth: {doubter} takes it. Last cards wait until
nobody can doubt them any more; then that player is out{won}.

For example twos are due: the keys {example}, a bluff."""
TWO_CARDS = '2 7 Enter lay a two and a seven and say "2 twos"'
ONE_CARD = '7 Enter lay a seven and say "1 two"'
UNTIL_BAR = "may doubt until the bar runs out, and after it until the next cards go down"
UNTIL_NEXT = "may doubt until the next cards go down"
UNTIL_PICK_UP = "may doubt any play as long as it lies in the pile (B: an older one)"
NEXT_UNTIL_PICK_UP = "was next when it was laid may doubt a play as long as it lies in the pile (B)"


def help_page(frame: Frame) -> Page:
    """One page of it."""
    pages = help_pages(frame)
    page = min(frame.desk.page, len(pages) - 1)
    where = f"page {page + 1} of {len(pages)}"
    return titled(frame, "help", (BLANK, *pages[page]), where=where)


def help_pages(frame: Frame) -> tuple[Page, ...]:
    """Everything: the game and what is different here, the keys, and the whole rule sheet."""
    width = frame.columns - 6
    keys = [line for group in frame.help for line in group_lines(group, width)]
    parts = (game_lines(frame, width), keys, sheet_lines(frame, width))
    return tuple(page for part in parts for page in _in_pages(frame, part))


def _in_pages(frame: Frame, lines: Sequence[Line]) -> Iterator[Page]:
    rows, left = frame.rows - FIXED, tuple(lines)
    while any(left):  # a gap at the end of a part may be all that is left of it
        end = _end_of_page(left, rows)
        yield left[:end]
        left = tuple(dropwhile(lambda line: not line, left[end:]))


def _end_of_page(lines: Sequence[Line], rows: int) -> int:
    """Where a page ends that is not the last: low down, at a gap, or else before a new entry."""
    if len(lines) <= rows:
        return len(lines)
    low_down = range(rows, rows * 2 // 3, -1)
    gaps = (end for end in low_down if not (lines[end - 1] and lines[end]))
    entries = (end for end in low_down if _indent(lines[end]) <= ENTRY_INDENT)
    return next(chain(gaps, entries), rows)


def _indent(line: Line) -> int:
    text = text_of(line)
    return len(text) - len(text.lstrip())


def game_lines(frame: Frame, width: int) -> tuple[Line, ...]:
    """The game, and what is different at this table if there is one."""
    rules, then = selectors.rules_here(frame.state), selectors.rules_to_come(frame.state)
    others = () if then is None else (f"The next deal has other rules: {rules_code(then)}.",)
    return (
        plain("   THE GAME", "class:head"),
        *_paragraphs(tuple(game_text(rules, _players(frame)).split("\n\n")), width),
        *(rules_lines(rules, width, others) if frame.state.lobby else (BLANK,)),
    )


def game_text(rules: TableRules, players: int = 0) -> str:
    """The game in short, as these rules have it for so many players (0: for many)."""
    third = players != MIN_SEATS  # between two nothing waits for another (RULES C4)
    who, until = _doubters(rules, waits=rules.cards_wait and third)
    several = third and not rules.one_may_doubt
    return GAME.format(
        who=who,
        until=until,
        first="the first doubt that reaches the server counts, and" if several else "a doubt",
        doubter="the first doubter" if several else "the doubter",
        example=ONE_CARD if rules.max_cards == 1 else TWO_CARDS,
        won=", and the others play on for places" if rules.play_on else " and has won",
    )


def _players(frame: Frame) -> int:
    """How many play here, or will (0: nobody knows yet)."""
    table, lobby = selectors.public(frame.state), frame.state.lobby
    if table is not None and selectors.dealing(frame.state):
        return len(table.seats_in)
    return len(lobby.seats) if lobby else 0


def _doubters(rules: TableRules, *, waits: bool) -> tuple[str, str]:
    """Who may doubt, and until when (RULES B13, B14, B17, C4)."""
    only_next = rules.challengers is Challengers.NEXT_PLAYER
    if rules.challenge_until is ChallengeUntil.PICK_UP:
        return ("Only who", NEXT_UNTIL_PICK_UP) if only_next else ("Anyone", UNTIL_PICK_UP)
    who = "Only the next player" if only_next else "Anyone"
    return who, UNTIL_BAR if waits else UNTIL_NEXT


def sheet_lines(frame: Frame, width: int) -> tuple[Line, ...]:
    """The rule sheet of this table, with the clauses."""
    from client.rule_sheet.sheet import rule_sheet  # noqa: PLC0415 - the first page does not wait for it

    lines: list[Line] = []
    for text in rule_sheet(selectors.rules_here(frame.state)):
        if not text.startswith(" "):
            heads = [plain(f"   {line}", "class:head") for line in wrapped(text, width)]
            lines.extend(heads or [BLANK])
            continue
        first, *more = wrapped(text.strip(), width - 4)
        lines.extend((plain(f"     {first}"), *(plain(f"       {line}") for line in more)))
    return tuple(lines)


def _paragraphs(texts: tuple[str, ...], width: int) -> Iterator[Line]:
    for text in texts:
        yield from (plain(f"   {line}") for line in wrapped(text, width))


def rules_lines(rules: TableRules, width: int, others: tuple[str, ...]) -> tuple[Line, ...]:
    """What is different at this table, with the clauses, and what will be."""
    texts = tuple(
        f"{option.label}: {option.words(getattr(rules, option.field))} ({option.clause}). "
        f"{option.meaning(rules)}"
        for option in differing(rules)
    )
    same = () if texts else ("The main game, with nothing changed.",)
    head = plain("   AT THIS TABLE", "class:head")
    return (BLANK, head, *_paragraphs((*same, *texts, *others), width), BLANK)


def group_lines(group: KeyGroup, width: int) -> Iterator[Line]:
    """One group of keys; long explanations go on below themselves."""
    yield plain(f"   {group.name}", "class:head")
    for key in group.keys:
        first, *more = wrapped(key.does, width - KEY_CELLS)
        yield (("class:key", f"     {pad(key.label, KEY_CELLS)}"), ("", f" {first}"))
        yield from (plain(f"     {pad('', KEY_CELLS)} {text}") for text in more)
    yield BLANK
