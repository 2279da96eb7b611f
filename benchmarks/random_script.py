"""A random script in CHC-COMP format of any size, shaped like those that verifiers print.

It is written as text, without the terms and the printer of the house: what they are measured with should not come
from them.
"""

from __future__ import annotations

from random import Random
from typing import Final

_BITS: Final = "(_ BitVec 32)"
_ARRAY: Final = "(Array Int Int)"
_SORTS: Final = ("Int", "Int", "Int", "Bool", "Bool", "Real", _BITS, _ARRAY)
"""As often as they are drawn."""

_OPERATIONS: Final[dict[str, tuple[tuple[str, tuple[str, ...]], ...]]] = {
    "Int": (
        ("+", ("Int", "Int")),
        ("-", ("Int", "Int")),
        ("* 3", ("Int",)),
        ("ite", ("Bool", "Int", "Int")),
        ("select", (_ARRAY, "Int")),
    ),
    "Real": (("+", ("Real", "Real")), ("* 2.5", ("Real",)), ("ite", ("Bool", "Real", "Real"))),
    "Bool": (
        ("and", ("Bool", "Bool", "Bool")),
        ("or", ("Bool", "Bool")),
        ("not", ("Bool",)),
        ("=", ("Int", "Int")),
        ("<=", ("Int", "Int")),
        (">", ("Int", "Int")),
        (">=", ("Real", "Real")),
        ("bvult", (_BITS, _BITS)),
        ("=", (_ARRAY, _ARRAY)),
    ),
    _BITS: (("bvadd", (_BITS, _BITS)), ("bvand", (_BITS, _BITS)), ("ite", ("Bool", _BITS, _BITS))),
    _ARRAY: (("store", (_ARRAY, "Int", "Int")), ("ite", ("Bool", _ARRAY, _ARRAY))),
}


def random_script(rng: Random, characters: int, predicates: int = 200) -> str:
    """A script of about so many characters, a little more rather than less."""
    return _Writer(rng, predicates).script(characters)


class _Writer:
    """Writes clauses over the same predicates, until it is told to stop."""

    def __init__(self, rng: Random, predicates: int) -> None:
        self._rng = rng
        self._predicates = [rng.choices(_SORTS, k=rng.randint(2, 12)) for _ in range(predicates)]
        self._scope: dict[str, list[str]] = {}

    def script(self, characters: int) -> str:
        lines = ["(set-logic HORN)"]
        lines.extend(f"(declare-fun inv_{n} ({' '.join(s)}) Bool)" for n, s in enumerate(self._predicates))
        size = sum(map(len, lines))
        while size < characters:
            lines.append(f"(assert {self._clause()})")
            size += len(lines[-1]) + 1
        return "\n".join([*lines, "(check-sat)", ""])

    def _clause(self) -> str:
        """A step from one state to the next: some values move on, others are computed, under a few conditions."""
        rng = self._rng
        before, after = rng.choices(range(len(self._predicates)), k=2)
        old = [(f"v_{n}", sort) for n, sort in enumerate(self._predicates[before])]
        new = [(f"w_{n}", sort) for n, sort in enumerate(self._predicates[after])]
        self._scope = {sort: [name for name, its in old if its == sort] for sort in _SORTS}
        atom = " ".join([f"(inv_{before}", *(name for name, _ in old)])
        shared = self._term("Int", 4)
        self._scope["Int"].append("a!1")
        parts = [f"(= {name} {self._term(sort, 3)})" for name, sort in new]
        parts.extend(self._term("Bool", 4) for _ in range(rng.randint(1, 4)))
        head = "false" if rng.random() < 0.02 else " ".join([f"(inv_{after}", *(name for name, _ in new)]) + ")"
        bound = " ".join(f"({name} {sort})" for name, sort in old + new)
        return f"(forall ({bound})\n  (let ((a!1 {shared})) (=> (and {atom}) {' '.join(parts)}) {head})))"

    def _term(self, sort: str, depth: int) -> str:
        if depth == 0 or self._rng.random() < 0.15:
            return self._leaf(sort)
        operator, sorts = self._rng.choice(_OPERATIONS[sort])
        return f"({operator} {' '.join(self._term(each, depth - 1) for each in sorts)})"

    def _leaf(self, sort: str) -> str:
        names = self._scope[sort]
        if names and self._rng.random() < 0.8:
            return self._rng.choice(names)
        return self._literal(sort)

    def _literal(self, sort: str) -> str:
        number = self._rng.randrange(100)
        match sort:
            case "Int":
                return str(number)
            case "Real":
                return f"{number}.5"
            case "Bool":
                return "true" if number < 50 else "false"
            case "(_ BitVec 32)":
                return f"#x{number:08x}"
            case _:
                return f"((as const {_ARRAY}) {number})"
