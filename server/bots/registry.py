"""The temperaments on offer, the gentlest first."""

from server.bots.casual import CASUAL
from server.bots.certain import CERTAIN
from server.bots.choices import Temperament
from server.bots.proof import PROOF

TEMPERAMENTS: dict[str, Temperament] = {each.name: each for each in (CASUAL, CERTAIN, PROOF)}
"""Every temperament by its name, as `add_computer` names it (RULES D6)."""
