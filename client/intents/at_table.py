"""What a player means at the table -> a command, a local change, or a hint why not now. Pure."""

from collections.abc import Callable

from client import my_hand, selectors
from client.intents.shared import UNNUMBERED, Intent, explain
from client.state import BelieveAll, ClientState, Hinted, LinkState, Noted, Picked
from client.words import claim, name_of
from protocol import commands as c
from protocol import events as e
from protocol.cards import Rank
from protocol.commands import AnyCommand
from protocol.numbers import PlayNumber, Seat
from protocol.options import (
    why_not_challenge,
    why_not_let_go,
    why_not_move,
    why_not_pass,
    why_not_play,
)
from protocol.refusals import Refusal, explained
from protocol.views import PublicTable, TableView

WATCHING = explained(Refusal.WATCHING).sentence
NEXT_TIME = "You only watch this deal: you are dealt in next time."
NO_DEAL = explained(Refusal.NO_DEAL).sentence
NO_LOBBY = explained(Refusal.NOT_IN_A_LOBBY).sentence
NO_LINE = "There is no connection just now: wait, it comes back by itself."
NO_SERVER = "You are not connected: choose a server first."
ON_ITS_WAY = "Already sent: wait for the server."
SAY_RANK = "Say which rank you claim."
GIVEN_UP = "A computer has your seat: take it back first."
ONLY_OLDER = "There is no play for you to believe now: older ones can only be doubted (B14)."
PAUSES_LATER = {
    e.Phase.PROTECTED: "The table pauses once the open window has ended.",
    e.Phase.REVEAL: "The table pauses once the ruling has been read.",
}
RULING_FIRST = "Your doubt is on its way: wait for the ruling."


def _why_not_at_all(state: ClientState) -> str | None:
    """Why nothing can be done at the table just now, whatever it is."""
    if not selectors.is_online(state):
        return NO_LINE if state.link.state is LinkState.LOST else NO_SERVER
    if state.table is None or not selectors.dealing(state):
        return _why_no_deal(state)
    if selectors.gave_up(state):
        return GIVEN_UP
    if state.table.you is None:
        return NEXT_TIME if selectors.my_lobby_seat(state) else WATCHING
    return RULING_FIRST if selectors.waiting_for_ruling(state) else None


def _why_no_deal(state: ClientState) -> str:
    """Without a deal: that none runs here, or that I am not where one could."""
    return NO_DEAL if state.lobby or state.table else NO_LOBBY


def _seated(state: ClientState) -> tuple[TableView, Seat] | Hinted:
    """The view and my seat, or why there is nothing to do."""
    if no := _why_not_at_all(state):
        return Hinted(text=no)
    if state.table is None or state.table.you is None:
        return Hinted(text=NO_DEAL)
    return state.table, state.table.you


def _heard(state: ClientState) -> tuple[TableView, Seat] | Hinted:
    """The same for what a table that stands still does not hear (RULES D5, D9)."""
    seated = _seated(state)
    if isinstance(seated, Hinted) or selectors.hears(state):
        return seated
    return explain(state, Refusal.PAUSED)


def _moving(state: ClientState) -> tuple[TableView, Seat] | Hinted:
    """The same for cards and for a pass, which have a turn and are sent once (RULES A7, D5, D9)."""
    seated = _seated(state)
    if isinstance(seated, Hinted):
        return seated
    view, seat = seated
    if selectors.stands_still(state):
        return explain(state, Refusal.PAUSED)
    if refusal := why_not_move(view.table, seat):
        return explain(state, refusal)
    return Hinted(text=ON_ITS_WAY) if selectors.move_pending(state) else seated


# --- picking -----------------------------------------------------------------------------------


def pick(state: ClientState, rank: Rank | None) -> Picked | Hinted:
    """Pick one more card of this rank (None: a joker); after the last one held, none of it."""
    mine = [card.id for card in my_hand.of_rank(state, rank)]
    if not mine:
        return _holds_none(state, rank)
    left = [card for card in mine if card not in state.picks]
    if left:
        return Picked(cards=(*state.picks, left[0]))
    return Picked(cards=tuple(card for card in state.picks if card not in mine))


def _holds_none(state: ClientState, rank: Rank | None) -> Hinted:
    text = f"You hold no {rank.word if rank else 'joker'}."
    if rank is not None and rank in selectors.due(state) and selectors.my_turn(state):
        text = f"{text[:-1]}: pick others, and say that they are {rank.plural}."
    return Hinted(text=text)


def pick_all(state: ClientState, rank: Rank | None) -> Picked | Hinted:
    """Pick every card of this rank; if they all are, none of it."""
    mine = tuple(card.id for card in my_hand.of_rank(state, rank))
    if not mine:
        return pick(state, rank)
    others = tuple(card for card in state.picks if card not in mine)
    every = all(card in state.picks for card in mine)
    return Picked(cards=others if every else (*others, *mine))


def back(state: ClientState) -> Intent:
    """Unpick the card picked last; with none picked, take back what lies ready (RULES C3)."""
    if state.picks:
        return Picked(cards=state.picks[:-1])
    return take_back(state)


# --- moving ------------------------------------------------------------------------------------


def lay(state: ClientState, rank: Rank | None = None, count: int | None = None) -> Intent:
    """Lay the picked cards; under another rank or count than the obvious ones if given.

    `rank` is needed where several are due and the cards do not say which (RULES B5 to B8); a
    `count` below the number of cards is a sneak (RULES B10).
    """
    seated = _moving(state)
    if isinstance(seated, Hinted):
        return seated
    view, seat = seated
    if not state.picks:
        return Hinted(text="Pick cards first: type their ranks.")
    said = rank or my_hand.claimed_rank(state)
    if said is None:
        return Hinted(text=SAY_RANK)
    claimed = my_hand.said_count(state) if count is None else count
    if refusal := why_not_play(view.table, seat, len(state.picks), (claimed, said)):
        return explain(state, refusal)
    return c.PlayCards(
        n=UNNUMBERED,
        deal=view.table.deal,
        after=view.table.newest,
        pile=view.table.pile_number,
        cards=state.picks,
        count=claimed,
        rank=said,
    )


def pass_turn(state: ClientState) -> Intent:
    """Pass instead of playing (RULES B11)."""
    seated = _moving(state)
    if isinstance(seated, Hinted):
        return seated
    view, seat = seated
    if refusal := why_not_pass(view.table, seat):
        return explain(state, refusal)
    table = view.table
    return c.Pass(n=UNNUMBERED, deal=table.deal, after=table.newest, pile=table.pile_number)


def take_back(state: ClientState) -> Intent:
    """Take back what lies ready (RULES C3)."""
    seated = _heard(state)
    if isinstance(seated, Hinted):
        return seated
    view, _ = seated
    if view.held is None:
        return explain(state, Refusal.NOTHING_HELD)
    if selectors.pending(state, c.TakeBack):
        return Hinted(text=ON_ITS_WAY)
    return c.TakeBack(n=UNNUMBERED, deal=view.table.deal, after=view.table.newest)


def go_on(state: ClientState) -> Intent:
    """I have read the ruling (RULES C10)."""
    seated = _heard(state)
    if isinstance(seated, Hinted):
        return seated
    view, _ = seated
    if view.table.phase is not e.Phase.REVEAL or state.ruling is None or state.gone_on:
        return explain(state, Refusal.NOTHING_TO_READ)
    return c.GoOn(n=UNNUMBERED, deal=view.table.deal, play=state.ruling.shown.play)


# --- doubting and believing --------------------------------------------------------------------


def doubt(state: ClientState, now: float, play: PlayNumber | None = None) -> Intent:
    """Challenge the play on the screen, or the one named (RULES A9, C7).

    Unless it is named, a play shown for less than 250 ms is not doubted: the press may have been
    meant for the one before, and it would cost a pile.
    """
    seated = _heard(state)
    if isinstance(seated, Hinted):
        return (_twice(state, play) if selectors.waiting_for_ruling(state) else None) or seated
    view, seat = seated
    number = view.table.newest if play is None else play
    if refusal := why_not_challenge(view.table, seat, number):
        return explain(state, refusal)
    newest = view.table.newest_play
    if play is None and newest and selectors.newly_painted(state, now):
        who = name_of(view.table, newest.seat)
        said = claim(newest.count, newest.rank)
        return Hinted(text=f"A newer play: {who} said {said}. b again doubts it.")
    twice = _twice(state, number)
    return twice or c.Challenge(n=UNNUMBERED, deal=view.table.deal, play=number)


def _twice(state: ClientState, play: PlayNumber | None) -> Hinted | None:
    if state.doubt is None or (play is not None and state.doubt.play != play):
        return None
    return Hinted(text="You have doubted that play already.")


def believe(state: ClientState) -> Intent:
    """Let the newest play go (RULES C4)."""
    seated = _heard(state)
    if isinstance(seated, Hinted):
        return seated
    view, seat = seated
    if refusal := why_not_let_go(view.table, seat, view.table.newest):
        return Hinted(text=ONLY_OLDER) if selectors.doubtable(state) else explain(state, refusal)
    if selectors.believed_myself(state) or selectors.pending(state, c.LetGoOf):
        return Hinted(text="You believe it already; b still doubts.")
    if view.you_let_go:  # the computer player has said so: I am back, and of its opinion
        return return_to_seat(state)
    return c.LetGoOf(n=UNNUMBERED, deal=view.table.deal, play=view.table.newest)


def believe_all(state: ClientState) -> Intent:
    """Let every play go until my turn, or stop doing so."""
    seated = _seated(state)
    if isinstance(seated, Hinted):
        return seated
    return BelieveAll(on=not state.believe_all)


def automatic(state: ClientState) -> AnyCommand | None:
    """What `believe_all` sends by itself after an event; ask after every event.

    Somebody's last cards are never believed unasked: they decide the deal.
    """
    if not state.believe_all or selectors.last_play_pending(state):
        return None
    letting_go = believe(state)
    if not isinstance(letting_go, c.LetGoOf) or letting_go.play == state.believed:
        return None
    return letting_go


# --- the table as a whole ----------------------------------------------------------------------


def _if_seated(state: ClientState, command: Callable[[PublicTable], AnyCommand]) -> Intent:
    seated = _seated(state)
    return seated if isinstance(seated, Hinted) else command(seated[0].table)


def call_vote(state: ClientState, on: e.VoteOn) -> Intent:
    """Ask the table to end the deal or to pause (RULES D6, D9)."""
    if state.vote:
        return explain(state, Refusal.VOTE_RUNS)
    table = selectors.public(state)
    if table and on is e.VoteOn.END_DEAL and selectors.may_end_what_nobody_plays(state):
        return c.CallVote(n=UNNUMBERED, deal=table.deal, on=on)
    return _if_seated(state, lambda table: c.CallVote(n=UNNUMBERED, deal=table.deal, on=on))


def cast_vote(state: ClientState, *, yes: bool) -> Intent:
    """Answer the open vote."""
    if state.vote is None:
        return explain(state, Refusal.NO_VOTE)
    vote = state.vote.state.vote
    return _if_seated(
        state, lambda table: c.CastVote(n=UNNUMBERED, deal=table.deal, vote=vote, yes=yes)
    )


def pause(state: ClientState) -> Intent:
    """Host: stop the clocks; anybody else: ask the table to (RULES D9)."""
    if not selectors.is_host(state):
        return call_vote(state, e.VoteOn.PAUSE)
    table = selectors.public(state)
    if table is None or not selectors.dealing(state):
        return Hinted(text=NO_DEAL)
    return c.PauseTable(n=UNNUMBERED, deal=table.deal)


def when_paused(state: ClientState, intent: object) -> tuple[Noted, ...]:
    """To whoever asks for a pause: when it will begin, if not at once; nobody else says so (RULES D9)."""
    table = selectors.public(state)
    asks = isinstance(intent, c.PauseTable) and state.pause is None
    if table is None or not asks or not selectors.is_online(state):
        return ()
    later = PAUSES_LATER.get(table.phase)
    return (Noted(text=later),) if later else ()


def resume(state: ClientState) -> Intent:
    """Host, or whoever paused: let the clocks run again (RULES D9)."""
    table = selectors.public(state)
    if table is None or state.pause is None:
        soon = selectors.stands_still(state)
        return Hinted(text="The table goes on in a moment." if soon else "The table is not paused.")
    return c.ResumeTable(n=UNNUMBERED, deal=table.deal, pause=state.pause.number)


def start_clock(state: ClientState) -> Intent:
    """With `turn_s` off: start a clock of 30 s for the seat to move (RULES D1)."""
    table = selectors.public(state)
    if table is not None and selectors.dealing(state) and selectors.is_host(state):
        asks: Intent = _clock_for_the_turn(table)  # also without a seat
    else:
        asks = _if_seated(state, _clock_for_the_turn)
    refusal = selectors.why_no_clock(state)
    return asks if refusal is None or isinstance(asks, Hinted) else explain(state, refusal)


def _clock_for_the_turn(table: PublicTable) -> c.StartClock:
    return c.StartClock(
        n=UNNUMBERED,
        deal=table.deal,
        seat=table.turn,
        after=table.newest,
        pile=table.pile_number,
    )


def give_up_seat(state: ClientState) -> Intent:
    """Leave my seat to a computer player for the rest of this deal (RULES D3)."""
    return _if_seated(state, lambda table: c.GiveUpSeat(n=UNNUMBERED, deal=table.deal))


def return_to_seat(state: ClientState) -> Intent:
    """Take my seat back from the computer player that has it (RULES D2, D3)."""
    table = selectors.public(state)
    if table is None or not selectors.dealing(state):
        return Hinted(text=_why_no_deal(state))
    return c.ReturnToSeat(n=UNNUMBERED, deal=table.deal)


# --- keys --------------------------------------------------------------------------------------

_SMALL: dict[str, Rank | None] = {
    "a": Rank.ACE,
    **{str(number): Rank(number) for number in range(2, 10)},
    "t": Rank.TEN,
    "0": Rank.TEN,
    "j": Rank.JACK,
    "q": Rank.QUEEN,
    "k": Rank.KING,
    "x": None,
}
RANK_KEYS = _SMALL | {key.upper(): rank for key, rank in _SMALL.items()}
"""The keys that pick a rank at the table, also as the cards have them; x picks a joker."""
