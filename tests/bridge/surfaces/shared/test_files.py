"""Files that tools may touch: which they are, what is replaced, and that nothing put in the way leads elsewhere."""

from __future__ import annotations

import base64
import errno
import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tabwire.commands.input import FileContent, UploadFile
from tabwire.errors import InvalidArgument, PermissionDenied, TabwireError, UnsupportedOperation
from tabwire.surfaces.shared.file_errors import told_of
from tabwire.surfaces.shared.files import MAX_UPLOAD_BYTES, Files

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no permission bits, pipes or descriptors of folders")
HAR = (".har",)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with what is private in it, below a folder that tools may use."""
    home = tmp_path / "mine" / ".tabwire"
    for name in ("keys.json", "http-token", "config.toml", "auth/work.json", "profiles/work/Default/Cookies", "events/1.jsonl"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("secret")
    return home


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(folder))
    return folder


@pytest.fixture
def mine(home: Path) -> Path:
    return home.parent


@pytest.fixture
def files(tmp_path: Path, home: Path, mine: Path, temporary: Path) -> Files:
    return Files(home / "artifacts", [mine], [home])


def save(files: Files, name: str, data: bytes = b"data", *, overwrites: bool = False) -> Path:
    destination = files.destination(name, HAR, overwrites=overwrites)
    assert files.write(destination, data) == len(data)
    return destination.path


def read(files: Files, *given: str | UploadFile) -> list[FileContent]:
    return files.contents(given)


# ---- which files ----------------------------------------------------------------------------------------------------------


def test_a_relative_path_lands_in_the_artifacts_folder(files: Files) -> None:
    assert save(files, "shots/a.har") == files.artifacts.folder / "shots" / "a.har"
    assert (files.artifacts.folder / "shots" / "a.har").read_bytes() == b"data"


@pytest.mark.parametrize("name", ["../../../secret.har", "/etc/passwd.har", "~root/x.har", "{temporary}/x.har"])
def test_a_path_outside_is_refused_and_the_error_says_what_is_allowed(files: Files, temporary: Path, name: str) -> None:
    with pytest.raises(PermissionDenied, match="--files") as refused:
        files.destination(name.format(temporary=temporary), HAR)
    assert all(str(folder) in str(refused.value) for folder in files.folders)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "is empty|names a folder"),
        ("a\0b.har", "control characters"),
        ("a\nb.har", "control characters"),
        ("\ud83d.har", "not valid Unicode"),
        ("x" * 300 + ".har", "too long"),
        ("ü" * 130 + ".har", "too long"),
        ("a/" * 3000 + "b.har", "too long"),
        ("~nobody-of-this-name/x.har", "no such user"),
        ("folder/", "names a folder"),
        (".", "names a folder"),
        ("folder/..", "names a folder"),
    ],
)
def test_a_name_that_no_file_can_have_is_an_invalid_argument(files: Files, name: str, words: str) -> None:
    with pytest.raises(InvalidArgument, match=words) as refused:
        files.destination(name, HAR)
    assert len(str(refused.value)) < 300 and str(refused.value).encode()
    if words != "names a folder":
        with pytest.raises(InvalidArgument, match=words):
            read(files, name)


@posix
def test_a_link_does_not_lead_outside(files: Files, tmp_path: Path) -> None:
    files.artifacts.folder.mkdir()
    (files.artifacts.folder / "link").symlink_to(tmp_path)
    (tmp_path / "x.har").write_text("theirs")
    for use in (lambda: save(files, "link/x.har", overwrites=True), lambda: read(files, "link/x.har")):
        with pytest.raises(PermissionDenied):
            use()
    assert (tmp_path / "x.har").read_text() == "theirs"


@pytest.mark.parametrize(
    "name",
    ["keys.json", "http-token", "config.toml", "auth/work.json", "profiles/work/Default/Cookies", "events/1.jsonl", "new.har"],
)
def test_what_is_tabwires_own_is_private_although_a_named_folder_is_above_it(files: Files, home: Path, name: str) -> None:
    with pytest.raises(PermissionDenied, match="belongs to tabwire"):
        read(files, str(home / name))
    with pytest.raises(PermissionDenied, match="belongs to tabwire"):
        files.allowed(f"../{name}")
    assert not files.is_readable_address((home / name).as_uri())


@posix
def test_what_is_private_is_private_by_every_way_to_it(files: Files, home: Path, mine: Path) -> None:
    (mine / "link").symlink_to(home)
    (mine / "key").symlink_to(home / "keys.json")
    for name in ("link/keys.json", "key", "link/../.tabwire/keys.json"):
        with pytest.raises(PermissionDenied, match="belongs to tabwire"):
            read(files, str(mine / name))


def test_profiles_of_browsers_and_keys_of_the_extension_are_private_wherever_they_are(files: Files, mine: Path) -> None:
    for name in (
        "chrome/Local State",
        "chrome/Default/Cookies",
        "tabwire/manifest.json",
        "tabwire/pairing.json",
        "own/pairing.json",
    ):
        (mine / name).parent.mkdir(parents=True, exist_ok=True)
        (mine / name).write_text("secret")
    for name in ("chrome/Local State", "chrome/Default/Cookies", "tabwire/pairing.json"):
        with pytest.raises(PermissionDenied, match="belongs to tabwire"):
            read(files, str(mine / name))
    assert len(read(files, str(mine / "tabwire" / "manifest.json"), str(mine / "own" / "pairing.json"))) == 2


def test_the_artifacts_are_not_private(files: Files) -> None:
    save(files, "a.har")
    assert read(files, "a.har")[0]["name"] == "a.har"


# ---- the temporary folder -------------------------------------------------------------------------------------------------


@posix
def test_of_the_temporary_folder_only_one_of_our_own_is_used(files: Files, temporary: Path) -> None:
    own = next(folder for folder in files.folders if folder.is_relative_to(temporary))
    assert own.parent == temporary and not own.exists()
    save(files, str(own / "a.har"))
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


@posix
@pytest.mark.parametrize("kind", ["link", "open to others", "file"])
def test_a_folder_that_somebody_else_put_there_is_not_used(files: Files, temporary: Path, tmp_path: Path, kind: str) -> None:
    own = next(folder for folder in files.folders if folder.is_relative_to(temporary))
    (tmp_path / "elsewhere").mkdir()
    {
        "link": lambda: own.symlink_to(tmp_path / "elsewhere"),
        "open to others": lambda: (own.mkdir(), own.chmod(0o777)),
        "file": own.touch,
    }[kind]()
    assert own not in files.folders
    with pytest.raises(PermissionDenied, match="--files"):
        save(files, str(own / "a.har"))
    assert not any((tmp_path / "elsewhere").iterdir())


@posix
def test_nor_is_one_that_is_put_there_after_the_check(files: Files, temporary: Path) -> None:
    own = next(folder for folder in files.folders if folder.is_relative_to(temporary))
    destination = files.destination(str(own / "a.har"), HAR)
    own.rmdir()
    own.mkdir()
    own.chmod(0o777)
    with pytest.raises(PermissionDenied, match="somebody else"):
        files.write(destination, b"data")
    assert not any(own.iterdir())


# ---- writing --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "suffixes", "saved"),
    [
        ("a", HAR, "a.har"),
        ("a.har", HAR, "a.har"),
        ("a.HAR", HAR, "a.HAR"),
        ("a", (".jpeg", ".jpg"), "a.jpeg"),
        ("a.jpg", (".jpeg", ".jpg"), "a.jpg"),
        (".har", HAR, ".har.har"),
    ],
)
def test_a_suffix_that_is_missing_is_added(files: Files, name: str, suffixes: tuple[str, ...], saved: str) -> None:
    assert files.destination(name, suffixes).path.name == saved


@pytest.mark.parametrize("name", ["a.sh", "a.har.py", ".bashrc.txt", "a.json"])
def test_a_suffix_that_does_not_fit_is_refused_with_those_that_do(files: Files, name: str) -> None:
    with pytest.raises(InvalidArgument, match=r"end in \.har or \.zip"):
        files.destination(name, (".har", ".zip"))


@posix
@pytest.mark.parametrize("name", ["run.sh", ".bashrc", "new.sh"])
def test_a_link_has_to_lead_to_a_file_of_the_kind(files: Files, mine: Path, name: str) -> None:
    for there in ("run.sh", ".bashrc"):
        (mine / there).write_text("theirs")
    (mine / "a.har").symlink_to(mine / name)
    with pytest.raises(InvalidArgument, match=r"is a link .* end in \.har"):
        files.destination(str(mine / "a.har"), HAR, overwrites=True)


def test_a_file_of_somebody_else_is_not_replaced_unless_the_client_says_so(files: Files, mine: Path) -> None:
    theirs = mine / "theirs.har"
    theirs.write_text("theirs")
    with pytest.raises(InvalidArgument, match="overwrite: true"):
        files.destination(str(theirs), HAR)
    assert theirs.read_text() == "theirs"
    save(files, str(theirs), overwrites=True)
    assert theirs.read_bytes() == b"data"


def test_a_file_of_ours_is_replaced_until_somebody_changes_it(files: Files, home: Path, mine: Path) -> None:
    ours = save(files, str(mine / "a.har"))
    save(Files(home / "artifacts", [mine], [home]), str(ours), b"again, also after a restart")
    assert ours.read_bytes() == b"again, also after a restart"
    ours.write_text("their work")
    with pytest.raises(InvalidArgument, match="changed since"):
        save(files, str(ours))
    assert ours.read_text() == "their work"


def test_a_file_that_appears_after_the_check_is_left_alone(files: Files, mine: Path) -> None:
    destination = files.destination(str(mine / "a.har"), HAR)
    destination.path.write_text("theirs")
    with pytest.raises(InvalidArgument, match="exists"):
        files.write(destination, b"data")
    assert destination.path.read_text() == "theirs"
    assert {path.name for path in mine.iterdir()} == {"a.har", ".tabwire"}, "no draft is left"


@posix
@pytest.mark.parametrize("overwrites", [False, True])
def test_a_link_that_is_put_in_the_path_after_the_check_is_not_followed(
    files: Files, mine: Path, tmp_path: Path, overwrites: bool
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.har").write_text("theirs")
    (mine / "sub").mkdir()
    folder = files.destination(str(mine / "sub" / "a.har"), HAR, overwrites=overwrites)
    file = files.destination(str(mine / "a.har"), HAR, overwrites=overwrites)
    (mine / "sub").rmdir()
    (mine / "sub").symlink_to(outside)
    (mine / "a.har").symlink_to(outside / "a.har")
    for destination in (folder, file):
        with pytest.raises(InvalidArgument, match="link"):
            files.write(destination, b"data")
    assert [(path.name, path.read_text()) for path in outside.iterdir()] == [("a.har", "theirs")]


@posix
def test_what_is_written_is_for_its_owner_only(files: Files, mine: Path) -> None:
    mask = os.umask(0)
    try:
        path = save(files, str(mine / "new" / "folder" / "a.har"))
        other = files.write_new("response", ".bin", b"data")
    finally:
        os.umask(mask)
    assert [stat.S_IMODE(each.stat().st_mode) for each in (path, other)] == [0o600, 0o600]
    folders = (path.parent, path.parent.parent, files.artifacts.folder)
    assert [stat.S_IMODE(each.stat().st_mode) for each in folders] == [0o700] * 3


@posix
@pytest.mark.parametrize("kind", ["folder", "pipe", "device"])
def test_only_regular_files_are_written_and_read(files: Files, mine: Path, kind: str) -> None:
    path = mine / "a.har"
    {
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: path.symlink_to("/dev/null"),
    }[kind]()
    for use in (lambda: save(files, str(path), overwrites=True), lambda: read(files, str(path))):
        with pytest.raises((InvalidArgument, PermissionDenied), match=r"is a folder|regular files|outside|has no files"):
            use()


def test_a_folder_for_the_browser_is_named_by_its_path(files: Files, mine: Path, tmp_path: Path) -> None:
    (mine / "photos" / "sub").mkdir(parents=True)
    (mine / "photos" / "sub" / "a.txt").write_text("a")
    assert files.contents([str(mine / "photos")]) == [{"name": "photos", "mime_type": "", "folder": str(mine / "photos")}]
    (tmp_path / "secret.txt").write_text("theirs")
    (mine / "photos" / "sub" / "out").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(PermissionDenied, match="outside"):
        files.contents([str(mine / "photos")])


@posix
def test_a_pipe_put_in_place_of_a_file_after_the_check_makes_nobody_wait(files: Files, mine: Path) -> None:
    destination = files.destination(str(mine / "a.har"), HAR, overwrites=True)
    os.mkfifo(destination.path)
    with pytest.raises(InvalidArgument, match="regular files"):
        files.write(destination, b"data")


def test_a_folder_that_is_none_is_told_before_anything_is_written(files: Files, mine: Path) -> None:
    (mine / "file").write_text("theirs")
    with pytest.raises(InvalidArgument, match="no folder"):
        files.destination(str(mine / "file" / "a.har"), HAR)


@pytest.mark.parametrize(
    ("number", "kind", "words"),
    [
        (errno.ENOSPC, UnsupportedOperation, "no space"),
        (errno.EDQUOT, UnsupportedOperation, "quota"),
        (errno.EROFS, PermissionDenied, "cannot be written"),
        (errno.EACCES, PermissionDenied, "permissions"),
        (errno.ENAMETOOLONG, InvalidArgument, "shorter"),
        (errno.ELOOP, InvalidArgument, "circle"),
        (errno.EIO, UnsupportedOperation, os.strerror(errno.EIO)),
    ],
)
def test_what_the_system_refuses_is_an_error_that_names_the_file(number: int, kind: type[TabwireError], words: str) -> None:
    with pytest.raises(kind, match=words) as refused, told_of(Path("/the/file.har")):
        raise OSError(number, os.strerror(number))
    assert "/the/file.har" in str(refused.value)


def full(*arguments: object) -> object:
    os.close(arguments[0])  # type: ignore[arg-type]
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    "write",
    [
        lambda files, destination: files.write(destination, b"data"),
        lambda files, destination: files.write_new("response", ".bin", b"data"),
    ],
)
def test_a_full_disk_is_said_and_leaves_nothing_behind(
    files: Files, mine: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[..., object]
) -> None:
    ours = save(files, str(mine / "a.har"), b"before")
    destination = files.destination(str(ours), HAR)
    monkeypatch.setattr("tabwire.disk.open_folders.os.fdopen", full)
    with pytest.raises(UnsupportedOperation, match="no space left"):
        write(files, destination)
    monkeypatch.undo()
    assert ours.read_bytes() == b"before"
    assert {path.name for path in (*mine.iterdir(), *files.artifacts.folder.glob("*"))} == {".tabwire", "a.har"}


def test_a_full_disk_is_said_before_the_browser_is_asked(files: Files, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tabwire.disk.open_folders.os.fdopen", full)
    with pytest.raises(UnsupportedOperation, match="no space left"):
        files.destination(str(mine / "a.har"), HAR)


def test_files_of_our_own_names_never_meet(files: Files) -> None:
    paths = [files.write_new("response", ".bin", bytes([n])) for n in range(3)]
    assert [path.read_bytes() for path in paths] == [b"\0", b"\1", b"\2"]


# ---- moving ---------------------------------------------------------------------------------------------------------------


@posix
def test_a_download_is_moved_beside_what_is_there(files: Files, mine: Path, tmp_path: Path) -> None:
    (mine / "a.txt").write_text("theirs")
    source = tmp_path / "a.txt"
    source.write_text("downloaded")
    path = files.move(source, mine, "a", ".txt")
    assert (path, path.read_text(), source.exists()) == (mine / "a (1).txt", "downloaded", False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (mine / "a.txt").read_text() == "theirs"


@posix
def test_only_a_regular_file_is_moved_and_only_into_the_folder_that_was_checked(files: Files, mine: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (tmp_path / "link.txt").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(InvalidArgument, match="regular files"):
        files.move(tmp_path / "link.txt", mine, "a", ".txt")
    (mine / "in").symlink_to(tmp_path / "outside")
    with pytest.raises(InvalidArgument, match="link"):
        files.move(tmp_path / "secret.txt", mine / "in", "a", ".txt")
    assert not any((tmp_path / "outside").iterdir()) and (tmp_path / "secret.txt").read_text() == "secret"


# ---- reading --------------------------------------------------------------------------------------------------------------


def test_uploads_carry_name_type_and_bytes(files: Files, mine: Path) -> None:
    (mine / "é.txt").write_text("grüße")
    encoded = base64.b64encode("grüße".encode()).decode()
    assert read(files, str(mine / "é.txt"), UploadFile(base64=encoded, name="x.bin", mime_type="a/b")) == [
        {"name": "é.txt", "mime_type": "text/plain", "base64": encoded},
        {"name": "x.bin", "mime_type": "a/b", "base64": encoded},
    ]


@pytest.mark.parametrize(
    "file",
    ["missing.txt", UploadFile(base64="not base64!"), UploadFile(base64="grüße")],
)
def test_an_unreadable_upload_is_named(files: Files, file: str | UploadFile) -> None:
    with pytest.raises(InvalidArgument):
        read(files, file)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(files: Files, mine: Path) -> None:
    with (mine / "big.bin").open("wb") as file:
        file.truncate(MAX_UPLOAD_BYTES + 1)
    with pytest.raises(InvalidArgument, match="over the limit"):
        read(files, str(mine / "big.bin"))


def test_a_file_that_grows_while_it_is_read_is_refused(files: Files, mine: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (mine / "log.txt").write_text("line\n")
    fdopen = os.fdopen

    def growing(descriptor: int, mode: str) -> object:
        os.truncate(mine / "log.txt", 100)
        return fdopen(descriptor, mode)

    monkeypatch.setattr("tabwire.surfaces.shared.files.MAX_UPLOAD_BYTES", 50)
    monkeypatch.setattr("tabwire.disk.open_folders.os.fdopen", growing)
    with pytest.raises(InvalidArgument, match="over the limit"):
        read(files, str(mine / "log.txt"))


# ---- addresses ------------------------------------------------------------------------------------------------------------


@posix
def test_addresses_of_files_are_readable_where_tools_may_read(files: Files, mine: Path, home: Path, tmp_path: Path) -> None:
    (mine / "out").symlink_to(tmp_path)
    (mine / "in ü").mkdir()
    (mine / "in").symlink_to(mine / "in ü")
    readable = [
        mine.as_uri(),
        f"{mine.as_uri()}/",
        f"{mine.as_uri()}/a.html?q#f",
        f"FILE:{mine}/a.html",
        f"file://localhost{mine}/a.html",
        f"file:////{mine}/a.html",
        f"  file:\\\\\\{mine}\\a.html\n",
        (mine / "in ü" / "a b.html").as_uri(),
        f"{mine.as_uri()}/in/a.html",
        f"{mine.as_uri()}/out/../a.html",
        f"{mine.as_uri()}/x/%2e%2E/a.html",
        f"{mine.as_uri()}/.tabwire/artifacts/a.png",
    ]
    refused = [
        "file:///etc/passwd",
        "file:///",
        "file:",
        "",
        "http://127.0.0.1/",
        f"view-source:{mine.as_uri()}/a.html",
        f"file://server{mine}/a.html",
        f"{mine.as_uri()}/../a.html",
        f"{mine.as_uri()}/%2e%2e/a.html",
        f"{mine.as_uri()}/.%2e/a.html",
        f"{mine.as_uri()}/..\\a.html",
        f"{mine.as_uri()}/.\t./a.html",
        f"{mine.as_uri()}/x%2f..%2f..%2fa.html",
        f"{mine.as_uri()}/a%00.html",
        f"{mine.as_uri()}/out/a.html",
        f"{mine.as_uri()}/out/mine/../a.html",
        f"{mine.as_uri()}x/a.html",
        (home / "keys.json").as_uri(),
        f"{mine.as_uri()}/%2etabwire/keys.json",
    ]
    assert {address: files.is_readable_address(address) for address in (*readable, *refused)} == {
        **dict.fromkeys(readable, True),
        **dict.fromkeys(refused, False),
    }
