"""What Eldarica logs, as a trace."""

from backends.eldarica import ELDARICA
from backends.eldarica_trace import trace_in
from backends.process import Ending, Run

LOG = """---------------------------------- Parsing -------------------------------------

------------------------------- Preprocessing ----------------------------------
                                                       #clauses  #relation syms
Initially:                                             4         2
After eliminating fwd/bwd unreachable clauses (201ms): 4         2
After clause inlining (318ms):                         3         1
After slicing:                                         13        1

Total preprocessing time (ms): 4874

Starting CEGAR ...
.
Found counterexample #1, refining ...  2 clauses ... 5 -> 5 ... adding predicates:
inv: inv_0_0 = 0
.
Found counterexample #2, refining ...{searching}
 22 -> 15 5 clauses ... 20 -> 20 ... adding predicates:
inv: inv_0_0 = 3, 5 >= inv_0_0
.....
Found counterexample #3, refining ... (4and/0or)  ... failed, counterexample is genuine

Total elapsed time (ms): {total}
"""


def log(searching: str = "", total: int = 42207) -> str:
    return LOG.replace("{searching}", searching).replace("{total}", str(total))


def test_states() -> None:
    """Passes with what they did to the clauses, refinements by the size of the counterexample."""
    trace = trace_in(log())
    assert trace is not None
    assert (
        "",
        "clause inlining -1",
        "counterexample",
        "counterexample is genuine",
        "eliminating fwd/bwd unreachable clauses +0",
        "explore 1",
        "explore 3",
        "initially +4",
        "refine 3",
        "refine 5",
        "slicing +8",
    ) == trace.states
    assert 13 == sum(count for _, _, count in trace.transitions)


def test_clock_does_not_matter() -> None:
    """Neither how long it took, nor how far the search for abstractions came."""
    search = "\nSearching for interpolation abstractions ...\nCost bound: 8\nInterpolation abstraction: inv: <_0> .."
    assert trace_in(log()) == trace_in(log(search, 3).replace("201ms", "7ms"))


def test_where_it_is_logged() -> None:
    """Cold on stderr, by the server before the verdict; the verdict and the model are not disturbed."""
    cold = ELDARICA.read(Run(("java",), Ending.exited, 0, stdout=b"sat\n()\n", stderr=log().encode()))
    warm = ELDARICA.read(Run(("java",), Ending.exited, 0, stdout=f"{log()}sat\n()\n".encode()))
    assert cold == warm
    assert ("sat", trace_in(log())) == (cold.verdict.value, cold.trace)
    assert ("java", "-ssol", "-log", "a.smt2") == ELDARICA.logging(("java", "-ssol", "a.smt2"))
