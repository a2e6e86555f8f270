"""The table: seats, pile or window or reveal, the log, and the hand."""

from collections.abc import Iterator

from client import selectors
from client.screens.advice import message_lines
from client.screens.claims import Draft, draft, say_text
from client.screens.frame import Frame
from client.screens.link import link_text, odd_silence
from client.screens.parts.bars import key_bar, minutes, title_bar
from client.screens.parts.cells import (
    BLANK,
    Line,
    Page,
    apart,
    cells,
    plain,
    side_by_side,
    sized,
    width_of,
)
from client.screens.parts.hand import HandRow, hand_lines
from client.screens.parts.pile import pile_pane
from client.screens.parts.plays import play_lines
from client.screens.parts.seats import Around, seat_lines
from client.screens.reveal import reveal_lines
from client.screens.talk import newest_rows, talk_lines, was_said_last
from client.screens.window_box import box_lines
from client.state import LinkState
from client.words import cards, name_of, ranks, short_claim
from protocol.cards import Rank
from protocol.events import Phase, Played
from protocol.text import clean
from protocol.views import TableView

MESSAGES = 2  # rows for what is to be said; more where it is longer
LOG = 2  # rows of the log for which the second of them waits
ROOMY = 24
PANE_ROWS = 8
VERY_TALL = 32  # rows from which the upper pane grows, too
MORE_ROWS = 4
NARROW_PANE = 26
WITH_NAME = 72  # columns from which the game's name is in the title
GAP = 3  # between the parts of the title, at most
TALK_SHARE = 3  # where plays want the pane, one line in so many of it is talk


def table_page(frame: Frame) -> Page:
    """The whole page, exactly as big as the frame."""
    view = frame.state.table
    if view is None:
        return sized((), frame.columns, frame.rows)
    gap = 1 if frame.rows >= ROOMY else 0
    hand = hand_block(frame, view, gap)
    fixed = 4 + len(hand)
    usual = PANE_ROWS + gap + (MORE_ROWS if frame.rows >= VERY_TALL else 0)
    pane_rows = min(max(len(view.table.seats), usual), frame.rows - fixed - 1)
    space = frame.rows - fixed - pane_rows  # rows for the log and for what is to be said
    messages = message_lines(frame, MESSAGES if space >= MESSAGES + LOG else 1, space + 1)
    rest = space + 1 - len(messages)  # for the log and the rule below it; a lone row is the log's
    lines = (
        title(frame, view),
        *upper_pane(frame, view, pane_rows),
        *log_lines(frame, view, max(rest - 1, min(1, rest))),
        *((frame.skin.rule(frame.columns),) if rest > 1 else ()),
        *hand,
        *messages,
        key_bar(frame.keys, frame.columns),
    )
    return sized(lines, frame.columns, frame.rows)


def upper_pane(frame: Frame, view: TableView, rows: int) -> Page:
    """The seats and, beside them, what is going on; a rule below."""
    right_width = max(NARROW_PANE, frame.columns * 2 // 5)
    left_width = frame.columns - right_width - 1
    columns = side_by_side(
        seat_lines(around(frame, view), left_width, frame.skin),
        right_pane(frame, view, right_width, rows),
        rows,
        left_width,
        ("class:rule", frame.skin.down),
    )
    return (*columns, frame.skin.rule(frame.columns, {left_width: frame.skin.tee_up}))


def title(frame: Frame, view: TableView) -> Line:
    """Lobby, play and state on the left; link and clock on the right."""
    code = selectors.lobby_code(frame.state)
    play = f"play {view.table.newest}" if view.table.newest else "first play"
    game = "Facedown" if frame.columns >= WITH_NAME else ""
    where = (game, clean(code), play)
    bars = [
        ((*where, state_text(frame, view, short=short)), (link, clock))
        for clock, short in _ever_shorter(frame, view)
        for link in _links(frame)
    ]
    needed = [sum(cells(part) + GAP for part in (*left, *right) if part) for left, right in bars]
    fits = (
        bar for bar, cells_of_it in zip(bars, needed, strict=True) if cells_of_it <= frame.columns
    )
    return title_bar(*next(fits, bars[-1]), frame.columns)


def _links(frame: Frame) -> tuple[str, ...]:
    """How the link stands, which may be left out as long as all is well."""
    link = link_text(frame)
    is_well = selectors.is_online(frame.state) and not odd_silence(frame)
    return (link, "") if is_well else (link,)


def _ever_shorter(frame: Frame, view: TableView) -> Iterator[tuple[str, bool]]:
    """The clock, and whether the ranks are letters: whose clock it is stands on the left, too."""
    if frame.columns >= WITH_NAME:
        yield clock_text(frame, view), False
    yield from ((clock_text(frame, view, named=False), short) for short in (False, True))


def state_text(frame: Frame, view: TableView, *, short: bool = False) -> str:
    """What the table is waiting for, in a few words; several ranks as letters if it has to be short."""
    table = view.table
    if frame.state.pause is not None:
        return "PAUSED"
    newest = table.newest_play
    if table.phase is Phase.REVEAL:
        return "reveal"
    if table.phase is Phase.PROTECTED and isinstance(newest, Played):
        said = short_claim(newest.count, newest.rank)
        who = name_of(table, newest.seat, view.you)
        return f"{who} {'say' if who == 'you' else 'says'} {said}"
    mine = table.turn == view.you and not selectors.gave_up(frame.state)
    whose = "your turn" if mine else f"{name_of(table, table.turn)}'s turn"
    if short and 1 < len(table.due) < len(Rank):
        return f"{whose}: {' '.join(rank.symbol for rank in table.due)}"
    return f"{whose}: {ranks(table.due).upper()}"


def clock_text(frame: Frame, view: TableView, *, named: bool = True) -> str:
    """The clock that runs now, and whose it is unless it is mine or not to be named (RULES D1, D9)."""
    clocks = frame.state.clocks
    if frame.state.link.state is LinkState.LOST:  # the clocks that count are out of sight
        return ""
    if (soon := frame.left(clocks.resumes_at)) is not None and soon > 0:
        return f"goes on in {minutes(soon)}"
    left = frame.left(clocks.turn_ends)
    if left is None or clocks.turn_seat is None:
        return ""
    if clocks.turn_seat == view.you:
        return f"{minutes(left)} left"
    return f"{name_of(view.table, clocks.turn_seat)} {minutes(left)}" if named else minutes(left)


def around(frame: Frame, view: TableView) -> Around:
    """The seats, with what the lobby knows of their people."""
    lobby, ruling = frame.state.lobby, frame.state.ruling
    return Around(
        table=view.table,
        you=view.you,
        away=frozenset(selectors.away(frame.state)),
        host=lobby.host if lobby else "",
        gained={ruling.taker: ruling.taken} if ruling else {},
    )


def right_pane(frame: Frame, view: TableView, width: int, rows: int) -> tuple[Line, ...]:
    """The reveal until the next play, else an open window, else the pile."""
    if frame.state.ruling is not None:
        return reveal_lines(frame, view.table, frame.state.ruling, width, rows)
    watching = len(frame.state.lobby.watching) if frame.state.lobby else 0
    box = box_lines(frame, view, width, rows - 1)  # the pile stands above it
    if not box:
        return pile_pane(view, watching, width, rows)
    pile = pile_pane(view, watching, width, rows - len(box), says_last=False)
    return (*pile[:1], *box, *pile[1:])


def log_lines(frame: Frame, view: TableView, rows: int) -> tuple[Line, ...]:
    """The newest plays, and below them what was said lately."""
    if rows <= 0:
        return ()
    talk = talk_lines(frame, rows) if rows > 1 or was_said_last(frame) else ()
    kept = min(len(talk), max(newest_rows(frame), rows // TALK_SHARE))
    plays = play_lines(view.table, view.log, rows - kept, frame.columns)
    said = talk_lines(frame, rows - len(plays)) if talk else ()
    return (*plays, *[BLANK] * (rows - len(plays) - len(said)), *said)


def hand_block(frame: Frame, view: TableView, gap: int) -> tuple[Line, ...]:
    """The hand with its head, in four lines and perhaps a gap; without one the log has their place."""
    if view.you is None or selectors.gave_up(frame.state):
        left = selectors.gave_up(frame.state)
        text = " A computer plays your hand." if left else " You are watching."
        return (plain(text, "class:head"),)
    ready = view.held.cards if view.held else ()
    row = HandRow(
        cards=view.hand,
        picked=frame.state.picks,
        ready=ready,
        due=marked_ranks(frame),
        jokers=view.table.rules.jokers > 0,
        by_size=frame.desk.settings.order == "size",
        cursor=frame.desk.column,
    )
    return (hand_head(frame, view), *[BLANK] * gap, *hand_lines(row, frame.columns, frame.skin))


def marked_ranks(frame: Frame) -> tuple[Rank, ...]:
    """The ranks to claim on my turn; where any may be, the one that would be claimed now."""
    if not selectors.my_turn(frame.state):
        return ()
    due = selectors.due(frame.state)
    if len(due) < len(Rank):
        return due
    planned = draft(frame.state, frame.desk.claim).rank
    return (planned,) if planned else ()


def claim_style(planned: Draft) -> str:
    """A claim that is going to be made, as what it will be found to be."""
    if planned.rank is None:
        return "class:claim"
    return "class:lie" if planned.is_lie else "class:truth"


def seen_text(view: TableView) -> str:
    """What the others take my hand for, where sneaking makes it another number (RULES B10)."""
    if view.you is None or not view.table.rules.sneak:
        return ""
    shown = view.table.seats[view.you].cards
    return "" if shown == len(view.hand) else f" (the others see {shown})"


def hand_head(frame: Frame, view: TableView) -> Line:
    """How many cards, and what the picked ones will be called."""
    if not frame.state.picks:
        return plain(f" YOUR HAND  {cards(len(view.hand))}{seen_text(view)}", "class:head")
    planned = draft(frame.state, frame.desk.claim)
    names = " ".join(card.face.rank.symbol if card.face.rank else "JK" for card in planned.cards)
    picked = f"picked {len(planned.cards)}: {names}"
    say = (("class:picked", picked), *_said_of(planned), ("", " "))
    leads = (f" YOUR HAND  {cards(len(view.hand))}", f" HAND {len(view.hand)}", "")
    space = frame.columns - width_of(say) - 1
    lead = next(text for text in leads if len(text) <= max(0, space))
    return apart(plain(lead, "class:head"), say, frame.columns)


def _said_of(planned: Draft) -> Line:
    """What the picked cards will be called, if that is known."""
    if planned.too_many:
        return (("class:picked", "  ->  "), ("class:alert", f"{planned.too_many} too many"))
    if planned.waits:
        return ()
    said = (claim_style(planned), f'"{say_text(planned)}"')
    return (("class:picked", "  ->  "), ("", "you will say "), said)
