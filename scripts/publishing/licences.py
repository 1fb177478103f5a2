"""Licences of all that Tabwire needs: listed, and each one known to go with Apache-2.0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression

ACCEPTED = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 CC0-1.0 ISC MIT MIT-0 MIT-CMU MPL-2.0 PSF-2.0 Python-2.0 Unlicense "
    "Zlib".split()
)
"""Licences that ask needed packages for notices, or (MPL-2.0) for the source of changes to their own files, and no more."""

CLASSIFIERS = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "License :: OSI Approved :: BSD License": "BSD-3-Clause",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: DFSG approved": None,
}
"""Names by which packages without an SPDX expression declare a licence → identifier; none where the name is not a licence."""
READ_BY_HAND = {"PySocks": "BSD-3-Clause"}
"""Packages that declare nothing exact → licence in their LICENSE file."""

WORD = re.compile(r"\(|\)|[^()\s]+")


@dataclass(frozen=True)
class Package:
    """A package and its licence as an SPDX expression; none where it declares no known one."""

    name: str
    version: str
    licence: str | None


def with_version(project: str, version: str) -> str:
    """The text of a pyproject.toml with its version in it. SBOM tools read none that a build tool adds."""
    return re.sub(r"^dynamic = \[.*\]$", f'version = "{version}"', project, flags=re.MULTILINE)


def of_sbom(sbom: Mapping[str, Any]) -> list[Package]:
    """Packages of a CycloneDX document, without our own."""
    found = [Package(one["name"], one["version"], _declared(one)) for one in sbom["components"] if one["name"] != "tabwire"]
    return sorted(found, key=lambda package: package.name.lower())


def of_package_lock(lock: Mapping[str, Any]) -> list[Package]:
    """Packages of a package-lock.json."""
    found = {
        Package(path.rpartition("node_modules/")[2], about["version"], _canonical(about.get("license", "")))
        for path, about in lock["packages"].items()
        if path
    }
    return sorted(found, key=lambda package: (package.name.lower(), package.version))


def of_vendored(entries: Iterable[Mapping[str, Any]]) -> list[Package]:
    """Packages of scripts/vendored.json."""
    return [Package(one["package"], one["version"], _canonical(one["licence"])) for one in entries]


def _declared(component: Mapping[str, Any]) -> str | None:
    if component["name"] in READ_BY_HAND:
        return READ_BY_HAND[component["name"]]
    told = [
        entry.get("expression") or entry["license"].get("id") or entry["license"]["name"]
        for entry in component.get("licenses", [])
    ]
    known = {CLASSIFIERS.get(name, name) for name in told} - {None}
    if not known or len(known) == 1:
        return _canonical(next(iter(known), None) or "")
    # A package that declares several without saying how they belong together is taken to be under all of them.
    return _canonical(" AND ".join(f"({name})" for name in sorted(filter(None, known))))


def _canonical(expression: str) -> str | None:
    try:
        return str(canonicalize_license_expression(expression))
    except InvalidLicenseExpression:
        return None


def is_accepted(expression: str) -> bool:
    """Whether an SPDX expression can be met with accepted licences alone."""
    words = WORD.findall(re.sub(r" WITH ", "_WITH_", expression))

    def any_of() -> bool:
        met = all_of()
        while words and words[0] == "OR":
            words.pop(0)
            met = all_of() or met
        return met

    def all_of() -> bool:
        met = one()
        while words and words[0] == "AND":
            words.pop(0)
            met = one() and met
        return met

    def one() -> bool:
        word = words.pop(0)
        if word != "(":
            return word in ACCEPTED
        met = any_of()
        words.pop(0)
        return met

    return any_of()


def problems(packages: Iterable[Package]) -> Iterator[str]:
    """A sentence for each package whose licence is unknown or not accepted."""
    for package in packages:
        if package.licence is None:
            yield f"{package.name} {package.version} declares no licence that is known"
        elif not is_accepted(package.licence):
            yield f"{package.name} {package.version} is under {package.licence}, which is not among the accepted licences"


def page(version: str, groups: Mapping[str, Iterable[Package]]) -> str:
    """The list of licences: a table for each group of packages."""
    lines = [
        f"# Licences of what Tabwire {version} needs",
        "",
        "Tabwire itself is under Apache-2.0. Only the libraries of the first table are part of it.",
    ]
    for title, packages in groups.items():
        rows = [f"| {package.name} | {package.version} | {package.licence} |" for package in packages]
        lines += ["", f"## {title}", "", "| package | version | licence |", "| --- | --- | --- |", *rows]
    return "\n".join(lines) + "\n"
