"""A server that keeps nothing on disk."""

from protocol.events import LobbySettings, LobbyStage, LobbyState
from protocol.rules import CLASSIC
from server.journal.records import Kept, LobbyKept, LobbyRecord
from server.journal.store import NoStore


async def test_what_is_handed_to_no_store_is_not_there_afterwards() -> None:
    state = LobbyState(
        code="FOX-42",
        rules=CLASSIC,
        settings=LobbySettings(),
        host="ana",
        stage=LobbyStage.GATHERING,
        seats=(),
    )
    store = NoStore()

    await store.commit(LobbyKept(code="FOX-42", lobby=LobbyRecord(state=state)))

    assert store.read() == Kept()
    assert store.statistics().trial_us is None
    store.close()
