"""Cards are written and read as people do, and say nothing but their face."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.cards import (
    JOKER,
    Face,
    Rank,
    Suit,
    read_face,
    read_faces,
    read_rank,
    standard_faces,
)
from protocol.numbers import MAX_CARDS
from tests.protocol.examples import cards


@pytest.mark.parametrize(
    ("rank", "steps", "reached"),
    [
        (Rank.KING, 1, Rank.ACE),
        (Rank.ACE, -1, Rank.KING),
        (Rank.FIVE, 0, Rank.FIVE),
        (Rank.ACE, 4, Rank.FIVE),
        (Rank.SEVEN, 13, Rank.SEVEN),
    ],
)
def test_ranks_go_round_in_a_cycle(rank: Rank, steps: int, reached: Rank) -> None:
    assert rank.up(steps) is reached


@pytest.mark.parametrize(
    ("rank", "symbol", "word", "plural"),
    [
        (Rank.ACE, "A", "ace", "aces"),
        (Rank.SIX, "6", "six", "sixes"),
        (Rank.TEN, "10", "ten", "tens"),
        (Rank.QUEEN, "Q", "queen", "queens"),
    ],
)
def test_a_rank_has_a_symbol_and_words(rank: Rank, symbol: str, word: str, plural: str) -> None:
    assert (rank.symbol, rank.word, rank.plural) == (symbol, word, plural)


@pytest.mark.parametrize("face", standard_faces(1, 1), ids=str)
def test_every_face_is_read_as_it_is_written(face: Face) -> None:
    assert read_face(str(face)) == face
    assert read_face(f" {str(face).lower()} ") == face


@pytest.mark.parametrize("text", ["", "A", "S", "1S", "11H", "0S", "AX", "ASS", "J K", "\u0661S"])
def test_what_is_no_face_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        read_face(text)


def test_several_faces_are_read_in_order() -> None:
    assert read_faces("AS 10H JK") == (
        Face.ACE_OF_SPADES,
        Face.TEN_OF_HEARTS,
        JOKER,
    )


@pytest.mark.parametrize(
    ("text", "rank"),
    [
        ("a", Rank.ACE),
        ("10", Rank.TEN),
        ("t", Rank.TEN),
        ("0", Rank.TEN),
        (" Queen ", Rank.QUEEN),
        ("sixes", Rank.SIX),
        ("k", Rank.KING),
    ],
)
def test_a_rank_is_read_as_people_type_it(text: str, rank: Rank) -> None:
    assert read_rank(text) is rank


@pytest.mark.parametrize("text", ["", "1", "11", "joker", "aa"])
def test_what_is_no_rank_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a rank"):
        read_rank(text)


def test_a_joker_is_a_card_of_every_rank() -> None:
    assert all(JOKER.is_a(rank) for rank in Rank)


@given(face=st.sampled_from(standard_faces(1, 0)), rank=st.sampled_from(Rank))
def test_any_other_card_is_of_its_own_rank_alone(face: Face, rank: Rank) -> None:
    assert face.is_a(rank) == (face.rank == rank)


@pytest.mark.parametrize("face", standard_faces(1, 0))
def test_a_face_is_of_the_rank_and_suit_in_its_name(face: Face) -> None:
    assert face.rank is not None
    assert face.suit is not None
    assert face.name == f"{face.rank.name}_OF_{face.suit.name}"


def test_a_joker_has_neither_rank_nor_suit() -> None:
    assert (JOKER.rank, JOKER.suit) == (None, None)


def test_a_face_in_a_text_is_written_as_on_the_card() -> None:
    assert f"{Face.TEN_OF_HEARTS:>4} {JOKER}" == " 10H JK"


@pytest.mark.parametrize("decks", [1, 2, 3, 4])
@pytest.mark.parametrize("jokers", [0, 1, 2])
def test_a_deck_has_every_face_as_often_as_there_are_decks(decks: int, jokers: int) -> None:
    counted = Counter(standard_faces(decks, jokers))

    assert counted.pop(JOKER, 0) == decks * jokers
    assert set(counted.values()) == {decks}
    assert len(counted) == len(Suit) * len(Rank)


def test_the_largest_deck_has_no_more_cards_than_there_are_ids() -> None:
    assert len(standard_faces(4, 2)) == MAX_CARDS


def test_a_card_shows_its_face_and_not_its_id() -> None:
    assert [str(card) for card in cards("AS 10H JK")] == ["AS", "10H", "JK"]
