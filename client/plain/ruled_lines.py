"""What a ruling turned up, who had called when, and what came of my own doubt, in words for `told`. Pure."""

from client import selectors, words
from client.news import doubt_text
from client.plain.reports import is_mine, who
from client.state import ClientState, DoubtStage
from protocol import events as e
from protocol.views import PublicTable


def reveal(state: ClientState, event: e.Ruled) -> str:
    """What a challenge turned up, and who takes the pile (RULES A11, A12)."""
    laid = words.faces(event.shown.faces)
    verdict = "A lie." if event.lie else "True."
    takes = "You take" if is_mine(state, event.taker) else f"{who(state, event.taker)} takes"
    table = selectors.public(state)
    newest = table is not None and event.shown.play == table.newest
    older = "" if newest else f"play {event.shown.play}, "
    player = who(state, event.shown.seat)
    return f"REVEAL: {older}{player} laid {laid}. {verdict} {takes} {words.cards(event.taken)}."


def shown_play(state: ClientState, play: e.ShownPlay) -> str:
    """A play with its cards face up: "play 22 hal said 3 nines, laid ...: a lie"."""
    said = words.claim(play.count, play.rank)
    verdict = "a lie" if play.is_lie else "true"
    return f"play {play.play} {who(state, play.seat)} said {said}, laid {words.faces(play.faces)}: {verdict}."


def call_order(state: ClientState, table: PublicTable, event: e.Ruled) -> str:
    """Who doubted when, and why this one counts: "CALLS: ana 812 ms (round trip 21 ms), bo +83 ms."."""
    several = len(event.calls) > 1
    calls = ", ".join(
        _called(state, call, "+" if place else "", compared=several)
        for place, call in enumerate(event.calls)
    )
    return f"CALLS: {'; '.join((calls, *words.call_notes(table, event)))}."


def late_call(state: ClientState, call: e.Call) -> str:
    """One more doubt of the same play: "LATE: bo +830 ms; it costs nothing."."""
    return f"LATE: {_called(state, call, '+')}; it costs nothing."


def _called(state: ClientState, call: e.Call, sign: str = "", *, compared: bool = True) -> str:
    """Who doubted, and when; with the round trip where there is another to be compared with it."""
    trip = ""
    if compared and call.ssh:
        trip = " (ssh)"
    elif compared and call.rtt_us is not None:
        trip = f" (round trip {words.margin(call.rtt_us)})"
    return f"{who(state, call.seat)} {sign}{words.margin(call.after_us)}{trip}"


def my_doubt(state: ClientState) -> str:
    """What has become of my doubt, empty while that is not known."""
    doubt, table = state.doubt, selectors.public(state)
    if doubt is None or table is None or doubt.stage is DoubtStage.SENT:
        return ""
    return f"DOUBT: {doubt_text(table, doubt)}"
