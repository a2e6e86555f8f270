"""What was hidden, cut off or in the way on a screen, each with a test named after it."""

import pytest
from msgspec.structs import replace

from client.keys.press import with_keys
from client.keys.typing_line import pasted
from client.screens.desk import Desk, Overlay, Screen, Typing
from client.screens.editor import Editor
from client.screens.help_page import help_pages
from client.screens.parts.seats import bar_lengths
from client.settings import Settings
from client.start.first_run import FirstRun
from client.state import ClientState, Hinted, LinkLost
from client.way_in.address import Recent
from protocol import events as e
from protocol.cards import Face, Rank
from protocol.numbers import PlayNumber, Seat
from protocol.rules import ChallengeUntil, Reveal, TableRules
from tests.support.keyboard import after, hint, picking
from tests.support.looking import SMALL, USUAL, a_laid, seen
from tests.support.scenes import (
    LONG_NAMES,
    a_crowded_reveal,
    a_full_hall,
    a_full_lobby,
    the_reveal,
    the_window,
)
from tests.support.screen_states import (
    YOU,
    a_frame,
    dealt,
    folded,
    in_lobby,
    lobby_state,
    online,
    played,
    ruled,
    texts,
)

WIDE = (200, 60)
LOST = LinkLost(reason="it broke", attempt=1, retry_s=4.0)


def test_the_newest_line_of_the_log_lay_under_the_line_about_the_table() -> None:
    ruled = the_reveal()

    page = seen(ruled, Desk(overlay=Overlay.LOG), SMALL)

    assert "dee  1 x K   7\N{BLACK CLUB SUIT}" not in page  # no room for all of it ...
    assert "7\N{BLACK CLUB SUIT} lie" in page  # ... but for its end
    assert page.splitlines()[-2].strip() == "reveal"


def test_the_keys_at_the_end_of_a_help_page_were_hidden() -> None:
    state = dealt()
    frame = with_keys(a_frame(state, SMALL, desk=Desk(overlay=Overlay.HELP)))
    every = help_pages(frame)
    pages = [seen(state, Desk(overlay=Overlay.HELP, page=n), SMALL) for n in range(len(every))]

    for number, lines in enumerate(every):
        for line in texts(lines):
            assert line in pages[number]


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=str)
def test_a_long_explanation_in_the_help_was_cut_off(size: tuple[int, int]) -> None:
    pages = (seen(dealt(), Desk(overlay=Overlay.HELP, page=n), size) for n in range(5))

    text = " ".join(" ".join(pages).split())

    assert "(0: ten, x: joker): one more of it; again and again: 1, 2 .. all, none" in text


def test_paging_on_at_the_end_of_the_help_had_to_be_paged_back() -> None:
    last = len(help_pages(with_keys(a_frame(dealt(), desk=Desk(overlay=Overlay.HELP))))) - 1

    done = after(dealt(), "?", *["space"] * (last + 5), "pageup")

    assert done.desk.page == last - 1


def test_paging_back_at_the_end_of_the_help_did_nothing_in_a_window_that_had_grown() -> None:
    end = after(dealt(), "?", *["space"] * 30, size=SMALL)

    page = seen(dealt(), after(dealt(), "pageup", desk=end.desk, size=WIDE).desk, WIDE)

    assert "page 3 of 4" in page


def test_scrolling_on_at_the_oldest_line_did_nothing_in_a_window_that_had_grown() -> None:
    talk = tuple(e.Said(name="bo", text=f"word {number}") for number in range(60))
    state = folded(talk, in_lobby())
    oldest = after(state, "l", *["pageup"] * 9, size=SMALL)

    grown = [after(state, *keys, desk=oldest.desk, size=USUAL) for keys in (("up",), ("down",))]
    pages = [seen(state, done.desk, USUAL).splitlines() for done in grown]

    assert pages[1][1] == pages[0][2]


def test_an_automatic_play_ended_in_a_tilde_in_the_log() -> None:
    assert "   1 maya 1 x A   auto, ..." in seen(a_laid((0,), auto=True))


def test_not_ready_was_cut_short_beside_a_long_name() -> None:
    rows = [row for row in seen(a_full_lobby()).splitlines() if "sixteen-" in row]

    assert any("~ not ready" in row for row in rows)


def test_the_state_of_a_lobby_was_cut_short_beside_a_long_name() -> None:
    assert "between deals" in seen(a_full_hall())


def test_a_lobby_whose_first_play_is_awaited_was_at_play_0() -> None:
    playing = e.Listing(
        code="FOX-42",
        host="ana",
        stage=e.LobbyStage.PLAYING,
        rules=TableRules(),
        size=6,
        seated=("ana",),
    )

    page = seen(folded((e.HallChanged(online=2, lobbies=(playing,)),), online()))

    assert "playing" in page
    assert "play 0" not in page


def test_a_lost_line_pushed_the_turn_out_of_the_title() -> None:
    clock = e.TurnClock(seat=YOU, left_us=31_000_000)

    title = seen(folded((clock, LOST), dealt(turn=3)), size=SMALL).splitlines()[0]

    assert "your turn: ACES" in title
    assert title.endswith("! OFFLINE")


def test_old_news_stood_where_the_plays_are() -> None:
    state = folded((e.LobbyNews(news=e.News.JOINED, name="bo"),), dealt())

    assert "bo joined" in seen(state, now=10.0)
    assert "bo joined" not in seen(state, now=20.0)
    assert "<bo> hi" in seen(folded((e.Said(name="bo", text="hi"),), state), now=20.0)


def test_a_long_name_pushed_its_number_of_cards_off_a_small_screen() -> None:
    seats = (*LONG_NAMES[:3], "maya", "dee", "hal")
    computers = (e.ChairChanged(seat=Seat(0), name=LONG_NAMES[0], chair=e.Chair.COMPUTER),)

    row = seen(folded(computers, dealt(names=seats)), size=SMALL).splitlines()[1]

    assert row.startswith("> 1  sixteen-char~   9")
    assert "cpu" in row  # short for a computer player: the bars need the room


def test_a_long_name_pushed_the_turn_out_of_a_small_title() -> None:
    title = seen(dealt(names=(*LONG_NAMES[:3], "maya")), size=SMALL).splitlines()[0]

    assert f"{LONG_NAMES[0]}'s turn: ACES" in title


def test_a_long_name_pushed_the_claim_out_of_a_small_reveal() -> None:
    page = seen(a_crowded_reveal(), size=SMALL)

    assert "sixteen-~ 9 x 10: 10♠ +9" in page
    assert "takes 8" in page


def test_many_doubts_pushed_the_one_that_counted_out_of_the_reveal() -> None:
    page = seen(a_crowded_reveal(), size=SMALL)

    assert "won   sixteen-c~  +120 ms" in page
    assert "8 more: l shows all" in page


def test_the_log_broke_off_in_the_middle_of_who_doubted() -> None:
    small = seen(the_reveal(), size=SMALL)

    assert "a lie: dee takes 8  (maya by 83 ms)" in small
    assert "(maya doubted after 1.2 s, by 83 ms)" in seen(the_reveal())


def test_what_one_picked_cut_the_size_of_the_hand_in_two() -> None:
    assert ' HAND 12           picked 2: A 5  ->  you will say "2 ACES"' in seen(
        picking(0, 3), size=SMALL
    )


def test_a_hand_of_fifty_looked_as_big_as_one_of_fifteen() -> None:
    assert bar_lengths((9, 50, 1, 0), 15) == (3, 15, 1, 0)
    assert bar_lengths((9, 12), 15) == (9, 12)


def test_beside_a_computer_player_the_bars_of_a_small_screen_were_one_mark_long() -> None:
    chair = e.ChairChanged(seat=Seat(0), name="ana", chair=e.Chair.COMPUTER)
    state = folded((chair,), dealt())

    small = seen(state, size=SMALL).splitlines()[1]

    assert "ana    9  ■■■■■■■■■     cpu" in small
    assert "computer" in seen(state).splitlines()[1]


def test_the_rank_of_whoever_comes_next_stood_in_a_line_of_its_own() -> None:
    names = ("ana", "casual", "certain", "maya")

    page = seen(dealt(names=names), size=SMALL)

    assert "then  casual (2)\n" in page
    assert "      certain (3)\n" in page


@pytest.mark.parametrize(
    ("lie", "said"),
    [(True, ">> A LIE << dee takes 8"), (False, "TRUE: maya takes 8")],
    ids=["a lie", "the truth"],
)
def test_who_takes_the_pile_was_left_out_where_a_ruling_has_little_room(
    *, lie: bool, said: str
) -> None:
    king = played(2, 4, 1, Rank.KING, turn=5)
    photo = ruled(lie=lie, dead_heat=e.DeadHeat.PHOTO_FINISH)

    assert said in seen(folded((king, photo), dealt()), size=SMALL)


SAYING = Desk(typing=Typing.SAY, line=Editor(limit=10))
NAMING = Desk(first=FirstRun(), screen=Screen.FIRST, name=Editor(limit=10))


@pytest.mark.parametrize(
    ("state", "desk"),
    [(dealt(), SAYING), (ClientState(), NAMING)],
    ids=["the text line", "a field"],
)
def test_pasted_text_that_was_too_long_was_cut_off_without_a_word(
    state: ClientState, desk: Desk
) -> None:
    short, long = (
        pasted(a_frame(state, desk=desk), text) for text in ("0123456789", "01234567890")
    )

    assert short.told == ()
    assert hint(long) == "No more than 10 letters fit here."
    assert "0123456789" in {long.desk.line.text, long.desk.name.text}


def test_a_letter_for_which_a_line_had_no_room_was_passed_over_in_silence() -> None:
    full = replace(SAYING, line=SAYING.line.of("aaaaaaaaaa"))

    assert hint(after(dealt(), "a", desk=full)) == "No more than 10 letters fit here."
    assert after(dealt(), "backspace", "a", desk=full).told == ()


@pytest.mark.parametrize("name", ["ana", "sixteen-chars_00"])
def test_that_a_computer_had_played_on_was_cut_off_at_the_edge_of_the_result(name: str) -> None:
    left = e.ChairChanged(seat=Seat(0), name=name, chair=e.Chair.COMPUTER)
    over = e.DealOver(reason=e.StopReason.VOTE, places=(3, 1, 2), cards=(26, 0, 1))

    page = seen(folded((left, over), dealt(names=(name, "bo", "maya"), you=2)), size=SMALL)

    assert "(left: a computer played on)" in page
    assert "maya" in page


def test_that_somebody_is_away_was_cut_off_where_a_computer_plays_on_for_them() -> None:
    name = "sixteen-chars_00"
    seats = [e.LobbySeat(name=name, connected=False), e.LobbySeat(name="maya")]
    lobby = lobby_state(stage=e.LobbyStage.PLAYING, seats=seats)
    stands_in = e.ChairChanged(seat=Seat(0), name=name, chair=e.Chair.STAND_IN)
    state = folded((e.LobbyChanged(lobby=lobby), stands_in), dealt(names=(name, "maya"), you=1))

    page = seen(state, Desk(overlay=Overlay.NAMES), SMALL)

    assert f"1  {name}  9 cards   a computer plays on, away" in page


@pytest.mark.parametrize("size", [SMALL, USUAL], ids=str)
def test_deals_that_many_had_won_were_cut_off_at_the_edge_of_the_result(
    size: tuple[int, int],
) -> None:
    names = tuple(f"sixteen-chars_{number:02}" for number in range(4))
    seats = [e.LobbySeat(name=name, wins=12) for name in names]
    over = e.DealOver(reason=e.StopReason.VOTE, places=(1, 2, 3, 4), cards=(0, 1, 2, 3))
    changed = e.LobbyChanged(lobby=lobby_state(seats=seats))
    state = folded((over, changed), dealt(names=names, you=0))

    words = " ".join(seen(state, size=size).split())

    assert f"won: {', '.join(f'{name} 12' for name in names)}" in words


def test_two_servers_of_one_long_domain_looked_the_same_in_the_list() -> None:
    hosts = [f"server-of-the-department-{number}.example" for number in (1, 2)]
    recents = tuple(Recent(address=f"{host}:5252", note="as sixteen-chars_00") for host in hosts)

    page = seen(ClientState(name="maya"), Desk(recents=recents), USUAL)

    assert [f"{host}:5252 as sixteen-chars_00" in page for host in hosts] == [True, True]


def test_the_code_of_a_lobby_that_had_been_private_was_cut_off_beside_a_long_name() -> None:
    state = a_full_hall()
    listing = replace(state.hall.lobbies[0], code="FOX-42-KOLA", seated=("sixteen-chars_00",))
    hall = replace(state.hall, lobbies=(listing,))

    assert "in FOX-42-KOLA" in seen(replace(state, hall=hall), size=USUAL)


@pytest.mark.parametrize(("below", "seen_there"), [(1, "10S +3 lie"), (15, "14 more: l shows all")])
def test_in_a_narrow_pane_it_was_cut_off_whether_a_shown_play_was_true_and_where_the_rest_is(
    below: int, seen_there: str
) -> None:
    tens = tuple(face for face in Face if face.rank is Rank.TEN)
    pile = tuple(
        e.ShownPlay(play=PlayNumber(play), seat=Seat(3), count=2, rank=Rank.TEN, faces=tens)
        for play in range(1, below + 1)
    )
    shown = replace(ruled().shown, play=PlayNumber(below + 1))
    state = the_window(TableRules(reveal=Reveal.WHOLE_PILE))
    over = ruled(shown=shown, pile=(*pile, shown), calls=ruled().calls[:1])

    assert seen_there in seen(folded((over,), state), Desk(settings=Settings(ascii=True)), (60, 24))


def test_in_a_small_window_seats_of_a_lobby_were_hidden_without_a_word() -> None:
    lobby = lobby_state(seats=[e.LobbySeat(name=name) for name in LONG_NAMES], host="maya")

    small, usual = (seen(in_lobby(lobby), size=size) for size in (SMALL, USUAL))

    assert "SEATS 1-9 of 10" in small
    assert "SEATS  " in usual


def test_in_a_small_window_two_rules_stood_one_below_the_other_in_place_of_the_newest_play() -> (
    None
):
    ace = played(1, 1, 2, Rank.ACE, turn=2)
    state = folded((ace, Hinted(text="so long " * 8)), dealt(names=LONG_NAMES, you=3, turn=1))

    rows = seen(state, Desk(settings=Settings(ascii=True)), SMALL).splitlines()

    rules = [number for number, row in enumerate(rows) if row.startswith("-----")]
    assert not [number for number in rules if number + 1 in rules]
    assert rows[rules[-1] + 1].startswith("   1 sixteen-chars_01 2 x A")


def test_at_a_full_table_in_a_small_window_nothing_was_seen_of_what_was_said() -> None:
    ace = played(1, 1, 2, Rank.ACE, turn=2)
    said = e.Said(name="bo", text="hurry up")

    state = folded((ace, said), dealt(names=LONG_NAMES, you=3, turn=1))

    assert "<bo> hurry up" in seen(state, size=SMALL)


def test_four_rows_stood_empty_for_a_watchers_hand_where_the_log_had_no_room() -> None:
    plays = tuple(played(n, (n - 1) % 6, 1, Rank.ACE, turn=n % 6) for n in range(1, 9))

    page = seen(folded(plays, dealt(you=None)), size=USUAL)

    assert [n for n in range(1, 9) if f"   {n} " not in page.partition("┴")[2]] == []


def test_in_a_big_pile_the_older_play_that_enter_would_doubt_was_out_of_sight() -> None:
    plays = tuple(played(n, (n - 1) % 6, 1, Rank.ACE, turn=n % 6) for n in range(1, 31))
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP)
    state = folded(plays, dealt(rules=rules))

    far = after(state, "B", *["down"] * 20).desk
    page = seen(state, far, SMALL)

    assert f"   > {far.older:>3}  dee said 1 ace" in page
    assert "22 of 25" in page
    assert "The loser takes the whole pile" in page


def test_below_long_lines_of_the_menu_what_enter_would_do_was_out_of_sight() -> None:
    watching = tuple(f"watcher-chars_{number:02}" for number in range(3))
    playing = dealt(names=("maya", *LONG_NAMES[:5]), you=0)
    seats = [
        e.LobbySeat(name="maya"),
        *(e.LobbySeat(name=name, kind=e.SeatKind.COMPUTER) for name in LONG_NAMES[:5]),
    ]
    stage = e.LobbyStage.PLAYING
    lobby = lobby_state(stage=stage, seats=seats, watching=watching, asking=watching)
    chairs = [
        e.ChairChanged(seat=Seat(number), name=name, chair=e.Chair.COMPUTER)
        for number, name in enumerate(LONG_NAMES[:5], start=1)
    ]
    state = folded((e.LobbyChanged(lobby=lobby), *chairs), playing)

    places = [after(state, "escape", *["down"] * count).desk for count in range(21)]

    assert [desk for desk in places if "   > " not in seen(state, desk, SMALL)] == []
