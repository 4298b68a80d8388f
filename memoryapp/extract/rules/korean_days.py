"""What happens when in Korean clauses: duties, plans, agreements, events, habits."""

import re

from memoryapp.extract.rules.korean_scene import CLOCK, PEOPLE, Scene, at
from memoryapp.extract.rules.korean_verbs import (
    BAD_HABIT_VERBS,
    COMMANDS,
    DATED,
    EVERYDAY,
    LIFE,
    ONGOING,
    TASK_VERBS,
)
from memoryapp.extract.rules.korean_who import read, target, words
from memoryapp.extract.rules.lexicon import (
    CONDITIONS,
    EVENTS,
    FIRST_PERSON,
    JOB_TAIL,
    JOBS,
    RECURRING,
    TRIVIAL,
    UNIQUE_EVENTS,
)
from memoryapp.extract.rules.slots import USER, Finding, many, one

DIET = re.compile(r"채식주의자|비건|베지테리언|채식")


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
        or scene.frame.stem not in ("되", "넘", "지나", "이")
        or not re.search("년|달|개월|주|일|해", scene.text)
    ):
        return None
    verb = next((t.form for t in reversed(tokens[:at]) if t.tag.split("-")[0] in ("VV", "XSV")), "")
    if (
        verb in ("헤어지", "오래되", "")
        or re.search(r"이별|연락", scene.text)
        or scene.who in ("you", "other")
    ):
        return None
    return Finding(memory_type="FACT")


def became(scene: Scene) -> Finding | None:
    """ "7월부터 재택근무를 하게 됐어요", "팀장이 됐어"."""
    frame = scene.frame
    if scene.denied or scene.who in ("you", "other") or frame.moods & {"seems", "want", "wish"}:
        return None
    role = frame.of("complement", "subject", "to")
    bare = frame.of("bare")
    role = role or (bare if bare and bare.head not in FIRST_PERSON else None)
    head = (
        frame.stem[:-1] if len(frame.stem) > 1 else (role.text if bare is role else role.head) if role else ""
    )
    if frame.stem.endswith("되") and frame.past and head:
        if re.fullmatch(
            r"(?:스물|서른|마흔|쉰|예순|일흔|여든)(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)?|.*(?:살|세)",
            head,
        ):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "age"), confidence=0.85)
        if DIET.search(head):
            return Finding(
                memory_type="PROFILE", slot=one(scene.who, "diet"), course="event", confidence=0.85
            )
        if head in JOBS or JOB_TAIL.search(head):
            return Finding(memory_type="EVENT", slot=one(scene.who, "occupation"), course="event")
        if head in ("아빠", "엄마", "부모", "회원"):
            return Finding(memory_type="EVENT", course="event")
    if (
        "became" in frame.moods
        and frame.past
        and frame.stem_tag == "VV"
        and (scene.past_dated or frame.stem in LIFE)
        and frame.stem not in BAD_HABIT_VERBS
    ):
        return Finding(
            memory_type="FACT", course="state" if any(w.bound == "since" for w in scene.whens) else "event"
        )
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
    if (
        "agreed" in frame.moods
        and frame.past
        or frame.stem in ("약속하", "합의하", "결정하", "정하", "협의하")
        and frame.past
    ):
        with_others = (
            frame.of("with") is not None
            or frame.stem in ("합의하", "협의하", "약속하")
            or "우리" in scene.text
        )
        if "agreed" in frame.moods or scene.frame.of("to", "quote") or with_others:
            return Finding(memory_type="AGREEMENT", course="event", confidence=0.85)
    return None


def plan(scene: Scene) -> Finding | None:
    frame = scene.frame
    if not frame.moods & {"plan", "will", "must"} and not (
        scene.dated and not frame.past and frame.stem_tag == "VV"
    ):
        return None
    if scene.who not in (USER,) and not scene.subject.said:
        return None
    if frame.denied and "plan" not in frame.moods:
        return None
    future = any(w.start.date() > scene.today or w.bound != "at" for w in scene.whens)
    solid = (
        frame.stem in LIFE
        or bool(frame.of("object", "to", "at", "in", "with", "bare", "subject"))
        or frame.stem.endswith("하")
        and len(frame.stem) > 2
    )
    if frame.moods & {"plan", "will"}:
        open_span = any(
            w.end.date() > scene.today and w.precision not in ("day", "minute") for w in scene.whens
        )
        if scene.dated and solid and (future or open_span):
            return Finding(memory_type="EVENT", course="event")
        if (
            "plan" in frame.moods
            and re.search(r"예정|계획(?:이|입|인|에)|생각이|생각입|작정", scene.text)
            and frame.stem_tag == "VV"
            and solid
        ):
            return Finding(memory_type="EVENT", course="event", confidence=0.7)
        if frame.stem in LIFE or (
            "plan" in frame.moods
            and frame.stem in LIFE | DATED - {"가", "오", "사", "보"}
            and frame.of("object", "to", "at")
        ):
            return Finding(memory_type="EVENT", course="event", confidence=0.7)
        return None
    if (
        future
        and solid
        and not scene.recurring
        and scene.past_dated
        and frame.ending_tag == "EF"
        and not frame.moods
        and frame.stem not in BAD_HABIT_VERBS
        and not (frame.stem in COMMANDS and frame.ending in ("어", "아") and not scene.subject.said)
    ):
        return Finding(memory_type="EVENT", course="event", confidence=0.75)
    return None


def life(scene: Scene) -> Finding | None:
    """What happened: moves, marriages, new jobs at any time, lesser things when the day is named."""
    frame = scene.frame
    if (
        not frame.past
        or scene.denied
        or frame.moods & {"want", "seems", "wish", "would", "can", "dont", "must"}
    ):
        return None
    if scene.who not in (USER,) and not scene.subject.said:
        return None
    if scene.who in ("you", "other"):
        return None
    if "once" in frame.moods:
        return None
    stem = frame.stem if frame.stem != "두" or "그만" not in frame.adverbs else "그만두"
    if stem in ("태어나", "돌아가시", "돌아가") and scene.who != USER:
        died = stem != "돌아가" or "돌아가셨" in scene.text or "돌아가신" in scene.text
        return Finding(memory_type="EVENT", course="event") if died else None
    if stem in LIFE:
        return Finding(memory_type="EVENT", course="event", confidence=0.85)
    other_subject = scene.frame.of("subject")
    if (
        other_subject is not None
        and scene.subject.who is not None
        and other_subject is scene.subject.who.phrase
    ):
        other_subject = None
    if (
        other_subject is not None
        and not read(other_subject).owner
        and stem in ("오", "나오", "생기", "나가", "들어가", "가", "지", "이기")
    ):
        return None
    if scene.past_dated and (
        stem in DATED
        or frame.stem_tag == "VV"
        and stem not in EVERYDAY | BAD_HABIT_VERBS
        and other_subject is None
        and frame.moods <= {"began"}
    ):
        thing = target(frame, scene.subject)
        solid = (
            thing is not None
            or frame.of("at", "in", "to", "with") is not None
            or scene.subject.said
            and scene.who != USER
        )
        return Finding(memory_type="EVENT", course="event") if solid else None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if stem in ("사", "뽑", "구하", "계약하", "분양받", "팔", "장만하", "구매하") and re.search(
        r"(?:집|차|자동차|아파트|오토바이|신혼집|노트북|자전거|가게|땅|첫 차|새 차|피아노|카메라)$", value
    ):
        return Finding(memory_type="EVENT", course="event")
    if stem in ("받", "따", "보", "치르", "하") and re.search(
        r"(?:수술|진단|자격증|면허|학위|상|검진|시험|처방|판정)$", value
    ):
        return Finding(memory_type="EVENT", course="event")
    if (
        stem
        in (
            "받",
            "낳",
            "태어나",
            "생기",
            "돌아가시",
            "다녀오",
            "들어가",
            "시작하",
            "진단받",
            "따",
            "부러지",
            "청혼하",
            "잃",
        )
        and (value or at(scene, "at", "in", "to"))
        and not scene.frame.of("subject")
        or stem in ("태어나", "돌아가시")
    ):
        if stem in ("받", "생기") and not CONDITIONS.search(value):
            return None
        if stem in ("시작하", "들어가", "다녀오") and not (
            thing and thing.role in ("object", "bare", "topic") or at(scene, "at", "to")
        ):
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
        or frame.moods & {"want", "wish", "seems", "give", "dont", "would", "must", "plan"}
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


def trying(scene: Scene) -> Finding | None:
    """ "하루에 물 2리터씩 마시려고 노력해"."""
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
    if frame.stem in ("쓰", "사용하", "이용하", "끼", "타고다니", "구독하", "팔로우하") and (
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
                or re.search(r"요즘|회사에서|집에서|개발|업무|평소", scene.text)
            )
            and not re.search(r"(?:돈|신경|글|시간|마음|머리|힘|편지|일기|말)$", value)
        ):
            return Finding(memory_type="FACT", slot=many(scene.who, "uses", value))
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


RESCHEDULED = frozenset(
    "잡 정하 바뀌 미루 미뤄지 연기되 당기 당겨지 옮기 확정되 변경되 변경하 잡히 정해지 예정되 예약되 예약하 연기하 확정하 취소되 취소하 걸리".split()
)


def scheduled(scene: Scene) -> Finding | None:
    """ "결혼식은 4월 10일로 잡았고", "면접이 목요일로 바뀌었어"."""
    frame = scene.frame
    if (
        frame.stem not in RESCHEDULED
        or not frame.past
        or scene.denied
        or not (scene.dated or frame.stem in ("취소되", "취소하"))
    ):
        return None
    thing = next(
        (
            p
            for p in frame.phrases
            if p.role in ("topic", "subject", "object", "bare") and p.nouns and p.head in EVENTS
        ),
        None,
    )
    if thing is None:
        return None
    slot = one(scene.who, f"event:{thing.head}") if thing.head in UNIQUE_EVENTS else None
    return Finding(
        memory_type="EVENT",
        slot=slot,
        ends=frame.stem.startswith("취소") and slot is not None,
        course="event",
    )
