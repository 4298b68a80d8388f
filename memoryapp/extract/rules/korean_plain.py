"""The last Korean rule: what a person plainly says of themselves, their people or their things is kept.

The rules before it know a verb or a noun. This one asks only whose the clause is and whether what it says lasts; it
lets go what is of this moment, of this talk, of nobody, or a feeling that passes.
"""

import re
from collections.abc import Callable

from memoryapp.extract.rules.korean_identity import NO_IDENTITY, value_of
from memoryapp.extract.rules.korean_scene import PEOPLE, VAGUE_GOOD, Scene
from memoryapp.extract.rules.korean_verbs import (
    BAD_HABIT_VERBS,
    CHANGES,
    COMMANDS,
    EVERYDAY,
    LIFE,
    ONGOING,
    OPINION,
    PASSING_FEELINGS,
    TASK_VERBS,
)
from memoryapp.extract.rules.korean_who import read, target, words
from memoryapp.extract.rules.lexicon import ATTRIBUTES, NOT_ATTRIBUTES, PETS, RELATIONS, TRIVIAL
from memoryapp.extract.rules.phrases import Phrase
from memoryapp.extract.rules.slots import USER, Finding, many

#: Of this moment. "지금은" sets now against what was and lasts.
PASSING = re.compile(
    r"오늘|지금(?!은|까지|부터)|방금|아까|이따|잠깐|잠시|금방|(?:^|\s)곧\s|이번(?:엔|에만|\s?주|\s?꺼|\s?거)|아직(?:도)?\s(?:안|못)|벌써|내일|모레|어제|갑자기|(?:^|\s)(?:왜|또|다시|그만|자꾸|막|너무|일단|그냥|이렇게|그렇게|어떻게|저렇게)\s|하필|글쎄|혹시|어차피|더는|더 이상"
)
#: Of this talk: what is pointed at, and what an assistant is asked about.
OF_THE_TALK = re.compile(
    r"(?:^|\s)(?:이거|그거|저거|이건|그건|저건|이게|그게|저게|이걸|그걸|여기|거기|저기|이쪽|그쪽|얘|걔|쟤|너|넌|네가|니가|당신)(?:[가-힣]{0,2})(?=\s|$)|"
    r"답변|(?:^|\s)답[이은을도]?\s|설명|코드|파일|문장|문단|에러|오류|버그|링크|버튼|화면|질문|번역|요약|로그|함수|변수|초안|예시|버전|단계|결과|명령|터미널|쿼리|서버|배포|빌드|스크립트|첨부|복붙|캡처|방법|말투|대화|우리\s?나라|우리 사회"
)
PASSED_ON = frozenset(
    "네 네요 구나 군 군요 구만 더라 더라고 더라고요 더라구요 잖아 잖아요 던데 던데요".split()
)
TELLING = frozenset(
    "어 아 어요 아요 여 여요 에요 예요 야 이야 다 ᆫ다 는다 ᆸ니다 습니다 거든 거든요 는데 ᆫ데 은데 는데요 ᆫ데요 은데요 지 지요 죠 음 ᆷ 고 고요 구 구요 어서 아서 라 이라 라서 이라서 니까 으니까 세요 으세요 셔 셔요 지만".split()
)
FELT = frozenset(
    "힘들 싫 무섭 부담스럽 버겁 귀찮 질색이 불편하 편하 괴롭 어색하 느끼하 거북하 물리 질리 안맞 맞".split()
)
SENSED = frozenset("먹 마시 맡 보 참 견디 입 듣 만지 타 신 삼키 쓰 자".split())
MORE = re.compile(r"(?:^|\s)(?:더|훨씬|제일|가장|무조건|역시|차라리|확실히|진짜|원래|딱|항상)\s")
INSTEAD = re.compile(r"(?:끊|그만두|접|관두|때려치우|해지하|탈퇴하|취소하|팔|안 [가-힣]{1,3})고\s|대신\s")
SMALL = frozenset(
    "부탁 인사 말씀 도움 얘기 이야기 질문 확인 약속 고생 수고 자리 방법 문제 이유 느낌 기대 관심 신경 소리".split()
)
POINTING = frozenset("이 그 저 이런 그런 저런 어느 무슨 어떤 웬".split())
#: "예전에는 차로 다녔는데 지금은 지하철 타고 출근해": now, as against then.
SINCE_THEN = re.compile(
    r"(?:예전|전|옛날|처음|작년)(?:에는|에|엔|까진|까지는)\s.*(?:는데|지만)\s(?:지금은|요즘은|이제는|이젠)\s"
)
WHENEVER = re.compile(
    r"(?:^|[가-힣\s])(?:으면|면|때마다|때면|때는|때|설에|추석에|명절에|여름에|겨울에|봄에|가을에|방학에)\s"
)
ORDERED = (
    COMMANDS
    | TASK_VERBS
    | frozenset("충전하 시작하 가져오 챙기 기다리 두 놓 그만하 계속하 비교하 나열하 만들 쓰".split())
)
MOSTLY = re.compile(
    r"위주로|직접\s|손수\s|주로|(?:^|\s)꼭\s|대체로|[가-힣]만\s(?:먹|입|쓰|써|마|신|타|봐|보|들|읽)"
)
AVOIDED = frozenset("가 사 보 쓰 먹 마시 입 타 믿 듣 읽 신 하 즐기 기르 키우 피우 바르 넣 시키".split())
HELD = re.compile(
    r"(?:버릇|습관|흉터|경력|면허증?|자격증|빚|대출|적금|지병|트라우마|징크스|철칙|원칙|로망|콤플렉스|후유증|문신|점|세입자|월세|연금|특기|재주)$"
)
STYLE = re.compile(r"(?:스타일|타입|체질|성향|주의|입맛)$")
AT_THIS_MOMENT = re.compile(
    r"^(?:회의|통화|운전|수업|샤워|식사|출근|퇴근|대기|이동|외출|충전|로딩|작업|점검|수리|방송|촬영|정리|청소|설거지|휴식|낮잠|산책|쇼핑|고민|생각|검색|확인|다운로드|설치)하$"
)
STAYED = re.compile(r"(?:박히|꽂히|달리|붙|걸리|쌓이|심|들|묶이|끼이|끼)$")
NOT_A_TRAIT = frozenset(
    "시간 여유 고민 일 할일 스트레스 자신 기분 숙제 과제 기억 업무 짐 컨디션 몸 머리 속 배 상태 생각 의견 말 입장".split()
)
#: Nobody's own though a clause may begin with it.
WORLD = re.compile(
    r"(?:날씨|물가|금리|뉴스|경기|정부|나라|세상|사람들?|요즘 (?:애|사람)|다들|비|눈|바람|기온|주가|환율|가격|영화|드라마|배우|노래|가사|연기|식당|카페|가게|맛집|회사 근처|버스|지하철|길|차 막|주인공|선수|경기)$"
)
#: Who is somebody's by being named; a teacher or a friend may be anybody's.
KIN = (RELATIONS | PETS) - frozenset(
    "선생님 선생 교수 교수님 의사 사장 사장님 친구 선배 후배 동료 상사 고객 거래처 담당자 직원".split()
)


def plain(scene: Scene) -> Finding | None:
    """What was plainly said of somebody and lasts; None when a reason speaks against it."""
    if any(speaks_against(scene) for speaks_against in REASONS):
        return None
    for tells in KINDS:
        found = tells(scene)
        if found is not None:
            return found
    return None


def _not_told(scene: Scene) -> bool:
    """Asked, ordered, proposed, wished, passed on, or said of who is spoken to."""
    frame = scene.frame
    mine = scene.who == USER
    put_to = frame.asks or frame.proposes or frame.hearsay or mine and (frame.orders or "give" in frame.moods)
    wished = frame.moods & {"want", "wish", "seems", "dont", "agreed"}
    open_ended = frame.ending not in TELLING | PASSED_ON or scene.source.rstrip().endswith(("?", "？"))
    return scene.who in ("you", "other") or put_to or bool(wished) or open_ended


def _of_the_talk(scene: Scene) -> bool:
    pointed = any(t.tag == "MM" and t.form in POINTING for t in scene.frame.tokens)
    return pointed or bool(OF_THE_TALK.search(scene.text))


def _passing(scene: Scene) -> bool:
    return bool(PASSING.search(scene.text)) and not scene.recurring


REASONS: tuple[Callable[[Scene], bool], ...] = (_not_told, _of_the_talk, _passing)


def _own(scene: Scene) -> bool:
    """Whether the clause names the user, somebody of theirs, or something of theirs ("우리 집은")."""
    if scene.subject.said and (scene.who == USER or scene.who in KIN):
        return True
    first = next((read(p) for p in scene.frame.phrases if p.role != "object"), None)
    with_them = first is not None and first.phrase.role in ("with", "dative") and first.owner in KIN
    kept = first is not None and any(t.form in ("키우", "기르") for t in first.phrase.before)
    return first is not None and (kept or first.owner == USER or first.first_person or with_them)


def _others(scene: Scene) -> bool:
    """Whether somebody acts here who is nobody of theirs: "교실에서 선생님이 수학을 가르쳐요"."""
    return not _own(scene) and scene.frame.of("subject") is not None


def _generic(scene: Scene) -> str:
    """What kind of thing is liked or not; "" for one that is pointed at, a person, or a mood."""
    thing = target(scene.frame, scene.subject)
    name = words(thing, scene.source, "것") if thing else ""
    vague = not name or PEOPLE.search(name) or VAGUE_GOOD.search(name) or WORLD.search(name)
    return "" if vague or name in TRIVIAL else name


def _felt(scene: Scene) -> Finding | None:
    """ "책은 종이책이 좋더라", "향신료 강한 음식은 좀 힘들어", "산보다는 바다파지"."""
    frame, name = scene.frame, _generic(scene)
    topic = frame.of("topic")
    if (
        frame.past
        or not name
        or scene.dated
        or scene.who != USER
        or "would" in frame.moods
        and not frame.denied
    ):
        return None
    sides = frame.stem == "파" or frame.of("than") is not None and frame.stem in ("이", "")
    if sides and not frame.of("object") and not scene.denied:
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", name), confidence=0.6)
    compares = topic is not None and frame.of("subject") is not None or frame.of("than") is not None
    deed = name.endswith("것") and bool(MORE.search(f" {scene.text}") or topic is not None)
    chosen = frame.of("subject")
    if compares and chosen is not None:
        name = words(chosen, scene.source, "것") or name
    if frame.stem in ("좋", "낫", "편하", "싫") and (compares or deed or _own(scene)):
        bad = (frame.stem == "싫") != scene.denied
        return Finding(
            memory_type="PREFERENCE", slot=many(scene.who, "likes", name, negated=bad), confidence=0.6
        )
    if (
        frame.stem in FELT
        and frame.ending not in PASSED_ON
        and topic is not None
        and "would" not in frame.moods
    ):
        bad = (frame.stem not in ("편하", "맞")) != scene.denied
        return Finding(
            memory_type="PREFERENCE", slot=many(scene.who, "likes", name, negated=bad), confidence=0.6
        )
    return None


def _refused(scene: Scene) -> Finding | None:
    """ "고수는 진짜 냄새도 못 맡겠어", "뷔페는 안 가": what is not taken, and stays away."""
    frame, topic = scene.frame, scene.frame.of("topic")
    if frame.past or scene.dated or scene.who != USER:
        return None
    named = topic is not None and not read(topic).first_person
    thing = words(topic, scene.source) if topic is not None and named else _generic(scene)
    if not thing or not _generic(scene) or VAGUE_GOOD.search(thing):
        return None
    own = _own(scene)
    if frame.denied == "못" and (
        frame.stem in SENSED and (named or own) or frame.stem.endswith("하") and own
    ):
        return Finding(
            memory_type="PREFERENCE", slot=many(scene.who, "likes", thing, negated=True), confidence=0.6
        )
    kept_from = named and frame.stem in AVOIDED and not WORLD.search(thing) and thing not in TRIVIAL | SMALL
    if frame.denied != "안" or not kept_from or topic is None or read(topic).owner:
        return None
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", thing, negated=True), confidence=0.6)


def _manner(scene: Scene) -> Finding | None:
    """ "유튜브는 1.5배속으로 봐요", "옷은 인터넷에서 사": a thing, and how it is always done."""
    frame, topic = scene.frame, scene.frame.of("topic")
    how = frame.of("to", "in", "with", "only")
    if topic is None or how is None or frame.stem not in AVOIDED or frame.past or frame.moods - {"tends"}:
        return None
    thing = words(topic, scene.source)
    if not thing or read(topic).owner or WORLD.search(thing) or thing in TRIVIAL | SMALL or scene.dated:
        return None
    if frame.ending in PASSED_ON or not words(how, scene.source):
        return None
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", f"{thing} {how.text}"), confidence=0.6)


def _counts(scene: Scene) -> Finding | None:
    """ "난 연차가 15개야": what somebody has, told by how much of it."""
    frame = scene.frame
    inner = frame.of("subject")
    inner = None if inner is None or inner is scene.frame.phrases[0] else inner
    far = re.search(r"까지|에서", scene.source)
    number = (
        re.search(
            r"(?:\d|[한두세네]|다섯|여섯|일곱|여덟|아홉|열|백|천|만)[\s가-힣%]{0,8}$", frame.phrases[-1].text
        )
        if frame.phrases
        else None
    )
    if frame.stem != "이" or number is None or not _own(scene) or scene.dated:
        return None
    if inner is None:
        return Finding(memory_type="FACT", confidence=0.6) if far or frame.of("than") is not None else None
    return Finding(memory_type="FACT", slot=many(scene.who, "has", inner.text), confidence=0.6)


def _called(scene: Scene) -> Finding | None:
    """ "저는 세례명이 안나예요", "난 취미가 낚시야": what of somebody is what."""
    frame = scene.frame
    inner = frame.of("subject")
    if (
        frame.stem != "이"
        or inner is None
        or not scene.subject.said
        or frame.past
        or scene.dated
        or scene.denied
    ):
        return None
    value = value_of(scene)
    named = inner.head not in NOT_ATTRIBUTES | SMALL | NOT_A_TRAIT
    if not named or not value or NO_IDENTITY.search(value) or inner is scene.frame.phrases[0]:
        return None
    return Finding(memory_type="FACT", slot=many(scene.who, "has", inner.text), confidence=0.6)


def _holds(scene: Scene) -> Finding | None:
    """ "손톱 물어뜯는 버릇이 있어요", "드라마는 몰아서 보는 스타일이야", "딸내미가 교정 중이야"."""
    frame = scene.frame
    if frame.past or scene.dated or frame.ending in PASSED_ON:
        return None
    thing = target(frame, scene.subject)
    if frame.stem in ("있", "없") and thing is not None and HELD.search(thing.head):
        named = words(thing, scene.source)
        return Finding(
            memory_type="PROFILE",
            slot=many(scene.who, "has", named, negated=frame.stem == "없"),
            confidence=0.6,
        )
    last = frame.phrases[-1] if frame.phrases else None
    if (
        frame.stem == "이"
        and last is not None
        and last.before
        and STYLE.search(last.head)
        and not _others(scene)
    ):
        return Finding(memory_type="PREFERENCE", confidence=0.6)
    under_way = {"noun", "going"} <= frame.moods and not AT_THIS_MOMENT.search(frame.stem)
    return (
        Finding(memory_type="FACT", confidence=0.6)
        if under_way and (_own(scene) or "지금은" in scene.text) and frame.stem not in EVERYDAY
        else None
    )


def _is_like(scene: Scene) -> Finding | None:
    """How somebody or something of theirs is: "우리 동네는 조용해요", "와이프가 미용실 해서 주말에 바빠요"."""
    frame = scene.frame
    if (
        frame.stem_tag != "VA"
        or frame.past
        or frame.moods
        or not (_own(scene) or frame.stem in ("잦", "드물"))
        or scene.dated
    ):
        return None
    if frame.stem in ("잦", "드물"):
        return Finding(memory_type="HABIT", confidence=0.6)
    feeling = frame.stem in PASSING_FEELINGS and not _natured(scene)
    if (
        feeling
        and not scene.recurring
        or frame.ending in PASSED_ON
        or re.search("ㅋㅋ|ㅠ|요즘", scene.source)
    ):
        return None
    return Finding(memory_type="HABIT" if scene.recurring else "FACT", confidence=0.6)


def _natured(scene: Scene) -> bool:
    """ "저는 손이 커요", "우리 강아지가 슬개골이 안 좋아": how a part of somebody is, which does not pass."""
    parts = [p for p in scene.frame.phrases if p.role in ("topic", "subject")]
    inner = parts[-1].head if len(parts) > 1 else ""
    if (
        scene.who != USER
        and scene.frame.stem in ("많", "적", "크", "작", "어리")
        and scene.frame.of("than") is not None
    ):
        return True  # "아내가 저보다 다섯 살 많아요"
    bad = scene.frame.stem in ("좋", "아프", "약하", "나쁘") and scene.who != USER
    size = scene.frame.stem in ("많", "적", "크", "작", "빠르", "세")
    return bool(inner) and (bad or size) and inner not in TRIVIAL | SMALL | NOT_A_TRAIT


def _does(scene: Scene) -> Finding | None:
    """What is done as a rule: "텃밭을 가꿔요", "우쿨렐레 쳐", "지금은 동네 책방 해요"."""
    frame = scene.frame
    verb = frame.stem_tag == "VV" or frame.stem.endswith("하") and frame.stem_tag == "VA"
    usual = "give" in frame.moods or (
        scene.recurring
        or MOSTLY.search(scene.text)
        or SINCE_THEN.search(scene.source)
        or _own(scene)
        and bool(WHENEVER.search(f"{scene.text} "))
    )
    if (
        not verb
        or frame.past
        or frame.moods - {"going", "cannot", "not", "tends", "can", "give"}
        or scene.dated
    ):
        return None
    if frame.stem in OPINION | BAD_HABIT_VERBS and not (usual and (_own(scene) or scene.recurring)):
        return None
    instead = not frame.linked and INSTEAD.search(scene.source) is not None
    own = _own(scene) or usual or "지금은" in scene.text or instead
    if frame.stem in PASSING_FEELINGS:
        return None
    momentary = frame.stem in EVERYDAY or frame.stem in COMMANDS or "going" in frame.moods
    if (
        frame.ending in PASSED_ON
        or momentary
        and not (usual or instead or _stays(scene))
        or not own
        and frame.linked
    ):
        return None
    ordered = frame.ending in ("어", "아") and frame.stem in ORDERED and not instead  # "로봇청소기 충전해"
    if _others(scene) or ordered and not _own(scene):
        return None
    thing = target(frame, scene.subject)
    solid = _solid(scene, thing) or len(frame.stem) > 2 and frame.stem.endswith("하")
    if not solid or not own and not _taken(scene, thing):
        return None
    slot = many(
        scene.who, "does", words(thing, scene.source) if thing else frame.stem[:-1], negated=scene.denied
    )
    return Finding(memory_type="HABIT" if scene.recurring else "FACT", slot=slot, confidence=0.55)


def _taken(scene: Scene, thing: Phrase | None) -> bool:
    """Whether something is named that is used, made or kept: "노트북은 엘지 그램 써요", and not only a topic."""
    if thing is None or thing.role in ("object", "bare"):
        return thing is not None or INSTEAD.search(scene.source) is not None
    if MOSTLY.search(scene.text):
        return True
    used = scene.frame.of("bare", "object", "only") is not None
    return thing.role == "topic" and scene.frame.stem in ONGOING and used


def _stays(scene: Scene) -> bool:
    """ "무릎에 철심 박혀 있어요", "월세 60 내고 있어": under way, and not for this moment only."""
    thing = target(scene.frame, scene.subject)
    paid = thing is not None and any(t.form in ATTRIBUTES for t in thing.tokens)
    return "going" in scene.frame.moods and (bool(STAYED.search(scene.frame.stem)) and _own(scene) or paid)


def _changed(scene: Scene) -> Finding | None:
    """What was done once and is so since: "인스타 계정 삭제했어", "정규직 전환됐어", "해병대로 갔다 왔어"."""
    frame = scene.frame
    if not frame.past or frame.moods - {"became"} or scene.denied or frame.ending in PASSED_ON:
        return None
    long_ago = re.search(
        r"작년|재작년|예전|옛날|어릴 때|어렸을 때|(?:대학|학교|학생|군대|신입|젊을|어린|유학|학원)\S*\s?때|시절|군대에서|년 전|달 전|지난달|한때|전에(?:는)?\s|[12]\d{3}년|올해|학창",
        scene.text,
    )
    served = re.search(r"(?:군대|해병대|육군|공군|해군|카투사|유학|어학연수|교환학생|워홀|이민)", scene.text)
    went = served and frame.stem in ("오", "가", "다녀오", "갔다오", "나오", "하")
    changed = frame.stem in CHANGES | LIFE or frame.stem.endswith("되") and frame.stem[:-1] + "하" in CHANGES
    thing = target(frame, scene.subject)
    untold = thing is not None and thing.head in ATTRIBUTES and frame.of("to") is None
    if _others(scene) and not changed or untold and frame.stem in ("바꾸", "바뀌"):
        return None  # "전화번호 바꿨어요": to what comes behind it
    weighed = frame.stem in ("빼", "찌") and re.search(r"킬로|kg", scene.text)
    moved = (
        frame.of("to") is not None
        and frame.stem in ("넘어오", "넘어가", "갈아타", "올라가", "돌아오")
        and (_own(scene) or "다가" in scene.text or INSTEAD.search(scene.source))
    )
    brought_up = frame.stem in ("크", "자라") and frame.of("at", "in") is not None
    if weighed or moved or brought_up:
        return Finding(memory_type="FACT", course="event", confidence=0.6)
    done = (
        long_ago
        and not frame.linked
        and (_own(scene) or not scene.subject.said)
        and frame.stem not in OPINION - {"하"}
    )
    solid = _solid(scene, thing) or len(frame.stem) > 2 and frame.stem.endswith("하")
    if done and solid and not _others(scene):
        return Finding(memory_type="EVENT" if scene.dated else "FACT", course="event", confidence=0.6)
    if not went and not (changed and _solid(scene, thing, also_person=True)):
        return None
    return Finding(memory_type="EVENT", course="event", confidence=0.6)


def _solid(scene: Scene, thing: Phrase | None, *, also_person: bool = False) -> bool:
    """Whether something definite enough to be remembered is named."""
    if thing is None:
        return scene.frame.of("in", "to", "at", "with") is not None and _own(scene)
    if read(thing).owner == USER and read(thing).thing:
        return True
    name = words(thing, scene.source)
    person = bool(PEOPLE.search(name)) and not also_person
    return (
        bool(re.search("[가-힣A-Za-z0-9]", name))
        and name not in SMALL
        and not (name in TRIVIAL and not (scene.subject.said and thing.role == "object"))
        and not person
        and not WORLD.search(name)
    )


KINDS: tuple[Callable[[Scene], Finding | None], ...] = (
    _refused,
    _felt,
    _manner,
    _counts,
    _called,
    _holds,
    _is_like,
    _does,
    _changed,
)
