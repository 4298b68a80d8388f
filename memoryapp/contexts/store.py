"""Write the text of a block within its limits. Raises Cannot when it does not fit; then nothing changes.

Every function runs in the caller's transaction, under the person's lock, so that no append is lost.
"""

from dataclasses import replace

from memoryapp import tokens
from memoryapp.contexts import limits, reach, words
from memoryapp.contexts.said import Cannot
from memoryapp.models import ContextBlock
from memoryapp.vault import Box


def joined(old: str, new: str) -> str:
    """An append starts on its own line."""
    return f"{old}\n{new}" if old and new and not old.endswith("\n") else old + new


def set_text(block: ContextBlock, box: Box, text: str) -> None:
    """Give a block its text."""
    size, used = len(text.encode()), tokens.count(text)
    check(block, text_bytes=size, block_bytes=size, used=used)
    words.write(block, box, replace(words.read(block, box), content=text))
    save(block, used=used, size=size)


def save(block: ContextBlock, *, used: int, size: int) -> None:
    """Save a block with what it now holds, as its next version."""
    block.tokens, block.size = used, size
    block.version += 1
    block.save()


def check_tokens(block: ContextBlock, used: int) -> None:
    """Raises Cannot when a block would hold more than its limit."""
    limit = block.max_tokens
    if limit is not None and used > limit:
        raise Cannot("over_tokens", label=block.label, used=used, limit=limit, over=used - limit)


def check(block: ContextBlock, *, text_bytes: int, block_bytes: int, used: int) -> None:
    """Raises Cannot when a text, its block or its session would hold too much, and says by how much.

    What makes a block smaller always fits.
    """
    if used <= block.tokens and block_bytes <= block.size:
        return
    check_tokens(block, used)
    over = text_bytes - limits.TEXT_BYTES
    if over > 0:
        raise Cannot("over_bytes", used=text_bytes, limit=limits.TEXT_BYTES, over=over)
    total = reach.bytes_beside(block) + block_bytes
    if total > limits.SESSION_BYTES:
        over = total - limits.SESSION_BYTES
        raise Cannot("over_session", used=total, limit=limits.SESSION_BYTES, over=over)
