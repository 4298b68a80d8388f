"""Beat's scheduler: everything is due at its start, and again when the clock was set back.

Celery's own keeps its times in a file, which a full disk spoils, and after the clock is set back by a day it sends
nothing for a day. Each of our tasks finds its own rows and may run twice, so none of it needs remembering.
"""

import time
from datetime import UTC, datetime
from typing import Any

from celery.beat import Scheduler as CelerysScheduler

_LONG_AGO = datetime.fromtimestamp(0, UTC)
#: A clock that is slewed loses less than this between two ticks.
TOLERANCE_SECONDS = 1.0


class Scheduler(CelerysScheduler):  # type: ignore[misc]  # Celery has no types
    """Used by CELERY_BEAT_SCHEDULER."""

    _ahead = 0.0

    def setup_schedule(self) -> None:
        super().setup_schedule()
        self._begin_anew()

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """One round. → seconds until the next."""
        ahead = self.app.now().timestamp() - time.monotonic()
        if ahead < self._ahead - TOLERANCE_SECONDS:
            self._begin_anew()
        self._ahead = ahead
        return float(super().tick(*args, **kwargs))

    def _begin_anew(self) -> None:
        for entry in self.schedule.values():
            entry.last_run_at = _LONG_AGO
        self._heap = None
