"""Addresses that hold data are shortened to their kind and their length; all else, and short ones, stay."""

import pytest

from tabwire.text.data_addresses import shortened, shortened_within

LONG = "A" * 5000


@pytest.mark.parametrize(
    ("text", "brief"),
    [
        (f"data:image/png;base64,{LONG}", "data:image/png… (5,022 characters)"),
        (f"data:,{LONG}", "data:… (5,006 characters)"),
        (f"data:text/html;charset=utf-8,<p title='a b'>{LONG}</p>", "data:text/html… (5,048 characters)"),
        (f"data:text/plain,{LONG}… (70,000 characters)", "data:text/plain… (70,000 characters)"),
        (f'link "x" [url=data:text/plain,{LONG}]\nlink "y"', 'link "x" [url=data:text/plain… (5,016 characters)]\nlink "y"'),
        (f"Error: url('data:image/gif;base64,{LONG}') is bad", "Error: url('data:image/gif… (5,022 characters)') is bad"),
        (f"the metadata:{LONG}", f"the metadata:{LONG}"),
        ("data:image/png;base64,AAAA", "data:image/png;base64,AAAA"),
        (f"see data: and {LONG}", f"see data: and {LONG}"),
    ],
)
def test_long_addresses_of_data_are_shortened(text: str, brief: str) -> None:
    assert shortened(text) == brief


def test_exact_values_stay() -> None:
    address = f"data:image/png;base64,{LONG}"
    brief = "data:image/png… (5,022 characters)"
    result = shortened_within({"value": address, "effects": {"title": [address, 1, None]}, "attributes": {"src": address}})
    assert result == {"value": address, "effects": {"title": [brief, 1, None]}, "attributes": {"src": brief}}
