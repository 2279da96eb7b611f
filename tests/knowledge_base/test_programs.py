"""Programs are known by the digest under which they were first met."""

from pathlib import Path

from knowledge_base import programs
from knowledge_base.store import open_knowledge_base


def test_what_was_met_first_stays(tmp_path: Path) -> None:
    """Also after a restart."""
    with open_knowledge_base(tmp_path) as knowledge:
        assert knowledge.read(programs.first_digest, "z3") is None
        knowledge.write_now(programs.meet, "z3", "first")
        knowledge.write_now(programs.meet, "z3", "second")
    with open_knowledge_base(tmp_path) as knowledge:
        assert "first" == knowledge.read(programs.first_digest, "z3")
