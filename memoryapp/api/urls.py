"""The runtime API, /api/v1/."""

from django.urls import path, re_path
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.views import SpectacularAPIView

from memoryapp import problems
from memoryapp.api import (
    a2a,
    contexts,
    entries,
    importing,
    memories,
    people,
    rollbacks,
    speakers,
    store,
    sync,
    system,
    talk,
)

# JSON, as all of this API; YAML for who asks for it.
_schema = SpectacularAPIView.as_view(
    renderer_classes=[OpenApiJsonRenderer2, OpenApiJsonRenderer, OpenApiYamlRenderer2, OpenApiYamlRenderer]
)

urlpatterns = [
    path("schema/", _schema, name="schema"),
    path("capabilities", system.CapabilitiesView.as_view()),
    path("persons", people.PersonsView.as_view()),
    path("consents", people.ConsentsView.as_view()),
    path("consents/<str:domain>", people.ConsentView.as_view()),
    path("consents/<str:domain>/receipts", people.ReceiptsView.as_view()),
    path("users/<path:user_id>", people.UserView.as_view()),
    path("export", people.ExportView.as_view()),
    path("turns", talk.TurnsView.as_view()),
    path("turns/<path:turn_id>", talk.TurnView.as_view()),
    path("recall", talk.RecallView.as_view()),
    path("memories", memories.MemoriesView.as_view()),
    path("memories/delete", memories.DeleteView.as_view()),
    path("memories/<str:memory_id>", memories.MemoryView.as_view()),
    path("memories/<str:memory_id>/history", memories.HistoryView.as_view()),
    path("memories/<str:memory_id>/approve", memories.JudgeView.as_view(verdict="approve")),
    path("memories/<str:memory_id>/decline", memories.JudgeView.as_view(verdict="decline")),
    path("entries", entries.EntriesView.as_view()),
    path("entries/search", entries.EntrySearchView.as_view()),
    path("entries/delete", entries.EntryDeleteView.as_view()),
    path("import", importing.ImportView.as_view()),
    path("store/batch", store.BatchView.as_view()),
    path("sessions/<path:session_id>/entries", entries.SessionEntriesView.as_view()),
    path("sessions/<path:session_id>/contexts", contexts.ContextsView.as_view()),
    path("sessions/<path:session_id>/contexts/<str:label>", contexts.ContextView.as_view()),
    path(
        "sessions/<path:session_id>/contexts/<str:label>/entries/delete", contexts.EntryDeleteView.as_view()
    ),
    path("sessions/<path:session_id>/contexts/<str:label>/grants", contexts.GrantsView.as_view()),
    path(
        "sessions/<path:session_id>/contexts/<str:label>/grants/<path:to_session_id>",
        contexts.GrantView.as_view(),
    ),
    path("sessions/<path:session_id>/prompt", contexts.PromptView.as_view()),
    path("sessions/<path:session_id>/prompt/refresh", contexts.RefreshView.as_view()),
    path("sessions/<path:session_id>/tools", contexts.ToolsView.as_view()),
    path("sessions/<path:session_id>/tools/<str:tool>", contexts.CallView.as_view()),
    # Last of the sessions/… paths: it takes any session id, slashes included.
    path("sessions/<path:session_id>", entries.SessionView.as_view()),
    path("a2a/context", a2a.ContextView.as_view()),
    path("a2a/update", a2a.UpdateView.as_view()),
    path("persons/<str:person_id>", speakers.PersonView.as_view()),
    path("persons/<str:person_id>/identities", speakers.IdentitiesView.as_view()),
    path("identities/<str:identity_id>", speakers.IdentityView.as_view()),
    path("speakers/resolve", speakers.ResolveView.as_view()),
    path("speakers/history", speakers.HistoryView.as_view()),
    path("rollbacks", rollbacks.RollbacksView.as_view()),
    path("rollbacks/preview", rollbacks.PreviewView.as_view()),
    path("rollbacks/<str:rollback_id>/undo", rollbacks.UndoView.as_view()),
    path("sync", sync.SyncView.as_view()),
    path("workflows", speakers.WorkflowsView.as_view()),
    path("workflows/<path:workflow_id>/authorize", speakers.AuthorizeView.as_view()),
    path("workflows/<path:workflow_id>", speakers.WorkflowView.as_view()),
    re_path(r"", problems.not_found),
]
