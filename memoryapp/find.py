"""Find among one's own memories by words: decrypted here, compared here, kept nowhere.

Guarded content is compared as its list shows it, masked, so that no search can guess what is behind the mask.
"""

import unicodedata
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from memoryapp import browse, sensitivity
from memoryapp import content as contents
from memoryapp.browse import Filters
from memoryapp.content import Content
from memoryapp.models import GUARDED, Memory
from memoryapp.permit import Permit
from memoryapp.vault import Box, box_of

_CHUNK = 1000


@dataclass(frozen=True)
class Found:
    """One page of what matches, newest first, and whether there is more."""

    rows: list[Memory]
    more: bool


def find(permit: Permit, query: str, filters: Filters, *, skip: int = 0, limit: int = 30) -> Found:
    """The memories that contain every word of the query, in any case and either form of Hangul.

    A word is found inside others ("부산" in "부산에서"). Costs one pass over that person's own rows.
    """
    words = _fold(query).split()
    ids = list(islice(_matching(permit, words, filters), skip, skip + limit + 1)) if words else []
    rows = browse.visible(permit).in_bulk(ids[:limit])
    return Found([rows[pk] for pk in ids[:limit] if pk in rows], more=len(ids) > limit)


def _matching(permit: Permit, words: list[str], filters: Filters) -> Iterator[uuid.UUID]:
    box = box_of(permit.person)
    rows = browse.listing(permit, filters).select_related(None).values_list("pk", "content", "sensitivity")
    for pk, sealed, label in rows.iterator(_CHUNK):
        text = _shown(box, pk, sealed, label)
        if all(word in text for word in words):
            yield pk


def _shown(box: Box, pk: uuid.UUID, sealed: bytes | memoryview, label: str) -> str:
    content = contents.from_json(box.open(sealed, contents.place_of(pk)))
    if label in GUARDED:
        return _fold(sensitivity.mask(content.statement, label))
    return _fold(_text(content))


def _text(content: Content) -> str:
    return "\n".join([content.statement, content.raw_content, *content.keywords, *content.entities])


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
