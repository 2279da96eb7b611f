"""A solver that tells the truth but for one planted bug: it runs the real z3 and tampers with what it said.

    python liar.py LIE ONE_IN PROGRAM MEMORY ARGUMENTS...

LIE is one of `LIES`, told about one in ONE_IN of the instances that it can be told about; MEMORY is a file of its own.
Only the standard library is used, so that it starts quickly; tests import `is_lied_about` to know what to expect.
"""

import hashlib
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

_WORD = re.compile(r"\|[^|]*\||[^\s()]+")
_DECLARED = re.compile(r"\(declare-fun (\|[^|]*\||[^\s()]+) ")
_VERDICT = re.compile(r"^(sat|unsat)$", re.MULTILINE)
_OPPOSITE = {"sat": "unsat", "unsat": "sat"}
_BETWEEN = "\n; another proof\n"
_LONG_PREFIX = 4
_LARGE = 1000
_MANY_ATOMS = 3


def _clauses(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("(assert ")]


def _body_atoms(clause: str, predicates: set[str]) -> int:
    """How many predicates stand before the conclusion, which comes last."""
    words: list[str] = _WORD.findall(clause)
    count = sum(word in predicates for word in words)
    return count - (words[-1] != "false")


def has_three_body_atoms(text: str) -> bool:
    predicates = set(_DECLARED.findall(text))
    return any(_body_atoms(clause, predicates) >= _MANY_ATOMS for clause in _clauses(text))


def has_large_constant(text: str) -> bool:
    words = (word for clause in _clauses(text) for word in _WORD.findall(clause))
    return any(word.isdecimal() and int(word) > _LARGE for word in words)


def has_common_prefix(text: str) -> bool:
    names: list[str] = _DECLARED.findall(text)
    beginnings = [name[:_LONG_PREFIX] for name in names if len(name) >= _LONG_PREFIX]
    return len(set(beginnings)) < len(beginnings)


def _anything(text: str) -> bool:
    return True


def flip(said: str, memory: Path) -> str:
    return _VERDICT.sub(lambda found: _OPPOSITE[found[1]], said, count=1)


def bare(said: str, memory: Path) -> str:
    """The truth, but nothing that could show it."""
    found = _VERDICT.search(said)
    return said if found is None else f"{found[0]}\n"


def bare_flip(said: str, memory: Path) -> str:
    return flip(bare(said, memory), memory)


def drop_conjunct(said: str, memory: Path) -> str:
    """The model with the last part of its last conjunction missing."""
    verdict, model = _split(said)
    start = model.rfind("(and ")
    if not verdict.endswith("\nsat\n") or start < 0:
        return said
    parts = _parts(model[start:])
    end = start + parts[-1][1]
    return verdict + model[: start + parts[-2][1]] + model[end:]


def _split(said: str) -> tuple[str, str]:
    found = _VERDICT.search(said)
    if found is None:
        return said, ""
    return f"\n{said[: found.end() + 1]}", said[found.end() + 1 :]


def _parts(text: str) -> list[tuple[int, int]]:
    """Where the parts of the list begin and end that the text begins with."""
    parts, depth, start = [], 0, 0
    for found in re.finditer(r"\(|\)|[^\s()]+", text):
        word = found[0]
        if word == ")":
            depth -= 1
            if depth == 0:
                break
        if depth == 1 and word != ")":
            start = found.start()
        depth += word == "("
        if depth == 1 and found.start() > 0:
            parts.append((start, found.end()))
    return parts


def stale_proof(said: str, memory: Path) -> str:
    """The proof of another query before; who asks the same again is told the same again."""
    found = _VERDICT.search(said)
    if found is None or found[1] != "unsat" or not said[: found.start()].strip():
        return said
    proof, verdict = said[: found.start()], said[found.start() :]
    proofs = memory.read_text().split(_BETWEEN) if memory.exists() else []
    if proof not in proofs:
        proofs.append(proof)
        memory.write_text(_BETWEEN.join(proofs))
    return proofs[max(0, proofs.index(proof) - 1)] + verdict


LIES: dict[str, tuple[Callable[[str], bool], Callable[[str, Path], str]]] = {
    "flip": (_anything, flip),
    "bare": (_anything, bare),
    "bare-flip": (_anything, bare_flip),
    "drop-conjunct": (_anything, drop_conjunct),
    "stale-proof": (_anything, stale_proof),
    "three-body-atoms": (has_three_body_atoms, flip),
    "large-constant": (has_large_constant, flip),
    "common-prefix": (has_common_prefix, flip),
}


def is_lied_about(lie: str, one_in: int, text: str) -> bool:
    return LIES[lie][0](text) and hashlib.sha256(text.encode()).digest()[0] % one_in == 0


def main(lie: str, one_in: str, program: str, memory: str, *arguments: str) -> int:
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    is_lying = is_lied_about(lie, int(one_in), Path(arguments[-1]).read_text())
    sys.stdout.write(LIES[lie][1](done.stdout, Path(memory)) if is_lying else done.stdout)
    sys.stderr.write(done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
