"""Each command of the manual; those for a browser in one session, one after the other."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from e2e.page_tools.test_page_tools import POLYFILL
from e2e.site import Site
from programs import ROOT, environment, ran_here

PAGE = """<h1 id=head>Shop</h1><form onsubmit="event.preventDefault(); console.error('sent')"><label>Name <input id=name></label>
<label>Colour <select id=colour><option>red<option>green</select></label><label><input type=checkbox id=news> News</label>
<input type=file aria-label=File><button id=send>Send</button></form><div id=drop style="width:80px;height:40px">Drop here</div>
<button onclick="setTimeout(() => out.textContent = prompt('Why?'))">Ask</button><p id=out></p><p style="height:3000px"></p>"""
GREET = """<script>
document.modelContext.registerTool({ name: 'greet', description: 'Greets', execute: () => 'Hello' })</script>"""
FINGERPRINT = json.dumps({"role": "button", "name": "Send", "tag": "button"})

ALONE = """
install --client Cursor --print | .cursor/mcp.json
pair --list | paired
extension path | /
extension install --dir copy | The extension is in
extension pack --out tabwire.zip | files
completion bash | _tabwire()
log show | calls
log export |
log verify | log
serve --launch --headless < /dev/null |
uninstall --keep-data --print |
"""
"""Command lines that need no session, and what they print."""
IN_SESSION = """
navigate SITE | Shop
snapshot | button "Send"
query role button | Send
locator '[{"method": "role", "value": "button", "options": {"name": "Send"}}]' | @e
find send | Send
url | SITE
title | Shop
navigate NEXT | Next
back | Shop
forward | Next
back | Shop
reload | Shop
click '#send' | sent
dblclick '#head' | Double-click
type '#name' Ada | Ada
press '#name' End | Press a key
hover '#head' | Hover
drag '#head' '#drop' | nothing came of it
scroll down 200 | scroll
upload label:File a.txt | a.txt
fill '#name' Eve | value: as sent
fill-form '[{"label":"Name","value":"Ann"}]' | Filled 1 field
check '#news' | check
uncheck '#news' | uncheck
select '#colour' green | green
clear '#name' | Clear a field
focus '#name' | Focus
wait text Shop | waited_for: text
tab-new NEXT | Next
tab-list | Next
tab-close SHOWN | losed
tab-switch TAB | Shop
window-new NEXT | Next
tab-close SHOWN | losed
tab-switch TAB | Shop
evaluate '6 * 7' | 42
console --level error | sent
page-tools | greet
call-page-tool greet | Hello
screenshot -o page.png | Saved
pdf -o page.pdf | pages
record start | record
record stop -o page.gif | frames
click text:Ask | dialog
dialog accept Because | Accepted
request NEXT | Next
capture start | captur
capture stop -o calls.har | ended_by
route add '**/gone' --handler abort | route
route clear | cleared
console-messages | sent
console-message NUMBER | sent
network-requests | favicon
request-details NUMBER | GET
styles '#head' | h1
event-listeners '#send' | button
sources --text sent | sent
audit | axe-core
breakpoints | breakpoint
paused | paused
components '#send' | component
debug-report | report.html
performance-insights | Largest content
memory | object
code-profile start | Measures
code-profile stop | one each
cookies set seen yes | seen
storage set seen yes | seen
auth-state save shop | shop
viewport 800 600 | 800
device 'iPhone SE' | iPhone
geolocation 45 7 | 45
permissions '[{"name": "geolocation", "state": "denied"}]' | denied
emulate --color-scheme dark | dark
history Shop | Shop
bookmarks list_folders | folder
record-steps start | Recording
record-steps stop | tabwire
locate-step '#send' 'FINGERPRINT' | leads to
status | browser
batch titles | Shop
ask-user Ready? --timeout 100 | No answer yet
sessions | a browser of its own
"""
"""Command lines for a browser, and what they print. NUMBER: the first one that the line before has told, behind a #."""
ELSEWHERE = {
    "shell": "tests/bridge/cli/session/test_interactive.py",
    "demo": "tests/e2e/install/test_demo.py",
    "codegen": "tests/e2e/shell/test_shell.py",
    "replay": "tests/e2e/steps/test_changed_pages.py",
}
"""Command → what runs it: they need a terminal, a person or much time."""
HEADS = {"log", "extension"}
"""They only head other commands, and have pages of their own all the same."""


def lines_of(block: str) -> list[tuple[str, str]]:
    return [(line, says.strip()) for line, _, says in (one.rpartition(" |") for one in block.strip("\n").splitlines())]


def documented() -> set[str]:
    text = (ROOT / "docs" / "command-line.md").read_text()
    return set(re.findall(r"^### tabwire (.+)$", text, re.MULTILINE))


def test_every_command_of_the_manual_does_what_it_says(site: Site, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    words = {
        "SITE": site.page(PAGE + POLYFILL + GREET, "Shop"),
        "NEXT": site.serve("/next", "<!doctype html><title>Next</title><h1>Next</h1>"),
    }
    words["FINGERPRINT"] = FINGERPRINT
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/tabwire").write_text(f'#!/bin/sh\nexec {sys.executable} -m tabwire "$@"\n')
    (tmp_path / "bin/tabwire").chmod(0o755)
    folder = tmp_path / "typed"
    folder.mkdir()
    (folder / "a.txt").write_text("from the shell")
    (folder / "titles").write_text("title\n")
    env = environment(tmp_path / "home", HOME=str(tmp_path), PATH=f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    typed: set[str] = set()

    def meant(line: str) -> str:
        name = re.match(r"(?:--headless )?((?:log|extension) [a-z]+|[a-z-]+)", line)
        assert name
        typed.add(name[1])
        return re.sub(r"\b(SITE|NEXT|TAB|SHOWN|NUMBER|FINGERPRINT)\b", lambda found: words[found[1]], line)

    def run(line: str) -> subprocess.CompletedProcess[str]:
        line = f"tabwire {meant(line)}"
        return subprocess.run(["bash", "-c", line], cwd=folder, env=env, capture_output=True, text=True, timeout=60)

    def run_here(line: str) -> subprocess.CompletedProcess[str]:
        """Without a process: what the session says goes past Python's streams."""
        done = ran_here(*shlex.split(meant(line)), env=env, cwd=folder)
        said = capfd.readouterr()
        done.stdout, done.stderr = done.stdout + said.out, done.stderr + said.err
        return done

    def ok(done: subprocess.CompletedProcess[str], says: str) -> str:
        assert (done.returncode, words.get(says, says) in done.stdout) == (0, True), done
        return done.stdout

    # It waits for no browser as long as this home has no key.
    doctor = run("doctor")
    assert (doctor.returncode, "The first that fails: " in doctor.stdout) == (1, True), doctor
    for line, says in lines_of(ALONE):
        ok(run(line) if "<" in line else run_here(line), says)
    try:
        words["TAB"] = re.findall(r'"tabId":(\d+)', ok(run("--headless tab-list"), "tabId"))[0]
        for line, says in lines_of(IN_SESSION):
            told = ok(run_here(line), says)
            for word, pattern in (("NUMBER", r"#(\d+) "), ("SHOWN", r"tabId: (\d+)")):
                if found := re.search(pattern, told):
                    words[word] = found[1]
    finally:
        run_here("close --all")
    assert documented() - typed == ELSEWHERE.keys() | HEADS
    assert all((ROOT / file).is_file() for file in ELSEWHERE.values())
