"""Times at every door: RFC 3339 in and out, whole numbers in ASCII digits, and nothing that only looks like them."""

import json
import re
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp import rfc3339
from memoryapp.a2a.request import voice_of
from memoryapp.foreign import moment as foreign_moment
from memoryapp.models import Memory
from tests.a2a.test_context import heard

SEOUL = ZoneInfo("Asia/Seoul")
#: RFC 3339, section 5.6, to the letter.
STRICT = re.compile(
    r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?"
    r"(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
)
ZONES = ("Asia/Seoul", "America/New_York", "Europe/Amsterdam", "Africa/Monrovia", "Asia/Kathmandu", "UTC")
AT = datetime(2026, 5, 16, 9, tzinfo=timezone(timedelta(hours=9)))

SPELLINGS = {
    "2026-05-16T09:00:00+09:00": AT,
    "2026-05-16t00:00:00z": AT,
    "2026-05-16 09:00:00+09:00": AT,
    "2026-05-16T00:00:00-00:00": AT,
    "2026-05-15T19:30:00.000-04:30": AT,
    "2026-05-16T00:00:00.1234567891Z": AT + timedelta(microseconds=123456),
    "2016-12-31T23:59:60Z": datetime(2017, 1, 1, tzinfo=UTC),
    "2026-05-16T08:59:60.5+09:00": AT + timedelta(seconds=0.5),
}
ODD = (
    "2026-W20-6T09:00:00+09:00", "2026-W20-6T09:00", "20260516T090000Z", "2026-05-16T09+09:00", "2026-05-16T09:00+09:00",
    "2026-05-16T09:00:00+09", "2026-05-16T09:00:00+0900", "2026-05-16T09:00:00+09:00:00", "2026-05-16T09:00:00,5Z",
    "２０２６-05-16T09:00:00Z", "2026-05-16T09:00:0０Z", "2026-05-16T24:00:00Z", "2026-05-16T09:60:00Z", "2026-05-16T09:00:61Z",
    "2026-02-30T09:00:00Z", "2026-02-29T09:00:00Z", "2026-05-16T09:00:00+24:00", "2026-05-16T09:00:00+09:60", "2026-05-16T09:00:00.Z",
    " 2026-05-16T09:00:00Z", "2026-05-16T09:00:00Z\n", "2026-5-16T09:00:00Z", "+2026-05-16T09:00:00Z", "1778889600", "now", "",
    "0000-01-01T00:00:00Z", "9999-12-31T23:59:60Z",
)  # fmt: skip


def zones() -> st.SearchStrategy[tzinfo]:
    return st.sampled_from([ZoneInfo(name) for name in ZONES]) | st.integers(-1439, 1439).map(
        lambda minutes: timezone(timedelta(minutes=minutes))
    )


def recall(runtime, **fields):
    return runtime.post("recall", {"user_id": "minji", "query": "부산", **fields})


@given(st.datetimes(timezones=zones()))
def test_every_moment_is_told_as_rfc_3339_and_read_back(moment):
    told = rfc3339.tell(moment)
    assert STRICT.fullmatch(told), told
    back = rfc3339.read(told)
    # Not `==`, which is False for every time that a clock skips.
    assert back.utcoffset() - moment.utcoffset() == back.replace(tzinfo=None) - moment.replace(tzinfo=None)


@given(st.datetimes(timezones=zones()))
def test_a_whole_minute_offset_is_told_as_it_is(moment):
    if not moment.utcoffset() % timedelta(minutes=1):
        assert rfc3339.tell(moment) == moment.isoformat()


def test_a_midnight_in_old_seoul_is_told_on_its_own_day():
    assert rfc3339.tell(datetime(1900, 1, 1, tzinfo=SEOUL)) == "1900-01-01T00:00:08+08:28"


def test_a_time_without_an_offset_is_told_by_nobody():
    with pytest.raises(ValueError, match="offset"):
        rfc3339.tell(AT.replace(tzinfo=None))


@pytest.mark.parametrize(("text", "moment"), SPELLINGS.items())
def test_rfc_3339_is_read_whole(text, moment):
    assert rfc3339.read(text) == moment


@pytest.mark.parametrize("text", [*ODD, "2026-05-16", "2026-05-16T09:00:00"])
def test_what_only_looks_like_a_time_is_none(text):
    assert rfc3339.read(text) is None


@given(st.text(alphabet="0123456789０９-:+TtZz. ", max_size=30))
def test_what_is_read_is_what_the_standard_allows(text):
    moment = rfc3339.read(text)
    assert moment is None or STRICT.fullmatch(rfc3339.tell(moment))


@given(st.dates())
def test_a_day_is_read_in_one_spelling(day):
    assert rfc3339.read_day(str(day)) == day
    for odd in (day.strftime("%Y%m%d"), day.strftime("%G-W%V-%u"), f"{day} ", str(day).translate(WIDE)):
        assert rfc3339.read_day(odd) is None


WIDE = {ord("0") + n: ord("０") + n for n in range(10)}


@pytest.mark.parametrize("text", SPELLINGS)
def test_the_api_takes_every_spelling_of_the_standard(minji, assistant, text):
    answer = assistant.save("minji", "저는 부산에서 살아요", valid_from=text)
    assert answer.status_code == 201
    told = answer.json()["memory"]["valid_from"]
    assert (STRICT.fullmatch(told) is not None, rfc3339.read(told)) == (True, SPELLINGS[text])


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("field", ["valid_from", "as_of"])
def test_the_api_names_the_field_of_what_is_no_time(minji, assistant, field, text):
    if field == "as_of":
        answer = recall(assistant, as_of=text)
    else:
        answer = assistant.save("minji", "저는 부산에서 살아요", valid_from=text)
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/problem+json")
    assert list(answer.json()["errors"]) == [field]
    assert not Memory.objects.exists()


@pytest.mark.parametrize("as_of", ["2026-W20-6", "２０２６-05-16", "20260516", "2026-02-29"])
def test_a_day_is_a_date_in_ascii_digits(minji, assistant, as_of):
    assert list(recall(assistant, as_of=as_of).json()["errors"]) == ["as_of"]
    assert recall(assistant, as_of="2026-05-16").status_code == 200


def test_old_times_are_told_as_rfc_3339_at_every_door(minji, assistant):
    saved = assistant.save(
        "minji", "할아버지는 부산에서 태어나셨어요", valid_from="1900-01-01T00:00:00Z"
    ).json()
    one = assistant.get(f"memories/{saved['memory']['memory_id']}", user_id="minji").json()
    listed = assistant.get("memories", user_id="minji", validity="all").json()["items"][0]
    recalled = recall(assistant, as_of="2026-05-16").json()["memories"][0]
    lines = assistant.get("export", user_id="minji").getvalue().decode().splitlines()
    kept = next(item for item in map(json.loads, lines) if item["kind"] == "memory")
    for shown in (saved["memory"], one, listed, recalled, kept):
        told = shown["valid_from"]
        assert STRICT.fullmatch(told), told
        assert rfc3339.read(told) == datetime(1900, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize("limit", ["1_0", "１０", "+5", " 5", "5 ", "5.0", "1e1", "", "0x5", "٣"])
def test_a_whole_number_is_ascii_digits(minji, assistant, limit):
    answer = assistant.get("memories", user_id="minji", limit=limit)
    assert (answer.status_code, list(answer.json()["errors"])) == (400, ["limit"])
    assert assistant.get("memories", user_id="minji", limit="5").status_code == 200


@pytest.mark.parametrize("text", ODD)
def test_a_runtime_that_tells_no_time_has_told_none(text):
    assert voice_of({"occurred_at": text}, {}, None).occurred_at is None
    assert voice_of({"occurred_at": "2026-05-16t00:00:00z"}, {}, None).occurred_at == AT


def test_an_import_reads_what_other_products_write():
    for text in ("2026-05-16T00:00:00z", "2026-05-16T00:00:00", "2026-05-16", "2026-05-15T23:59:60Z"):
        assert foreign_moment(text) == AT
    assert foreign_moment("２０２６-05-16") is None


def test_a_workflow_that_has_ended_cannot_begin(homebot):
    body = {"workflow_id": "wf_001", "speaker": heard("dad")}
    refused = homebot.post("workflows", {**body, "expires_at": "2020-01-01T00:00:00Z"})
    assert (refused.status_code, refused.json()["errors"]) == (
        400,
        {"expires_at": ["Must lie in the future."]},
    )
    made = homebot.post("workflows", {**body, "expires_at": "2120-01-01T00:00:00Z"})
    assert (made.status_code, made.json()["expires_at"]) == (201, "2120-01-01T00:00:00+00:00")


def test_the_client_sends_old_times_and_days_as_the_api_reads_them():
    from memoryapp.client.call import iso

    assert rfc3339.read(iso(datetime(1900, 1, 1, tzinfo=SEOUL)) or "") == datetime(1900, 1, 1, tzinfo=SEOUL)
    assert (iso(date(2026, 5, 16)), iso(None)) == ("2026-05-16", None)
