"""Updates without a pause: from the first release on, the release before runs on what a migration makes."""

from importlib import import_module
from pathlib import Path

import pytest
from django.apps import apps
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

#: What the first release starts with; nobody has run an earlier one.
FIRST_RELEASE = {"memoryapp": 17, "consent": 1, "speakers": 1}
ADDS_ONLY = (migrations.CreateModel, migrations.AlterModelOptions, AddIndexConcurrently)


def pauses(operation: Operation) -> str:
    """Why the code of the release before could not go on, or ""."""
    if isinstance(operation, ADDS_ONLY):
        return ""
    if isinstance(operation, migrations.AddField):
        field = operation.field
        empty = field.null or field.many_to_many or field.has_db_default()
        return "" if empty else f"{operation.name}: older code inserts rows without it"
    if isinstance(operation, migrations.AddIndex):
        return f"{operation.index.name}: writes wait while it is built"
    return f"{type(operation).__name__}: goes, or gets stricter, one release later"


def later() -> list[tuple[str, Operation]]:
    found = []
    for app, first in FIRST_RELEASE.items():
        folder = Path(apps.get_app_config(app).path) / "migrations"
        for path in sorted(folder.glob("[0-9]*.py")):
            if int(path.stem[:4]) > first:
                module = import_module(f"{app}.migrations.{path.stem}")
                found += [(f"{app}.{path.stem}", operation) for operation in module.Migration.operations]
    return found


def test_migrations_after_the_first_release_only_add() -> None:
    assert [(where, pauses(operation)) for where, operation in later() if pauses(operation)] == []


@pytest.mark.parametrize(
    ("operation", "goes_on"),
    [
        (migrations.AddField("turn", "mood", models.TextField(null=True)), True),
        (migrations.AddField("turn", "mood", models.TextField(db_default="")), True),
        (migrations.AddField("turn", "mood", models.TextField(default="")), False),
        (migrations.RemoveField("turn", "error"), False),
        (migrations.RenameField("turn", "error", "fault"), False),
        (migrations.AlterField("turn", "error", models.TextField()), False),
        (migrations.AddIndex("turn", models.Index(fields=["error"], name="turn_error")), False),
        (AddIndexConcurrently("turn", models.Index(fields=["error"], name="turn_error")), True),
    ],
)
def test_what_would_pause_is_known(operation: Operation, goes_on: bool) -> None:
    assert (pauses(operation) == "") is goes_on


def test_the_first_release_is_no_further_than_what_there_is() -> None:
    for app, first in FIRST_RELEASE.items():
        folder = Path(apps.get_app_config(app).path) / "migrations"
        assert list(folder.glob(f"{first:04d}_*.py")), app
