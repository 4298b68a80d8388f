"""What happens when in Korean clauses: duties, plans, agreements, events, habits."""

import re

from memoryapp.extract.rules.korean_bodies import BODY
from memoryapp.extract.rules.korean_scene import Scene, at
from memoryapp.extract.rules.korean_verbs import (
    BAD_HABIT_VERBS,
    COMMANDS,
    DATED,
    EVERYDAY,
    LIFE,
    TASK_VERBS,
)
from memoryapp.extract.rules.korean_who import read, target, words
from memoryapp.extract.rules.lexicon import (
    CONDITIONS,
    EVENTS,
    FIRST_PERSON,
    JOB_TAIL,
    JOBS,
    TRIVIAL,
    UNIQUE_EVENTS,
)
from memoryapp.extract.rules.slots import USER, Finding, many, marital, one

DIET = re.compile(r"채식주의자|비건|베지테리언|채식")


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
    future = any(
        w.start.date() > scene.today
        or w.bound != "at"
        or w.precision not in ("day", "year")
        and w.end.date() > scene.today
        for w in scene.whens
    )
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


CALLED_OFF = re.compile(r"(?:취소|무산|파투|없던 일)")
PUT_OFF = re.compile(r"(?:미뤄|미루|연기|당겨|당기|변경|바뀌|바꿨|옮겼|옮겨)")


def shifted(scene: Scene) -> Finding | None:
    """ "이사 취소됐어요", "결혼식이 6월 3일로 미뤄졌어요": of what there is one of; of two meetings it might be either."""
    frame = scene.frame
    thing = frame.of("subject", "object", "topic", "bare")
    if thing is None or thing.head not in UNIQUE_EVENTS or not frame.past or scene.who in ("you", "other"):
        return None
    if CALLED_OFF.search(scene.text):
        slot = one(scene.who, f"event:{thing.head}", negated=True)
        return Finding(memory_type="EVENT", slot=slot, ends=True, course="event", confidence=0.85)
    if PUT_OFF.search(scene.text) and scene.dated:
        slot = one(scene.who, f"event:{thing.head}")
        return Finding(memory_type="EVENT", slot=slot, course="event", confidence=0.85)
    return None


SUBSCRIBED = re.compile(r"\s?(?:구독|멤버십|회원권|정기 ?결제)$")
INJURED = frozenset("삐 접질리 부러지 다치 삐끗하 찢어지 골절되".split())


def _unsubscribed(scene: Scene, value: str) -> Finding:
    slot = many(scene.who, "uses", SUBSCRIBED.sub("", value), negated=True)
    return Finding(memory_type="EVENT", slot=slot, ends=True, course="event", confidence=0.85)


def _parted_with(scene: Scene) -> Finding | None:
    """ "넷플릭스 구독 취소했어", "차 팔았어", "발목 삐었어": what ends a thing of theirs, or hurts."""
    frame = scene.frame
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    if frame.stem == "취소하" and SUBSCRIBED.search(value):
        return _unsubscribed(scene, value)
    if frame.stem in ("팔", "처분하", "폐차하") and re.fullmatch(r"(?:타던 )?(?:차|자동차)", value):
        slot = one(scene.who, "car", negated=True)
        return Finding(memory_type="EVENT", slot=slot, ends=True, course="event", confidence=0.85)
    if frame.stem in INJURED and thing is not None and BODY.search(thing.head):
        return Finding(memory_type="EVENT", course="event", confidence=0.8)
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
    if (parted := _parted_with(scene)) is not None:
        return parted
    stem = frame.stem if frame.stem != "두" or "그만" not in frame.adverbs else "그만두"
    if stem in ("태어나", "돌아가시", "돌아가") and scene.who != USER:
        died = stem != "돌아가" or "돌아가셨" in scene.text or "돌아가신" in scene.text
        return Finding(memory_type="EVENT", course="event") if died else None
    if stem in LIFE or stem == "가" and re.search(r"(?:군대|유학|시집|장가)(?:를|을)?\s갔", scene.text):
        thing = target(frame, scene.subject)
        if stem in ("해지하", "탈퇴하") and thing is not None:
            return _unsubscribed(scene, words(thing, scene.source))
        wed = {"결혼하": True, "재혼하": True, "이혼하": False}.get(stem)
        slot = None if wed is None else marital(scene.who, married=wed)
        return Finding(memory_type="EVENT", slot=slot, course="event", confidence=0.85)
    rank = re.search(
        r"(?:팀장|과장|대리|부장|차장|임원|상무|이사|대표|주임|선임|책임|병장|수간호사|실장|파트장)(?:을|를|으로|에)?\s(?:달|올랐)",
        scene.text,
    )
    if stem in ("달", "오르") and rank:
        return Finding(memory_type="EVENT", course="event")
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
    if (
        stem == "나"
        and re.search(r"(?:사고|화재|불|산불|홍수|부도)(?:가|이)?\s?났", scene.text)
        and scene.who == USER
    ):
        ours = scene.past_dated or re.search(r"사고", scene.text)
        return (
            Finding(memory_type="EVENT", course="event")
            if ours and not re.search(r"(?:에서|뉴스|어디)\s", scene.text)
            else None
        )
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
