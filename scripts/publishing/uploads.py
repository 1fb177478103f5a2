"""Instructions for the maintainer: what is uploaded where."""

from __future__ import annotations

from packages import Files


def instructions(files: Files, *, allow_dirty: bool) -> str:
    """Numbered steps, in the order in which they have to be done."""
    version = files.version
    warning = "This was built with --allow-dirty: do not publish it.\n" if allow_dirty else ""
    return f"""
{warning}Nothing was uploaded. A release of {version} is made in this order:
 1. Tag: git tag -a v{version} -m "Tabwire {version}" && git push origin v{version}
    The tag starts .github/workflows/release.yml, which tests, builds and checks all this again and does steps 2 and 3.
 2. PyPI: {files.wheel.name}, {files.sdist.name}
    Only by trusted publishing from that workflow (environment "pypi"): there is no token. The project's settings on pypi.org,
    "Publishing", have to name the repository, release.yml and the environment.
 3. GitHub release v{version} with the text of {files.notes.name}:
    {files.wheel.name}, {files.sdist.name},
    {files.bundle.name}, {files.store.name}, {files.skill.name},
    {files.sbom.name}, {files.licences.name}, {files.sums.name}
 4. MCP registry, in the folder of {files.server.name}, after PyPI has the version (the registry reads README.md there):
    mcp-publisher login github && mcp-publisher publish
 5. Chrome Web Store, always by hand: {files.store.name}
    chrome.google.com/webstore/devconsole, the item, "Package", "Upload new package". SECURITY.md has reasons for all permissions.
"""
