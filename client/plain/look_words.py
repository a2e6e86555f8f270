"""The words that only look: hand, table, log, time, seats, options, hall. Pure."""

from collections.abc import Callable, Iterator

from client.plain import lobby_reports, reports
from client.plain.after_lines import evening_lines, match_lines, stats_lines
from client.plain.rules_lines import option_lines, sheet_lines
from client.plain.told import for_one_alone
from client.plain.word import Outcome, Reply, Topic, TypedLine, Word
from client.state import ClientState, Hinted

MOST_LINES = 500


def _report(lines: Callable[[ClientState], Iterator[str]]) -> Callable[[TypedLine], Outcome]:
    return lambda typed: Reply(lines=tuple(lines(typed.state)))


def _counted(lines: Callable[[ClientState, int], Iterator[str]]) -> Callable[[TypedLine], Outcome]:
    def report(typed: TypedLine) -> Outcome:
        if not typed.rest:
            return Reply(lines=tuple(lines(typed.state, reports.DEFAULT_LOG)))
        if not (typed.rest.isascii() and typed.rest.isdigit() and int(typed.rest[:6]) > 0):
            return Hinted(text="Say how many, for example: log 20")
        return Reply(lines=tuple(lines(typed.state, min(int(typed.rest[:6]), MOST_LINES))))

    return report


def _result(state: ClientState) -> Iterator[str]:
    yield from reports.result_lines(state)
    yield from match_lines(state)


def _seats(typed: TypedLine) -> Outcome:
    lines = lobby_reports.lobby_lines(typed.state)
    return Reply(lines=tuple(for_one_alone(lines) if typed.here.passing else lines))


def _hand(typed: TypedLine) -> Outcome:
    return Reply(lines=(reports.hand_line(typed.state),))


def _time(typed: TypedLine) -> Outcome:
    return Reply(lines=tuple(reports.time_lines(typed.state, typed.now)))


def _sheet(typed: TypedLine) -> Outcome:
    if typed.state.lobby is None:
        return Hinted(text="You are not in a lobby: facedown rules prints any sheet.")
    return Reply(lines=tuple(sheet_lines(typed.state)))


def _word(
    name: str, about: str, act: Callable[[TypedLine], Outcome], letter: str = "", usage: str = ""
) -> Word:
    return Word(name=name, letter=letter, usage=usage, about=about, topic=Topic.LOOK, act=act)


WORDS = (
    _word("hand", "my cards", _hand, "h"),
    _word("table", "seats, pile, turn, my next ranks", _report(reports.table_lines), "v"),
    _word("log", "the newest plays", _counted(reports.log_lines), "l", "[N]"),
    _word("time", "which clocks run", _time, "c"),
    _word("result", "the places of the deal, and the match", _report(_result)),
    _word("stats", "who lied and doubted, when it is over", _report(stats_lines)),
    _word("evening", "deals won, lies and doubts since I came here", _report(evening_lines)),
    _word(
        "older", "the plays that can be doubted, where older ones can", _report(reports.older_lines)
    ),
    _word("confess", "who lied, when it is over", _counted(reports.confession_lines), "", "[N]"),
    _word("seats", "the lobby and who sits where", _seats, "m"),
    _word("options", "every rule of this table", _report(option_lines), "o"),
    _word("sheet", "the rules of this table in full", _sheet, "i"),
    _word("hall", "the open lobbies", _report(lobby_reports.hall_report), "n"),
)
