"""What comes of changing a setting: by its key, in the menu, or on the settings page. Pure."""

from msgspec.structs import replace

from client import settings as s
from client.acts.done import Doer, Done, Wish, hinted
from client.screens.deeds import Act
from client.screens.desk import Overlay, Typing
from client.screens.editor import Editor
from client.screens.frame import Frame
from client.screens.settings_page import chosen
from client.settings import Kind, Settings
from client.state import Hinted
from protocol.text import MAX_NAME, is_a_name


def changed(frame: Frame, settings: Settings, name: str) -> Done:
    """The setting holds from now on and is to be kept."""
    noted = s.noted(settings, name)
    return Done(desk=replace(frame.desk, settings=noted), wish=Wish.REMEMBER, about=name)


def flip(name: str) -> Doer:
    """The next value of one setting."""
    return lambda frame, _: changed(frame, s.turned(frame.desk.settings, name, 1), name)


def _switched(name: str) -> Doer:
    """The same of what cannot be seen on the page: the hint says how it is now."""

    def switched(frame: Frame, about: str) -> Done:
        done = flip(name)(frame, about)
        label = s.BY_NAME[name].label.capitalize()
        now = "on" if s.value_of(done.desk.settings, name) else "off"
        return replace(done, told=(Hinted(text=f"{label}: {now}."),))

    return switched


def _colours(frame: Frame, _: str) -> Done:
    settings, name = s.next_look(frame.desk.settings)
    what = f"Colours: {settings.theme}" if name == "theme" else "Colours are on"
    told = Hinted(text=f"{what}, {s.BY_NAME['theme'].values[settings.theme]}.")
    return replace(changed(frame, settings, name), told=(told,))


def _move(frame: Frame, steps: int) -> Done:
    row = (frame.desk.settings_row + steps) % len(s.ON_PAGE)
    return Done(desk=replace(frame.desk, settings_row=row))


def _turn(frame: Frame, steps: int) -> Done:
    setting = chosen(frame)
    if setting.kind is Kind.NAME:
        return hinted(frame, "Enter lets you type it.")
    return changed(frame, s.turned(frame.desk.settings, setting.name, steps), setting.name)


def _enter(frame: Frame, _: str) -> Done:
    if chosen(frame).kind is not Kind.NAME:
        return _turn(frame, 1)
    line = Editor(limit=MAX_NAME).of(frame.desk.settings.name or frame.state.name)
    return Done(desk=replace(frame.desk, typing=Typing.NAME, line=line))


def named(frame: Frame) -> Done:
    """The name that was typed on the settings page."""
    name = frame.desk.line.text.strip()
    if not is_a_name(name):
        return hinted(frame, f"{s.allowed(s.BY_NAME['name'])}.")
    closed = replace(frame, desk=replace(frame.desk, typing=None, line=frame.desk.line.of("")))
    return changed(closed, replace(frame.desk.settings, name=name), "name")


ANYWHERE: dict[Act, Doer] = {
    Act.SKIN: flip("ascii"),
    Act.COLOURS: _colours,
    Act.BELL: _switched("bell"),
    Act.MOUSE: _switched("mouse"),
    Act.ORDER: flip("order"),
}

ON_PAGE: dict[Act, Doer] = {
    Act.ENTER: _enter,
    Act.SPACE: _enter,
    Act.UP: lambda frame, _: _move(frame, -1),
    Act.DOWN: lambda frame, _: _move(frame, 1),
    Act.LEFT: lambda frame, _: _turn(frame, -1),
    Act.RIGHT: lambda frame, _: _turn(frame, 1),
}
OVER = {Overlay.SETTINGS: ON_PAGE}
