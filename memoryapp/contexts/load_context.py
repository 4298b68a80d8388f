"""The tools load_context and unload_context: a document on demand, and which ones a session has loaded."""

from dataclasses import dataclass

from django.db import transaction

from memoryapp.contexts import entries, leave, reach, texts, words
from memoryapp.contexts.reach import Session
from memoryapp.contexts.said import Cannot, Said
from memoryapp.models import ContextBlock, ContextEntry, ContextKind, ContextLoad
from memoryapp.permit import Permit
from memoryapp.vault import box_of


@dataclass(frozen=True, kw_only=True)
class Pick:
    """Which document a model means."""

    label: str
    key: str


def load_context(permit: Permit, session_id: str, pick: Pick) -> Said:
    """The document's text, as often as it is asked for. Raises Cannot."""
    with transaction.atomic():
        permit = leave.again(permit)
        _, entry = _find(permit, session_id, pick)
        load = ContextLoad(entry=entry, person_id=entry.person_id, session_id=session_id)
        ContextLoad.objects.bulk_create([load], ignore_conflicts=True)
        return Said(words.read_text(entry, box_of(permit.person)))


def unload_context(permit: Permit, session_id: str, pick: Pick) -> Said:
    """Note that a document is no longer in use. Raises Cannot when it is not loaded."""
    with transaction.atomic():
        permit = leave.again(permit)
        block, entry = _find(permit, session_id, pick)
        key = words.read_heading(entry, box_of(permit.person)).key
        gone, _ = ContextLoad.objects.filter(entry=entry, session_id=session_id).delete()
        if not gone:
            raise Cannot("not_loaded", label=block.label, key=key)
        return Said(texts.result("unloaded", label=block.label, key=key))


def _find(permit: Permit, session_id: str, pick: Pick) -> tuple[ContextBlock, ContextEntry]:
    block = reach.for_model(Session.at(permit, session_id), pick.label)
    if block.kind != ContextKind.LOADABLE:
        raise Cannot("not_loadable", label=block.label, kind=block.kind)
    entry = entries.find(block, box_of(permit.person), pick.key)
    if entry is None:
        raise Cannot("unknown_key", label=block.label)
    return block, entry
