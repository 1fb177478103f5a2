"""Files reach the page with name, type and content, however the page asks for them."""

import base64
from pathlib import Path
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.conftest import ShownPage
from e2e.input.acting import LOG, PATIENCE_S, Case, rows, target
from e2e.site import Site
from e2e.tabs.windows import open_windows
from polling import until

pytestmark = pytest.mark.same_tab


def file(name: str = "a.txt", content: str | bytes = "hi", mime_type: str = "text/plain") -> dict[str, str]:
    raw = content.encode() if isinstance(content, str) else content
    return {"name": name, "base64": base64.b64encode(raw).decode(), "mime_type": mime_type}


READ = """<script>f.onchange = async () => { globalThis.got = await Promise.all([...f.files].map(async (one) =>
  [one.name, one.type, one.size, await one.text()])) }; watch(f, 'click', 'input', 'change')</script>"""
ZONE = """<script>for (const type of ['dragenter', 'dragover']) z.addEventListener(type, (e) => { e.preventDefault(); z.className = 'over' });
z.addEventListener('drop', async (e) => { e.preventDefault(); globalThis.got = await Promise.all([...e.dataTransfer.files].map((one) => one.text())) })</script>"""


def upload(on: str, *files: dict[str, str]) -> tuple[Any, ...]:
    return ("upload", on, {"files": list(files)})


KINDS = {
    "text": [file("ä 1.txt", "grün ✓")],
    "many": [file("b.txt"), file("a.txt")],
    "empty": [file(content="")],
    "big": [file("big.txt", "x" * 500_000)],
    "bytes": [file("x.bin", bytes([0, 255, 10, 13, 128]), "application/octet-stream")],
}
CASES = [
    Case(
        "text beyond ASCII, several in order, an empty one, half a megabyte, and bytes as they are",
        "".join(f"<input id={name} type=file {'multiple' if name == 'many' else ''} aria-label={name}>" for name in KINDS)
        + "<script>globalThis.got = {}; for (const one of document.querySelectorAll('input')) one.onchange = async () => {"
        " got[one.id] = await Promise.all([...one.files].map(async ({ name, type, size }, at) => [name, type, size,"
        " size > 100 ? '' : type === 'text/plain' ? await one.files[at].text() : [...new Uint8Array(await one.files[at].arrayBuffer())]])) }"
        "</script>",
        [upload(f"button {name}", *files) for name, files in KINDS.items()],
        "got",
        {
            "text": [["ä 1.txt", "text/plain", 9, "grün ✓"]],
            "many": [["b.txt", "text/plain", 2, "hi"], ["a.txt", "text/plain", 2, "hi"]],
            "empty": [["a.txt", "text/plain", 0, ""]],
            "big": [["big.txt", "text/plain", 500_000, ""]],
            "bytes": [["x.bin", "application/octet-stream", 5, [0, 255, 10, 13, 128]]],
        },
    ),
    Case(
        "input and change come once each time, without a click, and a second upload replaces the first",
        f"<input id=f type=file aria-label=File>{READ}",
        [upload("button File", file("1.txt")), upload("button File", file("2.txt"))],
        "[log, [...f.files].map((one) => one.name)]",
        [["input", "change", "input", "change"], ["2.txt"]],
    ),
    Case(
        "by the label of a hidden input",
        f"<label id=l style='cursor:pointer'>Attach<input id=f type=file hidden></label>{READ}",
        [upload("#l", file())],
        "globalThis.got?.[0][0]",
        "a.txt",
    ),
    Case(
        "by a box around the input",
        f"<div id=z style='cursor:pointer'>Choose or drop<input id=f type=file style='display:none'></div>{READ}",
        [upload("#z", file())],
        "globalThis.got?.[0][3]",
        "hi",
    ),
    Case(
        "an image that the page shows",
        "<input id=f type=file accept='image/*' aria-label=Photo><img id=i><script>f.onchange = () => { i.src = URL.createObjectURL(f.files[0]) }</script>",
        [
            upload(
                "button Photo", file("p.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='5'/>", "image/svg+xml")
            )
        ],
        "i.naturalWidth",
        7,
    ),
    Case(
        "a controlled input that is emptied after each choice",
        "<input id=f type=file aria-label=File><script>f.onchange = () => { log.push(f.files[0].name); f.value = '' }</script>",
        [upload("button File", file("1.txt")), upload("button File", file("2.txt"))],
        "log",
        ["1.txt", "2.txt"],
    ),
    Case(
        "in a shadow root",
        "<x-up></x-up><script>const root = document.querySelector('x-up').attachShadow({ mode: 'open' }); root.innerHTML = '<input type=file aria-label=Deep>';"
        "root.querySelector('input').onchange = (e) => { globalThis.got = e.target.files[0].name }</script>",
        [upload("button Deep", file())],
        "globalThis.got",
        "a.txt",
    ),
]


@rows(CASES)
def test_a_file_arrives(tabwire: Tabwire, site: Site, page: ShownPage, case: Case) -> None:
    case.run(tabwire, site, page)


ZONES = [
    Case(
        "a drop zone without an input",
        f"<div id=z role=region aria-label=Files style='height:80px'>Drop</div>{ZONE}",
        [upload("region Files", file(content="dropped"))],
        "globalThis.got",
        ["dropped"],
    ),
    Case(
        "two files into a drop zone",
        f"<div id=z role=region aria-label=Files style='height:80px'>Drop</div>{ZONE}",
        [upload("region Files", file(content="1"), file(content="2"))],
        "globalThis.got",
        ["1", "2"],
    ),
    Case(
        "a drop zone that listens on the document",
        "<div id=z role=region aria-label=Files style='height:80px'>Drop</div><script>document.addEventListener('dragover', (e) => e.preventDefault());"
        "document.addEventListener('drop', (e) => { e.preventDefault(); globalThis.got = [e.target.id, e.dataTransfer.types[0], e.dataTransfer.items[0].kind] })</script>",
        [upload("region Files", file())],
        "globalThis.got",
        ["z", "Files", "file"],
    ),
    Case(
        "a file whose kind nobody says",
        "<div id=z style='height:80px'>Drop here</div><script>z.ondragover = (e) => e.preventDefault();"
        "z.ondrop = (e) => { e.preventDefault(); globalThis.got = e.dataTransfer.files[0].name }</script>",
        [upload("#z", {"base64": "aGk=", "name": "a.txt"})],
        "globalThis.got",
        "a.txt",
    ),
]


def test_a_file_of_the_disk_is_posted_with_its_form(tabwire: Tabwire, site: Site, tmp_path: Path) -> None:
    path = tmp_path / "Notiz ü.csv"
    path.write_text("a,b\n1,ß\n", encoding="utf-8")
    tabwire.open(
        site.page(
            "<form action=/post method=post enctype=multipart/form-data><input name=doc type=file aria-label=Doc><button>Send</button></form>"
        )
    )
    tabwire.ok("upload", selector=target(tabwire, "button Doc"), files=[str(path)])
    tabwire.ok("click", selector=target(tabwire, "button Send"))
    sent = site.wait_for_post("/post").uploads[0]
    assert (sent.field, sent.filename, sent.content_type, sent.content.decode()) == (
        "doc",
        "Notiz ü.csv",
        "text/csv",
        "a,b\n1,ß\n",
    )


UNFIT: dict[str, tuple[str, list[Any]]] = {
    "one is taken": ("<input id=f type=file>", [file(), file("b.txt")]),
    "disabled": ("<input id=f type=file disabled>", [file()]),
    "no such file": ("<input id=f type=file>", ["/no/such/file.txt"]),
    "text": ("<p id=f>Plain text</p>", [file()]),
}


def test_what_takes_no_such_files_says_so(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    """A chooser is waited for before; an upload to nothing waits beside them, no longer than other acts."""
    tabwire.open(site.page("<p>No input"))
    missing = tabwire.start("upload", selector="#f", files=[file()])
    watched = "<script>watch(f, 'input', 'change')</script>"
    windows = open_windows(tabwire, browser, {name: site.page(f"{LOG}{html}{watched}") for name, (html, _) in UNFIT.items()})
    refusals = {
        name: tabwire.start("upload", selector="#f", tabId=windows[name].tab, files=files, timeout=500)
        for name, (_, files) in UNFIT.items()
    }
    assert {name: upload.result(20).is_error for name, upload in refusals.items()} == dict.fromkeys(UNFIT, True)
    text = refusals["text"].result()
    assert (text.code, "opens no file chooser" in text.text) == ("invalid_element_state", True), text
    got = {name: windows[name].page.evaluate("[log, f.files?.length ?? 0]") for name in UNFIT}
    assert got == dict.fromkeys(UNFIT, [[], 0])
    reply = missing.result(20)
    assert reply.code == "no_such_element" and reply.elapsed_ms < 15_000


def test_a_file_is_dropped_where_no_chooser_opens(tabwire: Tabwire, site: Site, browser: Browser) -> None:
    """A chooser is waited for before, in all windows at once."""
    windows = open_windows(tabwire, browser, {case.name: site.page(f"{LOG}{case.html}") for case in ZONES})
    drops = {}
    for case in ZONES:
        ((tool, on, more),) = case.acts
        tab = windows[case.name].tab
        selector = on if on.startswith("#") else tabwire.ref(*on.split(), tabId=tab)
        drops[case.name] = tabwire.start(tool, selector=selector, tabId=tab, **more)
    assert {name: reply for name, drop in drops.items() if (reply := drop.result(20)).is_error} == {}
    until(
        lambda: {case.name: windows[case.name].page.evaluate(case.shows) for case in ZONES},
        equals={case.name: case.value for case in ZONES},
        within=PATIENCE_S,
    )


FOLDER_FORM = """<form action=/post method=post enctype=multipart/form-data>
<input id=f name=doc type=file webkitdirectory aria-label=Folder><button>Send</button></form>
<script>globalThis.heard = []; for (const type of ['input', 'change']) f.addEventListener(type, () => { heard.push(type) })</script>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of two files, one of them in a folder in it."""
    (tmp_path / "photos" / "sub").mkdir(parents=True)
    (tmp_path / "photos" / "a.txt").write_text("a")
    (tmp_path / "photos" / "sub" / "b.txt").write_text("b")
    return tmp_path / "photos"


def test_a_folder_is_given_with_the_paths_in_it(tabwire: Tabwire, page: ShownPage, site: Site, folder: Path) -> None:
    tabwire.open(site.page(FOLDER_FORM))
    reply = tabwire.ok("upload", selector="#f", files=[str(folder)])
    assert sorted(file["name"] for file in reply.data["files"]) == ["photos/a.txt", "photos/sub/b.txt"]
    assert page.evaluate("heard") == ["input", "change"]
    assert sorted(page.evaluate("[...f.files].map((one) => one.webkitRelativePath)")) == ["photos/a.txt", "photos/sub/b.txt"]
    tabwire.ok("click", selector="text:Send")
    uploads = site.wait_for_post("/post").uploads
    assert {(file.filename, file.content) for file in uploads} == {("photos/a.txt", b"a"), ("photos/sub/b.txt", b"b")}


def test_a_folder_is_given_to_an_input_in_a_frame(tabwire: Tabwire, site: Site, folder: Path) -> None:
    tabwire.open(site.page(f"<iframe src='{site.cross_page(FOLDER_FORM)}'></iframe>"))
    tabwire.ok("upload", selector=tabwire.ref("button", "Folder"), files=[{"path": str(folder)}])
    tabwire.ok("click", selector=tabwire.ref("button", "Send"))
    assert len(site.wait_for_post("/post").uploads) == 2


def test_a_folder_that_is_not_fit_is_refused_with_the_reason(tabwire: Tabwire, page: ShownPage, site: Site, folder: Path) -> None:
    (folder.parent / "empty").mkdir()
    (folder.parent / "linked").mkdir()
    (folder.parent / "linked" / "out").symlink_to("/etc/hostname")
    tabwire.open(site.page(f"{FOLDER_FORM}<input id=one type=file>"))
    given = str(folder)
    for selector, files, code, reason in (
        ("#one", [given], "invalid_argument", "takes no folder"),
        ("#f", [given, file()], "invalid_argument", "given alone"),
        ("#f", [str(folder.parent / "empty")], "invalid_argument", "has no files"),
        ("#f", [str(folder.parent / "linked")], "permission_denied", "outside the folders"),
    ):
        reply = tabwire.fails("upload", selector=selector, files=files)
        assert (reply.code, reason in reply.text) == (code, True), reply.text
    assert page.evaluate("[f.files.length, one.files.length, heard]") == [0, 0, []]


def test_a_picker_of_the_browser_is_said_to_take_no_files(tabwire: Tabwire, site: Site) -> None:
    tabwire.open(site.page("<button id=b onclick='showOpenFilePicker().catch(() => {})'>Open</button>"))
    reply = tabwire.fails("upload", selector="#b", files=[file()])
    assert (reply.code, "showOpenFilePicker" in reply.text) == ("unsupported_operation", True), reply.text
