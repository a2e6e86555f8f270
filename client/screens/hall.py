"""The hall: the open lobbies, who is in them, what the chosen one plays, and the talk."""

from client.intents.opening_words import PASSWORD, PRIVATE, Opening, read_opening
from client.rule_bundles import PRESET
from client.rule_options import differing
from client.screens.advice import foot_lines
from client.screens.desk import Typing
from client.screens.frame import Frame
from client.screens.link import link_text
from client.screens.parts.bars import key_bar, title_bar
from client.screens.parts.cells import (
    BLANK,
    Line,
    Page,
    cells,
    fill,
    pad,
    plain,
    shorten,
    side_by_side,
    sized,
    wrapped,
)
from client.screens.talk import talk_lines
from client.words import between
from protocol.codes import parse_rules, rules_code
from protocol.events import Listing
from protocol.rules import CLASSIC, PRESETS, TableRules, preset_of
from protocol.text import MAX_NAME, clean

PEOPLE_CELLS = 31
BESIDE_PEOPLE = 7  # cells for a gap, and for the word between name and lobby
BESIDE_NAMES = 29  # cells for mark, seats, key, and the longest state
BESIDE_LOBBIES = 2  # rows for the head of the list, and a gap below it
LEAST_LIST = BESIDE_LOBBIES + 3  # rows for some lobbies
LEAST_ABOUT = 4  # rows for what the chosen lobby plays
WITH_PEOPLE = 76  # columns from which the people are shown


def hall_page(frame: Frame) -> Page:
    """The whole page."""
    wide = frame.columns >= WITH_PEOPLE
    left_width = frame.columns - (PEOPLE_CELLS + 1 if wide else 0)
    foot = foot_lines(frame)
    talk_rows = max(1, max(3, frame.rows // 4) + 2 - len(foot))
    rows = frame.rows - talk_rows - len(foot) - 3
    lobbies = lobby_lines(frame, left_width, rows)
    pane = (
        side_by_side(
            lobbies, people_lines(frame, rows), rows, left_width, ("class:rule", frame.skin.down)
        )
        if wide
        else sized(lobbies, frame.columns, rows)
    )
    tees = {left_width: frame.skin.tee_up} if wide else {}
    talk = talk_lines(frame, talk_rows, always=True)
    lines = (
        title(frame),
        *pane,
        frame.skin.rule(frame.columns, tees),
        *talk,
        *[BLANK] * (talk_rows - len(talk)),
        *foot,
        key_bar(frame.keys, frame.columns),
    )
    return sized(lines, frame.columns, frame.rows)


def title(frame: Frame) -> Line:
    """Server, people, link and name."""
    state = frame.state
    title = clean(state.welcome.title, 40) if state.welcome else ""
    server = "" if title == "Facedown" or frame.columns < WITH_PEOPLE else title
    online = f"{state.hall.online} online"
    return title_bar(
        ("Facedown", server, "the hall"), (online, link_text(frame), state.name), frame.columns
    )


def lobby_lines(frame: Frame, width: int, rows: int) -> tuple[Line, ...]:
    """The list with its head, and below it what the chosen lobby plays."""
    if frame.desk.typing is Typing.CREATE:
        return create_lines(frame.desk.line.text, width, rows)
    listings = frame.state.hall.lobbies
    if not listings:
        return (BLANK, plain("   No open lobbies. Press c to open one.", "class:notice"))
    widths = (
        max(6, *(cells(listing.code) for listing in listings)),
        max(4, *(cells(listing.host) for listing in listings)),
    )
    widths = (widths[0], max(4, min(widths[1], width - BESIDE_NAMES - widths[0])))
    title = f"   {pad('code', widths[0])} {pad('host', widths[1])} seats     state"
    head = plain(title, "class:head")
    chosen = chosen_listing(frame)
    row = listings.index(chosen) if chosen else min(frame.desk.row, len(listings) - 1)
    space = max(LEAST_ABOUT, rows - min(LEAST_LIST, len(listings) + BESIDE_LOBBIES))
    about = about_lines(chosen, width, space) if chosen else ()
    space = max(1, rows - len(about) - BESIDE_LOBBIES)
    first = max(0, row - space + 1)
    shown = [
        _listing_line(listing, widths, width, chosen=listing is chosen) for listing in listings
    ]
    return (head, *shown[first : first + space], BLANK, *about)


def _listing_line(listing: Listing, widths: tuple[int, int], width: int, *, chosen: bool) -> Line:
    mark = " > " if chosen else "   "
    plays = f"play {listing.plays}" if listing.plays else "playing"
    state = between(listing.stage) or plays
    key = "key" if listing.password else ""
    seats = f"{len(listing.seated)}/{listing.size}"
    code, host = pad(clean(listing.code), widths[0]), pad(clean(listing.host), widths[1])
    text = f"{mark}{code} {host} {seats:>5} {key:<3} {state}"
    more = f", {listing.watching} watching" if listing.watching else ""
    if cells(text + more) <= width:  # otherwise it is said below, of the chosen one
        text += more
    return plain(shorten(text, width), "class:chosen" if chosen else "")


def about_lines(listing: Listing, width: int, rows: int) -> tuple[Line, ...]:
    """What the chosen lobby plays, first its preset, or its rules code (RULES B25)."""
    code = f"{clean(listing.code)}: {preset_of(listing.rules) or rules_code(listing.rules)}"
    watchers = f"{listing.watching} watching" if listing.watching else "watchers welcome"
    watchers = watchers if listing.watchers else "no watchers"
    secret = ", with a password" if listing.password else ""
    texts = wrapped(f"{rules_summary(listing.rules)}, {watchers}{secret}", width - 4)
    lines = (
        *(plain(f"   {text}") for text in wrapped(code, width - 4)),
        *(plain(f"   {text}", "class:dim") for text in texts),
    )
    if len(lines) <= rows:
        return lines
    return (*lines[: rows - 1], (*lines[rows - 1], ("class:dim", "~")))


def rules_summary(rules: TableRules) -> str:
    """What a player has to know before sitting down: the preset, or what differs from the main game."""
    preset = preset_of(rules)
    if preset and rules != CLASSIC:
        return PRESET.about[preset]
    differences = [
        f"{option.label}: {option.words(getattr(rules, option.field))}"
        for option in differing(rules)
    ]
    return ", ".join(differences) or "the main game: 1 deck, 1 to 4 cards, first out wins"


def people_lines(frame: Frame, rows: int) -> tuple[Line, ...]:
    """Who is where, as far as the hall is told."""
    lobbies = frame.state.hall.lobbies
    codes = max((cells(clean(listing.code)) for listing in lobbies), default=0)
    width = max(4, min(MAX_NAME, PEOPLE_CELLS - BESIDE_PEOPLE - codes))
    here = [plain(f"   {pad(clean(frame.state.name), width)} here")]
    seated = [
        plain(f"   {pad(clean(name), width)} in {clean(listing.code)}")
        for listing in lobbies
        for name in listing.seated
    ]
    # How many is not known: computers have seats too, and so has who is away.
    unnamed = frame.state.hall.online > len(here) + len(seated)
    others = [plain("   and others online", "class:dim")] if unnamed else []
    space = rows - 2 - len(others)  # without the head and myself
    if len(seated) > space:
        more = plain(f"   and {len(seated) - space + 1} more", "class:dim")
        seated = [*seated[: space - 1], more]
    return (plain("   PLAYERS", "class:head"), *here, *seated, *others)


def create_lines(typed: str, width: int, rows: int) -> tuple[Line, ...]:
    """What can be typed to open a lobby, and what that which is typed would play like."""
    texts = (
        "OPEN A LOBBY: type a preset or a rules code, then Enter. You can change it later.",
        typed_text(typed),
        "Presets: " + ", ".join(PRESETS),
        f"Also: {PRIVATE} keeps it out of the hall; {PASSWORD} WORD is asked of whoever comes.",
    )
    asked, typed_now, *others = (wrapped(text, width - 4) for text in texts)
    parts = [asked, typed_now]
    for part in others:  # each of them whole, or not at all
        if sum(map(len, (*parts, part))) <= rows:
            parts.append(part)
    lines = [line for part in parts for line in (*part, "")]
    if len(lines) > rows + 1:  # the gaps go first
        lines = [line for line in lines if line]
    return tuple(fill(plain(f"   {line}"), width) for line in lines)


def typed_text(typed: str) -> str:
    """What is being typed, in words; how far from making sense it is is said on Enter."""
    wanted = read_opening(typed.split())
    if not isinstance(wanted, Opening):
        wanted = read_opening(typed.split()[:1])
    if not typed or not isinstance(wanted, Opening):
        return ""
    hidden = "" if wanted.public else "; not listed in the hall"
    locked = f"; the password is {wanted.password}" if wanted.password else ""
    return f"{wanted.rules}: {rules_summary(parse_rules(wanted.rules))}{hidden}{locked}"


def chosen_listing(frame: Frame) -> Listing | None:
    """The lobby under the cursor; none once that one has gone, until another is chosen."""
    desk, listings = frame.desk, frame.state.hall.lobbies
    if desk.hall_at:
        return next((listing for listing in listings if listing.code == desk.hall_at), None)
    return listings[min(desk.row, len(listings) - 1)] if listings else None
