"""What somebody likes, eats, avoids, cannot take: tastes and bodies in Korean clauses."""

import re

from memoryapp.extract.rules.korean_scene import PEOPLE, VAGUE_GOOD, Scene, at
from memoryapp.extract.rules.korean_who import read, target, words
from memoryapp.extract.rules.lexicon import CONDITIONS, RELATIONS, TRIVIAL
from memoryapp.extract.rules.slots import Finding, many, preferred

EATING = {"먹": "eats", "드시": "eats", "잡수": "eats", "마시": "drinks", "피우": "smokes", "피": "smokes"}
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


CAUSE = re.compile(
    r"(?P<cause>[가-힣A-Za-z]+?(?:\s?(?:,|이랑|랑|하고|과|와|·|및)\s?[가-힣A-Za-z]+?)*)(?:에 대한|에 대해|한테|에는|에|엔|이|가|은|는)?\s*$"
)


def allergy(scene: Scene) -> Finding | None:
    found = re.search(r"알레르기|알러지", scene.text)
    if not found:
        return None
    if not re.search(
        r"(?:알레르기|알러지)\S{0,4}\s?(?:\S+\s){0,2}?(?:있|없|심하|심해|심한|심각|생겼|생긴|생겨|나았|앓|겪|사라|야|예요|에요|입니다|임|이야|라|반응)",
        scene.text,
    ):
        return None
    front = scene.source[: scene.source.find(found[0])] if found[0] in scene.source else ""
    lead = CAUSE.search(front)
    cause = re.sub(
        r"^(?:나|저|나는|저는|난|전|제가|내가|심한|약간|혹시|사실)\s*", "", lead["cause"] if lead else ""
    )
    if cause in RELATIONS or cause in ("나는", "저는", "나", "저"):
        cause = ""
    said_of_it = scene.frame.stem in ("있", "없", "심하", "생기", "아니", "나", "이", "앓")
    gone = (
        scene.denied
        and said_of_it
        or scene.frame.stem == "없"
        or bool(re.search("나았|사라졌|없어졌", scene.text))
    )
    return Finding(
        memory_type="PROFILE", slot=many(scene.who, "allergy", cause, negated=gone), confidence=0.9
    )


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
        frame.stem in ("좋", "싫", "편하", "맞", "낫", "어울리")
        and not frame.moods - {"tends", "not"}
        and not frame.past
    ):
        return _good(scene)
    if frame.stem in ("빠지", "꽂히") and frame.past and at(scene, "at"):
        value = at(scene, "at")
        return (
            None
            if PEOPLE.search(value) or value in RELATIONS
            else Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", value))
        )
    return None


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
    if not value or PEOPLE.search(value) or VAGUE_GOOD.search(value):
        return None
    loathed = re.search(
        r"(?P<what>[가-힣]+(?:\s[가-힣]+)?)(?:은|는)\s(?:냄새|쳐다|보기|꼴|근처|입|생각|손)\S*\s", scene.text
    )
    if frame.stem == "싫" and loathed and not PEOPLE.search(loathed["what"]):
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", loathed["what"], negated=True))
    if any(t.tag == "ETN" for t in frame.tokens) and thing is not frame.of("topic", "object"):
        return None  # "한약 먹기 싫어" is a mood
    plainly = frame.stem == "싫" and not re.search(r"오늘|지금|진짜 싫다|너무 싫", scene.text)
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


def eating(scene: Scene) -> Finding | None:
    frame = scene.frame
    verb = EATING.get(frame.stem)
    begun = "began" in frame.moods and frame.past
    if (
        verb is None
        or frame.moods - {"cannot", "not", "can", "agreed", "going", "tends", "began"}
        or (frame.past and not begun and "agreed" not in frame.moods)
    ):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source, "음식") if thing else ""
    if thing is None or thing.head in TRIVIAL and not (value and thing.head in ("거", "것")) or not value:
        return None
    if re.search(r"담배|전자담배", value):
        verb = "smokes"
    elif re.search(r"(?:술|소주|맥주|와인|커피|차|우유|카페인)$", value):
        verb = "drinks"
    kind = "PREFERENCE" if scene.denied else "HABIT"
    usual = (
        begun
        or scene.recurring
        or verb == "smokes"
        or frame.of("only")
        or re.search(r"(?:^|\s)(?:잘|즐겨|주로|꼭|많이|달고|대신|요즘|요새)\s", scene.text)
        or frame.moods & {"tends"}
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
    if "약" in thing.head or re.search(r"(?:약|영양제|비타민|유산균|인슐린|오메가3|철분제|\wmg)$", value):
        known = usual or "going" in frame.moods or " " in value or len(value) > 2
        return Finding(memory_type="HABIT", slot=many(scene.who, "takes", value)) if known else None
    if usual and not (re.search(r"오늘|지금|방금", scene.text)):
        return Finding(memory_type=kind, slot=many(scene.who, verb, value), confidence=0.8)
    return None


BOUGHT = re.compile(
    r"(?:비행기|비행기표|표|티켓|기차표|항공권|배표|KTX|헬스장|회원권|피티|PT|정기권|정기 ?이용권|이용권|필라테스|요가|수영|클라이밍|크로스핏|복싱|골프|시즌권|딱지|개월|회)$",
    re.IGNORECASE,
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
        "smokes" if "담배" in value else "drinks" if re.search(r"술|커피|콜라|맥주|카페인", value) else "eats"
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
    if not value or not AVOIDED.search(value) or re.search("오늘|지금|아직|내일|이번", scene.text):
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


REACTION = re.compile(
    r"(?P<cause>[가-힣A-Za-z]+)(?:을|를|만|이|가)?\s?(?:조금만\s|많이\s)?(?:먹으면|마시면|타면|쓰면|바르면|맡으면|입으면|들어가면|닿으면)\s.*(?:잠을? 못|잠이 안|배가? 아|배탈|속이? (?:안|쓰|더부룩|메슥)|두드러기|설사|머리가? 아|심장이|어지러|가려|멀미|토해|토하|취해|빨개|재채기|콧물|체해|체하|소화가? 안)"
)


def reaction(scene: Scene) -> Finding | None:
    """ "커피를 마시면 잠을 못 자요": what the body does not take well."""
    found = REACTION.search(scene.text)
    if not found or scene.frame.past or scene.who in ("you", "other"):
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "sensitive_to", found["cause"]))


BODY = re.compile(
    r"(?:귀|눈|무릎|허리|어깨|목|손목|발목|팔꿈치|다리|위|위장|장|심장|피부|이|치아|잇몸|폐|간|신장|관절|시력|청력|기관지|목 디스크|면역력|호흡기|손가락|발가락|고관절|척추)$"
)


def body(scene: Scene) -> Finding | None:
    """What is lastingly wrong: "오른쪽 귀가 잘 안 들려요", "무릎이 안 좋아"."""
    frame = scene.frame
    thing = frame.of("subject") or target(frame, scene.subject)
    if (
        thing is None
        or not BODY.search(thing.head)
        or frame.moods & {"seems", "want"}
        or re.search("오늘|지금|방금|어제|아까", scene.text)
    ):
        return None
    poor = (
        frame.stem in ("약하", "나쁘", "예민하", "민감하", "불편하", "건조하", "시리", "시큰거리", "나빠지")
        or scene.denied
        and frame.stem in ("들리", "보이", "좋", "펴지", "굽히")
    )
    lasting = frame.stem in ("아프", "쑤시", "저리") and (
        scene.recurring or re.search("요즘|원래|만성|계속|늘|고질", scene.text)
    )
    return (
        Finding(memory_type="PROFILE", slot=many(scene.who, "health", thing.head))
        if poor or lasting
        else None
    )


def suffering(scene: Scene) -> Finding | None:
    """ "비염 때문에 봄만 되면 고생해요", "디스크로 병원 다녀요"."""
    found = re.search(
        r"(?P<what>[가-힣]+(?:\s[가-힣]+)?)\s?(?:때문에|땜에|으로|로)\s.*(?:고생|병원|치료|약을|힘들|괴로|수술|못|안 )",
        scene.text,
    )
    if not found or scene.frame.past or scene.who in ("you", "other") or re.search("오늘|지금", scene.text):
        return None
    name = found["what"].split()[-1]
    if not CONDITIONS.search(name):
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "health", name))


LEVELS = re.compile(
    r"(?:비타민\s?[A-Z]?|혈압|혈당|콜레스테롤|철분|간 ?수치|수치|칼슘|헤모글로빈|골밀도|안압|체지방)$",
    re.IGNORECASE,
)


def level(scene: Scene) -> Finding | None:
    """ "비타민 D가 부족하대", "혈압이 높아"."""
    thing = scene.frame.of("subject") or target(scene.frame, scene.subject)
    if (
        thing is None
        or not LEVELS.search(thing.text)
        or scene.frame.stem not in ("부족하", "높", "낮", "높아지", "올라가", "모자라")
    ):
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "health", thing.text))
