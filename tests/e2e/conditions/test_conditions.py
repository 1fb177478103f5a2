"""Each condition is what it says, seen in the page and not in what was asked for."""

import pytest

from e2e.client import Tabwire
from e2e.conditions.condition import Condition
from e2e.conftest import Launched, ShownPage
from e2e.site import Site

SCREEN = "[devicePixelRatio, visualViewport.scale, document.hasFocus(), document.visibilityState]"


@pytest.mark.conditions
def test_a_page_is_shown_in_the_condition_of_the_test(
    launched: Launched, tabwire: Tabwire, condition: Condition, site: Site, page: ShownPage
) -> None:
    tabwire.open(site.page("<h1>Page</h1>"))
    ratio, scale, _, visibility = page.evaluate(SCREEN)
    assert ratio == pytest.approx(condition.device_scale * condition.default_zoom * condition.site_zoom, rel=0.001)
    assert scale == pytest.approx(condition.pinch)
    assert visibility == ("hidden" if condition.is_new_user else "visible")
    if condition.has_window:
        assert page.evaluate("document.hasFocus()") is condition.has_focus
