"""Two writers at once: neither loses what the other wrote."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.test import Client

from memoryapp.models import ContextBlock, ContextEntry, FrozenPrompt
from tests.conftest import Runtime
from tests.contexts.conftest import Chat


@pytest.mark.django_db(transaction=True)
def test_appends_at_the_same_moment_are_all_kept(chat: Chat) -> None:
    chat.put("memory", "writable")
    chat.put("knowledge", "searchable")

    def append(number: int) -> None:
        try:
            own = Chat(Runtime(chat.runtime.service, chat.runtime.secret, Client()), "minji")
            own.write("memory", f"line {number}", action="append")
            own.write("knowledge", f"part {number}", title="One", action="append")
            own.refresh()
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, range(16)))
    assert sorted(chat.block("memory").json()["content"].splitlines()) == sorted(
        f"line {n}" for n in range(16)
    )
    entry = chat.block("knowledge").json()["entries"][0]
    assert sorted(entry["content"].splitlines()) == sorted(f"part {n}" for n in range(16))
    assert (ContextEntry.objects.count(), FrozenPrompt.objects.count()) == (1, 1)
    assert ContextBlock.objects.get(label="knowledge").tokens == ContextEntry.objects.get().tokens


@pytest.mark.django_db(transaction=True)
def test_a_block_declared_by_many_at_once_is_one(chat: Chat) -> None:
    def declare(number: int) -> int:
        try:
            own = Chat(Runtime(chat.runtime.service, chat.runtime.secret, Client()), "minji")
            return int(own.put("memory", "writable").status_code)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(declare, range(8)))
    assert sorted(statuses) == [200] * 7 + [201]
