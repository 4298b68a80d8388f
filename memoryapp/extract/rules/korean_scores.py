"""What somebody scored, passed or measures, in Korean clauses: "토익 900점", "발 사이즈는 265"."""

import re

from memoryapp.extract.rules.korean_scene import Scene
from memoryapp.extract.rules.slots import USER, Course, Finding, many, one

EXAM = re.compile(
    r"(?:토익 ?스피킹|토익|토플|텝스|오픽|아이엘츠|IELTS|TOEIC|TOEFL|SAT|GRE|JLPT|HSK|델레|DELE|수능|모의고사|내신|학점|평점|GPA|컴활|한국사|한능검|정보처리기사|기사|산업기사|기능사|자격증|면허|티어|레이팅|핸디캡?|최고 기록|기록|체지방률?|"
    r"(?:국어|영어|수학|일본어|중국어)(?= ?(?:\d|점수|성적|등급)|[은는도]? (?:[A-Z]?\d|[A-Z]{2}\b)\S*(?:까지|를|을)? ))(?![가-힣]*\s?(?:학원|준비|공부|책|강의|시험 ?(?:언제|봐)))",
    re.IGNORECASE,
)
MARK = re.compile(
    r"(?:\d+(?:\.\d+)?\s?(?:점대?|급|등급|단|위|분대?|%|퍼센트)|\d{2,}|\d\.\d+|[NABS]\d|[IA][LMH]\d?|(?:만점|실버|골드|다이아|플래티넘|브론즈|마스터)|[일이삼사]급)"
)
GOT = frozenset("받 따 맞 나오 넘 넘기 취득하 합격하 통과하 찍 달성하 붙 갖 가지 보유하 있 이 되".split())
SIZES = re.compile(r"(?:사이즈|치수|발|허리둘레|키|몸무게|시력|혈압|혈당|체온|맥박|골격근량|근육량)$")


def score(scene: Scene) -> Finding | None:
    """ "토익 점수가 900점이에요", "오픽 IH 땄어요", "컴활 1급 자격증 갖고 있어요"."""
    frame, exam = scene.frame, EXAM.search(scene.text)
    if exam is None or frame.stem not in GOT or scene.denied or scene.who in ("you", "other"):
        return None
    if frame.moods & {"want", "wish", "must", "plan", "will", "can", "seems", "would"} or scene.text.endswith(
        "?"
    ):
        return None
    rest = scene.text[: exam.start()] + scene.text[exam.end() :]
    if not MARK.search(rest) and not re.search(r"자격증|면허|기사|기능사", exam[0]):
        return None
    if frame.stem in ("이", "되", "있") and not MARK.search(rest):
        return None
    if not MARK.search(rest) and frame.past:
        return Finding(memory_type="EVENT", course="event", confidence=0.8)
    course: Course = "event" if frame.past and frame.stem not in ("넘", "이") else "state"
    who = USER if scene.who == exam[0] else scene.who  # "일본어는 N2까지 땄어"
    return Finding(
        memory_type="PROFILE", slot=one(who, f"score:{exam[0].lower()}"), course=course, confidence=0.8
    )


def sized(scene: Scene) -> Finding | None:
    """ "발 사이즈는 265예요", "몸무게 72야": a measure with its number."""
    frame = scene.frame
    if (
        frame.stem not in ("이", "되", "나가", "")
        or frame.past
        or scene.who in ("you", "other")
        or frame.moods & {"seems", "want"}
    ):
        return None
    found = re.search(
        r"(?:^|\s)(?P<what>키|경력|몸무게|체중|(?:신발|발|옷|바지|반지|허리)\s?사이즈|시력|안경 도수|혈압|혈당)(?:은|는|이|가|도)?\s(?P<n>\S*\d[\w./~ -]*)",
        scene.text,
    )
    if not found or re.search("오늘|지금|방금", scene.text):
        return None
    name = {"키": "height", "몸무게": "weight", "체중": "weight", "시력": "eyesight"}.get(
        found["what"], found["what"]
    )
    return Finding(memory_type="PROFILE", slot=one(scene.who, name), confidence=0.8)


LASTED = re.compile(
    r"^(?P<what>[가-힣A-Za-z ]+?)\s?(?:\d+|[일이삼사오육칠팔구십한두세네]+|다섯|여섯|일곱|여덟|아홉|열)\s?(?:(?:년|달|개월|주)\s?(?:차|째)|주년)$"
)


def lasted(value: str, who: str) -> Finding | None:
    """ "자취 6년차", "영어 공부 3년째": under way for so long."""
    found = LASTED.match(value)
    if not found or re.search(r"(?:벌써|이제|겨우|올해로)$", found["what"]):
        return None
    return Finding(memory_type="PROFILE", slot=many(who, "does", found["what"]), confidence=0.8)
