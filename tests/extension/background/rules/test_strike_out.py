"""What a person has typed does not come back in what is told of the page: a pure module, run by node."""

from extension.in_node import run

SCRIPT = "return given.map(([typed, text]) => strikerOf(typed.map((each) => ({ text: each })))(text));"
OUT = "[typed by the user]"
LONG = "The quick brown fox jumps over the lazy dog"

CASES: list[tuple[list[str | None], str, str]] = [
    (["secret-1"], "before secret-1, SECRET-1 after", f"before {OUT}, {OUT} after"),
    (["a b&c=ä"], "?q=a+b%26c%3D%C3%A4&r=a%20b%26c%3D%C3%A4#a b&c=ä", f"?q={OUT}&r={OUT}#{OUT}"),
    (['say "hi" now'], '- textbox: "say \\"hi\\" now"', f'- textbox: "{OUT}"'),
    (["481205"], "code=481205&next=1481205", f"code={OUT}&next=1{OUT}"),
    # Short ones are parts of other words, shorter ones words of any page.
    (["732"], "732 1732 [732] 7321", f"{OUT} 1732 [{OUT}] 7321"),
    (["Jo", "1"], "Jo has 1", "Jo has 1"),
    # A code is often typed into a field for each digit.
    (["4", "8", "1", "2"], "code 4812, 4 of 8", f"code {OUT}, 4 of 8"),
    ([LONG], f"{LONG[:20]}… and {LONG}.", f"{OUT}… and {OUT}."),
    (["first line\nsecond line"], "first line / second  line", f"{OUT} / second  line"),
    (["anna", "anna@example.org"], "Hello anna@example.org", f"Hello {OUT}"),
    ([None, "", "   "], "nothing typed", "nothing typed"),
    (["İstanbul gün"], "in İstanbul gün", f"in {OUT}"),
]


def test_what_was_typed_is_struck_out_wherever_and_however_it_turns_up() -> None:
    asked = [[typed, text] for typed, text, _ in CASES]
    assert run(["background/rules/strike-out.js"], SCRIPT, given=asked) == [expected for _, _, expected in CASES]


WHOLE = "return given.map(([values, text]) => wholeStrikerOf(values, '[x]')(text));"

SECRETS: list[tuple[list[str], str, str]] = [
    (["correct horse"], "is correct horse, Correct Horse; correct+horse, correct%20horse", "is [x], [x]; [x], [x]"),
    # A beginning that was recognised would tell the rest, character by character.
    (
        ["hunter22-and-more-than-that"],
        "hunter22-and-more-th hunter22-and-more-than-tha",
        "hunter22-and-more-th hunter22-and-more-than-tha",
    ),
    (["hunter22", "hunter22-long"], "hunter22-long hunter22", "[x] [x]"),
    (
        ['a<b&"c"d'],
        '<i title="a<b&amp;&quot;c&quot;d">a&lt;b&amp;"c"d</i> a&lt;b&amp;&quot;c&quot;d',
        '<i title="[x]">[x]</i> [x]',
    ),
    (['say "hi"\\now'], '{"v": "say \\"hi\\"\\\\now"}', '{"v": "[x]"}'),
    (["(a|b)*.$[c]{1}"], "ab (a|b)*.$[c]{1} (a|b)*", "ab [x] (a|b)*"),
]


def test_a_secret_is_struck_out_as_a_whole_in_every_way_to_write_it() -> None:
    asked = [[values, text] for values, text, _ in SECRETS]
    assert run(["background/rules/strike-out.js"], WHOLE, given=asked) == [expected for _, _, expected in SECRETS]
