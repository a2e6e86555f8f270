"""What proves a play true to whoever knows where cards are (RULES A8, A15)."""

from collections import Counter

import pytest
from msgspec.structs import replace

from protocol.cards import Rank
from server.bots.evidence import Evidence, is_proved
from tests.protocol.examples import a_play, a_table


@pytest.mark.parametrize(
    ("theirs", "proved"),
    [
        pytest.param([Rank.FIVE, Rank.FIVE], True, id="all of the rank that was said"),
        pytest.param([Rank.FIVE, None], True, id="a joker among them"),
        pytest.param([Rank.FIVE, Rank.KING], False, id="another one among them"),
        pytest.param([Rank.FIVE], False, id="not all of them known"),
    ],
)
def test_last_cards_are_proved_by_all_that_their_player_had(
    theirs: list[Rank | None], *, proved: bool
) -> None:
    last = a_play(1, seat=1, left=0, last=True)
    table = a_table(pile=(last,), newest=last.play)
    ben = replace(table.seats[1], cards=0)
    table = replace(table, seats=(table.seats[0], ben, table.seats[2]))

    evidence = Evidence(elsewhere=Counter(), theirs=Counter(theirs))

    assert is_proved(table, last, evidence) is proved
