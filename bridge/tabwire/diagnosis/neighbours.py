"""Holders of the ports of the window: other bridges, which are asked whether they answer, and other programs."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import anyio

from tabwire.diagnosis.probe import Answer, probe
from tabwire.diagnosis.report import Hop, fault, remark, seen
from tabwire.wire import ports as port_window
from tabwire.wire.ports import Holder


async def examine(run_dir: Path, ports: Sequence[int]) -> tuple[Hop, ...]:
    """Ask every port of the window, and those that a launching bridge has noted outside of it."""
    noted = {holder.port: (holder, is_alive) for holder, is_alive in port_window.notes(run_dir)}
    asked = dict.fromkeys([*ports, *noted])
    answers: dict[int, Answer] = {}

    async def ask(port: int) -> None:
        answers[port] = await probe(port)

    async with anyio.create_task_group() as tasks:
        for port in asked:
            tasks.start_soon(ask, port)
    return judge({port: answers[port] for port in asked}, noted)


def judge(answers: Mapping[int, Answer], noted: Mapping[int, tuple[Holder, bool]]) -> tuple[Hop, ...]:
    """Return a hop for each port that somebody holds or has noted."""
    hops = (_of_port(port, answer, *noted.get(port, (None, False))) for port, answer in answers.items())
    return tuple(hop for hop in hops if hop is not None)


def _of_port(port: int, answer: Answer, holder: Holder | None, is_alive: bool) -> Hop | None:
    who = f"{holder.client or 'a client that has not said its name'} (process {holder.pid})" if holder else ""
    subject = f"port {port}"
    if holder and is_alive and answer.who == "bridge":
        return seen("server", f"port {port}: {who} answers", ms=answer.ms, subject=subject)
    if holder and is_alive and answer.who == "silence":
        detail = f"port {port}: {who} holds it and does not answer: it is stopped or hangs"
        return fault(
            "server",
            detail,
            f"End process {holder.pid} ({holder.client or 'its client'}) and start that client again",
            subject=subject,
        )
    stale = f"; a note of {who}, which is gone, was left there" if holder else ""
    if answer.who == "nobody":
        return remark("server", f"port {port}: free{stale}", subject=subject) if holder else None
    if answer.who == "bridge":
        return remark("server", f"port {port}: a bridge of another user or home folder{stale}", subject=subject)
    return remark("server", f"port {port}: held by a program other than tabwire, which does no harm{stale}", subject=subject)


def taken(ports: Sequence[int], run_dir: Path) -> Hop:
    """No port is left for one more bridge."""
    bridges = [holder for holder in port_window.holders(run_dir) if holder.port in ports]
    which = f"port {ports[0]} is" if len(ports) == 1 else f"all {len(ports)} ports from {min(ports)} to {max(ports)} are"
    if not bridges:
        fix = "End one of the programs that hold them" if len(ports) > 1 else "End the program that holds it"
        return fault("server", f"{which} taken, by programs other than tabwire: no bridge can start", fix, subject="ports")
    first = bridges[0]
    named = ", ".join(f"{holder.client or 'a bridge'} (process {holder.pid})" for holder in bridges)
    fix = f"Close a client that is not needed, such as {first.client or 'the one'} (process {first.pid})"
    return fault("server", f"{which} taken, among others by {named}: no further bridge can start", fix, subject="ports")
