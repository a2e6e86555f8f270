"""The settings of the client: a TOML file, the environment, and the command line on top.

Every setting is one field of `Settings`; its name is the key in the file, `FACEDOWN_` and its name
in capitals the variable, and `--name` the option. A later source wins over an earlier one.
"""

import getpass
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import platformdirs

from client.identity import write_whole
from protocol.text import MAX_NAME, is_a_name

PREFIX = "FACEDOWN_"
COLORS = ("auto", "never", "16", "256", "true")
_YES = {"1", "yes", "true", "on"}
_NO = {"0", "no", "false", "off", ""}


class BadSetting(ValueError):
    """A setting that makes no sense; the message is for a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a person may set. The empty name stands for the login name, made valid."""

    name: str = ""
    plain: bool = False  # line by line instead of full screen
    ascii: bool = False  # no suit symbols and no box lines
    color: str = "auto"  # one of COLORS
    profile: str = "default"  # whose identities are used
    spectate: bool = False  # watch instead of sitting down
    bell: bool = True
    mouse: bool = False
    kiosk: bool = False  # no file is read or written


DEFAULTS = Settings()


def config_file() -> Path:
    """Where the settings are: `config.toml` in the user's configuration directory."""
    return platformdirs.user_config_path("facedown") / "config.toml"


def state_folder() -> Path:
    """Where identities and logs are kept: the user's state directory."""
    return platformdirs.user_state_path("facedown")


def load(path: Path | None, environment: Mapping[str, str]) -> Settings:
    """The settings of the file, then the environment.

    Raises:
        BadSetting: the file is no TOML, or a value is of the wrong kind.
    """
    in_file = _read(path) if path else {}
    names = {field.name for field in fields(Settings)}
    settings = with_values(DEFAULTS, {k: v for k, v in in_file.items() if k in names})
    spoken = {name: environment.get(PREFIX + name.upper()) for name in names}
    settings = with_values(settings, {k: v for k, v in spoken.items() if v is not None})
    if environment.get("NO_COLOR") and PREFIX + "COLOR" not in environment:
        settings = replace(settings, color="never")
    return settings


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text("utf-8")
        import tomllib  # noqa: PLC0415 - most people have no file

        return tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        message = f"{path} cannot be read: {error}"
        raise BadSetting(message) from error


def with_values(settings: Settings, values: Mapping[str, object]) -> Settings:
    """Settings with some values replaced; words such as "yes" stand for true.

    Raises:
        BadSetting: a value is of the wrong kind.
    """
    changes = {name: _checked(settings, name, value) for name, value in values.items()}
    return replace(settings, **changes)  # type: ignore[arg-type]


def _checked(settings: Settings, name: str, value: object) -> object:
    if isinstance(getattr(settings, name), bool):
        return _truth(name, value)
    text = str(value)
    if name == "color" and text not in COLORS:
        message = f"color is one of {', '.join(COLORS)}, not {text!r}"
        raise BadSetting(message)
    if name == "name" and text and not is_a_name(text):
        message = f"{text!r} cannot be a name: 1 to {MAX_NAME} letters, digits, - or _"
        raise BadSetting(message)
    if name == "profile" and not is_a_name(text):
        message = f"{text!r} cannot be a profile: letters, digits, - or _"
        raise BadSetting(message)
    return text


def _truth(name: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    word = str(value).casefold()
    if word in _YES:
        return True
    if word in _NO:
        return False
    message = f"{name} is yes or no, not {value!r}"
    raise BadSetting(message)


def save(path: Path, changes: Mapping[str, str | bool]) -> None:
    """Write some settings into the file and leave the rest of it, comments too, as it is.

    Raises:
        OSError: the file cannot be written.
        BadSetting: what is there is no TOML.
    """
    import tomlkit  # noqa: PLC0415 - its import takes a while, and settings are seldom saved

    try:
        document = tomlkit.parse(path.read_text("utf-8"))
    except FileNotFoundError:
        document = tomlkit.document()
    except ValueError as error:
        message = f"{path} cannot be read: {error}"
        raise BadSetting(message) from error
    for name, value in changes.items():
        document[name] = value
    write_whole(path, tomlkit.dumps(document))


def own_name(settings: Settings) -> str:
    """The name to play under: the one set, or the login name made valid."""
    return settings.name or valid_name(_login())


def valid_name(text: str) -> str:
    """The nearest text that may be somebody's name; "player" if nothing is left of it."""
    kept = "".join(one if one.isascii() and (one.isalnum() or one in "-_") else " " for one in text)
    name = " ".join(kept.split())[:MAX_NAME].strip()
    return name if is_a_name(name) else "player"


def _login() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
