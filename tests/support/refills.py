"""Scenes in which a limit is reached and refills, for `tests.support.times`."""

import contextlib

import trio

from protocol import commands as c
from protocol import events as e
from protocol.answers import Accepted, Goodbye, Refused, Welcome
from protocol.errors import LocalProtocolError
from protocol.refusals import Refusal
from tests.support.callers import a_hello
from tests.support.guests import code_of
from tests.support.times import Stage

KNOCK = "knock"


async def commands(stage: Stage) -> None:
    began = trio.current_time()
    (guest,) = await stage.party("ma")

    async def ask() -> bool:
        return isinstance(await guest.ask(c.SetRules, rules="classic"), Accepted)

    await stage.refills("commands_per_s", ask, began)


async def chat(stage: Stage) -> None:
    (guest,) = await stage.party("ha")

    async def ask() -> bool:
        return isinstance(await guest.ask(c.Say, text="hm"), Accepted)

    await stage.refills("chat_per_s", ask)


async def talk_in_the_hall(stage: Stage) -> None:
    guest = await stage.guest("ia")

    async def ask() -> bool:
        return isinstance(await guest.ask(c.Say, text="hm"), Accepted)

    await stage.refills("hall_chat_per_s", ask)


async def wrong_codes(stage: Stage) -> None:
    guest = await stage.guest("ga")

    async def ask() -> bool:
        return code_of(await guest.ask(c.JoinLobby, code="FOX-0")) is Refusal.NO_SUCH_LOBBY

    await stage.refills("wrong_codes_per_min", ask)


async def entries(stage: Stage) -> None:
    (host,) = await stage.party("na")
    guest = await stage.guest("nb")
    assert host.lobby is not None
    code = host.lobby.code

    async def ask() -> bool:
        entered = isinstance(await guest.ask(c.JoinLobby, code=code), Accepted)
        if entered:
            await guest.ask(c.LeaveLobby)
        return entered

    await stage.refills("entries_per_min", ask)


async def passwords(stage: Stage, policy: str = "passwords_per_min") -> None:
    guest = await stage.guest("oa")

    async def ask() -> bool:
        entered = isinstance(await guest.ask(c.CreateLobby, password=KNOCK), Accepted)
        if entered:
            await guest.ask(c.LeaveLobby)
        return entered

    await stage.refills(policy, ask)


async def passwords_of_one_person(stage: Stage) -> None:
    await passwords(stage, "own_passwords_per_min")


async def passwords_from_here(stage: Stage) -> None:
    await passwords(stage, "local_passwords_per_min")


async def coming_back(stage: Stage) -> None:
    guest = await stage.guest("ba")

    async def ask() -> bool:
        return isinstance(await guest.connect(resume=True), Welcome)

    await stage.refills("reconnects_per_min", ask)


async def refusals(stage: Stage) -> None:
    guest = await stage.guest("da")

    async def ask() -> bool:
        """Whether the line outlives one more refusal."""
        await guest.connect(resume=True)
        await guest.send(c.SetReady)
        with contextlib.suppress(trio.BrokenResourceError, LocalProtocolError):
            await guest.send(c.Say, text="still here")
        answer = await guest.wait_for(e.Event, lambda event: is_said(event) or is_too_fast(event))
        return is_said(answer)

    def is_said(event: e.Event) -> bool:
        return isinstance(event, Accepted)

    def is_too_fast(event: e.Event) -> bool:
        return isinstance(event, Goodbye) and event.code is Refusal.TOO_FAST

    await stage.refills("refusals_per_s", ask)


async def newcomers(stage: Stage, policy: str = "new_local_people_per_min") -> None:
    number = iter(range(1000))

    async def ask() -> bool:
        guest = stage.new_guest(f"new{next(number)}")
        return isinstance(await guest.connect(), Welcome)

    await stage.refills(policy, ask)


async def newcomers_from_afar(stage: Stage) -> None:
    await newcomers(stage, "new_people_per_min")


async def newcomers_from_everywhere(stage: Stage) -> None:
    await newcomers(stage, "new_far_people_per_min")


async def wrong_secrets(stage: Stage) -> None:
    async def ask() -> bool:
        async with stage.call() as line:
            await line.say(a_hello("ana", secret=bytes(32)))
            refused = await line.wait_for(Refused)
        return refused.code is Refusal.BAD_SECRET

    await stage.refills("wrong_secrets_per_min", ask)


async def connects(stage: Stage) -> None:
    number = iter(range(1000))

    async def ask() -> bool:
        async with stage.call() as line:
            with contextlib.suppress(trio.BrokenResourceError):
                await line.say(a_hello(f"p{next(number)}"))
                heard = await line.stream.receive_some()
                return bool(heard)
        return False

    await stage.refills("connects_per_s", ask)
