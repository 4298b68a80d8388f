"""Load the models before somebody waits for them: the embedder, and the Korean analyser of the rules."""

import logging
import threading
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from django.db import DatabaseError, close_old_connections

from memoryapp.extract import rules
from memoryapp.index import embed
from memoryapp.providers.base import EmbedderDown

log = logging.getLogger(__name__)


def warm() -> None:
    """Take the first, slow use of each model. What cannot be loaded now is loaded when it is needed."""
    try:
        space = embed.serving()
        if space is not None:
            embed.query(space, "준비")
        rules.read_statement("준비되었어요", datetime.now(UTC), ZoneInfo("UTC"))
    except (EmbedderDown, DatabaseError) as error:
        log.warning("not warm yet: %s", type(error).__name__)
    finally:
        close_old_connections()


def in_background() -> None:
    """Warm up while the first requests are already answered."""
    threading.Thread(target=warm, name="warm", daemon=True).start()
