"""The browser for all tests of content scripts, and a plain page with the scripts in it."""

import shutil
from collections.abc import Iterator

import pytest
from selenium import webdriver

from e2e.plain import LEAN
from extension.content_page import ContentPage


@pytest.fixture(scope="session")
def running_driver() -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", LEAN):
        options.add_argument(argument)
    # Where the driver is not named, selenium asks for it far away first.
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def driver(running_driver: webdriver.Chrome) -> webdriver.Chrome:
    running_driver.set_window_size(1280, 800)
    return running_driver


@pytest.fixture(scope="module")
def page(driver: webdriver.Chrome) -> ContentPage:
    return ContentPage(driver)
