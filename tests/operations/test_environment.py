"""The table of environment variables is what the code reads: no name missing, none too many, the same defaults."""

import ast
import re
import tomllib
from collections.abc import Iterator
from typing import Any

from tests.live import PROJECT

TABLE = PROJECT / "templates" / "docs" / "operations" / "environment.toml"
CODE = [path for app in ("memoryapp", "consent", "speakers") for path in (PROJECT / app).rglob("*.py")]
#: Names that are only ever ours to read, wherever they stand as a string.
OURS = re.compile(r"(?:MEMORYAPP|OIDC|OTEL|VAULT|PROMETHEUS|DATABASE|CELERY|EMAIL)_[A-Z0-9_]+")
#: Not settings: a mark that the launcher puts on its own processes, and what every program inherits.
NOT_SETTINGS = {"MEMORYAPP_SUPERVISED", "PATH"}


def variables() -> dict[str, dict[str, Any]]:
    groups = tomllib.loads(TABLE.read_text(encoding="utf-8"))["group"]
    return {variable["name"]: variable for group in groups for variable in group["variable"]}


def nodes() -> Iterator[ast.AST]:
    for path in CODE:
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def text_of(node: ast.AST | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def asked(node: ast.AST) -> str | None:
    """The variable that this piece of code asks the environment for."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
        place = ast.unparse(node.func.value)
        if place in {"env", "os.environ"} or ast.unparse(node.func) == "os.getenv":
            return text_of(node.args[0])
    if (
        isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node.value) == "os.environ"
    ):
        return text_of(node.slice)
    if isinstance(node, ast.Compare) and "os.environ" in [ast.unparse(one) for one in node.comparators]:
        return text_of(node.left)
    return None


def read_by_the_code() -> set[str]:
    found = {name for name in map(asked, nodes()) if name}
    strings = {text for text in map(text_of, nodes()) if text and OURS.fullmatch(text)}
    return (found | strings) - NOT_SETTINGS


def test_every_variable_that_is_read_is_in_the_table_and_no_other() -> None:
    assert set(variables()) == read_by_the_code()


def test_the_defaults_are_those_of_the_code() -> None:
    compared = 0
    for node in nodes():
        name = asked(node)
        given = [word.value for word in getattr(node, "keywords", []) if word.arg == "default"]
        if name is None or not given or not isinstance(given[0], ast.Constant | ast.List):
            continue
        default = ast.literal_eval(given[0])
        assert variables()[name].get("default", "") == written(default), name
        compared += 1
    assert compared > 30


def written(default: Any) -> str:
    """A default as somebody would write it into the environment."""
    if isinstance(default, bool):
        return str(int(default))
    if isinstance(default, list):
        return ",".join(default)
    return f"{default:g}" if isinstance(default, float) else str(default)


def test_a_variable_without_a_default_says_when_it_is_needed() -> None:
    silent = {name for name, entry in variables().items() if not entry.get("default") and "need" not in entry}
    assert silent == {
        "VAULT_TOKEN_FILE",
        "CSRF_TRUSTED_ORIGINS",
        "MEMORYAPP_PROJECT_ID",
        "MEMORYAPP_USER_ASSERTION",
        "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    }
