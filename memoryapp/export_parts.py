"""The parts of an export that come from speakers, summaries, devices, trials and roll-backs."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import QuerySet

from memoryapp import compress
from memoryapp.models import Summary
from memoryapp.permit import Permit
from memoryapp.vault import Box

_CHUNK = 500


def summaries(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """Every summary that says something, with what it was made from."""
    rows = _visible(permit, permit.person.summaries.filter(content__isnull=False))
    for summary in rows.select_related("service").order_by("day", "created_at", "pk").iterator(_CHUNK):
        yield {"kind": "summary", **summary_json(summary, box)}


def summary_json(summary: Summary, box: Box) -> dict[str, Any]:
    return {
        "summary_id": str(summary.pk),
        "version": summary.version,
        "level": summary.level,
        "day": summary.day.isoformat(),
        "session_id": summary.session_id or None,
        "service": summary.service.slug,
        "summary": compress.read(summary, box),
        "method": summary.method,
        "made_at": summary.made_at.isoformat() if summary.made_at else None,
        "sources": {
            "summary_ids": [str(pk) for pk in summary.summary_ids],
            "session_ids": summary.session_ids,
            "pair_ids": [str(pk) for pk in summary.pair_ids],
        },
    }


def evidence(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """What each profile item rests on."""
    rows = _visible(permit, permit.person.evidence.all()).select_related("service")
    for row in rows.order_by("at", "pk").iterator(_CHUNK):
        yield {
            "kind": "evidence",
            "candidate_id": str(row.pk),
            "memory_id": str(row.memory_id),
            "evidence_kind": row.kind,
            "day": row.day.isoformat(),
            "session_id": row.session_id or None,
            "pair_id": str(row.pair_id),
            "service": row.service.slug,
        }


def devices(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """The devices that keep a copy, and how far each has followed."""
    for device in _visible(permit, permit.person.devices.all()).select_related("service").order_by("pk"):
        yield {
            "kind": "device",
            "device_id": device.device_id,
            "service": device.service.slug,
            "first_seen_at": device.first_seen_at.isoformat(),
            "last_seen_at": device.last_seen_at.isoformat(),
        }


def workflows(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """The running workflows that are this person's."""
    for flow in _visible(permit, permit.person.workflows.all()).select_related("service").order_by("pk"):
        yield {
            "kind": "workflow",
            "workflow_id": flow.workflow_id,
            "service": flow.service.slug,
            "registered_at": flow.registered_at.isoformat(),
            "expires_at": flow.expires_at.isoformat(),
        }


def replays(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """The leaves for trials, and which trials were made. What they found is in the turns already."""
    rows = _visible(permit, permit.person.replay_grants.all())
    for grant in rows.select_related("service").prefetch_related("replays__draft").order_by("pk"):
        yield {
            "kind": "replay_grant",
            "service": grant.service.slug,
            "granted_at": grant.granted_at.isoformat(),
            "until": grant.until.isoformat(),
            "replays": [
                {
                    "day": replay.day.isoformat(),
                    "revision": replay.draft.number,
                    "at": replay.created_at.isoformat(),
                    "state": replay.state,
                }
                for replay in grant.replays.all()
            ],
        }


def rollbacks(permit: Permit, box: Box) -> Iterator[dict[str, Any]]:
    """What was taken back. Words it took are not told again: they may be somebody else's."""
    if permit.caller.service is not None:
        return
    for batch in permit.person.rollbacks.order_by("at", "pk"):
        yield {
            "kind": "rollback",
            "rollback_id": str(batch.pk),
            "source": {"kind": batch.source_kind, "id": batch.source_id},
            "at": batch.at.isoformat(),
            "counts": batch.counts,
            "undone_at": batch.undone_at.isoformat() if batch.undone_at else None,
        }


def _visible(permit: Permit, rows: QuerySet[Any]) -> QuerySet[Any]:
    """A service sees what came from itself; the person sees all."""
    return rows if permit.caller.service is None else rows.filter(service=permit.caller.service)


PARTS: tuple[Callable[[Permit, Box], Iterator[dict[str, Any]]], ...] = (
    summaries,
    evidence,
    devices,
    workflows,
    replays,
    rollbacks,
)
