"""A browser of the user's own from a shell: real commands, a real session, and what the page and the site saw of it."""

import os
import re
import shlex
import signal

from bridge.cli.session.host.test_sessions import is_alive
from e2e.shell.typed import Shell
from e2e.site import Site
from e2e.ui.hand import Hand
from polling import until
from programs import ROOT

FORM = """<form onsubmit="event.preventDefault(); fetch('/post', {method: 'POST',
  body: new URLSearchParams(new FormData(this))}).then(() => { out.textContent = 'Thank you' })">
  <label>E-mail <input name=mail></label><button>Order</button></form><p id=out></p><input type=file aria-label=File>
  <script>document.title = 'Shop'; console.error('a warning of the shop')</script>"""
REF = re.compile(r'button "Order".*?(@e\d+)')


def test_the_commands_of_the_manual_work_as_they_are_written(shell: Shell, site: Site) -> None:
    block = re.search(r"```\n(tabwire open https.*?)```", (ROOT / "docs" / "shell.md").read_text(), re.DOTALL)
    assert block
    lines = block[1].strip().splitlines()
    told = {line: shell.ok(line.replace("https://example.org/shop", site.page(FORM))) for line in lines}
    assert site.wait_for_post("/post").form == {"mail": "ada@example.org"}
    assert (shell.work / "thanks.png").read_bytes().startswith(b"\x89PNG")
    assert "a warning of the shop" in told["tabwire console --level error --json"]
    assert 'button "Order"' in told["tabwire snapshot"] and "Shop" in told["tabwire tabs"]
    assert re.fullmatch(r"default: process \d+, your browser, idle for \d+ s\n", told["tabwire sessions"])
    assert shell.ok("tabwire sessions") == ""


def test_replies_are_those_of_the_tools(shell: Shell, site: Site) -> None:
    """But for the number of the marks around what a page says, which is new each time."""
    client = shell.chromium.join()
    shell.done("open", site.page(FORM))
    tab = shell.tab()["tabId"]
    same = {
        "title": client.ok("title", tabId=tab),
        "snapshot": client.ok("snapshot", tabId=tab),
        "query role button --return all": client.ok("query", tabId=tab, by="role", value="button", **{"return": "all"}),
        "find order": client.ok("find", tabId=tab, text="order"),
    }
    for line, reply in same.items():
        printed = shell.ok(f"tabwire {line} --tab-id {tab}")
        assert re.sub(r"\b\d{6}\b", "N", printed) == re.sub(r"\b\d{6}\b", "N", reply.fenced) + "\n"
    failed = shell.run(f"tabwire wait text nobody --timeout 200 --tab-id {tab}")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert failed.stderr == client.fails("wait", tabId=tab, text="nobody", timeout=200, **{"for": "text"}).fenced + "\n"


def test_a_tab_of_one_session_is_not_anothers(shell: Shell, site: Site) -> None:
    shell.done("open", site.page(FORM))
    tab = shell.current().evaluate("document.title = 'Leased'") and re.findall(
        r'"tabId":(\d+),[^{}]*Leased', shell.ok("tabwire tabs")
    )
    assert tab
    done = shell.run(f"tabwire -s other fill label:E-mail eve --tab-id {tab[0]}")
    assert done.returncode == 1 and "tab_leased" in done.stderr and "shell session default" in done.stderr
    assert shell.current().evaluate("document.querySelector('[name=mail]').value") == ""


def test_two_shells_share_a_session(shell: Shell, site: Site) -> None:
    shell.done("open", site.page(FORM + "<label>Name <input></label>"))
    both = [shell.start("fill", f"label:{name}", value) for name, value in (("E-mail", "cy@example.org"), ("Name", "Cy"))]
    assert [(one.communicate(timeout=30)[1], one.returncode) for one in both] == [("", 0)] * 2
    values = "[...document.querySelectorAll('label input')].map((field) => field.value)"
    assert shell.current().evaluate(values) == ["cy@example.org", "Cy"]


def test_a_killed_session_loses_nothing(shell: Shell, site: Site) -> None:
    shell.done("open", site.page(FORM))
    found = REF.search(shell.ok("tabwire snapshot"))
    assert found
    number = shell.session()
    os.kill(number, signal.SIGKILL)
    until(lambda: not is_alive(number))
    done = shell.run(f"tabwire click {found[1]}")
    assert (done.returncode, "had ended unexpectedly" in done.stderr) == (0, True), done
    assert site.wait_for_post("/post").form == {"mail": ""}


def test_ctrl_c_withdraws_an_act_and_says_what_became_of_it(shell: Shell, site: Site) -> None:
    shell.done("open", site.page(FORM))
    site.hold("/gate/slow")
    act = shell.start("open", site.url("/gate/slow"))
    until(lambda: "/gate/slow" in [hit.path for hit in site.hits])
    act.send_signal(signal.SIGINT)
    out, error = act.communicate(timeout=30)
    assert (act.returncode, out) == (130, "") and "cancelled: navigate had begun" in error
    site.let_go("/gate/slow")
    wait = shell.start("wait", "text", "never there")
    # It is known to be under way.
    until(lambda: "1 under way" in shell.ok("tabwire sessions"), every=0.1)
    wait.send_signal(signal.SIGINT)
    out, error = wait.communicate(timeout=30)
    assert (wait.returncode, out, error) == (
        130, "", "tabwire: cancelled: wait was withdrawn before anything was done in the browser\n"
    )  # fmt: skip
    assert shell.ok(f"tabwire open {shlex.quote(site.page('<h1>Again</h1>'))} && tabwire title")


def test_files_are_those_of_the_folder_in_which_a_command_is_typed(shell: Shell, site: Site) -> None:
    (shell.work / "a.txt").write_text("from the shell")
    shell.done("open", site.page(FORM))
    shell.ok("tabwire upload 'label:File' a.txt && tabwire pdf -o page.pdf && tabwire screenshot -o x.jpg")
    name = "document.querySelector('[type=file]').files[0].text()"
    assert shell.current().evaluate(name) == "from the shell"
    assert (shell.work / "page.pdf").read_bytes().startswith(b"%PDF") and (shell.work / "x.jpg").read_bytes().startswith(
        b"\xff\xd8"
    )
    saved = shell.ok("tabwire screenshot")
    assert re.search(r"Saved to (\S+\.png)", saved) and shell.run("tabwire upload 'label:File' /etc/hostname").returncode == 1


def test_a_batch_goes_as_far_as_its_lines_succeed(shell: Shell, site: Site) -> None:
    lines = f"open '{site.page(FORM)}'\nfill label:E-mail bo@example.org\nclick '#nothing' --timeout 300\nclick 'text:Order'"
    done = shell.run(f"printf '%s\\n' {shlex.quote(lines)} | tabwire batch -")
    assert done.returncode == 1 and "line 3 failed" in done.stderr and "Not run: 1 more" in done.stderr
    assert shell.current().evaluate("document.querySelector('[name=mail]').value") == "bo@example.org"
    assert site.posts == []


def test_a_script_that_acted_is_done_however_large_its_value(shell: Shell, site: Site) -> None:
    shell.done("open", site.page("<script>let paid = 0</script>"))
    script = "paid += 1; return 'x'.repeat({})"
    told = shell.ok(f'tabwire evaluate "{script.format(3_000_000)}" --max-output-size 5000000')
    assert "the script ran" in told and shell.current().evaluate("paid") == 1
    assert "the script ran" not in shell.ok(f'tabwire evaluate "{script.format(9)}"')


def test_a_browser_of_its_own_ends_with_the_session(shell: Shell, site: Site) -> None:
    done = shell.ok(f"tabwire -s own --headless open {shlex.quote(site.page('<h1>Own</h1>'))} && tabwire snapshot -s own")
    assert 'heading "Own"' in done
    number = shell.session("own")
    assert "a browser of its own" in shell.ok("tabwire sessions")
    assert shell.ok("tabwire close -s own") == ""
    until(lambda: not is_alive(number), within=1)


def test_a_test_is_recorded_while_a_person_acts(shell: Shell, site: Site) -> None:
    url = site.page(FORM)
    process = shell.start("codegen", url, "-o", "test_order.py")
    assert process.stdout
    assert "Recording what you do" in process.stdout.readline()
    page = shell.shown()
    assert page.url == url
    hand = Hand(page)
    hand.type("[name=mail]", "ada@example.org")
    hand.click("button")
    assert site.wait_for_post("/post").form == {"mail": "ada@example.org"}
    said = ""
    while "Order" not in said:
        said += process.stdout.readline()
    process.send_signal(signal.SIGINT)
    more, problems = process.communicate(timeout=30)
    assert (process.returncode, problems) == (0, "") and "Written to test_order.py" in more
    text = (shell.work / "test_order.py").read_text()
    assert """tabwire.fill('role:textbox[name="E-mail"]', "ada@example.org")""" in text and "def test_order(tabwire):" in text
