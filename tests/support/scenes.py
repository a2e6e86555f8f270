"""One of everything the screen can show: named states and desks, for tests that look at all."""

from msgspec.structs import replace

from client.lessons.due import Lesson
from client.lessons.tutorial import Tutorial, follow
from client.screens.deeds import Act, Deed
from client.screens.desk import Desk, Field, Overlay, Question, Typing
from client.screens.editor import Editor
from client.settings import Settings
from client.start.first_run import FirstRun, Step
from client.state import ClientState, Connecting, Hinted, LinkLost, LinkRefused, Picked
from client.way_in.address import Recent
from protocol import events as e
from protocol.cards import Rank, read_faces
from protocol.numbers import CardId, PlayNumber, Seat
from protocol.rules import PRESETS, ChallengeUntil, RankOrder, Reveal, TableRules
from tests.support.screen_states import (
    HAND,
    NAMES,
    YOU,
    a_hand,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
    ruled,
    stands,
)

Scene = tuple[ClientState, Desk]
LONG_NAMES = tuple(f"sixteen-chars_{number:02}" for number in range(10))
REMOVING = Deed(act=Act.REMOVE, about=LONG_NAMES[5])
PLENTY = " ".join(f"{rank}{suit}" for rank in ("A", "10", "K", "2") for suit in "SHDC" * 3)
EVERYTHING = TableRules(
    decks=4,
    jokers=2,
    rank_order=RankOrder.FREE,
    max_cards="none",
    sneak=2,
    passing=True,
    challenge_until=ChallengeUntil.PICK_UP,
    reveal=Reveal.WHOLE_PILE,
    play_on=True,
    photo_finish_ms=100,
    stop_after_plays=200,
    match_wins=3,
)


def the_window(rules: TableRules | None = None) -> ClientState:
    """Maya laid two aces, they stood; dee has just said a king with the last card."""
    table = dealt(turn=3, rules=rules or TableRules())
    play = played(1, 3, 2, Rank.ACE, turn=4, left=10)
    last = played(2, 4, 1, Rank.KING, turn=5, left=0, last=True)
    laid = e.Laid(play=PlayNumber(1), cards=table.table.hand[:2] if table.table else ())
    return folded((laid, play, stands(1), last), table)


def the_reveal() -> ClientState:
    """Maya doubted dee first, bo 83 ms later, hal too late."""
    call = e.Call(seat=Seat(5), after_us=806_000, rtt_us=9_000)
    return folded((ruled(), e.LateCall(play=PlayNumber(2), call=call)), the_window())


def a_crowded_reveal() -> ClientState:
    """Ten people with long names, all of whom doubted, and a whole pile turned up."""
    table = dealt(names=LONG_NAMES, rules=EVERYTHING, hand=PLENTY + " JK JK", turn=4)
    shown = tuple(
        e.ShownPlay(
            play=PlayNumber(number),
            seat=Seat(number % 10),
            count=9,
            rank=Rank.TEN,
            faces=read_faces("10S " * 9 + "2C"),
        )
        for number in range(1, 13)
    )
    calls = tuple(e.Call(seat=Seat(n), after_us=n * 40_000, rtt_us=250_000) for n in range(9))
    opened = played(12, 9, 9, Rank.TEN, turn=0)
    ruling = ruled(
        shown=shown[-1], calls=calls, pile=shown, dead_heat=e.DeadHeat.PHOTO_FINISH, unstamped=True
    )
    return folded((opened, ruling), table)


def the_result(*, confess: bool = True, match: bool = False) -> ClientState:
    """Dee's king was a lie; then hal, with one honest card, was out."""
    rules = TableRules(confess=confess, match_wins=3 if match else 1)
    state = folded(
        (ruled(), played(3, 5, 1, Rank.ACE, turn=0, left=0, last=True)), the_window(rules)
    )
    out = e.WentOut(seat=Seat(5), place=1, turn=Seat(0))
    over = e.DealOver(
        reason=e.StopReason.OUT, places=(2, 2, 2, 5, 6, 1), cards=(9, 9, 9, 10, 20, 0)
    )
    faces = tuple(map(read_faces, ("AS 3H", "7C", "AC")))
    confession = e.Confession(play=PlayNumber(1), faces=faces)
    told = (stands(3), out, over, *((confession,) if confess else ()))
    seats = [e.LobbySeat(name=name, wins=int(name == "hal")) for name in NAMES]
    stage = e.LobbyStage.BETWEEN_DEALS
    lobby = lobby_state(rules=rules, stage=stage, seats=seats)
    return folded((*told, e.LobbyChanged(lobby=lobby)), state)


def a_result_of_ten() -> ClientState:
    """Ten people with long names; a vote ended the deal."""
    over = e.DealOver(
        reason=e.StopReason.VOTE,
        places=(1, 1, 3, 4, 5, 6, 7, 8, 9, 10),
        cards=(1, 1, *range(2, 10)),
    )
    return folded((over,), a_crowded_reveal())


def a_shown(play: int, seat: int, count: int, rank: Rank, faces: str) -> e.ShownPlay:
    """A play with its cards up."""
    return e.ShownPlay(
        play=PlayNumber(play), seat=Seat(seat), count=count, rank=rank, faces=read_faces(faces)
    )


def a_full_hall() -> ClientState:
    """More lobbies than fit, with every kind of note."""
    lobbies = tuple(
        e.Listing(
            code=f"FOX-{number:02}",
            host=LONG_NAMES[number % 10],
            stage=tuple(e.LobbyStage)[number % 4],
            rules=tuple(PRESETS.values())[number % len(PRESETS)],
            size=10,
            seated=LONG_NAMES[: number % 10],
            watching=number,
            password=bool(number % 2),
            plays=PlayNumber(number),
        )
        for number in range(30)
    )
    return folded((e.HallChanged(online=222, lobbies=lobbies),), online())


def a_full_lobby(host: str = "maya") -> ClientState:
    """Ten seats of all kinds, watchers, somebody asking, and a long chat."""
    seats = [
        e.LobbySeat(name=LONG_NAMES[0], kind=e.SeatKind.COMPUTER, temperament="certain"),
        e.LobbySeat(name=LONG_NAMES[1], ready=True, wins=2),
        e.LobbySeat(name=LONG_NAMES[2], connected=False),
        e.LobbySeat(name="maya"),
        *(e.LobbySeat(name=name) for name in LONG_NAMES[4:]),
    ]
    lobby = lobby_state(
        rules=EVERYTHING, host=host, seats=seats, watching=LONG_NAMES, asking=LONG_NAMES[:2]
    )
    chat = tuple(e.Said(name="bo", text="\u7ea2\u5fc3 " * 40) for _ in range(8))
    return folded(chat, in_lobby(lobby))


def scenes() -> dict[str, Scene]:
    """Everything by name."""
    return {
        **_before(),
        **_learning(),
        **_lobbies(),
        **_my_turns(),
        **_windows(),
        **_tables(),
        **_pages(),
    }


def _before() -> dict[str, Scene]:
    start = ClientState(name="maya")
    names = Editor(limit=16).of("maya")
    recents = tuple(Recent(address=f"host-{n}.example.net:5252", note="as maya") for n in range(9))
    desk = Desk(name=names, recents=recents, can_practise=True)
    refused = folded((Connecting(address="pi:5252"), LinkRefused(text="No " * 60)), start)
    return {
        "connect": (start, desk),
        "connect, nothing to choose": (start, Desk()),
        "connecting": (folded((Connecting(address="pi.example.net:5252"),), start), desk),
        "connect, refused": (refused, replace(desk, focus=Field.ADDRESS, address=names)),
        "empty hall": (online(), Desk()),
        "full hall": (a_full_hall(), Desk(row=29)),
        "hall, creating": (online(), Desk(typing=Typing.CREATE, line=Editor().of("classic"))),
        "hall, password": (a_full_hall(), Desk(typing=Typing.PASSWORD, line=Editor().of("abc"))),
    }


def _learning() -> dict[str, Scene]:
    start = ClientState(name="maya")
    names = Editor(limit=16).of("maya")
    taught = {
        f"lesson: {lesson}": (state, Desk(tutorial=taught_by(state, seen)))
        for lesson, (state, seen) in lesson_scenes().items()
    }
    asked = {
        f"first start: {step}": (start, Desk(first=FirstRun(step=step), name=names))
        for step in Step
    }
    return {**asked, **taught}


def taught_by(state: ClientState, seen: frozenset[Lesson]) -> Tutorial:
    """The tutorial with the lesson open that is due in this state."""
    tutorial = follow(Tutorial(seen=seen), state)
    return replace(tutorial, opened_at=-9.0)


def lesson_scenes() -> dict[Lesson, tuple[ClientState, frozenset[Lesson]]]:
    """For each lesson a state in which it is the next one, and those given before."""
    computers = [e.LobbySeat(name=n, kind=e.SeatKind.COMPUTER) for n in ("ana", "bo", "cy")]
    gathered = in_lobby(lobby_state(seats=[e.LobbySeat(name="maya"), *computers]))
    begun, basics = {Lesson.HAND}, {Lesson.HAND, Lesson.WINDOW, Lesson.TURN}
    said = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))
    three = folded((played(1, 2, 3, Rank.ACE, turn=4),), dealt(turn=2, hand="AS AH 3C"))
    laid = e.Laid(play=PlayNumber(1), cards=a_hand()[:1])
    mine = folded((laid, played(1, 3, 1, Rank.ACE, turn=4)), dealt(turn=3))
    every = set(Lesson) - {Lesson.RESULT}
    given: dict[Lesson, tuple[ClientState, set[Lesson]]] = {
        Lesson.WELCOME: (gathered, set()),
        Lesson.HAND: (dealt(), set()),
        Lesson.REVEAL: (the_reveal(), begun),
        Lesson.PICK_UP: (the_reveal(), {*begun, Lesson.REVEAL}),
        Lesson.CALL_ORDER: (the_reveal(), {*begun, Lesson.REVEAL, Lesson.PICK_UP}),
        Lesson.LAST_CARDS: (the_window(), begun),
        Lesson.WINDOW: (said, begun),
        Lesson.SURE_LIE: (three, basics),
        Lesson.READY: (said, basics),
        Lesson.TURN: (dealt(turn=3), begun),
        Lesson.BLUFF: (dealt(turn=3, hand="3H 10D KS"), basics),
        Lesson.OWN_PLAY: (mine, begun),
        Lesson.MISSED: (the_result(), begun),
        Lesson.RESULT: (the_result(), every),
    }
    return {lesson: (state, frozenset(seen)) for lesson, (state, seen) in given.items()}


def _lobbies() -> dict[str, Scene]:
    return {
        "lobby": (in_lobby(), Desk()),
        "full lobby": (a_full_lobby(), Desk(row=23)),
        "full lobby, on the seats": (a_full_lobby(), Desk(on_seats=True, seat_row=9)),
        "lobby of somebody else": (a_full_lobby(LONG_NAMES[1]), Desk(row=10)),
        "lobby, chatting": (in_lobby(), Desk(typing=Typing.SAY, line=Editor().of("hi " * 60))),
        "lobby, leaving": (in_lobby(), Desk(asking=Question.LEAVE_LOBBY)),
    }


def _my_turns() -> dict[str, Scene]:
    mine = dealt(turn=3)
    clock = e.TurnClock(seat=YOU, left_us=31_000_000)
    bluff = folded((Picked(cards=(CardId(0), CardId(3))),), mine)
    sneaky = dealt(turn=3, rules=EVERYTHING, hand=PLENTY + " JK JK")
    sneaking = folded((Picked(cards=tuple(CardId(n) for n in range(5))),), sneaky)
    ready = e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.ACE))
    hold = folded((played(1, 2, 2, Rank.KING, turn=3), ready), dealt(turn=2))
    return {
        "my turn": (folded((clock,), mine), Desk(column=0)),
        "a bluff picked": (bluff, Desk()),
        "five cards of a big hand": (sneaking, Desk(column=13, settings=Settings(order="size"))),
        "naming a rank": (sneaking, Desk(typing=Typing.RANK)),
        "laid ready": (hold, Desk()),
        "a hint": (folded((Hinted(text="You hold no seven."),), mine), Desk()),
        "giving up": (mine, Desk(asking=Question.GIVE_UP)),
        "a long hand of jokers": (dealt(hand="JK " * 54 + HAND, rules=EVERYTHING), Desk()),
    }


def _windows() -> dict[str, Scene]:
    doubt = folded((ruled(lie=False),), the_window())
    lost = folded((LinkLost(reason="it broke", attempt=1, retry_s=5.0),), the_window())
    return {
        "the window": (the_window(), Desk()),
        "the window, chatting": (the_window(), Desk(typing=Typing.SAY)),
        "the reveal": (the_reveal(), Desk()),
        "the truth": (doubt, Desk()),
        "a crowded reveal": (a_crowded_reveal(), Desk()),
        "the line lost": (lost, Desk()),
    }


def _tables() -> dict[str, Scene]:
    vote = e.VoteState(
        vote=1, on=e.VoteOn.END_DEAL, by="ana", yes=1, no=0, needed=4, left_us=60_000_000
    )
    paused = e.Paused(reason=e.PauseReason.ASKED, left_us=900_000_000)
    return {
        "ten seats": (dealt(names=LONG_NAMES), Desk()),
        "two seats": (dealt(names=("ana", "maya"), you=1), Desk()),
        "watching": (dealt(you=None), Desk()),
        "an empty hand": (dealt(hand=""), Desk()),
        "paused": (folded((paused,), dealt(turn=3)), Desk()),
        "a vote": (folded((vote,), dealt(turn=3)), Desk()),
    }


def _pages() -> dict[str, Scene]:
    open_piles = the_window(TableRules(challenge_until=ChallengeUntil.PICK_UP))
    return {
        "the result": (the_result(), Desk()),
        "the result of a match": (the_result(match=True), Desk()),
        "the result, nothing confessed": (the_result(confess=False), Desk()),
        "the result of ten": (a_result_of_ten(), Desk()),
        "the confession": (the_result(), Desk(overlay=Overlay.CONFESSION, step=2)),
        "the evening": (the_result(match=True), Desk(overlay=Overlay.EVENING)),
        "the help": (dealt(rules=EVERYTHING), Desk(overlay=Overlay.HELP, page=1)),
        "the log": (the_reveal(), Desk(overlay=Overlay.LOG)),
        "the log of a crowd": (a_crowded_reveal(), Desk(overlay=Overlay.LOG, scrolled=3)),
        "the names": (dealt(names=LONG_NAMES), Desk(overlay=Overlay.NAMES)),
        "an older play": (open_piles, Desk(overlay=Overlay.OLDER)),
        "the menu of a player": (dealt(), Desk(overlay=Overlay.MENU)),
        "the menu of a watcher": (dealt(you=None), Desk(overlay=Overlay.MENU)),
        "the menu of a host": (a_full_lobby(), Desk(overlay=Overlay.MENU, menu_at=REMOVING)),
        "settings": (online(), Desk(overlay=Overlay.SETTINGS, settings_row=1)),
        "settings, typing a name": (
            online(),
            Desk(overlay=Overlay.SETTINGS, typing=Typing.NAME, line=Editor().of("maya")),
        ),
        "computer players": (in_lobby(), Desk(overlay=Overlay.MENU, menu_about=Act.COMPUTERS)),
        "a menu about somebody": (
            a_full_lobby(),
            Desk(overlay=Overlay.MENU, menu_about=LONG_NAMES[1]),
        ),
    }
