"""What happens in a lobby and in the hall."""

from enum import StrEnum
from typing import Annotated, ClassVar

from msgspec import Meta, Struct

from protocol.events.base import Event
from protocol.numbers import (
    LARGEST,
    MAX_SEATS,
    MIN_SEATS,
    Count,
    PlayField,
    PlayNumber,
)
from protocol.rules import TableRules
from protocol.text import ChatText, Name, Sentence, Shout

MAX_TALK = 20  # lines of a lobby that are kept, and told to who comes: about a screen, one message


class Said(Event, frozen=True, kw_only=True, tag="said"):
    """Somebody said something, here or in the hall."""

    name: Name  # who said it
    text: ChatText  # without control characters; clean it all the same
    line: Annotated[int, Meta(ge=0, le=LARGEST)] = 0  # of this lobby, counted from 1; 0 in the hall


class TalkSoFar(Event, frozen=True, kw_only=True, tag="talk_so_far"):
    """Private: the last lines said in this lobby, oldest first; some you may have heard already.

    Sent on entering it, and on coming back if what was missed could not be sent.
    """

    passing: ClassVar[bool] = True
    lines: Annotated[tuple[Said, ...], Meta(max_length=MAX_TALK)]  # the newest of this lobby


class News(StrEnum):
    """What a line of lobby news is about."""

    CREATED = "created"  # opened the lobby
    JOINED = "joined"  # came in and has a seat
    LEFT = "left"  # went away
    WATCHES = "watches"  # came in to watch, or stood up
    SAT_DOWN = "sat_down"  # has a seat after watching
    LOST = "lost"  # has lost the connection
    BACK = "back"  # is connected again
    REMOVED = "removed"  # was removed by the host
    NEW_HOST = "new_host"  # is host from now on
    RULES = "rules"  # changed the rules; `detail` is their code
    SEATS = "seats"  # shuffled the seats
    SETTINGS = "settings"  # changed the settings
    COMPUTER = "computer"  # a computer player that has a seat now
    COMPUTER_LEFT = "computer_left"  # a computer player that was removed
    ASKS_FOR_SEAT = "asks_for_seat"  # wants the seat of the computer player in `detail`
    SEAT_DENIED = "seat_denied"  # does not get the seat asked for
    MATCH_WON = "match_won"  # won the match
    DEAL_LOST = "deal_lost"  # the server made a mistake, which cost this deal
    MISTAKE = "mistake"  # the server made one, and the lobby is as it was before


class LobbyNews(Event, frozen=True, kw_only=True, tag="lobby_news"):
    """A line of news for the lobby's log; the state itself comes in `LobbyChanged`."""

    news: News  # what has happened
    name: Name  # whom it is about
    detail: Sentence = ""  # what else belongs to it: a rules code, say


class SeatKind(StrEnum):
    """Who has a seat in a lobby."""

    PERSON = "person"
    COMPUTER = "computer"


class LobbySeat(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One occupied seat of a lobby."""

    name: Name  # of the person or computer player
    kind: SeatKind = SeatKind.PERSON  # who has it
    temperament: Annotated[str, Meta(max_length=16)] = ""  # of a computer player
    ready: bool = False  # for the next deal
    connected: bool = True  # now; a computer player always
    wins: Count = 0  # deals won in this match, or since none is played


class LobbyStage(StrEnum):
    """Where a lobby is in its evening."""

    GATHERING = "gathering"  # before its first deal
    PLAYING = "playing"  # a deal runs
    BETWEEN_DEALS = "between_deals"  # of a match that goes on, or without one (`match_wins` 1)
    MATCH_OVER = "match_over"  # the next deal begins another match


class LobbySettings(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the host decides besides the rules."""

    public: bool = True  # listed in the hall
    size: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS)] = MAX_SEATS  # the most seats
    watchers: bool = True  # people may watch
    shout: Shout = "BS!"  # the word of a challenge


class LobbyState(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that its people may know of a lobby."""

    code: Annotated[str, Meta(max_length=24)]  # to join it by
    rules: TableRules  # of the next deal; one that runs keeps its own
    settings: LobbySettings  # what the host decides besides
    host: Name  # name of the host
    stage: LobbyStage  # where it is in its evening
    seats: Annotated[tuple[LobbySeat, ...], Meta(max_length=MAX_SEATS)]  # those taken, clockwise
    watching: Annotated[tuple[Name, ...], Meta(max_length=200)] = ()  # people without a seat
    password: bool = False  # one is needed to come in
    deals: Count = 0  # dealt so far in this match; 0 without one
    asking: Annotated[tuple[Name, ...], Meta(max_length=200)] = ()  # for a computer player's seat
    match_winner: Name | None = None  # once the match is won


class LobbyChanged(Event, frozen=True, kw_only=True, tag="lobby_changed"):
    """The lobby as it is now: sent on entering, on coming back, and after most changes.

    `SeatChanged` and `StageChanged` tell the frequent ones in fewer words.
    """

    passing: ClassVar[bool] = True
    lobby: LobbyState  # all of it, in place of what was known


class SeatChanged(Event, frozen=True, kw_only=True, tag="seat_changed"):
    """Whoever has this seat of the lobby is ready or not, and connected or not (RULES D2, D6)."""

    passing: ClassVar[bool] = True
    name: Name  # of the person or computer player
    ready: bool = False  # for the next deal
    connected: bool = True  # now


class StageChanged(Event, frozen=True, kw_only=True, tag="stage_changed"):
    """A deal begins or is over (RULES B22, D7).

    When it is over, of all seats only computer players are ready, and nobody is `asking` any more.
    One that the server has given up is over with this alone, without `DealOver`.
    """

    passing: ClassVar[bool] = True
    stage: LobbyStage  # where the lobby is now
    deals: Count  # dealt so far in this match; 0 without one
    wins: Annotated[tuple[Count, ...], Meta(max_length=MAX_SEATS)]  # of each seat of the lobby
    match_winner: Name | None = None  # once the match is won


class LobbyLeft(Event, frozen=True, kw_only=True, tag="lobby_left"):
    """Private: you are back in the hall, and why."""

    passing: ClassVar[bool] = True
    reason: Sentence = ""  # for a person, where there is something to say


class Stalled(Event, frozen=True, kw_only=True, tag="stalled"):
    """The server can keep nothing just now: what is asked of this lobby waits until it can, and nothing is lost.

    Also told to whoever comes meanwhile, on each connection. At a running deal `Paused` and `Resumed` say it.
    """

    passing: ClassVar[bool] = True
    over: bool = False  # it can again


class Listing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One public lobby, as the hall shows it."""

    code: Annotated[str, Meta(max_length=24)]  # to join it by
    host: Name  # name of the host
    stage: LobbyStage  # where it is in its evening
    rules: TableRules  # of its next deal
    size: Annotated[int, Meta(ge=MIN_SEATS, le=MAX_SEATS)]  # the most seats
    seated: Annotated[tuple[Name, ...], Meta(max_length=MAX_SEATS)]  # who has a seat
    watching: Count = 0  # how many watch
    watchers: bool = True  # people may watch
    password: bool = False  # one is needed
    plays: PlayField = PlayNumber(0)  # made so far in the deal that runs


class HallChanged(Event, frozen=True, kw_only=True, tag="hall_changed"):
    """The hall as it is now: sent on entering it, and where a join is refused and it has changed meanwhile."""

    passing: ClassVar[bool] = True
    online: Count  # people who are connected
    lobbies: Annotated[tuple[Listing, ...], Meta(max_length=100)]  # the newest of the public ones


class Listed(Event, frozen=True, kw_only=True, tag="listed"):
    """A public lobby is new or has changed."""

    passing: ClassVar[bool] = True
    lobby: Listing  # as it is now, in place of what was known under its code


class Unlisted(Event, frozen=True, kw_only=True, tag="unlisted"):
    """A lobby is no longer in the hall."""

    passing: ClassVar[bool] = True
    code: Annotated[str, Meta(max_length=24)]  # of the lobby


class Online(Event, frozen=True, kw_only=True, tag="online"):
    """How many people are connected."""

    passing: ClassVar[bool] = True
    count: Count  # in the hall, in lobbies and at tables together
