"""What a ruling turned up, and who had called when, in words for `told`. Pure."""

from client import selectors, words
from client.plain.reports import is_mine, who
from client.state import ClientState
from protocol import events as e


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


def call_text(state: ClientState, call: e.Call, number: int) -> str:
    """Who doubted when: "bo +83 ms (round trip 9 ms)"; after the first, by how much later."""
    after = f"{'+' if number else ''}{words.margin(call.after_us)}"
    trip = " (ssh)" if call.ssh else ""
    if call.rtt_us is not None and not call.ssh:
        trip = f" (round trip {words.margin(call.rtt_us)})"
    return f"{who(state, call.seat)} {after}{trip}"
