"""What somebody likes, eats, avoids, cannot take: tastes and bodies in Korean clauses."""

import re

from memoryapp.extract.rules.korean_scene import PEOPLE, VAGUE_GOOD, Scene, at
from memoryapp.extract.rules.korean_who import read, target, words
from memoryapp.extract.rules.lexicon import RELATIONS, TRIVIAL
from memoryapp.extract.rules.slots import Finding, many, one, preferred
from memoryapp.extract.rules.things import MEDICINE

EATING = {
    "술하": "drinks",
    "담배하": "smokes",
    "음주하": "drinks",
    "흡연하": "smokes",
    "먹": "eats",
    "드시": "eats",
    "잡수": "eats",
    "마시": "drinks",
    "피우": "smokes",
    "피": "smokes",
}
LIKING = {
    "좋아하": False,
    "싫어하": True,
    "즐기": False,
    "선호하": False,
    "사랑하": False,
    "혐오하": True,
    "질색하": True,
    "꺼리": True,
    "힘들어하": True,
    "무서워하": True,
    "부담스러워하": True,
    "꺼려하": True,
    "귀찮아하": True,
    "아끼": False,
}


STRONG = re.compile(
    r"(?P<what>[가-힣A-Za-z]+(?:\s(?:거|것|음식|[가-힣]{2,4}(?=(?:은|는)?\s(?:완전 |진짜 |정말 )?(?:극호|불호|극혐))))?)(?:이?라면|만 보면|만 나오면|은|는|를|을|이|가|에|한테)?\s(?:아주 |완전 |진짜 |정말 )?(?:"
    r"(?P<bad>기겁|질색|경기를|경기 일|치가 떨|학을 떼|진저리|소름|몸서리|거부감|못 참|입에도 안 대|손도 안 대|쳐다도 안 보|못 견디|견딜 수 없|손이 안 가|입에 안 맞|입맛에 안 맞|취향이? 아니|극혐|불호)|(?P<good>극호|환장|사족을 못|껌뻑 죽|깜빡 죽|정신을 못 차|침이 고|진심이|미쳐 있|미쳐있|사랑합니다|덕후))"
)


def strongly(scene: Scene) -> Finding | None:
    """ "벌레라면 기겁을 해요", "새우깡이라면 사족을 못 써요"."""
    found = STRONG.search(scene.text)
    if (
        not found
        or scene.frame.past
        or scene.dated
        or scene.who in ("you", "other")
        or PEOPLE.search(found["what"])
    ):
        return None
    if found["what"] in ("나", "저", "아주", "완전", "진짜", "정말", "너무") or re.search(
        "오늘|지금", scene.text
    ):
        return None
    return Finding(
        memory_type="PREFERENCE", slot=many(scene.who, "likes", found["what"], negated=bool(found["bad"]))
    )


BUT_FOR = re.compile(
    r"(?P<what>[가-힣A-Za-z]+(?:이랑|랑|하고|과|와)?(?:\s[가-힣]+)?)\s(?:빼고|말고|제외하고)(?:는|선)?\s다\s(?:잘\s)?(?P<verb>먹|좋아|마시|마셔)"
)
WITHOUT = re.compile(
    r"(?P<what>[가-힣]+)(?:이|가)?\s없(?:으면|이는|이)\s(?:\S+\s){0,2}못\s?(?:먹|자|살|마시|버티|견디|나가|해|하)"
)


def but_for(scene: Scene) -> Finding | None:
    """ "고수 빼고 다 먹어요", "국물 없으면 밥을 못 먹어"."""
    if scene.frame.past or scene.dated or scene.who in ("you", "other") or re.search("오늘|지금", scene.text):
        return None
    apart, without = BUT_FOR.search(scene.text), WITHOUT.search(scene.text)
    if apart:
        verb = {"먹": "eats", "좋": "likes"}.get(apart["verb"][0], "drinks")
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, verb, apart["what"], negated=True))
    if (
        without
        and without["what"] not in ("너", "돈", "시간", "당신", "자기")
        and not PEOPLE.search(without["what"])
    ):
        return Finding(
            memory_type="PREFERENCE", slot=many(scene.who, "needs", without["what"]), confidence=0.75
        )
    return None


def liking(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.stem in LIKING and frame.moods <= {"tends", "became", "going", "not"}:
        thing = target(frame, scene.subject)
        value = words(thing, scene.source, "것") if thing else ""
        topic = frame.of("topic")
        if (
            thing is not None
            and thing.head in ("거", "것")
            and topic is not None
            and topic is not thing
            and not read(topic).owner
        ):
            value = f"{words(topic, scene.source)} {value}"  # "회의는 오전에 하는 걸 선호해"
        if not value or PEOPLE.search(value) or value in TRIVIAL:
            return None
        negated = LIKING[frame.stem] != scene.denied
        if re.search(r"제일|가장", scene.text) and not negated:
            pass  # "김치찌개를 제일 좋아해" names no category; it is one liking
        slot = (
            preferred(scene.who, value)
            if frame.stem == "선호하" and not negated
            else many(scene.who, "likes", value, negated=negated)
        )
        return Finding(memory_type="PREFERENCE", slot=slot, ends=scene.ended, confidence=0.9)
    if (
        re.search(r"즐겨\s?(?:먹|마시|마셔|듣|들|보|봐|읽|하|해|입|찾|가|타)", scene.text)
        and frame.stem not in LIKING
        and not frame.past
    ):
        thing = target(frame, scene.subject)
        value = words(thing, scene.source, "것") if thing else frame.stem[:-1]
        return (
            Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", value, negated=scene.denied))
            if value
            else None
        )
    if (
        (
            frame.stem in ("좋", "싫", "편하", "맞", "낫", "어울리")
            or frame.stem in ("당기", "땡기", "끌리", "맛있", "재밌", "재미있", "예쁘")
            and frame.of("than")
        )
        and not frame.moods - {"tends", "not"}
        and not frame.past
    ):
        return _good(scene)
    if frame.stem in ("빠지", "꽂히", "미치") and (frame.past or "going" in frame.moods) and at(scene, "at"):
        value = at(scene, "at")
        return (
            None
            if PEOPLE.search(value) or value in RELATIONS
            else Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", value))
        )
    return None


#: How a thing is to the senses is no mood: "오이 냄새가 너무 싫어".
SENSED = re.compile(r"[가-힣]\s(?:냄새|향|식감|맛|소리|촉감|질감|느끼함|비린내)$")


def _good(scene: Scene) -> Finding | None:
    frame = scene.frame
    thing = frame.of("subject") or target(frame, scene.subject)
    value = words(thing, scene.source, "것") if thing else ""
    compared = (
        frame.of("than") is not None
        or scene.recurring
        or bool(re.search(r"제일|가장|훨씬|더 |보다(?:는|도)?\s", scene.text))
    )
    topic = frame.of("topic")
    over_topic = (
        topic is not None
        and topic is not thing
        and not read(topic).first_person
        and not read(topic).owner
        and not VAGUE_GOOD.search(topic.text)
    )
    compared = compared or bool(
        thing and over_topic and not scene.dated and (thing.before or thing.role == "subject")
    )
    weather = re.search(r"(?:오는|흐린|더운|추운|맑은|습한|화창한|선선한|쌀쌀한) 날$", value)
    if not value or PEOPLE.search(value) or VAGUE_GOOD.search(value) and not weather:
        return None
    doing = (
        thing is not None
        and thing.before
        and thing.head in ("것", "거")
        and frame.stem in ("좋", "싫", "편하")
    )
    if (
        doing
        and not scene.dated
        and not re.search(r"오늘|지금|이렇게|그렇게|이번|빨리|너랑|네가|여기", scene.text)
    ):
        slot = many(scene.who, "likes", value, negated=(frame.stem == "싫") != scene.denied)
        return Finding(memory_type="PREFERENCE", slot=slot, confidence=0.7)
    loathed = re.search(
        r"(?P<what>[가-힣]+(?:\s[가-힣]+)?)(?:은|는)\s(?:냄새|쳐다|보기|꼴|근처|입|생각|손)\S*\s", scene.text
    )
    if frame.stem == "싫" and loathed and not PEOPLE.search(loathed["what"]):
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", loathed["what"], negated=True))
    if any(t.tag == "ETN" for t in frame.tokens) and thing is not frame.of("topic", "object"):
        return None  # "한약 먹기 싫어" is a mood
    mood = r"오늘|지금|진짜 싫다" if SENSED.search(value) else r"오늘|지금|진짜 싫다|너무 싫"
    plainly = frame.stem == "싫" and not re.search(mood, scene.text)
    if not (
        plainly
        or compared
        or (
            scene.subject.said
            and scene.who != "other"
            and thing is not (scene.subject.who and scene.subject.who.phrase)
        )
    ):
        return None
    if frame.stem in ("맞", "낫", "어울리") and not re.search(r"제일|가장|더 |보다|잘 ", scene.text):
        return None
    negated = (frame.stem == "싫") != scene.denied
    slot = (
        preferred(scene.who, value)
        if compared and not negated
        else many(scene.who, "likes", value, negated=negated)
    )
    return Finding(memory_type="PREFERENCE", slot=slot)


NO_MORE = re.compile(
    r"(?P<what>[가-힣]+(?:\s(?:거|것|음식))?)(?:을|를|은|는|도)?\s(?:되게\s|진짜\s|엄청\s)?(?:잘|자주|많이|엄청|곧잘|매일)?\s?(?:먹|마시|마셨|피우|피웠|피|하|했|갔|다녔|즐겼|좋아)\S*(?:는데|지만|다가)\s(?:이제|이젠|지금은|요즘은|요샌|더는)"
)


def no_more(scene: Scene) -> Finding | None:
    """ "예전엔 매운 거 잘 먹었는데 이젠 못 먹겠어": what was so, said with its end."""
    found = NO_MORE.search(scene.source)
    verb = EATING.get(scene.frame.stem)
    if not found or verb is None or not scene.denied or scene.frame.past or scene.who in ("you", "other"):
        return None
    value = re.sub(r"\s(?:거|것)$", " 음식", found["what"])
    lead = scene.source[: found.start("what")].split()
    if value in ("거", "것", "음식") and lead:
        value = f"{lead[-1]} 음식"
    return Finding(
        memory_type="PREFERENCE", slot=many(scene.who, verb, value, negated=True), ends=True, confidence=0.85
    )


def _averse(scene: Scene) -> set[str]:
    """ "아메리카노는 써서 못 마시겠어": not "못 먹겠다" of a full stomach."""
    topic = scene.frame.of("topic")
    full = re.search(r"오늘|지금|더는|더 이상|배불|이제|도저히 더", scene.source)
    return {"would"} if scene.frame.denied == "못" and topic is not None and not full else set()


def _again(scene: Scene, thing: str) -> bool:
    """ "우리 강아지 이제 닭고기 먹어요": what was not so before; not "이제 저녁 먹어요"."""
    meal = thing in TRIVIAL or thing in ("아침", "점심", "저녁", "식사", "야식")
    return bool(re.search(r"(?:^|\s)(?:이제는?|이젠|다시)\s", scene.text)) and not meal


def eating(scene: Scene) -> Finding | None:
    frame = scene.frame
    verb = EATING.get(frame.stem)
    begun = "began" in frame.moods and frame.past
    if (
        verb is None
        or frame.moods - {"cannot", "not", "can", "agreed", "going", "tends", "began"} - _averse(scene)
        or (frame.past and not begun and "agreed" not in frame.moods)
    ):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source, "음식") if thing else ""
    if frame.stem in ("술하", "담배하", "음주하", "흡연하"):
        noun = {"음주": "술", "흡연": "담배"}.get(frame.stem[:-1], frame.stem[:-1])
        often = scene.denied or scene.recurring or re.search(r"잘\s|좀\s|많이\s", scene.text)
        slot = many(scene.who, verb, noun, negated=scene.denied)
        return (
            Finding(memory_type="PREFERENCE", slot=slot, ends=scene.ended)
            if often and not scene.dated
            else None
        )
    if thing is None or thing.head in TRIVIAL and not (value and thing.head in ("거", "것")) or not value:
        return None
    if re.search(r"담배|전자담배", value):
        verb = "smokes"
    elif re.search(r"(?:술|소주|맥주|와인|커피|차|우유|카페인)$", value):
        verb = "drinks"
    elif MEDICINE.search(value):
        verb = "takes"
    kind = "PREFERENCE" if scene.denied else "HABIT"
    usual = (
        begun
        or scene.recurring
        or verb == "smokes"
        or frame.of("only")
        or re.search(r"(?:^|\s)(?:잘|즐겨|주로|꼭|많이|달고|대신|요즘|요새)\s", scene.text)
        or frame.moods & {"tends"}
        or _again(scene, value)
    )
    if scene.denied:
        if scene.conditional and not scene.ended:
            return Finding(memory_type="HABIT", slot=None)
        return Finding(
            memory_type=kind,
            slot=many(scene.who, verb, value, negated=True),
            ends=scene.ended,
            confidence=0.9,
        )
    if "약" in thing.head or MEDICINE.search(value):
        known = usual or "going" in frame.moods or " " in value or len(value) > 2
        return Finding(memory_type="HABIT", slot=many(scene.who, "takes", value)) if known else None
    if usual and not (re.search(r"오늘|지금|방금", scene.text)):
        return Finding(memory_type=kind, slot=many(scene.who, verb, value), confidence=0.8)
    return None


BOUGHT = re.compile(
    r"(?:비행기|비행기표|표|티켓|기차표|항공권|배표|KTX|헬스장|회원권|피티|PT|정기권|정기 ?이용권|이용권|필라테스|요가|수영|클라이밍|크로스핏|복싱|골프|시즌권|딱지|개월|회)$",
    re.IGNORECASE,
)


def diet(scene: Scene) -> Finding | None:
    """ "저는 채식을 해요", "키토 하고 있어요"."""
    frame = scene.frame
    found = (
        re.match(r"(채식|비건|키토|저탄고지|간헐적 ?단식|글루텐프리|소식)", frame.stem)
        if frame.stem.endswith("하")
        else None
    )
    if not found or frame.past or frame.moods - {"going", "began", "not"} or scene.who in ("you", "other"):
        return None
    return Finding(
        memory_type="PROFILE",
        slot=one(scene.who, "diet", negated=scene.denied),
        ends=scene.ended,
        confidence=0.85,
    )


def quitting(scene: Scene) -> Finding | None:
    """ "술은 끊었어", "담배 끊었어요"."""
    frame = scene.frame
    if frame.stem not in ("끊", "줄이") or not (
        frame.past or "agreed" in frame.moods or "going" in frame.moods
    ):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if not value or value in ("전화", "연락", "말", "인연"):
        return None
    if frame.stem == "끊" and BOUGHT.search(value):  # a ticket or a pass is bought
        return Finding(memory_type="EVENT", course="event") if frame.past or scene.dated else None
    if frame.stem == "줄이":
        return Finding(memory_type="HABIT") if "going" in frame.moods else None
    return given_up(scene, value)


def given_up(scene: Scene, value: str) -> Finding | None:
    """What somebody does no longer smoke, drink or eat."""
    if not value:
        return None
    verb = (
        "smokes"
        if "담배" in value
        else "drinks"
        if re.search(r"술|커피|콜라|맥주|소주|와인|카페인|음료|우유|탄산|(?:^|\s)차$", value)
        else "takes"
        if MEDICINE.search(value)
        else "eats"
    )
    return Finding(
        memory_type="HABIT",
        slot=many(scene.who, verb, value, negated=True),
        ends=True,
        confidence=0.9,
        course="event",
    )


AVOIDED = re.compile(
    r"(?:운동|게임|화장|외식|요리|투자|주식|낮잠|SNS|야식|간식|음주|흡연|아침 식사|TV|티비|텔레비전|뉴스|드라마|유튜브|인스타|인스타그램|페이스북|트위터|택시|버스|비행기|지하철|자전거|엘리베이터|안경|렌즈|향수|화장품|배달|에어컨|현금|카드|공포영화|치마|넥타이|하이힐|교회|전화|통화|채소|야근|회식|예능)$",
    re.IGNORECASE,
)


def avoiding(scene: Scene) -> Finding | None:
    """ "운동을 하지 않아요", "뉴스는 잘 안 봐", "택시는 안 타"."""
    frame = scene.frame
    if (
        not scene.denied
        or frame.past
        or frame.stem_tag != "VV"
        or scene.who in ("you", "other")
        or frame.moods - {"not", "tends", "cannot"}
    ):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if not value and frame.stem.endswith("하"):
        value = frame.stem[:-1]
    seldom = re.search(r"(?:잘|거의|절대|전혀|원래|별로)\s", scene.text)
    narrowed = (
        thing is not None
        and (thing.role == "topic" or seldom)
        and (thing.before or len(thing.nouns) > 1)
        and frame.stem in ("가", "하", "보", "사", "입", "쓰", "타", "읽", "듣", "신")
    )
    if (
        not value
        or not (AVOIDED.search(value) or narrowed)
        or re.search("오늘|지금|아직|내일|이번", scene.text)
    ):
        return None
    general = (
        thing is None
        or thing.role in ("topic", "object")
        or scene.ended
        or re.search(r"(?:잘|거의|전혀|절대|원래|별로)\s", scene.text)
    )
    return (
        Finding(memory_type="HABIT", slot=many(scene.who, "does", value, negated=True), ends=scene.ended)
        if general
        else None
    )
