"""How somebody else gets to where this client runs, if it runs in an SSH session."""

import ipaddress
from collections.abc import Mapping

SSH_PORT = 22


def way_in(environment: Mapping[str, str], user: str) -> str:
    """The command line up to what follows the box: "ssh -t play@192.0.2.7 "; empty without SSH.

    The address is the one that this session came in by.
    """
    host, ssh_port = came_in_by(environment)
    if not host:
        return ""
    port = "" if ssh_port == SSH_PORT else f"-p {ssh_port} "
    box = f"{user}@{host}" if user else host
    return f"ssh {port}-t {box} "


def came_in_by(environment: Mapping[str, str]) -> tuple[str, int]:
    """The address and port of this box that the session came in by; "" and 0 without SSH."""
    fields = environment.get("SSH_CONNECTION", "").split()
    if len(fields) != 4 or not fields[3].isdigit():  # noqa: PLR2004 - two addresses, two ports
        return "", 0
    try:
        host = ipaddress.ip_address(fields[2].partition("%")[0])
    except ValueError:
        return "", 0
    return str(host), int(fields[3])


def login_name() -> str:
    """The account of this process, whatever its environment says; empty if it has no name."""
    try:
        import pwd  # noqa: PLC0415 - there is none on Windows
        from os import getuid  # noqa: PLC0415 - the same

        return pwd.getpwuid(getuid()).pw_name
    except KeyError:
        return ""
