"""Tokens (o200k) of snapshots of real pages, ours beside those of Playwright MCP and agent-browser, and what each leaves out.

A control or a word counts as kept where the whole snapshot has it: Playwright's is the measure of controls, what the browser
draws that of words.
"""

import tempfile
from dataclasses import dataclass
from pathlib import Path

from agent_browser import AgentBrowser
from completeness import controls_of, missing, words_of
from pages.real_pages import APPLICATIONS, DOCUMENTS, RealPages
from peers import UNCUT, Bench
from playwright_peers import PlaywrightMcp
from row import Row
from tokens import counted

GOAL = 0.40
GOAL_EACH = 0.50
COLUMNS = ("whole", "default", "interactive", "Playwright", "agent-browser", "its -i")
HEAD = f"{'page':<34} " + " ".join(f"{name:>13}" for name in COLUMNS) + f" {'ratio':>6} {'controls':>12} {'words':>12}"


@dataclass(frozen=True)
class Sizes:
    """Sizes of a page: the tokens by column, and how many controls and words there are and are missing in ours."""

    page: str
    tokens: list[int]
    controls: tuple[int, int]
    words: tuple[int, int]

    @property
    def ratio(self) -> float:
        return self.tokens[0] / self.tokens[3]

    def __str__(self) -> str:
        kept = " ".join(f"{there - gone:>6}/{there:<5}" for gone, there in (self.controls, self.words))
        return f"{self.page[-34:]:<34} " + " ".join(f"{count:>13,}" for count in self.tokens) + f" {self.ratio:6.2f} {kept}"


def _sized(bench: Bench, playwright: PlaywrightMcp, agent: AgentBrowser, path: str) -> Sizes:
    url = bench.real.url(path)
    theirs = playwright.snapshot(url)
    agent.open(url)
    others = [agent.snapshot(), agent.snapshot("-i")]
    bench.open(url)
    ours = [bench.tabwire.ok("snapshot", **arguments).text for arguments in ({"max_chars": UNCUT}, {}, {"mode": "interactive"})]
    text = str(bench.browser.shown().evaluate("document.body.innerText"))
    lacking = missing(ours[0], text, theirs)
    controls = sum(lacking.controls.values()), controls_of(theirs).total()
    words = sum(lacking.words.values()), words_of(text).total()
    return Sizes(path.removesuffix(".html"), counted([*ours, theirs, *others]), controls, words)


def measure() -> list[Row]:
    """The table, and a row for each page and for all of them."""
    playwright, agent = PlaywrightMcp(), AgentBrowser()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            print(HEAD)
            found = []
            for path in RealPages.existing(DOCUMENTS + APPLICATIONS):
                found.append(_sized(bench, playwright, agent, path))
                print(found[-1], flush=True)
        finally:
            bench.close()
            agent.close()
            playwright.close()
    ours, theirs = (sum(sizes.tokens[column] for sizes in found) for column in (0, 3))
    worst = max(found, key=lambda sizes: sizes.ratio)
    return [
        Row(f"tokens of {len(found)} pages / Playwright MCP", ours, theirs, "", GOAL),
        Row(f"  the worst: {worst.page[-30:]}", worst.tokens[0], worst.tokens[3], "", GOAL_EACH),
        Row("  the longest default snapshot / 8,000", max(sizes.tokens[1] for sizes in found), 8_000, "", 1.0),
        Row("  interactive larger than whole, pages", sum(s.tokens[2] > s.tokens[0] for s in found), len(found), "", 0.0),
    ]
