"""The words for the way to a server and away from it: servers, connect, practise, learn, disconnect. Pure."""

from collections.abc import Iterator, Sequence

from client.plain.lobby_reports import INVITE
from client.plain.word import Go, Outcome, Reply, Topic, TypedLine, Way, Word
from client.state import ClientState, Hinted
from client.way_in.address import Address, BadAddress, Recent, read_address
from client.way_in.invites import FOR_FRIENDS, invites
from protocol.text import clean

CONNECTED = "You are connected already: disconnect leaves this server."
NOT_CONNECTED = "Type connect HOST, connect HOST:PORT or connect HOST/FOX-42. quit ends."
NO_SUCH_NUMBER = "No server has that number: servers lists them."
OTHER_NAME = "NEXT: settings name and another one, then connect once more."
NAME_BY_COMMAND = "NEXT: the same command once more, with --name and another one."
NO_PRACTICE = "Practice is not available here: start facedown without a server for it."


def server_lines(recents: Sequence[Recent]) -> Iterator[str]:
    """The servers of before; their numbers can be typed."""
    for number, recent in enumerate(recents, start=1):
        yield f"SERVER: {number} {clean(recent.address, 60)}, {clean(recent.note, 60)}."


def start_lines(recents: Sequence[Recent]) -> Iterator[str]:
    """What somebody hears who has named no server."""
    yield f"NOTE: not connected. {NOT_CONNECTED}"
    yield from server_lines(recents)
    again = "connect 1 goes to the newest server again, " if recents else ""
    yield f"NEXT: {again}practise plays against the computer here, learn explains the game first."


def invite_lines(state: ClientState) -> Iterator[str]:
    """How others come to this lobby."""
    if state.lobby is None:
        yield f"{INVITE} you are not in a lobby. create opens one."
    yield from (f"{INVITE} {invite.said}" for invite in invites(state))


def _invite(typed: TypedLine) -> Outcome:
    if typed.here.passing:
        return Hinted(text=FOR_FRIENDS)
    return Reply(lines=tuple(invite_lines(typed.state)))


def _servers(typed: TypedLine) -> Outcome:
    lines = tuple(server_lines(typed.here.recents)) or ("SERVER: none yet.",)
    return Reply(lines=lines)


def _connect(typed: TypedLine) -> Outcome:
    if typed.here.connected:
        return Hinted(text=CONNECTED)
    try:
        return Go(way=Way.CONNECT, address=_address(typed))
    except BadAddress as error:
        return Hinted(text=str(error))


def _address(typed: TypedLine) -> Address:
    """The one that was typed, or that of a number in the list.

    Raises:
        BadAddress: it is none of these.
    """
    text = typed.rest
    if not (text.isascii() and text.isdigit()):
        return read_address(text)
    number = int(text[:9])  # no more of a text that has no end
    if 0 < number <= len(typed.here.recents):
        return read_address(typed.here.recents[number - 1].address)
    raise BadAddress(NO_SUCH_NUMBER)


def _practise(typed: TypedLine, way: Way) -> Outcome:
    if typed.here.connected:
        return Hinted(text=CONNECTED)
    return Go(way=way) if typed.here.can_practise else Hinted(text=NO_PRACTICE)


def _disconnect(typed: TypedLine) -> Outcome:
    return (
        Go(way=Way.AWAY) if typed.here.connected else Hinted(text=f"Not connected. {NOT_CONNECTED}")
    )


WORDS = (
    Word(
        name="servers",
        about="the servers I have been to",
        topic=Topic.WAY,
        act=_servers,
    ),
    Word(
        name="connect",
        usage="HOST[:PORT][/CODE] or a number of servers",
        about="go to a server",
        topic=Topic.WAY,
        act=_connect,
    ),
    Word(
        name="practise",
        about="play against computer players, on a server of one's own",
        topic=Topic.WAY,
        act=lambda typed: _practise(typed, Way.PRACTISE),
    ),
    Word(
        name="learn",
        about="the same, with the game explained as it goes",
        topic=Topic.WAY,
        act=lambda typed: _practise(typed, Way.LEARN),
    ),
    Word(
        name="disconnect",
        about="leave this server; a seat is kept",
        topic=Topic.WAY,
        act=_disconnect,
    ),
    Word(
        name="invite",
        about="what friends type to come here",
        topic=Topic.WAY,
        act=_invite,
    ),
)
