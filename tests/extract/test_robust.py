"""Whatever is typed, the rules answer; and they answer alike from every thread."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryapp import dates, sensitivity
from memoryapp.extract.rules import RulesExtractor, read_statement
from tests.extract.conftest import SATURDAY, SEOUL, turn

pieces = st.lists(
    st.sampled_from(
        "나는 저는 내 우리 엄마 민호 커피 를 을 이 가 은 는 도 만 못 안 먹어 좋아해 살아 일해 부산에 에서 로 다음 주 화요일 까지 어제 했어 할 거야 고 지만 니까 라면 아니 말고 이야 예요 라고 해 불러줘 때 마다 "
        "I my don't like am is the not coffee Busan moved to from and but because always never , . ? ! : ( ) \" ' 😀 3 2026".split(
            " "
        )
    ),
    max_size=14,
).map(" ".join)


@settings(deadline=None, max_examples=80)
@given(pieces | st.text(max_size=60))
def test_any_text_is_read_without_failing(text):
    facts = RulesExtractor().extract(turn(text))
    assert all(fact.statement and fact.normalized and fact.memory_type for fact in facts)
    assert all(fact.slot is None or fact.slot.single or fact.slot.object for fact in facts)


@settings(deadline=None, max_examples=60)
@given(pieces | st.text(max_size=60))
def test_any_statement_is_one_fact(text):
    assert read_statement(text or "x", SATURDAY, SEOUL).memory_type


def test_threads_agree():
    texts = ["부산에 살아요", "고수는 못 먹어", "어제 이사했어", "I live in Busan"] * 5
    alone = [RulesExtractor().extract(turn(text)) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda text: RulesExtractor().extract(turn(text)), texts))
    assert together == alone


@pytest.mark.parametrize(
    "text",
    [
        "가" * 30_000,
        "나는 커피를 좋아해. " * 2_000,
        "I like tea. " * 2_000,
        "0" * 20_000,
        "\u0000 나는 부산에 살아",
    ],
)
def test_long_and_odd_turns_are_read_in_time(text):
    assert len(RulesExtractor().extract(turn(text))) <= 12


UNITS = ["가", "0", "a", " ", "\n", "일", "zero ", "0-", "a@", ".", "가라고 ", "1동 ", "(", '"', "my cat is "]


@pytest.mark.parametrize("unit", UNITS)
def test_no_text_of_32_kib_takes_long(unit):
    """A pattern that backtracks would take minutes here."""
    text = (unit * 32_768)[:32_768]
    began = time.thread_time()
    sensitivity.spans(text)
    dates.find(text, SATURDAY, SEOUL)
    RulesExtractor().extract(turn(text))
    read_statement(text, SATURDAY, SEOUL)
    assert time.thread_time() - began < 8
