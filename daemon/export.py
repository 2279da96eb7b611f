"""A finding as a directory that stands alone: whoever gets it needs nothing of ours to see the bug."""

from __future__ import annotations

import shlex
from pathlib import Path

import msgspec

from chc.instance import Instance
from chc.model import Model
from chc.printer import show_sorts_and_datatypes, show_term
from chc.sorts import quote_symbol, show_sort
from chc.witness import witness_to_json
from daemon.case import Case
from daemon.story import answer_in_words, chain_in_words, headline, truth_in_words


def export(case: Case, directory: Path) -> list[Path]:
    """Write the files of the finding; returns their paths."""
    directory.mkdir(parents=True, exist_ok=True)
    instance = case.instance
    files = {
        "bug.smt2": case.record.text,
        "run.sh": _run_script(case),
        "report.md": _report(case, instance),
        "metadata.json": _metadata(case),
    }
    witness = case.witness(instance)
    if witness is not None:
        files["certificate.json"] = _pretty(witness_to_json(witness))
        if isinstance(witness, Model):
            files["check-model.smt2"] = model_check_script(instance, witness)
    paths = []
    for name, text in files.items():
        path = directory / name
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    (directory / "run.sh").chmod(0o755)
    return paths


def model_check_script(instance: Instance, model: Model) -> str:
    """A script with which any SMT solver checks the model: every `check-sat` must say `unsat`."""
    lines = [
        "; Each check looks for a violation of one clause under the model: every answer must be unsat.",
        "(set-logic ALL)",
    ]
    lines.extend(show_sorts_and_datatypes(instance))
    for name, interpretation in sorted(model.interpretations.items()):
        params = " ".join(f"({quote_symbol(p.name)} {show_sort(p.sort)})" for p in interpretation.params)
        lines.append(f"(define-fun {quote_symbol(name)} ({params}) Bool {show_term(interpretation.body)})")
    asserted = (line for line in instance.text.splitlines() if line.startswith("(assert "))
    for number, line in enumerate(asserted, 1):
        formula = line.removeprefix("(assert ").removesuffix(")")
        lines.extend((f"; clause {number}", "(push 1)", f"(assert (not {formula}))", "(check-sat)", "(pop 1)"))
    return "\n".join(lines) + "\n"


def _run_script(case: Case) -> str:
    """The command as it was run, on the file beside the script; SOLVER names another program."""
    program, *words = case.stored.finding.command
    # A z3 that reads from its standard input is told there to print the model.
    shown = ["-model" if word == "-in" else word for word in words if not word.endswith(".smt2")]
    return (
        "#!/bin/sh\n"
        f"# {case.stored.finding.configuration.label}\n"
        'cd "$(dirname "$0")" || exit 1\n'
        f'[ -n "$SOLVER" ] || SOLVER={shlex.quote(program)}\n'
        f'exec "$SOLVER" {shlex.join(shown)} bug.smt2\n'
    )


def _report(case: Case, instance: Instance) -> str:
    finding = case.stored.finding
    return "\n".join(
        [
            f"# {headline(case)}",
            "",
            f"- Solver: {finding.configuration.label}",
            f"- Severity: {finding.severity}; status: {finding.status}",
            f"- Answer: {answer_in_words(case)}",
            "- Command: see run.sh; SOLVER=/path/to/z3 ./run.sh tries another build",
            "",
            "## Why the answer is wrong",
            "",
            finding.evidence or "See the truth below.",
            "",
            "## The truth",
            "",
            "```",
            truth_in_words(case, instance),
            "```",
            "",
            "## Where the instance comes from",
            "",
            "Found by fuzzing. The chain of transformations:",
            "",
            f"    {chain_in_words(case)}",
            "",
        ]
    )


def _metadata(case: Case) -> str:
    finding = case.stored.finding
    return _pretty(
        {
            "finding": case.stored.key,
            "severity": finding.severity,
            "status": finding.status,
            "reason": finding.reason,
            "instance": case.record.address,
            "solver": finding.configuration.solver,
            "version": finding.configuration.version,
            "options": dict(finding.configuration.options),
            "command": list(finding.command),
            "truth": case.truth,
            "certified_by": [] if case.certificate is None else list(case.certificate.checkers),
            "evidence": finding.evidence,
            "chain": [{"transformation": link.transformation, "choice": link.choice} for link in case.links],
            "parents": [ancestor.record.text for ancestor in case.ancestors],
        }
    )


def _pretty(data: object) -> str:
    return msgspec.json.format(msgspec.json.encode(data), indent=2).decode() + "\n"
