"""What a command line is answered with that asks in other words for what there is."""

import pytest

from client.command_line import commands as program


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("tutorial", "facedown play --tutorial"),
        ("practice", "facedown play"),
        ("server", "facedown-server"),
        ("version", "facedown --version"),
        ("localhost", "facedown join localhost"),
        ("10.0.0.7:6000", "facedown join 10.0.0.7:6000"),
        ("pi/FOX-42", "facedown join pi/FOX-42"),
    ],
)
def test_who_left_a_word_out_was_only_told_which_commands_there_are(
    word: str, meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        program.run([word])

    assert ended.value.code == 2
    said = f"facedown: there is no command {word}. Did you mean {meant}? facedown --help has"
    assert capsys.readouterr().err.startswith(said)


def test_there_was_no_option_version_and_version_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        program.run(["play", "--version"])

    said = "facedown: --version stands before play. facedown --help has examples.\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("host 6000", "a port stands behind --port: facedown host --port 6000."),
        ("join pi 6000", "a port stands behind a colon: facedown join pi:6000."),
        ("join pi fox42", "a lobby stands behind a slash: facedown join pi/fox42."),
        ("join pi now", "now is one word too many."),
    ],
)
def test_a_port_or_a_lobby_that_stood_apart_was_only_one_word_too_many(
    line: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        program.run(line.split())

    assert capsys.readouterr().err.startswith(f"facedown: {said}")


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("join pi:44 6000", "6000"),
        ("join pi/FOX-42 6000", "6000"),
        ("join ::1 6000", "6000"),
        ("join pi/FOX-42 OWL-77", "OWL-77"),
    ],
)
def test_a_command_line_was_proposed_that_cannot_be(
    line: str, word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        program.run(line.split())

    assert capsys.readouterr().err.startswith(f"facedown: {word} is one word too many.")
