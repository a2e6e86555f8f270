"""A bug outside the game: what is left of it on the disk, and that it is nothing where guests share it."""

from pathlib import Path

import pytest

from client.command_line import commands as program


@pytest.mark.parametrize(
    ("kept", "said", "writes"),
    [("true", None, False), ("false", "no", True), ("false", "1", False)],
)
def test_a_guest_by_the_settings_file_left_a_crash_file_and_who_said_no_left_none(
    kept: str,
    said: str | None,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    *,
    writes: bool,
) -> None:
    def broken(*_: object) -> int:
        raise RuntimeError

    settings = tmp_path / "config.toml"
    settings.write_text(f"kiosk = {kept}\n")
    monkeypatch.setitem(program._COMMANDS, "doctor", broken)
    if said is not None:
        monkeypatch.setenv("FACEDOWN_KIOSK", said)

    assert program.run(["doctor", "--config", str(settings)]) == 1
    assert ("Details: " in capsys.readouterr().err) == writes
