"""A session's context blocks: what the system prompt of one session with one person is built from."""

import uuid

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memoryapp.models.services import ChatService
from speakers.models import Person


class ContextKind(models.TextChoices):
    """What a model may do with a block; its tools follow from it."""

    READONLY = "readonly", _("Read only")
    WRITABLE = "writable", _("Notes of the assistant")
    SEARCHABLE = "searchable", _("Searchable entries")
    LOADABLE = "loadable", _("Documents loaded on demand")


#: Blocks that hold entries, each under its own key; the others hold one text.
KEYED = (ContextKind.SEARCHABLE, ContextKind.LOADABLE)


class ContextSource(models.TextChoices):
    """Where a block's content comes from, if not from the block itself."""

    MEMORY = "memory", _("Long-term memory")


class ContextBlock(models.Model):
    """One block of one session. Its words are sealed under the person's key and bound to this row."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="context_blocks")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="context_blocks")
    session_id = models.CharField(max_length=255)
    label = models.CharField(max_length=64)
    kind = models.CharField(max_length=16, choices=ContextKind)
    source = models.CharField(max_length=16, choices=ContextSource, blank=True)
    max_tokens = models.PositiveIntegerField(null=True, blank=True)
    content = models.BinaryField(help_text="Sealed JSON: description, content.")
    tokens = models.PositiveIntegerField(default=0, help_text="Of the text, or of all entries together.")
    size = models.PositiveIntegerField(default=0, help_text="Bytes of the text, or of all entries together.")
    version = models.PositiveIntegerField(default=1)
    edition = models.PositiveIntegerField(
        default=1,
        help_text="Grows when something is taken back: a frozen prompt made before then is not shown.",
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)
    used_at = models.DateTimeField(
        default=timezone.now,
        db_default=Now(),
        help_text="When a session last had it, to the day: unused ones are purged.",
    )

    class Meta:
        verbose_name = _("context block")
        verbose_name_plural = _("context blocks")
        constraints = [
            models.UniqueConstraint(
                fields=["person", "service", "session_id", "label"], name="context_label_once"
            )
        ]

    @property
    def keyed(self) -> bool:
        return self.kind in KEYED


class ContextEntry(models.Model):
    """One entry of a searchable or loadable block. Its key is content too: only a mark of it is clear."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    block = models.ForeignKey(ContextBlock, on_delete=models.CASCADE, related_name="entries", db_index=False)
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    key_mark = models.BigIntegerField(help_text="Keyed hash of the key.")
    heading = models.BinaryField(help_text="Sealed JSON: key, title, description.")
    content = models.BinaryField(help_text="Sealed JSON: the text.")
    tokens = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)
    terms: "ArrayField[list[int], list[int]]" = ArrayField(models.BigIntegerField(), default=list)
    tfs: "ArrayField[list[int], list[int]]" = ArrayField(models.SmallIntegerField(), default=list)
    length = models.PositiveIntegerField(default=0)
    analyser = models.PositiveSmallIntegerField(default=1)
    version = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["block", "key_mark"], name="context_key_once")]


class ContextGrant(models.Model):
    """That one block may be used in another session of the same person at the same service."""

    block = models.ForeignKey(ContextBlock, on_delete=models.CASCADE, related_name="grants")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="+")
    to_session_id = models.CharField(max_length=255)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["block", "to_session_id"], name="context_grant_once")]
        indexes = [models.Index(fields=["person", "service", "to_session_id"], name="context_grant_to")]


class ContextLoad(models.Model):
    """That a document is loaded in a session."""

    entry = models.ForeignKey(ContextEntry, on_delete=models.CASCADE, related_name="loads")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="+")
    session_id = models.CharField(max_length=255)
    at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "session_id"], name="context_loaded_once")]


class FrozenPrompt(models.Model):
    """A session's system prompt as it was last assembled, block by block."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    service = models.ForeignKey(ChatService, on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, on_delete=models.CASCADE, related_name="frozen_prompts")
    session_id = models.CharField(max_length=255)
    content = models.BinaryField(help_text="Sealed JSON: [[block id, edition, text], …].")
    frozen_at = models.DateTimeField()
    used_at = models.DateTimeField(
        default=timezone.now, db_default=Now(), help_text="When it was last given out, to the day."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "service", "session_id"], name="frozen_prompt_once")
        ]
