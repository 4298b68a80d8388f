"""What goes on or comes back in Korean clauses: habits, hours, things under way, things stopped."""

import re

from memoryapp.extract.base import Slot
from memoryapp.extract.rules import things
from memoryapp.extract.rules.korean_scene import CLOCK, PEOPLE, Scene
from memoryapp.extract.rules.korean_tastes import given_up
from memoryapp.extract.rules.korean_verbs import (
    BAD_HABIT_VERBS,
    ONGOING,
)
from memoryapp.extract.rules.korean_who import read, target, words
from memoryapp.extract.rules.lexicon import (
    RECURRING,
    TRIVIAL,
)
from memoryapp.extract.rules.slots import USER, Finding, many, one


def lasting(scene: Scene) -> Finding | None:
    """ "현우랑 만난 지 3년 됐어", "담배 끊은 지 백 일 됐어요"."""
    tokens = scene.frame.tokens
    at = next(
        (
            i
            for i, t in enumerate(tokens)
            if t.form == "지" and t.tag == "NNB" and i and tokens[i - 1].tag == "ETM"
        ),
        0,
    )
    if (
        not at
        or not (scene.frame.stem in ("넘", "지나", "이", "오래되") or scene.frame.stem.endswith("되"))
        or not re.search("년|달|개월|주|일|해|오래|한참|꽤", scene.text)
    ):
        return None
    verb = next((t.form for t in reversed(tokens[:at]) if t.tag.split("-")[0] in ("VV", "XSV")), "")
    if (
        verb in ("헤어지", "오래되", "")
        or re.search(r"이별|연락", scene.text)
        or scene.who in ("you", "other")
    ):
        return None
    if verb == "끊":
        thing = target(scene.frame, scene.subject) or scene.frame.of("topic")
        before = re.search(r"([가-힣]+?)(?:은|는|을|를)?\s끊은", scene.text)
        value = before[1] if before else words(thing, scene.source) if thing else ""
        return given_up(scene, value)
    return Finding(memory_type="FACT")


LONG = re.compile(
    r"(?:\d+|[한두세네]|다섯|여섯|일곱|여덟|아홉|열|몇)\s?(?:년|달|개월)(?:\s?(?:넘게|정도|동안|간|가까이|이상))?\s|오래\s|어릴 때(?:부터)?\s|어렸을 때(?:부터)?\s|학창 ?시절"
)
PRACTISED = frozenset(
    "하 치 배우 켜 추 타 다니 살 일하 근무하 공부하 연주하 바이올린하 피아노하 축구하 수영하 발레하 태권도하 가르치 키우 운영하 사귀".split()
)


def going_on(scene: Scene) -> Finding | None:
    frame = scene.frame
    if (
        frame.stem in ("공부하", "배우", "준비하", "연습하", "알바하", "구하", "알아보")
        and re.search(r"지금은|요즘|요새|현재|최근", scene.text)
        and not frame.moods
        and not frame.past
        and scene.who not in ("you", "other")
        and frame.ending_tag == "EF"
        and not frame.asks
    ):
        return Finding(memory_type="FACT")
    if (
        frame.past
        and not frame.moods
        and LONG.search(scene.text)
        and frame.stem in PRACTISED
        and scene.who not in ("you", "other")
    ):
        return Finding(memory_type="FACT", course="event")
    if (
        not frame.moods & {"going", "began"}
        or frame.past
        and "began" not in frame.moods
        or scene.denied
        or frame.moods & {"want", "seems", "wish"}
    ):
        return None
    if re.search(
        r"지금 (?:막|한창|잠깐)|방금|이 (?:글|책|노래|영화|문제)|그 (?:사람|애)|뭐|누가", scene.text
    ) or scene.who in ("you", "other"):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if thing is not None and (PEOPLE.search(thing.text) or thing.head in TRIVIAL):
        return None
    if frame.stem in ONGOING and (
        value or frame.stem.endswith("하") and frame.stem != "하" or frame.of("to", "in")
    ):
        if frame.stem in ("먹", "보", "듣", "읽", "찾", "타", "쓰", "만들", "하") and not (
            scene.recurring
            or re.search(r"요즘|요새|최근|계속|꾸준|부터|째|(?:약|영양제)", scene.text)
            or scene.dated
            or frame.stem in ("쓰", "타", "만들")
        ):
            return None
        return Finding(
            memory_type="HABIT" if scene.recurring else "FACT",
            slot=many(scene.who, "does", value or frame.stem[:-1])
            if value or frame.stem.endswith("하")
            else None,
        )
    lasting_now = re.search(r"요즘|요새|최근|회사에서|학교에서|부터|째|계속|꾸준", scene.text)
    if (
        lasting_now
        and value
        and frame.stem_tag == "VV"
        and frame.stem not in BAD_HABIT_VERBS | {"보", "기다리", "고민하", "먹"}
    ):
        return Finding(memory_type="FACT", slot=many(scene.who, "does", value))
    return None


def daily(scene: Scene) -> Finding | None:
    """ "나는 7시에 출근해": a daily doing with its hour."""
    frame = scene.frame
    if (
        frame.stem not in ("출근하", "퇴근하", "일어나", "기상하", "자", "취침하", "등교하", "출발하")
        or frame.past
        or frame.moods - {"going"}
    ):
        return None
    if (
        scene.dated
        or scene.denied
        or scene.who in ("you", "other")
        or not CLOCK.search(scene.text)
        or re.search("오늘|내일|지금", scene.text)
    ):
        return None
    attribute = {
        "출근하": "work_start",
        "퇴근하": "work_end",
        "일어나": "wake_time",
        "기상하": "wake_time",
        "자": "sleep_time",
    }.get(frame.stem)
    return Finding(memory_type="HABIT", slot=one(scene.who, attribute) if attribute else None)


def habit(scene: Scene) -> Finding | None:
    frame = scene.frame
    stays_in = frame.stem == "있" and re.search(r"집에|혼자|방에", scene.text) and frame.adverbs
    if stays_in and scene.recurring and not frame.past and not scene.dated:
        return Finding(memory_type="HABIT", confidence=0.7)
    if (
        not scene.recurring
        or frame.stem_tag != "VV"
        or frame.stem in BAD_HABIT_VERBS
        or scene.who in ("you", "other")
    ):
        return None
    if (
        frame.past
        and "agreed" not in frame.moods
        or frame.moods & {"want", "wish", "seems", "give", "dont", "would", "must", "plan", "will"}
        or frame.ending in ("ᆯ게", "을게", "ᆯ게요", "을게요", "ᆯ래", "ᆯ래요", "ᆯ걸")
    ):
        return None
    if (
        scene.dated
        and not any(w.bound == "since" for w in scene.whens)
        and not any(a in RECURRING for a in frame.adverbs)
        and not re.search("마다|매", scene.text)
    ):
        return None
    inner = frame.of("subject")
    if (
        inner is not None
        and not scene.subject.said
        and not read(inner).owner
        and not read(inner).first_person
    ):
        return None
    value = frame.stem[:-1] if frame.stem.endswith("하") and len(frame.stem) > 1 else ""
    thing = target(frame, scene.subject)
    value = value or (words(thing, scene.source) if thing else "")
    slot = many(scene.who, "does", value, negated=scene.denied) if value and not scene.conditional else None
    return Finding(memory_type="HABIT", slot=slot, ends=scene.ended)


NEEDED = re.compile(
    r"(?:어야|아야|셔야|해야|워야|야)(?:만)?\s(?:정신이|잠이|힘이|하루가|속이|직성이|마음이|일이|살 것|개운|눈이|잘 수|움직|시작)"
)


def needed(scene: Scene) -> Finding | None:
    """ "커피 두 잔은 마셔야 정신이 들어": what a day does not go without."""
    frame = scene.frame
    if not NEEDED.search(scene.text) or frame.past or scene.dated or scene.who in ("you", "other"):
        return None
    usual = scene.recurring or re.search(r"(?:은|는)\s(?:\S+\s)?\S+야(?:만)?\s", scene.text)
    return (
        Finding(memory_type="HABIT", confidence=0.75)
        if usual and not re.search("오늘|지금", scene.text)
        else None
    )


def trying(scene: Scene) -> Finding | None:
    """ "하루에 물 2리터씩 마시려고 노력해"."""
    intends = "plan" in scene.frame.moods and scene.frame.ending_tag == "EF" and not scene.frame.past
    if intends and scene.recurring and not scene.dated and scene.who == USER:
        return Finding(memory_type="HABIT", confidence=0.75)
    if (
        scene.frame.stem not in ("노력하", "애쓰", "신경쓰", "노력")
        or scene.frame.past
        or scene.who in ("you", "other")
    ):
        return None
    return (
        Finding(memory_type="HABIT")
        if re.search(r"(?:려고|도록|려|게)\s(?:많이\s|항상\s|늘\s)?(?:노력|애|신경)", scene.text)
        else None
    )


def stopped(scene: Scene) -> Finding | None:
    """ "이제 운동 안 해", "더 이상 그 회사 안 다녀"."""
    frame = scene.frame
    if (
        not scene.ended
        or frame.past
        or frame.stem_tag != "VV"
        or scene.who in ("you", "other")
        or frame.moods & {"want", "seems", "would", "must"}
    ):
        return None
    thing = target(frame, scene.subject)
    value = (
        frame.stem[:-1]
        if frame.stem.endswith("하") and len(frame.stem) > 1
        else words(thing, scene.source)
        if thing
        else ""
    )
    if not value or value in TRIVIAL or PEOPLE.search(value):
        return None
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", value, negated=True), ends=True)


def _in_use(scene: Scene, value: str) -> Slot | None:
    """ "아반떼 타요": one car at a time, unless it is one more ("테슬라도 타요")."""
    attribute = things.owned_once(value)
    more = re.search(r"도\s|번갈아|회사\s?(?:폰|차)|업무용|세컨", scene.text)
    return one(scene.who, attribute) if attribute and not more else many(scene.who, "uses", value)


def using(scene: Scene) -> Finding | None:
    """ "맥북을 써", "지하철로 출퇴근해"."""
    frame = scene.frame
    if frame.moods - {"going"} or frame.past or scene.denied or scene.who in ("you", "other"):
        return None
    if (
        frame.stem == "걸리"
        and re.search(r"(?:회사|직장|학교|출근|퇴근|출퇴근|통근|사무실)", scene.text)
        and re.search(r"분|시간", scene.text)
    ):
        return Finding(memory_type="HABIT", slot=one(scene.who, "commute"))
    if frame.stem in ("출퇴근하", "통근하", "통학하"):
        return Finding(memory_type="HABIT", slot=one(scene.who, "commute"))
    if frame.stem in ("쓰", "사용하", "이용하", "타", "끼", "타고다니", "구독하", "팔로우하") and (
        frame.ending_tag == "EF" or frame.linked
    ):
        thing = target(frame, scene.subject)
        value = words(thing, scene.source) if thing else ""
        if (
            value
            and value not in TRIVIAL
            and (
                scene.subject.said
                or "going" in frame.moods
                or frame.ending in ("어요", "아요", "ᆸ니다", "습니다")
                and (thing is not None and any(t.tag in ("SL", "NNP", "SN") for t in thing.tokens))
                or re.search(r"요즘|회사에서|집에서|개발|업무|평소", scene.text)
            )
            and not re.search(r"(?:돈|신경|글|시간|마음|머리|힘|편지|일기|말)$", value)
        ):
            return Finding(memory_type="FACT", slot=_in_use(scene, value))
    vehicle = target(frame, scene.subject) if frame.stem in ("타", "몰", "끌") else None
    if (
        vehicle is not None
        and frame.stem != "타"
        and things.owned_once(words(vehicle, scene.source)) == "car"
    ):
        return Finding(memory_type="FACT", slot=_in_use(scene, words(vehicle, scene.source)))
    if vehicle is not None and re.search(
        r"(?:전기차|경차|중고차|오토바이|스쿠터|SUV|하이브리드|수입차|외제차|캠핑카|트럭)$", vehicle.text
    ):
        return Finding(memory_type="FACT", slot=one(scene.who, "car"))
    topic, thing = frame.of("topic"), frame.of("object")
    if (
        frame.stem in ("쓰", "사용하", "이용하")
        and topic
        and thing
        and not read(topic).owner
        and words(topic, scene.source)
        and words(thing, scene.source)
    ):
        return Finding(memory_type="FACT", slot=one(scene.who, f"uses:{words(topic, scene.source)}"))
    if frame.stem in ("읽", "보", "듣") and scene.recurring:
        return Finding(memory_type="HABIT")
    return None
