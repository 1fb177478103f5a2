"""Fields whose document loads itself again as they get the focus: what is lost is not reported as done."""

from urllib.parse import urlsplit

import pytest

from e2e.conftest import InputMode
from e2e.site import Site
from polling import until

ONCE = 'onfocus="if (!sessionStorage[id]) {{ sessionStorage[id] = 1; {then} }}"'
FIELDS = (
    f"<label>Card <input id=card {ONCE}></label><select id=kind aria-label=Kind {ONCE}><option>Debit<option>Credit</select>"
    "<script>fetch('/loaded')</script>"
)
AGAIN = {"by reload": "location.reload()", "by its address": "location.href = location.href"}
SENDS = "<form method=post><label>Code <input name=code oninput='this.form.submit()'></label></form>"


@pytest.mark.parametrize("is_foreign", [False, True], ids=["a frame", "a frame of another site"])
@pytest.mark.parametrize("then", AGAIN.values(), ids=AGAIN)
def test_what_a_frame_loses_as_it_loads_itself_again_is_not_done(
    mode: InputMode, site: Site, then: str, is_foreign: bool
) -> None:
    tabwire = mode.tabwire
    give_page = site.cross_page if is_foreign else site.page
    for role, name, tool, value in (
        ("textbox", "Card", "fill", {"value": "4111"}),
        ("combobox", "Kind", "select", {"label": "Credit"}),
    ):
        before = site.hit_count("/loaded")
        tabwire.open(site.page(f"<iframe src='{give_page(FIELDS.format(then=then))}' width=500></iframe>"))
        ref = tabwire.ref(role, name)
        reply = tabwire.call(tool, selector=ref, **value)
        until(lambda count=before + 2: site.hit_count("/loaded") == count)
        assert reply.code == "outcome_unknown", (tool, reply.text)
        assert "frame of the" in reply.text
        assert not {"4111", "Credit"} & {line.text.rpartition("value=")[2].strip('"] ') for line in tabwire.lines()}


def test_what_a_page_loses_as_it_loads_itself_again_is_not_done(mode: InputMode, site: Site) -> None:
    tabwire = mode.tabwire
    tabwire.open(site.page(FIELDS.format(then="location.reload()")))
    reply = tabwire.call("fill", selector="#card", value="4111")
    until(lambda: site.hit_count("/loaded") == 2)
    assert reply.code == "outcome_unknown", reply.text
    assert mode.page.evaluate("card.value") == ""


def test_a_form_that_is_sent_as_soon_as_it_has_its_text_has_got_it(mode: InputMode, site: Site) -> None:
    tabwire = mode.tabwire
    for give_page in (site.page, site.cross_page):
        frame = give_page(SENDS)
        path = urlsplit(frame).path
        tabwire.open(site.page(f"<iframe src='{frame}' width=500></iframe>"))
        tabwire.ok("fill", selector=tabwire.ref("textbox", "Code"), value="1")
        assert site.wait_for_post(path).form == {"code": "1"}
