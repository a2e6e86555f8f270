"""Every setting of the server: its default and what it means. Where they are given: `sources`."""

from dataclasses import dataclass, field
from functools import cache
from typing import Any

import platformdirs

APP = "facedown"
DEFAULT_PORT = 5252
MOST_UNITS = 1_000_000  # so many seconds, minutes or hours; messages cannot hold much more
MOST_THINGS = 1_000_000_000  # no setting counts more of anything

Value = Any  # of a setting, or a field of a dataclass that stands for it


def _setting(
    default: Value,
    help_text: str,
    group: str = "limits",
    *,
    least: float = 0,
    most: float | None = None,
    what: str = "",
    only_flag: bool = False,
) -> Value:
    if most is None:
        most = MOST_UNITS if isinstance(default, float) else MOST_THINGS
    return field(
        default=default,
        metadata={
            "help": help_text,
            "group": group,
            "least": least,
            "most": most,
            "what": what,  # what kind of value it takes, as the help says
            "only_flag": only_flag,  # whether it is given for one run only: no variable, no key of the file
        },
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How one server runs. Times are in seconds unless the name says otherwise."""

    host: str = _setting("127.0.0.1", "address to listen on", "where", what="ADDRESS")
    port: int = _setting(DEFAULT_PORT, "port to listen on; 0 takes a free one", "where", most=65535)
    lan: bool = _setting(
        False,  # noqa: FBT003 - the default
        "listen on all IPv4 addresses, for friends on this network; of IPv6 as well: --host ::",
        "where",
    )
    title: str = _setting("Facedown", "name of this server, shown to players", "where", what="TEXT")
    data: str = _setting(
        platformdirs.user_data_dir("facedown-server", appauthor=False),
        "folder for what the server keeps",
        "where",
        what="FOLDER",
    )
    guest_key: str = _setting(
        "",
        "key file for guests who share an account over SSH (server/README.md)",
        "where",
        what="FILE",
    )
    in_memory: bool = _setting(
        False,  # noqa: FBT003 - the default
        "write nothing to disk: tables end with the server",
        "where",
    )
    check: str = _setting(
        "",
        "check everything in this data folder, list it, and stop",
        "where",
        what="FOLDER",
        only_flag=True,
    )
    log: str = _setting(
        "",
        "write the log into this file, 2 MiB of it at most, and not to standard error",
        "where",
        what="FILE",
    )
    until_eof: bool = _setting(
        False,  # noqa: FBT003 - the default
        "stop when standard input ends, as when the program that started this is gone",
        "where",
    )
    ready_json: bool = _setting(
        False,  # noqa: FBT003 - the default
        "say in JSON that it is ready, for the program that started this",
        "where",
    )

    hello_s: float = _setting(5.0, "time for a new connection to say hello", least=0.1)
    ping_s: float = _setting(5.0, "time between two pings, half of --silence-s at most", least=0.1)
    silence_s: float = _setting(
        15.0, "after this long without a word a connection counts as lost", least=1
    )
    send_queue: int = _setting(
        128 * 1024,
        "bytes that may wait for a client that does not read; then it is disconnected",
        least=1024,
    )
    commands_per_s: float = _setting(
        10.0, "commands of one person per second, in the long run", least=0.1
    )
    commands_burst: int = _setting(20, "commands of one person at once", least=1)
    chat_per_s: float = _setting(1.0, "lines of chat of one person per second, in the long run")
    chat_burst: int = _setting(5, "lines of chat of one person at once")
    hall_chat_per_s: float = _setting(
        10.0,
        "lines of chat in the hall per second, of all people together; twice that at once",
        least=0.1,
    )
    refusals_per_s: float = _setting(
        5.0,
        "refusals of one person per second, in the long run; then they are disconnected",
        least=0.1,
    )
    refusals_burst: int = _setting(200, "refusals of one person at once", least=1)
    reconnects_per_min: int = _setting(30, "times one person may come back, per minute", least=1)
    unauthenticated: int = _setting(64, "connections that have not said hello, in all", least=1)
    per_address: int = _setting(
        32, "people per address; loopback, where SSH comes from, has no limit"
    )
    new_people_per_min: int = _setting(10, "new people per minute and address off this machine")
    new_local_people_per_min: int = _setting(
        300, "new people per minute from this machine itself, where all SSH players come from"
    )
    new_far_people_per_min: int = _setting(
        300, "new people per minute from all other machines together"
    )
    connections: int = _setting(
        5_000, "people at once, including those who are away and whose seat is kept", least=1
    )
    people: int = _setting(
        50_000, "people the server remembers; nor can more be here at once", least=1
    )
    passers_by: int = _setting(
        10_000, "of these, people who were never dealt cards; they are forgotten first", least=1
    )
    remember_days: float = _setting(30.0, "how long somebody who stays away is remembered")
    lobbies_per_person: int = _setting(2, "open lobbies made by one person")
    lobbies_per_address: int = _setting(
        4, "open lobbies made from one address; loopback has no limit"
    )
    lobbies: int = _setting(
        500,
        "open lobbies in all; one more takes the place of one where nobody has been for a minute, "
        "or for --stand-in-s if that is longer",
    )
    wrong_secrets_per_min: int = _setting(
        10, "unknown secrets per minute and address; loopback has no limit", least=1
    )
    entries_per_min: int = _setting(
        30, "lobbies that one person may open or enter per minute, a third of it at once", least=3
    )
    own_passwords_per_min: int = _setting(
        10, "passwords of one person that are checked per minute", least=1
    )
    passwords_per_min: int = _setting(
        60, "passwords checked per minute and address off this machine", least=1
    )
    local_passwords_per_min: int = _setting(
        300,
        "passwords checked per minute from this machine itself, where all SSH players come from",
        least=1,
    )
    connects_per_s: int = _setting(
        20, "connections per second and address off this machine; ten times that at once", least=1
    )
    wrong_codes_per_min: int = _setting(
        5, "wrong codes or passwords per minute of one person, and of one address off this machine"
    )
    inbox: int = _setting(
        512,
        "commands waiting at one lobby, besides a few that each person may always have there",
        least=1,
    )
    replay: int = _setting(96, "events kept for somebody who comes back")
    watchers: int = _setting(50, "watchers of one lobby", most=200)

    settle_ms: float = _setting(0.0, "wait this long for even earlier challenges", "play")
    stand_in_s: float = _setting(20.0, "time away after which a computer player stands in", "play")
    vote_s: float = _setting(60.0, "time to vote", "play")
    pause_min: float = _setting(15.0, "longest pause", "play")
    return_s: float = _setting(
        30.0, "wait for the others once one is back after parking or a restart", "play"
    )
    park_h: float = _setting(24.0, "how long a table without people is kept", "play")
    idle_min: float = _setting(30.0, "how long a lobby without people is kept", "play")

    @property
    def listens_on(self) -> str:
        """The address to listen on, all those of IPv4 for `lan`."""
        return "0.0.0.0" if self.lan else self.host  # noqa: S104 - that is what --lan asks for


GROUPS = {
    "where": "where it runs",
    "play": "at the tables (most rules are set per lobby, by its host)",
    "limits": "limits",
}


class BadSettings(Exception):
    """A setting cannot be used; the message says which, why and what to do."""


def reason_of(fault: Exception) -> str:
    """Why a file cannot be used, in the system's words or a library's, for the middle of a message."""
    said = fault.strerror if isinstance(fault, OSError) else None
    return (said or str(fault)).rstrip(".")


@cache
def version() -> str:
    """The version of this distribution."""
    from importlib.metadata import version as installed_version  # noqa: PLC0415 - slow to import

    return installed_version(APP)
