"""What assistants keep for a conversation: the blocks under their sessions, each to read, edit and delete."""

import uuid
from collections.abc import Iterable
from itertools import groupby
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from memoryapp import gate, sensitivity
from memoryapp.contexts import reach, remove, shape, words
from memoryapp.contexts.edit import edit
from memoryapp.contexts.said import Cannot
from memoryapp.contexts.usage import usage
from memoryapp.errors import Conflict
from memoryapp.forms.contexts import ContextForm
from memoryapp.models import ContextBlock, ContextEntry
from memoryapp.pages import recent
from memoryapp.pages.base import own_page
from memoryapp.permit import Act
from memoryapp.vault import Box, box_of
from speakers.models import Person

ROWS = 60


@own_page
@require_GET
def contexts(request: HttpRequest, person: Person) -> HttpResponse:
    """The blocks of all sessions, session by session, the latest change first. Without their words."""
    rows = reach.mine(gate.own(person, Act.SEE)).order_by("-updated_at", "-pk")
    page = Paginator(rows, ROWS).get_page(request.GET.get("page"))
    return render(request, "mypage/contexts.html", {"sessions": _sessions(page.object_list), "page": page})


@own_page
@require_GET
def context(request: HttpRequest, person: Person, block_id: uuid.UUID) -> HttpResponse:
    """One block in the open, with its entries and the sessions it is shared with."""
    block = reach.by_id(gate.own(person, Act.SEE), block_id)
    box = box_of(person)
    entries = [(entry, shape.entry_json(entry, box)) for entry in shape.entries_of(block)]
    text = words.read(block, box)
    texts = [text.content, text.description, *(shown["content"] for _entry, shown in entries)]
    if _must_ask(request, texts):
        return recent.ask(request, request.path)
    shared_with = sorted(block.grants.values_list("to_session_id", flat=True))
    return render(
        request,
        "mypage/context.html",
        {**_about(block), "text": text, "entries": entries, "shared_with": shared_with},
    )


@own_page
@require_http_methods(["GET", "POST"])
def edit_text(request: HttpRequest, person: Person, block_id: uuid.UUID) -> HttpResponse:
    return _edit(request, person, block_id, None)


@own_page
@require_http_methods(["GET", "POST"])
def edit_entry(
    request: HttpRequest, person: Person, block_id: uuid.UUID, entry_id: uuid.UUID
) -> HttpResponse:
    return _edit(request, person, block_id, entry_id)


@own_page
@require_POST
def delete(request: HttpRequest, person: Person, block_id: uuid.UUID) -> HttpResponse:
    """Delete a block, after asking on a page of its own."""
    permit = gate.own(person, Act.FORGET)
    block = reach.by_id(permit, block_id)
    if request.POST.get("confirmed") != "yes":
        return render(request, "mypage/context_delete.html", _about(block))
    remove.remove(permit, block)
    messages.success(request, _("Deleted. The assistant no longer has it, not even in this conversation."))
    return redirect("contexts")


@own_page
@require_POST
def delete_entry(
    request: HttpRequest, person: Person, block_id: uuid.UUID, entry_id: uuid.UUID
) -> HttpResponse:
    permit = gate.own(person, Act.FORGET)
    block = reach.by_id(permit, block_id)
    entry = reach.entry_by_id(block, entry_id)
    heading = words.read_heading(entry, box_of(person))
    if request.POST.get("confirmed") != "yes":
        return render(
            request, "mypage/context_delete.html", {**_about(block), "entry": entry, "heading": heading}
        )
    remove.remove_entry(permit, block, heading.key)
    messages.success(request, _("Deleted. The assistant no longer has it, not even in this conversation."))
    return redirect("context", block_id)


def _edit(
    request: HttpRequest, person: Person, block_id: uuid.UUID, entry_id: uuid.UUID | None
) -> HttpResponse:
    permit = gate.own(person, Act.CORRECT)
    block, entry, now = _read(person, block_id, entry_id)
    if _must_ask(request, [now]):
        return recent.ask(request, request.path)
    if request.method == "GET":
        form = ContextForm(initial={"version": block.version, "text": now})
        return _form(request, block, entry, form)
    form = ContextForm(request.POST)
    if not form.is_valid():
        return _form(request, block, entry, form, status=422)
    try:
        edit(permit, block, form.cleaned_data["text"], form.cleaned_data["version"], entry=entry)
    except Conflict:
        block, entry, now = _read(person, block_id, entry_id)
        return _form(request, block, entry, form.on_top_of(block.version), status=409, current=now)
    except Cannot as failure:
        form.take(failure)
        return _form(request, block, entry, form, status=422)
    messages.success(request, _("Saved. The assistant reads it this way from now on."))
    return redirect("context", block_id)


def _read(
    person: Person, block_id: uuid.UUID, entry_id: uuid.UUID | None
) -> tuple[ContextBlock, ContextEntry | None, str]:
    """The block, the entry if one is meant, and the text as it is now. Raises NotFound."""
    block = reach.by_id(gate.own(person, Act.SEE), block_id)
    box: Box = box_of(person)
    if entry_id is None:
        return block, None, words.read(block, box).content
    entry = reach.entry_by_id(block, entry_id)
    return block, entry, words.read_text(entry, box)


def _form(
    request: HttpRequest,
    block: ContextBlock,
    entry: ContextEntry | None,
    form: ContextForm,
    *,
    status: int = 200,
    current: str | None = None,
) -> HttpResponse:
    shown = {
        **_about(block),
        "entry": entry,
        "form": form,
        "conflict": current is not None,
        "current": current,
    }
    return render(request, "mypage/context_edit.html", shown, status=status)


def _about(block: ContextBlock) -> dict[str, Any]:
    return {"row": block, "usage": usage(block.tokens, block.max_tokens)}


def _must_ask(request: HttpRequest, texts: Iterable[str]) -> bool:
    """Restricted values need a sign-in, or a repeated one, of the last minutes."""
    guarded = any(sensitivity.detect(text) == "restricted" for text in texts)
    return guarded and not recent.recently_signed_in(request)


def _sessions(rows: Iterable[ContextBlock]) -> list[dict[str, Any]]:
    """Rows grouped by session, in the order of each session's latest change."""
    latest = {key: number for number, key in enumerate(dict.fromkeys(map(_session, rows)))}
    ordered = sorted(rows, key=lambda row: (latest[_session(row)], row.created_at))
    return [
        {"service": service, "session_id": session_id, "blocks": [_about(row) for row in blocks]}
        for (service, session_id), blocks in groupby(ordered, key=_session)
    ]


def _session(row: ContextBlock) -> tuple[str, str]:
    return row.service.name, row.session_id
