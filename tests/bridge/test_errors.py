"""Codes and classes of failures agree, and the docstring shows them all."""

import tabwire.errors
from tabwire.errors import ERROR_CODES, NoSuchElement, NotConnected, TabwireError, UnknownError, from_wire


def wire_classes() -> list[type[TabwireError]]:
    """Without those that a surface has for itself."""
    return [cls for cls in TabwireError.__subclasses__() if cls.__module__ == TabwireError.__module__]


def test_every_code_has_one_class_named_after_it() -> None:
    for code in ERROR_CODES:
        error = from_wire(code, "text", {"k": 1})
        assert type(error).__name__ == "".join(word.capitalize() for word in code.split("_"))
        assert (error.code, error.message, error.data, str(error)) == (code, "text", {"k": 1}, "text")
    assert len(set(ERROR_CODES)) == len(ERROR_CODES) == len(wire_classes())


def test_the_docstring_lists_every_class() -> None:
    assert tabwire.errors.__doc__ is not None
    words = set(tabwire.errors.__doc__.split())
    assert {cls.__name__ for cls in wire_classes()} <= words


def test_every_class_is_exported() -> None:
    names = {cls.__name__ for cls in wire_classes()} | {"TabwireError", "from_wire", "only_told", "ERROR_CODES"}
    assert set(tabwire.errors.__all__) == names


def test_a_code_of_a_later_version_is_kept() -> None:
    error = from_wire("quota_exceeded", "too much", {"k": 1})
    assert isinstance(error, UnknownError)
    assert (str(error), error.data) == ("too much (quota_exceeded)", {"k": 1, "code": "quota_exceeded"})


def test_the_text_of_an_error_ends_with_the_next_step() -> None:
    assert str(NotConnected("No browser.", next_step="Start one.")) == "No browser. Start one."
    assert str(NoSuchElement("Nothing matches.")) == "Nothing matches."
    assert NoSuchElement("x").data == {}
