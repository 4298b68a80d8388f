"""Too many requests are refused, by key and by user, with the time to wait."""

import pytest
from django.core.cache import cache
from django.core.cache.backends.locmem import LocMemCache


@pytest.fixture(autouse=True)
def empty_cache(settings):
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "limits"}
    }
    cache.clear()
    yield
    cache.clear()


def test_a_key_that_asks_too_much_waits(assistant, homebot, minji, settings):
    settings.RATE_LIMITS = {"key": 3, "user": 0}
    for _ in range(3):
        assert assistant.get("capabilities").status_code == 200
    refused = assistant.get("capabilities")
    assert refused.status_code == 429
    assert refused["Content-Type"] == "application/problem+json"
    assert refused.json()["code"] == "rate-limited"
    assert 1 <= int(refused["Retry-After"]) <= 61
    assert homebot.get("capabilities").status_code == 200


def test_one_busy_user_holds_up_nobody_else(assistant, minji, jiho, settings):
    settings.RATE_LIMITS = {"key": 0, "user": 2}
    assert assistant.get("memories", user_id="minji").status_code == 200
    assert assistant.recall("minji", "부산")["reason"] is None
    assert assistant.post("recall", {"user_id": "minji", "query": "부산"}).status_code == 429
    assert assistant.delete("users/minji").status_code == 429
    assert assistant.get("memories", user_id="jiho").status_code == 200


def test_a_cache_that_is_down_stops_nobody(assistant, minji, settings, monkeypatch, caplog):
    settings.RATE_LIMITS = {"key": 1, "user": 1}

    def down(*args, **kwargs):
        raise ConnectionError("minji's cache")

    monkeypatch.setattr(LocMemCache, "add", down)
    for _ in range(3):
        assert assistant.get("memories", user_id="minji").status_code == 200
    assert "no rate limits (ConnectionError)" in caplog.text
    assert "minji" not in caplog.text


def test_the_defaults_are_far_above_what_people_cause(settings):
    assert settings.RATE_LIMITS["user"] >= 10_000
    assert settings.RATE_LIMITS["key"] >= settings.RATE_LIMITS["user"]
