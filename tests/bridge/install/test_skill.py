"""The skill for agents with a shell: its lines are commands, and it is put and taken away as a user asks."""

import re
import shlex
from pathlib import Path

import pytest

from bridge.command import User
from tabwire.cli.grammar.parsing import parse
from tabwire.cli.session.options import COMMANDS, asked_in
from tabwire.install import skill

TEXT = skill.text()
BLOCK = TEXT.split("```")[1]
LINES = [re.split(r"\s{3,}", line)[0] for line in BLOCK.strip().splitlines()]
NAMED = [line for line in re.findall(r"`(tabwire [^`]+)`", TEXT) if "COMMAND" not in line]
FOLDERS = [".agents/skills/tabwire", ".claude/skills/tabwire"]


@pytest.fixture
def user(tmp_path: Path) -> User:
    return User(tmp_path, is_process=False)


@pytest.mark.parametrize("line", [*LINES, *NAMED, *re.findall(r"call: (tabwire .+)$", BLOCK, re.MULTILINE)])
def test_a_line_of_the_skill_is_a_command(line: str) -> None:
    program, *words = shlex.split(line)
    asked = asked_in(words)
    assert program == "tabwire"
    if asked.words[0] not in (*COMMANDS, "--help"):
        parse(asked.words, "/work")


def test_the_skill_is_short_and_has_ten_commands() -> None:
    """Characters stand for tokens: 4,500 are some 1,100."""
    assert len(LINES) == 10 and len(TEXT) < 4_500
    head = re.fullmatch(r"---\nname: (\S+)\ndescription: (.+)\n---\n.*", TEXT, re.DOTALL)
    assert head
    name, about = head.groups()
    assert name == "tabwire" and len(about.split("\n")[0]) < 1_024


def found(base: Path) -> list[str]:
    return sorted(
        path.parent.relative_to(base).as_posix() for path in base.rglob("SKILL.md") if path.read_text(encoding="utf-8") == TEXT
    )


@pytest.mark.parametrize(("written", "said"), [(TEXT, "already"), (f"{TEXT}Of an earlier version.\n", "Put the skill")])
def test_the_ends_of_lines_of_windows_make_no_other_skill(user: User, written: str, said: str) -> None:
    for folder in FOLDERS:
        file = user.home / folder / "SKILL.md"
        file.parent.mkdir(parents=True)
        file.write_bytes(written.replace("\n", "\r\n").encode())
    assert user.ok("install", "--skill").count(said) == len(FOLDERS)


@pytest.mark.parametrize("project", [True, False], ids=["project", "user"])
def test_the_skill_is_put_where_agents_look_and_taken_away(user: User, project: bool) -> None:
    base, scope = (user.work, ["--project"]) if project else (user.home, [])
    assert "Would put the skill" in user.ok("install", "--skill", "--print", *scope) and user.files() == {}
    user.ok("install", "--skill", *scope)
    assert found(base) == FOLDERS and len(user.files()) == 2
    assert "already" in user.ok("install", "--skill", *scope)
    old = base / FOLDERS[0] / "SKILL.md"
    old.write_text("---\nname: tabwire\ndescription: of an earlier version\n---\n")
    user.ok("install", "--skill", *scope)
    assert found(base) == FOLDERS
    assert "Would delete" in user.ok("uninstall", "--skill", "--print", *scope) and found(base) == FOLDERS
    user.ok("uninstall", "--skill", *scope)
    assert user.files() == {} and not any((base / folder).exists() for folder in FOLDERS)


def test_uninstall_takes_the_skill_away_as_well(user: User) -> None:
    user.ok("install", "--skill")
    assert "Deleted the skill" in user.ok("uninstall") and found(user.home) == []


def test_another_skill_of_that_name_is_left_alone(user: User) -> None:
    other = user.write(f"{FOLDERS[1]}/SKILL.md", "---\nname: somebody-elses\n---\n")
    done = user.run("install", "--skill")
    assert done.code == 1 and "is another skill and is left as it is" in done.out
    assert user.run("uninstall", "--skill").code == 1 and other.read_text().startswith("---\nname: somebody")
