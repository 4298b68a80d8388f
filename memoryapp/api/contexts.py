"""Session contexts: blocks, the prompt made of them, the tools that follow from them, and sharing."""

import re
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memoryapp import gate
from memoryapp.api.base import ApiView, idempotent
from memoryapp.api.fields import CountField, IdField, SessionIdField, StrictSerializer, TextField
from memoryapp.api.memories import UserBody
from memoryapp.api.people import UserQuery
from memoryapp.contexts import leave, limits, prompt, reach, remove, shape, share
from memoryapp.contexts.call import TOOLS, arguments_of, call
from memoryapp.contexts.entries import one_line
from memoryapp.contexts.prompt import Prompt
from memoryapp.contexts.put import Definition, put
from memoryapp.contexts.reach import Session
from memoryapp.contexts.tools import Tool, tools
from memoryapp.errors import NotFound, Refused
from memoryapp.models import ContextKind, ContextSource
from memoryapp.permit import Act, Permit
from memoryapp.vault import box_of

_LABEL = re.compile(r"\w(?:[\w .-]{0,62}[\w.-])?")


class LabelField(IdField):
    """Letters, digits, `_`, `-`, `.` and single spaces inside: it becomes a header of the prompt."""

    def to_internal_value(self, data: Any) -> str:
        label = super().to_internal_value(data)
        if not _LABEL.fullmatch(label) or "  " in label:
            raise serializers.ValidationError("1 to 64 letters, digits, _, -, . and spaces inside.")
        return label


class DefinitionBody(StrictSerializer):
    user_id = IdField()
    kind = serializers.ChoiceField(choices=ContextKind.values)
    description = TextField(required=False, default="", allow_blank=True, allow_null=True, max_length=1000)
    max_tokens = CountField(
        min_value=1, max_value=limits.MAX_TOKENS, required=False, allow_null=True, default=None
    )
    content = TextField(required=False, allow_blank=True, allow_null=True, default=None)
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=ContextSource.values, required=False, allow_null=True, default=None
    )


class GrantBody(StrictSerializer):
    user_id = IdField()
    to_session_id = SessionIdField()


class EntryKeyBody(StrictSerializer):
    user_id = IdField()
    key = IdField()


class ToolsQuery(StrictSerializer):
    user_id = IdField()
    style = serializers.ChoiceField(  # type: ignore[assignment]
        choices=["plain", "openai", "mcp"], required=False, default="plain"
    )


class MetadataBody(StrictSerializer):
    title = TextField(required=False, allow_blank=True, allow_null=True, max_length=200)
    description = TextField(required=False, allow_blank=True, allow_null=True, max_length=500)


class SetArguments(StrictSerializer):
    label = TextField(max_length=255)  # type: ignore[assignment]
    content = TextField(allow_blank=True)
    action = serializers.ChoiceField(choices=["replace", "append"], required=False, default="replace")
    metadata = MetadataBody(required=False, allow_null=True, default=None)


class SearchArguments(StrictSerializer):
    label = TextField(max_length=255)  # type: ignore[assignment]
    query = TextField(allow_blank=True)


class KeyArguments(StrictSerializer):
    label = TextField(max_length=255)  # type: ignore[assignment]
    key = TextField(max_length=255)


class CallBody(StrictSerializer):
    """`arguments` as the tool's own schema has them."""

    user_id = IdField()
    arguments = StrictSerializer()


class SetCallBody(CallBody):
    arguments = SetArguments()


class SearchCallBody(CallBody):
    arguments = SearchArguments()


class KeyCallBody(CallBody):
    arguments = KeyArguments()


CALLS: dict[str, type[CallBody]] = {
    "set_context": SetCallBody,
    "search_context": SearchCallBody,
    "load_context": KeyCallBody,
    "unload_context": KeyCallBody,
}


class ContextsView(ApiView):
    """The blocks of a session."""

    permission = "contexts"

    def get(self, request: Request, session_id: str) -> Response:
        permit = leave.admit(self.caller, self.query(UserQuery)["user_id"], leave.USE)
        box = box_of(permit.person)
        rows = reach.shown(Session.at(permit, _id(session_id)))
        return Response({"items": [shape.block_json(row, box) for row in rows], "next": None})


class ContextView(ApiView):
    """One block."""

    permission = "contexts"

    @idempotent
    def put(self, request: Request, session_id: str, label: str) -> Response:
        body = self.body(DefinitionBody)
        permit = leave.admit(self.caller, body["user_id"], leave.WRITE)
        definition = Definition(
            kind=body["kind"],
            description=one_line(body["description"] or ""),
            max_tokens=body["max_tokens"],
            content=body["content"],
            source=body["source"] or "",
        )
        block, made = put(permit, _id(session_id), _label(label), definition)
        return Response(shape.full_json(block, box_of(permit.person)), status=201 if made else 200)

    def tell_again(self, request: Request, data: Any) -> Any:
        """A block as it is now: its entries may have been deleted one by one since."""
        if request.method != "PUT":
            return data
        permit = leave.admit(self.caller, self.body(DefinitionBody)["user_id"], leave.WRITE)
        session = Session.at(permit, _id(self.kwargs["session_id"]))
        return shape.full_json(reach.own(session, _label(self.kwargs["label"])), box_of(permit.person))

    def get(self, request: Request, session_id: str, label: str) -> Response:
        permit = leave.admit(self.caller, self.query(UserQuery)["user_id"], leave.USE)
        session = Session.at(permit, _id(session_id))
        block = reach.by_label(session, _label(label))
        return Response(shape.full_json(block, box_of(permit.person), session.session_id))

    @idempotent
    def delete(self, request: Request, session_id: str, label: str) -> Response:
        permit = _to_delete(self)
        remove.remove(permit, reach.own(Session.at(permit, _id(session_id)), _label(label)))
        return Response({"deleted": 1})


class EntryDeleteView(ApiView):
    """Delete one entry of a block. Its key is content, so it travels in the body and not in the address."""

    permission = "contexts"

    @idempotent
    def post(self, request: Request, session_id: str, label: str) -> Response:
        body = self.body(EntryKeyBody)
        permit = _to_delete(self, body["user_id"])
        block = reach.by_label(Session.at(permit, _id(session_id)), _label(label))
        remove.remove_entry(permit, block, body["key"])
        return Response({"deleted": 1})


class PromptView(ApiView):
    """The session's system prompt, frozen until it is refreshed."""

    permission = "contexts"

    def get(self, request: Request, session_id: str) -> Response:
        return _prompt(self, self.query(UserQuery)["user_id"], session_id, prompt.prompt)


class RefreshView(ApiView):
    """Assemble the prompt anew."""

    permission = "contexts"

    @idempotent
    def post(self, request: Request, session_id: str) -> Response:
        return _prompt(self, self.body(UserBody)["user_id"], session_id, prompt.refresh)

    def tell_again(self, request: Request, data: Any) -> Any:
        """The prompt that was frozen then, without what has been taken back since."""
        session_id = self.kwargs["session_id"]
        return _prompt(self, self.body(UserBody)["user_id"], session_id, prompt.prompt).data


class ToolsView(ApiView):
    """The tools to offer to the model."""

    permission = "contexts"

    def get(self, request: Request, session_id: str) -> Response:
        query = self.query(ToolsQuery)
        try:
            permit = leave.admit(self.caller, query["user_id"], leave.USE)
        except Refused as refusal:
            return Response({"tools": [], "reason": refusal.reason})
        offered = tools(permit, _id(session_id))
        return Response({"tools": [_tool(tool, query["style"]) for tool in offered], "reason": None})


class CallView(ApiView):
    """Call a tool. What the model did wrong is a result it can read; what the runtime did, a problem."""

    permission = "contexts"

    @idempotent
    def post(self, request: Request, session_id: str, tool: str) -> Response:
        if tool not in TOOLS:
            raise NotFound("no such tool")
        return Response(self._call(session_id, tool))

    def tell_again(self, request: Request, data: Any) -> Any:
        """What was written is not written again; what was read is read again, as it is now."""
        if self.kwargs["tool"] != "set_context":
            return self._call(**self.kwargs)
        leave.admit(self.caller, self.body(SetCallBody)["user_id"], leave.WRITE)
        return data

    def _call(self, session_id: str, tool: str) -> dict[str, Any]:
        body = self.body(CALLS[tool])
        arguments = arguments_of(tool, body["arguments"])
        said = call(self.caller, body["user_id"], _id(session_id), tool, arguments)
        return {"result": said.result, "is_error": said.is_error, "reason": said.reason}


class GrantsView(ApiView):
    """Share a block with another session of the same user."""

    permission = "contexts"

    @idempotent
    def post(self, request: Request, session_id: str, label: str) -> Response:
        body = self.body(GrantBody)
        permit = leave.admit(self.caller, body["user_id"], leave.WRITE)
        block, new = share.share(permit, _id(session_id), _label(label), body["to_session_id"])
        data = {"session_id": block.session_id, "label": block.label, "to_session_id": body["to_session_id"]}
        return Response(data, status=201 if new else 200)


class GrantView(ApiView):
    """End the sharing."""

    permission = "contexts"

    @idempotent
    def delete(self, request: Request, session_id: str, label: str, to_session_id: str) -> Response:
        permit = _to_delete(self)
        share.revoke(permit, _id(session_id), _label(label), _id(to_session_id))
        return Response({"revoked": 1})


def _prompt(view: ApiView, user_id: str, session_id: str, verb: Any) -> Response:
    """Never an error that would stop a chat: without leave the prompt is empty, and says why."""
    try:
        permit: Permit = leave.admit(view.caller, user_id, leave.USE)
        made: Prompt = verb(permit, _id(session_id))
    except Refused as refusal:
        return Response({"prompt": "", "tokens": 0, "frozen_at": None, "reason": refusal.reason})
    frozen_at = made.frozen_at.isoformat() if made.frozen_at else None
    return Response({"prompt": made.text, "tokens": made.tokens, "frozen_at": frozen_at, "reason": None})


def _tool(tool: Tool, shape_: str) -> dict[str, Any]:
    if shape_ == "mcp":
        return {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters}
    plain = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {"type": "function", "function": plain} if shape_ == "openai" else plain


def _to_delete(view: ApiView, user_id: str | None = None) -> Permit:
    """Taking back needs no consent. An unknown user_id is answered like an unknown block."""
    user_id = user_id or view.query(UserQuery)["user_id"]
    if gate.find(user_id) is None:
        raise NotFound("no such context")
    return leave.admit(view.caller, user_id, Act.FORGET)


def _id(text: str) -> str:
    """An id from the path. What cannot be an id names nothing."""
    try:
        return str(SessionIdField().run_validation(text))
    except serializers.ValidationError as error:
        raise NotFound("no such session") from error


def _label(text: str) -> str:
    try:
        return str(LabelField().run_validation(text))
    except serializers.ValidationError as error:
        raise serializers.ValidationError({"label": error.detail}) from error
