"""What is declared is what is used, and an agent that takes only the client gets only the client."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).resolve().parent.parent.parent
CODE = [path for app in ("memoryapp", "consent", "speakers") for path in (PROJECT / app).rglob("*.py")]
# Need the framework they adapt to, each an extra of its own.
ADAPTERS = {"adk": "adk", "langgraph": "langgraph", "telemetry": "otel"}
SERVER_CODE = [path for path in CODE if path.stem not in ADAPTERS]
# What Django and Celery find by name, and what has a contract of its own (client, embedded).
WIRING = {
    "apps",
    "warm",
    "settings",
    "celery",
    "checks",
    "migrations",
    "templatetags",
    "client",
    "embedded",
    "locale",
}
OURS = {"memoryapp", "consent", "speakers", "tests"}


def declared(*extras: str) -> set[str]:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"]]
    for extra in extras:
        lines += project["optional-dependencies"][extra]
    return {canonicalize_name(Requirement(line).name) for line in lines}


def imported(code: list[Path]) -> set[str]:
    """Top-level modules of others that the code imports anywhere, also inside functions."""
    names: set[str] = set()
    for path in code:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.partition(".")[0])
    return names - OURS - set(sys.stdlib_module_names)


INSTALLED = packages_distributions()  # asks every installed file; once is enough


def distributions_of(module: str) -> set[str]:
    return {canonicalize_name(name) for name in INSTALLED.get(module, [])}


def test_the_client_needs_the_base_install_only_and_that_is_small() -> None:
    assert declared() == declared("client") == {"httpx", "anyio"}
    code = [path for path in CODE if "client" in path.parts and path.stem not in ADAPTERS]
    assert {module for module in imported(code) if not distributions_of(module) & declared()} == set()


def test_every_import_is_declared_by_name_and_not_left_to_another_package() -> None:
    known = declared("server") | {"psycopg-pool"}  # the pool comes with psycopg's extra of that name
    assert {module for module in imported(SERVER_CODE) if not distributions_of(module) & known} == set()


def test_nothing_is_declared_that_the_product_does_not_name() -> None:
    """An import, an app or middleware in the settings, a program that is started: each names the module."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in CODE)
    data_only = {"tzdata"}  # read by the standard library's zoneinfo
    modules = {module for module in INSTALLED if re.search(rf"\b{re.escape(module)}\b", text)}
    used = {name for module in modules for name in distributions_of(module)}
    assert declared("server") - declared() - used == data_only


def test_every_dependency_is_pinned_for_a_repeatable_install() -> None:
    pins = (PROJECT / "constraints.txt").read_text(encoding="utf-8")
    for name in declared("server", "otel", "dev"):
        assert re.search(rf"^{re.escape(name)}==\S+$", pins, re.MULTILINE), name
    assert "://" not in pins


def test_every_module_has_its_place_in_the_layers() -> None:
    """A module without one could import anything; give a new one its line in pyproject.toml."""
    layers = set(
        re.findall(r"\(memoryapp\.(\w+)\)", (PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    )
    modules = {path.stem for path in (PROJECT / "memoryapp").iterdir() if not path.name.startswith("__")}
    assert modules - layers - WIRING == set()
