"""The names of computer players, which no person has, nor one that looks like them."""

import re

from server.bots.registry import TEMPERAMENTS

LOOK_ALIKES = {"o": "[o0]", "i": "[il1]", "l": "[il1]"}
_COMPUTERS = ("".join(LOOK_ALIKES.get(each, each) for each in name) for name in TEMPERAMENTS)
_LIKE_A_COMPUTERS = re.compile(
    rf"[-_]*(?:{'|'.join(_COMPUTERS)})(?:[-_][-_0-9oil]*|[oil]*[0-9][-_0-9oil]*)?", re.IGNORECASE
)


def is_like_a_computers(name: str) -> bool:
    """Whether it is "casual" or "casual-10", or begins with a word like "CASUAL_1O" or "casual-lo"."""
    return _LIKE_A_COMPUTERS.fullmatch(name.partition(" ")[0]) is not None
