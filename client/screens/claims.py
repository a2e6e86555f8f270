"""What the picked cards will be said to be: the claim, whether it is a bluff, and in what words."""

from dataclasses import dataclass

from client import selectors
from client.screens.desk import Said
from client.state import ClientState
from client.words import claim, laid
from protocol.cards import Card, Rank


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A play being put together."""

    cards: tuple[Card, ...]
    count: int  # as it will be claimed
    rank: Rank | None  # None: still to be chosen among several

    @property
    def is_lie(self) -> bool:
        """A wrong card or a wrong count makes it one (RULES A8)."""
        wrong = self.rank is None or any(not card.face.is_a(self.rank) for card in self.cards)
        return wrong or len(self.cards) != self.count


def draft(state: ClientState, said: Said) -> Draft:
    """The claim that follows from what is picked and what was chosen to be said."""
    cards = selectors.picked(state)
    chosen = said.rank if said.rank in selectors.due(state) else None
    sneaked = min(said.sneaked, sneak_allowed(state), max(0, len(cards) - 1))
    rank = chosen or selectors.claimed_rank(state)
    return Draft(cards=cards, count=len(cards) - sneaked, rank=rank)


def sneak_allowed(state: ClientState) -> int:
    """How many cards beyond the claim this table lets one lay (RULES B10)."""
    return state.table.table.rules.sneak if state.table else 0


def say_text(draft: Draft) -> str:
    """The claim as it will be heard: "2 QUEENS"."""
    if draft.rank is None:
        return f"{draft.count} x which rank?"
    return claim(draft.count, draft.rank).upper()


def bluff_text(draft: Draft) -> str:
    """What is wrong with the claim, if anything is."""
    if not draft.cards or draft.rank is None:
        return ""
    if len(draft.cards) != draft.count:
        return f"You lay {len(draft.cards)} and say {draft.count}: a lie if you are doubted."
    rank = draft.rank
    wrong = [card for card in draft.cards if not card.face.is_a(rank)]
    if not wrong:
        return "That is the truth."
    is_are = "is" if len(wrong) == 1 else "are"
    what = f"a{'n' if rank in _VOWELS else ''} {rank.word}" if len(wrong) == 1 else rank.plural
    return f"{laid(wrong)} {is_are} not {what}: this is a bluff."


_VOWELS = {Rank.ACE, Rank.EIGHT}
