"""An audit in words: findings by rule with their elements, what is wrong with the page itself, and a report as a file."""

import time
from collections.abc import Mapping, Sequence

import anyio.to_thread

from tabwire.commands.elements import Audit, AuditFinding, AuditResult, AuditRule, BasicCheck
from tabwire.surfaces.agent.debugging.phrases import count_of, foot_of, page_text
from tabwire.surfaces.tool import Answer, Runs, ToolCall
from tabwire.text.provenance import Words, joined

MAX_REPORTED = 1_000
"""Findings in a report."""


async def run_audit(call: ToolCall) -> Answer:
    """An audit; with a report, all findings are asked for and the first ones told."""
    command: Audit = call.parameters
    if not command.report:
        result = await call.context.send(command)
        return {**result, "snapshot": _audit_text(command, result)}
    whole = await call.context.send(command, max_findings=MAX_REPORTED, offset=0)
    data = _markdown(whole).encode(errors="replace")
    path = await anyio.to_thread.run_sync(call.context.files.write_new, "audit", ".md", data)
    result = _page_of(whole, command)
    saved = f"All {count_of(len(whole['findings']), 'finding')} are in {path}"
    return {**result, "path": str(path), "bytes": len(data), "snapshot": joined("\n", [_audit_text(command, result), saved])}


def _page_of(whole: AuditResult, command: Audit) -> AuditResult:
    end = command.offset + command.max_findings
    more = len(whole["findings"]) - end + whole.get("more", 0)
    result: AuditResult = {**whole, "findings": whole["findings"][command.offset : end]}
    if more > 0:
        result["more"] = more
    return result


def _audit_text(command: Audit, result: AuditResult) -> Words:
    findings, wrong = result["findings"], _failed(result)
    documents = f" in {count_of(result['documents'], 'document')}" if result["documents"] > 1 else ""
    broken = count_of(len(result["rules"]), "rule")
    kept = count_of(result["passes"], "rule")
    head = f"{count_of(result['total'], 'finding')} of axe-core{documents}, against {broken}; {kept} kept"
    lines = [line for rule, same in _by_rule(result["rules"], findings) for line in _rule_lines(rule, same)]
    more = [f"{result['more']} more: offset: {command.offset + len(findings)}"] if "more" in result else []
    eyes = [f"To be judged by a person: {', '.join(result['incomplete'])}"] if result["incomplete"] else []
    barred = [f"{count_of(result['left_out'], 'frame')} could not be audited"] if "left_out" in result else []
    basics = f"The page itself: {len(wrong)} of {len(result['basics'])} checks failed" if result["basics"] else ""
    told = [f"  {check['level']}: {check['detail']}" for check in wrong]
    page = [basics, *page_text(told)] if basics else []
    return joined("\n", [head, *page_text(lines), *more, *eyes, *barred, *page, *foot_of(result)])


def _failed(result: AuditResult) -> list[BasicCheck]:
    return [check for check in result["basics"] if check["level"] != "ok"]


def _by_rule(rules: Sequence[AuditRule], findings: Sequence[AuditFinding]) -> list[tuple[AuditRule, list[AuditFinding]]]:
    """The rules with findings on this page of the list."""
    found: Mapping[str, list[AuditFinding]] = {
        rule["rule"]: [one for one in findings if one["rule"] == rule["rule"]] for rule in rules
    }
    return [(rule, found[rule["rule"]]) for rule in rules if found[rule["rule"]]]


def _rule_lines(rule: AuditRule, findings: Sequence[AuditFinding]) -> list[str]:
    head = f"{rule['rule']} ({rule['impact']}, {count_of(rule['count'], 'element')})"
    return [
        f"{head}: {rule['help']} — {rule['url'].partition('?')[0]}",
        *(f"  {one['element']}: {one['problem']}{_frame(one)}" for one in findings),
    ]


def _frame(finding: AuditFinding) -> str:
    return f" (frame {finding['frameId']})" if "frameId" in finding else ""


def _markdown(result: AuditResult) -> str:
    """The report: what is wrong with the page itself, then each rule with its elements."""
    wrong = _failed(result)
    lines = [
        "# Audit",
        "",
        f"{time.strftime('%Y-%m-%d %H:%M:%S UTC', time.gmtime())} · {count_of(result['total'], 'finding')} of axe-core in "
        f"{count_of(result['documents'], 'document')} · {count_of(result['passes'], 'rule')} kept",
        "",
        "## The page itself",
        "",
        *([f"- **{check['level']}** {_plain(check['detail'])}" for check in wrong] or ["Nothing was found."]),
        "",
        "## Accessibility",
        "",
        *([] if result["rules"] else ["Nothing was found.", ""]),
    ]
    for rule, findings in _by_rule(result["rules"], result["findings"]):
        lines += [
            f"### {rule['rule']}",
            "",
            f"{rule['impact']} · {count_of(rule['count'], 'element')} · [{rule['help']}]({rule['url']})",
            "",
        ]
        lines += [f"- {_plain(one['element'])}: {_plain(one['problem'])}{_frame(one)}" for one in findings]
        lines.append("")
    if result["incomplete"]:
        lines += ["## To be judged by a person", "", ", ".join(result["incomplete"]), ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """A text of the page that Markdown leaves as it is."""
    escaped = "".join(f"\\{char}" if char in "\\`*_[]<>|#" else char for char in text)
    return " ".join(escaped.split())


RUNS: Runs = {Audit: run_audit}
