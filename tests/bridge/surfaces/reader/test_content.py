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
