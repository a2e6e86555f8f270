"""Every reason to say no: a code, the RULES clause it rests on, and a sentence for a person."""

from enum import StrEnum
from typing import NamedTuple


class Refusal(StrEnum):
    """Why a command was refused. The text of each is in `explained`."""

    # playing
    NOT_YOUR_TURN = "play/not_your_turn"
    NO_CARDS = "play/no_cards"
    TOO_MANY = "play/too_many"
    NOT_YOUR_CARDS = "play/not_your_cards"
    WRONG_RANK = "play/wrong_rank"
    WRONG_COUNT = "play/wrong_count"
    TOO_SNEAKY = "play/too_sneaky"
    STALE = "play/stale"
    LAST_PLAY_PENDING = "play/last_play_pending"
    STOPPING = "play/stopping"
    CALLED_FIRST = "play/called_first"
    TAKEN_BACK = "play/taken_back"
    NOTHING_HELD = "play/nothing_held"
    NO_PASSING = "pass/not_allowed"
    PASS_ON_EMPTY_PILE = "pass/empty_pile"  # noqa: S105 - a code, no secret
    # challenging
    TOO_LATE = "challenge/too_late"
    NOT_ANNOUNCED = "challenge/not_announced"
    OWN_PLAY = "challenge/own_play"
    OUT = "challenge/out"
    NOT_NEXT = "challenge/not_next"
    SAFE_PLAY = "challenge/safe_play"
    NOT_FIRST = "challenge/not_first"
    NOTHING_TO_LET_GO = "challenge/nothing_to_let_go"
    NOTHING_TO_READ = "challenge/nothing_to_read"
    # the table
    WATCHING = "table/watching"
    SEAT_GIVEN_UP = "table/seat_given_up"
    NO_DEAL = "table/no_deal"
    OTHER_DEAL = "table/other_deal"
    PAUSED = "table/paused"
    NOT_PAUSED = "table/not_paused"
    WAITS_FOR_PEOPLE = "table/waits_for_people"
    CLOCK_RUNS = "table/clock_runs"
    OWN_CLOCK = "table/own_clock"
    NO_VOTE = "table/no_vote"
    OTHER_VOTE = "table/other_vote"
    OTHER_PAUSE = "table/other_pause"
    VOTE_RUNS = "table/vote_runs"
    NO_COMPUTER_THERE = "table/no_computer_there"
    # the lobby
    NO_SUCH_LOBBY = "lobby/unknown_code"
    LOBBY_FULL = "lobby/full"
    TOO_FEW_SEATS = "lobby/too_few_seats"
    TOO_MANY_WATCH = "lobby/too_many_watch"
    WRONG_PASSWORD = "lobby/wrong_password"  # noqa: S105 - a code, no secret
    WAS_REMOVED = "lobby/removed"
    NO_WATCHERS = "lobby/no_watchers"
    IN_A_LOBBY = "lobby/already_in_one"
    NOT_IN_A_LOBBY = "lobby/not_in_one"
    NOT_HOST = "lobby/not_host"
    NO_SUCH_PERSON = "lobby/no_such_person"
    YOURSELF = "lobby/yourself"
    LINE_DOWN = "lobby/line_down"
    NO_SUCH_SEAT = "lobby/no_such_seat"
    NO_SUCH_TEMPERAMENT = "lobby/no_such_temperament"
    BAD_RULES = "lobby/bad_rules"
    TOO_FEW_PLAYERS = "lobby/too_few_players"
    NOT_READY = "lobby/not_ready"
    DEAL_RUNS = "lobby/deal_runs"
    TOO_MANY_LOBBIES = "lobby/too_many"
    # the door
    BAD_NAME = "door/bad_name"
    COMPUTERS_NAME = "door/computers_name"
    NAME_TAKEN = "door/name_taken"
    OLD_CLIENT = "door/old_client"
    OLD_SERVER = "door/old_server"
    BAD_SECRET = "door/bad_secret"  # noqa: S105 - a code, no secret
    SERVER_FULL = "door/server_full"
    ADDRESS_FULL = "door/address_full"
    CLOSING = "door/closing"
    ELSEWHERE = "door/elsewhere"
    # limits
    TOO_FAST = "limits/too_fast"
    OLD_NUMBER = "limits/old_number"
    EMPTY_TEXT = "limits/empty_text"
    TRY_AGAIN = "limits/try_again"


class Explanation(NamedTuple):
    """The clause a refusal rests on (empty where the game has none) and what to tell a person."""

    clause: str
    sentence: str


def explained(refusal: Refusal) -> Explanation:
    """The clause and the sentence of a refusal."""
    return _EXPLAINED[refusal]


_E = Explanation
_EXPLAINED: dict[Refusal, Explanation] = {
    Refusal.NOT_YOUR_TURN: _E(
        "A7", "It is not your turn: pick cards now, and lay them when it is."
    ),
    Refusal.NO_CARDS: _E("A7", "Lay at least one card."),
    Refusal.TOO_MANY: _E("B9", "That is more cards than one play may claim here: lay fewer."),
    Refusal.NOT_YOUR_CARDS: _E("A7", "Those cards are not all in your hand: pick again."),
    Refusal.WRONG_RANK: _E("A6", "That rank is not due now: say the one that is."),
    Refusal.WRONG_COUNT: _E("A8", "That is not as many cards as you say: lay or say fewer."),
    Refusal.TOO_SNEAKY: _E("B10", "That is more than this table lets you sneak in: lay fewer."),
    Refusal.STALE: _E("C7", "The table has moved on since you chose that; choose again."),
    Refusal.LAST_PLAY_PENDING: _E(
        "C2", "Somebody's last cards may still be doubted: nobody plays until that is decided."
    ),
    Refusal.STOPPING: _E(
        "B21", "The deal is ending: you can doubt the last play, but lay nothing more."
    ),
    Refusal.CALLED_FIRST: _E("C3", "Somebody doubted first, so your cards are back in your hand."),
    Refusal.TAKEN_BACK: _E("C3", "Taken back: your cards are in your hand."),
    Refusal.NOTHING_HELD: _E("C3", "You have nothing lying ready: lay something first."),
    Refusal.NO_PASSING: _E("A7", "There is no passing at this table: lay at least one card."),
    Refusal.PASS_ON_EMPTY_PILE: _E("B11", "The pile is empty: whoever starts it must lay a card."),
    Refusal.TOO_LATE: _E("C7", "Too late to doubt that, but it costs you nothing."),
    Refusal.NOT_ANNOUNCED: _E("C5", "There is no play to doubt yet: wait for the next one."),
    Refusal.OWN_PLAY: _E("C9", "You cannot doubt your own play: wait for somebody else's."),
    Refusal.OUT: _E("C9", "You are out: you can watch, but not doubt or play."),
    Refusal.NOT_NEXT: _E(
        "B13", "At this table only one player may doubt a play, and this time it is not you."
    ),
    Refusal.SAFE_PLAY: _E("B14", "That play is safe now: doubt a newer one."),
    Refusal.NOT_FIRST: _E("A10", "Somebody else doubted first. It costs you nothing."),
    Refusal.NOTHING_TO_LET_GO: _E(
        "C4", "There is no play for you to believe or doubt now: wait for the next."
    ),
    Refusal.NOTHING_TO_READ: _E("C10", "There is no ruling to read now."),
    Refusal.WATCHING: _E(
        "C9", "You are watching: only players can do that. Take a seat for the next deal."
    ),
    Refusal.SEAT_GIVEN_UP: _E("D3", "A computer has your seat: take it back first."),
    Refusal.NO_DEAL: _E("D7", "No deal is running here now: the host starts the next one."),
    Refusal.OTHER_DEAL: _E(
        "C7", "That was meant for a deal that is over: look at this one and choose again."
    ),
    Refusal.PAUSED: _E("D9", "The table is paused: wait until it goes on."),
    Refusal.NOT_PAUSED: _E("D9", "The table is going on already: there is no pause to end."),
    Refusal.WAITS_FOR_PEOPLE: _E(
        "D5", "The table waits for people to come back, and then goes on by itself."
    ),
    Refusal.CLOCK_RUNS: _E(
        "D1", "A clock is already running, or the table is not waiting for a person."
    ),
    Refusal.OWN_CLOCK: _E("D1", "The table waits for you: only others can hurry you."),
    Refusal.NO_VOTE: _E("D6", "There is no vote for you to take part in."),
    Refusal.OTHER_VOTE: _E("D6", "That vote is over: look at the open one and answer again."),
    Refusal.OTHER_PAUSE: _E("D9", "That pause is over: look at the table and choose again."),
    Refusal.VOTE_RUNS: _E("D6", "A vote is already open: answer that one first."),
    Refusal.NO_COMPUTER_THERE: _E("D8", "No computer player has that seat: choose another."),
    Refusal.NO_SUCH_LOBBY: _E("", "No lobby has that code. Check it, or look in the hall."),
    Refusal.LOBBY_FULL: _E("A1", "That lobby is full. You can watch, if its host allows it."),
    Refusal.WRONG_PASSWORD: _E("", "This lobby needs the right password: ask its host."),
    Refusal.TOO_FEW_SEATS: _E(
        "A1", "There are not enough seats for that: set more, or remove somebody first."
    ),
    Refusal.TOO_MANY_WATCH: _E(
        "D8", "No more people can watch that lobby: join it, or choose another."
    ),
    Refusal.WAS_REMOVED: _E(
        "D6", "You were removed from that lobby and cannot come back: join another."
    ),
    Refusal.NO_WATCHERS: _E("D8", "That lobby allows no watchers: join it, or choose another."),
    Refusal.IN_A_LOBBY: _E("", "You are in a lobby already: leave it first."),
    Refusal.NOT_IN_A_LOBBY: _E("", "You are not in a lobby: join one first."),
    Refusal.NOT_HOST: _E("D6", "Only the host can do that: ask them."),
    Refusal.NO_SUCH_PERSON: _E("D6", "Nobody here has that name: check the spelling."),
    Refusal.YOURSELF: _E("D6", "That is you: to go, leave the lobby."),
    Refusal.LINE_DOWN: _E("D8", "They are not connected now: say yes once they are back."),
    Refusal.NO_SUCH_SEAT: _E("D6", "There is no such seat, or the wrong kind of player has it."),
    Refusal.NO_SUCH_TEMPERAMENT: _E(
        "D6", "There is no computer player of that kind: choose another."
    ),
    Refusal.BAD_RULES: _E("B25", "That is not a rules code or preset: try classic."),
    Refusal.TOO_FEW_PLAYERS: _E(
        "A1", "It takes two who are ready: invite somebody, wait, or add a computer player."
    ),
    Refusal.NOT_READY: _E("D6", "Not everybody is ready: wait, or start anyway."),
    Refusal.DEAL_RUNS: _E("D7", "A deal is running: that can be done between deals."),
    Refusal.TOO_MANY_LOBBIES: _E("", "There are too many open lobbies: leave or join one instead."),
    Refusal.BAD_NAME: _E(
        "",
        "A name is 1 to 16 letters A to Z, digits, - or _, with single spaces inside; not server, host, you, nobody or the like.",
    ),
    Refusal.COMPUTERS_NAME: _E("", "Computer players have names like that: choose another."),
    Refusal.NAME_TAKEN: _E(
        "", "Somebody here already has that name, or one that looks like it: choose another."
    ),
    Refusal.OLD_CLIENT: _E(
        "", "This server speaks a newer version: update your client, then join again."
    ),
    Refusal.OLD_SERVER: _E(
        "", "This server speaks an older version than your client: ask its host to update it."
    ),
    Refusal.BAD_SECRET: _E(
        "", "This server does not know you any more: join again under your name."
    ),
    Refusal.SERVER_FULL: _E("", "The server is full: try again in a few minutes."),
    Refusal.ADDRESS_FULL: _E(
        "",
        "Too many people are here from your network address: the host can allow more (--per-address).",
    ),
    Refusal.CLOSING: _E("", "The server is shutting down: try again in a moment."),
    Refusal.ELSEWHERE: _E(
        "", "You have connected from another terminal: go on there, or restart this client."
    ),
    Refusal.TOO_FAST: _E("", "Too fast: wait a moment and try again."),
    Refusal.OLD_NUMBER: _E("", "That was asked so long ago that its answer is gone: ask again."),
    Refusal.EMPTY_TEXT: _E("", "That message is empty: type some words."),
    Refusal.TRY_AGAIN: _E("", "The server could not do that just now: try again."),
}
