"""What the server keeps: each change as a plain value, and all that was kept when it starts again.

A change is an *outcome*. The deck as dealt, every draw and every ruling is in it, so that reading
it back never arbitrates or rolls again. Nothing here reads or writes anything.
"""

import math
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from protocol.events import MAX_TALK, LobbyState, Said, StopReason
from protocol.numbers import LARGEST, CommandField, SeatField
from server.game.actions import Action
from server.game.deal import Deal

ENGINE = 1
"""The rules engine that kept deals rest on: one more whenever `apply` gives another deal."""

STORED_ANSWERS = 32  # so many answers of each person are kept, the newest


class _Change(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="kept"):
    """Something to keep; the tag says what."""


class PersonKept(_Change, frozen=True, kw_only=True, tag="person"):
    """Somebody is known, or looks different now. `seen_at` is in seconds of the wall clock."""

    digest: bytes  # the hash of the secret, which itself is kept nowhere
    name: str
    address: str
    seen_at: int
    last_command: Annotated[int, Meta(ge=0, le=LARGEST)] = 0
    has_played: bool = False  # was ever dealt cards: forgotten after all who never were
    nth: Annotated[int, Meta(ge=0, le=LARGEST)] = 0  # in the order in which people became known


class PersonForgotten(_Change, frozen=True, kw_only=True, tag="person_forgotten"):
    """Somebody stayed away too long: they and their answers are no longer needed."""

    digest: bytes


class AnswerKept(_Change, frozen=True, kw_only=True, tag="answer"):
    """A command was answered, so `last_command` is at least `n`; `packed` is the answer's event.

    Of a person who is not kept nothing is kept: nobody can come back and ask.
    """

    digest: bytes
    n: CommandField
    packed: bytes


class HolderRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whose a seat of the running deal is; who plays it now is in the deal (RULES D2, D3)."""

    name: str
    owner: bytes | None = None  # the digest of a person
    temperament: str = ""  # which computer player is there, or stands in
    gave_up: bool = False


class LobbyRecord(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A lobby with all that its people may not know."""

    state: LobbyState
    password: tuple[bytes, bytes] | None = None  # salt and digest
    maker: bytes | None = None
    # Who cannot come back (RULES D6): digest, name, address.
    removed: tuple[tuple[bytes, str, str], ...] = ()
    # From these addresses nobody can come in who became known after so many others.
    barred_after: tuple[tuple[str, Annotated[int, Meta(ge=0, le=LARGEST)]], ...] = ()
    dealer: str | None = None  # of the newest deal, or whoever sits there now (RULES A4)
    dealer_left: bool = False  # that seat is gone, and `dealer` sat on its left
    dealt: Annotated[int, Meta(ge=0, le=LARGEST)] = 0  # deals so far, through all matches
    people: tuple[tuple[str, bytes], ...] = ()  # name and digest, as they came or sat down
    holders: tuple[HolderRecord, ...] = ()  # by seat of the running deal
    chat: tuple[Said, ...] = ()  # the newest MAX_TALK lines
    deal_runs: bool = False
    asking: tuple[tuple[str, SeatField], ...] = ()  # who asks for which seat (RULES D8)
    votes: int = 0  # in the running deal, so far: their numbers are never given twice
    halts: int = 0
    paused_by: str | None = None  # who has paused it, or is about to (RULES D9)
    paused_by_vote: bool = False  # which they called
    stop_at: int | None = None  # of the running deal, if its minutes are limited (RULES B21)
    stop_reason: StopReason = StopReason.TIME  # or a vote that has passed (RULES D6)
    clocks_since: int = 0  # when those of the running deal last began to run or to stand still
    clocks_stand: bool = False
    missing: tuple[bytes, ...] = ()  # the digests of those for whom they stand (RULES D5)
    parked_h: int = 0  # for how many hours of any server nobody with a seat has been there

    def stops_at(self, at: int) -> float:
        """When the running deal stops, for a table that takes it up at this time (RULES B21).

        What it stood still until then does not count.
        """
        if self.stop_at is None:
            return math.inf
        return self.stop_at + (at - self.clocks_since if self.clocks_stand else 0)


class LobbyKept(_Change, frozen=True, kw_only=True, tag="lobby"):
    """A lobby is new or looks different now. Unless a deal runs, a former one is dropped.

    One in which a deal now runs is kept in the same commit as its `DealBegun`.
    """

    code: str
    lobby: LobbyRecord


class LineSaid(_Change, frozen=True, kw_only=True, tag="line"):
    """Somebody said something in a lobby that is kept: one more line of its `chat`.

    The lobby in whole is one to five kilobytes, most of them lines that are kept already.
    """

    code: str
    said: Said

    def added_to(self, lobby: LobbyRecord) -> LobbyRecord:
        """The lobby after it was said."""
        return replace(lobby, chat=(*lobby.chat, self.said)[-MAX_TALK:])


class LobbyClosed(_Change, frozen=True, kw_only=True, tag="lobby_closed"):
    """A lobby is no more, and neither is its deal."""

    code: str


class DealBegun(_Change, frozen=True, kw_only=True, tag="deal"):
    """A deal begins in a lobby that is kept; what was done in its former deal is dropped."""

    code: str
    deal: Deal


class ActionDone(_Change, frozen=True, kw_only=True, tag="action"):
    """An action was carried out in the lobby's running deal (microseconds since the table began).

    `announced_at`: the open window, or the reveal, counts from then on (RULES C2). `opened_at`: the
    newest play's window counted from then on, where that decides what a stop does (RULES B21); it may
    have started again since it was announced (RULES D5), also while it stayed open on a full disk.
    """

    code: str
    action: Action
    at: int
    announced_at: int | None = None
    opened_at: int | None = None


LobbyChange = LobbyKept | LineSaid | LobbyClosed | DealBegun | ActionDone
Change = PersonKept | PersonForgotten | AnswerKept | LobbyChange


class KeptPerson(Struct, frozen=True, kw_only=True):
    """A person as they were, with their last answers in the order in which they were given."""

    person: PersonKept  # its `last_command` is the newest one answered
    answers: tuple[AnswerKept, ...] = ()


class KeptLobby(Struct, frozen=True, kw_only=True):
    """A lobby as it was; if a deal runs there, how it began and what was done in it, in order."""

    code: str
    lobby: LobbyRecord
    deal: Deal | None = None
    actions: tuple[ActionDone, ...] = ()


class Kept(Struct, frozen=True, kw_only=True):
    """All that a journal gives back when the server starts."""

    people: tuple[KeptPerson, ...] = ()  # sorted by digest
    lobbies: tuple[KeptLobby, ...] = ()  # sorted by code
