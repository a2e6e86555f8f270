"""Settings: file, environment, command line, in this order."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from client.command_line.options import argument_parser, settings_of
from client.kept.config import load, own_name, save, valid_name
from client.settings import BadSetting, Origins, Settings, with_values
from protocol.text import is_a_name


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with some settings and a comment."""
    path = tmp_path / "config.toml"
    path.write_text('# mine\nname = "ana"\nascii = true\nlater = "unknown"\n')
    return path


def bare(settings: Settings) -> Settings:
    """The settings without what is known of where they came from."""
    return replace(settings, origins=Origins())


def test_a_file_that_is_not_there_is_no_error(tmp_path: Path) -> None:
    assert bare(load(tmp_path / "none.toml", {})) == Settings()


def test_the_environment_wins_over_the_file(file: Path) -> None:
    settings = load(file, {"FACEDOWN_NAME": "bo", "FACEDOWN_PLAIN": "yes"})

    assert (settings.name, settings.ascii, settings.plain) == ("bo", True, True)


def test_the_command_line_wins_over_both(file: Path) -> None:
    arguments = argument_parser().parse_args(["play", "--name", "cy", "--no-ascii"])

    settings = settings_of(arguments, {"FACEDOWN_NAME": "bo", "FACEDOWN_CONFIG": str(file)})

    assert (settings.name, settings.ascii) == ("cy", False)


def test_options_may_stand_before_the_command(file: Path) -> None:
    arguments = argument_parser().parse_args(["--plain", "--config", str(file), "play"])

    settings = settings_of(arguments, {})

    assert (settings.plain, settings.name) == (True, "ana")


def test_no_color_is_heard() -> None:
    assert load(None, {"NO_COLOR": "1"}).color == "never"
    assert load(None, {"NO_COLOR": "1", "FACEDOWN_COLOR": "256"}).color == "256"


@pytest.mark.parametrize(
    "values",
    [
        {"name": "a/b"},
        {"color": "pink"},
        {"plain": "perhaps"},
        {"profile": "../x"},
        {"name": "host"},
    ],
)
def test_a_setting_that_makes_no_sense_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(BadSetting):
        with_values(Settings(), values)


def test_a_broken_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("name = ")

    with pytest.raises(BadSetting, match=r"config\.toml"):
        load(path, {})


def test_a_named_file_that_may_not_be_looked_at_was_a_traceback(tmp_path: Path) -> None:
    path = tmp_path / ("a" * 300)  # nobody at all may look at one with such a name
    arguments = argument_parser().parse_args(["--config", str(path)])

    with pytest.raises(BadSetting, match="cannot be read: File name too long"):
        settings_of(arguments, {})


def test_an_account_whose_home_is_no_folder_could_not_play(tmp_path: Path) -> None:
    home = tmp_path / "null"
    home.touch()

    assert load(home / "config.toml", {}).theme == "auto"


def test_of_a_file_that_cannot_be_read_it_was_not_said_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"Mend that, or give another file with --config\."):
        load(tmp_path, {})


def test_a_named_file_has_to_exist(tmp_path: Path) -> None:
    arguments = argument_parser().parse_args(["--config", str(tmp_path / "none.toml")])

    with pytest.raises(BadSetting, match="does not exist"):
        settings_of(arguments, {})


def test_saving_keeps_comments_and_unknown_keys(file: Path) -> None:
    save(file, {"ascii": False, "bell": False})

    text = file.read_text()
    assert text.startswith("# mine")
    assert 'later = "unknown"' in text
    assert bare(load(file, {})) == Settings(name="ana", ascii=False, bell=False)


def test_a_kiosk_reads_no_file(file: Path) -> None:
    arguments = argument_parser().parse_args(["--kiosk"])

    assert settings_of(arguments, {"FACEDOWN_CONFIG": str(file)}).name == ""


@pytest.mark.parametrize(
    ("login", "name"),
    [
        ("maya", "maya"),
        ("Ana Björk", "Ana Bj rk"),
        ("x" * 30, "x" * 16),
        ("…", "player"),
        ("host", "player"),
    ],
)
def test_a_login_name_is_made_valid(login: str, name: str) -> None:
    assert valid_name(login) == name
    assert is_a_name(valid_name(login))


def test_a_name_that_was_set_is_used() -> None:
    assert own_name(Settings(name="ana")) == "ana"
    assert is_a_name(own_name(Settings()))
