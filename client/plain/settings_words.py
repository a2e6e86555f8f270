"""The word for settings: all of them with what each is, or one of them changed. Pure."""

from client.plain.word import Changed, Outcome, Reply, Topic, TypedLine, Word
from client.settings import (
    BY_NAME,
    ON_PAGE,
    BadSetting,
    Kind,
    Setting,
    Settings,
    allowed,
    noted,
    value_of,
    with_values,
)
from client.state import Hinted


def settings_lines(settings: Settings) -> tuple[str, ...]:
    """Each with its value and who said so, then where a change is kept."""
    lines = tuple(_line(settings, setting) for setting in ON_PAGE)
    kept = settings.origins.file or "nowhere: a change holds until you leave"
    return (*lines, f"SETTINGS: kept in {kept}. Example: settings theme dark")


def _line(settings: Settings, setting: Setting) -> str:
    value = value_of(settings, setting.name)
    shown = str(value).lower() if setting.kind is Kind.SWITCH else str(value) or "not set"
    return (
        f"SETTINGS: {setting.name} {shown} ({settings.origins.of(setting.name)}): {setting.about}."
    )


def _settings(typed: TypedLine) -> Outcome:
    name, _, value = typed.rest.partition(" ")
    if not name:
        return Reply(lines=settings_lines(typed.settings))
    setting = BY_NAME.get(name.casefold())
    if setting is None or not setting.label:
        return Hinted(text=f"{name[:20]} is not a setting. There are: {', '.join(_names())}.")
    if not value:
        return Reply(lines=(_line(typed.settings, setting), f"SETTINGS: {allowed(setting)}."))
    try:
        changed = with_values(typed.settings, {setting.name: value.strip()}, _spelled)
    except BadSetting as error:
        return Hinted(text=f"{error}.")
    return Changed(settings=noted(changed, setting.name), name=setting.name)


def _names() -> list[str]:
    return [setting.name for setting in ON_PAGE]


def _spelled(name: str, value: object) -> str:
    return f"{name} {value}"


def changed_line(settings: Settings, name: str) -> str:
    """What has come of a change; if it cannot be kept, that is said as well."""
    value = str(value_of(settings, name))
    when = "connection" if name == "name" else "start"  # here no field on a first page has it
    later = f" from the next {when} on" if BY_NAME[name].later else ""
    return f"SETTINGS: {name} is {value.lower() if value in {'True', 'False'} else value}{later}."


WORDS = (
    Word(
        name="settings",
        usage="[NAME [VALUE]]",
        about="what is set, or set it: settings bell no",
        topic=Topic.LOOK,
        act=_settings,
    ),
)
