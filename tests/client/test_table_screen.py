"""What the table shows in each situation; the rules decide the words, the screen only says them."""

import pytest
from msgspec.structs import replace

from client.keys.press import with_keys
from client.screens.desk import ClaimChoice, Desk, Overlay, Typing
from client.screens.page import draw
from client.screens.parts.cells import text_of
from client.settings import Settings
from client.state import ClientState, Doubt, DoubtStage, Picked, Sent
from protocol import events as e
from protocol.cards import Rank
from protocol.commands import Challenge
from protocol.numbers import CardId, CommandNumber, PlayNumber, Seat
from protocol.rules import Challengers, ChallengeUntil, RankOrder, Reveal, TableRules
from tests.support.scenes import a_crowded_reveal, the_reveal, the_window
from tests.support.screen_states import a_frame, dealt, folded, played, ruled, texts

ASCII = Desk(settings=Settings(ascii=True))


def seen(state: ClientState, desk: Desk = ASCII, *, now: float = 1.0, columns: int = 80) -> str:
    """The page as text."""
    return "\n".join(texts(draw(with_keys(a_frame(state, (columns, 24), desk=desk, now=now)))))


def styles_of(state: ClientState, text: str, now: float = 1.0) -> set[str]:
    """The styles in which a text is drawn."""
    page = draw(with_keys(a_frame(state, desk=ASCII, now=now)))
    return {style for line in page for style, part in line if text in part}


WINDOW = """\
 Facedown  FOX-42  play 2  dee says 1 x K                             link 3 ms
  1  ana    9  #########                       | PILE  3 cards
  2  bo     9  #########                       | +----------------------------+
  3  cy     9  #########                       | | dee says: 1 x KING LAST    |
  4* maya  10  ##########                  you | | b = BS!  y = believe       |
  5  dee    0                !OUT if it stands | | [##########....] 3 s       |
> 6  hal    9  #########                       | | 0 of 5 believe it          |
                                               | +----------------------------+
                                               | due   aces, you hold none
                                               | then  ana (2), bo (3)
-----------------------------------------------+--------------------------------
   1 maya 2 x A   nobody doubted
   2 dee  1 x K   ...


--------------------------------------------------------------------------------
 YOUR HAND  10 cards

  A     2     3     4     5     6     7     8     9     10    J     Q     K
              D           DC          S           H     C     D     S     HC

 You hold 2 of the 4 kings. A wrong doubt costs you 3 cards.
 dee: out if it stands. Nobody plays until then.
 b doubt  y believe  A-K pick  / say  Y believe all  l log  ? help  Esc menu"""


def test_the_open_window_looks_like_this() -> None:
    assert seen(the_window()) == WINDOW


def test_the_commonest_state_names_both_the_doubt_and_the_cards() -> None:
    state = folded((played(1, 2, 1, Rank.ACE, turn=3),), dealt(turn=2))
    picking = folded((Picked(cards=(CardId(0),)),), state)

    page = seen(picking)

    assert "Enter lay ready  A-K pick  Bksp unpick  b doubt  y believe  ? help" in page
    assert 'you will say "1 TWO"' in page


def test_what_is_laid_ready_stays_in_sight() -> None:
    held = e.Held(held=e.HeldPlay(cards=(CardId(0),), count=1, rank=Rank.TWO))
    state = folded((played(1, 2, 1, Rank.ACE, turn=3), held), dealt(turn=2))

    page = seen(state)

    assert 'Ready: "1 TWO", down in 3 s if nobody doubts. Backspace takes it back.' in page
    assert "(1)" in page
    assert "Bksp take back" in page


def test_the_rank_due_is_marked_only_on_my_turn() -> None:
    assert ">A<" in seen(dealt(turn=3))
    assert ">A<" not in seen(dealt(turn=2))


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        pytest.param((0,), "That is the truth.", id="true"),
        pytest.param((0, 3), "1 five is not an ace: this is a bluff.", id="one wrong card (A8)"),
        pytest.param((3, 4), "2 fives are not aces: this is a bluff.", id="two wrong cards"),
    ],
)
def test_a_bluff_is_called_one(cards: tuple[int, ...], sentence: str) -> None:
    picked = Picked(cards=tuple(CardId(number) for number in cards))

    assert sentence in seen(folded((picked,), dealt(turn=3)))


def test_saying_fewer_than_one_lays_is_called_a_lie() -> None:
    state = dealt(turn=3, rules=TableRules(sneak=1))
    picked = folded((Picked(cards=(CardId(3), CardId(4))),), state)

    page = seen(picked, replace(ASCII, claim=ClaimChoice(sneaked=1)))

    assert 'you will say "1 ACE"' in page
    assert "You lay 2 and say 1: a lie if you are doubted." in page


def test_a_chosen_rank_is_what_will_be_said() -> None:
    state = dealt(turn=3, rules=TableRules(rank_order=RankOrder.FREE))
    picked = folded((Picked(cards=(CardId(3),)),), state)

    assert 'you will say "1 FIVE"' in seen(picked)
    assert 'you will say "1 KING"' in seen(
        picked, replace(ASCII, claim=ClaimChoice(rank=Rank.KING))
    )


def test_a_sure_lie_is_pointed_out() -> None:
    state = folded((played(1, 2, 3, Rank.KING, turn=3),), dealt(turn=2))

    assert "A sure lie: you hold 2 of the 4 kings." in seen(state)


def test_a_sent_doubt_never_says_that_it_won() -> None:
    sent = Sent(command=Challenge(n=CommandNumber(1), deal=1, play=PlayNumber(2)))

    page = seen(folded((sent,), the_window()))

    assert "| sent - waiting  " in page
    assert "sent - waiting for the ruling" in page
    assert "b doubt" not in page
    assert "first" not in page


@pytest.mark.parametrize(
    ("doubt", "sentence"),
    [
        pytest.param(
            Doubt(
                play=PlayNumber(2),
                n=CommandNumber(1),
                stage=DoubtStage.FIRST,
                margin_us=83_000,
                other=Seat(1),
            ),
            "You doubted first, by 83 ms over bo.",
            id="first",
        ),
        pytest.param(
            Doubt(
                play=PlayNumber(2),
                n=CommandNumber(1),
                stage=DoubtStage.BEATEN,
                margin_us=400,
                other=Seat(1),
            ),
            "bo was first by 0.4 ms: yours costs nothing.",
            id="beaten (A10)",
        ),
        pytest.param(
            Doubt(play=PlayNumber(2), n=CommandNumber(1), stage=DoubtStage.LATE, margin_us=40_000),
            "Too late by 40 ms: it costs nothing.",
            id="late (C7)",
        ),
    ],
)
def test_the_outcome_of_my_doubt_is_told_with_its_margin(doubt: Doubt, sentence: str) -> None:
    assert sentence in seen(replace(the_reveal(), doubt=doubt))


def test_the_reveal_shows_the_call_order_with_late_ones_below() -> None:
    rows = [row.split("| ", 1)[-1] for row in seen(the_reveal()).splitlines() if "| " in row]

    assert rows == [
        'maya to dee: "BS!"',
        "dee said    1 x K",
        "dee laid    7C",
        ">> A LIE <<",
        "dee takes 8 cards",
        "|1-2-----------------3| 806 ms",
        "first maya  1.204 s (3 ms)",
        "      bo     +83 ms (ssh)",
        "late  hal   +806 ms (9 ms)",
    ]


def test_the_reveal_stays_until_the_next_play_and_picking_goes_on() -> None:
    later = folded((e.RevealOver(),), the_reveal(), at=9.0)

    assert ">> A LIE <<" in seen(later, now=9.0)
    assert "A-K pick" in seen(later, now=9.0)
    assert ">> A LIE" not in seen(folded((played(3, 5, 1, Rank.ACE, turn=0),), later))


def test_a_photo_finish_is_said_to_be_one() -> None:
    heat = folded((ruled(dead_heat=e.DeadHeat.PHOTO_FINISH),), the_window())

    assert "photo finish: nearest to" in seen(heat, columns=120)


def a_whole_pile_shown(plays: int) -> ClientState:
    """So many plays lay below the doubted one, and all are turned up."""
    below = tuple(
        e.ShownPlay(
            play=PlayNumber(number),
            seat=Seat(3),
            count=2,
            rank=Rank.ACE,
            faces=ruled().shown.faces,
        )
        for number in range(1, plays + 1)
    )
    state = the_window(TableRules(reveal=Reveal.WHOLE_PILE))
    shown = replace(ruled().shown, play=PlayNumber(plays + 1))
    return folded((ruled(shown=shown, pile=(*below, shown), calls=ruled().calls[:1]),), state)


def test_a_whole_pile_is_shown_as_far_as_there_is_room() -> None:
    page = seen(a_whole_pile_shown(1))

    assert "  1 maya 2 x A : 7C lie" in page
    assert "l shows all" not in page


def test_of_a_long_pile_two_plays_were_shown_one_of_them_a_second_time_and_the_rest_unnamed() -> (
    None
):
    page = seen(a_whole_pile_shown(9))

    assert " 10 dee" not in page
    assert "  9 maya 2 x A : 7C lie" in page
    assert "8 more: l shows all" in page


def test_the_call_strip_of_a_crowd_still_names_whose_counts() -> None:
    page = seen(a_crowded_reveal(), columns=80)

    assert "| first sixteen-chars_00  0.000 s" in page
    assert "| won   sixteen-chars_03  +120 ms" in page


def test_the_bar_runs_out_and_its_last_seconds_are_reversed() -> None:
    assert "[##########....] 3 s" in seen(the_window(), now=1.1)
    assert "[####..........] 1 s" in seen(the_window(), now=3.0)
    assert styles_of(the_window(), "###", now=0.5) >= {"class:bar"}
    assert styles_of(the_window(), "####", now=3.0) >= {"class:bar.low"}


def test_only_how_many_believe_is_shown() -> None:
    state = folded((e.LetGo(play=PlayNumber(2), count=2),), the_window())

    assert "2 of 5 believe it" in seen(state)


def test_who_may_not_doubt_is_told_so() -> None:
    state = the_window(TableRules(challengers=Challengers.NEXT_PLAYER))

    page = seen(state)

    assert "only hal may doubt" in page
    assert "b doubt" not in page


def test_an_older_play_can_be_doubted_where_the_rules_say_so() -> None:
    rules = TableRules(challenge_until=ChallengeUntil.PICK_UP)
    plays = (
        played(1, 1, 2, Rank.ACE, turn=2),
        e.Stands(play=PlayNumber(1), protected_only=True),
        played(2, 2, 1, Rank.TWO, turn=3),
    )
    state = folded(plays, dealt(turn=1, rules=rules))

    assert "B older play" in seen(state)
    assert "  2  cy said 1 two" in seen(state, replace(ASCII, overlay=Overlay.OLDER))


def test_my_turn_shows_the_clock_and_what_comes_next() -> None:
    clock = e.TurnClock(seat=Seat(3), left_us=31_000_000)

    page = seen(folded((clock,), dealt(turn=3)))

    assert "your turn: ACES" in page
    assert "0:30 left" in page
    assert "your next ranks: A 7 K 6 Q" in page


def test_somebody_elses_clock_is_theirs() -> None:
    clock = e.TurnClock(seat=Seat(0), left_us=31_000_000)

    assert "ana 0:30" in seen(folded((clock,), dealt(turn=0)))


def test_a_watcher_sees_no_hand_and_no_game_keys() -> None:
    page = seen(dealt(you=None))

    assert "You are watching." in page
    assert "YOUR HAND" not in page
    assert "pick" not in page


def test_talk_is_shown_below_the_plays_for_a_minute() -> None:
    said = folded((e.Said(name="bo", text="again?"),), the_window(), at=0.5)

    assert "<bo> again?" in seen(said, now=50.0)
    assert "<bo> again?" not in seen(said, now=70.0)


def test_a_hostile_chat_line_moves_nothing_on_the_screen() -> None:
    said = folded((e.Said(name="bo\x1b[2J", text="\u202eevil\x1b]0;x\x07"),), the_window())

    page = draw(with_keys(a_frame(said)))

    assert all(text.isprintable() for line in page for _, text in line)


def test_a_page_laid_over_still_says_what_the_table_does() -> None:
    page = seen(the_window(), replace(ASCII, overlay=Overlay.HELP))

    strip, keys = page.splitlines()[-2:]
    assert "dee says 1 x K" in strip
    assert "b doubt" in keys


def test_a_pause_and_a_vote_say_how_long() -> None:
    vote = e.VoteState(
        vote=1, on=e.VoteOn.END_DEAL, by="ana", yes=1, no=0, needed=4, left_us=60_000_000
    )
    paused = e.Paused(reason=e.PauseReason.ASKED, left_us=900_000_000)

    assert "ana asks to end the deal: v yes, V no. 1 yes, 0 no, 4 needed, 59 s." in seen(
        folded((vote,), dealt())
    )
    assert "The table is paused. At most 14:59 more. Esc: go on." in seen(
        folded((paused,), dealt())
    )


def test_everything_that_colour_says_has_a_mark_too() -> None:
    rows = texts(draw(with_keys(a_frame(the_window(), desk=ASCII))))

    assert rows[6].startswith("> 6")  # whose turn
    assert "you |" in rows[4]
    assert "!OUT" in rows[5]


def test_cards_that_were_just_taken_are_counted_on_the_seat() -> None:
    rows = texts(draw(a_frame(the_reveal(), desk=ASCII)))

    assert rows[5].startswith("  5  dee    8  ########                     +8 |")


def test_a_big_hand_counts_what_it_cannot_draw() -> None:
    hand = " ".join(["5C"] * 12)

    rows = texts(draw(a_frame(dealt(hand=hand), desk=ASCII)))

    assert any(" x12" in row for row in rows)
    assert text_of(draw(a_frame(dealt(hand=hand)))[16]).startswith(" YOUR HAND  12 cards")


def test_while_typing_the_box_says_how_to_doubt_all_the_same() -> None:
    assert "Esc and then b = BS!" in seen(the_window(), replace(ASCII, typing=Typing.SAY))


def test_the_due_rank_is_counted_in_my_hand_and_jokers_count_as_any() -> None:
    with_jokers = dealt(turn=3, hand="AS AH JK 3C", rules=TableRules(jokers=2))

    assert "due   aces, you hold 3 (1 JK)" in seen(with_jokers)
    assert "you hold" not in seen(dealt(turn=3, rules=TableRules(rank_order=RankOrder.FREE)))
    assert "you hold" not in seen(dealt(you=None))


@pytest.mark.parametrize(
    ("cards", "style"),
    [
        pytest.param((0,), "class:truth", id="an ace as aces"),
        pytest.param((0, 3), "class:lie", id="a five among them"),
    ],
)
def test_what_one_is_about_to_say_looks_like_what_it_is(cards: tuple[int, ...], style: str) -> None:
    picked = Picked(cards=tuple(CardId(number) for number in cards))

    assert styles_of(folded((picked,), dealt(turn=3)), "ACE") >= {style}
