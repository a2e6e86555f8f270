"""The page of a terminal that is too small for the game; quitting works on it too."""

from client import selectors
from client.screens.advice import asked_text
from client.screens.frame import Frame
from client.screens.leaving import cost_text
from client.screens.parts.cells import Page, plain, sized, wrapped
from client.state import LinkState
from client.words import name_of, short_claim

COLUMNS = 60
ROWS = 20


def is_too_small(frame: Frame) -> bool:
    """Whether the game cannot be drawn."""
    return frame.columns < COLUMNS or frame.rows < ROWS


def keys_text(frame: Frame) -> str:
    """Which keys answer the newest play here, too; empty where none does now."""
    if not selectors.is_online(frame.state):
        return ""
    doubt, believe = selectors.may_doubt(frame.state), selectors.may_believe(frame.state)
    if not doubt:
        return ""
    first = first_text(frame)
    return f"{first}b doubts, y believes." if believe else f"{first}b doubts."


def first_text(frame: Frame) -> str:
    """What has to be pressed before a key, which goes into an open text else."""
    return "Esc, then " if frame.desk.typing is not None else ""


def vote_text(frame: Frame) -> str:
    """An open vote, and its keys where it can be answered now; empty without one."""
    vote = frame.state.vote
    return "" if vote is None else f"{asked_text(frame.state, vote, first_text(frame))}."


def trouble_text(frame: Frame) -> str:
    """Why nothing can be done now, whatever the size; empty where something can."""
    state = frame.state
    if state.link.state is LinkState.LOST:
        return "The server has ended." if state.link.ended else "Connection lost: wait."
    if state.stalled:
        return "The server cannot write."
    return "" if state.pause is None else "The table stands still."


def turn_text(frame: Frame) -> str:
    """That it is my turn, whose clock may run; empty where it is not."""
    mine = selectors.plays_myself(frame.state) and selectors.waits_for_me(frame.state)
    return "It is your turn." if mine and not trouble_text(frame) else ""


def too_small_page(frame: Frame) -> Page:
    """What to do about it, in short lines."""
    table = selectors.public(frame.state)
    newest = table.newest_play if table else None
    said = (
        f"{name_of(table, newest.seat)}: {short_claim(newest.count, newest.rank)}"
        if table and newest
        else ""
    )
    cost = cost_text(frame)
    lines = (
        plain("Facedown", "class:head"),
        plain(f"{frame.columns}x{frame.rows} is too small."),
        plain(f"Make it {COLUMNS}x{ROWS}."),
        plain(turn_text(frame)),
        plain(said, "class:claim"),
        plain(keys_text(frame) or trouble_text(frame)),
        *map(plain, wrapped(vote_text(frame), frame.columns)),
        plain(f"Ctrl-C twice leaves{';' if cost else '.'}"),
        plain(f"{cost}." if cost else ""),
    )
    return sized(lines, frame.columns, frame.rows)
