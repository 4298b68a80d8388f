"""What "X는 Y야" tells: names, ages, jobs, rooms, favourites, dates of events."""

import re
from collections.abc import Callable

from memoryapp.extract.rules.clauses import Phrase
from memoryapp.extract.rules.korean_rules import MBTI, PEOPLE, Scene, at
from memoryapp.extract.rules.korean_who import Who, is_name, read, words
from memoryapp.extract.rules.lexicon import (
    ATTRIBUTES,
    CONDITIONS,
    EVENTS,
    FAVOURITES,
    JOB_TAIL,
    JOBS,
    MANY_VALUED,
    NOT_ATTRIBUTES,
    PETS,
    PLACE_TAIL,
    PLACES,
    RELATIONS,
    ROOMS,
    SURNAMES,
    UNIQUE_EVENTS,
)
from memoryapp.extract.rules.slots import USER, Finding, favourite, many, one

BLOOD = re.compile(r"^(?:RH[+-]\s?)?(?:A|B|O|AB)\s?형$", re.IGNORECASE)
AGE = re.compile(r"(?:\d{1,3}|[가-힣]{1,4})\s?(?:살|세|개월)$")
BORN = re.compile(r"(?:\d{2,4}\s?년\s?\d{0,2}월?\s?\d{0,2}일?\s?생|\d{2,4}년도?\s?생)$")
DIET = re.compile(r"채식주의자?|비건|베지테리언|페스코|락토|오보|키토|글루텐 ?프리|할랄|코셔")
FAITH = re.compile(r"(?:기독교|개신교|천주교|가톨릭|불교|이슬람|무슬림|무교|무신론|원불교|유대교|힌두교)(?:인|도|자|신자|교인)?\s?(?:신자)?$|(?:신자|교인|불자)$")
TRAITS = re.compile(r"(?:(?:아침형|저녁형|올빼미형|야행성|계획형|즉흥적인|내향적인|외향적인|예민한|꼼꼼한|느긋한|집에 있는|혼자 있는)\s?(?:인간|사람|타입|스타일|성격)|왼손잡이|오른손잡이|양손잡이|아침형|저녁형|올빼미형|올빼미|야행성|집순이|집돌이|길치|음치|몸치|기계치|박치|외동|외동딸|외동아들|장남|장녀|막내|맏이|첫째|둘째|미혼|기혼|싱글|돌싱|비혼주의자?|초보운전|초보|내향적|외향적|완벽주의자|미니멀리스트|비흡연자|흡연자|유부남|유부녀|애묘인|애견인|다둥이|예비 ?(?:엄마|아빠|신랑|신부)|싱글맘|워킹맘|맥시멀리스트|색맹|색약|난시|근시|임산부|임신부|재택근무자?)$")
UNDER_WAY = re.compile(r"(?:준비|공부|다이어트|임신|휴직|육아휴직|휴학|연애|구직|취업 ?준비|치료|재활|복용|이직 ?준비|운동|단식|금주|금연|저축|별거|항암|교정|수험|인턴|파견|출장|여행|휴가|배우는|다니는|키우는|사귀는|만드는|준비하는|공부하는|개발하는|쓰는|찾는|알아보는|구하는|진행하는|근무하는)\s?중$")
NUMBERED = re.compile(r"\d")
ROLES = re.compile(r"^(?:.*?)(?P<name>[가-힣]{2,4})$")


def what(scene: Scene) -> Phrase | None:
    """The noun phrase in front of the copula."""
    rest = [p for p in scene.frame.phrases if p.role in ("bare", "complement", "or", "till", "from", "in", "at", "to", "only", "every", "dative", "with")]
    return rest[-1] if rest else None


def copula(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.stem not in ("이", "아니") or frame.stem == "이" and frame.moods & {"seems", "want", "wish"} or scene.who == "you":
        return None
    negated = frame.stem == "아니"
    thing = _thing(scene)
    for rule in RULES:
        found = rule(scene, thing, negated)
        if found is not None:
            return found
    return None


def _thing(scene: Scene) -> Who | None:
    """The topic when it is something of somebody's ("내 방", "딸 이름", "직업")."""
    for phrase in scene.frame.phrases:
        if phrase.role in ("topic", "subject") or phrase is scene.frame.phrases[0] and phrase.role == "bare" and len(scene.frame.phrases) > 1:
            who = read(phrase)
            if who.thing and who.owner not in ("you", "other"):
                return who
    return _bare_attribute(scene)


def _bare_attribute(scene: Scene) -> Who | None:
    """ "혈액형 AB형이야": the attribute without its particle stands in one phrase with its value."""
    for phrase in scene.frame.phrases:
        words_ = phrase.text.split()
        if phrase.role == "bare" and len(words_) > 1 and words_[0] in ATTRIBUTES:
            return Who("", words_[0], phrase)
        if phrase.role == "bare" and len(words_) > 2 and words_[0] in ("내", "제", "우리") and words_[1] in ATTRIBUTES:
            return Who(USER, words_[1], phrase)
    return None


def _value(scene: Scene) -> str:
    found = what(scene)
    if found is None:
        return ""
    stop = scene.frame.stem_begin
    text = scene.source[found.tokens[0].begin : max(stop, found.tokens[-1].stop)]
    return re.sub(r"\s+", " ", text).strip(" '\"‘’“”")


def _owner(scene: Scene, thing: Who | None) -> str:
    return thing.owner if thing and thing.owner else scene.who


Rule = Callable[[Scene, Who | None, bool], Finding | None]


def favourite_thing(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "제일 좋아하는 색은 파란색이야", "내 최애 음식은 …"."""
    topic = next((p for p in scene.frame.phrases if p.role in ("topic", "subject") and p.before), None)
    stems = {t.form for t in topic.before} if topic else set()
    if topic and stems & {"살", "사", "거주하"} and topic.head in ("곳", "데", "동네", "지역", "도시", "집", "아파트"):
        return Finding(memory_type="PROFILE", slot=one(_inner_owner(scene, topic), "residence"), confidence=0.9)
    if topic and stems & {"일하", "근무하", "다니"} and topic.head in ("곳", "데", "회사", "직장", "학교"):
        return Finding(memory_type="PROFILE", slot=one(_inner_owner(scene, topic), "school" if topic.head == "학교" else "employer"), confidence=0.9)
    if topic and stems & {"좋아하", "싫어하", "선호하", "즐기"}:
        owner = _inner_owner(scene, topic)
        if owner == "you":
            return None
        if stems & {"싫어하"}:
            return Finding(memory_type="PREFERENCE", slot=many(owner, "likes", _value(scene), negated=not negated), confidence=0.9)
        if topic.head in FAVOURITES:
            return Finding(memory_type="PREFERENCE", slot=favourite(owner, topic.head), confidence=0.9)
        return Finding(memory_type="PREFERENCE", slot=many(owner, "likes", _value(scene), negated=negated))
    if topic and stems & {"존경하", "존경", "사랑하", "아끼", "무섭", "무서워하", "잘하", "자신", "편하", "추천하"} and re.search("제일|가장", scene.text):
        return Finding(memory_type="PREFERENCE", slot=one(scene.who, f"most:{topic.head}")) if _inner_owner(scene, topic) != "you" else None
    if topic and stems & {"쓰", "사용하", "타", "다니"} and re.search(r"(?:언어|도구|프레임워크|에디터|앱|폰|노트북|컴퓨터|차|카드|은행|통신사|병원|학교|회사|미용실|헬스장|도시락|베개|운영체제)$", topic.head):
        return Finding(memory_type="FACT", slot=one(scene.who, f"uses:{topic.head}"))
    if topic and stems & {"먹", "마시", "하", "가", "다니", "쓰"} and re.search(r"못\s?(?:먹|마시)|안 (?:먹|마시)|자주|즐겨|제일|가장|주로|요즘", scene.text):
        denied = bool(re.search(r"못|안 ", scene.source[topic.before[0].begin - 3 if topic.before[0].begin > 2 else 0 : topic.before[-1].stop]))
        verb = {"먹": "eats", "마시": "drinks"}.get(next(iter(stems & {"먹", "마시"}), ""), "does")
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, verb, _value(scene), negated=denied))
    if thing and thing.thing.startswith("최애"):
        return Finding(memory_type="PREFERENCE", slot=favourite(_owner(scene, thing), thing.thing[2:].strip() or "thing"), confidence=0.85)
    found = re.search(r"(?P<what>[가-힣]+)(?:은|는|중에서?는|중엔|중에)\s.*(?:제일|가장|최고|최애)", scene.text)
    if found and found["what"] in FAVOURITES and re.search("최고|최애", scene.text):
        return Finding(memory_type="PREFERENCE", slot=favourite(scene.who, found["what"]))
    return None


def _inner_owner(scene: Scene, topic: Phrase) -> str:
    lead = scene.source[: topic.tokens[0].begin]
    if re.search(r"(?:^|\s)(?:네가|니가|너가|넌|너는)\s", lead):
        return "you"
    for relation in sorted(RELATIONS, key=len, reverse=True):
        if re.search(rf"(?:^|\s){relation}(?:이|가|은|는)\s", lead):
            return relation
    named = re.search(r"(?:^|\s)([가-힣]{2,4}?)(?:이가|이|가|은|는)\s", lead)
    first = re.search(r"(?:^|\s)(?:내|제|나|저|난|전|내가|제가|나는|저는|우리)", lead)
    return named[1] if named and not first and scene.who == USER and named[1] not in ("사용자",) and len(named[1]) > 1 and named[1] not in ("제일", "가장", "요즘") else scene.who


def household(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "우리 가족은 아내랑 딸 둘이에요", "아이는 둘이에요", "나는 쌍둥이 아빠야"."""
    value, phrases = _value(scene), scene.frame.phrases
    topic = next((p for p in phrases if p.role in ("topic", "subject")), None)
    counted = re.search(r"(?:하나|둘|셋|넷|외동|\d\s?명|[한두세네] 명|[한두세네] 마리|남매|자매|형제)$", value)
    if topic and topic.head in ("가족", "식구", "형제", "자녀", "아이", "애", "애들", "아들", "딸", "남매", "자식", "강아지", "고양이") and (counted or any(r in value for r in ("아내", "남편", "딸", "아들", "엄마", "아빠", "부모님"))):
        return Finding(memory_type="PROFILE", slot=one(USER, f"family:{topic.head}"), confidence=0.85)
    if scene.who == USER and re.search(r"(?:아빠|엄마|아버지|어머니|부모|할머니|할아버지|이모|삼촌|집사|반려인)$", value) and scene.subject.said and not negated and " " in value:
        return Finding(memory_type="PROFILE", slot=many(USER, "trait", value))
    return None


def event_date(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "결혼식은 4월 10일이야", "내일 면접이야", "마감은 금요일까지야"."""
    value = _value(scene)
    head = thing.thing.split()[-1] if thing else ""
    head = head[:-1] if head[-1:] in ("일", "날") and head[:-1] in EVENTS else head
    if head in EVENTS and scene.dated and not negated:
        slot = one(_owner(scene, thing), f"event:{head}") if head in UNIQUE_EVENTS else None
        kind = "TASK" if re.search("마감|제출|납기|데드라인", head) else "EVENT"
        return Finding(memory_type=kind, slot=slot, course="task" if kind == "TASK" else "event", confidence=0.85)
    last = value.split()[-1] if value else ""
    if not negated and scene.dated and (last in EVENTS or re.search(r"(?:예정|계획|생일|기념일|돌|환갑|칠순|마감|출국|귀국|개강|결혼|출발|제출)$", value)):
        if not scene.past_dated and last not in UNIQUE_EVENTS and "생일" not in value:
            return None
        return Finding(memory_type="EVENT", course="event")
    if scene.dated and not negated and any(w.bound == "until" for w in scene.whens):
        return Finding(memory_type="TASK", course="task")
    if "plan" in scene.frame.moods and (scene.dated or scene.frame.stem != "이"):
        return Finding(memory_type="EVENT", course="event") if scene.dated else None
    return None


def alias(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    value = _value(scene)
    if not thing or negated:
        return None
    last = value.split()[-1] if value else ""
    if thing.owner == USER and re.fullmatch(r"방|자리|침대|공간|책상|서재|작업실|아지트|공부방|사무실", thing.thing) and (last in ROOMS or last.endswith(("방", "층", "실", "쪽"))):
        return Finding(memory_type="ALIAS", slot=one(USER, f"alias:내 {thing.thing}"), confidence=0.9)
    if thing.owner in RELATIONS and thing.thing == "방" and last in ROOMS:
        return Finding(memory_type="ALIAS", slot=one(thing.owner, "alias:방"), confidence=0.9)
    return None


def attribute(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "내 이름은", "딸 이름은", "우리 회사는", any "내 X는 Y야"."""
    if thing is None:
        return None
    name = re.sub(r"\s", "", thing.thing)
    owner = _owner(scene, thing)
    value = _value(scene)
    known = ATTRIBUTES.get(name) or (ATTRIBUTES.get(thing.thing.split()[-1]) if len(thing.thing.split()) > 1 else None)
    if re.fullmatch(r"(?:제일|가장)?\s?(?:무서운|싫은|편한)\s?(?:것|거|건)", thing.thing):
        return None
    if not value and not scene.whens:
        return None
    if known:
        if known in ("workplace", "employer", "residence", "team", "car") and not (thing.owner or _place(value)) or PEOPLE.search(value) and known in ("dream",):
            return None
        if known in ("employer", "team", "car", "height") and re.search(r"출근|퇴근|휴무|야근|분위기|이름|문화|제도", value):
            return Finding(memory_type="FACT", slot=many(owner, known, value))
        if known == "name":
            value = re.sub(r"(?:이|라고)$", "", value)
        slot = many(owner, known, value, negated=negated) if known in MANY_VALUED else one(owner, known, negated=negated)
        return Finding(memory_type="PROFILE", slot=slot, confidence=0.9)
    mine = thing.owner == USER or thing.owner not in ("", USER) and scene.subject.name == thing.owner
    if thing.owner and (mine or thing.owner in RELATIONS) and name not in NOT_ATTRIBUTES and thing.thing.split()[-1] not in NOT_ATTRIBUTES and not negated:
        if re.search(r"(?:최고|별로|짱|쓰레기|엉망|문제|개판|천사|바보|그대로|마찬가지|전부|다|뿐|때문|거짓말|덕분)$", value):
            return None
        return Finding(memory_type="FACT", slot=one(owner, key_of(thing.thing)), confidence=0.75)
    return None


def key_of(thing: str) -> str:
    return re.sub(r"\s+", " ", thing.lower())


def _place(text: str) -> bool:
    return any(w in PLACES or PLACE_TAIL.search(w) for w in text.split())


def identity(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """What somebody is: "서른두 살", "개발자", "INFP", "채식주의자", "민지"."""
    value, who = _value(scene), scene.who
    if thing is not None and thing.owner == "" and scene.subject.who is None:
        if not (AGE.search(value) and " " not in thing.thing and re.search(r"살|개월", value)):
            return None
        who = thing.thing  # only the living have an age: "보리는 다섯 살이야"
    said = scene.subject.said
    if not value or who == "other":
        return None
    last = value.split()[-1]
    bare = value.replace(" ", "")
    if re.fullmatch(r"(?:스물|서른|마흔|쉰|예순|일흔|여든)(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)?", bare) and said or AGE.search(value) and re.search(r"\d|살|서른|마흔|쉰|스무|스물|열", value):
        return Finding(memory_type="PROFILE", slot=one(who, "age"), confidence=0.9)
    if BORN.search(value) or re.search(r"\d\s?년생", scene.text):
        return Finding(memory_type="PROFILE", slot=one(who, "birthday"), confidence=0.9)
    if MBTI.match(bare):
        return Finding(memory_type="PROFILE", slot=one(who, "mbti"), confidence=0.9)
    if re.search(r"(?:^|\s)키[가는도]", scene.source) and re.match(r"^1[3-9]\d", bare):
        return Finding(memory_type="PROFILE", slot=one(who, "height"), confidence=0.85)
    if BLOOD.match(value):
        return Finding(memory_type="PROFILE", slot=one(who, "blood_type"), confidence=0.9)
    if DIET.search(value):
        return Finding(memory_type="PROFILE", slot=one(who, "diet", negated=negated), confidence=0.9)
    if FAITH.search(value):
        return Finding(memory_type="PROFILE", slot=one(who, "religion", negated=negated), confidence=0.85)
    if re.search(r"(?:출신|사람|토박이|분)$", value) and _place(re.sub(r"\s?분$", "", value).replace("사람", " ").replace("출신", " ").replace("토박이", " ").strip()):
        return Finding(memory_type="PROFILE", slot=one(who, "hometown"), confidence=0.85)
    if re.search(r"(?:한국인|미국인|일본인|중국인|영국인|프랑스인|독일인|캐나다인|호주인|외국인|교포|재미교포|베트남인|[가-힣]{2,}계)$", value):
        return Finding(memory_type="PROFILE", slot=one(who, "nationality", negated=negated), confidence=0.85)
    if last in JOBS or JOB_TAIL.search(last) or re.search(r"학년(?:생)?$|(?:년|개월)\s?차(?:\s?[가-힣]+)?$", value):
        if not said and scene.frame.linked != "because" and not (last in JOBS and scene.frame.ending_tag == "EF"):
            return None
        return Finding(memory_type="PROFILE", slot=one(who, "occupation", negated=negated), confidence=0.9)
    if TRAITS.search(value) and (said or who == USER):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", last, negated=negated), confidence=0.85)
    if CONDITIONS.search(last) and (said or scene.frame.ending_tag == "EF"):
        return Finding(memory_type="PROFILE", slot=many(who, "health", last, negated=negated))
    if re.search(r"팬$|덕후$|마니아$|매니아$|러버$|광$|빠$", value) and not PEOPLE.search(value):
        return Finding(memory_type="PREFERENCE", slot=many(who, "likes", re.sub(r"\s?(?:의 |왕|찐|열혈)*(?:팬|덕후|마니아|매니아|러버|광|빠)$", "", value), negated=negated))
    if UNDER_WAY.search(value):
        return Finding(memory_type="FACT", slot=many(who, "does", re.sub(r"\s?중$", "", value)))
    if re.search(r"(?:전공|부전공|학과|학부)$", value):
        return Finding(memory_type="PROFILE", slot=one(who, "major"))
    if last in PETS | {"믹스견", "코숏", "코리안숏헤어", "수컷", "암컷"} or re.search(r"(?:견|묘|종)$", last) and who not in (USER,):
        return Finding(memory_type="PROFILE", slot=one(who, "kind")) if who != USER else None
    if last in RELATIONS and said and who != USER and re.search(r"(?:내|제|우리|저희)\s", scene.text):
        return Finding(memory_type="PROFILE", slot=one(who, "relation"))
    if re.search(r"(?:^|\s)[초중고대][1-6]$", value):
        return Finding(memory_type="PROFILE", slot=one(who, "occupation"), confidence=0.85)
    introduces = not scene.frame.of("topic", "subject") and re.search(r"(?:입니다|이에요|예요)[.!]?$", scene.text) and re.fullmatch(r"[가-힣]{3}", value.split()[-1])
    if who == USER and not negated and (said or introduces) and _names_person(scene, bool(introduces)):
        return Finding(memory_type="PROFILE", slot=one(USER, "name"), confidence=0.9)
    if said and who == USER and not scene.frame.past and not scene.frame.moods - {"tends"} and _plain_noun(scene, value):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", value, negated=negated), confidence=0.65)
    return None


NO_IDENTITY = re.compile(
    r"(?:상태|생각|입장|편|기분|느낌|차례|거|것|때|사람|중|뿐|듯|정도|지경|노릇|처지|문제|잘못|바보|천재|부자|거지|최고|별로|반대|찬성|동의|오늘|내일|모레|마음|심정|의견|답|말|얘기|뜻|일|팔자|운명|스타일|완료|끝|시작|처음|"
    r"마지막|걱정|고민|멘붕|대만족|만족|실망|후회|감동|행복|불행|혼란|궁금|여기|거기|저기|집|밖|회사|이유|탓|덕분|상황|꿈|친구|노예|호구|멍청이|등신|쓰레기|괜찮|다행|진심|농담|신|왕|외계인|로봇|데|줄|수|누구|뭐|이거|그거)$"
)


def _plain_noun(scene: Scene, value: str) -> bool:
    """Whether "나는 X야" names a lasting kind of person; the noun alone decides, feelings and deixis are none."""
    phrase = what(scene)
    if phrase is None or phrase.role != "bare" or NO_IDENTITY.search(value) or re.search(r"ㅋㅋ|ㅎㅎ|ㅠ", scene.source):
        return False
    return all(t.tag in ("NNG", "NNP", "XSN", "XPN", "SL", "JKG", "SN", "NNB") for t in phrase.tokens) and phrase.nouns[-1].tag in ("NNG", "NNP", "XSN", "SL")


def _names_person(scene: Scene, with_surname: bool = False) -> bool:
    phrase = what(scene)
    nouns = [t for t in phrase.nouns if t.tag != "XSN"] if phrase else []
    return len(nouns) == 1 and is_name(nouns[0], "") and (not with_surname or nouns[0].form[0] in SURNAMES)


def routine(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "월요일은 정기 휴무예요", "매일 7시 기상이야", "회의는 매주 화요일이야"."""
    value = _value(scene)
    if scene.who in ("you", "other") or negated:
        return None
    day = next((p for p in scene.frame.phrases if p.role in ("topic", "every", "at") and re.search("요일|주말|평일|매일|아침|저녁|월수금|화목|주중|격주", p.text)), None)
    if day is not None and re.search(r"(?:휴무|휴일|쉬는 날|재택|재택근무|출근|회의|운동|수업|강습|당직|근무|야근|오프|기상|취침|정모|분리수거|장보는 날|청소하는 날|휴관|쉬는 날|데이|약속|예배|모임|레슨)$", value):
        return Finding(memory_type="HABIT")
    if scene.recurring and re.search(r"(?:기상|취침|출근|퇴근|재택|야근|회의|운동|휴무|수업|근무|커피|샐러드|요일|시)$", value) and not scene.frame.past:
        return Finding(memory_type="HABIT")
    return None


def disliked(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "민트초코는 별로야", "오이는 질색이야", "라면은 신라면이지"."""
    value = _value(scene)
    topic = next((p for p in scene.frame.phrases if p.role in ("topic", "subject", "bare") and not read(p).first_person), None)
    if topic is None or not re.fullmatch(r"별로|질색|극혐|노답|취향|비호감|최고", value.split()[-1] if value else ""):
        return None
    liked = value.endswith(("취향", "최고")) != negated
    name = words(topic, scene.source, "음식")
    if not name or PEOPLE.search(name) or re.search(r"오늘|지금|기분", scene.text) or re.search(r"(?:기분|날씨|컨디션|오늘|분위기|서비스|영화|결과|너|점심|저녁)$", name) or value.endswith("최고") and not scene.subject.said:
        return None
    return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", name, negated=not liked))


RULES: tuple[Rule, ...] = (favourite_thing, alias, household, event_date, routine, attribute, identity, disliked)
__all__ = ["at", "copula", "what"]
