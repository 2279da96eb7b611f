"""Programs in Java: a JVM that stays small, and Maven, by which published ones are fetched."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import msgspec

from backends.limits import Limits
from backends.places import InstallError

_JVM_SHARE: Final = 0.75
"""Of the memory of a query, for the heap; the rest is for what a JVM needs besides."""
QUICK_START: Final = "-XX:TieredStopAtLevel=1"
"""Compiles once and quickly: a third less time for what is over in seconds."""
_NEEDED: Final = {"java": "default-jre-headless", "mvn": "maven"}
_POM: Final = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId><artifactId>wanted</artifactId><version>1</version><packaging>pom</packaging>
  <dependencies><dependency>
    <groupId>{group}</groupId><artifactId>{artifact}</artifactId><version>{version}</version>
  </dependency></dependencies>
</project>
"""


def jvm_options(memory_mb: int | None) -> tuple[str, ...]:
    """One thread for collecting garbage, and a heap that fits into the memory of a query."""
    heap = () if memory_mb is None else (f"-Xmx{max(64, int(memory_mb * _JVM_SHARE))}m",)
    return ("-XX:+UseSerialGC", *heap)


def jvm_limits(limits: Limits) -> Limits:
    """A JVM reserves far more of its address space than it touches."""
    return msgspec.structs.replace(limits, address_space=False)


def missing() -> list[str]:
    """Which of the programs that installing needs are not on PATH."""
    return [program for program in _NEEDED if shutil.which(program) is None]


def require_java_and_maven(wanted: str) -> None:
    if lacking := missing():
        packages = " ".join(_NEEDED[program] for program in lacking)
        raise InstallError(
            f"{wanted} needs {' and '.join(lacking)}, not found on PATH; on Debian or Ubuntu, as root: "
            f"apt-get install {packages}"
        )


def fetch(group: str, artifact: str, version: str, folder: Path) -> None:
    """Have Maven lay a published artifact and all that it depends on into the folder, as jars.

    `version` is one release or a range such as `[2,)`. Where Maven looks for it is a matter of its own configuration.
    """
    folder.mkdir(parents=True, exist_ok=True)
    pom = folder / "pom.xml"
    pom.write_text(_POM.format(group=group, artifact=artifact, version=version), encoding="utf-8")
    command = ["mvn", "--batch-mode", "--quiet", "--file", str(pom), "dependency:copy-dependencies"]
    command += ["-DincludeScope=runtime", f"-DoutputDirectory={folder}"]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    pom.unlink()
    if result.returncode != 0:
        raise InstallError(f"Maven could not fetch {group}:{artifact}:{version}: {_reason(result.stdout)}")


def _reason(said: str) -> str:
    """What Maven complains about first, without its colours and the prefix of each line."""
    lines = (re.sub(r"\x1b\[[0-9;]*m", "", line) for line in said.splitlines())
    return next(
        (line.removeprefix("[ERROR] ").partition(" -> ")[0] for line in lines if line.startswith("[ERROR]")),
        "it gave no reason",
    )
