"""What "X는 Y야" tells: names, ages, jobs, rooms, favourites, dates of events."""

import re
from collections.abc import Callable
from dataclasses import replace

from memoryapp.extract.rules.korean_favourites import favourite_thing, joy, sided
from memoryapp.extract.rules.korean_identity import identity, owner_of, value_of
from memoryapp.extract.rules.korean_people import relatives
from memoryapp.extract.rules.korean_scene import PEOPLE, Scene, is_place
from memoryapp.extract.rules.korean_scores import score, sized
from memoryapp.extract.rules.korean_who import Who, read, words
from memoryapp.extract.rules.lexicon import (
    ATTRIBUTES,
    EVENTS,
    MANY_VALUED,
    NOT_ATTRIBUTES,
    RELATIONS,
    ROOMS,
    UNIQUE_EVENTS,
)
from memoryapp.extract.rules.phrases import Phrase
from memoryapp.extract.rules.slots import CONTACTS, USER, Finding, contact, many, one


def copula(scene: Scene) -> Finding | None:
    frame = scene.frame
    if (
        frame.stem not in ("이", "아니")
        or frame.stem == "이"
        and frame.moods & {"seems", "want", "wish"}
        or scene.who == "you"
    ):
        return None
    negated = frame.stem == "아니"
    thing = _thing(scene)
    for rule in RULES:
        found = rule(scene, thing, negated)
        if found is not None:
            return _naming(scene, found, negated)
    return None


#: What somebody may be one of many of: not being one of them says nothing of the others.
KINDS_OF_PEOPLE = frozenset(("occupation", "nationality", "hometown", "mbti", "blood_type", "zodiac"))


def _naming(scene: Scene, finding: Finding, negated: bool) -> Finding | None:
    """ "저는 팀장이 아니에요" ends "저는 팀장이에요", and never "저는 간호사예요"."""
    slot = finding.slot
    if slot is None or not slot.single or slot.attribute not in KINDS_OF_PEOPLE:
        return None if negated and slot is not None and slot.attribute == "age" else finding
    value = value_of(scene)
    name = value.split()[-1] if slot.attribute == "occupation" and value else value
    return replace(finding, slot=replace(slot, negated=negated), ends=negated, names=(name,) if name else ())


def _thing(scene: Scene) -> Who | None:
    """The topic when it is something of somebody's ("내 방", "딸 이름", "직업")."""
    for phrase in scene.frame.phrases:
        if (
            phrase.role in ("topic", "subject")
            or phrase is scene.frame.phrases[0]
            and phrase.role == "bare"
            and len(scene.frame.phrases) > 1
        ):
            who = read(phrase)
            if who.thing and who.owner not in ("you", "other"):
                return who
    topics = [p for p in scene.frame.phrases if p.role in ("topic", "subject") and not read(p).owner]
    return None if topics else _bare_attribute(scene)


def _bare_attribute(scene: Scene) -> Who | None:
    """ "혈액형 AB형이야", "우리 집 강아지 이름 콩이야": the attribute without its particle stands in one phrase with
    its value."""
    for phrase in scene.frame.phrases:
        if phrase.role != "bare" or phrase.before:
            continue
        for at, token in reversed(list(enumerate(phrase.tokens[:-1]))):
            if token.form in ATTRIBUTES and token.tag in ("NNG", "NNP", "SL"):
                owned = Phrase(
                    "topic", phrase.tokens[: at + 1], scene.source[phrase.tokens[0].begin : token.stop]
                )
                who = read(owned)
                own = who.owner not in ("", "you", "other") or who.thing == token.form
                return who if who.thing and own else None
    return None


Rule = Callable[[Scene, Who | None, bool], Finding | None]


def measured(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """What a number or a single word says by itself: scores, sizes, counts, sides, joys."""
    if negated:
        return None
    return score(scene) or sized(scene) or relatives(scene) or joy(scene) or sided(scene)


def household(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "우리 가족은 아내랑 딸 둘이에요", "아이는 둘이에요", "나는 쌍둥이 아빠야"."""
    value, phrases = value_of(scene), scene.frame.phrases
    topic = next((p for p in phrases if p.role in ("topic", "subject")), None)
    counted = re.search(
        r"(?:하나|둘|셋|넷|외동|\d\s?명|[한두세네] 명|[한두세네] 마리|남매|자매|형제)$", value
    )
    if (
        topic
        and topic.head
        in (
            "가족",
            "식구",
            "형제",
            "자녀",
            "아이",
            "애",
            "애들",
            "아들",
            "딸",
            "남매",
            "자식",
            "강아지",
            "고양이",
        )
        and (counted or any(r in value for r in ("아내", "남편", "딸", "아들", "엄마", "아빠", "부모님")))
    ):
        return Finding(memory_type="PROFILE", slot=one(USER, f"family:{topic.head}"), confidence=0.85)
    if (
        scene.who == USER
        and re.search(r"(?:아빠|엄마|아버지|어머니|부모|할머니|할아버지|이모|삼촌|집사|반려인)$", value)
        and scene.subject.said
        and not negated
        and " " in value
    ):
        return Finding(memory_type="PROFILE", slot=many(USER, "trait", value))
    return None


LEAVE = re.compile(
    r"(?:재택|재택근무|휴직|육아휴직|휴가|방학|휴학|출근|휴무|야간|주간|교대|인턴|수습|무급휴가|출산휴가|병가)$"
)


def event_date(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "결혼식은 4월 10일이야", "내일 면접이야", "마감은 금요일까지야"."""
    value = value_of(scene)
    head = thing.thing.split()[-1] if thing else ""
    if ATTRIBUTES.get(head) in ("birthday", "anniversary"):
        return None
    head = head[:-1] if head[-1:] in ("일", "날") and head[:-1] in EVENTS else head
    if head in EVENTS and scene.dated and not negated:
        slot = one(owner_of(scene, thing), f"event:{head}") if head in UNIQUE_EVENTS else None
        kind = "TASK" if re.search("마감|제출|납기|데드라인", head) else "EVENT"
        return Finding(
            memory_type=kind, slot=slot, course="task" if kind == "TASK" else "event", confidence=0.85
        )
    last = value.split()[-1] if value else ""
    if (
        not negated
        and scene.dated
        and (
            last in EVENTS
            or re.search(
                r"(?:예정|계획|생일|기념일|돌|환갑|칠순|마감|출국|귀국|개강|결혼|출발|제출|첫\s?[가-힣]+|출국|귀국|입사|퇴사|(?:시험|휴가|방학|축제|성수기|마감|야근|출장)\s?기간)$",
                value,
            )
        )
    ):
        if not scene.past_dated and last not in UNIQUE_EVENTS and "생일" not in value:
            return None
        return Finding(memory_type="EVENT", course="event")
    if scene.dated and not negated and any(w.bound == "until" for w in scene.whens):
        return Finding(memory_type="TASK", course="task")
    if scene.dated and not negated and any(w.bound == "since" for w in scene.whens) and LEAVE.search(value):
        return Finding(memory_type="FACT")
    if "plan" in scene.frame.moods and (scene.dated or scene.frame.stem != "이"):
        return Finding(memory_type="EVENT", course="event") if scene.dated else None
    return None


def alias(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    value = value_of(scene)
    if not thing or negated:
        return None
    last = value.split()[-1] if value else ""
    if (
        thing.owner == USER
        and re.fullmatch(r"방|자리|침대|공간|책상|서재|작업실|아지트|공부방|사무실", thing.thing)
        and (last in ROOMS or last.endswith(("방", "층", "실", "쪽")))
    ):
        return Finding(memory_type="ALIAS", slot=one(USER, f"alias:내 {thing.thing}"), confidence=0.9)
    if thing.owner in RELATIONS and thing.thing == "방" and last in ROOMS:
        return Finding(memory_type="ALIAS", slot=one(thing.owner, "alias:방"), confidence=0.9)
    return None


def attribute(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "내 이름은", "딸 이름은", "우리 회사는", any "내 X는 Y야"."""
    if thing is None:
        return None
    name = re.sub(r"\s", "", thing.thing)
    owner = owner_of(scene, thing)
    value = value_of(scene)
    known = ATTRIBUTES.get(name) or (
        ATTRIBUTES.get(thing.thing.split()[-1]) if len(thing.thing.split()) > 1 else None
    )
    if re.fullmatch(r"(?:제일|가장)?\s?(?:무서운|싫은|편한)\s?(?:것|거|건)", thing.thing):
        return None
    if not value and not scene.whens:
        return None
    if known and re.match(r"(?:전|예전|이전|첫|지난)\s", thing.phrase.text) or known and scene.frame.past:
        return Finding(memory_type="FACT", slot=None) if thing.owner in ("", USER) else None
    if known:
        if (
            known in ("workplace", "employer", "residence", "team", "car")
            and not (thing.owner or is_place(value) or name in ("직장", "사는곳", "거주지"))
            and not re.search(
                r"^(?:자가|전세|월세|아파트|빌라|주택|오피스텔|원룸|투룸|단독주택|반지하|옥탑방|복층)$", value
            )
            or PEOPLE.search(value)
            and known in ("dream",)
        ):
            return None
        if known in ("employer", "team", "car", "height") and re.search(
            r"출근|퇴근|휴무|야근|분위기|이름|문화|제도", value
        ):
            return Finding(memory_type="FACT", slot=many(owner, known, value))
        if known == "residence" and not is_place(value) and not thing.owner and name not in ("집",):
            return None
        if known == "residence" and not is_place(value) and not re.search(r"동네|지역|시$|구$", thing.thing):
            return Finding(memory_type="FACT", slot=many(owner, "home", value, negated=negated))
        if known == "name":
            value = re.sub(r"(?:이|라고)$", "", value)
        if known == "name" and owner == USER and re.search(r"[가-힣](?:이랑|랑|하고|과|와)\s", value):
            return None  # "이름은 나비랑 초코야": of two, and so of neither the user nor one pet
        if known in CONTACTS and not negated:
            return Finding(
                memory_type="PROFILE", slot=contact(owner, known, value, scene.text), confidence=0.9
            )
        slot = (
            many(owner, known, value, negated=negated)
            if known in MANY_VALUED
            else one(owner, known, negated=negated)
        )
        return Finding(memory_type="PROFILE", slot=slot, confidence=0.9)
    mine = thing.owner == USER or thing.owner not in ("", USER) and scene.subject.name == thing.owner
    if (
        thing.owner
        and (mine or thing.owner in RELATIONS)
        and name not in NOT_ATTRIBUTES
        and thing.thing.split()[-1] not in NOT_ATTRIBUTES
        and not negated
    ):
        if re.search(
            r"(?:최고|별로|짱|쓰레기|엉망|문제|개판|천사|바보|그대로|마찬가지|전부|다|뿐|때문|거짓말|덕분)$",
            value,
        ):
            return None
        return Finding(memory_type="FACT", slot=one(owner, key_of(thing.thing)), confidence=0.75)
    return None


def key_of(thing: str) -> str:
    return re.sub(r"\s+", " ", thing.lower())


HOURS = re.compile(r"(?:출근|퇴근|기상|취침|등교|하교|점심|저녁|아침)(?:\s?시간)?$")


def routine(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "월요일은 정기 휴무예요", "매일 7시 기상이야", "회의는 매주 화요일이야"."""
    value = value_of(scene)
    if scene.who in ("you", "other") or negated:
        return None
    if (
        re.search(
            r"(?:매주|매달|매월|격주|요일)\S*\s.*[가-힣]+는 날(?:이야|이에요|예요|입니다|이거든|임)",
            scene.text,
        )
        and not scene.frame.past
    ):
        return Finding(memory_type="HABIT")
    topic = scene.frame.of("topic", "subject")
    if (
        topic is not None
        and HOURS.search(topic.head)
        and re.search(r"시(?:\s?반|\s?\d+분)?$|시(?:까지|부터)?$", value)
    ):
        return Finding(memory_type="HABIT", slot=one(scene.who, f"hours:{topic.head}"))
    day = next(
        (
            p
            for p in scene.frame.phrases
            if p.role in ("topic", "every", "at")
            and re.search("요일|주말|평일|매일|아침|저녁|월수금|화목|주중|격주", p.text)
        ),
        None,
    )
    if day is not None and re.search(
        r"(?:휴무|휴일|쉬는 날|재택|재택근무|출근|회의|운동|수업|강습|당직|근무|야근|오프|기상|취침|정모|분리수거|장보는 날|청소하는 날|휴관|쉬는 날|데이|약속|예배|모임|레슨|[가-힣]+\s?(?:하는|가는|먹는|쉬는|보는|내는|만나는|버리는|치는|입는|마시는) 날)$",
        value,
    ):
        return Finding(memory_type="HABIT")
    if (
        scene.recurring
        and re.search(
            r"(?:기상|취침|출근|퇴근|재택|야근|회의|운동|휴무|수업|근무|커피|샐러드|요일|시|당번|담당|당직|순번)$",
            value,
        )
        and not scene.frame.past
    ):
        return Finding(memory_type="HABIT")
    return None


FOODS = re.compile(
    r"(?:라면|떡볶이|커피|치킨|피자|냉면|국밥|탕수육|김치|야식|안주|맥주|고기|삼겹살|햄버거|과일|국수|파스타|만두|순대|빵|아이스크림|간식|해장|소주|붕어빵|초밥|돈까스|짜장면|김밥)$"
)
NO_FOOD = frozenset(
    "제맛 제격 딱 최고 진리 별로 음식 별미 거 것 법 때 다음 나중 먼저 하나 둘 필수 기본 사랑 국룰".split()
)


FOODS = re.compile(
    r"(?:라면|떡볶이|커피|치킨|피자|냉면|국밥|탕수육|김치|야식|안주|맥주|고기|삼겹살|햄버거|과일|국수|파스타|만두|순대|빵|아이스크림|간식|해장|소주|붕어빵|초밥|돈까스|짜장면|김밥)$"
)
NO_FOOD = frozenset("최고 진리 별로 음식 별미 거 것 법 때 다음 나중 먼저 하나 둘 필수 기본 사랑 국룰".split())


def always(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "커피는 무조건 아이스": how somebody wants a thing."""
    topic, value = scene.frame.of("topic"), value_of(scene)
    fond = topic is not None and FOODS.search(topic.head) and scene.frame.ending in ("지", "죠", "지요")
    if fond and topic is not None and not topic.before and not PEOPLE.search(value):
        taken = value.split()[-1:] and value.split()[-1] not in NO_FOOD and not scene.text.endswith("?")
        return (
            Finding(memory_type="PREFERENCE", slot=many(USER, "likes", value), confidence=0.7)
            if taken
            else None
        )
    if (
        topic is None
        or read(topic).owner
        or negated
        or not value
        or not {"무조건", "단연"} & set(scene.frame.adverbs)
    ):
        return None
    if re.search("오늘|지금|이번|내일", scene.text) or PEOPLE.search(value) or not words(topic, scene.source):
        return None
    return Finding(
        memory_type="PREFERENCE",
        slot=many(USER, "likes", f"{value} {words(topic, scene.source)}"),
        confidence=0.75,
    )


def disliked(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "민트초코는 별로야", "오이는 질색이야", "라면은 신라면이지"."""
    value = value_of(scene) or ("별로" if "별로" in scene.frame.adverbs else "")
    topic = next(
        (
            p
            for p in scene.frame.phrases
            if p.role in ("topic", "subject", "bare") and not read(p).first_person
        ),
        None,
    )
    if topic is None or not re.fullmatch(
        r"별로|질색|극혐|노답|취향|비호감|최고", value.split()[-1] if value else ""
    ):
        return None
    liked = value.endswith(("취향", "최고")) != negated
    name = words(topic, scene.source, "것")
    if (
        not name
        or PEOPLE.search(name)
        or re.search(r"오늘|지금|기분", scene.text)
        or re.search(r"(?:기분|날씨|컨디션|오늘|분위기|서비스|영화|결과|너|점심|저녁)$", name)
        or value.endswith("최고")
        and not scene.subject.said
    ):
        return None
    return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", name, negated=not liked))


RULES: tuple[Rule, ...] = (
    measured,
    favourite_thing,
    alias,
    household,
    event_date,
    routine,
    attribute,
    identity,
    always,
    disliked,
)
