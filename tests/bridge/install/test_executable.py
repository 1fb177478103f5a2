"""The words that start this program again: of an installed program, of Python, of uvx, or of nothing that would stay."""

from pathlib import Path
from typing import Any

import pytest

from tabwire.errors import UnsupportedOperation
from tabwire.install.clients.executable import Running, start_words


def running(platform: str, argv0: Path | str, executable: Path | str, **more: Any) -> Running:
    given = {"prefix": str(Path(str(executable)).parent.parent), "env": {}, "which": lambda name: None, **more}
    return Running(platform, str(argv0), str(executable), **given)


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


def test_the_program_is_named_by_its_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = touch(tmp_path / "venv/bin/tabwire")
    python = tmp_path / "venv/bin/python"
    assert start_words(running("linux", script, python)) == [str(script)]
    monkeypatch.chdir(tmp_path)
    assert start_words(running("darwin", "venv/bin/tabwire", python)) == [str(script)]


def test_a_link_to_the_program_is_named_and_not_what_it_leads_to(tmp_path: Path) -> None:
    script = touch(tmp_path / "tools/tabwire-0.1/bin/tabwire")
    link = tmp_path / "bin/tabwire"
    link.parent.mkdir()
    link.symlink_to(script)
    assert start_words(running("linux", link, script.with_name("python"))) == [str(link)]


def test_a_module_run_by_python_finds_the_program_beside_it(tmp_path: Path) -> None:
    script = touch(tmp_path / "venv/bin/tabwire")
    module = touch(tmp_path / "lib/tabwire/__main__.py")
    assert start_words(running("linux", module, script.with_name("python"))) == [str(script)]


def test_without_a_program_python_is_told_the_module(tmp_path: Path) -> None:
    assert start_words(running("linux", "/x/__main__.py", tmp_path / "bin/python")) == [
        str(tmp_path / "bin/python"),
        "-m",
        "tabwire",
    ]


@pytest.mark.parametrize("called", ["tabwire", "tabwire.exe"])
def test_on_windows_the_program_has_its_suffix(called: str, tmp_path: Path) -> None:
    script = touch(tmp_path / "Scripts/tabwire.exe")
    assert start_words(running("win32", script.with_name(called), tmp_path / "Scripts/python.exe")) == [str(script)]


@pytest.mark.parametrize(
    ("prefix", "platform"),
    [
        ("/home/me/.cache/uv/archive-v0/AbC123", "linux"),
        ("/home/me/Library/Caches/uv/environments-v2/tabwire-1f", "darwin"),
        (r"C:\Users\me\AppData\Local\uv\cache\archive-v0\AbC123", "win32"),
    ],
)
def test_from_the_cache_of_uv_it_is_uvx_that_is_named(prefix: str, platform: str, tmp_path: Path) -> None:
    suffix = ".exe" if platform == "win32" else ""
    uvx = touch(tmp_path / f"bin/uvx{suffix}")
    given = running(platform, "/x/tabwire", "/x/python", prefix=prefix, env={"UV": str(uvx.with_name(f"uv{suffix}"))})
    assert start_words(given) == [str(uvx), "tabwire"]


def test_uvx_is_told_where_this_tabwire_came_from(tmp_path: Path) -> None:
    uvx = touch(tmp_path / "uvx")
    given = running(
        "linux", "/x", "/y", prefix="/c/uv/archive-v0/x", which=lambda name: str(uvx), origin="git+https://host/tabwire"
    )
    assert start_words(given) == [str(uvx), "--from", "git+https://host/tabwire", "tabwire"]


def test_uv_does_what_uvx_would(tmp_path: Path) -> None:
    given = running("linux", "/x", "/y", prefix="/c/uv/archive-v0/x", env={"UV": str(tmp_path / "uv")})
    assert start_words(given) == [str(tmp_path / "uv"), "tool", "run", "tabwire"]


@pytest.mark.parametrize(
    ("prefix", "words"),
    [("/home/me/.cache/uv/archive-v0/x", "uv tool install"), ("/home/me/.local/share/pipx/.cache/8f2", "pipx install")],
)
def test_a_place_that_will_not_stay_is_refused_with_what_to_do(prefix: str, words: str) -> None:
    with pytest.raises(UnsupportedOperation, match=words):
        start_words(running("linux", "/x", "/y", prefix=prefix))


@pytest.mark.parametrize("prefix", ["/home/me/.local/share/pipx/venvs/tabwire", "/home/me/.local/share/uv/tools/tabwire"])
def test_an_installed_tool_is_named_by_its_path(prefix: str, tmp_path: Path) -> None:
    script = touch(tmp_path / "tabwire")
    assert start_words(running("linux", script, "/y/python", prefix=prefix)) == [str(script)]
