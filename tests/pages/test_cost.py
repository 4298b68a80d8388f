"""What memory costs, on the console's page and as a table for a spreadsheet."""

import csv
import io
from collections.abc import Callable
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from django.test import Client
from django.utils import timezone

from memoryapp.models import CostEntry
from speakers.models import Person
from tests.conftest import Runtime

TABLE = "/console/services/assistant/cost/cost.csv"
HEAD = ["day", "revision", "stage", "bearer", "calls", "tokens_in", "tokens_out"]


def spend(runtime: Runtime, days_ago: int = 0, **columns: object) -> CostEntry:
    """An entry on the ledger of this many days ago."""
    values = {"stage": "extraction", "bearer": "system", "calls": 1, "revision": runtime.revision, **columns}
    entry = CostEntry.objects.create(service=runtime.service, **values)
    CostEntry.objects.filter(pk=entry.pk).update(at=timezone.now() - timedelta(days=days_ago))
    return entry


def table(browser: Client) -> list[list[str]]:
    answer = browser.get(TABLE)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="cost-assistant.csv"'
    return list(csv.reader(io.StringIO(answer.content.decode())))


def day(days_ago: int = 0) -> str:
    return str((datetime.now(ZoneInfo("Asia/Seoul")) - timedelta(days=days_ago)).date())


def test_the_table_has_a_row_for_each_day_revision_stage_and_bearer(
    admin_of: Callable[[Runtime], Client], assistant: Runtime, homebot: Runtime
) -> None:
    spend(assistant, 1, tokens_in=5, tokens_out=2)
    spend(assistant, 1, tokens_in=6, tokens_out=3)
    spend(assistant, tokens_in=7, bearer="user")
    spend(assistant, stage="recall", tokens_in=1)
    spend(homebot, tokens_in=1000)
    head, *rows = table(admin_of(assistant))
    number = str(assistant.revision.number)
    assert head == HEAD
    assert sorted(rows) == sorted(
        [
            [day(1), number, "extraction", "system", "2", "11", "5"],
            [day(), number, "extraction", "user", "1", "7", "0"],
            [day(), number, "recall", "system", "1", "1", "0"],
        ]
    )


def test_revisions_are_told_apart(admin_of: Callable[[Runtime], Client], assistant: Runtime) -> None:
    first = spend(assistant, tokens_in=5).revision
    assistant.configure(cost_bearer="user")
    spend(assistant, tokens_in=6, bearer="user")
    _, *rows = table(admin_of(assistant))
    assert {(row[1], row[5]) for row in rows} == {
        (str(first.number), "5"),
        (str(assistant.revision.number), "6"),
    }


def test_what_a_turn_and_a_recall_took_is_in_the_table(
    minji: Person, admin_of: Callable[[Runtime], Client], assistant: Runtime, work: Callable[[], None]
) -> None:
    assistant.report("minji", "저는 판교에서 백엔드 개발자로 일해요")
    work()
    assistant.recall("minji", "어디서 일해?")
    answer = admin_of(assistant).get(TABLE).content.decode()
    assert {line.split(",")[2] for line in answer.splitlines()[1:]} == {"extraction", "embedding", "recall"}
    assert "minji" not in answer
    assert "판교" not in answer


def test_a_service_without_cost_has_a_table_with_its_head(
    admin_of: Callable[[Runtime], Client], assistant: Runtime
) -> None:
    assert table(admin_of(assistant)) == [HEAD]


def test_the_table_is_for_the_services_own_admins(
    at_minjis: Client, admin_of: Callable[[Runtime], Client], assistant: Runtime, homebot: Runtime
) -> None:
    spend(assistant, tokens_in=5)
    assert admin_of(homebot).get(TABLE).status_code == 404
    assert at_minjis.get(TABLE).status_code in (403, 404)
    assert Client().get(TABLE).status_code == 302


def test_the_page_links_to_the_table(admin_of: Callable[[Runtime], Client], assistant: Runtime) -> None:
    page = admin_of(assistant).get("/console/services/assistant/cost/").content.decode()
    assert f'href="{TABLE}"' in page
