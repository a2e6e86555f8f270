"""Guests over SSH: a real sshd, set up word for word as server/README says, and a game on it.

It adds accounts to the machine and removes them, so it asks for root and `FACEDOWN_TEST_SSHD=1`.
"""

import contextlib
import os
import re
import signal
from functools import partial

from tests.support.keyboard import key_for
from tests.support.ptys import OnPty
from tests.support.ssh_box import Box, wait_until
from tests.support.ssh_guests import in_the_hall, leaves, needs_a_box, opens_a_lobby, unhurried

RULES = "classic.w4.lw2.r0.plays-6"  # the deal is over after six plays
SLOW = "classic.w30.lw30.r0"
TOGETHER = f"{SLOW}.pf500"  # so that a second doubt is in time for the ruling
TOO_SOON = "b again doubts it"

pytestmark = [needs_a_box, unhurried]


def gets_ready(guest: OnPty, host: OnPty) -> None:
    """Press Space on the screen until the host hears of it; a page that is new takes no key yet."""
    guest.shows("Press Space when ready")
    guest.press_until(" ", "to start.")
    host.prints("SEAT: eve, ready.")


def play_on(by_lines: OnPty, on_screen: OnPty) -> None:
    """Play a deal to its end: one as the lines ask for, the other as the key bar does."""
    read_up_to, pressed_at = len(by_lines.text), ""
    while not ("RESULT:" in by_lines.text and "1st" in on_screen.screen):
        by_lines.reads(0.05)
        on_screen.reads(0.05)
        *lines, rest = by_lines.text[read_up_to:].split("\n")
        read_up_to = len(by_lines.text) - len(rest)
        for line in lines:
            by_lines.types(answer_to(line, doubts="You doubted first" not in by_lines.text))
        if on_screen.screen != pressed_at:
            pressed_at = on_screen.screen
            on_screen.types(key_for(pressed_at))


def answer_to(line: str, *, doubts: bool) -> str:
    """What somebody types who does as the example says, and doubts until it has counted."""
    if example := re.search(r"TURN: you.*Example: (.+)$", line):
        return f"{example[1]}\n"
    if "SAYS: eve" in line:
        return "b\n" if doubts else "y\n"
    return "b\n" if TOO_SOON in line else ""


def test_two_guests_play_a_deal(box: Box) -> None:
    with box.login("dee") as dee:
        code = opens_a_lobby(dee, RULES)
        with box.login("eve", code, term="xterm-256color") as eve:
            eve.shows(f"ssh -p {box.ssh_port} -t {box.address()} {code}")
            gets_ready(eve, dee)
            dee.types("start\n")

            play_on(dee, eve)

            assert "DOUBT: You doubted first." in dee.text
            leaves(eve)
            leaves(dee)
    assert f"To come back: ssh -p {box.ssh_port} -t {box.address()} {code}" in eve.text
    assert "Traceback" not in dee.text + eve.text


def lays_the_example(mover: OnPty) -> None:
    example = re.search(r"TURN: you.*Example: (.+)\n", mover.text)
    assert example is not None
    mover.types(f"{example[1]}\n")


def doubts(session: OnPty) -> None:
    """Doubt the play that has just been shown: not at once, since that may be meant for another."""
    while "DOUBT: You doubted first" not in session.text:
        before = answers_to_doubts(session)
        session.types("b\n")
        session.waits_for(partial(answers_differ, session, before))


def answers_to_doubts(session: OnPty) -> list[str]:
    return re.findall(f"DOUBT: .*|{TOO_SOON}", session.text)


def answers_differ(session: OnPty, before: list[str]) -> bool:
    return answers_to_doubts(session) != before


def test_a_guest_whose_line_dies_in_a_window_comes_back_to_the_seat_and_may_still_doubt(
    box: Box,
) -> None:
    with contextlib.ExitStack() as lines:
        fay = lines.enter_context(box.login("fay"))
        code = opens_a_lobby(fay, SLOW)
        gus = lines.enter_context(box.login("gus", code))
        gus.prints("LOBBY:")
        gus.types("ready\n")
        fay.prints("SEAT: gus, ready.")
        fay.types("start\n")
        for each in (fay, gus):
            each.prints("TURN:")
        mover, doubter, who = (fay, gus, "gus") if "TURN: you" in fay.text else (gus, fay, "fay")
        lays_the_example(mover)
        doubter.prints("SAYS:")

        os.kill(doubter.process.pid, signal.SIGKILL)  # as when a cable is pulled
        mover.prints(f"{who} lost the connection")
        back = lines.enter_context(box.login(who))
        back.prints("DEAL: under way")
        back.prints("HAND: 26 cards")
        doubts(back)
        mover.prints("REVEAL: ")
        leaves(back)
        leaves(mover)


def doubt_together(first: OnPty, second: OnPty) -> None:
    """Doubt the same play, each again as often as it was too soon, until it has been ruled on."""
    refused = {first: -1, second: -1}
    while "CALLS: " not in first.text:
        for each, known in refused.items():
            each.reads(0.05)
            if (now := each.text.count(TOO_SOON)) != known:
                refused[each] = now
                each.types("b\n")


def test_calls_over_ssh_are_marked_since_the_server_sees_only_their_leg_to_the_box(
    box: Box,
) -> None:
    with contextlib.ExitStack() as lines:
        hal = lines.enter_context(box.login("hal"))
        code = opens_a_lobby(hal, TOGETHER)
        ida, kit = (lines.enter_context(box.login(name, code)) for name in ("ida", "kit"))
        for name, each in (("ida", ida), ("kit", kit)):
            each.prints("LOBBY:")
            each.types("ready\n")
            hal.prints(f"SEAT: {name}, ready.")
        hal.types("start\n")
        for each in (hal, ida, kit):
            each.prints("TURN:")
        mover, *doubters = sorted((hal, ida, kit), key=lambda each: "TURN: you" not in each.text)
        lays_the_example(mover)
        for each in doubters:
            each.prints("SAYS:")

        doubt_together(*doubters)

        mover.prints("CALLS: ")
        assert re.search(r"CALLS: \w+ [\d.]+ m?s \(ssh\), \w+ \+[\d.]+ ms \(ssh\);", mover.text)
        for each in (hal, ida, kit):
            leaves(each)


def test_the_newest_login_has_the_seat_and_the_older_one_is_told(box: Box) -> None:
    with box.login("ana", term="xterm-256color") as older:
        in_the_hall(older)
        with box.login("ana") as newer:
            in_the_hall(newer)
            assert older.ends() == 4
            leaves(newer)
    assert "You have connected from another terminal" in older.text


def test_a_guest_who_logs_in_again_and_again_has_one_session(box: Box) -> None:
    with contextlib.ExitStack() as lines:
        logins = [lines.enter_context(box.login("bo")) for _ in range(5)]

        def alive() -> list[OnPty]:
            return [each for each in logins if each.reads(0.01) or each.process.poll() is None]

        wait_until(lambda: len(alive()) == 1, "they never gave way to one another")
        (last,) = alive()
        in_the_hall(last)
        leaves(last)


def test_a_key_that_friends_share_asks_for_a_name_and_gives_a_phrase(box: Box) -> None:
    with box.login("all") as first:
        first.prints("Your name: ")
        first.types("cy\n\n")
        first.prints("Write it down")
        phrase = re.search(r"Your rejoin phrase: ([-0-9A-Z]{19})\.", first.text)
        assert phrase is not None
        code = opens_a_lobby(first, "classic")
    with box.login("all") as second:
        second.prints("Your name: ")
        second.types(f"visitor\n{phrase[1]}\n")
        second.prints(f"LOBBY: {code}, waiting")
        second.prints("SEAT: 1 cy,")
        leaves(second)


def test_nobody_else_gets_the_name_of_a_guest(box: Box) -> None:
    with box.login("ana") as ana:
        in_the_hall(ana)
        leaves(ana)
    with box.login("all") as thief:
        thief.prints("Your name: ")
        thief.types("ana\n\n")
        assert thief.ends() == 4
    assert "Somebody here already has that name" in thief.text
