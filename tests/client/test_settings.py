"""What can be set, and what is said of a value that cannot be."""

from pathlib import Path

import pytest
from msgspec import structs

from client.command_line.options import argument_parser, settings_of
from client.kept.config import keep, load, with_flags
from client.settings import (
    DEFAULTS,
    SETTINGS,
    BadSetting,
    Kind,
    Origins,
    Setting,
    Settings,
    is_mono,
    next_look,
    turned,
    value_of,
    with_values,
)

EACH = [pytest.param(setting, id=setting.name) for setting in SETTINGS]
CHOICES = [pytest.param(setting, id=setting.name) for setting in SETTINGS if setting.values]
WRONG = [pytest.param(setting, "?!", id=setting.name) for setting in SETTINGS]


def test_every_field_has_a_row() -> None:
    names = [field.name for field in structs.fields(Settings) if field.name != "origins"]

    assert names == [setting.name for setting in SETTINGS]


@pytest.mark.parametrize("setting", EACH)
def test_a_default_is_a_value_like_any_other(setting: Setting) -> None:
    value = value_of(DEFAULTS, setting.name)

    assert with_values(DEFAULTS, {setting.name: value}) == DEFAULTS


@pytest.mark.parametrize("setting", EACH)
def test_every_setting_can_be_said_in_all_three_places(setting: Setting, tmp_path: Path) -> None:
    other = (
        "zoe"
        if setting.kind is Kind.NAME
        else value_of(turned(DEFAULTS, setting.name, 1), setting.name)
    )
    path = tmp_path / "config.toml"
    path.write_text(
        f"{setting.name} = {str(other).lower() if other is True else repr(other)}\n".replace(
            "False", "false"
        )
    )
    word = str(other)
    switch = f"--{'' if other else 'no-'}{setting.name}"
    flag = [switch] if setting.kind is Kind.SWITCH else [f"--{setting.name}", word]

    in_file = load(path, {})
    in_environment = load(None, {f"FACEDOWN_{setting.name.upper()}": word})
    on_the_line = settings_of(argument_parser().parse_args(flag), {"FACEDOWN_CONFIG": str(path)})

    told = {value_of(each, setting.name) for each in (in_file, in_environment, on_the_line)}
    assert told == {other}
    assert in_file.origins.of(setting.name) == "config.toml"
    assert in_environment.origins.of(setting.name) == f"FACEDOWN_{setting.name.upper()}"
    assert on_the_line.origins.of(setting.name) == f"--{setting.name}"


@pytest.mark.parametrize(("setting", "value"), WRONG)
def test_a_bad_value_in_the_file_is_told_with_file_key_value_and_what_is_allowed(
    setting: Setting, value: str, tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(f'{setting.name} = "{value}"\n')

    with pytest.raises(BadSetting) as told:
        load(path, {})

    assert f'{path}: {setting.name} = "{value}"' in str(told.value)
    assert f"{setting.name} is " in str(told.value)


@pytest.mark.parametrize(("setting", "value"), WRONG)
def test_a_bad_value_of_a_variable_is_told_with_its_name(setting: Setting, value: str) -> None:
    with pytest.raises(BadSetting) as told:
        load(None, {f"FACEDOWN_{setting.name.upper()}": value})

    assert f"FACEDOWN_{setting.name.upper()}={value}" in str(told.value)


def test_a_number_is_no_name(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("name = [1]\n")

    with pytest.raises(BadSetting, match=r"name = \[1\] is not possible"):
        load(path, {})


def test_a_name_with_a_space_after_it_was_refused_in_words_that_did_not_show_it() -> None:
    assert load(None, {"FACEDOWN_NAME": "ana "}).name == "ana"


@pytest.mark.parametrize("setting", CHOICES)
def test_a_choice_goes_round(setting: Setting) -> None:
    there = DEFAULTS
    for _ in setting.values:
        there = turned(there, setting.name, 1)

    assert there == DEFAULTS
    assert turned(turned(DEFAULTS, setting.name, 1), setting.name, -1) == DEFAULTS


def test_a_name_is_not_turned() -> None:
    assert turned(DEFAULTS, "name", 1) == DEFAULTS


def test_who_asks_for_colours_gets_them_though_there_were_to_be_none() -> None:
    dark = Settings(color="never")

    with_colours, name = next_look(dark)

    assert (is_mono(dark), is_mono(with_colours), name) == (True, False, "color")


def test_the_looks_go_round_and_one_of_them_is_without_colours() -> None:
    looks = [DEFAULTS]
    for _ in range(5):
        looks.append(next_look(looks[-1])[0])

    assert [look.theme for look in looks] == ["auto", "dark", "light", "contrast", "mono", "auto"]
    assert [is_mono(look) for look in looks] == [False, False, False, False, True, False]


# --- keeping ---------------------------------------------------------------------------------------


def kept_in(path: Path) -> Settings:
    return Settings(theme="light", origins=Origins(file=str(path)))


def test_only_what_was_changed_is_written(tmp_path: Path) -> None:
    path = tmp_path / "new" / "config.toml"

    assert keep(kept_in(path), "theme") == ""
    assert path.read_text() == 'theme = "light"\n'


def test_order_and_comments_stay(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    before = '# looks\ntheme = "dark" # for the evening\n\n# me\nname = "ana"\n\n[later]\nx = 1\n'
    path.write_text(before)

    keep(kept_in(path), "theme")

    assert path.read_text() == before.replace('"dark"', '"light"')


def test_a_new_key_does_not_land_in_a_table_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('name = "ana"\n\n[later]\nx = 1\n')

    keep(kept_in(path), "theme")

    assert load(path, {}).theme == "light"


def test_a_link_to_the_file_stays_a_link(tmp_path: Path) -> None:
    real, path = tmp_path / "dotfiles.toml", tmp_path / "config.toml"
    real.write_text('theme = "dark"\n')
    path.symlink_to(real)

    keep(kept_in(path), "theme")

    assert path.is_symlink()
    assert real.read_text() == 'theme = "light"\n'


def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"

    keep(kept_in(path), "theme")

    assert path.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.write_text("")

    told = keep(kept_in(in_the_way / "config.toml"), "theme")

    assert told.startswith("Not saved, it holds until you leave: ")
    assert str(in_the_way) in told


def test_a_file_that_is_no_toml_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("theme = ")

    told = keep(kept_in(path), "theme")

    assert "not valid TOML" in told
    assert path.read_text() == "theme = "


def test_nothing_is_kept_where_nothing_is_to_be() -> None:
    assert keep(DEFAULTS, "theme") == ""


def test_a_named_file_is_the_one_that_is_written(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("")
    settings = settings_of(argument_parser().parse_args(["--config", str(path)]), {})

    keep(turned(settings, "theme", 1), "theme")

    assert path.read_text() == 'theme = "dark"\n'


def test_a_flag_stands_over_what_the_file_said(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('theme = "dark"\nbell = false\n')

    settings = with_flags(load(path, {}), {"theme": "light"})

    assert (settings.theme, settings.bell) == ("light", False)
    assert settings.origins.of("theme") == "--theme"
    assert settings.origins.of("bell") == "config.toml"
    assert settings.origins.of("mouse") == "default"
    assert settings.origins.file == str(path)
