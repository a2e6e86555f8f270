"""When a key is live: questions about a frame that decide what the key bar names. Pure."""

from client import selectors
from client.intents import at_table
from client.screens.claims import draft
from client.screens.connect import Alone, choices
from client.screens.desk import Field
from client.screens.frame import Frame
from client.screens.hall import chosen_listing
from client.screens.older import chosen_play, older_plays
from client.screens.settings_page import chosen
from client.settings import Kind
from client.suggestions import suggestions
from protocol.commands import GoOn, PlayCards
from protocol.rules import ChallengeUntil


def is_typed(frame: Frame) -> bool:
    """Whether the chosen setting is a text."""
    return chosen(frame).kind is Kind.NAME


def is_turned(frame: Frame) -> bool:
    """Whether the chosen setting is one of several values."""
    return not is_typed(frame)


def always(_: Frame) -> bool:
    """Shown whatever the table is doing."""
    return True


def never(_: Frame) -> bool:
    """Only in the help."""
    return False


def is_online(frame: Frame) -> bool:
    """Whether anything that is sent would arrive now."""
    return selectors.is_online(frame.state)


def may_doubt(frame: Frame) -> bool:
    """Whether the newest play can be doubted, and has not been by me."""
    return selectors.may_doubt(frame.state) and is_online(frame)


def may_believe(frame: Frame) -> bool:
    """Whether the newest play can be let go and has not been (RULES C4)."""
    return selectors.may_believe(frame.state) and is_online(frame)


def may_believe_all(frame: Frame) -> bool:
    """Whether every play can be let go from here on, or is and need not be."""
    return may_believe(frame) or (frame.state.believe_all and selectors.may_send(frame.state))


def is_to_move(frame: Frame) -> bool:
    """Whether the next cards are mine to lay, and none of them lie ready."""
    return selectors.my_turn(frame.state) and selectors.laid_ready(frame.state) is None


def has_hand(frame: Frame) -> bool:
    """Whether there is anything to pick."""
    return frame.state.table is not None and bool(frame.state.table.hand)


def may_enter(frame: Frame) -> bool:
    """Whether Enter lays something or goes on from a ruling."""
    if not (frame.state.picks and selectors.my_turn(frame.state)):
        return isinstance(at_table.go_on(frame.state), GoOn)
    planned = draft(frame.state, frame.desk.claim)
    laying = at_table.lay(frame.state, rank=planned.rank, count=planned.count)
    return isinstance(laying, PlayCards)


def enter_words(frame: Frame) -> str:
    """What Enter does at the table now."""
    state = frame.state
    if not (state.picks and selectors.my_turn(state)):
        return "go on"
    return "lay ready" if selectors.options(state).held else "lay"


def may_unpick(frame: Frame) -> bool:
    """Whether Backspace does anything."""
    ready = selectors.laid_ready(frame.state) is not None
    heard = selectors.may_send(frame.state) and selectors.hears(frame.state)
    return bool(frame.state.picks) or (heard and ready)


def unpick_words(frame: Frame) -> str:
    """What Backspace does at the table now."""
    return "unpick" if frame.state.picks else "take back"


def may_pass(frame: Frame) -> bool:
    """Whether the rules and the table allow a pass now (RULES B11)."""
    ready = selectors.laid_ready(frame.state)
    has_passed = ready is not None and ready.rank is None
    runs = selectors.may_send(frame.state) and not selectors.stands_still(frame.state)
    return selectors.options(frame.state).may_pass and runs and not has_passed


def has_older(frame: Frame) -> bool:
    """Whether an older play can be doubted (RULES B14)."""
    table = selectors.public(frame.state)
    until = table.rules.challenge_until if table else None
    return (
        until is ChallengeUntil.PICK_UP
        and bool(older_plays(frame))
        and selectors.may_send(frame.state)
        and selectors.hears(frame.state)
    )


def has_chosen_play(frame: Frame) -> bool:
    """Whether the play under the cursor can still be doubted (RULES B14)."""
    return chosen_play(frame) is not None


def may_choose_rank(frame: Frame) -> bool:
    """Whether several ranks can be claimed (RULES B5, B6, B8)."""
    return selectors.may_choose_rank(frame.state)


def must_choose_rank(frame: Frame) -> bool:
    """Whether the picked cards do not say which of several ranks is meant."""
    picks = bool(frame.state.picks)
    return picks and may_choose_rank(frame) and draft(frame.state, frame.desk.claim).rank is None


def may_sneak(frame: Frame) -> bool:
    """Whether fewer can be said than are laid (RULES B10)."""
    table = selectors.public(frame.state)
    sneak = table.rules.sneak if table else 0
    return bool(sneak) and len(frame.state.picks) > 1


def may_vote_yes(frame: Frame) -> bool:
    """Whether a vote is open to me to which I have not said yes already."""
    vote = frame.state.vote
    return selectors.may_vote(frame.state) and vote is not None and vote.mine is not True


def may_vote_no(frame: Frame) -> bool:
    """Whether a vote is open to me to which I have not said no already."""
    vote = frame.state.vote
    return selectors.may_vote(frame.state) and vote is not None and vote.mine is not False


def acts_as_host(frame: Frame) -> bool:
    """Whether the host's keys are mine."""
    return selectors.acts_as_host(frame.state)


def on_seats(frame: Frame) -> bool:
    """Whether the cursor is among the seats of the lobby, not among its options."""
    return frame.desk.on_seats


def has_seat_menu(frame: Frame) -> bool:
    """Whether there is anything that I may do about the seat under the cursor."""
    row = frame.desk.seat_row
    seats = frame.state.lobby.seats if frame.state.lobby else ()
    mine = row < len(seats) and seats[row].name == frame.state.name
    return on_seats(frame) and (acts_as_host(frame) or mine)


def turns_options(frame: Frame) -> bool:
    """Whether the option under the cursor is mine to change."""
    return acts_as_host(frame) and not on_seats(frame)


def may_start(frame: Frame) -> bool:
    """Whether the host may deal now (RULES D6)."""
    can = selectors.between_deals(frame.state) and selectors.enough_are_ready(frame.state)
    return acts_as_host(frame) and can


def has_evening(frame: Frame) -> bool:
    """Whether more than one deal of this lobby is over."""
    return len(frame.state.evening) + selectors.is_over(frame.state) > 1


def has_suggestion(frame: Frame) -> bool:
    """Whether there is something to suggest to the host."""
    lobby = frame.state.lobby
    return lobby is not None and acts_as_host(frame) and bool(suggestions(lobby))


def is_seated(frame: Frame) -> bool:
    """Whether I have a seat in this lobby."""
    return selectors.my_lobby_seat(frame.state) is not None


def may_sit_or_be_ready(frame: Frame) -> bool:
    """Whether I have a seat in this lobby, or may take one."""
    return is_seated(frame) or selectors.between_deals(frame.state)


def ready_words(frame: Frame) -> str:
    """What Space does in the lobby now."""
    mine = selectors.my_lobby_seat(frame.state)
    if mine is None:
        return "take a seat"
    return "not ready" if mine.ready else "ready"


def has_lobby(frame: Frame) -> bool:
    """Whether a lobby of the hall is under the cursor."""
    return chosen_listing(frame) is not None


def has_lost_lobby(frame: Frame) -> bool:
    """Whether the hall has lobbies, but that under the cursor has gone."""
    return bool(frame.state.hall.lobbies) and not has_lobby(frame)


def connect_words(frame: Frame) -> str:
    """What Enter does before a server: it depends on what is chosen."""
    every = choices(frame.desk)
    chosen = every[min(frame.desk.row, len(every) - 1)] if every and in_list(frame) else None
    if chosen is Alone.PRACTISE:
        return "practise"
    return "learn" if chosen is Alone.LEARN else "connect"


def in_list(frame: Frame) -> bool:
    """Connect: whether the cursor is in the list."""
    return frame.desk.focus is Field.RECENT


def has_choices(frame: Frame) -> bool:
    """Connect: whether the list has more than one line."""
    return in_list(frame) and len(choices(frame.desk)) > 1
