"""Promises about the code itself that no reviewer should have to check by eye."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from memoryapp import permit
from memoryapp.models import ChatService
from memoryapp.permit import Act, Caller, Permit
from speakers.models import Person

ROOT = Path(__file__).resolve().parent.parent
APPS = ("memoryapp", "consent", "speakers")
#: Each verb and its public functions: all of them take a Permit first.
VERBS = {
    "memoryapp.recall": ["recall"],
    "memoryapp.save": ["save"],
    "memoryapp.verdict": ["approve", "decline"],
    "memoryapp.correct": ["correct"],
    "memoryapp.forget": ["forget"],
    "memoryapp.erase": ["erase"],
    "memoryapp.export": ["records", "lines", "response"],
    "memoryapp.browse": ["listing", "one", "history", "visible"],
    "memoryapp.remember": ["remember", "foresee"],
    "memoryapp.replay": ["start"],
    "memoryapp.replay_results": ["compare"],
    "memoryapp.profile": ["observe", "propose"],
    "memoryapp.rollback": ["preview", "withdraw", "undo"],
    "memoryapp.take_back": ["heed"],
    "memoryapp.sync": ["pull"],
    "memoryapp.sync_push": ["push"],
}


def sources() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts)


def test_only_the_gate_makes_a_permit():
    makers = [
        path.relative_to(ROOT).as_posix()
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Permit"
    ]
    assert makers == ["memoryapp/gate.py"]


def test_a_permit_made_elsewhere_is_refused():
    with pytest.raises(TypeError, match=r"only gate\.py"):
        Permit(
            act=Act.SEE,
            person=Person(),
            caller=Caller(service=ChatService()),
            scopes=frozenset(),
            seal=object(),
        )


def test_the_seal_of_the_gate_is_used_by_the_gate_alone():
    users = {path.relative_to(ROOT).as_posix() for path in sources() if "_FROM_THE_GATE" in path.read_text()}
    assert users == {"memoryapp/gate.py", Path(permit.__file__).relative_to(ROOT).as_posix()}


@pytest.mark.parametrize(("module", "name"), [(m, name) for m, names in VERBS.items() for name in names])
def test_every_verb_needs_a_permit(module, name):
    first = next(iter(inspect.signature(getattr(import_module(module), name)).parameters.values()))
    assert first.annotation is Permit


@pytest.mark.parametrize("path", list(sources()), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_no_file_is_too_long_to_know_ones_way_in(path):
    assert len(path.read_text().splitlines()) < 500


def test_nothing_swallows_an_error_in_silence():
    silent = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler)
        and len(node.body) == 1
        and isinstance(node.body[0], ast.Pass)
        and "client" not in path.parts
    ]
    assert silent == []
