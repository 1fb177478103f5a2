"""What a visitor does in the shop."""

from collections.abc import Callable

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from shop import Shop

from tabwire.testing import Tabwire


def test_a_visitor_orders_and_the_order_arrives(tabwire: Tabwire, shop: Shop) -> None:
    tabwire.navigate(f"{shop.url}/order")
    tabwire.fill("label:Street", "Harbour Road 7")
    tabwire.select("label:Delivery", label="courier")
    tabwire.check("label:Gift")
    tabwire.click("role:button[name=Buy]")
    tabwire.wait(for_="text", text="Thank you")
    assert "We deliver to Harbour Road 7" in tabwire.snapshot()
    assert {"street": "Harbour Road 7", "delivery": "courier", "gift": "on"} in shop.orders


def test_signing_in_takes_the_right_password(tabwire: Tabwire, shop: Shop) -> None:
    for password, answer in (("guess", "Wrong password"), ("open sesame", "Welcome, Ann")):
        tabwire.navigate(f"{shop.url}/sign-in")
        tabwire.fill("label:Name", "Ann")
        tabwire.fill("label:Password", password)
        tabwire.click("role:button[name=Sign in]")
        assert answer in tabwire.snapshot()


@pytest.mark.parametrize("visit", range(2))
def test_each_test_is_a_new_visitor(tabwire: Tabwire, shop: Shop, visit: int) -> None:
    tabwire.navigate(shop.url)
    assert "0 in the basket" in tabwire.snapshot()
    tabwire.click("text:Add tea")
    assert "1 in the basket" in tabwire.snapshot()


def test_selenium_and_tabwire_work_in_the_same_tab(tabwire: Tabwire, tabwire_driver: WebDriver, shop: Shop) -> None:
    tabwire_driver.get(f"{shop.url}/sign-in")
    tabwire_driver.find_element(By.NAME, "name").send_keys("Ann")
    tabwire.fill("label:Password", "open sesame")
    tabwire.click("role:button[name=Sign in]")
    assert tabwire_driver.find_element(By.TAG_NAME, "h1").text == "Welcome, Ann"


def test_two_visitors_have_baskets_of_their_own(tabwire: Tabwire, tabwire_launch: Callable[[], Tabwire], shop: Shop) -> None:
    other = tabwire_launch()
    for visitor in (tabwire, other):
        visitor.navigate(shop.url)
    tabwire.click("text:Add tea")
    other.reload()
    assert "1 in the basket" in tabwire.snapshot()
    assert "0 in the basket" in other.snapshot()
