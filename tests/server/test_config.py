"""Every setting by flag, environment and file; a bad one is answered with a sentence."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from protocol.events import Paused, PauseReason
from server.config import DEFAULT_PORT, BadSettings, Settings, version
from server.sources import ENVIRONMENT_PREFIX, argument_parser, read_settings, unheard

NAMES = [setting.name for setting in dataclasses.fields(Settings)]
IN_WORDS = [name for name in NAMES if name != "check"]  # which is said for one run
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


@pytest.mark.parametrize("name", IN_WORDS)
def test_a_setting_can_be_given_in_the_environment(name: str) -> None:
    environment = {f"{ENVIRONMENT_PREFIX}{name.upper()}": str(another(name))}

    assert read_settings([], environment) == dataclasses.replace(
        Settings(), **{name: another(name)}
    )


@pytest.mark.parametrize("name", IN_WORDS)
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


def test_lan_of_the_environment_or_a_file_overruled_the_address_of_the_command_line(
    tmp_path: Path,
) -> None:
    lan = {f"{ENVIRONMENT_PREFIX}LAN": "yes"}
    file = ("--config", a_file(tmp_path, "lan = true"))

    assert read_settings(["--host", "127.0.0.1"], lan).listens_on == "127.0.0.1"
    assert read_settings([*file, "--host", "127.0.0.1"], {}).listens_on == "127.0.0.1"
    assert read_settings(file, {f"{ENVIRONMENT_PREFIX}HOST": "::1"}).listens_on == "::1"
    assert read_settings(["--lan"], {f"{ENVIRONMENT_PREFIX}HOST": "::1"}).lan
    assert read_settings(["--no-lan", "--host", "::1"], {}).listens_on == "::1"


def test_of_one_address_and_all_in_one_place_the_one_was_passed_over(tmp_path: Path) -> None:
    path = a_file(tmp_path, "lan = true\nhost = '192.0.2.7'")

    assert complaint_about("--lan", "--host", "::1") == (
        "--lan is for all addresses, and --host for one. Leave one of them out"
    )
    assert complaint_about("--config", path) == (
        f"{path}: lan is for all addresses, and {path}: host for one. Leave one of them out"
    )


def test_a_folder_of_the_command_line_was_not_used_where_a_file_says_in_memory(
    tmp_path: Path,
) -> None:
    in_memory = {f"{ENVIRONMENT_PREFIX}IN_MEMORY": "yes"}
    data = {f"{ENVIRONMENT_PREFIX}DATA": str(tmp_path)}

    assert not read_settings(["--data", str(tmp_path)], in_memory).in_memory
    assert read_settings(["--in-memory"], data).in_memory
    assert read_settings(["--in-memory", "--data", str(tmp_path)], {}).in_memory


@pytest.mark.parametrize("word", ["1", "true", "Yes", " TRUE ", "on"])
def test_yes_can_be_said_in_several_ways(word: str) -> None:
    assert read_settings([], {f"{ENVIRONMENT_PREFIX}LAN": word}).lan


@pytest.mark.parametrize("word", ["0", "false", "No", "off"])
def test_no_can_be_said_in_several_ways(word: str) -> None:
    assert not read_settings([], {f"{ENVIRONMENT_PREFIX}LAN": word}).lan


def test_a_whole_number_in_a_file_will_do_for_a_time(tmp_path: Path) -> None:
    settings = read_settings(["--config", a_file(tmp_path, "silence_s = 20")], {})

    assert settings.silence_s == 20
    assert isinstance(settings.silence_s, float)


def test_what_else_is_in_the_environment_is_left_alone() -> None:
    others = {"FACEDOWN_NAME": "ana", "PORT": "1"}

    assert read_settings([], others) == Settings()
    assert list(unheard(others)) == []


@pytest.mark.parametrize("name", IN_WORDS)
def test_no_variable_of_a_setting_is_said_to_be_none(name: str) -> None:
    assert list(unheard({f"{ENVIRONMENT_PREFIX}{name.upper()}": "1"})) == []


def test_a_misspelt_variable_changed_nothing_without_a_word() -> None:
    misspelt = {f"{ENVIRONMENT_PREFIX}PROT": "1", f"{ENVIRONMENT_PREFIX}CONFIG": "x"}

    (said,) = unheard(misspelt)

    assert said == (
        "FACEDOWN_SERVER_PROT in the environment is no setting, and changes nothing. "
        "Did you mean FACEDOWN_SERVER_PORT?"
    )
    assert read_settings([], {f"{ENVIRONMENT_PREFIX}PROT": "1"}) == Settings()


def test_a_variable_or_a_key_left_behind_made_every_start_a_check(tmp_path: Path) -> None:
    variable = {f"{ENVIRONMENT_PREFIX}CHECK": str(tmp_path)}
    path = a_file(tmp_path, "check = 'x'")

    assert read_settings([], variable) == Settings()
    assert next(unheard(variable)).startswith("FACEDOWN_SERVER_CHECK in the environment is no")
    assert complaint_about("--config", path) == (
        f"{path}: check is no setting, but for the command line alone: --check"
    )


# --- settings that make no sense together ---------------------------------------------------------


def test_with_pings_further_apart_than_silence_may_last_everybody_was_dropped(
    tmp_path: Path,
) -> None:
    file = ("--config", a_file(tmp_path, "silence_s = 8"))

    assert complaint_about("--ping-s", "30", "--silence-s", "1").startswith("--")
    assert complaint_about("--ping-s", "10").startswith("--ping-s cannot be 10.0: silence_s (15.0)")
    assert complaint_about(*file, "--ping-s", "4.1").startswith("--ping-s cannot be 4.1: ")
    assert "silence_s cannot be 8.0: " in complaint_about(*file)
    assert read_settings([*file, "--ping-s", "4"], {}).silence_s == 8


@pytest.mark.parametrize("name", ["host", "title", "data"])
@pytest.mark.parametrize("empty", ["", " "])
def test_an_empty_folder_was_the_one_where_the_server_was_started(name: str, empty: str) -> None:
    variable = f"{ENVIRONMENT_PREFIX}{name.upper()}"

    for arguments, environment in (((flag(name), empty), {}), ((), {variable: empty})):
        complaint = complaint_about(*arguments, environment=environment)
        assert " cannot be empty: " in complaint


def test_a_log_of_nothing_but_spaces_was_written_into_a_file_of_that_name() -> None:
    settings = read_settings(["--log", " "], {f"{ENVIRONMENT_PREFIX}GUEST_KEY": "  "})

    assert (settings.log, settings.guest_key) == ("", "")


def test_an_empty_folder_to_check_started_a_server() -> None:
    assert complaint_about("--check", "") == (
        "--check cannot be empty: leave it out, or say which folder"
    )


def test_an_empty_settings_file_was_taken_for_none() -> None:
    variable = f"{ENVIRONMENT_PREFIX}CONFIG"

    assert complaint_about("--config", "").startswith("--config cannot be empty")
    assert complaint_about(environment={variable: ""}).startswith(f"{variable} cannot be empty")


@pytest.mark.parametrize("name", ["log", "guest_key"])
def test_no_log_and_no_key_can_be_said_over_a_file(name: str, tmp_path: Path) -> None:
    file = ("--config", a_file(tmp_path, f"{name} = 'some file'"))

    assert read_settings([*file, flag(name), ""], {}) == Settings()


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
        pytest.param("[server]\nport = 1", "settings stand at the top of the file", id="a table"),
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
    misspelt = complaint_about("--config", a_file(tmp_path, "prot = 1"))
    assert misspelt.startswith(f"{path}: there is no setting 'prot'")
    assert misspelt.endswith("Did you mean port?")


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


@pytest.mark.parametrize(
    ("name", "also"), [("wrong_codes_per_min", "of one address"), ("return_s", "a restart")]
)
def test_the_help_kept_back_whom_else_a_setting_is_about(name: str, also: str) -> None:
    told = " ".join(argument_parser().format_help().split()).partition(flag(name))[2]

    assert also in told.partition("(default:")[0]
