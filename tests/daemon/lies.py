"""Programs in the place of z3 that lie or misbehave, each with what has to be said of it.

They are asked two small instances, one of each truth; 1 … 4 is how often the counters in them go up.
"""

from __future__ import annotations

import msgspec

from chc.script import read_instance

SAT = read_instance(
    """(set-logic HORN)
(declare-fun P (Int) Bool)
(declare-fun Q (Int Bool) Bool)
(assert (forall ((n Int)) (=> (= n 0) (P n))))
(assert (forall ((n Int)) (=> (and (P n) (< n 5)) (P (+ n 1)))))
(assert (forall ((n Int) (b Bool)) (=> (and (P n) (= b (> n 10))) (Q n b))))
(assert (forall ((n Int) (b Bool)) (=> (and (Q n b) b) false)))
(check-sat)
"""
)
UNSAT = read_instance(
    """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (forall ((n Int)) (=> (= n 0) (P n))))
(assert (forall ((n Int)) (=> (P n) (P (+ n 1)))))
(assert (forall ((n Int)) (=> (and (P n) (> n 1)) false)))
(check-sat)
"""
)
FOR_WITNESSES = (
    ("fp.xform.inline_eager", "false"),
    ("fp.xform.inline_linear", "false"),
    ("fp.xform.slice", "false"),
    ("fp.xform.subsumption_checker", "false"),
)


class Lie(msgspec.Struct, frozen=True):
    """A program, what it is asked, and what has to come of it."""

    source: str
    verdict: str
    severity: str | None
    evidence: tuple[str, ...] = ()
    is_sat: bool = True
    """Whether it is asked the satisfiable one."""
    is_certified: bool = False
    """Whether the verdict is right all the same, and certified by others."""
    options: tuple[tuple[str, str], ...] = ()


def _model(p: str, q: str | None = "(not x!1)") -> str:
    rest = "" if q is None else f"(define-fun Q ((x!0 Int) (x!1 Bool)) Bool {q})"
    return f"print('sat\\n((define-fun P ((x!0 Int)) Bool {p}){rest})')"


def _step(fact: str, *premises: str) -> str:
    return f"((_ hyper-res 0 0) (asserted true) {' '.join(premises)} {fact})"


def _refutation(root: str) -> str:
    return f"print('(mp {root} (asserted (=> query!0 false)) false)\\nunsat')"


_ONE = _step("(P 1)", _step("(P 0)"))
_FORK = """import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
for _ in range(3):
    if os.fork() == 0:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
time.sleep(1000)"""

LIES = {
    "bare wrong sat": Lie("print('sat')", "sat", "1", ("it says sat, but a checked refutation proves unsat",), False),
    "wrong sat with a model": Lie(
        _model("(= x!0 0)", None),
        "sat",
        "1",
        ("a checked refutation proves unsat", "clause 2", "is violated by n = 0"),
        is_sat=False,
    ),
    "bare wrong unsat": Lie("print('unsat')", "unsat", "2", ("it says unsat, but a checked model proves sat",)),
    "wrong unsat with a refutation": Lie(
        _refutation(_step("query!0", _step("(Q 11 true)", _step("(P 11)")))),
        "unsat",
        "2",
        ("a checked model proves sat", "step 1: no clause of the instance derives (P 11) from no premise"),
        options=FOR_WITNESSES,
    ),
    "truncated model": Lie("print('sat\\n((define-fun P ((x!0 Int)) Bo')", "sat", "3a", ("breaks off",)),
    "model without a predicate": Lie(_model("true", None), "sat", "3a", ("says nothing about the predicate `Q`",)),
    "model with a predicate twice": Lie(
        _model("true", "true)(define-fun P ((x!0 Int)) Bool true"), "sat", "3a", ("defines `P` twice",)
    ),
    "invalid model": Lie(_model("(<= x!0 3)"), "sat", "3a", ("clause 2", "is violated by n = 3")),
    "model of another shape": Lie(
        _model("(<= x!1 3)").replace("((x!0 Int))", "((x!1 Bool))"), "sat", None, (), True, True
    ),
    "sat without a model": Lie("print('sat')", "sat", None, is_certified=True),
    "sat with an error for a model": Lie(
        """print('sat\\n(error "line 9: model is not available")')""", "sat", None, is_certified=True
    ),
    "wrong step": Lie(
        _refutation(_step("query!0", _step("(P 3)", _step("(P 0)")))),
        "unsat",
        "3b",
        ("step 2: no clause of the instance derives (P 3) from (P 0)",),
        is_sat=False,
        options=FOR_WITNESSES,
    ),
    "wrong step that preprocessing may explain": Lie(
        _refutation(_step("query!0", _step("(P 3)", _step("(P 0)")))), "unsat", None, (), False, True
    ),
    "false too early": Lie(
        _refutation(_step("query!0", _ONE)), "unsat", "3b", ("derives false from (P 1)",), False, False, FOR_WITNESSES
    ),
    "end that is not false": Lie(_refutation(_ONE), "unsat", "3b", ("the refutation does not end in false",), False),
    "fact that rests on nothing": Lie(
        _refutation(_step("query!0", _step("(P 2)"))),
        "unsat",
        "3b",
        ("derives (P 2) from no premise",),
        is_sat=False,
        options=FOR_WITNESSES,
    ),
    "fact that rests on itself": Lie(
        _refutation(_step("query!0", _step("(P 2)", _step("(P 2)")))),
        "unsat",
        "3b",
        ("derives (P 2) from no premise",),
        is_sat=False,
        options=FOR_WITNESSES,
    ),
    "truncated refutation": Lie(
        "print('(mp ((_ hyper-res 0 0) (asserted tr\\nunsat')", "unsat", "3b", ("malformed",), is_sat=False
    ),
    "unsat without a refutation": Lie("print('unsat')", "unsat", None, (), False, True),
    "error before the verdict": Lie(
        """print('(error "line 3 column 9: unknown constant P")\\nsat')""", "error", "4b", ("unknown constant P",)
    ),
    "segmentation fault": Lie(
        "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crash", "4b", ("SIGSEGV (Segmentation fault)",)
    ),
    "crash after the verdict": Lie(
        "import os; print('sat', flush=True); os.abort()", "crash", "4b", ("SIGABRT", "after it had said sat")
    ),
    "broken assertion": Lie(
        "import sys; sys.exit('ASSERTION VIOLATION\\nFile: a.cpp\\nLine: 7')", "crash", "4b", ("a.cpp Line: 7",)
    ),
    "garbage": Lie("import os; os.write(1, bytes(range(256)) * 99)", "error", None, ("no verdict, exit code 0",)),
    "silence": Lie("", "error", None, ("it printed nothing",)),
    "failure": Lie("raise SystemExit('no licence')", "error", None, ("exit code 1: no licence",)),
    "deletes what it is asked": Lie("import os, sys; os.unlink(sys.argv[-1]); print('unknown')", "unknown", "4a"),
    "flood": Lie(
        "import os\nwhile True: os.write(1, b'x' * 65536)", "error", None, ("bytes of output, none of which was",)
    ),
    "flood after the verdict": Lie(
        "import os\nos.write(1, b'sat\\n((define-fun P')\nwhile True: os.write(1, b'(' * 65536)",
        "sat",
        None,
        ("the witness may be cut off",),
        is_certified=True,
    ),
    "sleep": Lie("import time; time.sleep(1000)", "timeout", None, ("killed after 1 s",)),
    "forks that ignore SIGTERM": Lie(_FORK, "timeout", None, ("killed after 1 s",)),
}
