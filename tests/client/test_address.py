"""HOST[:PORT][/CODE] as people type it."""

import pytest

from client.way_in.address import Address, read_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("pi", Address(host="pi")),
        (" 192.168.1.20:6000 ", Address(host="192.168.1.20", port=6000)),
        ("pi/fox-42", Address(host="pi", code="FOX-42")),
        ("pi:6000/FOX-42-KIWI", Address(host="pi", port=6000, code="FOX-42-KIWI")),
        ("[::1]:6000", Address(host="::1", port=6000)),
        ("fe80::1", Address(host="fe80::1")),
        ("facedown join pi/FOX-42", Address(host="pi", code="FOX-42")),
    ],
)
def test_what_people_type_is_read(text: str, address: Address) -> None:
    assert read_address(text) == address


@pytest.mark.parametrize(
    "text", ["", "/FOX-42", "pi:x", "pi:0", "pi:65536", "a b", f"pi/{'x' * 25}"]
)
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^An? "):
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
