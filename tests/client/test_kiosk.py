"""The client of a guest on an account of many: who they are, where they may go, what they are told."""

import asyncio
import io
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from client.acts.done import Wish
from client.command_line.commands import run as run_client
from client.kept.identity import GuestRing
from client.screens.desk import Desk, Field
from client.screens.parting import parting_text
from client.settings import DEFAULTS, BadSetting
from client.start import kiosk
from client.start.kiosk import lobby_asked_for, read_key, receive
from client.start.visit import Visit
from client.state import Connecting, LinkRefused
from client.way_in.address import Address, read_address
from client.way_in.phrase import secret_of
from client.way_in.ssh import login_name
from protocol.answers import Goodbye, Refused
from protocol.commands import ClientMessage, Hello, JoinLobby
from protocol.events import Event
from protocol.guests import brief_secret, guest_secret
from protocol.refusals import Refusal, explained
from tests.support.fake_server import a_welcome, polite
from tests.support.keyboard import after, hint
from tests.support.looking import bar, seen
from tests.support.playing import Play, playing, run
from tests.support.screen_states import WELCOME, folded, in_lobby, online

KEY = bytes(range(64))
BOX = read_address("localhost")
GUEST = replace(DEFAULTS, kiosk=True)
KIOSK = Desk(settings=GUEST)
SSH = {"SSH_CONNECTION": "198.51.100.7 50022 192.0.2.7 22"}
PHRASE = "0123-4567-89AB-CDEF"


@pytest.fixture
def at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is a terminal, and this process stays as open as it was."""
    monkeypatch.setattr(kiosk, "_need_terminal", lambda _: None)
    monkeypatch.setattr(kiosk, "shut", lambda: None)


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    path = tmp_path / "guests.key"
    path.write_bytes(KEY)
    path.chmod(0o440)
    return path


def answering(*answers: str) -> Callable[[str], str]:
    """Somebody who types these, one after the other."""
    left = iter(answers)
    return lambda _: next(left)


def received(
    *answers: str,
    address: Address = BOX,
    key_file: Path | None = None,
    key_name: str | None = None,
    environment: Mapping[str, str] = SSH,
) -> Visit:
    return receive(
        address,
        GUEST,
        key_file=key_file,
        key_name=key_name,
        environment=environment,
        ask=answering(*answers),
    )


def ring_of(visit: Visit) -> GuestRing:
    assert isinstance(visit.ring, GuestRing)
    return visit.ring


# --- what was asked for -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "code"), [("FOX-42", "FOX-42"), ("fox-42", "FOX-42"), ("OWL-07-KIWI", "OWL-07-KIWI")]
)
def test_a_lobby_code_is_a_lobby_code(asked: str, code: str) -> None:
    assert lobby_asked_for({"SSH_ORIGINAL_COMMAND": asked}) == code


@pytest.mark.parametrize(
    "asked",
    [
        "",
        "sh",
        "FOX-42;sh",
        "FOX-42 ",
        " FOX-42",
        "FOX-42\n",
        "FOX-42\nsh",
        "$(id)-42",
        "FOX-4\uff12",
        "FOX-42-KIWI-PEAR",
        "--name bo",
        "localhost/FOX-42",
        "FOX-" + "4" * 100,
    ],
)
def test_whatever_else_was_asked_for_is_not_looked_at(asked: str) -> None:
    assert lobby_asked_for({"SSH_ORIGINAL_COMMAND": asked}) is None
    assert lobby_asked_for({}) is None


def test_a_guest_goes_straight_into_the_lobby_they_asked_for(at_a_terminal: None) -> None:
    asked = {**SSH, "SSH_ORIGINAL_COMMAND": "fox-42"}

    visit = received("", key_name="ana", environment=asked)

    (step,) = visit.plan.steps
    assert isinstance(step, JoinLobby)
    assert step.code == "FOX-42"


def test_a_lobby_that_the_host_has_chosen_is_not_left_for_another(at_a_terminal: None) -> None:
    asked = {**SSH, "SSH_ORIGINAL_COMMAND": "OWL-17"}

    visit = received(
        "", address=read_address("localhost/FOX-42"), key_name="ana", environment=asked
    )

    (step,) = visit.plan.steps
    assert isinstance(step, JoinLobby)
    assert step.code == "FOX-42"


# --- who has come -----------------------------------------------------------------------------------


def test_a_key_line_makes_name_and_secret_and_nothing_is_asked(
    at_a_terminal: None, key_file: Path
) -> None:
    visit = received(key_file=key_file, key_name="ana")

    assert (visit.name, ring_of(visit).secret) == ("ana", guest_secret(KEY, "ana"))
    assert (visit.folder, visit.phrase) == (None, "")
    assert visit.ssh == f"ssh -t {login_name()}@192.0.2.7 "


def test_a_name_in_the_environment_is_not_the_name_of_the_key_line(
    at_a_terminal: None,
    key_file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("FACEDOWN_NAME", "bo")

    code = run_client(["join", "localhost", "--kiosk", "--key-file", str(key_file)])

    assert code == 2
    assert "--key-file needs the --name" in capsys.readouterr().err


def test_without_a_key_a_guest_says_name_and_phrase(at_a_terminal: None) -> None:
    visit = received("cy", PHRASE.lower())

    assert (visit.name, visit.phrase) == ("cy", PHRASE)
    assert ring_of(visit).secret == secret_of(PHRASE)
    assert ring_of(visit).brief


def test_whoever_is_here_for_the_first_time_has_no_phrase(at_a_terminal: None) -> None:
    visit = received("cy", "")

    assert (visit.name, visit.phrase, ring_of(visit).secret) == ("cy", "", None)


def test_a_slip_of_the_keys_can_be_mended(
    at_a_terminal: None, capsys: pytest.CaptureFixture[str]
) -> None:
    visit = received("no/name", "server", "cy", "0123-4567", PHRASE)

    assert (visit.name, visit.phrase) == ("cy", PHRASE)
    said = capsys.readouterr().out
    assert explained(Refusal.BAD_NAME).sentence in said
    assert "looks like K7QF" in said


@pytest.mark.parametrize("answers", [("!", "!", "!"), ("cy", "x", "x", "x")])
def test_nobody_is_asked_for_ever(answers: Sequence[str], at_a_terminal: None) -> None:
    with pytest.raises(BadSetting, match="Log in again"):
        received(*answers)


def test_leaving_a_question_ends_it_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def leaves(_: str) -> str:
        raise EOFError

    monkeypatch.setattr("builtins.input", leaves)

    with pytest.raises(SystemExit) as ended:
        kiosk.ask_here("Your name: ")
    assert ended.value.code == 130


@pytest.mark.parametrize(
    ("data", "mode", "reason"),
    [
        (KEY, 0o444, "others can read"),
        (b"short", 0o440, "5 bytes"),
        (None, 0, "cannot be read"),
    ],
)
def test_a_key_file_that_cannot_be_used_is_the_host_s_to_mend(
    data: bytes | None, mode: int, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "guests.key"
    if data is not None:
        path.write_bytes(data)
        path.chmod(mode)

    with pytest.raises(BadSetting, match=reason) as bad:
        read_key(path)
    assert str(bad.value).endswith("tell its host.")


def test_a_pipe_is_no_key_file_and_nobody_waits_for_it(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe, 0o440)

    with pytest.raises(BadSetting, match="not a plain file"):
        read_key(pipe)


# --- the command line -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--kiosk"], "--kiosk goes with join"),
        (["--kiosk", "play"], "--kiosk goes with join"),
        (["--kiosk", "host"], "--kiosk goes with join"),
        (["join", "localhost", "--key-file", "k"], "--key-file goes with --kiosk"),
    ],
)
def test_what_makes_no_sense_for_guests_is_refused(
    arguments: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_client(arguments) == 2
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environment", "told"),
    [(SSH, f"Like this:  ssh -t {login_name()}@192.0.2.7  ("), ({}, "it needs a terminal.\n")],
)
def test_without_a_terminal_there_is_a_friendly_sentence_and_exit_code_2(
    environment: Mapping[str, str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdin", io.StringIO())

    code = run_client(["join", "localhost", "--kiosk", "--name", "ana"])

    assert code == 2
    assert told in capsys.readouterr().err


# --- on the screen ----------------------------------------------------------------------------------


def test_while_a_guest_waits_there_is_nothing_to_type_or_to_choose() -> None:
    waiting = folded((Connecting(address="localhost:5252"),))

    page = seen(waiting, KIOSK)

    assert "Welcome, maya." in page
    assert "Connecting to localhost:5252" in page
    assert "address" not in page
    assert bar(waiting, KIOSK) == "q quit   ? help   Esc menu"


@pytest.mark.parametrize("key", ["enter", "tab", "p", "up", "x"])
def test_no_key_leads_a_guest_to_another_server(key: str) -> None:
    done = after(folded(()), key, desk=KIOSK)

    assert done.wish is None
    assert hint(done)
    assert done.desk.focus is Field.RECENT


def test_the_invite_of_a_guest_is_the_way_they_came() -> None:
    state = replace(in_lobby(), ssh="ssh -t play@192.0.2.7 ")

    assert "Invite:  ssh -t play@192.0.2.7 FOX-42" in seen(state, KIOSK)


def test_a_phrase_is_told_when_it_is_new_and_again_at_the_end() -> None:
    welcome = replace(WELCOME, secret=brief_secret(secret_of(PHRASE) or b""))
    state = folded((Connecting(address="localhost:5252"), welcome))

    assert f"Your rejoin phrase: {PHRASE}." in state.log[-1].text
    assert f"Your rejoin phrase:  {PHRASE}" in parting_text(state, KIOSK)


def test_a_phrase_is_not_forgotten_when_the_line_was_lost_in_between() -> None:
    state = folded((WELCOME,), replace(in_lobby(), phrase=PHRASE))

    assert PHRASE in parting_text(state, KIOSK)


def test_an_ordinary_secret_is_told_nobody() -> None:
    state = folded((replace(WELCOME, secret=b"s" * 32),))

    assert (state.phrase, state.log) == ("", ())


def test_a_guest_who_leaves_is_told_the_way_back() -> None:
    state = replace(in_lobby(), ssh="ssh -t play@192.0.2.7 ")

    assert parting_text(state, KIOSK) == (
        "Your seat is kept. To come back:\n  ssh -t play@192.0.2.7 FOX-42"
    )
    assert "log in again" in parting_text(in_lobby(), KIOSK)
    assert parting_text(online(), KIOSK) == ""


def test_a_guest_who_was_turned_away_is_told_why() -> None:
    refused = LinkRefused(text="Somewhere else.", code=Refusal.ELSEWHERE)
    state = folded((refused,), replace(in_lobby(), phrase=PHRASE))

    assert parting_text(state, KIOSK) == "Somewhere else."


# --- at work ----------------------------------------------------------------------------------------


def ends_with(scenario: Callable[[Play], None], *answers: Event) -> tuple[int, str]:
    """The exit code and the last words of a guest to whose hello this is answered."""

    def answer(message: ClientMessage) -> Iterable[Event]:
        return (answers or polite(message)) if isinstance(message, Hello) else polite(message)

    async def story() -> tuple[int, str]:
        async with playing(lambda message: tuple(answer(message))) as play:
            if not answers:
                await play.shows("the hall")
            scenario(play)
            return await asyncio.wait_for(play.ended, 10), play.client.parting

    return run(story)


def nothing(_: Play) -> None:
    """The server ends it."""


def test_a_guest_who_is_refused_does_not_stay_on_an_empty_page() -> None:
    code, said = ends_with(nothing, Refused(code=Refusal.NAME_TAKEN))

    assert (code, said) == (4, explained(Refusal.NAME_TAKEN).sentence)


def test_a_guest_at_a_newer_terminal_is_told_so_at_the_older_one() -> None:
    hello = Hello(major=1, minor=0, client="test", name="maya")

    code, said = ends_with(nothing, a_welcome(hello), Goodbye(code=Refusal.ELSEWHERE))

    assert code == 4
    assert said.startswith("You have connected from another terminal")


def test_leaving_the_server_ends_a_guest_s_session() -> None:
    assert ends_with(lambda play: play.type("q")) == (0, "")


def test_what_is_not_for_guests_is_not_granted_even_if_a_key_should_ask_for_it() -> None:
    def tries(play: Play) -> None:
        for wish in (Wish.CONNECT, Wish.PRACTISE, Wish.COPY, Wish.REMEMBER, Wish.SUSPEND):
            play.client._grant(wish, "198.51.100.7:22")
        play.type("q")

    assert ends_with(tries) == (0, "")
