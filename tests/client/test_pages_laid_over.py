"""One page laid over another: closed again, what is below is as it was left."""

import pytest
from msgspec.structs import replace

from client.acts.anywhere import settled
from client.screens.desk import Desk, Overlay
from client.state import Hinted, LinkLost
from protocol import events as e
from protocol.numbers import Seat
from protocol.views import TableSnapshot
from tests.support.keyboard import after, hint
from tests.support.looking import SMALL, seen
from tests.support.screen_states import WELCOME, a_frame, dealt, folded

LOST = LinkLost(reason="it broke", attempt=1, retry_s=1.0)
SETTINGS = ("S", "down", "down")  # the cursor on the third of them


@pytest.mark.parametrize("close", ["?", "escape", "enter", "q"])
def test_the_help_on_the_settings_led_back_to_the_table(close: str) -> None:
    settings = after(dealt(), *SETTINGS).desk

    desk = after(dealt(), *SETTINGS, "?", "space", close).desk

    assert desk.overlay is Overlay.SETTINGS
    assert (desk.settings_row, desk.under) == (settings.settings_row, ()) == (2, ())


@pytest.mark.parametrize("below", ["l", "n"], ids=["log", "names"])
@pytest.mark.parametrize("above", ["?", "S"], ids=["help", "settings"])
def test_what_was_laid_over_another_page_led_back_to_the_one_below_both(
    below: str, above: str
) -> None:
    opened = after(dealt(), below).desk

    assert after(dealt(), below, above, "escape").desk == opened


def test_the_menu_of_a_seat_is_still_about_that_seat_after_the_help() -> None:
    menu = Desk(overlay=Overlay.MENU, menu_about="bo")

    desk = after(dealt(), "?", "escape", desk=menu).desk

    assert (desk.overlay, desk.menu_about) == (Overlay.MENU, "bo")


def test_in_the_menu_the_key_of_the_log_was_said_to_do_nothing_in_a_deal() -> None:
    assert hint(after(dealt(), "l", desk=Desk(overlay=Overlay.MENU))).startswith(
        "l does nothing here"
    )


def test_settings_help_settings_is_the_same_page_again() -> None:
    desk = after(dealt(), *SETTINGS, "?", "S").desk

    assert (desk.overlay, desk.settings_row, desk.under) == (Overlay.SETTINGS, 2, ())


def test_a_text_line_leaves_no_page_above_the_table() -> None:
    desk = after(dealt(), "l", "?", "/", "escape").desk

    assert (desk.overlay, desk.under) == (None, ())


def test_who_read_the_help_while_the_server_was_started_again_was_thrown_back_to_the_table() -> (
    None
):
    before = dealt()
    view, lobby = before.table, before.lobby
    assert view is not None
    assert lobby is not None
    reading = after(before, "?", "space").desk
    shown = TableSnapshot(table=view.table, you=view.you, hand=view.hand)

    welcomed = folded((LOST, replace(WELCOME, epoch="e2")), before)
    back = folded((e.LobbyChanged(lobby=lobby), shown), welcomed)
    between = settled(a_frame(welcomed, desk=reading))

    assert settled(a_frame(back, desk=between)) == reading


def test_who_is_in_the_hall_now_reads_on_about_nothing_that_has_gone() -> None:
    reading = after(dealt(), "l").desk
    in_the_hall = (LOST, replace(WELCOME, epoch="e2"), e.HallChanged(online=1, lobbies=()))

    assert settled(a_frame(folded(in_the_hall, dealt()), desk=reading)).overlay is None


def test_whose_turn_it_is_and_its_clock_took_two_lines_as_soon_as_there_was_a_hint() -> None:
    clock = e.TurnClock(seat=Seat(3), left_us=42_000_000)
    hinting = folded((clock, Hinted(text="There is nothing more this way.")), dealt(turn=3))

    rows = seen(hinting, Desk(overlay=Overlay.NAMES), SMALL).splitlines()

    assert rows[-3].split("   ") == [" your turn: ACES", "0:41 left"]
