"""The pages: mine, the console, the docs."""

from django.urls import path
from django.views.generic import RedirectView

from memoryapp.pages import (
    activity,
    consent,
    console_cost,
    console_keys,
    console_members,
    console_revisions,
    console_services,
    console_turns,
    correct,
    docs,
    leave,
    memories,
    memory,
    search,
    settings,
    system,
    undo,
    voices,
)

_me = "me/memories/<uuid:memory_id>/"
_service = "console/services/<slug:slug>/"

urlpatterns = [
    path("", docs.home, name="home"),
    path("language/", settings.language, name="set_language"),
    path("docs/", docs.docs, name="docs"),
    # ---- my page
    path("me/", RedirectView.as_view(pattern_name="memories")),
    path("me/memories/", memories.memories, name="memories"),
    path("me/memories/search/", search.search, name="memories_search"),
    path("me/memories/delete/", memories.delete, name="memories_delete"),
    path(_me, memory.memory, name="memory"),
    path(_me + "correct/", correct.as_form, name="memory_correct"),
    path(_me + "correct/json/", correct.as_json, name="memory_correct_json"),
    path(_me + "reveal/", memory.show, name="memory_reveal"),
    path(_me + "approve/", memory.approve, name="memory_approve"),
    path(_me + "decline/", memory.decline, name="memory_decline"),
    path("me/consent/", consent.consent, name="consent"),
    path("me/consent/<str:domain>/", consent.decide, name="consent_decide"),
    path("me/consent/<str:domain>/receipts.json", consent.receipts, name="consent_receipts"),
    path("me/activity/", activity.activity, name="activity"),
    path("me/voices/", voices.voices, name="voices"),
    path("me/voices/<uuid:link_id>/confirm/", voices.confirm, name="voice_confirm"),
    path("me/voices/<uuid:link_id>/reject/", voices.reject, name="voice_reject"),
    path("me/undo/", undo.batches, name="undo"),
    path("me/undo/turn/<uuid:turn_pk>/", undo.turn, name="undo_turn"),
    path("me/undo/<uuid:batch_id>/put-back/", undo.put_back, name="undo_put_back"),
    path("me/settings/", settings.settings, name="settings"),
    path("me/export/", leave.export, name="export"),
    path("me/export/memory-export.ndjson", leave.download, name="export_download"),
    path("me/erase/", leave.erase, name="erase"),
    # ---- the console
    path("console/", RedirectView.as_view(pattern_name="console"), name="console_root"),
    path("console/services/", console_services.services, name="console"),
    path(_service, console_services.service, name="console_service"),
    path(_service + "revisions/draft/", console_revisions.draft, name="revision_draft"),
    path(_service + "revisions/<int:number>/", console_revisions.revision, name="revision"),
    path(_service + "revisions/<int:number>/preview/", console_revisions.preview, name="revision_preview"),
    path(_service + "revisions/<int:number>/deploy/", console_revisions.deploy, name="revision_deploy"),
    path(_service + "keys/", console_keys.keys, name="console_keys"),
    path(_service + "keys/<uuid:key_id>/rotate/", console_keys.rotate, name="key_rotate"),
    path(_service + "keys/<uuid:key_id>/revoke/", console_keys.revoke, name="key_revoke"),
    path(_service + "extraction/", console_turns.extraction, name="console_extraction"),
    path(_service + "extraction/retry/", console_turns.retry, name="extraction_retry"),
    path(_service + "cost/", console_cost.cost, name="console_cost"),
    path(_service + "cost/cost.csv", console_cost.table, name="console_cost_csv"),
    path(_service + "members/", console_members.members, name="console_members"),
    path(_service + "members/<int:user_id>/remove/", console_members.remove, name="member_remove"),
    path("console/system/", system.system, name="console_system"),
]
