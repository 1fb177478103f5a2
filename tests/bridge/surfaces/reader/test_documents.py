"""Documents that are not HTML, charsets, and what is kept of them."""

import json
from dataclasses import replace

import pytest

from bridge.pdf_files import pdf
from tabwire.errors import Timeout
from tabwire.surfaces.reader.cache import PageCache
from tabwire.surfaces.reader.errors import FetchFailed, UnsupportedMime
from tabwire.surfaces.reader.loading import requirements
from tabwire.surfaces.reader.loading.document import Document, content_type
from tabwire.surfaces.reader.loading.extracting import Extract, extract
from tabwire.surfaces.reader.loading.freshness import fresh_s
from tabwire.surfaces.reader.loading.lines import LINE_LIMIT
from tabwire.surfaces.reader.loading.requirements import required
from tabwire.surfaces.reader.loading.time_limit import TimeLimit
from tabwire.surfaces.reader.page import PageSnapshot

URL = "https://site.example/files/notes.txt?x=1"

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>News</title>
<item><title>First</title><link>/1</link><pubDate>Mon, 02 Nov 2026</pubDate>
<description>&lt;p&gt;Words and &lt;a href="/x"&gt;a link&lt;/a&gt;.&lt;/p&gt;</description></item>
<item><title>Second</title><guid>https://site.example/2</guid></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title>
<entry><title>One</title><link rel="self" href="no"/><link href="https://site.example/one"/><updated>2026-11-02</updated>
<content type="html">&lt;b&gt;Text&lt;/b&gt;</content></entry></feed>"""
RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
<channel><title>Old</title></channel><item><title>Entry</title><link>https://site.example/e</link></item></rdf:RDF>"""


def read(body: bytes | str, kind: str = "", limit: TimeLimit | None = None) -> PageSnapshot:
    content = body.encode() if isinstance(body, str) else body
    return extract(_document(kind, content), limit or TimeLimit(100)).page


def _document(kind: str, body: bytes) -> Document:
    mime_type, charset = content_type(kind)
    return Document(URL, mime_type, body, charset)


def test_plain_text_is_its_lines() -> None:
    page = read("One\r\n\tTwo\n\nThree\n\n", "text/plain")
    assert (page.lines, page.title) == (("One", "        Two", "", "Three"), "notes.txt")


def test_a_text_without_line_breaks_is_divided() -> None:
    page = read("x" * 100_000, "text/plain")
    assert {len(line) for line in page.lines} == {LINE_LIMIT}


def test_json_is_laid_out() -> None:
    assert read('{"a":[1,"ä"]}', "application/json").lines == ("{", '  "a": [', "    1,", '    "ä"', "  ]", "}")


@pytest.mark.parametrize("body", ["{'no': json", "[" * 100_000, ""])
def test_json_that_is_none_is_text(body: str) -> None:
    assert "".join(read(body, "application/problem+json").lines) == body


@pytest.mark.parametrize(
    "kind", ["text/markdown", "text/csv", "application/xml", "application/yaml", "application/javascript", "text/css"]
)
def test_other_texts_are_read_as_they_are(kind: str) -> None:
    assert read("# a, <b>: c", kind).lines == ("# a, <b>: c",)


@pytest.mark.parametrize("kind", ["image/svg+xml", "application/rtf", "text/rtf", "audio/mpeg", "multipart/mixed"])
def test_what_is_no_text_for_readers_is_told(kind: str) -> None:
    with pytest.raises(UnsupportedMime) as caught:
        read("x", kind)
    assert caught.value.data["mime_type"] == kind


def test_an_unknown_type_is_recognised_by_its_body() -> None:
    assert read("<!DOCTYPE html><title>T</title><p>x").title == "T"
    assert read(pdf(["Words"])).lines == ("[Page 1]", "Words")
    assert read("just words").lines == ("just words",)
    assert read(RSS, "text/xml").title == "News"


# PDF


def test_a_pdf_has_its_pages_title_and_links() -> None:
    page = read(pdf(["Page one", "Page two"], title="A paper", link="https://x.example/"), "application/pdf")
    assert page.title == "A paper"
    assert page.lines == ("[Page 1]", "Page one", "[Page 2]", "Page two")
    assert [(link.id, link.url, link.line) for link in page.links] == [(1, "https://x.example/", 0), (2, "https://x.example/", 2)]


def test_a_pdf_of_pictures_has_no_text() -> None:
    with pytest.raises(UnsupportedMime, match="no text layer"):
        read(pdf(["", ""]), "application/pdf")


@pytest.mark.parametrize("kept", [20, 120, 400])
def test_a_cut_pdf_is_told(kept: int) -> None:
    with pytest.raises((FetchFailed, UnsupportedMime)):
        read(pdf(["Words"])[:kept], "application/pdf")


def test_a_pdf_with_a_password_is_told() -> None:
    pypdf = pytest.importorskip("pypdf")
    writer = pypdf.PdfWriter()
    writer.add_blank_page(100, 100)
    writer.encrypt("secret", algorithm="AES-256")
    import io

    stream = io.BytesIO()
    writer.write(stream)
    with pytest.raises(UnsupportedMime, match="password"):
        read(stream.getvalue(), "application/pdf")


def test_what_calls_itself_pdf_and_is_none_is_told() -> None:
    with pytest.raises(UnsupportedMime):
        read("<p>Sorry", "application/pdf")


def test_a_pdf_that_is_too_long_for_its_time_is_read_in_part_and_says_so() -> None:
    ticks = iter(range(1000))
    limit = TimeLimit(30, clock=lambda: float(next(ticks)))
    document = Document(URL, "application/pdf", pdf(["Words"] * 50, link="https://x.example/"))
    found = extract(document, limit)
    note, *rest = found.page.lines
    read = len(rest) // 2
    assert 0 < read < 50
    assert note == f"[Pages {read + 1} to 50 of 50 are missing here: there was no time to read them]"
    assert rest[-2:] == [f"[Page {read}]", "Words"]
    assert found.page.links[0].line == 1
    assert not found.is_whole


def test_a_pdf_for_which_there_was_no_time_at_all_is_told() -> None:
    ticks = iter(range(1000))
    with pytest.raises(Timeout):
        read(pdf(["Words"] * 50), "application/pdf", TimeLimit(2, clock=lambda: float(next(ticks))))


# Feeds


@pytest.mark.parametrize("kind", ["application/rss+xml", "application/xml", "text/xml; charset=utf-8", ""])
def test_rss_is_a_list_of_entries(kind: str) -> None:
    page = read(RSS, kind)
    assert page.title == "News"
    assert page.lines == ("## First", "Mon, 02 Nov 2026", "Words and a link.", "", "## Second")
    assert [(link.id, link.url, link.line) for link in page.links] == [
        (1, "https://site.example/1", 0),
        (2, "https://site.example/x", 2),
        (3, "https://site.example/2", 4),
    ]


def test_atom_is_read() -> None:
    atom = read(ATOM, "application/atom+xml")
    assert (atom.title, atom.lines, atom.links[0].url) == ("Atom", ("## One", "2026-11-02", "Text"), "https://site.example/one")


def test_rss_1_is_read() -> None:
    rdf = read(RDF, "application/rdf+xml")
    assert (rdf.title, rdf.lines, rdf.links[0].url) == ("Old", ("## Entry",), "https://site.example/e")


def test_a_json_feed_is_read() -> None:
    entry = {"title": "E", "url": "https://site.example/j", "content_html": "<p>x</p>", "date_published": "2026"}
    feed = read(json.dumps({"title": "J", "items": [entry, 5]}), "application/feed+json")
    assert (feed.title, feed.lines) == ("J", ("## E", "2026", "x"))


@pytest.mark.parametrize("body", ["<rss><channel>", "<rss>", '<?xml version="1.0"?><html/>', "<feed", "<!DOCTYPE x><rss/>"])
def test_a_feed_that_is_none_is_text(body: str) -> None:
    assert body in "\n".join(read(body, "application/xml").lines) or not read(body, "application/xml").lines


def test_a_feed_with_entities_of_its_own_does_not_unfold_them() -> None:
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    body = f'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY e0 "ha">{entities}]><rss><channel><title>&e9;</title></channel></rss>'
    assert sum(map(len, read(body, "application/rss+xml").lines)) < 2000


# Charsets


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("Größe 漢字".encode(), "text/plain"),
        ("Größe 漢字".encode(), "text/plain; charset=utf-8"),
        ("Größe 漢字".encode(), "text/plain; charset=iso-8859-1"),
        ("Größe 漢字".encode("utf-8-sig"), "text/plain; charset=us-ascii"),
        ("Größe 漢字".encode("utf-16"), "text/plain; charset=utf-16"),
        (b"\xff\xfe" + "Größe 漢字".encode("utf-16-le"), "text/plain"),
        ("Größe 漢字".encode("gb18030"), "text/plain; charset=gb2312"),
        ("Größe 漢字".encode(), 'text/plain; charset="no-such-charset"'),
        ("Größe 漢字".encode(), "text/plain; charset=unicode_escape"),
        ("Größe 漢字".encode(), "text/plain; charset=utf-7"),
    ],
)
def test_texts_are_read_in_their_charset_whatever_the_label(body: bytes, kind: str) -> None:
    assert read(body, kind).lines == ("Größe 漢字",)


@pytest.mark.parametrize(
    ("charset", "kind", "head"),
    [
        ("cp1252", "text/html; charset=iso-8859-1", ""),
        ("cp1252", "text/html", ""),
        ("cp1252", "text/html; charset=utf-8", ""),
        ("cp1252", "text/html", "<meta charset='windows-1252'>"),
        ("iso-8859-15", "text/html", "<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-15'>"),
        ("utf-8", "text/html", "<meta charset=utf-16>"),
        ("utf-8", "text/html; charset=windows-1252", "<meta charset=windows-1252>"),
        ("cp1252", "application/xhtml+xml", "<?xml version='1.0' encoding='iso-8859-1'?>"),
    ],
)
def test_pages_are_read_in_their_charset_whatever_the_label(charset: str, kind: str, head: str) -> None:
    assert read(f"{head}<p>Größe</p>".encode(charset), kind).lines == ("Größe",)


LABELS = {
    "x-sjis": ("shift_jis", "生れながら"),
    "windows-874": ("cp874", "มนุษย์"),
    "tis-620": ("cp874", "มนุษย์"),
    "iso-8859-8-i": ("iso-8859-8", "בני האדם"),
    "logical": ("iso-8859-8", "בני האדם"),
    "x-mac-cyrillic": ("mac_cyrillic", "Все люди"),
    "x-mac-roman": ("mac_roman", "Größe"),
    "x-gbk": ("gbk", "尊严和权利"),
    "cn-big5": ("big5", "尊嚴和權利"),
    "x-x-big5": ("big5", "尊嚴和權利"),
    "x-euc-jp": ("euc_jp", "尊厳と権利"),
    "ks_c_5601-1987": ("cp949", "모든 인간"),
    "windows-949": ("cp949", "모든 인간"),
    "csibm866": ("cp866", "Все люди"),
    "koi8-ru": ("koi8_u", "Всі люди"),
    "x-cp1250": ("cp1250", "wolni i równi"),
    "iso_8859-7:1987": ("iso-8859-7", "άνθρωποι"),
    "unicode11utf8": ("utf-8", "Größe"),
    "unicodefffe": ("utf-16-be", "Größe"),
    "iso-2022-kr": ("iso2022_kr", "모든 인간"),
}


@pytest.mark.parametrize("label", LABELS)
def test_labels_mean_what_they_mean_to_browsers(label: str) -> None:
    charset, text = LABELS[label]
    assert read(text.encode(charset), f"text/plain; charset={label.upper()}").lines == (text,)


UNNAMED = {
    "cp1251": "Все люди рождаются свободными и равными в своем достоинстве",
    "koi8_r": "Все люди рождаются свободными и равными в своем достоинстве",
    "cp932": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利",
    "euc_jp": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利",
    "iso2022_jp": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利",
    "gbk": "人人生而自由在尊严和权利上一律平等。他们赋有理性和良心",
    "big5": "人人生而自由,在尊嚴和權利上一律平等。他們賦有理性和良心",
    "cp949": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다",
    "cp874": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน",
    "cp1255": "כל בני האדם נולדו בני חורין ושווים בערכם",
    "cp1256": "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق",
    "cp1253": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια",
    "cp1250": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv",
    "iso8859_2": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw",
    "cp1254": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar",
    "cp1257": "Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis",
    "cp1252": "Tous les êtres humains naissent libres et égaux en dignité et en droits",
}


@pytest.mark.parametrize("charset", UNNAMED)
@pytest.mark.parametrize("kind", ["text/plain", "text/html"])
def test_a_charset_that_is_not_named_is_guessed(charset: str, kind: str) -> None:
    text = UNNAMED[charset]
    body = f"<!DOCTYPE html><html><head><title>t</title></head><body class=page><p>{text}</p>" if kind == "text/html" else text
    assert read(body.encode(charset), kind).lines == (text,)


@pytest.mark.parametrize(
    "text", ["Größe", "déjà vu", "mañana", "“Quoted” – café…", "Ærø", "Blåbær", "perché", "coração", "naïve", "©"]
)
def test_a_short_western_text_stays_one(text: str) -> None:
    assert read(f"Some words, and {text} in them.".encode("cp1252"), "text/plain").lines == (f"Some words, and {text} in them.",)


# What is kept


def _kept(url: str, body: bytes = b"x", etag: str | None = None, fresh: float = 0) -> tuple[Document, Extract]:
    page = PageSnapshot(url, "", (body.decode(),))
    return Document(url, "text/plain", body, etag=etag, fresh_s=fresh), Extract(page)


def test_a_page_is_known_by_address_tag_and_length() -> None:
    cache = PageCache()
    document, found = _kept("https://a.example/x", b"one", '"1"')
    cache.keep(document, found)
    assert cache.same(replace(document, body=b"two")) is found
    assert cache.same(replace(document, url="HTTPS://A.example:443/x#part")) is found
    assert cache.same(replace(document, body=b"three")) is None
    assert cache.same(replace(document, etag='"2"')) is None
    assert cache.same(replace(document, url="https://a.example/y")) is None


def test_without_a_tag_the_body_decides() -> None:
    cache = PageCache()
    document, found = _kept("https://a.example/x", b"one")
    cache.keep(document, found)
    assert cache.same(document) is found
    assert cache.same(replace(document, body=b"two")) is None


def test_pages_are_fresh_for_as_long_as_their_server_says() -> None:
    now = 100.0
    cache = PageCache(clock=lambda: now)
    cache.keep(*_kept("https://a.example/x", fresh=10))
    kept = cache.latest("https://a.example/x")
    assert kept is not None and cache.is_fresh(kept)
    now = 111.0
    assert not cache.is_fresh(kept)
    cache.renew(kept, 5)
    assert cache.is_fresh(kept)


def test_the_least_recently_used_page_goes_first() -> None:
    cache = PageCache(max_characters=250)
    for name in "abc":
        cache.keep(*_kept(f"https://x.example/{name}", name.encode() * 100))
        cache.latest("https://x.example/a")
    assert [cache.latest(f"https://x.example/{name}") is not None for name in "abc"] == [True, False, True]
    cache.keep(*_kept("https://x.example/d", b"d" * 300))
    assert (cache.latest("https://x.example/d"), cache.count) == (None, 2)


def test_the_latest_version_of_a_page_counts() -> None:
    cache = PageCache()
    cache.keep(*_kept("https://x.example/a", b"old", '"1"'))
    cache.keep(*_kept("https://x.example/a", b"new", '"2"'))
    kept = cache.latest("https://x.example/a")
    assert kept is not None and kept.extract.page.lines == ("new",)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, 0),
        ({"cache-control": "max-age=60"}, 60),
        ({"cache-control": "public, Max-Age=60", "age": "50"}, 10),
        ({"cache-control": "max-age=60, no-cache"}, 0),
        ({"cache-control": "no-store"}, 0),
        ({"cache-control": "max-age=99999999999999999999"}, 3600),
        ({"cache-control": "max-age=-5"}, 0),
        ({"cache-control": "max-age=x"}, 0),
    ],
)
def test_freshness_is_what_cache_control_says(headers: dict[str, str], seconds: float) -> None:
    assert fresh_s(headers) == seconds


# What is not installed


def test_a_missing_library_is_told_with_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ModuleNotFoundError(name=name.partition(".")[0])

    monkeypatch.setattr(requirements, "import_module", missing)
    with pytest.raises(Exception, match="package selectolax") as caught:
        required("selectolax.lexbor", "Reading HTML")
    assert 'pip install "tabwire[reader]"' in str(caught.value)
    assert getattr(caught.value, "code", "") == "unsupported_operation"
