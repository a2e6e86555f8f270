"""The rules once more in plain lists, written from server/game/RULES.md alone, to hold the engine against."""

from dataclasses import dataclass, field

from protocol.cards import Face
from protocol.rules import TableRules

# What the deal waits for: the protected time, a move, or the reveal pause; or it is over.
PROTECTED, TO_PLAY, REVEAL, OVER = "protected", "to_play", "reveal", "over"


@dataclass
class Lying:
    """A play that lies in the pile."""

    number: int
    seat: int
    cards: list[int]
    count: int
    rank: int
    right: int  # the seat that was next when it was made


@dataclass
class Reference:
    """One deal. Cards are ids, ranks 1 to 13; `faces` says what is printed on a card."""

    rules: TableRules
    faces: list[Face]
    hands: list[list[int]]
    turn: int
    cap: int
    shown: list[int] = field(default_factory=list)  # public sizes, as claimed (B10)
    pile: list[Lying] = field(default_factory=list)
    aside: list[int] = field(default_factory=list)
    out: list[int] = field(default_factory=list)  # in the order of going out
    let_go: set[int] = field(default_factory=set)
    held: tuple[int, list[int], int, int] | None = None  # seat, cards, count, rank; no cards: pass
    claimed: int | None = None  # the last rank claimed
    plays: int = 0
    piles: int = 0
    passes: int = 0
    phase: str = TO_PLAY
    closed: bool = True  # the newest play's window, for good
    stopping: bool = False
    opened: int = 0
    rulings: list[int] = field(default_factory=list)  # the plays that were turned up

    def __post_init__(self) -> None:
        """Everybody sees how many cards were dealt."""
        self.shown = [len(hand) for hand in self.hands]

    # --- who and which ---

    def seats_in(self) -> list[int]:
        """The seats still in the deal (B16)."""
        return [seat for seat in range(len(self.hands)) if seat not in self.out]

    def left_of(self, seat: int) -> int:
        """The next seat still in (B16)."""
        seat = (seat + 1) % len(self.hands)
        return seat if seat not in self.out else self.left_of(seat)

    def due(self) -> set[int]:
        """The ranks that may be claimed now (A6, B4 to B8)."""
        order, last = self.rules.rank_order.value, self.claimed
        if order == "free":  # B8
            return {last} if self.pile and last else set(range(1, 14))
        if last is None:  # A5
            return {1}
        up, down = last % 13 + 1, (last - 2) % 13 + 1
        same = {last} if self.pile else {up}  # B7
        return {
            "up": {up},
            "down": {down},
            "up_or_down": {up, down},
            "up_same_or_down": {up, last, down},
            "same_until_challenge": same,
        }[order]

    def one_on(self) -> int:
        """The rank that comes first among those due: one up in B5 and B6 (D1)."""
        up = (self.claimed or 13) % 13 + 1
        return up if up in self.due() else min(self.due())

    def pending(self) -> bool:
        """Somebody's last cards wait for their window to close (A15)."""
        return bool(self.pile) and not self.closed and not self.hands[self.pile[-1].seat]

    def decides(self) -> bool:
        """They would end the deal (C2)."""
        return self.pending() and (not self.rules.play_on or len(self.seats_in()) == 2)

    def may_challenge(self, seat: int, number: int) -> bool:
        """Whether the seat may doubt this play now (A9, B13, B14, C9)."""
        lying = [play for play in self.pile if play.number == number]
        if self.phase == OVER or seat in self.out or not lying:
            return False
        play, newest = lying[0], number == self.plays
        if play.seat == seat or play.seat in self.out:  # C9, B14
            return False
        if self.rules.challenge_until == "pick_up":  # B14
            if not newest and (self.pending() or self.stopping):
                return False
            return self.rules.challengers == "anyone" or seat == play.right
        if not newest or self.closed:  # A9, C4
            return False
        return self.rules.challengers == "anyone" or seat == self.turn  # B13

    def challengers(self) -> set[int]:
        """The seats that may doubt the newest play."""
        return {seat for seat in self.seats_in() if self.may_challenge(seat, self.plays)}

    # --- moves ---

    def may_move(self, seat: int) -> bool:
        """Whether it is the seat's turn and moves are taken (A7, B21, C2)."""
        busy = self.phase == OVER or self.stopping or self.decides()
        return not busy and seat == self.turn and seat not in self.out

    def may_play(self, seat: int, cards: list[int], count: int, rank: int) -> bool:
        """Whether the seat may lay these cards under this claim (A7, B9, B10)."""
        most = 999 if self.rules.max_cards == "none" else self.rules.max_cards
        right_count = 1 <= count <= most and count <= len(cards) <= count + self.rules.sneak
        mine = len(set(cards)) == len(cards) and set(cards) <= set(self.hands[seat])
        return self.may_move(seat) and right_count and mine and rank in self.due()

    def may_pass(self, seat: int) -> bool:
        """Whether the seat may pass (B11)."""
        return self.may_move(seat) and self.rules.passing and bool(self.pile)  # B11

    def move(self, seat: int, cards: list[int], count: int, rank: int, at: int) -> None:
        """Play, or with no cards pass; held in the protected time and the reveal pause."""
        self.held = (seat, cards, count, rank)
        if self.phase == PROTECTED and not self.would_wait(seat):
            # Under B13 a pass hands the right to challenge on instead of closing the window.
            if cards or not self.right_moves_on():
                self.stands(at)
            else:
                self.unhold(at)
        elif self.phase == TO_PLAY:
            self.unhold(at)

    def would_wait(self, seat: int) -> bool:
        """Whether a move of this seat is held (C3, C10), for somebody else may still challenge (C4)."""
        if self.phase == PROTECTED:
            return not self.challengers() <= self.let_go | {seat}
        return self.phase == REVEAL

    def right_moves_on(self) -> bool:
        """Whether a pass hands the right to challenge on (B13, B14)."""
        return self.rules.challengers == "next_player" and self.rules.challenge_until == "next_play"

    def unhold(self, at: int) -> None:
        """What was held takes effect (C3)."""
        if self.held and self.phase != OVER:
            (seat, cards, count, rank), self.held = self.held, None
            self.put_down(seat, cards, count, rank, at) if cards else self.passed(seat, at)

    def put_down(self, seat: int, cards: list[int], count: int, rank: int, at: int) -> None:
        """Cards go on the pile with a claim (A7, C2)."""
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.shown[seat] = self.shown[seat] - count if self.hands[seat] else 0  # B10
        self.plays, self.claimed, self.passes, self.closed = self.plays + 1, rank, 0, False
        self.turn, self.opened = self.left_of(seat), at
        self.pile.append(Lying(self.plays, seat, cards, count, rank, self.turn))
        self.let_go = set()
        self.stopping = self.plays >= (self.rules.stop_after_plays or self.cap)  # B21
        timed = self.stopping or not self.hands[seat] or self.rules.window_s
        self.phase = PROTECTED if timed else TO_PLAY

    def passed(self, seat: int, at: int) -> None:
        """A pass takes effect (B11, B12, C4)."""
        self.passes += 1
        self.turn = self.left_of(seat)
        if not self.right_moves_on():
            self.let_go.add(seat)
        player = self.pile[-1].seat
        if self.passes >= len(set(self.seats_in()) - {player}):  # B12
            if self.pending():  # nobody is left to doubt them
                self.goes_out(player)
            self.turn = player if player not in self.out else self.left_of(player)
            self.aside += self.take_pile()
        elif self.all_let_go():
            self.stands(at)

    # --- the window ---

    def all_let_go(self) -> bool:
        """Whether nobody is left who might still doubt (C4)."""
        quiet = self.let_go | ({self.held[0]} if self.held else set())
        return bool(self.challengers()) and self.challengers() <= quiet

    def believe(self, seat: int, at: int) -> None:
        """The seat lets the newest play go (C4)."""
        self.let_go.add(seat)
        if self.all_let_go():
            self.stands(at)

    def stands(self, at: int) -> None:
        """The window is over, or under B14 its protected time; what was held takes effect."""
        went_out = self.pending()
        self.closed = self.rules.challenge_until != "pick_up" or went_out or self.stopping
        if went_out:
            self.goes_out(self.pile[-1].seat)
        self.protection_over(at)

    def protection_over(self, at: int) -> None:
        """The protected time is over; last cards stand (C2)."""
        if self.pending():
            self.stands(at)
        elif self.phase != OVER:
            self.phase = OVER if self.stopping else TO_PLAY
            self.unhold(at)

    def challenge(self, challenger: int, number: int) -> None:
        """Turn up the play: the liar or the doubter takes the pile (A11 to A15)."""
        play = next(play for play in self.pile if play.number == number)
        faces = [self.faces[card] for card in play.cards]
        true = len(faces) == play.count and all(face.rank in {None, play.rank} for face in faces)
        taker = challenger if true else play.seat  # A12
        last = self.pending()
        self.rulings.append(number)
        self.hands[taker] += self.take_pile()
        self.shown[taker] = len(self.hands[taker])
        self.held = None  # C3
        self.phase = REVEAL if self.rules.reveal_s else TO_PLAY
        if last and true:
            self.goes_out(play.seat)
        if self.rules.rank_order == "free":  # B8
            self.turn = taker if taker not in self.out else self.left_of(taker)
        if self.stopping:
            self.phase = OVER

    def take_pile(self) -> list[int]:
        """Empty the middle."""
        cards = [card for play in self.pile for card in play.cards]
        self.pile, self.passes, self.let_go, self.closed = [], 0, set(), True
        self.piles, self.phase = self.piles + 1, TO_PLAY
        return cards

    # --- endings ---

    def goes_out(self, seat: int) -> None:
        """The seat's last cards stood (A15)."""
        self.out.append(seat)
        if not self.rules.play_on or len(self.seats_in()) == 1:  # A16, B16
            self.phase = OVER

    def stop(self, at: int) -> None:
        """Time or a vote: the open window is the last (B21)."""
        self.held = None
        if not self.challengers():
            self.phase = OVER
            return
        self.stopping, self.phase = True, PROTECTED
        late = at > self.opened + self.rules.last_window_s * 1_000_000
        if late or self.all_let_go():
            self.stands(at)

    def places(self) -> list[int]:
        """Those who are out in their order, then fewest cards first; equal hands share (A16)."""
        sizes = {seat: len(self.hands[seat]) for seat in self.seats_in()}
        return [
            self.out.index(seat) + 1
            if seat in self.out
            else len(self.out) + 1 + sum(size < sizes[seat] for size in sizes.values())
            for seat in range(len(self.hands))
        ]


def sizes_dealt(deck: int, players: int, dealer: int) -> list[int]:
    """One card at a time from the dealer's left until none is left (A3)."""
    sizes = [0] * players
    for card in range(deck):
        sizes[(dealer + 1 + card) % players] += 1
    return sizes
