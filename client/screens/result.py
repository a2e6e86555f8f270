"""The result of a deal: places, deals won, and the confession (RULES A16, B22, B24)."""

from collections.abc import Callable, Iterator

from client import selectors
from client.screens.advice import foot_lines
from client.screens.frame import Frame
from client.screens.link import link_text
from client.screens.parts.bars import key_bar, title_bar
from client.screens.parts.cells import BLANK, Line, Page, apart, cells, pad, plain, sized, wrapped
from client.screens.talk import talk_lines
from client.stats import Confessed, SeatStats, confessed, false_cards
from client.words import cards, claim, margin, name_of, place, played_on, why_over
from protocol import events as e
from protocol.codes import rules_code
from protocol.numbers import Seat
from protocol.text import clean
from protocol.views import TableView

TALK_ROWS = 2
MISSED = 3  # so many missed lies are named
GAP = 4  # between what ended the deal and the match, and at both ends
WITH_BEST = 72  # columns from which the best moments are shown


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
    code = clean(frame.state.lobby.code) if frame.state.lobby else ""
    winner = frame.state.lobby.match_winner if frame.state.lobby else None
    won = f"{clean(winner)} WINS THE MATCH" if winner else "deal over"
    return title_bar(("Facedown", code, won), (link_text(frame), frame.state.name), frame.columns)


def place_lines(frame: Frame, view: TableView, over: e.DealOver) -> tuple[Line, ...]:
    """The seats by place, with what they had left; the match stands at the right."""
    lines = [_place_line(view, over, Seat(seat)) for seat in in_order(over)]
    return (*head_lines(frame, view, over), *lines)


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
    """The match on a line of its own, if there is one."""
    if match := match_text(frame):
        yield plain(f" {match}", "class:dim")


def _place_line(view: TableView, over: e.DealOver, seat: Seat) -> Line:
    left = "out" if not over.cards[seat] else cards(over.cards[seat])
    you = "  <- you" if seat == view.you else ""
    note = f"  ({by})" if (by := played_on(view, seat)) else ""
    style = "class:first" if over.places[seat] == 1 else "class:you" if you else ""
    name = pad(name_of(view.table, seat), 16)
    return plain(f"   {place(over.places[seat]):<4} {name} {left}{you}{note}", style)


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
    name_width = min(16, max(cells(seat.name) for seat in view.table.seats))
    name = "THE CONFESSION" if told.complete else "WHAT WAS SHOWN"
    wide = frame.columns >= WITH_BEST
    lead = max(name_width + (13 if wide else 4), cells(name))
    head = f" {pad(name, lead + 2)}lies  caught   doubts  right   {'best moment' if wide else ''}"
    best = best_moments(told) if wide else {}
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
    width = max(14, min(16, max(cells(seat.name) for seat in view.table.seats)))
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


def best_moments(told: Confessed) -> dict[Seat, str]:
    """One thing to be remembered by for those who have one."""
    moments: dict[Seat, str] = {}
    seats = range(len(told.seats))
    fastest = [seat for seat in seats if told.seats[seat].fastest_us is not None]
    if fastest:
        quick = min(fastest, key=lambda seat: told.seats[seat].fastest_us or 0)
        moments[Seat(quick)] = f"fastest doubt, {margin(told.seats[quick].fastest_us or 0)}"
    taker = max(seats, key=lambda seat: told.seats[seat].biggest_pile)
    if told.seats[taker].biggest_pile:
        moments.setdefault(Seat(taker), f"biggest pile, {told.seats[taker].biggest_pile}")
    liar = max(seats, key=lambda seat: told.seats[seat].lies - told.seats[seat].caught)
    if told.seats[liar].lies > told.seats[liar].caught:
        moments.setdefault(Seat(liar), "best liar")
    for seat in seats:
        if told.complete and told.seats[seat].plays and not told.seats[seat].lies:
            moments.setdefault(Seat(seat), "never lied")
    return moments


def in_symbols(faces: e.Faces) -> str:
    """Ranks in a narrow space: "2 4 JK"."""
    return " ".join(face.rank.symbol if face.rank else "JK" for face in faces)


def remarks(
    view: TableView,
    told: Confessed,
    faces_text: Callable[[e.Faces], str] = in_symbols,
    you: Seat | None = None,
) -> Iterator[str]:
    """What else there is to tell, as sentences without a full stop; one seat may be called "you"."""
    lie = told.biggest_lie
    if lie is not None and false_cards(lie):
        faces = faces_text(lie.faces)
        who = name_of(view.table, lie.seat, you)
        said = claim(lie.count, lie.rank)
        yield f'biggest lie nobody doubted: {who} said "{said}" and laid {faces} (play {lie.play})'
    if told.missed:
        named = [
            f"{play.play}, {name_of(view.table, play.seat)}'s {claim(play.count, play.rank)}"
            for play in told.missed[:MISSED]
        ]
        more = f" and {len(told.missed) - MISSED} more" if len(told.missed) > MISSED else ""
        yield f"sure lies you missed: play {'; '.join(named)}{more}"
    yield "; ".join((*_records(view, told, you), f"true plays doubted: {told.true_doubted}"))


def _records(view: TableView, told: Confessed, you: Seat | None) -> Iterator[str]:
    """The fastest doubt and the biggest pile, whoever else they are remembered for."""
    seats = tuple(enumerate(told.seats))
    times = [(stats.fastest_us, seat) for seat, stats in seats if stats.fastest_us is not None]
    if times:
        time, seat = min(times)
        yield f"fastest doubt: {name_of(view.table, Seat(seat), you)} after {margin(time)}"
    taken, least = max((stats.biggest_pile, -seat) for seat, stats in seats)
    if taken:
        yield f"biggest pile: {name_of(view.table, Seat(-least), you)} took {taken}"


def rematch_text(frame: Frame) -> str:
    """How many are ready to play again (RULES D7)."""
    lobby = frame.state.lobby
    if lobby is None:
        return ""
    people = [seat for seat in lobby.seats if seat.kind is e.SeatKind.PERSON]
    ready = sum(seat.ready for seat in people)
    mine = selectors.my_lobby_seat(frame.state)
    is_host = selectors.is_host(frame.state)
    if mine is None:
        said = "you are watching"
    elif is_host and len(people) == 1:  # who has nobody to wait for
        return "s deals again."
    else:
        said = "you are ready" if mine.ready else "r: ready to play again"
    return f"Rematch: {ready}/{len(people)} ready, {said}{'; s deals' if is_host else ''}."
