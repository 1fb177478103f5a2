"""History and bookmarks of the profile, read back through the extension's own APIs and not through the replies."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from e2e.cdp import Browser
from e2e.client import Tabwire
from e2e.site import Site

pytestmark = pytest.mark.same_tab


@pytest.fixture
def visited(tabwire: Tabwire, site: Site, browser: Browser) -> list[str]:
    """Addresses of three pages, in the order they were visited; the history knows little else."""
    browser.in_worker("chrome.history.deleteAll()")
    urls = [site.page("<h1>A</h1>", title=f"Visited {name}") for name in ("Zebra", "Yak", "Xerus")]
    for url in urls:
        tabwire.open(url)
    tabwire.open(site.url("/blank.html"))
    return urls


def found(tabwire: Tabwire, **arguments: Any) -> list[str]:
    return [entry["url"] for entry in tabwire.ok("history", **arguments).data["entries"]]


def test_history_is_listed_latest_first(tabwire: Tabwire, visited: list[str]) -> None:
    assert [url for url in found(tabwire) if url in visited] == visited[::-1]


def test_history_is_searched_by_title_and_by_url(tabwire: Tabwire, visited: list[str]) -> None:
    assert found(tabwire, query="Zebra") == [visited[0]]
    assert visited[1] in found(tabwire, query=visited[1])
    assert found(tabwire, query="Nothing of that name") == []


def test_history_is_bounded_and_says_so(tabwire: Tabwire, visited: list[str]) -> None:
    reply = tabwire.ok("history", max_results=2)
    assert (len(reply.data["entries"]), "only the latest 2" in reply.data["note"]) == (2, True)


def test_history_entries_say_when_and_how_often(tabwire: Tabwire, visited: list[str]) -> None:
    tabwire.open(visited[0])
    tabwire.open(visited[1])
    (entry,) = tabwire.ok("history", query="Zebra").data["entries"]
    assert entry["title"] == "Visited Zebra"
    assert entry["visits"] == 2
    assert abs(datetime.fromisoformat(entry["last_visit"]) - datetime.now().astimezone()) < timedelta(minutes=5)


def periods() -> list[tuple[dict[str, str], bool]]:
    """Periods, and whether the pages just visited are in them. A long run may have gone on past midnight since it began."""
    tomorrow = (datetime.now() + timedelta(days=1)).date().isoformat()
    return [
        ({"start_time": "1 hour ago"}, True),
        ({"start_time": "today", "end_time": "now"}, True),
        ({"end_time": "1 hour ago"}, False),
        ({"start_time": "2 days ago", "end_time": "1 day ago"}, False),
        ({"end_time": tomorrow}, True),
        ({"start_time": tomorrow}, False),
    ]


def test_history_keeps_to_the_period(tabwire: Tabwire, visited: list[str]) -> None:
    for period, is_found in periods():
        assert (visited[0] in found(tabwire, query="Zebra", **period)) is is_found, period


def test_pages_that_are_open_can_be_left_out(tabwire: Tabwire, visited: list[str]) -> None:
    tabwire.open(visited[0])
    assert visited[0] in found(tabwire)
    rest = found(tabwire, exclude_current_tabs=True)
    assert visited[0] not in rest
    assert visited[1] in rest


BAD_PERIODS: list[tuple[dict[str, Any], str]] = [
    ({"start_time": "soon"}, "2 hours ago"),
    ({"start_time": "today", "end_time": "2 days ago"}, "start_time is after end_time"),
    ({"max_results": 0}, "max_results"),
]


def test_bad_periods_are_refused(tabwire: Tabwire) -> None:
    for arguments, words in BAD_PERIODS:
        failure = tabwire.fails("history", **arguments)
        assert (failure.code, words in failure.text) == ("invalid_argument", True), (arguments, failure)


class Shelf:
    """The bookmarks of the profile, seen by the browser itself."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser

    def tree(self) -> list[dict[str, Any]]:
        nodes: list[dict[str, Any]] = self._browser.in_worker("chrome.bookmarks.getTree()")
        return nodes

    def paths(self) -> dict[str, str]:
        """URL → path of the folder it is in."""

        def walk(node: dict[str, Any], path: list[str]) -> dict[str, str]:
            if "url" in node:
                return {node["url"]: "/".join(path[:-1])}
            return {url: at for child in node.get("children", []) for url, at in walk(child, [*path, child["title"]]).items()}

        return walk(self.tree()[0], [])


@pytest.fixture
def shelf(tabwire: Tabwire, browser: Browser) -> Shelf:
    browser.in_worker(
        """(async () => {
          for (const top of await chrome.bookmarks.getChildren("0"))
            for (const node of await chrome.bookmarks.getChildren(top.id)) await chrome.bookmarks.removeTree(node.id);
        })()"""
    )
    return Shelf(browser)


def test_a_bookmark_is_added_where_it_belongs(tabwire: Tabwire, shelf: Shelf) -> None:
    added = tabwire.ok("bookmarks", action="add", url="https://a.example/x", title="A").data["bookmark"]
    assert added["title"] == "A"
    (folder,) = shelf.paths().values()
    assert added["folder"] == folder
    tabwire.ok("bookmarks", action="add", url="https://b.example/", parent_folder="1")
    assert shelf.paths()["https://b.example/"] != folder


def test_the_current_page_is_bookmarked_when_none_is_named(tabwire: Tabwire, shelf: Shelf, site: Site) -> None:
    url = site.page("<h1>Here</h1>", title="Here it is")
    tabwire.open(url)
    assert tabwire.ok("bookmarks", action="add").data["bookmark"]["title"] == "Here it is"
    assert list(shelf.paths()) == [url]


def test_folders_are_made_only_when_asked_and_found_again(tabwire: Tabwire, shelf: Shelf) -> None:
    missing = {"action": "add", "url": "https://a.example/", "parent_folder": "Work/Links"}
    assert "create_folder" in tabwire.fails("bookmarks", **missing).text
    assert shelf.paths() == {}
    assert tabwire.ok("bookmarks", **missing, create_folder=True).data["folders_created"] == ["Work", "Links"]
    assert shelf.paths()["https://a.example/"].endswith("/Work/Links")
    again = tabwire.ok(
        "bookmarks", **{**missing, "url": "https://b.example/", "parent_folder": "work/links/Deep"}, create_folder=True
    )
    assert again.data["folders_created"] == ["Deep"]
    assert shelf.paths()["https://b.example/"].endswith("/Work/Links/Deep")


def test_the_same_page_is_not_bookmarked_twice_in_a_folder(tabwire: Tabwire, shelf: Shelf) -> None:
    first = tabwire.ok("bookmarks", action="add", url="https://a.example/").data["bookmark"]
    second = tabwire.ok("bookmarks", action="add", url="https://a.example/").data
    assert second["bookmark"]["id"] == first["id"]
    assert "nothing was added" in second["note"]


def test_bookmarks_are_searched_by_words_and_by_folder(tabwire: Tabwire, shelf: Shelf) -> None:
    for folder, name in [("One", "apple"), ("One/Inner", "apricot"), ("Two", "apple pie")]:
        tabwire.ok(
            "bookmarks",
            action="add",
            url=f"https://{name.replace(' ', '-')}.example/",
            title=name,
            parent_folder=folder,
            create_folder=True,
        )

    def titles(**arguments: Any) -> list[str]:
        return sorted(bookmark["title"] for bookmark in tabwire.ok("bookmarks", action="search", **arguments).data["bookmarks"])

    assert titles(query="apple") == ["apple", "apple pie"]
    assert titles(folder="One") == ["apple", "apricot"]
    assert titles(query="apple", folder="Two") == ["apple pie"]
    assert titles() == ["apple", "apple pie", "apricot"]
    bounded = tabwire.ok("bookmarks", action="search", max_results=1).data
    assert (len(bounded["bookmarks"]), bounded["total"]) == (1, 3)


def test_folders_are_listed_with_paths_and_counts(tabwire: Tabwire, shelf: Shelf) -> None:
    tabwire.ok("bookmarks", action="add", url="https://a.example/", parent_folder="Work/Links", create_folder=True)
    folders = {folder["path"]: folder for folder in tabwire.ok("bookmarks", action="list_folders").data["folders"]}
    (path,) = [path for path in folders if path.endswith("/Work/Links")]
    assert folders[path]["bookmarks"] == 1
    inside = tabwire.ok("bookmarks", action="list_folders", folder="Work").data["folders"]
    assert [folder["path"] for folder in inside] == [path]
    assert [folder["path"] for folder in tabwire.ok("bookmarks", action="list_folders", query="links").data["folders"]] == [path]
    assert len(tabwire.ok("bookmarks", action="list_folders", max_results=1).data["folders"]) == 1


def test_two_folders_of_one_name_are_told_apart_by_id(tabwire: Tabwire, shelf: Shelf) -> None:
    for parent in ("One/Same", "Two/Same"):
        tabwire.ok(
            "bookmarks", action="add", url=f"https://{parent[:3].lower()}.example/", parent_folder=parent, create_folder=True
        )
    failure = tabwire.fails("bookmarks", action="add", url="https://c.example/", parent_folder="Same")
    assert "give the id" in failure.text
    (chosen,) = [f for f in tabwire.ok("bookmarks", action="list_folders").data["folders"] if f["path"].endswith("Two/Same")]
    tabwire.ok("bookmarks", action="add", url="https://c.example/", parent_folder=chosen["id"])
    assert shelf.paths()["https://c.example/"].endswith("Two/Same")


def test_a_bookmark_is_deleted_by_its_id(tabwire: Tabwire, shelf: Shelf) -> None:
    gone = tabwire.ok("bookmarks", action="add", url="https://a.example/").data["bookmark"]
    tabwire.ok("bookmarks", action="add", url="https://b.example/")
    assert tabwire.ok("bookmarks", action="delete", bookmark_id=gone["id"]).data["deleted"]["url"] == "https://a.example/"
    assert list(shelf.paths()) == ["https://b.example/"]
    assert "no bookmark with id" in tabwire.fails("bookmarks", action="delete", bookmark_id=gone["id"]).text


def test_a_folder_is_deleted_only_when_it_is_empty(tabwire: Tabwire, shelf: Shelf) -> None:
    kept = tabwire.ok("bookmarks", action="add", url="https://a.example/", parent_folder="Work", create_folder=True).data[
        "bookmark"
    ]
    (folder,) = tabwire.ok("bookmarks", action="list_folders", query="Work").data["folders"]
    assert "still holds 1" in tabwire.fails("bookmarks", action="delete", bookmark_id=folder["id"]).text
    assert list(shelf.paths()) == ["https://a.example/"]
    tabwire.ok("bookmarks", action="delete", bookmark_id=kept["id"])
    tabwire.ok("bookmarks", action="delete", bookmark_id=folder["id"])
    assert tabwire.ok("bookmarks", action="list_folders", query="Work").data["folders"] == []
    assert "folder of the browser" in tabwire.fails("bookmarks", action="delete", bookmark_id="1").text


BAD_CALLS: list[tuple[dict[str, Any], str]] = [
    ({"action": "delete"}, 'action "delete" needs bookmark_id'),
    ({"action": "search", "url": "https://a.example/"}, 'action "search" takes no url'),
    ({"action": "add", "url": "not a url"}, "absolute URL"),
    ({"action": "search", "folder": "Nowhere"}, "no bookmark folder"),
]


def test_bad_bookmark_calls_change_nothing(tabwire: Tabwire, shelf: Shelf) -> None:
    for arguments, words in BAD_CALLS:
        failure = tabwire.fails("bookmarks", **arguments)
        assert (failure.code, words in failure.text, shelf.paths()) == ("invalid_argument", True, {}), (arguments, failure)
