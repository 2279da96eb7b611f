"""Solvers described by tables: what they are asked, how their output is read, and what is wrong with a table."""

import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from backends.adapters import ADAPTERS
from backends.answer import Answer, Configuration, Verdict
from backends.described import Described, described
from backends.description import (
    VARIABLE,
    BadDescription,
    Description,
    Form,
    ModelFormat,
    ProofFormat,
    Verdicts,
    Witnesses,
    example,
    read_description,
    write_example,
)
from backends.examination import Examiner, Standing
from backends.limits import Limits
from backends.places import InstallError, SolverMissing
from backends.process import Ending, Run
from backends.store import find, parse_solver
from chc.script import read_instance

pytestmark = pytest.mark.anyio

LIMITS = Limits(wall_seconds=1.5, memory_mb=100)
SMALL = read_instance(
    """(set-logic HORN)
(declare-fun P (Int) Bool)
(assert (P 3))
(assert (forall ((x Int)) (=> (and (P x) (< x 3)) false)))
(check-sat)
"""
)
TABLE = """program = "{program}"
version = "1.0"
command = ["{{program}}", "{{options}}", "{{file}}"]
[witnesses]
model = "smt-lib"
"""
PLAIN = Description("/a/solver", "1.0", ("{program}", "{options}", "{file}"))
Plant = Callable[..., Path]


@pytest.fixture
def plant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plant:
    """Writes a table into the directory of solvers."""
    monkeypatch.setenv("HORNBLOWER_SOLVERS", str(tmp_path / "solvers"))
    (tmp_path / "solvers" / "described").mkdir(parents=True)

    def write(text: str, name: str = "mine") -> Path:
        path = tmp_path / "solvers" / "described" / f"{name}.toml"
        path.write_text(text)
        return path

    return write


def program(folder: Path, source: str) -> str:
    path = folder / "program"
    path.write_text(f"#!{sys.executable} -SE\n{source}\n")
    path.chmod(0o755)
    return str(path)


def said(table: Description, stdout: str, exit_code: int = 0) -> tuple[str, str]:
    found = Described("mine", table).read(Run((), Ending.exited, exit_code, stdout=stdout.encode()))
    return found.verdict, found.detail


@pytest.mark.parametrize(
    ("model", "standing"), [("(= x 3)", Standing.valid), ("(<= x 3)", Standing.invalid), ("", Standing.undecided)]
)
async def test_its_models_are_checked(model: str, standing: Standing, plant: Plant, tmp_path: Path) -> None:
    """Like those of any other solver: a lie is seen."""
    words = f"sat\\n((define-fun P ((x Int)) Bool {model}))"
    plant(TABLE.format(program=program(tmp_path, f'print("{words}")')))
    path = tmp_path / "a.smt2"
    adapter = ADAPTERS["mine"]
    path.write_text(adapter.text_of(SMALL))
    answer = await adapter.ask(find("mine"), path, Limits(wall_seconds=60.0))
    assert Verdict.sat is answer.verdict
    async with Examiner() as examiner:
        found = await examiner.examine_answer(SMALL, answer)
    assert standing is found.standing


def test_command_line() -> None:
    """The limits, and options as each is written."""
    text = example("mine").replace("# [options.seed-of-something]", "[options.b]").replace("# values", "values")
    text = text.replace("# default", "default").replace('# written = "--{name}={value}"', 'written = "+{value}:{name}"')
    table = msgspec.toml.decode(text, type=Description)
    command = ("{program}", "-T:{seconds}", "-t:{milliseconds}", "{options}", "-m:{memory}", "{file}")
    adapter = Described("mine", msgspec.structs.replace(table, command=command))
    asked = Configuration("mine", "1", "/p", (("a", "1"), ("b", "2")))
    expected = ("/p", "-T:3", "-t:3000", "--a=1", "+2:b", "-m:100", "/a.smt2")
    assert expected == adapter.command(asked, Path("/a.smt2"), LIMITS)


def test_verdicts() -> None:
    """The first line that fits decides, unless an error comes before it."""
    table = msgspec.structs.replace(
        PLAIN, verdicts=Verdicts(sat="VERDICT: +SAFE", unsat="VERDICT: +UNSAFE", error="!.*")
    )
    assert (Verdict.unsat, "") == said(table, "hello\nVERDICT:  UNSAFE \nVERDICT: SAFE\n")
    assert (Verdict.sat, "") == said(table, "VERDICT: SAFE\n! what follows does not matter")
    assert (Verdict.error, "! no such thing") == said(table, "! no such thing\nVERDICT: SAFE")
    assert (Verdict.error, "no verdict, exit code 3: NOT A VERDICT: SAFE") == said(table, "NOT A VERDICT: SAFE", 3)
    assert (Verdict.crash, "died of SIGSEGV (Segmentation fault), after it had said sat") == said(
        table, "VERDICT: SAFE", 139
    )
    answer = Answer(Configuration("mine", "1", "/p"), (), Verdict.error, 0.1, 0.1, 1.0, "! no such thing")
    assert Described("mine", table).is_rejection(answer)


def test_what_it_can_do() -> None:
    """Nothing is read that the table does not name."""
    bare = Described("mine", PLAIN)
    assert (False, False, None, None) == (
        bare.reads_models,
        bare.reads_refutations,
        bare.read_model("", SMALL),
        bare.read_derivation("", SMALL),
    )
    for model in set(ModelFormat) - {ModelFormat.none}:
        for proof in set(ProofFormat) - {ProofFormat.none}:
            rich = Described("mine", msgspec.structs.replace(PLAIN, witnesses=Witnesses(model, proof)))
            assert rich.reads_models
            assert rich.reads_refutations


REFUTATIONS = {
    "behind": ("eldarica", "unsat\n\n0: false -> 1\n1: (P 3)\n", Standing.valid),
    "wrong": ("eldarica", "unsat\n\n0: false -> 1\n1: (P 2)\n", Standing.invalid),
    "cut off": ("eldarica", "unsat\n\n0: false -> 1\n", Standing.invalid),
    "not before": ("spacer", "unsat\n\n0: false -> 1\n1: (P 3)\n", Standing.absent),
}


@pytest.mark.parametrize(("proof", "output", "standing"), REFUTATIONS.values(), ids=REFUTATIONS)
async def test_its_refutations_are_checked(
    proof: str, output: str, standing: Standing, plant: Plant, tmp_path: Path
) -> None:
    """They stand behind the verdict, or before it in Spacer's format."""
    plant(TABLE.format(program=program(tmp_path, f"print({output!r})")).replace("model", f'proof = "{proof}"\nmodel'))
    instance = read_instance(SMALL.text.replace("(< x 3)", "(< x 4)"))
    path = tmp_path / "a.smt2"
    path.write_text(instance.text)
    answer = await ADAPTERS["mine"].ask(find("mine"), path, Limits(wall_seconds=60.0))
    assert Verdict.unsat is answer.verdict
    async with Examiner() as examiner:
        assert standing is (await examiner.examine_answer(instance, answer)).standing


def test_the_competition_s_form() -> None:
    """Where the solver insists on it."""
    adapter = Described("mine", msgspec.structs.replace(PLAIN, form=Form.competition, append="(get-model)"))
    text = adapter.text_of(SMALL)
    assert "(=> (and (= value 3)) (P value))" in text
    assert text.endswith("(check-sat)\n(get-model)\n")


def test_tables_are_found(plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the directory of solvers, and where the variable says; a change is seen at once."""
    mine = plant(TABLE.format(program=sys.executable))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "other.toml").write_text(TABLE.format(program=sys.executable))
    assert ["mine"] == list(described())
    monkeypatch.setenv(VARIABLE, str(elsewhere))
    assert ["mine", "other"] == list(described())
    assert {"mine", "other", "spacer"} <= set(ADAPTERS)
    assert len(ADAPTERS) == len(list(ADAPTERS))
    monkeypatch.setenv(VARIABLE, str(elsewhere / "other.toml"))
    assert "1.0" == parse_solver("other,a=1").version
    mine.unlink()
    assert ["other"] == list(described())
    with pytest.raises(InstallError, match="delete that: rm "):
        ADAPTERS["other"].remove("1.0")


def test_a_program_that_is_not_there(plant: Plant) -> None:
    """The table is read, but its solver cannot be asked."""
    plant(TABLE.format(program="/no/such/program"))
    with pytest.raises(SolverMissing, match="mine"):
        find("mine")
    with pytest.raises(InstallError, match="ls -l /no/such/program"):
        ADAPTERS["mine"].install("1.0", lambda _: None)


def test_names(plant: Plant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of our own solvers are taken, and each is used once."""
    text = TABLE.format(program=sys.executable)
    taken = plant(text, "spacer")
    with pytest.raises(BadDescription, match="spacer is a solver that hornblower knows"):
        list(ADAPTERS)
    taken.unlink()
    ugly = plant(text, "My Solver")
    with pytest.raises(BadDescription, match="in small letters, digits and hyphens"):
        described()
    ugly.unlink()
    mine = plant(text)
    (tmp_path / "mine.toml").write_text(text)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "mine.toml"))
    with pytest.raises(BadDescription, match=f"is described in {mine} as well"):
        described()
    monkeypatch.setenv(VARIABLE, "/no/such/folder")
    with pytest.raises(BadDescription, match="is neither a folder nor a file"):
        described()


@pytest.mark.usefixtures("plant")
def test_the_example_is_a_table() -> None:
    """It can be filled in, and is never written over."""
    path = write_example("other")
    assert "/path/to/other" == read_description(path).program
    with pytest.raises(BadDescription, match="is there already"):
        write_example("other")
    with pytest.raises(BadDescription, match="small letters"):
        write_example("../other")


MISTAKES = {
    "no TOML": ("program =", "it is no TOML"),
    "nothing": ("", "missing required field `program`"),
    "wrong type": ('program = 3\nversion = "1"\ncommand = []', "program: Expected `str`, got `int`"),
    "relative": (TABLE.format(program="z3"), "program: z3 is not an absolute path"),
    "version": (TABLE.format(program="/z3").replace('"1.0"', '"newest"'), "version: newest is not a version"),
    "no program": (TABLE.format(program="/z3").replace("{program}", "z3"), "command: its first word"),
    "brace": (TABLE.format(program="/z3").replace("{file}", "{file}}"), "command: {file}}: Single '}'"),
    "glued": (
        TABLE.format(program="/z3").replace('"{options}"', '"-{options}"'),
        "command: {options} has to be a word",
    ),
    "format": (TABLE.format(program="/z3").replace("smt-lib", "smtlib"), "there are: none, smt-lib, hoice, eldarica"),
    "no options": (
        TABLE.format(program="/z3").replace('"{options}", ', "") + '[options.a]\nvalues = ["1"]\ndefault = "0"',
        "command: {options} is missing",
    ),
    "written": (
        TABLE.format(program="/z3") + '[options.a]\nvalues = ["1"]\ndefault = "0"\nwritten = "{val}"',
        "options.a.written: {val} means nothing here; there are {name}, {value}",
    ),
    "no reason": (
        TABLE.format(program="/z3") + '[options.a]\nvalues = ["1"]\ndefault = "0"\nfairness = "known"',
        "options.a: say in `reason` why it is known",
    ),
    "seed": (
        'seed-option = "a"\n' + TABLE.format(program="/z3") + '[options.a]\nvalues = ["1"]\ndefault = "0"',
        "seed-option: a is among the options",
    ),
}


@pytest.mark.parametrize(("text", "message"), MISTAKES.values(), ids=MISTAKES)
def test_mistakes(text: str, message: str, plant: Plant) -> None:
    """The message says in which table, where, and what."""
    path = plant(text)
    with pytest.raises(BadDescription) as caught:
        list(ADAPTERS)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
