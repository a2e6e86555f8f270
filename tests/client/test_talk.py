"""What was said before one came, and once more after the server has started again."""

from client.state import ClientState, LineKind
from client.store import AnyEvent
from protocol import events as e
from tests.support.screen_states import WELCOME, folded, in_lobby, lobby_state


def said(*lines: int) -> tuple[e.Said, ...]:
    return tuple(e.Said(name="bo", text=f"line {line}", line=line) for line in lines)


def chat(state: ClientState) -> list[str]:
    return [line.text for line in state.log if line.kind is LineKind.CHAT]


def after_a_restart(*lines: int) -> tuple[AnyEvent, ...]:
    return (WELCOME, e.LobbyChanged(lobby=lobby_state()), e.TalkSoFar(lines=said(*lines)))


def test_a_newcomer_sees_what_was_said_last() -> None:
    state = folded((e.TalkSoFar(lines=said(4, 5)),), in_lobby())

    assert chat(state) == ["line 4", "line 5"]


def test_after_a_restart_no_line_is_there_twice_and_none_is_missing() -> None:
    state = folded((*said(1, 2), *after_a_restart(1, 2, 3)), in_lobby())

    assert chat(state) == ["line 1", "line 2", "line 3"]


def test_what_is_said_in_another_lobby_is_new() -> None:
    other = e.LobbyChanged(lobby=lobby_state(host="cy"))
    state = folded((*said(1, 2), e.LobbyLeft(), other, e.TalkSoFar(lines=said(1))), in_lobby())

    assert chat(state) == ["line 1", "line 2", "line 1"]


def test_talk_of_the_hall_in_between_is_not_counted() -> None:
    hall = e.Said(name="cy", text="hi all")
    state = folded((*said(7), hall, e.TalkSoFar(lines=said(7, 8))), in_lobby())

    assert chat(state) == ["line 7", "hi all", "line 8"]


def turned(code: str, news: e.News = e.News.RULES) -> e.LobbyNews:
    return e.LobbyNews(news=news, name="ana", detail=code)


def test_the_talk_of_a_lobby_was_pushed_out_by_every_option_that_its_host_turned_past() -> None:
    turns = (turned("w6"), turned("w8"), turned("6 seats", e.News.SETTINGS), turned("w10"))

    state = folded((*said(1), *turns), in_lobby())

    assert [line.text for line in state.log][-4:] == [
        "line 1",
        "ana set the rules: w8",
        "ana changed the lobby: 6 seats",
        "ana set the rules: w10",
    ]


def test_rules_set_after_something_was_said_are_a_line_of_their_own() -> None:
    state = folded((turned("w6"), *said(1), turned("w8")), in_lobby())

    assert [line.text for line in state.log][-3:] == [
        "ana set the rules: w6",
        "line 1",
        "ana set the rules: w8",
    ]
