"""The result of a deal: places, deals won, and the confession (RULES A16, B22, B24)."""

from collections.abc import Iterator
from itertools import chain

from client import selectors
from client.moments import best_moments, remarks
from client.screens.advice import foot_lines
from client.screens.frame import Frame
from client.screens.link import link_text
from client.screens.parts.bars import key_bar, title_bar
from client.screens.parts.cells import BLANK, Line, Page, apart, cells, pad, plain, sized, wrapped
from client.screens.parts.seats import name_cells
from client.screens.talk import talk_lines
from client.stats import Confessed, SeatStats, confessed
from client.words import HOST_AWAY, cards, name_of, place, played_on, why_over
from protocol import events as e
from protocol.codes import rules_code
from protocol.numbers import Seat
from protocol.text import MAX_NAME, clean
from protocol.views import TableView

TALK_ROWS = 2
GAP = 4  # between what ended the deal and the match, and at both ends
WITH_BEST = 72  # columns from which the best moments are shown, if there is room for all of them
BEST = "best moment"
BESIDE_BEST = 34  # cells of a line of the confession without the name and the best moment


def result_page(frame: Frame) -> Page:
    """The whole page."""
    view = frame.state.table
    if view is None or view.table.outcome is None:
        return sized((), frame.columns, frame.rows)
    foot = foot_lines(frame, rematch_text(frame))
    rows = frame.rows - len(foot) - 1
    body = (title(frame), *body_lines(frame, view, view.table.outcome, rows - TALK_ROWS - 1))
    talk_rows = min(TALK_ROWS, max(0, rows - len(body)))
    talk = talk_lines(frame, talk_rows)
    lines = (
        *sized(body, frame.columns, rows - talk_rows),
        *talk,
        *[BLANK] * (talk_rows - len(talk)),
        *foot,
        key_bar(frame.keys, frame.columns),
    )
    return sized(lines, frame.columns, frame.rows)


def body_lines(frame: Frame, view: TableView, over: e.DealOver, rows: int) -> tuple[Line, ...]:
    """Places and confession one below the other, or in one table where that does not fit."""
    told = confessed(view)
    remarks = remark_lines(frame, view, told)
    full = (
        *place_lines(frame, view, over),
        frame.skin.rule(frame.columns),
        *confession_lines(frame, view, told),
    )
    if len(full) + len(remarks) <= rows:
        return (*full, *remarks)
    compact = (*compact_lines(view, over, told), *remarks)
    head = head_lines(frame, view, over)
    fits = len(head) + len(compact) <= rows + TALK_ROWS  # talk takes only what is left
    return (*(head if fits else _match_line(frame)), *compact)


def title(frame: Frame) -> Line:
    """Lobby and link."""
    code = clean(selectors.lobby_code(frame.state))
    winner = frame.state.lobby.match_winner if frame.state.lobby else None
    won = f"{clean(winner)} WINS THE MATCH" if winner else "deal over"
    return title_bar(("Facedown", code, won), (link_text(frame), frame.state.name), frame.columns)


def place_lines(frame: Frame, view: TableView, over: e.DealOver) -> tuple[Line, ...]:
    """The seats by place, with what they had left; the match stands at the right."""
    lines = [_place_lines(frame, view, over, Seat(seat)) for seat in in_order(over)]
    return (*head_lines(frame, view, over), *chain.from_iterable(lines))


def head_lines(frame: Frame, view: TableView, over: e.DealOver) -> tuple[Line, ...]:
    """What ended the deal, the code of its rules, and the match (RULES B21, B22, B25)."""
    rules = view.table.rules
    text = f"{why_over(over.reason, rules)}; rules {rules_code(rules)}"
    match = match_text(frame)
    if cells(text + match) + GAP <= frame.columns:
        return (apart(plain(f" {text}", "class:dim"), plain(f"{match} "), frame.columns),)
    lines = [plain(f" {line}", "class:dim") for line in wrapped(text, frame.columns - 2)]
    return (*lines, *_match_line(frame))


def _match_line(frame: Frame) -> Iterator[Line]:
    """The match below what ended the deal, if there is one."""
    for line in wrapped(match_text(frame), frame.columns - 2):
        yield plain(f" {line}", "class:dim")


def _place_lines(frame: Frame, view: TableView, over: e.DealOver, seat: Seat) -> Iterator[Line]:
    """One seat; that a computer played on for it goes below where the line is too short."""
    left = "out" if not over.cards[seat] else cards(over.cards[seat])
    you = "  <- you" if seat == view.you else ""
    note = f"  ({by})" if (by := played_on(view, seat)) else ""
    style = "class:first" if over.places[seat] == 1 else "class:you" if you else ""
    width = MAX_NAME if frame.columns >= WITH_BEST else name_cells(view.table)
    text = f"   {place(over.places[seat]):<4} {pad(name_of(view.table, seat), width)} {left}{you}"
    fits = cells(text + note) <= frame.columns
    yield plain(text + note if fits else text, style)
    if not fits:
        yield plain(f"{'':<8}{note.strip()}", style)


def match_text(frame: Frame) -> str:
    """Deals won so far, and how many win the match that was played (RULES B22)."""
    lobby, view = frame.state.lobby, frame.state.table
    if lobby is None or view is None:
        return ""
    to_win = view.table.rules.match_wins  # the lobby's are of the next deal (RULES D7)
    wins = [f"{clean(seat.name)} {seat.wins}" for seat in lobby.seats if seat.wins]
    goal = f"the match goes to {to_win}" if to_win > 1 else ""
    return "   ".join(part for part in (f"won: {', '.join(wins)}" if wins else "", goal) if part)


def confession_lines(frame: Frame, view: TableView, told: Confessed) -> tuple[Line, ...]:
    """Who lied, who doubted, and the moments worth telling."""
    name_width = name_cells(view.table)
    name = "THE CONFESSION" if told.complete else "WHAT WAS SHOWN"
    best = best_moments(told)
    longest = max(cells(text) for text in (BEST, *best.values()))
    space = frame.columns - BESIDE_BEST - longest
    least = max(name_width + 4, cells(name))
    wide = frame.columns >= WITH_BEST and space >= least  # a time that is cut off is another one
    lead = max(least, min(name_width + 13, space)) if wide else least
    head = f" {pad(name, lead + 2)}lies  caught   doubts  right   {BEST if wide else ''}"
    best = best if wide else {}
    table = [
        _seat_line(view, Seat(seat), stats, best.get(Seat(seat), ""), lead)
        for seat, stats in enumerate(told.seats)
    ]
    return (plain(head, "class:head"), *table)


def remark_lines(frame: Frame, view: TableView, told: Confessed) -> tuple[Line, ...]:
    """What else there is to tell, in as many lines as it takes."""
    return tuple(
        plain(f"   {line}", "class:notice")
        for text in remarks(view, told)
        for line in wrapped(text, frame.columns - 4)
    )


def compact_lines(view: TableView, over: e.DealOver, told: Confessed) -> tuple[Line, ...]:
    """Places and confession in one table."""
    width = max(14, name_cells(view.table))
    head = plain(f" {pad('', width + 6)} cards  lies caught  doubts right", "class:head")
    lines = [
        _compact_line(view, over, Seat(seat), told.seats[seat], width) for seat in in_order(over)
    ]
    return (head, *lines)


def _compact_line(
    view: TableView, over: e.DealOver, seat: Seat, stats: SeatStats, width: int
) -> Line:
    name = pad(name_of(view.table, seat), width)
    left = "out" if not over.cards[seat] else str(over.cards[seat])
    numbers = f"{stats.lies:>5} {stats.caught:>6}  {stats.doubts:>6} {stats.right:>5}"
    style = "class:first" if over.places[seat] == 1 else "class:you" if seat == view.you else ""
    mark = ">" if seat == view.you else " "
    return plain(f" {mark}{place(over.places[seat]):<4} {name} {left:>5} {numbers}", style)


def in_order(over: e.DealOver) -> list[int]:
    """The seats by place."""
    return sorted(range(len(over.places)), key=lambda seat: (over.places[seat], seat))


def _seat_line(view: TableView, seat: Seat, stats: SeatStats, best: str, lead: int) -> Line:
    name = pad(name_of(view.table, seat), lead - 1)
    numbers = f"{stats.lies:>4}    {stats.caught:>4}     {stats.doubts:>4}   {stats.right:>4}"
    return plain(f"   {name} {numbers}   {best}", "class:you" if seat == view.you else "")


def rematch_text(frame: Frame) -> str:
    """How many are ready to play again (RULES D7)."""
    lobby = frame.state.lobby
    if lobby is None:
        return ""
    people = [seat for seat in lobby.seats if seat.kind is e.SeatKind.PERSON]
    ready = sum(seat.ready for seat in people)
    mine = selectors.my_lobby_seat(frame.state)
    acts = selectors.acts_as_host(frame.state)
    enough = selectors.enough_are_ready(frame.state)
    deals = "; s deals" if acts and enough else ""
    if mine is None:
        said = "you are watching"
    elif deals and len(people) == 1:  # who has nobody to wait for
        return "s deals again."
    elif not mine.ready:
        said = "r: ready to play again"
    else:
        said = "you are ready"
        deals = deals or (f"; {clean(lobby.host)} deals" if enough else "")
    text = f"Rematch: {ready}/{len(people)} ready, {said}{deals}."
    in_place = acts and not selectors.is_host(frame.state)
    return f"{text} {HOST_AWAY.format(clean(lobby.host))}" if in_place else text
