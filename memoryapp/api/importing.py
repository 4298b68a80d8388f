"""Import: another assistant's memories become candidates, our own come back, with a report."""

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import gate, importing
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import IdField, StrictSerializer
from memoryapp.importing import OURS, SOURCES, Report
from memoryapp.permit import Act

MAX_BYTES = 1024 * 1024


class DocumentField(serializers.CharField):
    """A whole text; each memory in it is cleaned on its own."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)
        self.validators = [
            v for v in self.validators if type(v).__name__ != "ProhibitNullCharactersValidator"
        ]

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            raise serializers.ValidationError("Must be a string.")
        return data


class ImportBody(StrictSerializer):
    user_id = IdField()
    source = serializers.ChoiceField(choices=list(SOURCES))  # type: ignore[assignment]  # DRF's own attribute
    text = DocumentField()
    project_id = IdField(required=False, allow_null=True, allow_blank=True, default=None)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Our own lines are read one by one, and may be as long as a request may be."""
        if attrs["source"] != OURS and len(attrs["text"].encode("utf-8", "replace")) > MAX_BYTES:
            raise serializers.ValidationError({"text": [f"At most {MAX_BYTES} bytes (1 MiB)."]})
        return attrs


class ImportView(ApiView):
    """Propose what another assistant remembered; take back what our own export holds."""

    permission = "save"

    @idempotent
    def post(self, request: Request) -> Response:
        body = self.body(ImportBody)
        permit = gate.admit(self.caller, body["user_id"], Act.SAVE)
        report = importing.bring(permit, body["source"], body["text"], project_id=body["project_id"] or "")
        return Response(report_json(report), status=201 if report.made else 200)


def report_json(report: Report) -> dict[str, Any]:
    return {
        "read": report.read,
        "candidates": len(report.candidates),
        "restored": len(report.restored),
        "duplicates": report.duplicates,
        "skipped": [{"line": item.place, "reason": item.reason} for item in report.skipped],
        "left_out": dict(report.left_out),
        "more": report.more,
        "ids": [str(pk) for pk in report.made],
    }
