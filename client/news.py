"""Sentences for what happens in a lobby, in the hall, to the clocks and to my own doubt. Pure.

Both user interfaces show them; what happens to the cards each of them tells in its own way.
"""

from client.state import Doubt, DoubtStage, Pause
from client.words import margin, name_of, seconds
from protocol import events as e
from protocol.answers import Goodbye, Refused
from protocol.numbers import MICROS
from protocol.refusals import explained
from protocol.text import clean
from protocol.views import PublicTable

SENTENCE = 400  # the longest remote sentence shown

NEWS = {
    e.News.CREATED: "{name} opened the lobby",
    e.News.JOINED: "{name} joined",
    e.News.LEFT: "{name} left",
    e.News.WATCHES: "{name} is watching",
    e.News.SAT_DOWN: "{name} sat down",
    e.News.LOST: "{name} lost the connection",
    e.News.BACK: "{name} is back",
    e.News.REMOVED: "{name} was removed",
    e.News.NEW_HOST: "{name} is the host now",
    e.News.RULES: "{name} set the rules",
    e.News.SEATS: "{name} shuffled the seats",
    e.News.SETTINGS: "{name} changed the lobby",
    e.News.COMPUTER: "{name}, a computer player, sat down",
    e.News.COMPUTER_LEFT: "{name}, a computer player, left",
    e.News.ASKS_FOR_SEAT: "{name} asks to take over a computer player's seat",
    e.News.SEAT_DENIED: "{name} does not get the computer player's seat",
    e.News.MATCH_WON: "{name} wins the match",
    e.News.DEAL_LOST: "the server made a mistake, and the deal is over without a result",
    e.News.MISTAKE: "the server made a mistake, and the lobby goes on as it was before",
}
PAUSES = {
    e.PauseReason.ASKED: "The table is paused.",
    e.PauseReason.PARKED: "No person plays any more: the table is parked until one does.",
    e.PauseReason.WAITING: "The table waits for people to come back.",
    e.PauseReason.MISTAKE: "The server made a mistake: nothing is lost, and any player can let it go on.",
    e.PauseReason.STALLED: "The server cannot write just now: the table is paused until it can.",
}
STALLED = "The server cannot write just now: what you ask for waits until it can."
KEPT_AGAIN = "The server can write again."
SENT = "sent - waiting for the ruling"  # a doubt of mine
VOTES = {
    e.VoteOn.END_DEAL: "end the deal",
    e.VoteOn.PAUSE: "pause",
}


def lobby_news(event: e.LobbyNews, *, of_watcher: bool = False) -> str:
    """One line of lobby news, without a full stop: "bo joined"."""
    text = NEWS[event.news].format(name=clean(event.name))
    if event.news is e.News.LOST and not of_watcher:
        text += "; the seat is kept"
    return f"{text}: {detail}" if (detail := clean(event.detail, SENTENCE)) else text


def paused(pause: Pause, me: str, left_us: int | None) -> str:
    """Why the clocks stand still, and for how long at most (RULES D5, D9)."""
    text = why_paused(pause, me)
    return text if left_us is None else f"{text} At most {seconds(left_us / MICROS)}."


def why_paused(pause: Pause, me: str) -> str:
    """Why the clocks stand still, and who wanted that, if anybody did (RULES D5, D9)."""
    if pause.voted:
        who = "you" if pause.by == me else clean(pause.by)
        return f"The table is paused by a vote that {who} called."
    if pause.by in {"", me}:  # who has done it knows, and a lesson does it for them
        return PAUSES[pause.reason]
    return f"{clean(pause.by)} has paused the table."


def resumed(event: e.Resumed) -> str:
    """The clocks run again (RULES D9)."""
    if event.in_us:
        return f"The table goes on in {seconds(event.in_us / MICROS)}."
    return "The table goes on."


def vote(event: e.VoteState) -> str:
    """An open vote, or how it ended (RULES D6)."""
    what = VOTES[event.on]
    if event.passed is not None:
        return f"The vote to {what} {'passed' if event.passed else 'failed'}."
    count = f"{event.yes} yes, {event.no} no, {event.needed} needed"
    return f"{clean(event.by)} asks to {what}: {count}, {seconds(event.left_us / MICROS)}."


def vote_offered(event: e.VoteOffered) -> str:
    """A long deal may be ended by a vote (RULES B21)."""
    return f"{event.plays} plays already: anybody may call a vote to end the deal."


def refused(event: Refused) -> str:
    """Why a command changed nothing, with how late it was and the clause it rests on."""
    text = spoken(event)
    if event.late_us is not None:
        text = f"Late by {margin(event.late_us)}. {text}"
    clause = clean(event.clause, 8) or explained(event.code).clause
    return f"{text} ({clause})" if clause else text


def spoken(event: Refused | Goodbye) -> str:
    """What the server says of a refusal or on closing; where it says nothing, what is usual."""
    return clean(event.text, SENTENCE) or explained(event.code).sentence


def doubt_text(table: PublicTable, doubt: Doubt) -> str:
    """What has become of my doubt; never more than the server has said (RULES C8)."""
    other = "somebody" if doubt.other is None else name_of(table, doubt.other)
    by = "" if doubt.margin_us is None else f" by {margin(doubt.margin_us)}"
    if doubt.heat is not None:
        return _heat_text(doubt.heat, doubt, other)
    match doubt.stage:
        case DoubtStage.SENT:
            return SENT
        case DoubtStage.FIRST:
            return f"You doubted first{f',{by} over {other}' if by else ''}."
        case DoubtStage.BEATEN:
            return f"{other} was first{by}: yours costs nothing."
        case DoubtStage.LATE:
            return f"Too late{by}: it costs nothing."


def _heat_text(heat: e.DeadHeat, doubt: Doubt, other: str) -> str:
    """Not time has settled it, but who sits nearer to the player's left (RULES C5, C6)."""
    if heat is e.DeadHeat.EQUAL_ARRIVAL:
        if doubt.stage is DoubtStage.FIRST:
            return f"You and {other} at one instant: yours counts, you sit nearer."
        return f"{other} at the same instant sits nearer: yours costs nothing."
    later = "" if doubt.margin_us is None else margin(doubt.margin_us)
    if doubt.stage is DoubtStage.FIRST:
        return f"Photo finish: yours counts, though {later} after {other}."
    after = f", though {later} after you" if later else ""
    return f"Photo finish: {other} counts{after}. Yours costs nothing."
