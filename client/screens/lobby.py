"""The lobby: who sits where, the options with what they mean, the invite, and the talk."""

from collections.abc import Iterator, Sequence

from client import selectors
from client.rule_bundles import CHOICES, Bundle
from client.rule_options import Option
from client.screens.advice import foot_lines
from client.screens.frame import Frame
from client.screens.link import link_text
from client.screens.parts.bars import key_bar, title_bar
from client.screens.parts.cells import (
    BLANK,
    Line,
    Page,
    apart,
    cells,
    pad,
    plain,
    shorten,
    side_by_side,
    sized,
    width_of,
    wrapped,
)
from client.screens.talk import newest_rows, talk_lines
from client.state import ClientState
from client.suggestions import THIN, is_thin, suggestion_text
from client.way_in.invites import FOR_FRIENDS, Invite, invites
from client.words import HOST_AWAY, between
from protocol.codes import rules_code
from protocol.events import LobbySeat, LobbyState, SeatKind
from protocol.numbers import MIN_SEATS
from protocol.text import clean

LEFT_SHARE = 0.42
NARROW_SHARE = 0.4
LABEL = 20
NARROW_LABEL = 18  # cells of the longest label there is
NARROW = 72  # columns below which the seats get a smaller share
ROOMY_OPTIONS = 42  # cells in which the options have room for more
MOST_TALK = 3  # rows that the newest entry of it takes from the seats and options, if need be
ABOUT_ROWS = 2
NAMED = 4  # so many people who are not ready are named, one more if that is all
PEOPLE_ROWS = 2  # rows for those who watch, and for those who ask for a seat
SEAT_CELLS = 18  # cells for mark, number, host, and the longest state
GAP = 3  # between what stands at the two ends of a line, the space after it included
SMALL = 22  # rows below which the talk gets less


def lobby_page(frame: Frame) -> Page:
    """The whole page."""
    lobby = frame.state.lobby
    if lobby is None:
        return sized((), frame.columns, frame.rows)
    talk_rows = 2 if frame.rows < SMALL else max(4, frame.rows // 5)
    notes = (*invite_lines(frame), *suggestion_lines(frame, lobby))
    foot = foot_lines(frame, next_step_text(frame.state, lobby))
    least = min(max(1, newest_rows(frame, always=True)), MOST_TALK)
    talk_rows = max(least, talk_rows + 3 - len(notes) - len(foot))
    rows = frame.rows - talk_rows - len(notes) - len(foot) - 4
    talk = talk_lines(frame, talk_rows, always=True)
    lines = (
        title(frame, lobby),
        *panes(frame, lobby, rows),
        *notes,
        frame.skin.rule(frame.columns),
        *talk,
        *[BLANK] * (talk_rows - len(talk)),
        *foot,
        key_bar(frame.keys, frame.columns),
    )
    return sized(lines, frame.columns, frame.rows)


def panes(frame: Frame, lobby: LobbyState, rows: int) -> Iterator[Line]:
    """The seats and, beside them, the options; a rule below."""
    left_width = int(frame.columns * (LEFT_SHARE if frame.columns >= NARROW else NARROW_SHARE))
    right_width = frame.columns - left_width - 1
    yield from side_by_side(
        seat_lines(frame, lobby, left_width, rows),
        option_lines(frame, lobby, right_width, rows),
        rows,
        left_width,
        ("class:rule", frame.skin.down),
    )
    yield frame.skin.rule(frame.columns, {left_width: frame.skin.tee_up})


def title(frame: Frame, lobby: LobbyState) -> Line:
    """Code, stage, seats, link and name."""
    stage = between(lobby.stage) or "a deal is running"
    seats = f"{len(lobby.seats)}/{lobby.settings.size}"
    left = ("Facedown", clean(lobby.code), stage, seats)
    return title_bar(left, (link_text(frame), frame.state.name), frame.columns)


def invite_lines(frame: Frame) -> Iterator[Line]:
    """Each way in, and the key that copies the first where copying is possible and there is room."""
    if frame.desk.passing:
        yield plain(f" {FOR_FRIENDS}", "class:dim")
        return
    copies = "   y copies it "
    for number, invite in enumerate(invites(frame.state)):
        lines = [plain(f" {line}") for line in wrapped(invite_text(invite), frame.columns - 2)]
        note = f"   {invite.note}" if invite.note else ""
        if note and width_of(lines[-1]) + cells(note) > frame.columns:
            lines.append(BLANK)
        fits = width_of(lines[-1]) + cells(note + copies) <= frame.columns
        more = copies if fits and not number and not frame.desk.kiosk else ""
        lines[-1] = (*lines[-1], *plain(note + more, "class:dim"))
        yield from lines


def invite_text(invite: Invite) -> str:
    """What it is, and the command line."""
    return f"{invite.label + ':':<8} {invite.text}"


def suggestion_lines(frame: Frame, lobby: LobbyState) -> Iterator[Line]:
    """For the host: what would go better with so many players, and the key that takes it."""
    if selectors.acts_as_host(frame.state) and (text := suggestion_text(lobby)):
        for line in wrapped(f"{text}: u takes it.", frame.columns - 2):
            yield plain(f" {line}", "class:notice")


def seat_lines(frame: Frame, lobby: LobbyState, width: int, rows: int) -> tuple[Line, ...]:
    """The seats, the empty ones too, and below them who watches and who asks."""
    row = frame.desk.seat_row if frame.desk.on_seats else None
    seats = [
        _seat_line(lobby, number, width, chosen=number == row)
        for number in range(max(lobby.settings.size, len(lobby.seats)))
    ]
    people = tuple(
        plain(f" {line}", "class:dim")
        for text in _watching_texts(lobby, width - 2)
        for line in wrapped(text, width - 2)
    )
    space = max(1, rows - len(people) - 1)
    first = max(0, (row or 0) - space + 1)
    shown = seats[first : first + space]
    which = f" {first + 1}-{first + space} of {len(seats)}" if len(shown) < len(seats) else ""
    return (plain(f" SEATS{which}", "class:head"), *shown, *people)


def _seat_line(lobby: LobbyState, number: int, width: int, *, chosen: bool) -> Line:
    mark = ">" if chosen else " "
    style = "class:chosen" if chosen else ""
    if number >= len(lobby.seats):
        return plain(f" {mark} {number + 1:>2}   - empty -", style or "class:dim")
    seat = lobby.seats[number]
    host = "*" if seat.name == lobby.host else " "
    text = f" {mark} {number + 1:>2} {host} {pad(clean(seat.name), name_cells(lobby, width))}"
    line: Line = ((style, text), (_state_style(seat), f" {seat_state(seat)}"))
    won = f" won {seat.wins}" if seat.wins else ""
    return (*line, ("", won)) if width_of(line) + len(won) <= width else line


def name_cells(lobby: LobbyState, width: int) -> int:
    """How wide the names are shown."""
    longest = max((len(seat.name) for seat in lobby.seats), default=1)
    return max(4, min(longest, width - SEAT_CELLS))


def seat_state(seat: LobbySeat) -> str:
    """Ready or away; the name of a computer player says which kind it is."""
    if seat.kind is SeatKind.COMPUTER:
        return "computer"
    if not seat.connected:
        return "away"
    return "ready" if seat.ready else "not ready"


def _state_style(seat: LobbySeat) -> str:
    return "class:ready" if seat.ready else "class:dim"


def _watching_texts(lobby: LobbyState, width: int) -> Iterator[str]:
    """Who watches and who asks for a seat; only how many, where the names take too many lines."""
    if lobby.watching:
        yield _named_or_counted("watching: {}", lobby.watching, width)
    if lobby.asking:
        yield _named_or_counted("ask for a seat: {} (Esc menu)", lobby.asking, width)


def _named_or_counted(form: str, names: Sequence[str], width: int) -> str:
    text = form.format(", ".join(clean(name) for name in names))
    fits = len(wrapped(text, width)) <= PEOPLE_ROWS
    return text if fits else form.format(f"{len(names)} people")


def option_lines(frame: Frame, lobby: LobbyState, width: int, rows: int) -> tuple[Line, ...]:
    """The options around the chosen one, and what that one means."""
    mine = selectors.acts_as_host(frame.state)
    row = min(frame.desk.row, len(CHOICES) - 1)
    about = [f"  {line}" for line in wrapped(CHOICES[row].about_now(lobby), width - 3)]
    space = max(1, rows - 1 - max(ABOUT_ROWS, len(about)))
    first = min(max(0, row - space // 2), max(0, len(CHOICES) - space))
    shown = [
        _option_line(
            option, lobby, width, chosen=place == row and not frame.desk.on_seats, mine=mine
        )
        for place, option in enumerate(CHOICES)
    ][first : first + space]
    blank = [BLANK] * (space - len(shown))
    return (
        head_line(lobby, row, width),
        *shown,
        *blank,
        *(plain(text, "class:advice") for text in about),
    )


def head_line(lobby: LobbyState, row: int, width: int) -> Line:
    """Which of the options is chosen, whose rules they are, and their code (RULES B25)."""
    place = f" RULES {row + 1}/{len(CHOICES)}"
    code = rules_code(lobby.rules)
    host = f" (host {clean(lobby.host)})"
    fits = cells(place + host + code) + GAP <= width
    left = plain(f"{place}{host if fits else ''}", "class:head")
    return apart(
        left, plain(f"{shorten(code, width - width_of(left) - GAP)} ", "class:claim"), width
    )


def _option_line(
    option: Bundle | Option, lobby: LobbyState, width: int, *, chosen: bool, mine: bool
) -> Line:
    mark = " > " if chosen else "   "
    roomy = width >= ROOMY_OPTIONS
    text = clean(option.text(lobby))
    value = text if not mine else f"< {text} >" if roomy else f"<{text}>"
    beside = width - cells(mark + value) - 1  # a long value begins further to the left
    label = max(cells(option.label), min(LABEL if roomy else NARROW_LABEL, beside))
    return (
        ("class:chosen" if chosen else "", f"{mark}{pad(option.label, label)} "),
        ("class:chosen" if chosen else "class:value", value),
    )


def next_step_text(state: ClientState, lobby: LobbyState) -> str:
    """What has to happen before the next deal (RULES D6), and that two make a thin one (RULES A1)."""
    if not selectors.between_deals(state):
        return "A deal is running: you are dealt in next time."
    if not is_thin(lobby):
        return _next_text(state, lobby)
    is_full = len(lobby.seats) >= lobby.settings.size
    adds = ": a adds a computer player" if selectors.acts_as_host(state) and not is_full else ""
    return f"{_next_text(state, lobby)} {THIN}{adds}."


def _next_text(state: ClientState, lobby: LobbyState) -> str:
    mine = selectors.my_lobby_seat(state)
    if mine is None:
        return "You are watching. Space takes a seat."
    if len(lobby.seats) < MIN_SEATS:
        host = selectors.acts_as_host(state)
        return (
            f"It takes two: send the invite{', or press a for a computer player' if host else ''}."
        )
    if selectors.is_host(state):
        return _host_text(state)
    if not mine.ready:
        return "Press Space when ready."
    if selectors.acts_as_host(state):
        return f"{HOST_AWAY.format(clean(lobby.host))} {_host_text(state)}"
    return f"Waiting for {clean(lobby.host)} to start."


def _host_text(state: ClientState) -> str:
    late = [clean(name) for name in selectors.others_not_ready(state)]
    if late:
        named = late[:NAMED] if len(late) > NAMED + 1 else late
        more = f" and {len(late) - len(named)} more" if len(named) < len(late) else ""
        starts = "s starts. " if selectors.enough_are_ready(state) else ""
        return f"{starts}Not ready yet: {', '.join(named)}{more}."
    mine = selectors.my_lobby_seat(state)
    who = "All" if mine is None or mine.ready else "The others"
    return f"{who} are ready: s starts."
