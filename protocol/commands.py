"""What a client may ask. Every numbered command is answered exactly once (see `answers`)."""

from typing import Annotated, final, get_args

from msgspec import Meta, Struct

from protocol.cards import Rank
from protocol.events import Ids, LobbySettings, VoteOn
from protocol.numbers import (
    LARGEST,
    CommandField,
    Count,
    DealField,
    EventField,
    EventNumber,
    PileField,
    PlayField,
    SeatField,
    Size,
)
from protocol.text import ChatText, Name

MAX_RULES_TEXT = 200

LobbyCode = Annotated[str, Meta(min_length=1, max_length=24)]
Password = Annotated[str, Meta(min_length=1, max_length=64)]
RulesText = Annotated[str, Meta(min_length=1, max_length=MAX_RULES_TEXT)]
Temperament = Annotated[str, Meta(min_length=1, max_length=16)]
Secret = Annotated[bytes, Meta(min_length=32, max_length=32)]
Nonce = Annotated[int, Meta(ge=0, le=LARGEST)]


class Resume(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Who I am, and the last numbered event I have seen."""

    secret: Secret  # of the first welcome
    epoch: Annotated[str, Meta(max_length=32)] = ""  # of the last welcome
    last_event: EventField = EventNumber(0)  # the highest number seen


@final
class Hello(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
    tag="hello",
):
    """The first message of a connection: who you are, and which protocol you speak."""

    major: Annotated[int, Meta(ge=0, le=1000)]  # of the protocol that this client speaks
    minor: Annotated[int, Meta(ge=0, le=1000)]  # the newest that it knows
    client: Annotated[str, Meta(max_length=40)]  # the program and its version
    name: Name  # the one you would like
    ssh: bool = False  # this client runs on a box that its person reached by SSH (RULES C8)
    resume: Resume | None = None  # who I am, if I was here before
    brief: bool = False  # if I am new: a secret that a person can write down


@final
class Pong(
    Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type", tag="pong"
):
    """The answer to a `Ping`, with its nonce."""

    nonce: Nonce  # that of the ping


class Command(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="type",
):
    """Something asked for, under the sender's own number."""

    n: CommandField


# --- at the table ------------------------------------------------------------------------------


class AtTheTable(Command, frozen=True, kw_only=True):
    """A command to the deal that runs. It names the deal, so that it can never hit another one."""

    deal: DealField


class PlayCards(AtTheTable, frozen=True, kw_only=True, tag="play"):
    """Lay cards face down and claim them (RULES A7). `after` and `pile` say which table you saw."""

    after: PlayField
    pile: PileField
    cards: Annotated[Ids, Meta(min_length=1)]  # their ids, all in your hand
    count: Size  # how many you say they are; fewer only where `sneak` is on (RULES B10)
    rank: Rank  # the rank you say they are


class Pass(AtTheTable, frozen=True, kw_only=True, tag="pass"):
    """Pass instead of playing (RULES B11)."""

    after: PlayField
    pile: PileField


class TakeBack(AtTheTable, frozen=True, kw_only=True, tag="take_back"):
    """Take back what is held (RULES C3)."""

    after: PlayField


class Challenge(AtTheTable, frozen=True, kw_only=True, tag="challenge"):
    """Doubt this play (RULES A9)."""

    play: PlayField


class LetGoOf(AtTheTable, frozen=True, kw_only=True, tag="let_go_of"):
    """Believe this play (RULES C4)."""

    play: PlayField


class GoOn(AtTheTable, frozen=True, kw_only=True, tag="go_on"):
    """I have read the ruling on this play (RULES C10)."""

    play: PlayField


class StartClock(AtTheTable, frozen=True, kw_only=True, tag="start_clock"):
    """With `turn_s` off: start a clock of 30 s for the seat to move (RULES D1).

    `seat`, `after` and `pile` name the turn that is meant: no later one is hurried.
    """

    seat: SeatField
    after: PlayField
    pile: PileField


class GiveUpSeat(AtTheTable, frozen=True, kw_only=True, tag="give_up_seat"):
    """Leave my seat to a computer player for the rest of this deal (RULES D3)."""


class ReturnToSeat(AtTheTable, frozen=True, kw_only=True, tag="return_to_seat"):
    """Take my seat back from the computer player that has it (RULES D2, D3)."""


class CallVote(AtTheTable, frozen=True, kw_only=True, tag="call_vote"):
    """Ask the table to end the deal or to pause (RULES D6, D9)."""

    on: VoteOn  # what to decide


class CastVote(AtTheTable, frozen=True, kw_only=True, tag="cast_vote"):
    """My vote in the open one, which `vote` names."""

    vote: Count
    yes: bool  # for it, or against


class PauseTable(AtTheTable, frozen=True, kw_only=True, tag="pause_table"):
    """Host: stop the clocks once no protected time runs and no ruling is being read (RULES D9)."""


class ResumeTable(AtTheTable, frozen=True, kw_only=True, tag="resume_table"):
    """Host, or whoever paused: let the clocks run again after this pause (RULES D9).

    After a mistake of the server every player may.

    Or do not stop them after all: a pause that was asked for and has not begun has number 0.
    """

    pause: Count = 0


# --- in a lobby --------------------------------------------------------------------------------


class CreateLobby(Command, frozen=True, kw_only=True, tag="create_lobby"):
    """Open a lobby with a preset or a rules code (RULES B25)."""

    rules: RulesText = "classic"  # section 11
    settings: LobbySettings = LobbySettings()  # those that are to be other than their defaults
    password: Password | None = None  # which joining and watching then take


class JoinLobby(Command, frozen=True, kw_only=True, tag="join_lobby"):
    """Sit down in a lobby, or watch it."""

    code: LobbyCode  # such as FOX-42; upper and lower case are the same
    password: Password | None = None  # where the lobby has one, also to watch
    watch: bool = False  # instead of sitting down


class LeaveLobby(Command, frozen=True, kw_only=True, tag="leave_lobby"):
    """Back to the hall; during a deal this gives up the seat (RULES D3)."""


class SetReady(Command, frozen=True, kw_only=True, tag="set_ready"):
    """I am ready for the next deal, or not (RULES D6)."""

    ready: bool = True  # false: not any more


class StartDeal(Command, frozen=True, kw_only=True, tag="start_deal"):
    """Host: deal; `anyway` without those who are not ready (RULES D6)."""

    anyway: bool = False  # those who are not ready watch; else they keep it from beginning


class SetRules(Command, frozen=True, kw_only=True, tag="set_rules"):
    """Host: these rules from the next deal on (RULES D7)."""

    rules: RulesText  # section 11


class SetSettings(Command, frozen=True, kw_only=True, tag="set_settings"):
    """Host: these settings of the lobby."""

    settings: LobbySettings  # all of them: what is absent goes back to its default


class AddComputer(Command, frozen=True, kw_only=True, tag="add_computer"):
    """Host: a computer player of this temperament takes a seat (RULES D6)."""

    temperament: Temperament  # one of those in the welcome


class RemoveSeat(Command, frozen=True, kw_only=True, tag="remove_seat"):
    """Host: remove whoever has this name from the lobby, person or computer player (RULES D6)."""

    name: Name  # as the lobby shows it


class HandOver(Command, frozen=True, kw_only=True, tag="hand_over"):
    """Host: this person is host from now on (RULES D6)."""

    name: Name  # a person of this lobby


class ShuffleSeats(Command, frozen=True, kw_only=True, tag="shuffle_seats"):
    """Host: seats in a new order, between deals (RULES D6)."""


class SitDown(Command, frozen=True, kw_only=True, tag="sit_down"):
    """From watching to a seat.

    During a deal with `seat`: ask to take over that computer player's seat and hand (RULES D8);
    `deal` then names the deal.
    """

    seat: SeatField | None = None  # during a deal: of the computer player
    deal: DealField | None = None  # wherever `seat` is given


class StandUp(Command, frozen=True, kw_only=True, tag="stand_up"):
    """From a seat to watching, between deals."""


class AnswerSeat(Command, frozen=True, kw_only=True, tag="answer_seat"):
    """Host: let somebody who asked take over a computer player's seat, or not (RULES D8)."""

    deal: DealField
    name: Name  # who asked
    yes: bool  # they get it


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """Say something to everybody here, in a lobby or in the hall."""

    text: ChatText  # one line; what cannot be shown on a terminal is taken out


TableCommand = (
    PlayCards
    | Pass
    | TakeBack
    | Challenge
    | LetGoOf
    | GoOn
    | StartClock
    | GiveUpSeat
    | ReturnToSeat
    | CallVote
    | CastVote
    | PauseTable
    | ResumeTable
)
AT_THE_TABLE: frozenset[type[AtTheTable]] = frozenset(get_args(TableCommand))
LobbyCommand = (
    SetReady
    | StartDeal
    | SetRules
    | SetSettings
    | AddComputer
    | RemoveSeat
    | HandOver
    | ShuffleSeats
    | SitDown
    | StandUp
    | AnswerSeat
    | LeaveLobby
    | Say
)
HallCommand = CreateLobby | JoinLobby
AnyCommand = TableCommand | LobbyCommand | HallCommand
ClientMessage = Hello | Pong | AnyCommand
