"""Settings: which source wins, and what a bad one is told."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabwire.config import load
from tabwire.errors import InvalidArgument
from tabwire.wire import PORT_WINDOW


def test_the_command_line_beats_the_environment_beats_the_file(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('input = "dom"\nlog_level = "error"\nport = 2000\n')
    env = {"TABWIRE_HOME": str(tmp_path), "TABWIRE_INPUT": "trusted", "TABWIRE_PORT": "3000"}
    config = load({"port": 4000, "headless": None}, env)
    assert (config.port, config.input, config.log_level, config.headless) == (4000, "trusted", "error", False)


def test_defaults(tmp_path: Path) -> None:
    config = load({"home": str(tmp_path)}, {})
    assert config.ports() == PORT_WINDOW
    assert (config.toolset, config.input, config.launch) == ("agent", "auto", False)


@pytest.mark.skipif(sys.platform == "win32", reason="no named pipes in folders")
@pytest.mark.parametrize(
    "make",
    [lambda path: os.mkfifo(path), os.mkdir, lambda path: os.symlink("/dev/zero", path), lambda path: os.symlink("x", path)],
)
def test_settings_that_are_no_plain_file_are_not_passed_over(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "config.toml")
    with pytest.raises(InvalidArgument, match=r"config\.toml: (it is not a plain file|it is a folder|No such file)"):
        load({"home": str(tmp_path)}, {})


@pytest.mark.parametrize(
    ("said", "who"), [("1", "client"), ("true", "client"), ("client", "client"), ("user", "user"), ("false", None), ("", None)]
)
def test_observing_only_ends_by_the_client_or_by_the_user(tmp_path: Path, said: str, who: str | None) -> None:
    assert load({"home": str(tmp_path)}, {"TABWIRE_OBSERVE_ONLY": said}).observe_only == who
    (tmp_path / "config.toml").write_text("observe_only = true\n")
    assert load({"home": str(tmp_path)}, {}).observe_only == "client"


def test_a_client_escalates_only_where_that_is_logged(tmp_path: Path) -> None:
    assert load({"home": str(tmp_path), "observe_only": "user"}, {"TABWIRE_EVENT_LOG": "false"}).observe_only == "user"
    with pytest.raises(InvalidArgument, match="event log"):
        load({"home": str(tmp_path), "observe_only": "client"}, {"TABWIRE_EVENT_LOG": "false"})


def test_a_pinned_port_is_the_only_one(tmp_path: Path) -> None:
    assert load({"home": str(tmp_path), "port": 5000}, {}).ports() == (5000,)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ('inputs = "dom"', "inputs"),
        ('input = "fast"', "input"),
        ("port = 80", "port"),
        ("= nonsense", "config.toml"),
        ('home = "/tmp"', "set TABWIRE_HOME"),
        ('profile = "~nobody-of-this-name/p"', "profile"),
    ],
)
def test_a_bad_file_is_named_with_its_mistake(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(InvalidArgument, match=named):
        load({"home": str(tmp_path)}, {})


def test_an_unknown_toolset_names_the_setting(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgument, match="toolset"):
        load({"home": str(tmp_path), "toolset": "nothing"}, {})


def test_groups_of_tools_are_a_list_with_commas(tmp_path: Path) -> None:
    assert load({"home": str(tmp_path)}, {"TABWIRE_TOOLS": "core, media"}).tools == ["core", "media"]


def test_foreign_variables_are_left_alone(tmp_path: Path) -> None:
    assert load({"home": str(tmp_path)}, {"TABWIRE_SOMETHING": "1"}).port is None


@pytest.mark.parametrize("source", ["option", "environment", "file"])
def test_a_browser_is_named_by_option_environment_or_file(tmp_path: Path, source: str) -> None:
    (tmp_path / "config.toml").write_text('browser = " Work "\n' if source == "file" else "")
    env = {"TABWIRE_BROWSER": "Work"} if source == "environment" else {}
    assert load({"home": str(tmp_path), "browser": "Work" if source == "option" else None}, env).browser == "Work"


def test_no_browser_is_named_unless_one_is(tmp_path: Path) -> None:
    assert load({"home": str(tmp_path)}, {}).browser is None
    with pytest.raises(InvalidArgument, match="browser"):
        load({"home": str(tmp_path), "browser": " "}, {})


@pytest.mark.parametrize("source", ["option", "environment", "file"])
def test_settings_of_a_table_come_from_option_environment_or_file(tmp_path: Path, source: str) -> None:
    (tmp_path / "config.toml").write_text('[reader]\nmax_cursors = 7\nsearch = "%s"\n' % ("brave" if source == "file" else "x"))
    env = {"TABWIRE_READER_SEARCH": "brave" if source == "environment" else "y"} if source != "file" else {}
    options = {"reader.search": "brave" if source == "option" else None, "reader.loader": None}
    reader = load({"home": str(tmp_path), **options}, env).reader
    assert (reader.search, reader.max_cursors, reader.loader) == ("brave", 7, "browser")


def test_a_key_from_the_environment_is_not_shown(tmp_path: Path) -> None:
    reader = load({"home": str(tmp_path)}, {"TABWIRE_READER_SEARCH_KEY": "s3cret"}).reader
    assert reader.search_key is not None and reader.search_key.get_secret_value() == "s3cret"
    assert "s3cret" not in repr(reader)


@pytest.mark.parametrize(
    ("text", "named"),
    [('[reader]\nloader = "carrier"', "reader.loader"), ("[reader]\nspeed = 1", "reader.speed"), ("reader = 1", "reader")],
)
def test_a_mistake_in_a_table_is_named(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "config.toml").write_text(text)
    with pytest.raises(InvalidArgument, match=named):
        load({"home": str(tmp_path)}, {})
