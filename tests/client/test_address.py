"""HOST[:PORT][/CODE] as people type it."""

import re

import pytest

from client.way_in.address import FORM, Address, BadAddress, read_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("pi", Address(host="pi")),
        (" 192.168.1.20:6000 ", Address(host="192.168.1.20", port=6000)),
        ("pi/fox-42", Address(host="pi", code="FOX-42")),
        ("pi:6000/FOX-42-KIWI", Address(host="pi", port=6000, code="FOX-42-KIWI")),
        ("pi/fox42", Address(host="pi", code="FOX-42")),
        ("pi/fox42kiwi", Address(host="pi", code="FOX-42-KIWI")),
        ("pi/FOX-4217-KIWI", Address(host="pi", code="FOX-4217-KIWI")),
        ("pi/party", Address(host="pi", code="PARTY")),
        ("[::1]:6000", Address(host="::1", port=6000)),
        ("fe80::1", Address(host="fe80::1")),
        ("fe80::1%eth0", Address(host="fe80::1%eth0")),
        ("pi.local.", Address(host="pi.local.")),
        ("my_pi", Address(host="my_pi")),
        ("b\u00fccher.local", Address(host="b\u00fccher.local")),
        ("facedown join pi/FOX-42", Address(host="pi", code="FOX-42")),
    ],
)
def test_what_people_type_is_read(text: str, address: Address) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "/FOX-42", "pi:x", "pi:0", "pi:65536", "a b", f"pi/{'x' * 25}", f"pi:{'9' * 5000}"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(BadAddress, match=r"^An? "):
        read_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "http://localhost:5252",
        "http://pi",
        "localhost:5252:3",
        "[localhost]:5252",
        "[::1]5252",
        "[::1",
        "pi:",
        "[::1]:",
        "play@box",
        "pi?x",
    ],
)
def test_a_url_was_a_machine_that_could_not_be_reached(text: str) -> None:
    with pytest.raises(BadAddress, match=re.escape(FORM)):
        read_address(text)


@pytest.mark.parametrize("text", ["pi..local", f"{'x' * 64}.local", ".", "\u00fc" * 63])
def test_a_name_that_no_machine_can_have_was_a_crash(text: str) -> None:
    with pytest.raises(BadAddress, match=re.escape(FORM)):
        read_address(text)


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), ("pi", False), ("10.0.0.1", False)],
)
def test_which_hosts_are_this_machine(host: str, loopback: bool) -> None:  # noqa: FBT001
    assert Address(host=host).is_loopback is loopback


def test_an_address_is_shown_as_it_can_be_typed() -> None:
    assert str(Address(host="::1", port=6000)) == "[::1]:6000"
    assert read_address(str(Address(host="::1", port=6000))) == Address(host="::1", port=6000)
