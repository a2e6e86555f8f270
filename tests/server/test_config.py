"""Every setting by flag, environment and file; a bad one is answered with a sentence."""

import dataclasses
import os
from pathlib import Path
from typing import Any

import pytest

from protocol.events import Paused, PauseReason
from server.config import (
    DEFAULT_PORT,
    ENVIRONMENT_PREFIX,
    BadSettings,
    Settings,
    argument_parser,
    data_folder,
    read_settings,
    version,
)

NAMES = [setting.name for setting in dataclasses.fields(Settings)]
NUMBERS = [name for name in NAMES if type(getattr(Settings(), name)) in {int, float}]
WHOLE = [name for name in NAMES if type(getattr(Settings(), name)) is int]


def another(name: str) -> Any:  # noqa: ANN401 - settings are of all types
    """A value of the setting that is not its default."""
    value = getattr(Settings(), name)
    if isinstance(value, bool):
        return not value
    return f"other {name}" if isinstance(value, str) else value + 1


def flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def a_file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "settings.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def complaint_about(*arguments: str, environment: dict[str, str] | None = None) -> str:
    with pytest.raises(BadSettings) as bad:
        read_settings(arguments, environment or {})
    return str(bad.value)


# --- where a setting may come from --------------------------------------------------------------


def test_without_a_word_all_settings_have_their_defaults() -> None:
    assert read_settings([], {}) == Settings()
    assert (Settings().host, Settings().port) == ("127.0.0.1", DEFAULT_PORT)


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_can_be_given_as_a_flag(name: str) -> None:
    value = another(name)
    arguments = [flag(name)] if value is True else [flag(name), str(value)]

    assert read_settings(arguments, {}) == dataclasses.replace(Settings(), **{name: value})


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_can_be_given_in_the_environment(name: str) -> None:
    environment = {f"{ENVIRONMENT_PREFIX}{name.upper()}": str(another(name))}

    assert read_settings([], environment) == dataclasses.replace(
        Settings(), **{name: another(name)}
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_setting_can_be_given_in_a_file(name: str, tmp_path: Path) -> None:
    value = another(name)
    written = f'"{value}"' if isinstance(value, str) else str(value).lower()
    path = a_file(tmp_path, f"{name} = {written}\n")

    assert read_settings(["--config", path], {}) == dataclasses.replace(Settings(), **{name: value})


def test_a_key_written_like_its_flag_once_kept_the_server_from_starting(tmp_path: Path) -> None:
    path = a_file(tmp_path, "stand-in-s = 30")

    assert read_settings(["--config", path], {}).stand_in_s == 30
    assert read_settings(["--config", path, "--stand-in-s", "40"], {}).stand_in_s == 40


def test_a_key_that_is_there_in_both_spellings_is_complained_of(tmp_path: Path) -> None:
    path = a_file(tmp_path, "stand-in-s = 30\nstand_in_s = 40")

    assert "stand-in-s and stand_in_s are one setting" in complaint_about("--config", path)


def test_the_environment_can_name_the_file(tmp_path: Path) -> None:
    path = a_file(tmp_path, "port = 6000")

    assert read_settings([], {f"{ENVIRONMENT_PREFIX}CONFIG": path}).port == 6000


def test_a_flag_goes_before_the_environment_and_that_before_the_file(tmp_path: Path) -> None:
    file = ["--config", a_file(tmp_path, "port = 6001\nhello_s = 1\nping_s = 1")]
    environment = {f"{ENVIRONMENT_PREFIX}PORT": "6002", f"{ENVIRONMENT_PREFIX}HELLO_S": "2"}

    settings = read_settings([*file, "--port", "6003"], environment)

    assert (settings.port, settings.hello_s, settings.ping_s) == (6003, 2, 1)


def test_a_flag_can_say_no_to_what_the_file_says(tmp_path: Path) -> None:
    path = a_file(tmp_path, "lan = true")

    assert read_settings(["--config", path], {}).lan
    assert not read_settings(["--config", path, "--no-lan"], {}).lan


@pytest.mark.parametrize("word", ["1", "true", "Yes", " TRUE "])
def test_yes_can_be_said_in_several_ways(word: str) -> None:
    assert read_settings([], {f"{ENVIRONMENT_PREFIX}LAN": word}).lan


def test_a_whole_number_in_a_file_will_do_for_a_time(tmp_path: Path) -> None:
    settings = read_settings(["--config", a_file(tmp_path, "silence_s = 20")], {})

    assert settings.silence_s == 20
    assert isinstance(settings.silence_s, float)


def test_what_else_is_in_the_environment_is_left_alone() -> None:
    assert read_settings([], {"FACEDOWN_NAME": "ana", "PORT": "1"}) == Settings()


# --- bad values ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param("port = 70000", "port cannot be 70000: it is 0 to 65535", id="no port"),
        pytest.param("port = -1", "port cannot be -1: it is 0 to 65535", id="negative"),
        pytest.param("port = 52.5", "port cannot be 52.5: it is a whole number", id="a fraction"),
        pytest.param("port = true", "port cannot be True: it is a whole number", id="yes"),
        pytest.param("port = [1]", "port cannot be [1]: it is a whole number", id="a list"),
        pytest.param("lan = 2", "lan cannot be 2: it is yes or no", id="a number for yes"),
        pytest.param("lan = 'maybe'", "lan cannot be 'maybe': it is yes or no", id="maybe"),
        pytest.param("title = 5", "title cannot be 5: it is text", id="a number for text"),
        pytest.param("hello_s = 'x'", "hello_s cannot be 'x': it is a number", id="text"),
        pytest.param("hello_s = nan", "hello_s cannot be nan: it is 0.1 to 1000000", id="NaN"),
        pytest.param("park_h = inf", "park_h cannot be inf: it is 0 to 1000000", id="for ever"),
        pytest.param("ping_s = 0", "ping_s cannot be 0.0: it is 0.1 to 1000000", id="no pause"),
        pytest.param("watchers = 201", "watchers cannot be 201: it is 0 to 200", id="a crowd"),
        pytest.param("host = ''", "host cannot be empty", id="no address"),
        pytest.param("prot = 1", "there is no setting 'prot'", id="an unknown key"),
        pytest.param("[server]\nport = 1", "there is no setting 'server'", id="a table"),
        pytest.param("port 5", "cannot read the settings file", id="no TOML"),
    ],
)
def test_a_bad_value_in_a_file_is_answered_with_a_sentence(
    text: str, sentence: str, tmp_path: Path
) -> None:
    assert sentence in complaint_about("--config", a_file(tmp_path, text))


def test_a_number_too_big_for_a_float_is_refused_like_any_other(tmp_path: Path) -> None:
    path = a_file(tmp_path, f"vote_s = 1{400 * '0'}")

    assert "vote_s cannot be 1000" in complaint_about("--config", path)


@pytest.mark.parametrize("name", NUMBERS)
def test_no_number_is_negative_endless_or_no_number(name: str) -> None:
    key = f"{ENVIRONMENT_PREFIX}{name.upper()}"

    for value in ("-1", "1e400" if name not in WHOLE else "1" + "0" * 40, "nan", "many", ""):
        assert complaint_about(environment={key: value}).startswith(f"{key} cannot be ")


def test_the_longest_park_can_still_be_told_to_a_client() -> None:
    longest = read_settings(["--park-h", "1000000"], {}).park_h

    paused = Paused(reason=PauseReason.PARKED, left_us=int(longest * 3600 * 1_000_000))

    assert paused.left_us is not None
    assert paused.left_us <= 2**53


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda _: None, id="missing"),
        pytest.param(Path.mkdir, id="a folder"),
        pytest.param(lambda path: path.write_bytes(b"\xff\xfe\x00"), id="not text"),
    ],
)
def test_a_settings_file_that_cannot_be_read_is_named(make: Any, tmp_path: Path) -> None:  # noqa: ANN401
    path = tmp_path / "some.toml"
    make(path)

    assert f"cannot read the settings file {path}" in complaint_about("--config", str(path))


def test_a_flag_that_does_not_exist_ends_with_exit_code_2(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as end:
        read_settings(["--prot", "1"], {})

    assert end.value.code == 2
    assert capsys.readouterr().err == (
        "facedown-server: there is no option --prot. Did you mean --port? "
        "facedown-server --help lists all.\n"
    )


def test_a_complaint_said_neither_where_the_value_stood_nor_what_to_do(tmp_path: Path) -> None:
    path = a_file(tmp_path, "port = 70000")

    assert complaint_about("--config", path).startswith(f"{path}: port cannot be 70000")
    assert complaint_about("--port", "x") == "--port cannot be 'x': it is a whole number"
    assert complaint_about("--port", "70000").startswith("--port cannot be 70000")
    assert complaint_about("--config", str(tmp_path / "no")).endswith(
        "no: No such file or directory. Fix it, or leave it out"
    )
    assert "Did you mean port?" in complaint_about("--config", a_file(tmp_path, "prot = 1"))


# --- help ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_help_names_every_setting_with_its_default(name: str) -> None:
    text = " ".join(argument_parser().format_help().split())

    assert f"{flag(name)} " in text.replace(",", " ")
    default = getattr(Settings(), name)
    if not isinstance(default, bool) and default != "":
        assert f"(default: {default})".replace("-", "") in text.replace("-", "")


def test_help_explains_every_setting() -> None:
    for setting in dataclasses.fields(Settings):
        assert len(setting.metadata["help"].split()) >= 2


def test_help_says_how_friends_join_and_where_else_a_setting_can_be() -> None:
    text = argument_parser().format_help()

    assert "facedown join" in text
    assert f"{ENVIRONMENT_PREFIX}PORT" in text
    assert "port = 6000" in text


def test_the_version_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        read_settings(["--version"], {})

    assert end.value.code == 0
    assert capsys.readouterr().out == f"facedown-server {version()}\n"


# --- the data folder ----------------------------------------------------------------------------


def test_a_missing_data_folder_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    folder = data_folder(Settings(data=str(tmp_path / "a" / "b")))

    assert folder.is_dir()
    assert folder.stat().st_mode & 0o077 == 0


def test_a_data_folder_that_is_there_is_used(tmp_path: Path) -> None:
    assert data_folder(Settings(data=str(tmp_path))) == tmp_path


def test_a_data_folder_may_be_in_the_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert data_folder(Settings(data="~/cards")) == tmp_path / "cards"


def test_a_data_folder_in_nobodys_home_is_answered_with_a_sentence() -> None:
    with pytest.raises(BadSettings, match="cannot make the data folder ~no-such-person/cards"):
        data_folder(Settings(data="~no-such-person/cards"))


@pytest.mark.parametrize("inside", [".", "below"], ids=["a file", "below a file"])
def test_a_data_folder_that_cannot_be_made_is_named_with_a_way_out(
    inside: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("here already", encoding="utf-8")
    wanted = tmp_path / "file" / inside

    with pytest.raises(BadSettings) as bad:
        data_folder(Settings(data=str(wanted)))

    assert f"cannot make the data folder {wanted}" in str(bad.value)
    assert "--data" in str(bad.value)


def test_a_data_folder_that_cannot_be_written_is_named_with_a_way_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)  # the superuser may write anywhere

    with pytest.raises(BadSettings, match=r"cannot be written\. Give another with --data"):
        data_folder(Settings(data=str(tmp_path)))
