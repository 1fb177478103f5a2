"""The facade's limits without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabwire.config import load
from tabwire.errors import InvalidArgument
from tabwire.settings.tool_limits import ToolLimits, load_limits

YAML = """
mcp:
  tool_limits:
    global_max_bytes: 100000
    defaults:
      response_bytes: 5000
    browser_get_html:
      response_bytes: 999999
      ellipsize_text_after: 9
    chunks:
      default_chunk_size_bytes: 700
      max_chunk_bytes: 800
"""
TOML = """
[mcp.tool_limits]
global_max_bytes = 100000
defaults = {response_bytes = 5000}
browser_get_html = {response_bytes = 999999, ellipsize_text_after = 9}
chunks = {default_chunk_size_bytes = 700, max_chunk_bytes = 800}
"""


def test_the_limits_are_those_of_the_document_until_they_are_configured() -> None:
    limits = ToolLimits()
    assert limits.global_max_bytes == 256_000
    text, html, script, search = (
        limits.of(name) for name in ("browser_get_text", "browser_get_html", "browser_execute", "web_search")
    )
    assert (text.response_bytes, text.chunk_bytes) == (64_000, 16_000)
    assert (html.response_bytes, html.chunk_bytes, html.ellipsize_text_after) == (128_000, 32_000, 128)
    assert (script.response_bytes, script.chunk_bytes) == (32_000, 12_000)
    assert limits.of("browser_evaluate") == script
    assert (search.response_bytes, search.chunk_bytes, search.max_chunk_bytes) == (64_000, 16_000, 128_000)


@pytest.mark.parametrize(("name", "text"), [("limits.yaml", YAML), ("limits.yml", YAML), ("limits.toml", TOML)])
def test_limits_come_from_yaml_or_toml(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    limits = load_limits(file)
    html, other = limits.of("browser_get_html"), limits.of("web_search")
    assert (html.response_bytes, html.ellipsize_text_after) == (100_000, 9), "none is over the global limit"
    assert (html.chunk_bytes, html.max_chunk_bytes) == (800, 800), "a chunk is no larger than the largest"
    assert (other.response_bytes, other.chunk_bytes) == (5000, 700)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("limits.yaml", "mcp: {tool_limits: {browser_get_txt: {}}}", "browser_get_txt"),
        ("limits.toml", "[mcp.tool_limits]\nglobal_max_bytes = 0", "global_max_bytes"),
        ("limits.yaml", "mcp: [", "limits.yaml"),
        ("limits.toml", "mcp", "limits.toml"),
    ],
)
def test_limits_that_are_none_are_refused_with_the_place(tmp_path: Path, name: str, text: str, words: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(InvalidArgument, match=words):
        load_limits(file)


def test_the_configuration_file_may_hold_the_limits(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("[facade.tool_limits.browser_execute]\nresponse_bytes = 77\n")
    config = load({"home": str(tmp_path)}, {"TABWIRE_FACADE_SEARCH_URL": "http://engine.example/{query}"})
    assert config.facade.tool_limits_in_force().of("browser_execute").response_bytes == 77
    assert config.facade.search_url == "http://engine.example/{query}"
    with pytest.raises(InvalidArgument, match="drop one"):
        load({"home": str(tmp_path), "facade.limits": "x.toml"}, {})
