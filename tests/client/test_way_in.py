"""What a friend types to get to a server on a box into which one has logged in."""

import pytest

from client.way_in.ssh import login_name, way_in


@pytest.mark.parametrize(
    ("connection", "user", "way"),
    [
        ("198.51.100.7 50022 192.0.2.7 22", "play", "ssh -t play@192.0.2.7 "),
        ("198.51.100.7 50022 192.0.2.7 2222", "play", "ssh -p 2222 -t play@192.0.2.7 "),
        ("fe80::1%eth0 50022 2001:db8::7 22", "play", "ssh -t play@2001:db8::7 "),
        ("198.51.100.7 50022 192.0.2.7 22", "", "ssh -t 192.0.2.7 "),
    ],
)
def test_the_way_is_the_one_that_this_session_took(connection: str, user: str, way: str) -> None:
    assert way_in({"SSH_CONNECTION": connection}, user) == way


@pytest.mark.parametrize(
    "connection",
    [
        "",
        "198.51.100.7 50022 192.0.2.7",
        "198.51.100.7 50022 box 22",
        "198.51.100.7 50022 192.0.2.7 ssh",
        "198.51.100.7 50022 -oProxyCommand=x 22",
        "a b c d e",
    ],
)
def test_without_such_a_session_there_is_no_way(connection: str) -> None:
    assert way_in({"SSH_CONNECTION": connection}, "play") == ""
    assert way_in({}, "play") == ""


def test_the_login_name_is_that_of_the_account_and_not_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = login_name()
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "somebody-else")

    assert login_name() == before != "somebody-else"
