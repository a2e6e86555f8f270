"""Where somebody comes from: what is this machine, and what counts as one address."""

import ipaddress
from functools import lru_cache

REMEMBERED = 4096  # addresses: read anew each time they took a tenth of all that lets somebody in


@lru_cache(REMEMBERED)
def is_loopback(address: str) -> bool:
    """Whether somebody comes from this machine, as all SSH players do."""
    try:
        place = ipaddress.ip_address(address)
    except ValueError:
        return False
    mapped = place.ipv4_mapped if isinstance(place, ipaddress.IPv6Address) else None
    return (mapped or place).is_loopback


@lru_cache(REMEMBERED)
def household(address: str) -> str:
    """What counts as one address: in IPv6 the whole /64, of which one house has all."""
    place = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(place, ipaddress.IPv6Address) and not is_loopback(str(place)):
        mapped = place.ipv4_mapped
        return str(mapped or ipaddress.IPv6Network((place, 64), strict=False))
    return str(place)
