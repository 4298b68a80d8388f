"""The right facts, in Minji's own words, with their slots and times."""

import pytest

from memoryapp.extract.rules import normalized


def slot(fact):
    assert fact.slot is not None
    return fact.slot.subject, fact.slot.attribute, fact.slot.object, fact.slot.negated, fact.slot.single


@pytest.mark.parametrize(("text", "expected"), [
    ("저는 판교에서 백엔드 개발자로 일해요", ("user", "workplace", "", False, True)),
    ("네이버에서 일해", ("user", "employer", "", False, True)),
    ("I'm a nurse.", ("user", "occupation", "", False, True)),
    ("부산에 살아요", ("user", "residence", "", False, True)),
    ("I moved from Seoul to Busan", ("user", "residence", "", False, True)),
    ("땅콩 알레르기 있어", ("user", "allergy", "땅콩", False, False)),
    ("땅콩 알레르기 없어", ("user", "allergy", "땅콩", True, False)),
    ("I'm allergic to peanuts", ("user", "allergy", "peanut", False, False)),
    ("고수는 못 먹어", ("user", "eats", "고수", True, False)),
    ("커피 좋아해", ("user", "likes", "커피", False, False)),
    ("커피를 좋아하지 않아", ("user", "likes", "커피", True, False)),
    ("I hate cilantro", ("user", "likes", "cilantro", True, False)),
    ("제일 좋아하는 색은 파란색이야", ("user", "favourite:color", "", False, True)),
    ("My favorite color is blue", ("user", "favourite:color", "", False, True)),
    ("창가 자리를 선호합니다", ("user", "prefers:seat", "", False, True)),
    ("User prefers window seats", ("user", "prefers:seat", "", False, True)),
    ("민호는 새우 못 먹어", ("민호", "eats", "새우", True, False)),
    ("My brother Minho can't eat shrimp.", ("minho", "eats", "shrimp", True, False)),
    ("내 방은 안방이야", ("user", "alias:내 방", "", False, True)),
    ("저를 대장이라고 불러 주세요", ("user", "called", "", False, True)),
])  # fmt: skip
def test_a_fact_names_the_slot_it_competes_for(only, text, expected):
    assert slot(only(text)) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("아내 새우 알레르기는 없어요", ("아내", "allergy", "새우")), ("우리 딸 우유 알레르기 있어", ("딸", "allergy", "우유")),
    ("강아지 닭고기 알레르기 있어요", ("강아지", "allergy", "닭고기")), ("고양이 알레르기 있어요", ("user", "allergy", "고양이")),
    ("우리 남편 의사 아니에요", ("남편", "occupation", "")), ("엄마 커피 안 드세요", ("엄마", "drinks", "커피")),
    ("남편 담배 끊었어", ("남편", "smokes", "담배")), ("아들 축구 그만뒀어", ("아들", "does", "축구")), ("아내 운전 못 해요", ("아내", "skill", "운전")),
    ("시어머니 매운 거 못 드세요", ("시어머니", "eats", "매운 음식")), ("제 친구 민수 부산 살아요", ("민수", "residence", "")),
    ("할머니 당뇨 있으세요", ("할머니", "health", "당뇨")), ("우리 딸 올해 7살이에요", ("딸", "age", "")), ("아들 중학교 다녀요", ("아들", "school", "")),
    ("저는 네이버 직원이에요", ("user", "occupation", "")), ("우리 애 계란 못 먹어", ("아이", "eats", "계란")), ("우리 막내 태권도 다녀요", ("막내", "does", "태권도")),
    ("아내 덕분에 담배 끊었어요", ("user", "smokes", "담배")), ("아빠 차 타고 다녀요", ("user", "commute", "")),
    ("엄마 음식 좋아해", ("user", "likes", "엄마 음식")), ("나 엄마 커피 좋아해", ("user", "likes", "엄마 커피")), ("아들 하나 있어요", ("user", "family", "아들")),
])  # fmt: skip
def test_a_person_named_without_a_particle_is_who_it_is_about(only, text, expected):
    assert slot(only(text))[:3] == expected


def test_two_people_stay_two(only):
    assert slot(only("Minsu leads at Narae"))[:2] == ("minsu", "occupation")
    assert slot(only("Minji is CTO at Narae"))[:2] == ("minji", "occupation")


@pytest.mark.parametrize("text", [
    "더 이상 커피 안 마셔", "이제 헬스장 안 다녀", "I no longer work at Kakao", "담배 끊었어", "I stopped drinking coffee.",
])  # fmt: skip
def test_what_is_no_longer_so_ends_its_slot(only, text):
    fact = only(text)
    assert fact.ends
    assert fact.slot.negated


def test_the_new_place_of_work_takes_the_slot_of_the_old(only):
    assert slot(only("이제 판교 말고 정자에서 일해")) == slot(only("판교에서 일해요"))


@pytest.mark.parametrize("text", [
    "저는 간호사였어요", "제 직업은 간호사였어요", "저는 채식주의자였어요", "I was vegetarian", "My job was teaching", "My name was Anna",
])  # fmt: skip
def test_what_once_was_is_no_rival_to_what_is(only, text):
    assert only(text).slot is None


@pytest.mark.parametrize("same", [
    ["저는 판교에서 백엔드 개발자로 일해요", "판교에서 백엔드 개발자로 일합니다", "나 판교에서 백엔드개발자로 일해", "판교에서 백엔드 개발자로 일하고 있어요!"],
    ["땅콩 알레르기 있어", "저는 땅콩에 알레르기가 있어요", "나 땅콩 알러지 있어"],
    ["매주 토요일마다 축구를 합니다", "매주 토요일마다 축구해"],
    ["I'm a nurse.", "I am a nurse", "i'm a nurse"],
    ["I don't eat meat", "I do not eat meat."],
])  # fmt: skip
def test_polite_plain_and_spacing_variants_are_one_fact(same):
    assert len({normalized(text) for text in same}) == 1


@pytest.mark.parametrize(("one", "other"), [
    ("땅콩 알레르기 있어", "땅콩 알레르기 없어"), ("커피 좋아해", "커피 안 좋아해"), ("부산에 살아", "부산에 살았어"), ("새우 못 먹어", "게 못 먹어"),
    ("민호가 지수를 좋아해", "지수가 민호를 좋아해"), ("고양이 두 마리 키워", "고양이 세 마리 키워"),
    ("I like tea", "I don't like tea"), ("I live in Busan", "I lived in Busan"), ("I have 2 cats", "I have 3 cats"),
    ("I was a nurse", "I am a nurse"), ("I do yoga", "I did yoga"), ("I work with Ann", "I work for Ann"), ("I get up at seven", "I get up at nine"),
])  # fmt: skip
def test_different_facts_stay_different(one, other):
    assert normalized(one) != normalized(other)


@pytest.mark.parametrize(
    "text", ["고수는 못 먹어", "I would not like calls before 9", "술은 안 마셔요", "I don't eat pork."]
)
def test_a_negation_is_never_lost(only, text):
    statement = only(text).statement
    assert any(word in statement for word in ("못", "안", "not", "n't"))


def test_a_turn_of_several_sentences_gives_several_facts(read):
    text = "안녕! 나는 지호야. 부산에 살고 고양이 두 마리를 키워. 매운 건 못 먹어. 다음 주 화요일에 면접이 있어. 이따 보자!"
    assert [fact.statement for fact in read(text)] == [
        "나는 지호야", "부산에 살아", "고양이 두 마리를 키워", "매운 건 못 먹어", "다음 주 화요일에 면접이 있어",
    ]  # fmt: skip
    text = "Hi! I live in Busan and work as a nurse. My wife loves orchids. See you!"
    assert [fact.statement for fact in read(text)] == [
        "I live in Busan",
        "I work as a nurse",
        "My wife loves orchids.",
    ]


@pytest.mark.parametrize(("text", "told"), [
    ("강아지 이름은 콩이고 고양이 이름은 나비야", ["강아지 이름은 콩이야", "고양이 이름은 나비야"]),
    ("강아지 이름은 초코고 고양이 이름은 치즈야", ["강아지 이름은 초코야", "고양이 이름은 치즈야"]),
    ("고양이 이름은 나비고 강아지는 콩이야", ["고양이 이름은 나비야", "강아지는 콩이야"]),
    ("남편 이름은 준호고 딸 이름은 서아야", ["남편 이름은 준호야", "딸 이름은 서아야"]),
    ("회사는 판교고 집은 분당이야", ["회사는 판교야", "집은 분당이야"]),
])  # fmt: skip
def test_two_names_in_one_sentence_belong_to_two(read, text, told):
    """Kiwi reads "초코고", "치즈야" and "판교고" as longer names; and the second name is not the first one's."""
    assert [fact.statement for fact in read(text)] == told


def test_a_clause_cut_out_of_a_sentence_is_a_sentence(read):
    assert [fact.statement for fact in read("저는 간호사고 부산에 살아요")] == [
        "저는 간호사예요",
        "부산에 살아요",
    ]


def test_a_fact_in_front_of_a_question_or_an_order_is_kept_without_it(only):
    assert only("나 갑각류 알레르기 있는데 이 식당 괜찮을까?").statement == "나 갑각류 알레르기 있어"
    assert only("채식주의자니까 고기 없는 레시피로 알려줘").statement == "채식주의자야"
    assert only("I'm gluten intolerant, can you suggest a bakery?").statement == "I'm gluten intolerant"


@pytest.mark.parametrize(("text", "told"), [
    ("수영은 못하지만 자전거는 잘 타요", ["수영은 못해요", "자전거는 잘 타요"]),
    ("저는 INTJ인데 남편은 ESFP예요", ["저는 INTJ예요", "남편은 ESFP예요"]),
    ("비건까지는 아닌데 고기는 잘 안 먹으려고 해", ["비건까지는 아니야", "고기는 잘 안 먹으려고 해"]),
])  # fmt: skip
def test_a_clause_that_went_on_is_written_as_people_write(read, text, told):
    assert [fact.statement for fact in read(text)] == told


@pytest.mark.parametrize(("text", "told"), [
    ("나 땅콩 알레르기 있는 거 기억해줘", "나 땅콩 알레르기 있어"),
    ("내가 창가 자리 좋아하는 거 기억해 줄래?", "내가 창가 자리 좋아해"),
    ("나 고수 싫어한다는 거 메모해줄 수 있어요?", "나 고수 싫어해요"),
    ("제가 지난주에 이사한 거 기억해 주세요", "제가 지난주에 이사했어요"),
    ("제가 의사라는 점 참고해 주세요", "제가 의사예요"),
    ("나 예전에 간호사였던 거 기억하지?", "나 예전에 간호사였어"),
    ("우리 딸 이름이 지유인 거 기억해줘", "우리 딸 이름이 지유야"),
    ("제 생일이 5월 3일인 거 잊지 마세요", "제 생일이 5월 3일이에요"),
    ("내일 병원 갈 거 기억해줘", "내일 병원 갈 거야"),
    ("나 매운 거 못 먹는 거 알지?", "나 매운 거 못 먹어"),
    ("Could you remember that I prefer window seats?", "I prefer window seats."),
    ("Will you remember my sister's name is Yuna?", "My sister's name is Yuna."),
    ("You know I'm allergic to peanuts, right?", "I'm allergic to peanuts."),
])  # fmt: skip
def test_what_is_asked_to_be_remembered_or_taken_for_known_is_a_sentence_of_its_own(only, text, told):
    assert only(text).statement == told


@pytest.mark.parametrize("text", [
    "내가 좋아하는 거 기억해?", "내가 한 말 기억해?", "내가 좋아하는 거 기억해 줘", "이거 기억해줘", "너 이거 할 수 있는 거 알지?",
    "지구가 둥근 거 알지?", "나 땅콩 알레르기 있는 거 기억하지 마", "Could you remember my birthday?", "Can you remember what I said?",
])  # fmt: skip
def test_a_question_about_what_is_remembered_tells_nothing(read, text):
    assert read(text) == []


def test_being_asked_to_remember_is_not_part_of_the_fact(only):
    assert only("기억해줘: 우리 집 현관은 왼쪽으로 열려").statement == "우리 집 현관은 왼쪽으로 열려"
    assert (
        only("Remember that my locker is number 42.").statement
        == "my locker is number 42."[0].upper() + "y locker is number 42."
    )


def test_moving_yesterday_was_on_the_fifteenth(only):
    fact = only("어제 이사했어")
    assert (fact.memory_type, str(fact.occurred_at.date())) == ("EVENT", "2026-05-15")


def test_a_state_begins_and_ends_with_its_dates(only):
    assert str(only("2019년부터 네이버에서 일해").valid_from.date()) == "2019-01-01"
    assert str(only("6월까지 휴직 중이야").valid_to.date()) == "2026-07-01"
    assert only("내 생일은 5월 3일이야").valid_from is None


def test_a_task_is_due_and_stays_open(only):
    fact = only("다음 주 화요일까지 보고서 내야 해")
    assert (fact.memory_type, str(fact.occurred_at.date()), fact.valid_to) == ("TASK", "2026-05-19", None)


@pytest.mark.parametrize(
    "text",
    [
        "답변은 항상 존댓말로 해줘",
        "Always answer in Korean.",
        "이모티콘은 쓰지 마",
        "Please keep your answers short",
    ],
)
def test_lasting_wishes_about_answers_are_rules(only, text):
    assert only(text).memory_type == "RULE"


def test_facts_that_only_share_an_attribute_do_not_compete(read):
    for text in ("No calls before 9, please", "Don't schedule meetings on Friday afternoons."):
        assert all(fact.slot is None for fact in read(text))


def test_kiwi_is_not_loaded_by_importing():
    import subprocess
    import sys

    code = "import sys, memoryapp.extract.rules; sys.exit('kiwipiepy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
