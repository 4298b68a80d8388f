"""What is sensitive in a text, and exactly where."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryapp import sensitivity
from memoryapp.sensitivity import MASK, detect, mask, normalise, raise_to


@pytest.mark.parametrize("text", [
    "주민번호 900101-1234567", "9001011234567", "9 0 0 1 0 1 - 1 2 3 4 5 6 7", "구공공일공일 다시 일이삼사오육칠",
    "９００１０１－１２３４５６７", "201015-3123456", "외국인등록번호 900101-5123456", "카드 4111 1111 1111 1111",
    "1234-5678-9012-3456", "여권 M12345678", "여권번호는 M123A4567", "운전면허 11-12-123456-12", "국민은행 123456-12-123456",
    "My account number is 000123456789", "GB82 WEST 1234 5698 7654 32", "My SSN is 123-45-6789", "비밀번호는 abc1234야",
    "my password is hunter2", "My password is swordfish.", "비밀번호는 일이삼사야", "api key is sk-proj-abcdefghijk1234567890",
    "AKIAIOSFODNN7EXAMPLE", "postgres://user:pa55@host/db", "인증번호 482910",
    "주민등록번호 앞자리 900101 뒷자리 1234567", "앞자리는 900101이고 뒷자리는 1234567이에요", "계좌는 신한 110 123 456789 입니다", "신한 110 123 456789로 보내줘",
    "my social is 123456789", "도어락 번호는 0526이에요", "현관문 번호 1234*야", "The door code is 4821", "My PIN is four eight two one",
])  # fmt: skip
def test_identity_cards_accounts_and_secrets_are_restricted(text):
    assert detect(text) == "restricted"


@pytest.mark.parametrize("text", [
    "전화 010-1234-5678", "01012345678", "공일공 일이삼사 오육칠팔로 전화해", "공일공에 일이삼사에 오육칠팔",
    "영일영 다시 일이삼사 다시 오육칠팔", "내 번호 010 일이삼사 오육칠팔", "０１０－１２３４－５６７８", "번호는 ⓪①⓪-①②③④-⑤⑥⑦⑧",
    "my number is zero one zero one two three four five six seven eight", "+82 10-1234-5678", "+1 (415) 555-2671",
    "02)123-4567", "010\u200b-1234-\u200b5678", "minji@example.com", "minji at example dot com", "minji[at]naver.com", "010 1234 5678로 입금 문자 보내줘", "서울시 강남구 테헤란로 152에 살아요",
    "집은 래미안 101동 1203호", "I live at 221B Baker Street", "123 Main St, Springfield", "생년월일은 1990년 3월 2일",
    "I was born on March 3, 1990", "차 번호는 12가 3456이야", "900101-1******", "사업자번호 123-45-67890",
])  # fmt: skip
def test_phones_mail_addresses_and_full_birth_dates_are_pii(text):
    assert detect(text) == "pii"


@pytest.mark.parametrize("text", [
    "회의는 2026-05-16 10:30-11:30", "3,200원에서 3,500원으로", "python 3.11.4", "판교 2층 회의실", "회의실 302호", "강남역 3번 출구",
    "서울로 3시에 출발", "일이 너무 많아서 이사 오고 싶어", "오이 이십 개 사 오고 구이도", "It's a 2 hours drive", "비밀번호를 바꿔야 해",
    "my password is important", "대표번호 1588-1234", "내 생일은 5월 3일이야", "주문번호 20260516001", "ISBN 9788966262281",
    "ip 192.168.0.1", "커피는 하루 2잔", "token limit is 2000", "room 1203", "합계 1,234,567원", "서울 강남구 역삼동에 살아",
    "12가지 1000원", "사물함 번호는 32번", "I love social media since 2012", "방 번호는 1203", "나는 당뇨가 있어", "I have asthma",
])  # fmt: skip
def test_years_prices_times_rooms_and_health_stay_normal(text):
    assert detect(text) == "normal"


@pytest.mark.parametrize(("text", "masked"), [
    ("내 번호는 010ㅡ1234ㅡ5678이야", "내 번호는 ●●●●이야"), ("０１０ー１２３４ー５６７８로 해", "●●●●로 해"),
    ("my number is 01O-1234-5678", "my number is ●●●●"), ("주민번호 九〇〇一〇一-一二三四五六七", "주민번호 ●●●●"),
    ("주민번호 900101 - 1 234567", "주민번호 ●●●●"), ("주민번호는 900101다시1234567", "주민번호는 ●●●●"),
    ("123 45 6789 is my social", "●●●● is my social"), ("내 메일은 minji@예시.한국이야", "내 메일은 ●●●●이야"),
    ("건강보험증 번호 12345678901", "건강보험증 번호 ●●●●"),
    ("I live at 221B Baker Street, London NW1 6XE", "I live at ●●●●, London ●●●●"),
    ("카드 4111 1111 1111 1111 유효기간 12/28", "카드 ●●●● 유효기간 ●●●●"),
])  # fmt: skip
def test_numbers_are_found_however_they_are_typed(text, masked):
    assert sensitivity.detect(text) != "normal"
    assert sensitivity.mask(text) == masked


@pytest.mark.parametrize("text", [
    "쿠폰 유효기간 12/28", "I own an A4 2TB", "The flight is BA1 2AB", "三月一日에 만나", "ㅡㅡ 짜증나", "100 20 3000 is my social media score",
])  # fmt: skip
def test_what_only_looks_like_one_of_these_stays_normal(text):
    assert sensitivity.detect(text) == "normal"


def test_exactly_the_number_is_masked():
    assert mask("😀 전화 010-0000-0000") == f"😀 전화 {MASK}"
    assert mask("전화 010-1234-5678이야, 메일은 minji@example.com") == f"전화 {MASK}이야, 메일은 {MASK}"
    assert mask("02-345-6789 사무실") == f"{MASK} 사무실"
    assert mask("이 010-1234-5678 이메일") == f"이 {MASK} 이메일"
    assert mask("공일공 일이삼사 오육칠팔로 전화해") == f"{MASK}로 전화해"


def test_what_cannot_be_located_is_masked_whole():
    assert mask("저는 그 병원에 다녀요") == MASK
    assert mask("메일은 minji@example.com, 나머지는 비밀", "restricted") == MASK


def test_labels_are_three_and_everything_else_is_unknown_never_normal():
    assert [normalise(x) for x in ("PII", " Restricted ", "normal", "secret", "", None, 3)] == [
        "pii", "restricted", "normal", "unknown", "unknown", "unknown", "unknown",
    ]  # fmt: skip


def test_a_label_is_only_ever_raised():
    assert raise_to("normal", "pii") == "pii"
    assert raise_to("unknown", "restricted") == "restricted"
    assert raise_to("unknown", "normal") == "unknown"
    assert raise_to("restricted", "normal") == "restricted"
    assert raise_to("PII", "restricted") == "restricted"


@given(st.text(max_size=200))
def test_any_text_can_be_looked_at_and_spans_stay_inside_it(text):
    spans = sensitivity.spans(text)
    assert all(0 <= span.begin < span.stop <= len(text) for span in spans)
    assert all(one.stop <= other.begin for one, other in itertools.pairwise(spans))
    assert mask(text)
