"""What the doctor finds, and what it says to change."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from client.command_line.findings import Terminal, of_settings, of_terminal
from client.settings import Origins, Settings
from client.terminal.probe import Answers

USUAL = {"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}
DEFAULT = Settings()


def report(
    settings: Settings = DEFAULT,
    *,
    environment: dict[str, str] | None = None,
    is_tty: bool = True,
    size: tuple[int, int] = (80, 24),
    encoding: str = "utf-8",
    answers: Answers | None = None,
) -> dict[str, tuple[str, ...]]:
    """The lines about a terminal by their labels."""
    terminal = Terminal(
        environment=USUAL if environment is None else environment,
        is_tty=is_tty,
        columns=size[0],
        rows=size[1],
        encoding=encoding,
        answers=answers or Answers(suit_cells=1),
    )
    return {finding.label: finding.lines() for finding in of_terminal(terminal, settings)}


def test_a_usual_terminal_needs_no_change() -> None:
    told = report()

    assert [label for label, lines in told.items() if len(lines) > 1] == []
    assert told["TERMINAL"] == ("TERMINAL: TERM=xterm-256color: full screen.",)
    assert told["COLOUR"] == ("COLOUR: 256 (color = auto, default).",)
    assert told["SUITS"][0] == "SUITS: ♠♥♦♣ (if you do not see four: --ascii), each takes one cell."


@pytest.mark.parametrize(
    ("environment", "is_tty", "told", "do"),
    [
        pytest.param({"TERM": "xterm"}, False, "none here: plain mode", "ssh -t", id="a pipe"),
        pytest.param({"TERM": "dumb"}, True, "TERM=dumb: plain mode", "set TERM", id="dumb"),
        pytest.param({}, True, "TERM=not set: plain mode", "set TERM", id="no TERM"),
    ],
)
def test_where_nothing_can_be_drawn_it_says_what_would_help(
    environment: dict[str, str], told: str, do: str, *, is_tty: bool
) -> None:
    lines = report(environment=environment, is_tty=is_tty)["TERMINAL"]

    assert told in lines[0]
    assert do in lines[1]


@pytest.mark.parametrize(
    ("size", "told"),
    [((80, 24), "enough"), ((79, 24), "usable"), ((60, 20), "usable"), ((59, 20), "too small")],
)
def test_the_size_is_judged(size: tuple[int, int], told: str) -> None:
    assert f"{size[0]} by {size[1]}, {told}" in report(size=size)["SIZE"][0]


@pytest.mark.parametrize(
    ("settings", "environment", "told", "do"),
    [
        pytest.param(DEFAULT, {"TERM": "xterm"}, "16 (", "--color 256", id="few"),
        pytest.param(DEFAULT, {"TERM": "vt100"}, "none: bold", "", id="none"),
        pytest.param(DEFAULT, {"TERM": "x", "COLORTERM": "truecolor"}, "16 million", "", id="all"),
        pytest.param(Settings(color="true"), USUAL, "16 million", "does not say", id="doubtful"),
        pytest.param(Settings(color="never"), USUAL, "none: bold", "", id="never"),
    ],
)
def test_the_colours_that_will_be_used_are_told(
    settings: Settings, environment: dict[str, str], told: str, do: str
) -> None:
    lines = report(settings, environment=environment)["COLOUR"]

    assert told in lines[0]
    assert do in "".join(lines[1:])
    assert bool(do) == (len(lines) > 1)


def test_it_says_who_decided() -> None:
    said = Settings(color="never", origins=Origins(said={"color": "NO_COLOR"}))

    assert "(color = never, from NO_COLOR)" in report(said)["COLOUR"][0]


@pytest.mark.parametrize(
    ("theme", "is_light", "do"),
    [
        pytest.param("auto", True, "--theme light", id="own colours on white"),
        pytest.param("dark", True, "--theme light", id="dark on white"),
        pytest.param("light", False, "--theme dark", id="light on black"),
        pytest.param("light", True, "", id="light on white"),
        pytest.param("contrast", True, "", id="contrast paints its own"),
        pytest.param("mono", True, "", id="mono fits anywhere"),
        pytest.param("dark", None, "", id="not known"),
    ],
)
def test_a_theme_that_does_not_fit_the_background_is_told(
    theme: str, *, is_light: bool | None, do: str
) -> None:
    answers = Answers(suit_cells=1, is_light=is_light)

    lines = report(Settings(theme=theme), answers=answers)["THEME"]

    assert do in "".join(lines[1:])
    assert bool(do) == (len(lines) > 1)


@pytest.mark.parametrize(
    ("settings", "encoding", "cells", "told", "do"),
    [
        pytest.param(DEFAULT, "utf-8", 2, "takes 2 cells", "--ascii", id="wide"),
        pytest.param(DEFAULT, "utf-8", None, "--ascii", "", id="no answer"),
        pytest.param(DEFAULT, "latin-1", None, "no suit symbols", "--ascii", id="latin-1"),
        pytest.param(Settings(ascii=True), "utf-8", 2, "S H D C", "", id="letters"),
    ],
)
def test_the_suits_are_told(
    settings: Settings, encoding: str, cells: int | None, told: str, do: str
) -> None:
    lines = report(settings, encoding=encoding, answers=Answers(suit_cells=cells))["SUITS"]

    assert told in lines[0]
    assert do in "".join(lines[1:])


def test_an_encoding_without_suits_names_the_locale() -> None:
    lines = report(encoding="latin-1", environment={"TERM": "xterm", "LANG": "C"})["ENCODING"]

    assert lines == (
        "ENCODING: latin-1, LANG C.",
        "  -> Set LANG to a UTF-8 locale, such as C.UTF-8.",
    )


def test_ssh_is_told() -> None:
    assert "SSH" in report(environment={**USUAL, "SSH_CONNECTION": "x"})
    assert "SSH" not in report()


# --- settings --------------------------------------------------------------------------------------


def about(
    path: Path | None, environment: dict[str, str] | None = None, state: Path | None = None
) -> str:
    origins = Origins(file=str(path or ""))
    found = of_settings(Settings(origins=origins), environment or {}, state)
    return "\n".join(line for finding in found for line in finding.lines())


def test_the_file_is_named_there_or_not(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"

    assert about(path) == f"SETTINGS: {path}, not there yet."

    path.parent.mkdir()
    path.write_text("")
    assert about(path) == f"SETTINGS: {path}."


def test_a_misspelt_key_is_told_with_those_there_are(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('colour = "never"\n')

    told = about(path)

    assert "keys that nothing reads: colour" in told
    assert "color" in told.partition("There are: ")[2]


def test_a_misspelt_variable_is_told(tmp_path: Path) -> None:
    heard = {"FACEDOWN_COLOUR": "1", "FACEDOWN_COLOR": "16", "FACEDOWN_SERVER_PORT": "1"}

    told = about(tmp_path / "config.toml", heard)

    assert "does not read: FACEDOWN_COLOUR." in told
    assert "FACEDOWN_SERVER_PORT" not in told


def test_a_file_that_is_no_toml_is_told(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("name = ")

    assert "is not valid TOML" in about(path)


def test_folders_that_cannot_be_written_are_told_with_what_is_lost(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")

    told = about(in_the_way / "config.toml", state=in_the_way / "state")

    assert "Changes will not be kept" in told
    assert "You could not come back to a seat" in told


def test_secrets_have_a_folder(tmp_path: Path) -> None:
    assert f"SECRETS: kept in {tmp_path}." in about(None, state=tmp_path)


def test_where_secrets_cannot_be_kept_it_is_said_what_that_costs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    lost = "  -> You could not come back to a seat after leaving: "

    in_the_way = about(None, state=tmp_path / "file" / "facedown")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=0))
    full = about(None, state=tmp_path / "not" / "there")

    assert in_the_way.splitlines()[1:] == [
        f"SECRETS: {tmp_path}/file/facedown is not writable.",
        f"{lost}make it writable.",
    ]
    assert full.splitlines()[1:] == [
        f"SECRETS: the disk of {tmp_path}/not/there is full.",
        f"{lost}free some space.",
    ]


def test_the_doctor_broke_off_where_folders_may_not_be_looked_into(tmp_path: Path) -> None:
    folder = tmp_path / ("a" * 300)  # nobody at all may look into one with such a name

    told = about(folder / "config.toml", state=folder)

    assert f"SETTINGS: {folder}/config.toml, not writable.\n  -> Changes will not be kept" in told
    assert f"SECRETS: {folder} is not writable." in told


def test_a_kiosk_says_that_nothing_is_kept() -> None:
    assert about(None) == "SETTINGS: no file is read or written here."


@pytest.mark.parametrize(("environment", "is_tty"), [(USUAL, False), ({"TERM": "dumb"}, True)])
def test_who_plays_line_by_line_was_advised_on_colours_and_suits(
    environment: dict[str, str], *, is_tty: bool
) -> None:
    told = report(environment=environment, is_tty=is_tty, encoding="ascii")

    assert told["COLOUR"][0].endswith("; plain mode has none.")
    assert told["SUITS"] == ("SUITS: in words: plain mode says the seven of clubs.",)


def test_a_pipe_was_said_to_be_of_80_by_24() -> None:
    assert report(is_tty=False)["SIZE"] == (
        "SIZE: not known without a terminal, and it does not matter.",
    )
