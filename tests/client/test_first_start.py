"""The first start: three questions, asked once, and Enter has the sensible answer to each."""

import asyncio
import io
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from prompt_toolkit.input import create_pipe_input

from client.acts.done import Done, Wish
from client.command_line import commands as program
from client.full_screen.screen_client import ScreenClient
from client.kept.config import load
from client.plain.first_lines import Answers, questions
from client.screens.desk import Desk
from client.screens.editor import Editor
from client.settings import Origins, Settings
from client.start.first_run import FirstRun, Step
from client.start.terminal_here import has_terminal
from client.start.visit import Visit
from client.state import ClientState, Renamed
from tests.support.homes import move_in
from tests.support.keyboard import after, hint
from tests.support.looking import seen
from tests.support.screen import Terminal

START = ClientState(name="root")
NEW = Desk(first=FirstRun(), name=Editor(limit=16).proposing("root"))
TO_FRIENDS = replace(NEW, first=FirstRun(offers_lessons=False))


def asked(step: Step) -> Desk:
    return replace(NEW, first=FirstRun(step=step))


def enters(desk: Desk, times: int) -> Done:
    """What has come of Enter pressed so often, not hastily."""
    done = Done(desk=desk)
    for _ in range(times):
        done = after(START, "enter", desk=done.desk)
    return done


# --- on the screen -------------------------------------------------------------------------------


def test_enter_three_times_takes_the_login_name_the_symbols_and_the_lessons() -> None:
    done = enters(NEW, 3)

    assert (done.wish, done.about) == (Wish.BEGIN, "learn")
    assert done.told == (Renamed(name="root"),)
    assert done.desk.first is None
    assert not done.desk.settings.ascii


def test_enter_held_down_once_answered_every_question() -> None:
    held = after(START, "enter", "enter", "enter", desk=NEW)

    assert held.desk.first == FirstRun(step=Step.SUITS)
    assert "press again" in hint(held)


def test_a_name_is_typed_over_the_login_name() -> None:
    done = after(START, "c-u", "m", "a", "y", "a", "q", "enter", desk=NEW)

    assert done.desk.name.text == "mayaq"
    assert done.desk.first == FirstRun(step=Step.SUITS)


def test_a_typed_name_was_hung_on_to_the_login_name_that_was_only_proposed() -> None:
    """Whoever typed Rev was rootRev."""
    typed = after(START, "R", "e", "v", "enter", desk=NEW)
    longer = after(START, *"rooted", desk=NEW)
    mended = after(START, "backspace", "k", desk=NEW)

    assert typed.desk.name.text == "Rev"
    assert longer.desk.name.text == "rooted"
    assert mended.desk.name.text == "rook"


def test_settings_of_the_first_start_were_shown_as_defaults() -> None:
    origins = Origins(file="/home/maya/config.toml")
    done = enters(replace(NEW, settings=Settings(origins=origins)), 3)

    said = done.desk.settings.origins
    assert (said.of("name"), said.of("ascii")) == ("config.toml", "config.toml")


def test_no_name_at_all_is_the_login_name() -> None:
    assert after(START, "c-u", "enter", desk=NEW).desk.name.text == "root"


def test_a_space_at_the_end_of_a_name_which_nobody_can_see_was_refused() -> None:
    """So was a name of several words that was cut off after one of them."""
    typed = after(START, *"Ana Maria de la ", "enter", desk=replace(NEW, name=Editor(limit=16)))
    only_spaces = after(START, "c-u", " ", "enter", desk=NEW)

    assert typed.desk.name.text == "Ana Maria de la"
    assert typed.desk.first == FirstRun(step=Step.SUITS)
    assert only_spaces.desk.name.text == "root"


def test_a_name_that_cannot_be_is_refused_with_the_reason() -> None:
    done = after(START, "/", "enter", desk=NEW)

    assert "letters" in hint(done)
    assert done.desk.first == FirstRun()


def test_who_had_letters_and_asked_for_them_read_that_there_was_nothing_more_this_way() -> None:
    letters = after(START, "n", desk=asked(Step.SUITS)).desk
    once_more = after(START, "n", desk=letters)

    assert hint(once_more) == "The suits are letters already: Enter goes on."
    assert "n no: letters" in seen(START, asked(Step.SUITS))
    assert "n no: letters" not in seen(START, letters)


def test_who_does_not_see_suits_gets_letters_and_may_look_again() -> None:
    letters = after(START, "n", desk=asked(Step.SUITS)).desk
    symbols = after(START, "y", desk=letters).desk

    assert letters.settings.ascii
    assert "Suits are letters now:   S H D C" in seen(START, letters)
    assert not symbols.settings.ascii
    assert after(START, "y", desk=symbols).desk.first == FirstRun(step=Step.LESSONS)


def test_who_knows_the_game_is_not_taught() -> None:
    done = after(START, "n", desk=asked(Step.LESSONS))

    assert (done.wish, done.about) == (Wish.BEGIN, "")


def test_escape_goes_back_a_question() -> None:
    assert after(START, "escape", desk=asked(Step.LESSONS)).desk.first == FirstRun(step=Step.SUITS)
    assert after(START, "escape", "escape", desk=asked(Step.SUITS)).desk.first == FirstRun()


def test_on_the_way_to_friends_no_lessons_are_offered() -> None:
    done = enters(TO_FRIENDS, 2)

    assert (done.wish, done.about) == (Wish.BEGIN, "")


def test_ctrl_c_twice_leaves_before_anything_is_answered() -> None:
    assert after(START, "c-c", "c-c", desk=NEW).wish is Wish.INTERRUPT


@pytest.mark.parametrize("size", [(80, 24), (60, 20)], ids=["80x24", "60x20"])
def test_all_three_questions_fit_on_the_page(size: tuple[int, int]) -> None:
    page = seen(START, asked(Step.LESSONS), size)

    for words in ("What is your name", "♠ ♥ ♦ ♣", "about three minutes", "Enter or y: yes"):
        assert words in page


# --- when it is asked ----------------------------------------------------------------------------


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A home of its own and a terminal, and nobody who has said a name."""
    move_in(monkeypatch, tmp_path, TERM="xterm")
    monkeypatch.setattr(program, "has_terminal", lambda: True)
    return tmp_path


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Visit]:
    """What would be played, instead of playing it."""
    visits: list[Visit] = []

    def show(visit: Visit, _settings: Settings) -> int:
        visits.append(visit)
        return 0

    monkeypatch.setattr(program, "show", show)
    return visits


def test_somebody_new_is_asked(home: Path, shown: list[Visit]) -> None:
    program.run([])
    program.run(["join", "pi"])

    assert [visit.first for visit in shown] == [FirstRun(), FirstRun(offers_lessons=False)]


def test_whoever_asks_for_the_tutorial_is_not_offered_it(home: Path, shown: list[Visit]) -> None:
    program.run(["play", "--tutorial"])

    assert shown[0].first == FirstRun(offers_lessons=False)
    assert shown[0].learn


@pytest.mark.parametrize(
    ("arguments", "in_file"),
    [(["--name", "maya"], ""), ([], 'name = "maya"\n')],
    ids=["by option", "by file"],
)
def test_whoever_has_a_name_is_not_asked(
    arguments: list[str], in_file: str, home: Path, shown: list[Visit]
) -> None:
    folder = home / "config" / "facedown"
    folder.mkdir(parents=True)
    (folder / "config.toml").write_text(in_file)

    program.run(arguments)

    assert shown[0].first is None


def test_nobody_is_asked_in_a_kiosk(home: Path) -> None:
    assert program._is_first_start(Settings())
    assert not program._is_first_start(Settings(kiosk=True))


def test_a_name_in_the_environment_is_a_name(
    home: Path, shown: list[Visit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FACEDOWN_NAME", "maya")

    program.run([])

    assert shown[0].first is None


def test_nobody_is_asked_through_a_pipe(
    home: Path, shown: list[Visit], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(sys, "stdin", io.StringIO("maya\n"))

    assert not has_terminal()


def test_lessons_have_rules_of_their_own() -> None:
    with pytest.raises(SystemExit) as ended:
        program.run(["play", "--tutorial", "--rules", "bluff"])

    assert ended.value.code == 2


def test_the_answers_are_kept_and_nothing_is_asked_again(home: Path) -> None:
    async def story() -> int:
        terminal, now = Terminal(), [0.0]
        with create_pipe_input() as keyboard:
            client = ScreenClient(
                Visit(name="root", first=FirstRun(), folder=home),
                load(home / "facedown" / "config.toml", {}),
                clock=lambda: now[0],
                terminal=(keyboard, terminal.output),
            )
            running = asyncio.create_task(client.run())
            for shows, keys in (
                ("What is your name", "\x15maya\r"),
                ("Do you see four suits?", "n"),
                ("Suits are letters now:   S H D C", "\r"),
                ("about three minutes", "n"),
                ("Choose a server", "\x03"),
                ("again leaves", "\x03"),
            ):
                await terminal.shows(shows)
                now[0] += 1.0
                keyboard.send_text(keys)
            assert "[maya" in terminal.text
            return await asyncio.wait_for(running, 20)

    assert asyncio.run(story()) == 130

    kept = load(home / "facedown" / "config.toml", {})
    assert (kept.name, kept.ascii) == ("maya", True)
    assert not program._is_first_start(kept)


# --- line by line --------------------------------------------------------------------------------


def answered(*typed: str, first: FirstRun | None = None) -> tuple[Answers, list[str]]:
    lines = iter(typed)
    said: list[str] = []

    def ask(question: str) -> str:
        said.append(question)
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    return questions(first or FirstRun(), "root", ask, said.append), said


def test_line_by_line_enter_has_the_same_answers() -> None:
    answers, _ = answered("", "")

    assert answers == Answers(name="root", learn=True)


def test_who_cannot_see_was_asked_line_by_line_whether_four_suits_are_seen() -> None:
    _, said = answered("", "", "")

    assert not any("suits" in line for line in said)


def test_line_by_line_everything_can_be_answered() -> None:
    answers, said = answered("a/b", "maya", "no")

    assert answers == Answers(name="maya", learn=False)
    assert any(line.startswith("NO: A name is 1 to 16 letters") for line in said)


def test_line_by_line_the_end_of_the_input_is_no_answer_and_no_end() -> None:
    assert answered()[0] == Answers(name="root")


def test_line_by_line_friends_do_not_wait_for_lessons() -> None:
    answers, said = answered("", first=FirstRun(offers_lessons=False))

    assert answers == Answers(name="root")
    assert not any("LEARN" in line for line in said)


def test_ctrl_c_at_a_question_ends_with_130(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> Done:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupted)

    assert program.run(["--plain"]) == 130


def test_what_cannot_be_kept_is_said_and_holds_for_this_time(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    played: list[tuple[Visit, Settings]] = []

    def play(visit: Visit, _: str, settings: Settings) -> int:
        played.append((visit, settings))
        return 0

    answers = iter(("maya", "n"))
    monkeypatch.setattr("builtins.input", lambda _: next(answers))
    monkeypatch.setattr(program, "keep", lambda *_: "Not saved, it holds until you leave.")
    monkeypatch.setattr("client.plain.start.run", play)

    assert program.run(["--plain"]) == 0
    ((visit, settings),) = played
    assert (visit.name, settings.name) == ("maya", "maya")
    assert "NOTE: Not saved" in capsys.readouterr().out


def test_a_name_with_an_umlaut_was_refused_for_not_being_made_of_letters() -> None:
    _, said = answered("Jürgen", "Juergen", "no")

    assert any(line.startswith("NO: A name is 1 to 16 letters A to Z, digits") for line in said)
    assert "A to Z, digits, spaces" in seen(START, NEW)
