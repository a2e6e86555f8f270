"""Clients that ask too much: they are shown the door, keep their seat, and cost nobody else much."""

import socket
from collections.abc import Callable

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Goodbye, Refused, Welcome
from protocol.codec import encode_event, frame_event
from protocol.codes import parse_rules
from protocol.commands import ClientMessage, Pong
from protocol.numbers import MAX_SEATS, CommandNumber, EventNumber, PlayNumber
from protocol.refusals import Refusal
from protocol.text import MAX_NAME
from protocol.views import TableSnapshot
from server.addresses import household
from server.listener import Listener
from server.lobby.lobby import ALWAYS_FIT
from server.notices import MOST_LISTED
from tests.support.attackers import arrive_together, person_of, send_as_they_are, send_together
from tests.support.callers import a_call, a_hello
from tests.support.guests import Guest, a_hall, a_party, a_table, code_of

LONGEST_RULES = (
    "d-auto.j2.first-random.up-same-down.max-none.sneak-2.pass.next-only.until-pickup.show-pile"
    ".play-on.w30.lw60.pf500.t600.plays-2000.min-600.m20.r10.no-confess"
)


def a_say(number: int) -> c.Say:
    return c.Say(n=CommandNumber(number), text="hi")


# --- the door for whoever is refused too often ----------------------------------------------------


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(a_say, id="commands too fast"),
        pytest.param(lambda _: a_say(1), id="one command again and again"),
        pytest.param(lambda number: Pong(nonce=number), id="pongs that answer nothing"),
    ],
)
async def test_a_flood_once_kept_the_server_busy_for_as_long_as_it_lasted(
    message: Callable[[int], ClientMessage], nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, refusals_burst=50)
    (flooder,) = await a_party(hall, nursery, "ana")
    person = person_of(hall, flooder)
    heard = len(flooder.heard)

    await send_as_they_are(flooder, *(message(number) for number in range(1, 1001)))
    goodbye = await flooder.wait_for(Goodbye)
    await wait_all_tasks_blocked()

    assert goodbye.code is Refusal.TOO_FAST
    assert len(flooder.heard) - heard < 100
    assert not person.connected
    assert person.last_command < 1000


async def test_a_flooder_keeps_the_seat_and_may_come_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, refusals_burst=50)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy")
    await send_together(first, *[(c.GoOn, {"play": 0})] * 100)
    await first.wait_for(Goodbye)
    await second.wait_for(e.LobbyNews, lambda news: news.news is e.News.LOST)

    welcome = await first.connect(resume=True)
    await trio.sleep(5)
    number = await first.lay()

    assert isinstance(welcome, Welcome)
    assert isinstance(await first.answer_to(number), Accepted)


async def test_a_few_refusals_now_and_then_end_nothing(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (guest,) = await a_party(a_hall(nursery, refusals_burst=10), nursery, "ana")

    for _ in range(50):
        await guest.ask(c.GoOn, play=0)
        await trio.sleep(0.25)

    assert guest.is_connected
    assert not guest.said_goodbye()


async def test_coming_back_in_a_loop_once_had_no_end(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    (guest,) = await a_party(a_hall(nursery, reconnects_per_min=6), nursery, "ana")
    answers = []
    for _ in range(8):
        await wait_all_tasks_blocked()
        await guest.vanish()
        answers.append(await guest.connect(resume=True))
    await trio.sleep(60)

    later = await guest.connect(resume=True)

    assert [isinstance(answer, Welcome) for answer in answers] == [True] * 6 + [False] * 2
    assert isinstance(answers[-1], Refused)
    assert answers[-1].code is Refusal.TOO_FAST
    assert isinstance(later, Welcome)


async def test_a_flood_of_others_once_kept_a_challenge_out_of_a_full_inbox(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, inbox=4)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await first.lay()
    await third.wait_for(e.Played)

    *_, crowded_out, called = arrive_together(
        hall,
        *[(second, c.SetReady, {})] * 6,
        (third, c.Challenge, {"play": 1}),
    )

    assert code_of(await second.answer_to(crowded_out)) is Refusal.TOO_FAST
    assert isinstance(await third.answer_to(called), Accepted)


async def test_a_flood_of_others_once_kept_the_play_of_a_calm_player_out_of_a_full_inbox(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, inbox=4)
    first, second, third = await a_table(hall, nursery, "ana", "bo", "cy")
    await first.lay()
    await second.wait_for(e.Played)

    *_, crowded_out, believed, calm = arrive_together(
        hall,
        *[(second, c.SetReady, {})] * 6,
        (third, c.LetGoOf, {"play": 1}),
        (third, c.Say, {"text": "fine by me"}),
    )

    assert code_of(await second.answer_to(crowded_out)) is Refusal.TOO_FAST
    assert isinstance(await third.answer_to(believed), Accepted)
    assert isinstance(await third.answer_to(calm), Accepted)


async def test_no_more_than_a_few_commands_of_each_fit_into_a_full_inbox(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, inbox=4)
    first, second, _ = await a_table(hall, nursery, "ana", "bo", "cy")

    asked = arrive_together(
        hall, *[(first, c.SetReady, {})] * 4, *[(second, c.SetReady, {})] * (ALWAYS_FIT + 1)
    )
    answers = [code_of(await second.answer_to(number)) for number in asked[4:]]

    assert answers == [None] * ALWAYS_FIT + [Refusal.TOO_FAST]


async def test_whoever_knocked_and_left_was_once_held_on_to_for_the_time_of_a_hello(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    for _ in range(50):
        knocker = a_call(hall, nursery)
        await knocker.stream.aclose()
        await knocker.closed.wait()

    assert len(hall.alarm_clock._entries) <= 2


async def test_of_strangers_who_came_in_one_burst_the_same_one_was_once_dropped_for_all(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, unauthenticated=3)
    crowd = [a_call(hall, nursery, address="192.0.2.66") for _ in range(3)]
    await wait_all_tasks_blocked()

    with socket.socket() as sock:
        listener = Listener(sock, hall, hall.settings)
        for caller in crowd:  # each comes before the one that was dropped has gone
            listener._strangers[caller.session] = None
            listener._sessions[caller.session] = None
        for late in (a_call(hall, nursery, address="192.0.2.66") for _ in range(2)):
            listener._keep_strangers_few()
            listener._strangers[late.session] = None
            listener._sessions[late.session] = None
    await crowd[0].closed.wait()
    await crowd[1].closed.wait()

    assert not crowd[2].closed.is_set()


async def test_a_crowd_of_strangers_from_one_address_once_pushed_out_those_from_others(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery, unauthenticated=4)
    honest = a_call(hall, nursery, address="192.0.2.1")
    crowd = [a_call(hall, nursery, address="192.0.2.66") for _ in range(3)]
    await wait_all_tasks_blocked()

    with socket.socket() as sock:
        listener = Listener(sock, hall, hall.settings)
        listener._strangers = dict.fromkeys(caller.session for caller in (honest, *crowd))
        listener._sessions = dict(listener._strangers)
        listener._keep_strangers_few()
    await crowd[0].closed.wait()
    await honest.say(a_hello("honest"))
    welcome = await honest.wait_for(Welcome)

    assert welcome.name == "honest"
    assert not any(caller.closed.is_set() for caller in crowd[1:])


# --- what one person's doings send to others --------------------------------------------------------


async def test_ready_and_not_ready_was_once_told_to_the_whole_hall(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana")
    eve = Guest(hall, nursery, "eve")
    await eve.connect()
    await trio.sleep(1)
    listed = len(eve.all_heard(e.Listed))

    for number in range(6):
        await host.ask(c.SetReady, ready=number % 2 == 0)
        await trio.sleep(1)

    assert len(eve.all_heard(e.Listed)) == listed


class Pipe:
    """A line of which only is known what was posted, and when it was sent."""

    def __init__(self) -> None:
        self.written: list[int] = []  # frames in each
        self.posted = 0

    def post(self, _frame: bytes) -> None:
        self.posted += 1

    def flush(self) -> None:
        if self.posted:
            self.written.append(self.posted)
        self.posted = 0


async def test_each_of_many_changed_lobbies_was_once_written_on_its_own_to_all_in_the_hall(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    makers = [(await a_party(hall, nursery, name))[0] for name in ("ana", "ben", "cleo")]
    eve = Guest(hall, nursery, "eve")
    await eve.connect()
    await trio.sleep(1)
    person, pipe = person_of(hall, eve), Pipe()
    person.line = pipe  # type: ignore[assignment]

    for maker in makers:
        await maker.ask(c.SetSettings, settings=e.LobbySettings(size=5))
    await trio.sleep(1)

    assert pipe.written[:2] == [1, 2]  # the first at once, the others together


async def test_each_line_said_in_the_hall_was_once_written_on_its_own_to_everybody_there(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    speakers = [Guest(hall, nursery, name) for name in ("ana", "ben", "cleo")]
    eve = Guest(hall, nursery, "eve")
    for guest in (*speakers, eve):
        await guest.connect()
    await trio.sleep(3)
    person_of(hall, eve).line = pipe = Pipe()  # type: ignore[assignment]

    for speaker in speakers:
        await speaker.ask(c.Say, text="hello")
    await trio.sleep(1)

    assert pipe.written == [1, 2]  # the first at once, the others together


async def test_a_busy_lobby_is_told_to_the_hall_now_and_then_and_as_it_is(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    (host,) = await a_party(hall, nursery, "ana")
    eve = Guest(hall, nursery, "eve")
    await eve.connect()
    await trio.sleep(1)
    listed = len(eve.all_heard(e.Listed))

    for size in (2, 3, 4, 5, 6, 7, 8):
        await host.ask(c.SetSettings, settings=e.LobbySettings(size=size))
    await trio.sleep(2)

    news = eve.all_heard(e.Listed)[listed:]
    assert len(news) <= 2
    assert news[-1].lobby.size == 8


def test_a_hall_full_of_the_longest_listings_fits_into_one_message() -> None:
    listing = e.Listing(
        code="FOX-99999",
        host="h" * MAX_NAME,
        stage=e.LobbyStage.BETWEEN_DEALS,
        rules=parse_rules(LONGEST_RULES),
        size=9,
        seated=("s" * MAX_NAME,) * MAX_SEATS,
        watching=200,
        watchers=False,
        password=True,
        plays=PlayNumber(2000),
    )

    packed = encode_event(e.HallChanged(online=5000, lobbies=(listing,) * MOST_LISTED))

    assert frame_event(EventNumber(0), packed)


async def test_a_person_who_only_replaces_a_connection_is_not_announced_as_back(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    host, guest = await a_party(hall, nursery, "ana", "bo")

    await guest.connect(resume=True)
    await wait_all_tasks_blocked()

    assert all(news.news is not e.News.BACK for news in host.all_heard(e.LobbyNews))


async def test_returning_to_ones_own_seat_once_sent_the_whole_deal_again(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    first, *_ = await a_table(hall, nursery, "ana", "bo", "cy")

    answer = await first.ask(c.ReturnToSeat)

    assert isinstance(answer, Accepted)
    assert not first.all_heard(TableSnapshot)


async def test_whoever_came_back_in_a_loop_was_kept_a_snapshot_of_the_deal_for_each_time(
    nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    hall = a_hall(nursery)
    _, guest, *_ = await a_table(hall, nursery, "ana", "bo", "cy")
    [person] = [each for each in hall.people if each.name == guest.name]
    kept = []
    for _ in range(10):
        await guest.vanish()
        await guest.connect(resume=True, last_event=0)
        await guest.wait_for(TableSnapshot)
        kept.append(len(person.mailbox))

    assert len(guest.all_heard(TableSnapshot)) == 10
    assert kept[-1] == kept[0]


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        pytest.param("127.0.0.1", "127.0.0.1", id="this machine"),
        pytest.param("::1", "::1", id="this machine in IPv6"),
        pytest.param("192.0.2.7", "192.0.2.7", id="IPv4"),
        pytest.param("::ffff:192.0.2.7", "192.0.2.7", id="IPv4 inside IPv6"),
        pytest.param("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", id="one house in IPv6"),
        pytest.param("fe80::1%eth0", "fe80::/64", id="with a zone"),
    ],
)
def test_a_house_with_many_addresses_counts_as_one(address: str, counts_as: str) -> None:
    assert household(address) == counts_as
