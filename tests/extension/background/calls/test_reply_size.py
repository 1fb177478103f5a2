"""Replies that fit into one message to the bridge; run by node."""

from typing import Any

from extension import in_node

MB = 1_000_000


def fitted(method: str, made: str) -> dict[str, Any]:
    """The outcome of a call whose result is made by an expression, with the bytes of its message."""
    script = f"""
      const outcome = {{ type: "success", result: {made}, about: {{ tabId: 1 }} }};
      const fitting = fitToFrame(outcome, "{method}");
      const bytes = new TextEncoder().encode(JSON.stringify(fitting)).length;
      const short = JSON.parse(JSON.stringify(fitting, (name, one) => (one.length > 300 ? `${{one.length}}: ${{one.slice(-30)}}` : one)));
      return {{ bytes, isSame: fitting === outcome, outcome: short }};"""
    answer: dict[str, Any] = in_node.run(["background/calls/reply-size.js"], script)
    return answer


def test_what_an_act_gave_loses_the_ends_of_its_longest_texts() -> None:
    made = "{ status: 200, note: 'short', requests: [{ url: 'a', body: '語'.repeat(30_000_000) }, { body: 'x'.repeat(500) }] }"
    told = fitted("network.capture", made)
    assert told["bytes"] <= 64 * 1024 * 1024 and not told["isSame"]
    result = told["outcome"]["result"]
    assert (result["status"], result["note"], result["requests"][0]["url"]) == (200, "short", "a")
    assert "(30,000,000 characters)" in result["requests"][0]["body"] and result["requests"][1]["body"].startswith("500: ")


def test_a_file_is_not_cut_in_its_middle() -> None:
    made = "{ base64: true, body: 'A'.repeat(44_000_000), headers: { h: '\\u0001'.repeat(9_000_000) } }"
    told = fitted("network.request", made)
    assert told["bytes"] <= 64 * 1024 * 1024
    assert (
        told["outcome"]["result"]["body"].startswith("44000000: A") and "characters)" in told["outcome"]["result"]["headers"]["h"]
    )


def test_a_read_fails_and_an_act_does_not_where_nothing_can_be_cut() -> None:
    read = fitted("snapshot.find", "{ text: 'x'.repeat(70_000_000) }")["outcome"]
    assert (read["type"], read["error"], read["about"]) == ("error", "result_too_large", {"tabId": 1})
    assert fitted("script.evaluate", "{ value: 'x'.repeat(70_000_000) }")["outcome"]["type"] == "success"
    lost = fitted("script.evaluate", "{ value: Array(12_000_000).fill(12345) }")["outcome"]
    assert lost["error"] == "unknown_error" and "was carried out" in lost["message"]


def test_what_fits_stays_as_it_is() -> None:
    for made in ("{ text: 'x'.repeat(60_000_000) }", "{ value: '\\u0001'.repeat(11_000_000) }", "{}"):
        assert fitted("script.evaluate", made)["isSame"], made
