"""What a finished deal is remembered for, in words: the best moments, and what one missed. Pure."""

from collections.abc import Callable, Iterator

from client.stats import Confessed, false_cards
from client.words import claim, margin, name_of
from protocol import events as e
from protocol.numbers import Seat
from protocol.views import TableView

MISSED = 3  # so many missed lies are named


def best_moments(told: Confessed) -> dict[Seat, str]:
    """One thing to be remembered by for those who have one."""
    moments: dict[Seat, str] = {}
    seats = range(len(told.seats))
    fastest = [seat for seat in seats if told.seats[seat].fastest_us is not None]
    if fastest:
        quick = min(fastest, key=lambda seat: told.seats[seat].fastest_us or 0)
        moments[Seat(quick)] = f"fastest doubt, {margin(told.seats[quick].fastest_us or 0)}"
    taker = max(seats, key=lambda seat: told.seats[seat].biggest_pile)
    if told.seats[taker].biggest_pile:
        moments.setdefault(Seat(taker), f"biggest pile, {told.seats[taker].biggest_pile}")
    liar = max(seats, key=lambda seat: told.seats[seat].lies - told.seats[seat].caught)
    if told.seats[liar].lies > told.seats[liar].caught:
        moments.setdefault(Seat(liar), "best liar")
    for seat in seats:
        if told.complete and told.seats[seat].plays and not told.seats[seat].lies:
            moments.setdefault(Seat(seat), "never lied")
    return moments


def in_symbols(faces: e.Faces) -> str:
    """Ranks in a narrow space: "2 4 JK"."""
    return " ".join(face.rank.symbol if face.rank else "JK" for face in faces)


def remarks(
    view: TableView,
    told: Confessed,
    faces_text: Callable[[e.Faces], str] = in_symbols,
    you: Seat | None = None,
) -> Iterator[str]:
    """What else there is to tell, as sentences without a full stop; one seat may be called "you"."""
    lie = told.biggest_lie
    if lie is not None and false_cards(lie):
        faces = faces_text(lie.faces)
        who = name_of(view.table, lie.seat, you)
        said = claim(lie.count, lie.rank)
        yield f'biggest lie nobody doubted: {who} said "{said}" and laid {faces} (play {lie.play})'
    if told.missed:
        named = [
            f"{play.play}, {name_of(view.table, play.seat)}'s {claim(play.count, play.rank)}"
            for play in told.missed[:MISSED]
        ]
        more = f" and {len(told.missed) - MISSED} more" if len(told.missed) > MISSED else ""
        yield f"sure lies you missed: play {'; '.join(named)}{more}"
    yield "; ".join((*_records(view, told, you), f"true plays doubted: {told.true_doubted}"))


def _records(view: TableView, told: Confessed, you: Seat | None) -> Iterator[str]:
    """The fastest doubt and the biggest pile, whoever else they are remembered for."""
    seats = tuple(enumerate(told.seats))
    times = [(stats.fastest_us, seat) for seat, stats in seats if stats.fastest_us is not None]
    if times:
        time, seat = min(times)
        yield f"fastest doubt: {name_of(view.table, Seat(seat), you)} after {margin(time)}"
    taken, least = max((stats.biggest_pile, -seat) for seat, stats in seats)
    if taken:
        yield f"biggest pile: {name_of(view.table, Seat(-least), you)} took {taken}"
