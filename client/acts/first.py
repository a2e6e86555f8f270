"""What keys do on the page of the first start. Pure."""

from msgspec.structs import replace

from client.acts.done import Doer, Done, Wish, hinted
from client.screens.deeds import Act
from client.screens.frame import Frame
from client.settings import noted
from client.start.first_run import ANSWERED, FirstRun, Step, next_step, step_back
from client.state import Renamed
from protocol.refusals import Refusal, explained
from protocol.text import is_a_name

LEARN = "learn"


def _yes(frame: Frame, _: str) -> Done:
    first = frame.desk.first or FirstRun()
    match first.step:
        case Step.NAME:
            typed = frame.desk.name.text.strip()  # a space at an end is not to be seen
            name = frame.desk.name.of(typed or frame.state.name)  # nothing: as good as "you choose"
            if not is_a_name(name.text):
                return hinted(frame, explained(Refusal.BAD_NAME).sentence)
            return _on(frame, first, replace(frame, desk=replace(frame.desk, name=name)))
        case Step.SUITS | Step.LESSONS:
            return _on(frame, first, frame, about=LEARN if first.step is Step.LESSONS else "")


def _on(frame: Frame, first: FirstRun, then: Frame, about: str = "") -> Done:
    desk = replace(then.desk, first=next_step(first), screen_since=frame.now)
    if desk.first is not None:
        return Done(desk=desk)
    settings = noted(replace(desk.settings, name=desk.name.text), *ANSWERED)
    named = replace(desk, settings=settings)
    return Done(desk=named, told=(Renamed(name=desk.name.text),), wish=Wish.BEGIN, about=about)


def _symbols(frame: Frame, *, letters: bool) -> Done:
    settings = replace(frame.desk.settings, ascii=letters)
    return Done(desk=replace(frame.desk, settings=settings))


def _y(frame: Frame, _: str) -> Done:
    first = frame.desk.first or FirstRun()
    if first.step is Step.SUITS and frame.desk.settings.ascii:
        return _symbols(frame, letters=False)
    return _yes(frame, "")


def _n(frame: Frame, _: str) -> Done:
    first = frame.desk.first or FirstRun()
    if first.step is Step.SUITS:
        if frame.desk.settings.ascii:
            return hinted(frame, "The suits are letters already: Enter goes on.")
        return _symbols(frame, letters=True)
    return _on(frame, first, frame)


def _back(frame: Frame, _: str) -> Done:
    first = frame.desk.first or FirstRun()
    return Done(desk=replace(frame.desk, first=step_back(first)))


FIRST: dict[Act, Doer] = {
    Act.ENTER: _yes,
    Act.YES: _y,
    Act.NO: _n,
    Act.BACK: _back,
}
