"""What looks like a secret, and what only looks so at first sight."""

from __future__ import annotations

import pytest

from secret_samples import HARMLESS, SECRETS
from tabwire.commands.secret_shapes import MASK, mask_text, mask_value


@pytest.mark.parametrize(("text", "secret"), SECRETS)
def test_a_secret_is_masked_and_what_is_around_it_stays(text: str, secret: str) -> None:
    masked = mask_text(text)
    assert secret not in masked
    assert masked.startswith(text.split()[0]) or text.startswith(("-----", "otpauth"))
    assert MASK in masked
    assert mask_text(masked) == masked


@pytest.mark.parametrize("text", HARMLESS)
def test_numbers_and_words_of_all_days_stay(text: str) -> None:
    assert mask_text(text) == text


def test_values_are_masked_by_the_name_they_are_stored_under() -> None:
    stored = {"entries": [{"name": "SID", "value": "x1"}, {"key": "theme", "value": "dark"}], "password": "hunter2", "token": ""}
    assert mask_value(stored) == {
        "entries": [{"name": "SID", "value": MASK}, {"key": "theme", "value": "dark"}],
        "password": MASK,
        "token": "",
    }
