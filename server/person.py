"""One person as the server knows them: who they are, where they sit, what they were told and asked.

A person is an identity, not a connection: the session comes and goes, the person stays.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from protocol.answers import Refused
from protocol.codec import encode_event, frame_event
from protocol.events import Event
from protocol.numbers import UNNUMBERED, CommandNumber
from protocol.refusals import Refusal, explained
from server.answered import Answered, acceptance_of
from server.limits import Bucket
from server.mailbox import Mailbox

if TYPE_CHECKING:
    from server.lobby.lobby import Lobby

NO_COMMAND = CommandNumber(0)
NEVER = -1


class Line(Protocol):
    """The connection of a person, as the person uses it."""

    serial: int  # the newest line is the one accepted last, not the one let in last

    def post(self, frame: bytes, /) -> None:
        """Gather a frame to send."""
        ...

    def flush(self) -> None:
        """Send what was gathered."""
        ...

    def ping(self, rtt_us: int | None) -> None:
        """Ask for a sign of life, and tell the last round trip."""
        ...

    def say_goodbye(self, refusal: Refusal) -> None:
        """Say goodbye and close."""
        ...


@dataclass(eq=False, slots=True, kw_only=True)
class Person:
    """Somebody who said hello: name, line, place, and the answers to their last commands."""

    name: str
    digest: bytes
    address: str
    commands: Bucket
    challenges: Bucket
    chat: Bucket
    stirs: Bucket  # commands that everybody in the lobby is told of
    comings: Bucket
    patience: Bucket  # how many refusals they may collect
    entries: Bucket  # how often they may go into lobbies
    mailbox: Mailbox
    ssh: bool = False
    line: Line | None = None
    lobby: "Lobby | None" = None
    is_entering: bool = False  # while the password of a lobby is being hashed
    hall_news: int = 0  # how many had been told when they went to a lobby's door
    rtt_us: int | None = None
    seen_at: int = 0
    has_played: bool = False  # was ever dealt cards
    nth: int = 0  # in the order in which people became known; 0: before that was kept
    kept_at: int = NEVER  # in seconds of the wall clock
    last_command: CommandNumber = NO_COMMAND
    last_before: CommandNumber = NO_COMMAND  # the newest answered before this server started
    left_with: CommandNumber = NO_COMMAND  # the newest when they left a lobby: which sends no more
    said_again: CommandNumber = NO_COMMAND  # the newest of those that came again on this line
    pending: list[CommandNumber] = field(default_factory=list)  # few: less than a set takes
    answers: Answered = field(default_factory=Answered)

    @property
    def connected(self) -> bool:
        """Whether there is a line to this person now."""
        return self.line is not None

    def tell(self, event: Event) -> None:
        """Gather an event for this person."""
        tell_each((self,), encode_event(event), passing=event.passing)

    def flush(self) -> None:
        """Send what was gathered."""
        line = self.line
        if line is not None:
            line.flush()

    def tire(self, now: int) -> None:
        """Something was refused once more: whoever collects too many too fast has to go."""
        if self.line is not None and not self.patience.take(now):
            self.line.say_goodbye(Refusal.TOO_FAST)

    def may_have_lost(self, number: CommandNumber) -> bool:
        """Whether a former server may have ended with this command unanswered, and a later one kept.

        Nothing of it was done then: what is done is kept together with its answer.
        """
        is_from_before = number <= self.last_before and number not in self.pending
        return is_from_before and self.answers.reach(number) and number not in self.answers

    def hear_again(self, number: CommandNumber, now: int) -> None:
        """A command has come before: if its answer is kept, give it once more.

        Once on each line, in their order, is what clients are asked for; what is more tires.
        """
        is_asked_for, self.said_again = number > self.said_again, max(number, self.said_again)
        if (answer := self.answers.packed(number)) is not None:
            tell_each((self,), answer, passing=True)
        elif number not in self.pending:
            clause, text = explained(Refusal.OLD_NUMBER)
            self.tell(Refused(n=number, code=Refusal.OLD_NUMBER, clause=clause, text=text))
            is_asked_for = False
        if not is_asked_for:
            self.tire(now)

    def answer(self, number: CommandNumber, refusal: Refused | None = None) -> None:
        """Answer a command, once: it was done, or refused; kept for when the command comes again."""
        if number not in self.pending:
            return
        refused = None if refusal is None else encode_event(refusal)
        packed = refused or acceptance_of(number)
        self.pending.remove(number)  # not before: if that has failed, another answer may do
        self.answers.note(number, refused)
        line = self.line
        if line is not None:
            line.post(frame_event(UNNUMBERED, packed))
            if number <= self.left_with:
                line.flush()


def tell_each(people: Iterable[Person], packed: bytes, *, passing: bool) -> None:
    """Gather an event, packed once, for each of these people; a passing one carries no number."""
    if passing:
        frame = frame_event(UNNUMBERED, packed)
        for person in people:
            if (line := person.line) is not None:
                line.post(frame)
    else:
        for person in people:
            number = person.mailbox.add(packed)
            if (line := person.line) is not None:
                line.post(frame_event(number, packed))
