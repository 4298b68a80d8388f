"""Rate limits per key and per user of a service: fixed windows of a minute in Django's cache.

With several processes set CACHE_URL to a shared cache; without one each process counts for itself.
"""

import hashlib
import logging
import time

from django.conf import settings
from django.core.cache import cache

from memoryapp.errors import RateLimited
from memoryapp.permit import Caller

log = logging.getLogger(__name__)

WINDOW_SECONDS = 60


def spend(caller: Caller, user_id: str = "") -> None:
    """Count one request of this key, and of this user. Raises RateLimited with the seconds to wait."""
    if caller.key is None:
        return
    _spend(f"key:{caller.key.pk}", settings.RATE_LIMITS["key"], "this key")
    if user_id:
        # A hash: ids may be long or odd, and a cache is no place for them.
        name = hashlib.sha256(f"{caller.key.service_id}|{user_id}".encode(errors="replace")).hexdigest()[:32]
        _spend(f"user:{name}", settings.RATE_LIMITS["user"], "this user")


def _spend(name: str, limit: int, whose: str) -> None:
    if not limit:
        return
    now = time.time()
    window = int(now // WINDOW_SECONDS)
    if _count(f"rate:{name}:{window}") > limit:
        wait = int((window + 1) * WINDOW_SECONDS - now) + 1
        raise RateLimited(f"{whose} may send {limit} requests a minute", wait=wait)


def _count(slot: str) -> int:
    """One more in this slot. A cache that is down limits nobody: it must not take the memory with it."""
    try:
        cache.add(slot, 0, timeout=2 * WINDOW_SECONDS)
        return int(cache.incr(slot))
    except Exception as error:  # noqa: BLE001 - each cache raises its own kind
        log.warning("no rate limits (%s)", type(error).__name__)
        return 0
