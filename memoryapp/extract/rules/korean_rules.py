"""What a Korean clause tells about a person: one function per kind of predicate, the first that answers counts."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from memoryapp.dates import When
from memoryapp.extract.rules.clauses import Frame
from memoryapp.extract.rules.korean_who import Subject, read, target, words
from memoryapp.extract.rules.lexicon import (
    CHILDREN,
    CLUBS,
    CONDITIONS,
    EVENTS,
    JOB_TAIL,
    JOBS,
    PETS,
    PLACE_TAIL,
    PLACES,
    RECURRING,
    RELATIONS,
    SCHOOLS,
    TRIVIAL,
    UNIQUE_EVENTS,
)
from memoryapp.extract.rules.slots import USER, Finding, many, one, preferred

EATING = {"먹": "eats", "드시": "eats", "잡수": "eats", "마시": "drinks", "피우": "smokes", "피": "smokes"}
LIKING = {"좋아하": False, "싫어하": True, "즐기": False, "선호하": False, "사랑하": False, "혐오하": True, "질색하": True, "꺼리": True, "힘들어하": True, "무서워하": True, "부담스러워하": True, "꺼려하": True, "귀찮아하": True, "아끼": False}
PEOPLE = re.compile(r"(?:사람|남자|여자|짝남|짝녀|그녀|애인|전남친|전여친|구남친|구여친|오빠|언니|선배|후배|친구|남친|여친|아이돌 오빠|분)$")
VAGUE_GOOD = re.compile(r"(?:느낌|기분|날씨|분위기|성격|사이|몸|머리|결과|반응|성능|품질|평|운|하루|컨디션|목소리|하늘|마음|말|생각|이유|기억|소식|곳|날|데)$")
LIFE = frozenset(
    "이사하 이사오 이사가 이직하 결혼하 약혼하 이혼하 재혼하 입사하 퇴사하 취업하 취직하 졸업하 입학하 편입하 합격하 승진하 임신하 출산하 개업하 창업하 은퇴하 퇴직하 전역하 입대하 "
    "수술하 입원하 퇴원하 유학하 이민하 입양하 개명하 파혼하 복학하 휴학하 자퇴하 복직하 휴직하 독립하 귀국하 계약하 등록하 완주하 우승하 수료하 전학하 전입하 분가하 폐업하 개종하 데뷔하 출간하 합류하 그만두 그만뒀 관두".split()
)
DATED = frozenset(
    "다녀오 갔다오 가 오 만나 사 팔 시작하 끝나 끝내 받 보 바꾸 바뀌 고치 참가하 참석하 참여하 제출하 발표하 만들 열 옮기 빌리 잃어버리 다치 넘어지 예약하 떠나 출발하 도착하 여행하 방문하 "
    "신청하 구하 얻 뽑 심 배우 따 치르 맡 마치 완성하 설치하 교체하 수리하 주문하 이기 지 도착하 청혼하 고백하 프러포즈하 촬영하 녹음하 출시하 오픈하 달리 뛰 등산하 캠핑하 출장 면접 초대하 사인하 서명하 결제하 인수하 수령하 면담하 상담하 체결하 송금하 이체하 합의하 부딪치 다녀가 감상하 관람하 구경하 "
    "부러지 데려오 생기 태어나 돌아가시 들어가 나오 나가 헤어지 사귀 걸리 진단받 접 열리 맞추".split()
)
ONGOING = frozenset(
    "배우 준비하 공부하 다니 개발하 연구하 만들 쓰 키우 연습하 치료하 복용하 운영하 가르치 맡 구하 찾 알아보 받 하 먹 다이어트하 짓 기르 저축하 모으 투자하 번역하 집필하 담당하 관리하 "
    "사용하 이용하 듣 읽 배송하 살 일하 근무하 기획하 진행하 맡기 의뢰하 유학하 임신하 출장하 여행하 휴가 파견하 연애하 구직하 자취하 인턴하 유학 재직하 휴직하 육아하 간병하 간호하 돌보 봉사하 활동하 운동하 훈련하 재활하 과외하 녹화하 판매하 팔 제작하 타 끊 참 줄이 사귀 만나 앓 거주하 자취하 사업하 전공하 등록하 구독하 보".split()
)
TASK_VERBS = frozenset(
    "제출하 내 신고하 예약하 갱신하 준비하 구하 뽑 알아보 보내 결제하 전화하 연락하 작성하 완성하 마감하 마무리하 등록하 신청하 수리하 고치 교체하 납부하 반납하 돌려주 사 찾 가 만들 쓰 끝내 "
    "발표하 정리하 바꾸 받 맡기 챙기 주문하 확인하 검토하 배포하 올리 전달하 보고하 이사하 방문하 데리 데려가 데리러가 찾아가 옮기 취소하 연장하 갚 참석하 출근하 복용하 먹 치우 팔 보 만나 출장가 하 배우 외우 따 줄이 찍 꺼내 싸".split()
)
BAD_HABIT_VERBS = frozenset("생각나 보이 울 나오 들 느끼 그립 졸리 있 없 되 같 모르 알 궁금하 생각하 걱정하 미안하 감사하 고맙 죽 미치 힘들 피곤하 아프 바라 사랑하 보고싶 싸우 기다리 연락하 웃 짜증나 화나 하 틀리 물어보 말하".split())
EVERYDAY = frozenset("먹 마시 자 듣 읽 쉬 울 웃 말하 얘기하 이야기하 생각하 놀 싸우 기다리 일어나 씻 샤워하 늦 까먹 잊 알 모르 궁금하 하 되 있 없 시키 켜 끄 틀 말 그러 어떻 물어보 걸 찾 확인하 게임하 야근하 출근하 퇴근하 지각하 산책하 청소하 빨래하 요리하 설거지하 통화하 전화하 공부하 운동하 드시 이러 나 들 자고 졸 보내 살 힘들".split())
MBTI = re.compile(r"^[EI][NS][TF][JP](?:-[AT])?$", re.IGNORECASE)
FREQUENT = re.compile(r"(?:주|월|일|하루|연|한 주|일주일|한 달|한달|이틀|사흘|보름|1년|일 년)(?:에|엔)?\s?(?:\d+|한|두|세|네|다섯|여섯|일곱|열)\s?(?:번|회|일|시간|잔|알|개|정|권|km|킬로|분|끼)|마다|(?<![가-힣])매(?:일|주|달|월|년|번|학기|분기|해)(?=\s|$|마다|에)|날엔|날이면|평일|주말(?:에는|엔|이면|마다|에만)|(?:ㄹ|을|할|갈|볼|쓸|잘|올|일할|먹을|만들|마실|살|탈) 때(?:는|마다|면|엔|에는)|[가-힣]+ 때(?:는|엔|마다)\s|(?<!이번 )주말에|요일(?:에는|엔|은|이면|에만)|(?:출근|퇴근|점심|저녁|식사|운동|자기|취침|아침)\s?(?:길에|전에|후에|하고 나서)|(?:아침|저녁|새벽|밤|점심)(?:에는|엔|이면|은)|시쯤|휴일(?:에는|엔)|(?:전|후|이후|지나서)(?:에는|엔|에만|에)\s(?:꼭|무조건|항상|반드시|절대|안|못|주로|보통)|시 (?:전|이후)(?:에는|엔)|월수금|화목|주중(?:에는|엔)")
USUALLY = re.compile(r"(?:^|\s)(?:" + "|".join(sorted(RECURRING)) + r")(?:에|로|으로|엔|에는|은|는)?\s")
BY_DAY = re.compile(r"[월화수목금토일]요일")


@dataclass(slots=True)
class Scene:
    """One clause being judged: its frame, who it is about, the dates in it, what the sentence says around it."""

    frame: Frame
    subject: Subject
    whens: list[When]
    source: str  # the sentence
    today: date

    @property
    def who(self) -> str:
        return self.subject.name

    @property
    def text(self) -> str:
        return self.frame.text

    @property
    def dated(self) -> bool:
        return bool(self.whens)

    @property
    def past_dated(self) -> bool:
        """A date that is worth keeping: not "오늘" or "방금"."""
        vague = re.search(r"얼마 전|최근에|며칠 전|요전에|지난번에|엊그제", self.text)
        return bool(vague) or any(not re.match("오늘|금일|이번 주$", self.source[w.begin : w.stop]) for w in self.whens)

    @property
    def denied(self) -> bool:
        return bool(self.frame.denied)

    @property
    def ended(self) -> bool:
        """ "이제 안", "더 이상": what was so is no longer."""
        return self.denied and bool(re.search(r"이제|더\s?이상|더는|앞으로는|이젠|요즘은|요새는|인제", self.text))

    @property
    def recurring(self) -> bool:
        adverb = any(a in RECURRING for a in self.frame.adverbs) or bool(USUALLY.search(self.frame.context))
        weekday = BY_DAY.search(self.text) and not self.dated and not self.frame.past
        return adverb or bool(FREQUENT.search(self.frame.context)) or bool(weekday)

    @property
    def conditional(self) -> bool:
        """Holds only under a condition, so it cannot deny the general fact: "두 시 넘으면 안 마셔"."""
        return bool(re.search(r"(?:면|때는?|이후|전에|까지|오전|오후|저녁|밤|아침|새벽|에는|엔|에만|때문에 지금)\s", self.text))


Rule = Callable[[Scene], Finding | None]


def judge(scene: Scene) -> Finding | None:
    """The finding of the first rule that knows the clause, or None: nothing to keep."""
    for rule in RULES:
        found = rule(scene)
        if found is not None:
            return found
    return None


def _place(text: str) -> bool:
    last = text.split()[-1] if text.split() else ""
    return last in PLACES or bool(PLACE_TAIL.search(last)) or any(w in PLACES for w in text.split())


def at(scene: Scene, *roles: str) -> str:
    phrase = scene.frame.of(*roles)
    return words(phrase, scene.source) if phrase else ""


def allergy(scene: Scene) -> Finding | None:
    found = re.search(r"알레르기|알러지", scene.text)
    if not found:
        return None
    if not re.search(r"(?:알레르기|알러지)\S{0,4}\s?(?:\S+\s){0,2}?(?:있|없|심하|심해|심한|심각|생겼|생긴|생겨|나았|앓|겪|사라|야|예요|에요|입니다|임|이야|라|반응)", scene.text):
        return None
    front = scene.source[: scene.source.find(found[0])] if found[0] in scene.source else ""
    lead = re.search(r"([가-힣A-Za-z]+(?:\s?(?:,|이랑|랑|하고|과|와|·|및)\s?[가-힣A-Za-z]+)*)(?:에 대한|에 대해|에는|에|엔|한테|이|가|은|는)?\s*$", front)
    cause = lead[1] if lead else ""
    cause = re.sub(r"^(?:나|저|나는|저는|난|전|제가|내가|심한|약간|혹시|사실)\s*", "", cause)
    if cause in RELATIONS or cause in ("나는", "저는", "나", "저"):
        cause = ""
    gone = scene.denied or scene.frame.stem == "없" or bool(re.search("나았|사라졌|없어졌", scene.text))
    return Finding(memory_type="PROFILE", slot=many(scene.who, "allergy", cause, negated=gone), confidence=0.9)


def existence(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.stem not in ("있", "없", "많", "생기", "심하", "앓", "계시") or "going" in frame.moods and frame.stem == "있":
        return None
    thing = target(scene.frame, scene.subject)
    if thing is None:
        return None
    name, negated = thing.head, frame.stem == "없" or scene.denied
    full = words(thing, scene.source)
    if CONDITIONS.search(name) or CONDITIONS.search(full):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "health", full, negated=negated), confidence=0.85)
    if name in PETS and frame.stem != "심하":
        return Finding(memory_type="PROFILE", slot=many(scene.who, "pet", name, negated=negated))
    if name in CHILDREN and not PEOPLE.search(name) and frame.stem != "심하":
        return Finding(memory_type="PROFILE", slot=many(scene.who, "family", name, negated=negated))
    if name in ("남자친구", "여자친구", "남친", "여친", "애인") and frame.stem in ("있", "없", "생기"):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "partner", negated=negated))
    if name in EVENTS and frame.stem in ("있", "생기", "없"):
        if scene.dated and not negated:
            return Finding(memory_type="EVENT", course="event")
        if scene.recurring:
            return Finding(memory_type="HABIT", slot=many(scene.who, "routine", full, negated=negated))
    if name == "관심" and frame.stem in ("있", "많", "없"):
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", at(scene, "at"), negated=negated))
    if re.search(r"(?:면허|면허증|자격증|자동차|차|집|별장|자전거|오토바이|영주권|시민권|경험|경력|문신|보험|대출|빚|학위|공포증)$", name) and frame.stem in ("있", "없"):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "has", full, negated=negated))
    return None


def liking(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.stem in LIKING and frame.moods <= {"tends", "became", "going"}:
        thing = target(frame, scene.subject)
        value = words(thing, scene.source, "음식") if thing else ""
        topic = frame.of("topic")
        if thing is not None and thing.head in ("거", "것") and topic is not None and topic is not thing and not read(topic).owner:
            value = f"{words(topic, scene.source)} {value}"  # "회의는 오전에 하는 걸 선호해"
        if not value or PEOPLE.search(value) or value in TRIVIAL:
            return None
        negated = LIKING[frame.stem] != scene.denied
        if re.search(r"제일|가장", scene.text) and not negated:
            pass  # "김치찌개를 제일 좋아해" names no category; it is one liking
        slot = preferred(scene.who, value) if frame.stem == "선호하" and not negated else many(scene.who, "likes", value, negated=negated)
        return Finding(memory_type="PREFERENCE", slot=slot, ends=scene.ended, confidence=0.9)
    if re.search(r"즐겨\s?(?:먹|마시|마셔|듣|들|보|봐|읽|하|해|입|찾|가|타)", scene.text) and frame.stem not in LIKING and not frame.past:
        thing = target(frame, scene.subject)
        value = words(thing, scene.source, "음식") if thing else frame.stem[:-1]
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", value, negated=scene.denied)) if value else None
    if frame.stem in ("좋", "싫", "편하", "맞", "낫", "어울리") and not frame.moods - {"tends"} and not frame.past:
        return _good(scene)
    if frame.stem in ("빠지", "꽂히") and frame.past and at(scene, "at"):
        value = at(scene, "at")
        return None if PEOPLE.search(value) or value in RELATIONS else Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", value))
    return None


def _good(scene: Scene) -> Finding | None:
    frame = scene.frame
    thing = frame.of("subject") or target(frame, scene.subject)
    value = words(thing, scene.source, "음식") if thing else ""
    compared = frame.of("than") is not None or scene.recurring or bool(re.search(r"제일|가장|훨씬|더 |보다(?:는|도)?\s", scene.text))
    topic = frame.of("topic")
    over_topic = topic is not None and topic is not thing and not read(topic).first_person and not read(topic).owner and not VAGUE_GOOD.search(topic.text)
    compared = compared or bool(thing and over_topic and not scene.dated and (thing.before or thing.role == "subject"))
    if not value or PEOPLE.search(value) or VAGUE_GOOD.search(value):
        return None
    if not (compared or (scene.subject.said and scene.who != "other" and thing is not (scene.subject.who and scene.subject.who.phrase))):
        return None
    if frame.stem in ("맞", "낫", "어울리") and not re.search(r"제일|가장|더 |보다|잘 ", scene.text):
        return None
    negated = (frame.stem == "싫") != scene.denied
    slot = preferred(scene.who, value) if compared and not negated else many(scene.who, "likes", value, negated=negated)
    return Finding(memory_type="PREFERENCE", slot=slot)


def eating(scene: Scene) -> Finding | None:
    frame = scene.frame
    verb = EATING.get(frame.stem)
    begun = "began" in frame.moods and frame.past
    if verb is None or frame.moods - {"cannot", "not", "can", "agreed", "going", "tends", "began"} or (frame.past and not begun and "agreed" not in frame.moods):
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
    usual = begun or scene.recurring or verb == "smokes" or frame.of("only") or re.search(r"(?:^|\s)(?:잘|즐겨|주로|꼭|많이|달고)\s", scene.text) or frame.moods & {"tends"}
    if scene.denied:
        if scene.conditional and not scene.ended:
            return Finding(memory_type="HABIT", slot=None)
        return Finding(memory_type=kind, slot=many(scene.who, verb, value, negated=True), ends=scene.ended, confidence=0.9)
    if "약" in thing.head or re.search(r"(?:약|영양제|비타민|유산균|인슐린|오메가3|철분제|\wmg)$", value):
        known = usual or "going" in frame.moods or " " in value or len(value) > 2
        return Finding(memory_type="HABIT", slot=many(scene.who, "takes", value)) if known else None
    if usual and not (re.search(r"오늘|지금|방금", scene.text)):
        return Finding(memory_type=kind, slot=many(scene.who, verb, value), confidence=0.8)
    return None


def quitting(scene: Scene) -> Finding | None:
    """ "술은 끊었어", "담배 끊었어요"."""
    frame = scene.frame
    if frame.stem not in ("끊", "줄이") or not (frame.past or "agreed" in frame.moods or "going" in frame.moods):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if not value or value in ("전화", "연락", "말", "인연"):
        return None
    if frame.stem == "줄이":
        return Finding(memory_type="HABIT") if "going" in frame.moods else None
    verb = "smokes" if "담배" in value else "drinks" if re.search(r"술|커피|콜라|맥주|카페인", value) else "eats"
    return Finding(memory_type="HABIT", slot=many(scene.who, verb, value, negated=True), ends=True, confidence=0.9, course="event")


def residence(scene: Scene) -> Finding | None:
    frame = scene.frame
    moving = frame.stem in ("이사하", "이사오", "이사가", "옮기", "이주하", "이민하", "이민가", "이사") or (frame.stem in ("가", "오") and re.search(r"(?:이사|이민)(?:를|을)?\s?(?:가|갔|와|왔|간|온)", scene.text))
    if frame.stem in ("살", "거주하", "자취하", "지내", "사시") and frame.moods <= {"going", "began", "became"}:
        place = at(scene, "in", "at") or _bare_place(scene)
        if frame.stem == "지내" and not _place(place):
            return None
        mate = frame.of("with")
        if frame.past and "began" not in frame.moods:
            return Finding(memory_type="FACT", course="event") if place and _place(place) else None
        if place and (_place(place) or scene.frame.of("in", "at")):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "residence", negated=scene.denied), ends=scene.ended, confidence=0.9)
        if mate or re.search(r"혼자|둘이|같이|함께", scene.text):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "lives_with"), confidence=0.85)
        return None
    if moving and (frame.past or frame.moods & {"agreed", "will", "plan", "must"} or scene.dated):
        place = at(scene, "to", "at") or _bare_place(scene)
        if frame.stem == "옮기" and not _place(place):
            return None
        done = frame.past and "agreed" not in frame.moods
        if done and place and _place(place):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "residence"), confidence=0.9, course="event")
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    return None


def _bare_place(scene: Scene) -> str:
    for phrase in scene.frame.phrases:
        if phrase.role in ("bare", "topic", "object") and _place(phrase.text):
            return phrase.text
    return ""


def work(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.stem in ("일하", "근무하", "재직하", "출근하", "일", "취업하", "취직하", "입사하", "이직하", "합류하", "다니", "발령받", "종사하"):
        where = at(scene, "in", "at") or (at(scene, "to") if frame.stem in ("이직하", "출근하", "발령받", "합류하") else "")
        where = where or (at(scene, "object", "bare", "topic") if frame.stem == "다니" else _bare_place(scene))
        if frame.stem == "다니":
            return _attending(scene, where)
        if frame.stem == "출근하" and frame.past and re.search("첫|처음", scene.text):
            return Finding(memory_type="EVENT", course="event")
        if frame.stem == "출근하" and not scene.recurring and frame.past:
            return None
        joined = frame.stem in ("취업하", "취직하", "입사하", "이직하", "합류하", "발령받")
        if joined and not (frame.past or frame.moods & {"agreed", "will", "plan"} or scene.dated):
            return None
        if frame.past and not joined:
            return Finding(memory_type="FACT", course="event") if where else None
        if frame.moods & {"want", "wish", "can"}:
            return None
        if where or joined:
            name = "workplace" if _place(where) and not re.search(r"(?:회사|은행|병원|학교|전자|센터|카페|팀|본사|스타트업|연구소)$", where) else "employer"
            course = "event" if joined else "state"
            slot = one(scene.who, name, negated=scene.denied) if where else None
            return Finding(memory_type="PROFILE" if slot else "EVENT", slot=slot, ends=scene.ended, confidence=0.9, course=course)
        if at(scene, "to"):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "occupation", negated=scene.denied), ends=scene.ended, confidence=0.9)
        if scene.recurring or (scene.conditional and not scene.dated):
            return Finding(memory_type="HABIT")
        return None
    if frame.stem in ("그만두", "관두", "퇴사하", "퇴직하", "은퇴하", "두") and (frame.past or frame.moods & {"agreed", "will", "plan"}):
        what = at(scene, "object", "in", "topic", "bare")
        done = frame.past and "agreed" not in frame.moods
        if frame.stem == "두" and "그만" not in frame.adverbs:
            return None
        if frame.stem in ("퇴사하", "퇴직하", "은퇴하") or re.search(r"회사|직장|일$|알바|아르바이트", what):
            return Finding(memory_type="EVENT", slot=one(scene.who, "employer", negated=True), ends=done, course="event", confidence=0.85)
        if what:
            return Finding(memory_type="EVENT", slot=many(scene.who, "does", what, negated=True), ends=done, course="event")
        return None
    if frame.stem in ("운영하", "경영하", "차리", "개업하", "창업하", "맡", "담당하", "전공하") or (frame.stem.endswith("하") and "going" in frame.moods and re.search(r"(?:집|가게|카페|식당|사업|학원|일)(?:을|를)\s", scene.text)):
        what = at(scene, "object", "bare", "topic") or frame.stem[:-1]
        if frame.stem in ("맡", "담당하"):
            return Finding(memory_type="PROFILE", slot=many(scene.who, "responsibility", what)) if at(scene, "object", "bare") and not frame.moods & {"want", "give"} else None
        if frame.stem == "전공하":
            return Finding(memory_type="PROFILE", slot=one(scene.who, "major"), confidence=0.9)
        if what and (frame.past or "going" in frame.moods or frame.stem == "운영하"):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "business"), confidence=0.85)
    return None


def _attending(scene: Scene, where: str) -> Finding | None:
    if not where or scene.frame.moods & {"want"}:
        return None
    course = "event" if scene.frame.moods & {"will", "plan", "agreed"} else "state"
    if scene.frame.past and "began" not in scene.frame.moods:
        return Finding(memory_type="FACT", course="event")
    if re.search(r"(?:쓰|입|메|들|차|끼|신|가지|챙기|안|업)고\s?다", scene.text):
        return Finding(memory_type="HABIT")
    if "타고" in scene.text:
        return Finding(memory_type="HABIT", slot=one(scene.who, "commute"))
    if SCHOOLS.search(where):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "school", negated=scene.denied), ends=scene.ended, course=course)
    if CLUBS.search(where):
        return Finding(memory_type="HABIT", slot=many(scene.who, "does", where, negated=scene.denied), ends=scene.ended, course=course)
    if scene.frame.of("to") and not scene.frame.of("at", "object", "bare"):
        return None
    return Finding(memory_type="PROFILE", slot=one(scene.who, "employer", negated=scene.denied), ends=scene.ended, course=course, confidence=0.85)


def placed(scene: Scene) -> Finding | None:
    """ "오빠는 군대에 있어", "아버지는 요양원에 계세요"."""
    frame = scene.frame
    where = at(scene, "at")
    if frame.stem not in ("있", "계시") or frame.moods or frame.past or scene.who in (USER, "you", "other") or not scene.subject.said:
        return None
    if not where or not (_place(where) or re.search(r"(?:군대|해병대|병원|요양원|기숙사|중환자실|유학|감옥|해외|외국|대학|학교)$", where)) or re.search("지금|오늘|방금", scene.text):
        return None
    return Finding(memory_type="FACT", slot=one(scene.who, "residence"), confidence=0.7)


def unmarried(scene: Scene) -> Finding | None:
    """ "저 결혼 안 했어요", "아직 운전면허 안 땄어"."""
    frame = scene.frame
    if not scene.denied or not frame.past or frame.stem not in ("결혼하", "이혼하", "취업하", "취직하", "입대하", "졸업하", "가", "따") or scene.who in ("you", "other"):
        return None
    if frame.stem == "가" and "군대" not in scene.text or frame.stem == "따" and not re.search("면허|자격증", scene.text):
        return None
    return Finding(memory_type="PROFILE", slot=one(scene.who, "marital_status", negated=True) if "혼" in frame.stem else None)


def tendency(scene: Scene) -> Finding | None:
    """ "늦게 자는 편이야"."""
    if "tends" not in scene.frame.moods or scene.who in ("you", "other") or scene.frame.past or re.search("오늘|지금|이번", scene.text):
        return None
    inner = scene.frame.of("subject")
    if inner is not None and not read(inner).owner and not scene.subject.said and not BODY.search(inner.head):
        return None
    return Finding(memory_type="HABIT", confidence=0.7)


OPINION = frozenset("생각하 느끼 믿 동의하 반대하 찬성하 이해하 바라 원하 기대하 궁금하 추천하 부탁하 부탁드리 감사하 사과하 약속하 모르 알 말하 얘기하 묻 물 기다리 찾 고르 선택하 확인하 보 듣 대답하 답하 존경하 응원하 축하하 미안하 걱정하 상관하 인정하 포기하 결심하 결정하 주장하 희망하 있 없 같 되 하 가 오 이러 그러 그렇 들 나 웃 울 죽 미치 잊 기억하 기억나 말씀드리 의심하 용서하 보내 끝내 놀라".split())


def own_words(scene: Scene) -> Finding | None:
    """A plain present statement that starts with "나는" / "저는" and says what the person does with something."""
    frame = scene.frame
    who = scene.subject.who
    if who is None or scene.who != USER or who.phrase.role not in ("topic", "bare") or frame.stem_tag != "VV" or frame.past or frame.linked:
        return None
    if frame.stem in OPINION | BAD_HABIT_VERBS or frame.moods - {"going", "cannot", "not", "tends"} or frame.ending not in ("어", "아", "어요", "아요", "ᆸ니다", "습니다", "다", "ᆫ다", "는다", "거든", "거든요"):
        return None
    if re.search(r"(?:^|\s)(?:이|그|저|너|네|니|당신|여기|거기|지금|오늘|방금|이거|그거|이건|그건|이것|그것|뭐|왜|아직|이미|너무|다시|또|좀|자꾸|혹시)(?:를|을|는|은|가|도|랑|한테|만|에)?\s", scene.text) or scene.dated:
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    solid = value and value not in TRIVIAL and not PEOPLE.search(value) or frame.of("in", "to", "than", "only") is not None
    return Finding(memory_type="FACT", confidence=0.6) if solid else None


BODY = re.compile(r"(?:귀|눈|무릎|허리|어깨|목|손목|발목|팔꿈치|다리|위|위장|장|심장|피부|이|치아|잇몸|폐|간|신장|관절|시력|청력|기관지|목 디스크|면역력|호흡기|손가락|발가락|고관절|척추)$")


def body(scene: Scene) -> Finding | None:
    """What is lastingly wrong: "오른쪽 귀가 잘 안 들려요", "무릎이 안 좋아"."""
    frame = scene.frame
    thing = frame.of("subject") or target(frame, scene.subject)
    if thing is None or not BODY.search(thing.head) or frame.moods & {"seems", "want"} or re.search("오늘|지금|방금|어제|아까", scene.text):
        return None
    poor = frame.stem in ("약하", "나쁘", "예민하", "민감하", "불편하", "건조하", "시리", "시큰거리", "나빠지") or scene.denied and frame.stem in ("들리", "보이", "좋", "펴지", "굽히")
    lasting = frame.stem in ("아프", "쑤시", "저리") and (scene.recurring or re.search("요즘|원래|만성|계속|늘|고질", scene.text))
    return Finding(memory_type="PROFILE", slot=many(scene.who, "health", thing.head)) if poor or lasting else None


LEVELS = re.compile(r"(?:비타민\s?[A-Z]?|혈압|혈당|콜레스테롤|철분|간 ?수치|수치|칼슘|헤모글로빈|골밀도|안압|체지방)$", re.IGNORECASE)


def level(scene: Scene) -> Finding | None:
    """ "비타민 D가 부족하대", "혈압이 높아"."""
    thing = scene.frame.of("subject") or target(scene.frame, scene.subject)
    if thing is None or not LEVELS.search(thing.text) or scene.frame.stem not in ("부족하", "높", "낮", "높아지", "올라가", "모자라"):
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "health", thing.text))


def lasting(scene: Scene) -> Finding | None:
    """ "현우랑 만난 지 3년 됐어", "담배 끊은 지 백 일 됐어요"."""
    tokens = scene.frame.tokens
    at = next((i for i, t in enumerate(tokens) if t.form == "지" and t.tag == "NNB" and i and tokens[i - 1].tag == "ETM"), 0)
    if not at or scene.frame.stem not in ("되", "넘", "지나", "이") or not re.search("년|달|개월|주|일|해", scene.text):
        return None
    verb = next((t.form for t in reversed(tokens[:at]) if t.tag.split("-")[0] in ("VV", "XSV")), "")
    if verb in ("헤어지", "오래되", "") or re.search(r"이별|연락", scene.text) or scene.who in ("you", "other"):
        return None
    return Finding(memory_type="FACT")


def named(scene: Scene) -> Finding | None:
    """ "김도윤이라고 합니다"."""
    found = re.search(r"(?:^|\s)(?P<name>[가-힣]{2,4}?)(?:이라고|라고)\s(?:합니다|해요|해|불립니다|불려요|불려)[.!]?$", scene.text)
    if not found or scene.frame.of("object") or scene.subject.name not in (USER,):
        return None
    names = [t for t in scene.frame.tokens if t.tag in ("NNP", "NNG")]
    attribute = "name" if re.search("합니다|해", found[0]) else "called"
    return Finding(memory_type="PROFILE", slot=one(USER, attribute), confidence=0.85) if len(names) == 1 and names[0].tag == "NNP" else None


def became(scene: Scene) -> Finding | None:
    """ "7월부터 재택근무를 하게 됐어요", "팀장이 됐어"."""
    frame = scene.frame
    if scene.denied or scene.who in ("you", "other") or frame.moods & {"seems", "want", "wish"}:
        return None
    role = frame.of("complement", "subject", "to")
    if frame.stem == "되" and frame.past and role is not None and (role.head in JOBS or JOB_TAIL.search(role.head) or role.head in ("아빠", "엄마", "부모", "회원")):
        return Finding(memory_type="EVENT", slot=one(scene.who, "occupation") if role.head in JOBS or JOB_TAIL.search(role.head) else None, course="event")
    if "became" in frame.moods and frame.past and frame.stem_tag == "VV" and (scene.past_dated or frame.stem in LIFE) and frame.stem not in BAD_HABIT_VERBS:
        return Finding(memory_type="FACT", course="state" if any(w.bound == "since" for w in scene.whens) else "event")
    return None


def keeping(scene: Scene) -> Finding | None:
    """Pets: "고양이 두 마리 키워"."""
    frame = scene.frame
    if frame.stem not in ("키우", "기르", "입양하", "데려오", "분양받") or frame.moods & {"want", "wish", "give", "can"}:
        return None
    thing = target(frame, scene.subject) or next((p for p in frame.phrases if any(t.form in PETS for t in p.tokens)), None)
    if thing is None:
        return None
    name = next((t.form for t in thing.tokens if t.form in PETS), thing.head)
    if frame.stem in ("입양하", "데려오", "분양받") and not frame.past:
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "pet", name, negated=scene.denied), ends=scene.ended, confidence=0.9)


def ability(scene: Scene) -> Finding | None:
    frame = scene.frame
    if frame.moods & {"skill", "noskill"} and not frame.asks:
        thing = target(frame, scene.subject)
        value = f"{words(thing, scene.source)} {frame.stem}" if thing else frame.stem
        return Finding(memory_type="FACT", slot=many(scene.who, "skill", value.strip(), negated="noskill" in frame.moods))
    if frame.stem in ("잘하", "못하") or (frame.stem.endswith("하") and re.search(r"(?:^|\s)(?:잘|유창하게)\s", scene.text)):
        thing = target(frame, scene.subject)
        value = words(thing, scene.source) if thing else frame.stem[:-1]
        if value and re.search(r"(?:영어|일본어|중국어|한국어|프랑스어|독일어|스페인어|운전|수영|요리|노래|춤|피아노|기타|바둑|코딩|[가-힣]어)$", value):
            return Finding(memory_type="FACT", slot=many(scene.who, "skill", value, negated=bool(frame.denied) or frame.stem == "못하"))
    if frame.denied == "못" and not frame.past and frame.stem_tag == "VV" and not frame.moods & {"must", "want", "seems", "would"}:
        thing = target(frame, scene.subject)
        value = words(thing, scene.source) if thing else ""
        if value and value.split()[-1] not in TRIVIAL and frame.stem in ("들", "듣", "타", "보", "앉", "운전하", "수영하", "쓰", "신", "입", "뛰", "걷", "달리", "가", "맡", "삼키", "외우", "구분하", "구별하", "읽", "헤엄치", "오르", "펴", "굽히", "움직이", "참", "견디", "맞", "만지", "바르"):
            return Finding(memory_type="FACT", slot=many(scene.who, "cannot", f"{value} {frame.stem}"))
    if frame.stem == "타" and scene.text and re.search(r"(?:추위|더위|멀미|간지럼|낯)(?:를|을|도)?\s", scene.text):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "sensitive_to", re.search("추위|더위|멀미|간지럼|낯", scene.text)[0], negated=scene.denied))  # type: ignore[index]
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


def duty(scene: Scene) -> Finding | None:
    frame = scene.frame
    if "must" not in frame.moods or scene.who not in (USER,):
        return None
    if re.search(r"(?:^|\s)(?:안|못)\s|하지 않", scene.text) and not scene.dated and "약" not in scene.text:
        return None
    if frame.past or frame.moods & {"seems", "would"} or frame.ending in ("나", "ᆯ까", "을까", "지", "지요"):
        return None
    due = any(w.bound == "until" for w in scene.whens) or bool(re.search(r"까지|전에|안에", scene.text))
    today = not scene.past_dated and scene.dated
    if scene.dated and not today or due:
        return Finding(memory_type="TASK", course="task", confidence=0.85)
    thing = target(frame, scene.subject)
    if scene.recurring and frame.stem in TASK_VERBS:
        return Finding(memory_type="HABIT")
    solid = thing is not None and words(thing, scene.source) and thing.head not in TRIVIAL
    if solid and frame.stem in TASK_VERBS - {"하", "먹", "보", "가", "만나", "공부하"} and not today:
        return Finding(memory_type="TASK", course="task", confidence=0.7)
    return None


def agreed(scene: Scene) -> Finding | None:
    """ "재택하기로 했어", "매주 만나기로 합의했어"."""
    frame = scene.frame
    if "agreed" in frame.moods and frame.past or frame.stem in ("약속하", "합의하", "결정하", "정하", "협의하") and frame.past:
        with_others = frame.of("with") is not None or frame.stem in ("합의하", "협의하", "약속하") or "우리" in scene.text
        if "agreed" in frame.moods or scene.frame.of("to", "quote") or with_others:
            return Finding(memory_type="AGREEMENT", course="event", confidence=0.85)
    return None


def plan(scene: Scene) -> Finding | None:
    frame = scene.frame
    if not frame.moods & {"plan", "will", "must"} and not (scene.dated and not frame.past and frame.stem_tag == "VV"):
        return None
    if scene.who not in (USER,) and not scene.subject.said:
        return None
    if frame.denied and "plan" not in frame.moods:
        return None
    future = any(w.start.date() > scene.today or w.bound != "at" for w in scene.whens)
    solid = frame.stem in LIFE or bool(frame.of("object", "to", "at", "in", "with", "bare", "subject")) or frame.stem.endswith("하") and len(frame.stem) > 2
    if frame.moods & {"plan", "will"}:
        open_span = any(w.end.date() > scene.today and w.precision not in ("day", "minute") for w in scene.whens)
        if scene.dated and solid and (future or open_span):
            return Finding(memory_type="EVENT", course="event")
        if "plan" in frame.moods and re.search(r"예정|계획(?:이|입|인|에)|생각이|생각입|작정", scene.text) and frame.stem_tag == "VV" and solid:
            return Finding(memory_type="EVENT", course="event", confidence=0.7)
        if frame.stem in LIFE or ("plan" in frame.moods and frame.stem in LIFE | DATED - {"가", "오", "사", "보"} and frame.of("object", "to", "at")):
            return Finding(memory_type="EVENT", course="event", confidence=0.7)
        return None
    if future and solid and not scene.recurring and scene.past_dated and frame.ending_tag == "EF" and not frame.moods and frame.stem not in BAD_HABIT_VERBS:
        return Finding(memory_type="EVENT", course="event", confidence=0.75)
    return None


def life(scene: Scene) -> Finding | None:
    """What happened: moves, marriages, new jobs at any time, lesser things when the day is named."""
    frame = scene.frame
    if not frame.past or scene.denied or frame.moods & {"want", "seems", "wish", "would", "can", "dont", "must"}:
        return None
    if scene.who not in (USER,) and not scene.subject.said:
        return None
    if scene.who in ("you", "other"):
        return None
    if "once" in frame.moods:
        return None
    stem = frame.stem if frame.stem != "두" or "그만" not in frame.adverbs else "그만두"
    if stem in ("태어나", "돌아가시", "돌아가") and scene.who != USER:
        return Finding(memory_type="EVENT", course="event") if stem != "돌아가" else None
    if stem in LIFE:
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    other_subject = scene.frame.of("subject")
    if other_subject is not None and scene.subject.who is not None and other_subject is scene.subject.who.phrase:
        other_subject = None
    if other_subject is not None and not read(other_subject).owner and stem in ("오", "나오", "생기", "나가", "들어가", "가", "지", "이기"):
        return None
    if scene.past_dated and (stem in DATED or frame.stem_tag == "VV" and stem not in EVERYDAY | BAD_HABIT_VERBS and other_subject is None and frame.moods <= {"began"}):
        thing = target(frame, scene.subject)
        solid = thing is not None or frame.of("at", "in", "to", "with") is not None or scene.subject.said and scene.who != USER
        return Finding(memory_type="EVENT", course="event") if solid else None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if stem in ("사", "뽑", "구하", "계약하", "분양받", "팔", "장만하", "구매하") and re.search(r"(?:집|차|자동차|아파트|오토바이|신혼집|노트북|자전거|가게|땅|첫 차|새 차|피아노|카메라)$", value):
        return Finding(memory_type="EVENT", course="event")
    if stem in ("받", "따", "보", "치르", "하") and re.search(r"(?:수술|진단|자격증|면허|학위|상|검진|시험|처방|판정)$", value):
        return Finding(memory_type="EVENT", course="event")
    if stem in ("받", "낳", "태어나", "생기", "돌아가시", "다녀오", "들어가", "시작하", "진단받", "따", "부러지", "청혼하", "잃") and (value or at(scene, "at", "in", "to")) and not scene.frame.of("subject") or stem in ("태어나", "돌아가시"):
        if stem in ("받", "생기") and not CONDITIONS.search(value):
            return None
        if stem in ("시작하", "들어가", "다녀오") and not (thing and thing.role in ("object", "bare", "topic") or at(scene, "at", "to")):
            return None
        return Finding(memory_type="EVENT", course="event", confidence=0.75)
    return None


def once(scene: Scene) -> Finding | None:
    """ "일본에 가 본 적 있어": experience."""
    frame = scene.frame
    if not frame.moods & {"once", "never"} or scene.who in ("you", "other"):
        return None
    if frame.of("object", "at", "in", "to", "bare") is None and frame.stem not in LIFE:
        return None
    return Finding(memory_type="EVENT", course="event", confidence=0.7)


def going_on(scene: Scene) -> Finding | None:
    frame = scene.frame
    if not frame.moods & {"going", "began"} or frame.past and "began" not in frame.moods or scene.denied or frame.moods & {"want", "seems", "wish"}:
        return None
    if re.search(r"지금 (?:막|한창|잠깐)|방금|이 (?:글|책|노래|영화|문제)|그 (?:사람|애)|뭐|누가", scene.text) or scene.who in ("you", "other"):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if thing is not None and (PEOPLE.search(thing.text) or thing.head in TRIVIAL):
        return None
    if frame.stem in ONGOING and (value or frame.stem.endswith("하") and frame.stem != "하" or frame.of("to", "in")):
        if frame.stem in ("먹", "보", "듣", "읽", "찾", "타", "쓰", "만들", "하") and not (scene.recurring or re.search(r"요즘|요새|최근|계속|꾸준|부터|째|(?:약|영양제)", scene.text) or scene.dated or frame.stem in ("쓰", "타", "만들")):
            return None
        return Finding(memory_type="HABIT" if scene.recurring else "FACT", slot=many(scene.who, "does", value or frame.stem[:-1]) if value or frame.stem.endswith("하") else None)
    return None


def habit(scene: Scene) -> Finding | None:
    frame = scene.frame
    if not scene.recurring or frame.stem_tag != "VV" or frame.stem in BAD_HABIT_VERBS or scene.who in ("you", "other"):
        return None
    if frame.past and "agreed" not in frame.moods or frame.moods & {"want", "wish", "seems", "give", "dont", "would", "must", "plan"}:
        return None
    if scene.dated and not any(w.bound == "since" for w in scene.whens) and not any(a in RECURRING for a in frame.adverbs) and not re.search("마다|매", scene.text):
        return None
    inner = frame.of("subject")
    if inner is not None and not scene.subject.said and not read(inner).owner and not read(inner).first_person:
        return None
    value = frame.stem[:-1] if frame.stem.endswith("하") and len(frame.stem) > 1 else ""
    thing = target(frame, scene.subject)
    value = value or (words(thing, scene.source) if thing else "")
    slot = many(scene.who, "does", value, negated=scene.denied) if value and not scene.conditional else None
    return Finding(memory_type="HABIT", slot=slot, ends=scene.ended)


AVOIDED = re.compile(r"(?:운동|게임|화장|외식|요리|투자|주식|낮잠|SNS|야식|간식|음주|흡연|아침 식사|TV|티비|텔레비전|뉴스|드라마|유튜브|인스타|인스타그램|페이스북|트위터|택시|버스|비행기|지하철|자전거|엘리베이터|안경|렌즈|향수|화장품|배달|에어컨|현금|카드|공포영화|치마|넥타이|하이힐|교회|전화|통화|채소|야근|회식|예능)$", re.IGNORECASE)


def avoiding(scene: Scene) -> Finding | None:
    """ "운동을 하지 않아요", "뉴스는 잘 안 봐", "택시는 안 타"."""
    frame = scene.frame
    if not scene.denied or frame.past or frame.stem_tag != "VV" or scene.who in ("you", "other") or frame.moods - {"not", "tends", "cannot"}:
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if not value and frame.stem.endswith("하"):
        value = frame.stem[:-1]
    if not value or not AVOIDED.search(value) or re.search("오늘|지금|아직|내일|이번", scene.text):
        return None
    general = thing is None or thing.role in ("topic", "object") or scene.ended or re.search(r"(?:잘|거의|전혀|절대|원래|별로)\s", scene.text)
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", value, negated=True), ends=scene.ended) if general else None


REACTION = re.compile(r"(?P<cause>[가-힣A-Za-z]+)(?:을|를|만|이|가)?\s?(?:조금만\s|많이\s)?(?:먹으면|마시면|타면|쓰면|바르면|맡으면|입으면|들어가면|닿으면)\s.*(?:잠을? 못|잠이 안|배가? 아|배탈|속이? (?:안|쓰|더부룩|메슥)|두드러기|설사|머리가? 아|심장이|어지러|가려|멀미|토해|토하|취해|빨개|재채기|콧물|체해|체하|소화가? 안)")


def reaction(scene: Scene) -> Finding | None:
    """ "커피를 마시면 잠을 못 자요": what the body does not take well."""
    found = REACTION.search(scene.text)
    if not found or scene.frame.past or scene.who in ("you", "other"):
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "sensitive_to", found["cause"]))


RESCHEDULED = frozenset("잡 정하 바뀌 미루 미뤄지 연기되 당기 당겨지 옮기 확정되 변경되 변경하 잡히 정해지 예정되 예약되 예약하 연기하 확정하 취소되 취소하 걸리".split())


def scheduled(scene: Scene) -> Finding | None:
    """ "결혼식은 4월 10일로 잡았고", "면접이 목요일로 바뀌었어"."""
    frame = scene.frame
    if frame.stem not in RESCHEDULED or not frame.past or scene.denied or not (scene.dated or frame.stem in ("취소되", "취소하")):
        return None
    thing = next((p for p in frame.phrases if p.role in ("topic", "subject", "object", "bare") and p.nouns and p.head in EVENTS), None)
    if thing is None:
        return None
    slot = one(scene.who, f"event:{thing.head}") if thing.head in UNIQUE_EVENTS else None
    return Finding(memory_type="EVENT", slot=slot, ends=frame.stem.startswith("취소") and slot is not None, course="event")


def trying(scene: Scene) -> Finding | None:
    """ "하루에 물 2리터씩 마시려고 노력해"."""
    if scene.frame.stem not in ("노력하", "애쓰", "신경쓰", "노력") or scene.frame.past or scene.who in ("you", "other"):
        return None
    return Finding(memory_type="HABIT") if re.search(r"(?:려고|도록|려|게)\s(?:많이\s|항상\s|늘\s)?(?:노력|애|신경)", scene.text) else None


def stopped(scene: Scene) -> Finding | None:
    """ "이제 운동 안 해", "더 이상 그 회사 안 다녀"."""
    frame = scene.frame
    if not scene.ended or frame.past or frame.stem_tag != "VV" or scene.who in ("you", "other") or frame.moods & {"want", "seems", "would", "must"}:
        return None
    thing = target(frame, scene.subject)
    value = frame.stem[:-1] if frame.stem.endswith("하") and len(frame.stem) > 1 else words(thing, scene.source) if thing else ""
    if not value or value in TRIVIAL or PEOPLE.search(value):
        return None
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", value, negated=True), ends=True)


def using(scene: Scene) -> Finding | None:
    """ "맥북을 써", "지하철로 출퇴근해"."""
    frame = scene.frame
    if frame.moods - {"going"} or frame.past or scene.denied or scene.who in ("you", "other"):
        return None
    if frame.stem == "걸리" and re.search(r"(?:회사|직장|학교|출근|퇴근|출퇴근|통근|사무실)", scene.text) and re.search(r"분|시간", scene.text):
        return Finding(memory_type="HABIT", slot=one(scene.who, "commute"))
    if frame.stem in ("출퇴근하", "통근하", "통학하"):
        return Finding(memory_type="HABIT", slot=one(scene.who, "commute"))
    if frame.stem in ("쓰", "사용하", "이용하", "끼", "타고다니", "구독하", "팔로우하") and (frame.ending_tag == "EF" or frame.linked):
        thing = target(frame, scene.subject)
        value = words(thing, scene.source) if thing else ""
        if value and value not in TRIVIAL and (scene.subject.said or "going" in frame.moods or re.search(r"요즘|회사에서|집에서|개발|업무|평소", scene.text)) and not re.search(r"(?:돈|신경|글|시간|마음|머리|힘|편지|일기|말)$", value):
            return Finding(memory_type="FACT", slot=many(scene.who, "uses", value))
    topic, thing = frame.of("topic"), frame.of("object")
    if frame.stem in ("쓰", "사용하", "이용하") and topic and thing and not read(topic).owner and words(topic, scene.source) and words(thing, scene.source):
        return Finding(memory_type="FACT", slot=one(scene.who, f"uses:{words(topic, scene.source)}"))
    if frame.stem in ("읽", "보", "듣") and scene.recurring:
        return Finding(memory_type="HABIT")
    return None


RULES: tuple[Rule, ...] = (
    allergy, reaction, scheduled, named, lasting, level, quitting, liking, eating, body, keeping, placed, existence, agreed, unmarried, residence, work, ability, duty, once, plan, life, became, using, going_on, trying, stopped, habit, avoiding, tendency, own_words,
)  # fmt: skip
