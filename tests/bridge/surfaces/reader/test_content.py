"""Content of an HTML page: everything, except what the page marks as something else."""

import pytest

from tabwire.surfaces.reader.loading.html.extraction import read_html
from tabwire.surfaces.reader.loading.time_limit import TimeLimit

TEXT = "Words of the content. " * 20
"""Text long enough that what is around it is the smaller part."""


def lines(html: str) -> list[str]:
    return list(read_html(html, "https://site.example/page", TimeLimit(100)).lines)


@pytest.mark.parametrize("lengths", [(1, 1), (1, 9), (9, 1), (4, 4, 4)])
def test_all_articles_are_read_and_the_heading_above_them(lengths: tuple[int, ...]) -> None:
    posts = "".join(f"<article><h2>Post {at}</h2><p>{TEXT * length}</p></article>" for at, length in enumerate(lengths))
    headings = [line for line in lines(f"<h1>Forum</h1>{posts}") if line.startswith("#")]
    assert headings == ["# Forum", *(f"## Post {at}" for at in range(len(lengths)))]


@pytest.mark.parametrize(
    "html",
    [
        "<div id=content><p>{text}</p></div><div id=comments><h2>Comments</h2><p>I agree. {text}</p></div>",
        "<article><p>{text}</p></article><section class=comments><h2>Comments</h2><p>I agree. {text}</p></section>",
        "<main><p>{text}</p></main><div id=comments><h2>Comments</h2><p>I agree. {text}</p></div>",
        "<div class=markdown-body><p>{text}</p></div><h2>Comments</h2><p>I agree. {text}",
    ],
)
def test_text_beside_an_element_called_content_is_read(html: str) -> None:
    read = lines(html.format(text=TEXT))
    assert "## Comments" in read
    assert read[-1].startswith("I agree.")


@pytest.mark.parametrize("element", ["main", "article", "div id=content"])
def test_the_heading_of_the_page_is_read_wherever_it_is(element: str) -> None:
    assert lines(f"<header><a href=/>Home</a><h1>Title</h1></header><{element}><p>{TEXT}")[-2:] == ["# Title", TEXT.strip()]


def test_the_header_and_footer_of_an_article_are_read_and_those_of_the_page_are_not() -> None:
    article = f"<article><header><p>By Ann</p></header><p>{TEXT}</p><footer>Posted on 5 May</footer></article>"
    read = lines(f"<header>Shop of toys</header>{article * 2}<footer>Imprint</footer>")
    assert read == ["By Ann", "", TEXT.strip(), "", "Posted on 5 May"] * 2


def test_the_header_and_footer_of_each_post_are_read_without_a_marked_content() -> None:
    post = f"<div><header><h2>Post</h2><p>By Ann</p></header><p>{TEXT}</p><footer>Posted on 5 May</footer></div>"
    read = lines(f"{post * 2}<footer>Imprint</footer>")
    assert [line for line in read if line] == ["## Post", "By Ann", TEXT.strip(), "Posted on 5 May"] * 2


@pytest.mark.parametrize(
    "marked",
    ["<nav>Elsewhere</nav>", "<div role=navigation>Elsewhere</div>", "<form role=search>Elsewhere</form>"]
    + ["<div role=complementary>Elsewhere</div>", "<aside>Elsewhere</aside>", "<footer>Elsewhere</footer>"],
)
def test_what_the_page_marks_as_something_else_is_left_out(marked: str) -> None:
    assert lines(f"<main><p>{TEXT}</p></main>{marked}") == [TEXT.strip()]


@pytest.mark.parametrize(
    "name", ["banner", "menu", "ads", "related", "skip", "social", "cookies", "sidebar", "footer", "nav", "share", "widget"]
)
@pytest.mark.parametrize("text", ["Important: the deadline is 5 May.", "Cookies need 200 g of butter. " * 9])
def test_a_name_alone_makes_no_text_something_else(name: str, text: str) -> None:
    box = f"<div class={name}>{text}</div><p id={name}>{text}</p>"
    assert lines(f"<main><p>{TEXT}</p>{box}<p>Last.</p></main>").count(text.strip()) == 2
    assert lines(f"<p>{TEXT}</p>{box}<p>Last.").count(text.strip()) == (1 if name == "footer" else 2)


@pytest.mark.parametrize("name", ["menu", "related", "cookie-banner", "ad", "newsletter"])
def test_links_with_the_name_of_something_else_are_left_out(name: str) -> None:
    links = "".join(f"<li><a href={n}>Entry {n}</a>" for n in range(5))
    assert lines(f"<main><p>{TEXT}</p><ul class={name}>{links}</ul></main>") == [TEXT.strip()]


@pytest.mark.parametrize("name", ["cookie-banner", "cookieConsent", "gdpr_notice", "consent-popup"])
def test_a_question_about_cookies_is_left_out(name: str) -> None:
    assert lines(f"<main><p>{TEXT}</p></main><div id={name}><p>We value your privacy.</p><button>Accept</button></div>") == [
        TEXT.strip()
    ]


def test_the_text_of_buttons_is_read() -> None:
    html = "<h3><button aria-expanded=false>How do I pay?</button></h3><p>By card.</p><p>Now <button>Buy</button> it."
    assert lines(html) == ["### How do I pay?", "By card.", "", "Now Buy it."]


def test_results_of_a_page_are_read() -> None:
    assert lines("<p>The sum is <output>42</output>.") == ["The sum is 42."]


def test_text_for_readers_without_scripts_is_read() -> None:
    static = "<noscript><h1>Static version</h1><p>All of <a href=/x>it</a>.</p></noscript>"
    assert lines(f"<head><noscript><link rel=x></noscript></head><div id=root></div>{static}") == [
        "# Static version",
        "All of it.",
    ]


def test_bylines_dates_and_comments_are_read() -> None:
    article = (
        "<article><header><h1>Title</h1><p class=social>By Ann</p><p class='share meta'><time>5 May</time></p></header>"
        f"<p>{TEXT}</p></article>"
    )
    comments = "<section id=comments><h2>Comments</h2><article><p>Bob: I agree.</p><footer>6 May</footer></article></section>"
    read = [line for line in lines(f"<body>{article}{comments}") if line]
    assert read == ["# Title", "By Ann", "5 May", TEXT.strip(), "## Comments", "Bob: I agree.", "6 May"]
