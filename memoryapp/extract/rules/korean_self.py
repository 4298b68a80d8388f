"""Who somebody is in Korean clauses: home, work, school, family, pets, skills."""

import re

from memoryapp.extract.rules.korean_bodies import BODY
from memoryapp.extract.rules.korean_scene import PEOPLE, Scene, at, bare_place, is_place
from memoryapp.extract.rules.korean_verbs import (
    BAD_HABIT_VERBS,
    OPINION,
)
from memoryapp.extract.rules.korean_who import read, target, words
from memoryapp.extract.rules.lexicon import (
    ATTRIBUTES,
    CHILDREN,
    CONDITIONS,
    EVENTS,
    MANY_VALUED,
    PETS,
    RELATIONS,
    TRIVIAL,
)
from memoryapp.extract.rules.slots import CONTACTS, USER, Finding, contact, many, marital, one


def existence(scene: Scene) -> Finding | None:
    frame = scene.frame
    if (
        frame.stem not in ("있", "없", "많", "생기", "심하", "앓", "계시")
        or "going" in frame.moods
        and frame.stem == "있"
    ):
        return None
    thing = target(scene.frame, scene.subject)
    if thing is None:
        return None
    name, negated = thing.head, frame.stem == "없" or scene.denied
    full = words(thing, scene.source)
    if CONDITIONS.search(name) or CONDITIONS.search(full):
        return Finding(
            memory_type="PROFILE", slot=many(scene.who, "health", full, negated=negated), confidence=0.85
        )
    if name in PETS and frame.stem != "심하":
        return Finding(memory_type="PROFILE", slot=many(scene.who, "pet", name, negated=negated))
    if name in CHILDREN and not PEOPLE.search(name) and frame.stem != "심하":
        return Finding(memory_type="PROFILE", slot=many(scene.who, "family", name, negated=negated))
    if name in ("남자친구", "여자친구", "남친", "여친", "애인") and frame.stem in ("있", "없", "생기"):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "partner", negated=negated))
    if (name in EVENTS or full.split(" ")[-1] in EVENTS) and frame.stem in ("있", "생기", "없"):
        if scene.recurring and re.search("늘|항상|매|마다|보통|정기", scene.text):
            return Finding(memory_type="HABIT", slot=many(scene.who, "routine", full, negated=negated))
        if scene.dated and not negated:
            return Finding(memory_type="EVENT", course="event")
        if scene.recurring:
            return Finding(memory_type="HABIT", slot=many(scene.who, "routine", full, negated=negated))
    if name in RELATIONS and frame.stem == "계시" and not frame.of("at", "in") and not frame.past:
        return Finding(memory_type="PROFILE", slot=many(scene.who, "family", name))
    if name == "관심" and frame.stem in ("있", "많", "없", "생기"):
        return Finding(
            memory_type="PREFERENCE", slot=many(scene.who, "likes", at(scene, "at"), negated=negated)
        )
    place = frame.of("at")
    if (
        place is not None
        and re.search(r"집$|방$", place.text)
        and frame.stem in ("있", "없")
        and not frame.moods
        and full
        and name not in TRIVIAL
        and not PEOPLE.search(name)
        and not re.search("오늘|지금|아직", scene.text)
    ):
        return Finding(
            memory_type="FACT", slot=many(scene.who, "has", full, negated=negated), confidence=0.65
        )
    if re.search(
        r"(?:면허|면허증|자격증|자동차|차|집|별장|자전거|오토바이|영주권|시민권|경험|경력|문신|보험|대출|빚|학위|공포증)$",
        name,
    ) and frame.stem in ("있", "없"):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "has", full, negated=negated))
    return None


def residence(scene: Scene) -> Finding | None:
    frame = scene.frame
    moving = frame.stem in ("이사하", "이사오", "이사가", "옮기", "이주하", "이민하", "이민가", "이사") or (
        frame.stem in ("가", "오")
        and re.search(r"(?:이사|이민)(?:를|을)?\s?(?:가|갔|와|왔|간|온|갑|옵|갈|올)", scene.text)
    )
    if frame.stem in ("살", "거주하", "자취하", "지내", "사시") and frame.moods <= {
        "not",
        "going",
        "began",
        "became",
    }:
        place = at(scene, "in", "at") or bare_place(scene)
        if frame.past and re.search(
            r"(?:지금은|이제는|현재는?|요즘은)\s\S+(?:이야|이에요|예요|에|입니다|서)", scene.source
        ):
            return None  # what holds is behind it: "예전에는 강남 살았는데 지금은 일산이야"
        if scene.ended and not is_place(place) and re.search(r"동네|집|아파트|곳", scene.text):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "residence", negated=True), ends=True)
        if frame.stem == "지내" and not is_place(place):
            return None
        mate = frame.of("with")
        if frame.past and "began" not in frame.moods:
            return Finding(memory_type="FACT", course="event") if place and is_place(place) else None
        if place and (is_place(place) or scene.frame.of("in", "at")):
            return Finding(
                memory_type="PROFILE",
                slot=one(scene.who, "residence", negated=scene.denied),
                ends=scene.ended,
                confidence=0.9,
            )
        if mate or re.search(r"혼자|둘이|같이|함께", scene.text):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "lives_with"), confidence=0.85)
        return None
    if moving and (frame.past or frame.moods & {"agreed", "will", "plan", "must"} or scene.dated):
        place = at(scene, "to", "at") or bare_place(scene)
        if frame.stem == "옮기" and not is_place(place):
            return None
        done = frame.past and "agreed" not in frame.moods
        if done and place and is_place(place):
            return Finding(
                memory_type="PROFILE", slot=one(scene.who, "residence"), confidence=0.9, course="event"
            )
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    return None


def placed(scene: Scene) -> Finding | None:
    """ "오빠는 군대에 있어", "아버지는 요양원에 계세요"."""
    frame = scene.frame
    where = at(scene, "at")
    if (
        frame.stem not in ("있", "계시")
        or frame.moods
        or frame.past
        or scene.who in (USER, "you", "other")
        or not scene.subject.said
    ):
        return None
    if (
        not where
        or not (
            is_place(where)
            or re.search(r"(?:군대|해병대|병원|요양원|기숙사|중환자실|유학|감옥|해외|외국|대학|학교)$", where)
        )
        or re.search("지금|오늘|방금", scene.text)
    ):
        return None
    return Finding(memory_type="FACT", slot=one(scene.who, "residence"), confidence=0.7)


def unmarried(scene: Scene) -> Finding | None:
    """ "저 결혼 안 했어요", "아직 운전면허 안 땄어"."""
    frame = scene.frame
    if (
        not scene.denied
        or not frame.past
        or frame.stem not in ("결혼하", "이혼하", "취업하", "취직하", "입대하", "졸업하", "가", "따")
        or scene.who in ("you", "other")
    ):
        return None
    if (
        frame.stem == "가"
        and "군대" not in scene.text
        or frame.stem == "따"
        and not re.search("면허|자격증", scene.text)
    ):
        return None
    return Finding(
        memory_type="PROFILE",
        slot=marital(scene.who, married=False) if "혼" in frame.stem else None,
    )


def renewed(scene: Scene) -> Finding | None:
    """ "강아지 이름을 보리로 바꿨어요", "김서연으로 개명했어요": another value of what somebody has one of."""
    frame = scene.frame
    if frame.stem not in RENEWED or not frame.past or scene.denied or frame.of("to") is None:
        return None
    if frame.stem == "개명하":
        return Finding(memory_type="PROFILE", slot=one(scene.who, "name"), course="event", confidence=0.85)
    phrase = frame.of("object") or frame.of("subject", "topic")
    whose = read(phrase) if phrase else None
    attribute = ATTRIBUTES.get(whose.thing.split()[-1] if whose and whose.thing else "")
    if whose is None or attribute is None or whose.owner in ("you", "other"):
        return None
    if attribute in MANY_VALUED - CONTACTS:
        return None  # of several hobbies it might be any
    of = whose.owner or scene.who
    slot = contact(of, attribute, "", scene.text) if attribute in CONTACTS else one(of, attribute)
    bought = attribute in ("car", "laptop", "computer", "phone_model")
    return Finding(memory_type="EVENT" if bought else "PROFILE", slot=slot, course="event", confidence=0.85)


RENEWED = frozenset("바꾸 바뀌 변경하 변경되 개명하 옮기 교체하".split())


def named(scene: Scene) -> Finding | None:
    """ "김도윤이라고 합니다"."""
    found = re.search(
        r"(?:^|\s)(?P<name>[가-힣]{2,4}?)(?:이라고|라고)\s(?:합니다|해요|해|불립니다|불려요|불려)[.!]?$",
        scene.text,
    )
    if not found or scene.frame.of("object") or scene.subject.name not in (USER,):
        return None
    modified = any(t.tag == "ETM" for t in scene.frame.tokens)
    names = [t for t in scene.frame.tokens if t.tag in ("NNP", "NNG")][-1 if modified else 0 :]
    attribute = "name" if re.search("합니다|해", found[0]) else "called"
    alone = len(names) == 1 and names[0].tag == "NNP"
    return Finding(memory_type="PROFILE", slot=one(USER, attribute), confidence=0.85) if alone else None


RAISED = frozenset("애 애들 아이 아이들 아들 딸 아기 남매 쌍둥이 손주 손자 손녀 조카".split())


def keeping(scene: Scene) -> Finding | None:
    """Pets: "고양이 두 마리 키워"."""
    frame = scene.frame
    if frame.stem not in ("키우", "기르", "입양하", "데려오", "분양받") or frame.moods & {
        "want",
        "wish",
        "give",
        "can",
    }:
        return None
    thing = target(frame, scene.subject) or next(
        (p for p in frame.phrases if any(t.form in PETS for t in p.tokens)), None
    )
    if thing is None:
        return None
    name = next((t.form for t in thing.tokens if t.form in PETS), thing.head)
    taken_in = frame.stem in ("입양하", "데려오", "분양받")
    if taken_in and not frame.past:
        return None
    return Finding(
        course="event" if taken_in else "state",
        memory_type="PROFILE",
        slot=many(scene.who, "family" if name in RAISED else "pet", name, negated=scene.denied),
        ends=scene.ended,
        confidence=0.9,
    )


SKILLS = re.compile(
    r"(?:회화|엑셀|포토샵|피피티|파이썬|프로그래밍|그림|글쓰기|축구|농구|게임|계산|암산|번역|통역|바느질|뜨개질|화장|발표|정리|청소|길찾기|길 찾기|술|당구|볼링|탁구|체스|영어|일본어|중국어|한국어|프랑스어|독일어|스페인어|운전|수영|요리|노래|춤|피아노|기타|바둑|코딩|주차|자전거|스키|[가-힣]어)$"
)
LIMITS = frozenset(
    "들 듣 타 보 앉 쓰 신 입 뛰 걷 달리 가 맡 삼키 외우 구분하 구별하 읽 헤엄치 오르 펴 굽히 움직이 참 견디 맞 만지 바르 치 하".split()
)


def ability(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.moods & {"skill", "noskill"} and not frame.asks:
        thing = target(frame, scene.subject)
        value = f"{words(thing, scene.source)} {frame.stem}" if thing else frame.stem
        return Finding(
            memory_type="FACT", slot=many(scene.who, "skill", value.strip(), negated="noskill" in frame.moods)
        )
    thing = target(frame, scene.subject)
    if frame.stem == "가능하" and thing is not None and SKILLS.search(thing.head) and not frame.asks:
        return Finding(
            memory_type="FACT",
            slot=many(scene.who, "skill", words(thing, scene.source), negated=scene.denied),
        )
    if frame.stem in ("잘하", "못하") or (
        frame.stem.endswith("하") and re.search(r"(?:^|\s)(?:잘|유창하게)\s", scene.text)
    ):
        thing = target(frame, scene.subject)
        value = words(thing, scene.source) if thing else frame.stem[:-1]
        if value and SKILLS.search(value):
            return Finding(
                memory_type="FACT",
                slot=many(scene.who, "skill", value, negated=bool(frame.denied) or frame.stem == "못하"),
            )
    if (
        frame.denied == "못"
        and not frame.past
        and frame.stem_tag == "VV"
        and not frame.moods & {"must", "want", "seems", "would"}
    ):
        thing = target(frame, scene.subject)
        value = words(thing, scene.source) if thing else ""
        if frame.stem.endswith("하") and SKILLS.search(frame.stem[:-1]):
            return Finding(memory_type="FACT", slot=many(scene.who, "skill", frame.stem[:-1], negated=True))
        if value and value.split()[-1] not in TRIVIAL and frame.stem in LIMITS:
            return Finding(memory_type="FACT", slot=many(scene.who, "cannot", f"{value} {frame.stem}"))
    felt = re.search(r"(추위|더위|멀미|간지럼|낯)(?:를|을|도)?\s", scene.text)
    if frame.stem == "타" and felt:
        return Finding(
            memory_type="PROFILE", slot=many(scene.who, "sensitive_to", felt[1], negated=scene.denied)
        )
    return _origin(scene)


def _origin(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.stem not in ("전공하", "태어나", "자라", "나", "성장하") or not frame.past:
        return None
    if frame.stem == "전공하":
        return Finding(memory_type="PROFILE", slot=one(scene.who, "major"))
    if frame.stem == "나" and "자랐" not in scene.text:
        return None
    if at(scene, "in", "at"):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "hometown"))
    if scene.dated and scene.who == USER and frame.of("subject") is None:
        return Finding(memory_type="PROFILE", slot=one(USER, "birthday"))
    return None


NATURE = re.compile(
    r"(?:^키|체력|기억력|운동신경|운동 신경|성격|^겁|눈물|말수|식욕|소화력|낯가림|^잠|입맛|방향감각|방향 감각|인내심|끈기|손재주|음감|체구|체격|목소리|머리숱|숱|입|위|주량|씀씀이|승부욕|호기심|눈치|센스|유머감각)$"
)


def nature(scene: Scene) -> Finding | None:
    """ "운동신경이 없어요", "체력이 약해", "겁이 많아"."""
    frame = scene.frame
    thing = frame.of("subject") or target(frame, scene.subject)
    if thing is None or not NATURE.search(thing.text) or thing.head in ("성격", "입", "위", "목소리", "잠"):
        return None
    if (
        frame.stem not in ("있", "없", "많", "적", "좋", "나쁘", "약하", "강하", "작", "크", "세")
        or frame.past
        or frame.moods
    ):
        return None
    if scene.who in ("you", "other") or re.search("오늘|지금|요즘|요새|이번", scene.text):
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "nature", thing.head), confidence=0.75)


ABROAD = re.compile(r"(?:살|지내|유학하|일하|거주하)다(?:가)?\s?(?:왔|온|돌아왔|귀국)")


def came_back(scene: Scene) -> Finding | None:
    """ "미국에서 10년 살다 왔어요"."""
    if not ABROAD.search(scene.text) or not at(scene, "in", "at") or scene.who in ("you", "other"):
        return None
    return Finding(memory_type="FACT", course="event")


def tendency(scene: Scene) -> Finding | None:
    """ "늦게 자는 편이야"."""
    if (
        "tends" not in scene.frame.moods
        or scene.who in ("you", "other")
        or scene.frame.past
        or re.search("오늘|지금|이번", scene.text)
    ):
        return None
    topic = scene.frame.of("topic")
    thing_like = topic is not None and not read(topic).owner and not read(topic).first_person
    if thing_like and (scene.frame.stem_tag == "VA" or re.search(r"(?:^|\s)(?:이|그|저)\s", scene.text)):
        return None  # "그 카페는 조용한 편이야": how a thing is
    inner = scene.frame.of("subject")
    if inner is not None and NATURE.search(inner.head) and scene.who not in ("you", "other"):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "nature", inner.head), confidence=0.75)
    if inner is not None and not read(inner).owner and not scene.subject.said and not BODY.search(inner.head):
        return None
    return Finding(memory_type="HABIT", confidence=0.7)


def own_words(scene: Scene) -> Finding | None:
    """A plain present statement that starts with "나는" / "저는" and says what the person does with something."""
    frame = scene.frame
    who = scene.subject.who
    if (
        who is None
        or scene.who != USER
        or who.phrase.role not in ("topic", "bare")
        or frame.stem_tag != "VV"
        or frame.past
        or frame.linked
    ):
        return None
    if (
        frame.stem in OPINION | BAD_HABIT_VERBS
        or frame.moods - {"going", "cannot", "not", "tends"}
        or frame.ending
        not in ("어", "아", "어요", "아요", "ᆸ니다", "습니다", "다", "ᆫ다", "는다", "거든", "거든요")
    ):
        return None
    if (
        re.search(
            r"(?:^|\s)(?:이|그|저|너|네|니|당신|여기|거기|지금|오늘|방금|이거|그거|이건|그건|이것|그것|뭐|왜|아직|이미|너무|다시|또|좀|자꾸|혹시)(?:를|을|는|은|가|도|랑|한테|만|에)?\s",
            scene.text,
        )
        or scene.dated
    ):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    solid = (
        value
        and value not in TRIVIAL
        and not PEOPLE.search(value)
        or frame.of("in", "to", "than", "only") is not None
    )
    return Finding(memory_type="FACT", confidence=0.6) if solid else None
