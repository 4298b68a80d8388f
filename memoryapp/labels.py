"""What operators' pages call models and their columns, by the column's name: one word for one thing everywhere.

Set on the loaded models and not in their fields, so that a word is no migration.
"""

from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as Words

COLUMNS: "dict[str, Words]" = {
    "acked_at": _("acknowledged at"),
    "acked_seq": _("acknowledged up to"),
    "action": _("action"),
    "actor": _("who"),
    "actor_name": _("who"),
    "analyser": _("analyser"),
    "assertion_required": _("assertion required"),
    "at": _("when"),
    "attempt_time": _("tried at"),
    "attempts": _("attempts"),
    "bearer": _("borne by"),
    "calls": _("calls"),
    "changed": _("changed"),
    "counts": _("how many"),
    "created_at": _("made at"),
    "created_by": _("made by"),
    "day": _("date"),
    "deleted_at": _("deleted at"),
    "deployed_at": _("deployed at"),
    "deployed_by": _("deployed by"),
    "device_id": _("device"),
    "dims": _("dimensions"),
    "domain": _("domain"),
    "erased_at": _("erased at"),
    "error": _("error"),
    "expires_at": _("expires at"),
    "extraction": _("extraction"),
    "failures_since_start": _("failures"),
    "finished_at": _("finished at"),
    "first_seen_at": _("first seen at"),
    "granted": _("granted"),
    "id": _("ID"),
    "identity": _("identity"),
    "ip_address": _("IP address"),
    "key_destroyed": _("key destroyed"),
    "kind": _("kind"),
    "language": _("language"),
    "last_seen_at": _("last seen at"),
    "last_used_at": _("last used at"),
    "level": _("level"),
    "local_date": _("date"),
    "login": _("login"),
    "made_at": _("made at"),
    "material": _("material change"),
    "memory": _("memory"),
    "memory_enabled": _("memory on"),
    "memory_type": _("memory type"),
    "model": _("model"),
    "monthly_token_budget": _("tokens a month"),
    "name": _("name"),
    "next_try_at": _("next try at"),
    "notice_version": _("notice version"),
    "number": _("number"),
    "object_id": _("object"),
    "origin": _("origin"),
    "owner_id": _("owner"),
    "permissions": _("permissions"),
    "person": _("person"),
    "prefix": _("first letters"),
    "provider": _("provider"),
    "public_id": _("public ID"),
    "published_at": _("published at"),
    "receipt_id": _("receipt"),
    "received_at": _("received at"),
    "registered_at": _("registered at"),
    "requested_by": _("requested by"),
    "revision": _("revision"),
    "revoked_at": _("revoked at"),
    "sensitivity": _("sensitivity"),
    "service": _("service"),
    "serving_since": _("serving since"),
    "sha256": _("SHA-256"),
    "since": _("since"),
    "slug": _("short name"),
    "source": _("source"),
    "source_kind": _("what was taken back"),
    "stage": _("stage"),
    "started_at": _("started at"),
    "state": _("state"),
    "status": _("status"),
    "tokens_in": _("tokens in"),
    "tokens_out": _("tokens out"),
    "turns": _("turns"),
    "type": _("kind"),
    "undone_at": _("undone at"),
    "updated_at": _("changed at"),
    "user": _("login"),
    "user_id": _("user ID"),
    "version": _("version"),
    "workflow_id": _("workflow"),
    "zone": _("time zone"),
}

MODELS: "dict[str, tuple[Words, Words]]" = {
    "AccessAttempt": (_("wrong password"), _("wrong passwords")),
    "AccessFailureLog": (_("failed sign-in"), _("failed sign-ins")),
    "AccessLog": (_("sign-in"), _("sign-ins")),
    "AdminAction": (_("admin action"), _("admin actions")),
    "Authenticator": (_("second factor"), _("second factors")),
    "ConsentEvent": (_("consent receipt"), _("consent receipts")),
    "ConsentState": (_("consent"), _("consents")),
    "CostEntry": (_("cost entry"), _("cost entries")),
    "Device": (_("device"), _("devices")),
    "EmbeddingSpace": (_("embedding space"), _("embedding spaces")),
    "Erasure": (_("erasure"), _("erasures")),
    "Identity": (_("identity"), _("identities")),
    "IdentityLink": (_("identity link"), _("identity links")),
    "IndexEntry": (_("index entry"), _("index entries")),
    "NightlyRun": (_("nightly run"), _("nightly runs")),
    "Notice": (_("notice"), _("notices")),
    "ServiceKey": (_("service key"), _("service keys")),
    "ServiceMember": (_("service admin"), _("service admins")),
    "ServiceRevision": (_("revision"), _("revisions")),
    "Turn": (_("turn"), _("turns")),
}

#: What others' apps are called, by their label: they have no Korean of their own.
APPS: "dict[str, Words]" = {"axes": _("Sign-ins"), "mfa": _("Second factor")}

#: What an administrator did, by the code it is kept under.
ACTIONS: "dict[str, Words]" = {
    "assertion-key.add": _("Added a key for signed users"),
    "assertion-key.drop": _("Ended a key that the key URL has no longer"),
    "assertion-key.fetch": _("Took a key from the key URL"),
    "assertion-key.revoke": _("Revoked a key for signed users"),
    "budget.set": _("Set the budget"),
    "email.add": _("Added an e-mail address"),
    "email.change": _("Changed an e-mail address"),
    "email.remove": _("Removed an e-mail address"),
    "embedding.cancel": _("Gave up a new embedding space"),
    "embedding.pause": _("Stopped building the new embedding space for now"),
    "embedding.resume": _("Went on building the new embedding space"),
    "embedding.propose": _("Started a new embedding space"),
    "key.issue": _("Issued a key"),
    "key.revoke": _("Revoked a key"),
    "key.rotate": _("Rotated a key"),
    "key-url.remove": _("Removed the key URL"),
    "key-url.set": _("Set the key URL"),
    "lock.remove": _("Lifted the lock of a login"),
    "login.add": _("Made a login"),
    "login.change": _("Changed a login"),
    "login.remove": _("Deleted a login"),
    "master-key.add": _("Added a master key"),
    "master-key.retire": _("Retired the old master keys"),
    "master-key.rotate": _("Rotated the master key"),
    "member.add": _("Added an admin"),
    "member.remove": _("Removed an admin"),
    "provider-login.remove": _("Cut a login from its identity provider"),
    "replay.look": _("Looked at a trial"),
    "replay.start": _("Started a trial"),
    "restore.check": _("Looked for erased people in a restored database"),
    "revision.deploy": _("Deployed a revision"),
    "revision.draft": _("Made a draft"),
    "revision.edit": _("Edited a draft"),
    "second-factor.remove": _("Removed a second factor"),
    "service.add": _("Made a service"),
    "service.assertion": _("Changed whether users must be signed"),
    "service.change": _("Changed a service"),
    "switch.per-turn.allow": _("Allowed learning after each turn"),
    "switch.per-turn.stop": _("Stopped learning after each turn"),
    "turns.retry": _("Tried failed turns again"),
}

#: What a service key allows, by its permission.
PERMISSIONS: "dict[str, Words]" = {
    "recall": _("use memories"),
    "save": _("store a fact"),
    "turns": _("report conversations"),
    "manage": _("list, correct and delete"),
    "erase": _("erase a person"),
    "consents": _("record consent it has asked for itself"),
    "speakers": _("voices and who they are"),
    "contexts": _("session contexts"),
}

#: Why a service's public keys could not be fetched, by the code that is kept.
KEY_URL_FAILURES: "dict[str, Words]" = {
    "bad-url": _("This is no address for keys: a host, no user name or password, no part after #."),
    "certificate": _("The server's certificate is not valid for this host."),
    "no-such-host": _("There is no host of this name."),
    "no-usable-key": _(
        "The set holds no key that can be used: Ed25519 or RSA of 2048 to 8192 bits, with a kid."
    ),
    "not-https": _("The address has to begin with https."),
    "not-json": _("The answer is not JSON."),
    "private-address": _("The host is in a private network, and the operator has not listed it."),
    "redirect": _("The server leads on to another address. Give that one."),
    "timeout": _("No complete answer came within 5 seconds."),
    "too-big": _("The answer is larger than 100 kB."),
    "too-many-keys": _("The set holds more than 20 keys."),
    "unreachable": _("The server could not be reached, or broke off."),
}
_OTHER_STATUS = _("The server answered with an error.")


def why(code: str) -> "Words":
    """A failed fetch in words; each `status-<number>` is the same one."""
    return KEY_URL_FAILURES.get(code, _OTHER_STATUS)


def put_on(config: AppConfig) -> None:
    """Give an app, its models and their columns their names."""
    config.verbose_name = APPS.get(config.label, config.verbose_name)
    for model in config.get_models():
        if model.__name__ in MODELS:
            model._meta.verbose_name, model._meta.verbose_name_plural = MODELS[model.__name__]
        for field in model._meta.local_fields:
            field.verbose_name = COLUMNS.get(field.name, field.verbose_name)
