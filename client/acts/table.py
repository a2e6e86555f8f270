"""The acts of a player at the table: picking, laying, doubting, believing, voting. Pure."""

from msgspec.structs import replace

from client import my_hand, selectors
from client.acts.done import Doer, Done, bare, hinted, simply, telling, typing, within
from client.intents import at_table
from client.intents.at_table import RANK_KEYS
from client.screens.claims import WHICH_RANK, draft
from client.screens.deeds import Act
from client.screens.desk import Overlay, Typing
from client.screens.frame import Frame
from client.screens.older import chosen_play, older_plays
from client.screens.parts.hand import HandRow, column_at, columns_of, place_of
from client.state import Hinted, Picked
from client.words import cards, ranks
from protocol.commands import Challenge, GoOn, PlayCards
from protocol.events import VoteOn

NOT_YET = "Which ranks there are to choose from shows when your turn has come."
NO_PLAY = "No play can be doubted now."
PLAY_GONE = "That play can no longer be doubted: Up and Down choose another (B14)."
NO_SNEAKING = "No sneaking at this table: you must say as many as you lay (B10)."


def enter(frame: Frame, _: str) -> Done:
    """Lay what is picked, in turn or ready; else go on from a ruling (RULES A7, C3, C10)."""
    state = frame.state
    if not (state.picks and selectors.my_turn(state)):
        reading = at_table.go_on(state)
        if isinstance(reading, GoOn):
            return telling(frame, reading)
    planned = draft(state, frame.desk.claim)
    laying = at_table.lay(state, rank=planned.rank, count=planned.count)
    if isinstance(laying, Hinted) and laying.text == at_table.SAY_RANK:
        return hinted(frame, WHICH_RANK)
    if not isinstance(laying, PlayCards):
        return telling(frame, laying)
    return Done(desk=replace(frame.desk, column=None), told=(laying,))


def pick(frame: Frame, key: str) -> Done:
    """One more card of the rank that this key names."""
    return telling(frame, at_table.pick(frame.state, RANK_KEYS[key]))


def _pick_here(frame: Frame, _: str) -> Done:
    if frame.desk.column is None:
        return hinted(frame, "Left and Right choose a rank first; or type the rank itself.")
    return telling(frame, at_table.pick(frame.state, column_at(frame.desk.column)))


def _pick_all_here(frame: Frame, _: str) -> Done:
    if frame.desk.column is None:
        return hinted(frame, "Left and Right choose a rank first; Up then picks all of it.")
    return telling(frame, at_table.pick_all(frame.state, column_at(frame.desk.column)))


def _pick_none_here(frame: Frame, _: str) -> Done:
    if frame.desk.column is None:
        return telling(frame, Picked(cards=()))
    here = my_hand.of_rank(frame.state, column_at(frame.desk.column))
    gone = {card.id for card in here}
    kept = tuple(card for card in frame.state.picks if card not in gone)
    return telling(frame, Picked(cards=kept))


def _move(frame: Frame, steps: int) -> Done:
    view = frame.state.table
    if view is None or not view.hand:
        return hinted(frame, "You hold no cards.")
    held = {place_of(card.face.rank) for card in view.hand}
    row = HandRow(cards=view.hand, by_size=frame.desk.settings.order == "size")
    places = [place_of(column) for column in columns_of(row) if place_of(column) in held]
    if frame.desk.column not in places:
        return Done(desk=replace(frame.desk, column=places[0 if steps > 0 else -1]))
    place = places[(places.index(frame.desk.column) + steps) % len(places)]
    return Done(desk=replace(frame.desk, column=place))


def _next_rank(frame: Frame, _: str) -> Done:
    due = selectors.due(frame.state)
    if not selectors.may_choose_rank(frame.state):
        only = f"Only {ranks(due)} can be said now." if due else "No deal is running."
        return hinted(frame, NOT_YET if len(due) > 1 else only)
    now = draft(frame.state, frame.desk.claim).rank
    then = due[(due.index(now) + 1) % len(due)] if now in due else due[0]
    return Done(desk=replace(frame.desk, claim=replace(frame.desk.claim, rank=then)))


def _name_rank(frame: Frame, _: str) -> Done:
    if selectors.may_choose_rank(frame.state):
        return typing(frame, Typing.RANK)
    return _next_rank(frame, "")


def rank_named(frame: Frame, key: str) -> Done:
    """The key after `=`: the rank to claim (RULES B5, B6, B8)."""
    rank = RANK_KEYS.get(key)
    due = selectors.due(frame.state)
    if rank is None or rank not in due:
        return hinted(frame, f"That rank is not due: say {ranks(due)}." if due else "No deal now.")
    claim = replace(frame.desk.claim, rank=rank)
    return Done(desk=replace(frame.desk, claim=claim, typing=None))


def _sneak(frame: Frame, more: int) -> Done:
    allowed = my_hand.sneak_allowed(frame.state)
    if not allowed:
        return hinted(frame, NO_SNEAKING)
    planned = draft(frame.state, frame.desk.claim)
    before = len(planned.cards) - planned.count
    sneaked = min(allowed, max(0, len(planned.cards) - 1), max(0, before + more))
    if sneaked == before:
        return hinted(
            frame, sneak_limit(allowed) if more > 0 else "You already say as many as you lay."
        )
    return Done(desk=replace(frame.desk, claim=replace(frame.desk.claim, sneaked=sneaked)))


def sneak_limit(allowed: int) -> str:
    """Why no fewer can be said (RULES B10)."""
    return f"Say at least 1, and at most {cards(allowed)} fewer than you lay (B10)."


def _doubt(frame: Frame, _: str) -> Done:
    return telling(frame, at_table.doubt(frame.state, frame.now))


def _older(frame: Frame, _: str) -> Done:
    older = older_plays(frame)
    if not older:
        return hinted(frame, "There is no older play that could be doubted (B14).")
    return Done(desk=replace(frame.desk, overlay=Overlay.OLDER, older=older[0].play))


def doubt_chosen(frame: Frame, _: str) -> Done:
    """Doubt the play under the cursor (RULES B14)."""
    chosen = chosen_play(frame)
    closed = replace(frame, desk=replace(bare(frame.desk), older=None))
    if chosen is None:
        others = bool(selectors.doubtable(frame.state))
        return hinted(frame, PLAY_GONE) if others else hinted(closed, NO_PLAY)
    doubting = at_table.doubt(frame.state, frame.now, chosen)
    return telling(closed if isinstance(doubting, Challenge) else frame, doubting)


def move_among_older(frame: Frame, steps: int) -> Done:
    """The cursor up or down among the plays that can be doubted."""
    numbers = [play.play for play in selectors.doubtable(frame.state)]
    if not numbers:
        return hinted(frame, NO_PLAY)
    chosen = chosen_play(frame)
    place = 0 if chosen is None else within(numbers.index(chosen) + steps, len(numbers))
    return Done(desk=replace(frame.desk, older=numbers[place]))


def _pause(frame: Frame, _: str) -> Done:
    pause = at_table.pause(frame.state)
    return Done(desk=frame.desk, told=(pause, *at_table.when_paused(frame.state, pause)))


AT_TABLE: dict[Act, Doer] = {
    Act.ENTER: enter,
    Act.PICK: pick,
    Act.UNPICK: simply(lambda frame: at_table.back(frame.state)),
    Act.SPACE: _pick_here,
    Act.UP: _pick_all_here,
    Act.DOWN: _pick_none_here,
    Act.LEFT: lambda frame, _: _move(frame, -1),
    Act.RIGHT: lambda frame, _: _move(frame, 1),
    Act.DOUBT: _doubt,
    Act.OLDER: _older,
    Act.BELIEVE: simply(lambda frame: at_table.believe(frame.state)),
    Act.BELIEVE_ALL: simply(lambda frame: at_table.believe_all(frame.state)),
    Act.PASS: simply(lambda frame: at_table.pass_turn(frame.state)),
    Act.NEXT_RANK: _next_rank,
    Act.NAME_RANK: _name_rank,
    Act.SAY_FEWER: lambda frame, _: _sneak(frame, 1),
    Act.SAY_MORE: lambda frame, _: _sneak(frame, -1),
    Act.YES: simply(lambda frame: at_table.cast_vote(frame.state, yes=True)),
    Act.NO: simply(lambda frame: at_table.cast_vote(frame.state, yes=False)),
    Act.RETURN: simply(lambda frame: at_table.return_to_seat(frame.state)),
    Act.VOTE_END: simply(lambda frame: at_table.call_vote(frame.state, VoteOn.END_DEAL)),
    Act.VOTE_PAUSE: simply(lambda frame: at_table.call_vote(frame.state, VoteOn.PAUSE)),
    Act.PAUSE: _pause,
    Act.RESUME: simply(lambda frame: at_table.resume(frame.state)),
    Act.START_CLOCK: simply(lambda frame: at_table.start_clock(frame.state)),
}
