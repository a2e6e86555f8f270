"""A journal can write deals and actions down and read the same values back."""

from random import Random

import msgspec
import pytest

from protocol.cards import Rank
from protocol.events import Call, Chair, DeadHeat, StopReason
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.rules import PRESETS
from server.game import actions as a
from server.game.deal import Deal
from server.game.engine import new_deal
from tests.support.deals import a_table, some_seats

CALL = Call(seat=Seat(2), after_us=5)
ACTIONS: list[a.Action] = [
    a.Play(seat=Seat(1), cards=(CardId(3),), count=1, rank=Rank.TEN, auto=True),
    a.Pass(seat=Seat(1)),
    a.TakeBack(seat=Seat(1)),
    a.LetGo(seat=Seat(1), play=PlayNumber(4)),
    a.Rule(play=PlayNumber(4), challenger=Seat(2), calls=(CALL,), dead_heat=DeadHeat.PHOTO_FINISH),
    a.AddLateCall(play=PlayNumber(4), call=CALL),
    a.EndProtection(),
    a.EndReveal(),
    a.Stop(reason=StopReason.VOTE),
    a.Seated(seat=Seat(1), name="Zoe", chair=Chair.OWNER, new_owner=True),
]


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: type(action).__name__)
def test_an_action_is_read_as_it_was_written(action: a.Action) -> None:
    written = msgspec.msgpack.encode(action)

    assert msgspec.msgpack.decode(written, type=a.Action) == action


def test_a_deal_in_mid_window_is_read_as_it_was_written() -> None:
    table = a_table(["AS KD QC", "2H 3H 4H", "5C 6C 7C", "8D"]).play("KD").play("2H").let_go(2)

    written = msgspec.msgpack.encode(table.deal)

    assert msgspec.msgpack.decode(written, type=Deal) == table.deal


@pytest.mark.parametrize("preset", PRESETS)
def test_a_new_deal_is_read_as_it_was_written(preset: str) -> None:
    deal, _ = new_deal(PRESETS[preset], some_seats(5), Seat(0), 1, Random(7))

    written = msgspec.msgpack.encode(deal)

    assert msgspec.msgpack.decode(written, type=Deal) == deal
