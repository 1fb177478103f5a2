"""The unit tests that do not run on Windows, or not under wine, each with the reason. Whole files and single tests, by pytest's ids."""

LEFT_OUT: dict[str, str] = {
    "tests/bridge/browsers/test_chromium.py": "it imports what POSIX alone has",
}
