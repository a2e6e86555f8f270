"""Where settings come from and where they are kept: a TOML file, the environment, and flags on top.

What there is to set is in `settings`. A later source wins over an earlier one.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import platformdirs
from msgspec.structs import replace

from client.kept.files import write_whole
from client.settings import (
    BY_NAME,
    DEFAULTS,
    PREFIX,
    BadSetting,
    Origins,
    Settings,
    Spelled,
    in_environment,
    with_values,
)
from protocol.text import MAX_NAME, is_a_name

OTHERS = ("SERVER_", "TEST_")  # variables that are for the server, or for our tests


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
    keys = read(path) if path else {}
    in_file = {name: value for name, value in keys.items() if name in BY_NAME}
    settings = with_values(DEFAULTS, in_file, _in_file(path))
    spoken = {name: environment.get(PREFIX + name.upper()) for name in BY_NAME}
    settings = with_values(
        settings,
        {name: value for name, value in spoken.items() if value is not None},
        in_environment,
    )
    said = dict.fromkeys(in_file, path.name if path else "")
    said |= {name: PREFIX + name.upper() for name, value in spoken.items() if value is not None}
    if environment.get("NO_COLOR") and PREFIX + "COLOR" not in environment:
        settings, said["color"] = replace(settings, color="never"), "NO_COLOR"
    unread = tuple(sorted(keys.keys() - BY_NAME.keys()))
    origins = Origins(file=str(path or ""), said=said, unread=unread, unheard=unheard(environment))
    return replace(settings, origins=origins)


def unheard(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The variables that look like settings of the client and are none, without what they begin with."""
    ours = {name.removeprefix(PREFIX) for name in environment if name.startswith(PREFIX)}
    unknown = ours - {name.upper() for name in BY_NAME} - {"CONFIG"}
    return tuple(sorted(name for name in unknown if not name.startswith(OTHERS)))


def with_flags(settings: Settings, flags: Mapping[str, object]) -> Settings:
    """The settings with those of the command line on top.

    Raises:
        BadSetting: a value is of the wrong kind.
    """
    said = {**settings.origins.said, **{name: f"--{name}" for name in flags}}
    return replace(with_values(settings, flags), origins=replace(settings.origins, said=said))


def read(path: Path) -> dict[str, Any]:
    """What is in the file; nothing where there is none.

    Raises:
        BadSetting: it cannot be read, or is no TOML.
    """
    try:
        text = path.read_text("utf-8")
        import tomllib  # noqa: PLC0415 - most people have no file

        return tomllib.loads(text)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}. Mend that, or give another file with --config."
        raise BadSetting(message) from error
    except ValueError as error:
        message = f"{path} is not valid TOML: {error}. Fix it, or move it away."
        raise BadSetting(message) from error


def _in_file(path: Path | None) -> Spelled:
    """As a line of the file."""
    return lambda name, value: f"{path}: {name} = {_as_toml(value)}"


def _as_toml(value: object) -> str:
    return (
        str(value).lower()
        if isinstance(value, bool)
        else f'"{value}"'
        if isinstance(value, str)
        else str(value)
    )


def save(path: Path, changes: Mapping[str, str | bool]) -> None:
    """Write some settings into the file and leave the rest of it, comments too, as it is.

    Raises:
        OSError: the file cannot be written.
        BadSetting: what is there is no TOML.
    """
    import tomlkit  # noqa: PLC0415 - its import takes a while, and settings are seldom saved

    read(path)  # complains of what is not TOML in words that help
    try:
        document = tomlkit.parse(path.read_text("utf-8"))
    except FileNotFoundError:
        document = tomlkit.document()
    for name, value in changes.items():
        document[name] = value
    whole = path.resolve()  # a link, as people keep for their dot files, stays one
    write_whole(whole, tomlkit.dumps(document))


def keep(settings: Settings, name: str) -> str:
    """Save one setting where the settings came from; a sentence if that could not be done."""
    path = settings.origins.file
    if not path:
        return ""
    try:
        save(Path(path), {name: getattr(settings, name)})
    except OSError as error:
        return f"Not saved, it holds until you leave: {path}: {os.strerror(error.errno or 0)}."
    except BadSetting as error:
        return f"Not saved, it holds until you leave: {error}"
    return ""


def own_name(settings: Settings) -> str:
    """The name to play under: the one set, or the login name made valid."""
    return settings.name or valid_name(_login())


def valid_name(text: str) -> str:
    """The nearest text that may be somebody's name; "player" if nothing is left of it."""
    kept = "".join(one if one.isascii() and (one.isalnum() or one in "-_") else " " for one in text)
    name = " ".join(kept.split())[:MAX_NAME].strip()
    return name if is_a_name(name) else "player"


def _login() -> str:
    import getpass  # noqa: PLC0415 - most people have a name here already, and it is not light

    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
