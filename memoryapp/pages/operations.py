"""How to run it for real: a few chapters for whoever operates it, in both languages."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

FOLDER = Path(settings.BASE_DIR) / "templates" / "docs" / "operations"
#: Chapter → its title, in the order they are read.
CHAPTERS = {
    "running": _("Install and run"),
    "environment": _("Environment variables"),
    "data": _("Backup, keys and certificates"),
    "watching": _("Watch it"),
    "runbook": _("Runbook"),
    "scaling": _("Grow"),
}


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    shown = {"chapters": CHAPTERS.items(), "language": _language()}
    return render(request, "docs/operations/index.html", shown)


@require_safe
def chapter(request: HttpRequest, name: str) -> HttpResponse:
    if name not in CHAPTERS:
        raise Http404
    shown = {
        "title": CHAPTERS[name],
        "chapters": CHAPTERS.items(),
        "chapter": name,
        "language": _language(),
        **tables(),
    }
    return render(request, f"docs/operations/{name}.html", shown)


def tables() -> dict[str, Any]:
    """{"variables": groups, "runbook": entries}, in the reader's language."""
    language = _language()
    return {
        "variables": _told(_read("environment")["group"], language),
        "runbook": _told(_read("runbook")["entry"], language),
    }


def _language() -> str:
    return "ko" if (get_language() or "ko").startswith("ko") else "en"


@cache
def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def _told(data: Any, language: str) -> Any:
    """The data with each {"ko": …, "en": …} replaced by what it says in one language."""
    if isinstance(data, list):
        return [_told(item, language) for item in data]
    if not isinstance(data, dict):
        return data
    if set(data) == {"ko", "en"}:
        return data[language]
    return {key: _told(value, language) for key, value in data.items()}
