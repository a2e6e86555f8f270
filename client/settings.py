"""What a person may set: one row for each setting, with its values and its words. Pure.

A setting has one name everywhere: a field of `Settings`, the key in the file, `FACEDOWN_` and the
name in capitals in the environment, `--name` on the command line. Where the values come from is
`kept.config`'s business; here is what they mean and which ones there are.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum

from msgspec import Struct, field
from msgspec.structs import replace

from protocol.text import MAX_NAME, is_a_name

PREFIX = "FACEDOWN_"
YES = frozenset({"1", "yes", "true", "on"})
NO = frozenset({"0", "no", "false", "off", ""})


class BadSetting(ValueError):
    """A setting that makes no sense; the message is for a person."""


class Origins(Struct, frozen=True, kw_only=True):
    """Where values were said, and where changes of them are kept."""

    file: str = ""  # empty: nowhere, nothing is kept
    said: Mapping[str, str] = field(default_factory=dict)  # by name; what is missing is a default
    unread: tuple[str, ...] = ()  # keys of the file that are no settings
    unheard: tuple[str, ...] = ()  # variables, without what they begin with

    def of(self, name: str) -> str:
        """Where a value comes from, in a word or two."""
        return self.said.get(name, "default")


class Settings(Struct, frozen=True, kw_only=True):
    """What a person may set. The empty name stands for the login name, made valid."""

    name: str = ""
    theme: str = "auto"
    suits: str = "four"
    color: str = "auto"
    ascii: bool = False  # no suit symbols and no box lines
    order: str = "rank"
    bell: bool = True
    title: bool = True
    mouse: bool = False
    plain: bool = False  # line by line instead of full screen
    spectate: bool = False  # watch instead of sitting down
    profile: str = "default"  # whose identities are used
    kiosk: bool = False  # no file is read or written
    origins: Origins = Origins()


DEFAULTS = Settings()


class Kind(StrEnum):
    """What the values of a setting are."""

    SWITCH = "switch"
    CHOICE = "choice"
    NAME = "name"  # letters A to Z, digits, - and _


class Setting(Struct, frozen=True, kw_only=True):
    """One thing that can be set."""

    name: str
    about: str  # after "--name", in the help and on the settings page
    label: str = ""  # what the settings page calls it; without a label it is not there
    kind: Kind = Kind.SWITCH
    values: Mapping[str, str] = field(default_factory=dict)  # each choice, and what it means
    later: bool = False  # takes hold with the next start


SETTINGS: tuple[Setting, ...] = (
    Setting(
        name="name",
        label="your name",
        kind=Kind.NAME,
        about="your name; without it a valid form of the login name",
        later=True,
    ),
    Setting(
        name="theme",
        label="theme",
        kind=Kind.CHOICE,
        about="which colours, for which background",
        values={
            "auto": "the terminal's own sixteen; light or dark where the terminal says which",
            "dark": "for a dark background",
            "light": "for a light background",
            "contrast": "high contrast: bright on black",
            "mono": "none: bold, underlined and reversed only",
        },
    ),
    Setting(
        name="suits",
        label="suits",
        kind=Kind.CHOICE,
        about="how many colours the suits have",
        values={
            "four": "each suit has a colour of its own",
            "two": "hearts and diamonds red, as printed",
        },
    ),
    Setting(
        name="color",
        label="how many colours",
        kind=Kind.CHOICE,
        about="how many colours the terminal can show; NO_COLOR means never",
        values={
            "auto": "as TERM and COLORTERM say",
            "never": "none at all",
            "16": "the terminal's own sixteen",
            "256": "the usual palette",
            "true": "any colour (24 bits)",
        },
    ),
    Setting(
        name="ascii",
        label="letters for suits",
        about="letters for suits, no line drawing",
    ),
    Setting(
        name="order",
        label="order of the hand",
        kind=Kind.CHOICE,
        about="how the hand is ordered",
        values={"rank": "aces to kings", "size": "the most cards of a rank first"},
    ),
    Setting(
        name="bell",
        label="bell on your turn",
        about="ring on your turn when you have not touched a key for a while",
    ),
    Setting(
        name="title",
        label="window title",
        about="say in the window's title whose turn it is",
    ),
    Setting(
        name="mouse",
        label="mouse",
        about="let the mouse be used; the terminal's own selection is then lost",
    ),
    Setting(
        name="plain",
        label="plain mode",
        about="line by line; automatic where there is no terminal, or TERM=dumb",
        later=True,
    ),
    Setting(
        name="spectate",
        label="only watch",
        about="watch the lobby instead of sitting down",
        later=True,
    ),
    Setting(
        name="profile",
        kind=Kind.NAME,
        about="whose secrets are used: one person, several seats",
    ),
    Setting(
        name="kiosk",
        about="with join: for guests who share an account over SSH (server/README)",
    ),
)
BY_NAME = {setting.name: setting for setting in SETTINGS}
ON_PAGE = tuple(setting for setting in SETTINGS if setting.label)

Spelled = Callable[[str, object], str]
"""How a setting was written where it was said: `color = "pink"`, `--color pink`."""


def on_command_line(name: str, value: object) -> str:
    """As an option."""
    return f"--{name} {value}" if BY_NAME[name].kind is not Kind.SWITCH else f"--{name}"


def in_environment(name: str, value: object) -> str:
    """As a variable."""
    return f"{PREFIX}{name.upper()}={value}"


def with_values(
    settings: Settings, values: Mapping[str, object], spelled: Spelled = on_command_line
) -> Settings:
    """Settings with some values replaced; words such as "yes" stand for true.

    Raises:
        BadSetting: a value is none of those that are allowed; says where, which, and what is.
    """
    changes = {name: _checked(name, value, spelled) for name, value in values.items()}
    return replace(settings, **changes)


def _checked(name: str, value: object, spelled: Spelled) -> str | bool:
    setting = BY_NAME[name]
    kept = _read(setting, value)
    if kept is None:
        message = f"{spelled(name, value)} is not possible: {allowed(setting)}"
        raise BadSetting(message)
    return kept


def _read(setting: Setting, value: object) -> str | bool | None:
    """The value as it is kept; None if it is none."""
    match setting.kind:
        case Kind.SWITCH:
            return _truth(value)
        case Kind.CHOICE:
            return str(value) if str(value) in setting.values else None
        case Kind.NAME:
            empty = value == "" and value == value_of(DEFAULTS, setting.name)
            name = str(value).strip()  # a space at an end is not to be seen
            return name if empty or is_a_name(name) else None


def _truth(value: object) -> bool | None:
    word = str(value).casefold()
    return True if word in YES else False if word in NO else None


def allowed(setting: Setting) -> str:
    """What a setting may be, in words."""
    match setting.kind:
        case Kind.SWITCH:
            return f"{setting.name} is true or false (also yes, no, on, off, 1, 0)"
        case Kind.CHOICE:
            return f"{setting.name} is one of {', '.join(setting.values)}"
        case Kind.NAME:
            kept = "with single spaces inside, and not server, host, you, nobody or the like"
            return f"{setting.name} is 1 to {MAX_NAME} letters A to Z, digits, - or _, {kept}"


def value_of(settings: Settings, name: str) -> str | bool:
    """The value of the setting with this name."""
    value: str | bool = getattr(settings, name)
    return value


def turned(settings: Settings, name: str, steps: int) -> Settings:
    """The settings with one of them moved on among its values; a name stays."""
    setting, value = BY_NAME[name], value_of(settings, name)
    if setting.kind is Kind.NAME:
        return settings
    choices: list[str | bool] = [False, True]
    if setting.kind is Kind.CHOICE:
        choices = list(setting.values)
    then = choices[(choices.index(value) + steps) % len(choices)]
    return replace(settings, **{name: then})


def noted(settings: Settings, *names: str) -> Settings:
    """The settings with it known that some were changed here, unless something stands over them."""
    origins = settings.origins
    if not origins.file:
        return settings
    here = origins.file.rpartition("/")[2]
    changed = {name: here for name in names if not stands_over(origins.of(name))}
    return replace(settings, origins=replace(origins, said={**origins.said, **changed}))


def stands_over(origin: str) -> bool:
    """Whether a value that was said there wins over the file, at the next start again."""
    return origin.startswith("--") or origin.isupper()


def is_mono(settings: Settings) -> bool:
    """Whether no colours are shown."""
    return settings.color == "never" or settings.theme == "mono"


def next_look(settings: Settings) -> tuple[Settings, str]:
    """The settings with the next colours, and the name of what was changed.

    Where there were none, because of NO_COLOR or `--color never`, somebody who asks gets them.
    """
    if settings.color == "never":
        return replace(settings, color="auto"), "color"
    return turned(settings, "theme", 1), "theme"
