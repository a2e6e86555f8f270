"""What the picked cards will be said to be: the claim, whether it is a bluff, and in what words."""

from collections.abc import Sequence

from msgspec import Struct

from client import my_hand
from client.screens.desk import ClaimChoice
from client.state import ClientState
from client.words import cards, claim, laid
from protocol.cards import Card, Rank, are_as_said

WHICH_RANK = "Which rank will you say? = and then its key names it, Tab the next one due."


class Draft(Struct, frozen=True, kw_only=True):
    """A play being put together."""

    cards: tuple[Card, ...]
    count: int  # how many will be claimed
    rank: Rank | None  # None: still to be chosen among several
    too_many: int = 0  # cards claimed beyond what one play may claim (RULES B9)
    waits: bool = False  # nobody knows yet which ranks there will be to choose from

    @property
    def is_lie(self) -> bool:
        """A wrong card or a wrong count makes it one (RULES A8)."""
        faces = [card.face for card in self.cards]
        return self.rank is None or not are_as_said(faces, self.count, self.rank)


def draft(state: ClientState, choice: ClaimChoice) -> Draft:
    """The claim that follows from what is picked and what was chosen to be said."""
    picked = my_hand.picked(state)
    chosen = choice.rank if choice.rank in my_hand.due(state) else None
    count = my_hand.said_count(state, choice.sneaked)
    return Draft(
        cards=picked,
        count=count,
        rank=chosen or my_hand.claimed_rank(state),
        too_many=max(0, count - my_hand.most_claimed(state)),
        waits=not my_hand.due(state),
    )


def say_text(draft: Draft) -> str:
    """The claim as it will be heard: "2 QUEENS"."""
    if draft.rank is None:
        return f"{draft.count} x which rank?"
    return claim(draft.count, draft.rank).upper()


def bluff_text(draft: Draft, *, last: bool = False) -> str:
    """What is wrong with the claim, if anything is; last cards decide (RULES A15)."""
    if not draft.cards:
        return ""
    if draft.too_many:
        return f"One play has at most {cards(draft.count - draft.too_many)} here: unpick some."
    if draft.rank is None:
        return "" if draft.waits else WHICH_RANK
    lead = "Your last cards! " if last else ""
    if len(draft.cards) != draft.count:
        return f"{lead}You lay {len(draft.cards)} and say {draft.count}: a lie if you are doubted."
    wrong = [card for card in draft.cards if not card.face.is_a(draft.rank)]
    if not wrong:
        return f"{lead}That is the truth."
    return f"{lead}{_not_of(wrong, draft.rank)}: this is a bluff."


def _not_of(wrong: Sequence[Card], rank: Rank) -> str:
    """Which cards are not what they would be said to be: "1 five is not an ace"."""
    if len(wrong) == 1:
        return f"{laid(wrong)} is not a{'n' if rank in _VOWELS else ''} {rank.word}"
    return f"{laid(wrong)} are not {rank.plural}"


_VOWELS = {Rank.ACE, Rank.EIGHT}
