"""What a first-time player and a first-time host once met in lobby, menu, settings and help."""

from msgspec.structs import replace

from client.screens.desk import Desk, Overlay
from client.screens.help_page import help_pages
from client.screens.parts.cells import text_of
from client.screens.rule_bundles import CHOICES
from protocol import events as e
from protocol.rules import RankOrder, TableRules
from tests.support.looking import bar, seen
from tests.support.screen_states import a_frame, dealt, in_lobby, lobby_state

USUAL = Desk()


def test_nothing_said_that_there_are_more_options_than_fit() -> None:
    assert f"RULES 1/{len(CHOICES)} (host maya)" in seen(in_lobby())
    assert f"RULES 6/{len(CHOICES)} (host maya)" in seen(in_lobby(), replace(USUAL, row=5))


def test_a_host_who_was_not_ready_read_that_all_were() -> None:
    seats = [e.LobbySeat(name="maya"), *(e.LobbySeat(name=name, ready=True) for name in "abc")]
    ready = [replace(seat, ready=True) for seat in seats]

    assert "The others are ready: s starts." in seen(in_lobby(lobby_state(seats=seats)))
    assert "All are ready: s starts." in seen(in_lobby(lobby_state(seats=ready)))


def test_on_the_seats_the_key_bar_named_keys_for_the_options() -> None:
    on_seats = bar(in_lobby(), replace(USUAL, on_seats=True))

    assert "Left/Right" in bar(in_lobby())
    assert "Left/Right" not in on_seats
    assert "Enter seat menu" in bar(in_lobby(), replace(USUAL, on_seats=True), (120, 40))


def test_for_a_name_the_key_bar_named_the_keys_that_turn_a_value() -> None:
    name, theme = (Desk(overlay=Overlay.SETTINGS, menu_row=row) for row in (0, 1))

    assert bar(in_lobby(), name).startswith("Enter change")
    assert bar(in_lobby(), theme).startswith("Left/Right change")
    assert "your name            [ maya ]" in seen(in_lobby(), name)


def test_no_page_of_the_help_ended_in_the_middle_of_an_entry_or_was_left_with_one_line() -> None:
    pages = [[text_of(line) for line in page] for page in help_pages(a_frame(dealt()))]

    firsts = [page[0] for page in pages]
    assert [first for first in firsts if first.startswith(" " * 6)] == []
    assert min(len(page) for page in pages) > 1


def test_in_the_rule_sheet_of_the_help_short_sentences_stood_further_in_than_long_ones() -> None:
    lines = [text_of(line) for page in help_pages(a_frame(dealt())) for line in page]

    (short,) = (line for line in lines if "Do suits matter?" in line)
    (long,) = (line for line in lines if "Who may doubt?" in line)
    assert len(short) - len(short.lstrip()) == len(long) - len(long.lstrip())


def test_the_help_of_one_order_of_ranks_spoke_of_another() -> None:
    loose = dealt(rules=TableRules(rank_order=RankOrder.UP_SAME_OR_DOWN))

    page = seen(loose, Desk(overlay=Overlay.HELP))

    assert "rank order: up, same or down (A6, B4-B8). The last claim's rank or one" in page
    assert "Bluff" not in page


def test_during_a_pause_the_line_that_closes_the_menu_was_called_going_on() -> None:
    page = seen(dealt(), Desk(overlay=Overlay.MENU))

    assert " > back to the table" in page
    assert "go on" not in page
