"""Where somebody works, studies or goes regularly in Korean clauses, and what they run."""

import re

from memoryapp.extract.rules.korean_scene import Scene, at, bare_place, is_place
from memoryapp.extract.rules.lexicon import CLUBS, JOB_TAIL, JOBS, SCHOOLS
from memoryapp.extract.rules.slots import USER, Course, Finding, many, one

COMPANY = re.compile(r"(?:회사|은행|병원|학교|전자|센터|카페|팀|본사|스타트업|연구소)$")


def work(scene: Scene) -> Finding | None:
    frame = scene.frame
    changed = frame.stem == "옮기" and bool(COMPANY.search(at(scene, "to")))
    if changed or frame.stem in (
        "일하",
        "근무하",
        "재직하",
        "출근하",
        "일",
        "취업하",
        "취직하",
        "입사하",
        "이직하",
        "합류하",
        "다니",
        "발령받",
        "종사하",
    ):
        where = (
            (at(scene, "object") if frame.stem == "다니" else "")
            or at(scene, "in", "at")
            or (at(scene, "to") if changed or frame.stem in ("이직하", "출근하", "발령받", "합류하") else "")
        )
        where = where or (at(scene, "object", "bare", "topic") if frame.stem == "다니" else bare_place(scene))
        if frame.stem == "다니":
            return _attending(scene, where)
        if frame.stem == "출근하" and frame.past and re.search("첫|처음", scene.text):
            return Finding(memory_type="EVENT", course="event")
        if frame.stem == "출근하" and not scene.recurring and frame.past:
            return None
        joined = changed or frame.stem in ("취업하", "취직하", "입사하", "이직하", "합류하", "발령받")
        if joined and not (frame.past or frame.moods & {"agreed", "will", "plan"} or scene.dated):
            return None
        if frame.past and not joined:
            return Finding(memory_type="FACT", course="event") if where else None
        if frame.moods & {"want", "wish", "can"}:
            return None
        if scene.ended and not where and re.search(r"회사|직장", scene.text):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "employer", negated=True), ends=True)
        if where or joined:
            name = "workplace" if is_place(where) and not COMPANY.search(where) else "employer"
            course: Course = "event" if joined else "state"
            slot = one(scene.who, name, negated=scene.denied) if where else None
            return Finding(
                memory_type="PROFILE" if slot else "EVENT",
                slot=slot,
                ends=scene.ended,
                confidence=0.9,
                course=course,
            )
        if at(scene, "to"):
            return Finding(
                memory_type="PROFILE",
                slot=one(scene.who, "occupation", negated=scene.denied),
                ends=scene.ended,
                confidence=0.9,
            )
        if re.search(
            r"(?:야간|주간|교대|\d교대|주말|파트타임|시간제|재택|원격|유연|풀타임)\s?(?:근무|으로|로)",
            scene.text,
        ):
            return Finding(
                memory_type="PROFILE",
                slot=one(scene.who, "work_mode", negated=scene.denied),
                ends=scene.ended,
            )
        if scene.recurring or (scene.conditional and not scene.dated):
            return Finding(memory_type="HABIT")
        return None
    if frame.stem in ("그만두", "관두", "퇴사하", "퇴직하", "은퇴하", "두") and (
        frame.past or frame.moods & {"agreed", "will", "plan"}
    ):
        what = at(scene, "object", "in", "topic", "bare")
        done = frame.past and "agreed" not in frame.moods
        if frame.stem == "두" and "그만" not in frame.adverbs:
            return None
        if frame.stem in ("퇴사하", "퇴직하", "은퇴하") or _employs(scene, what):
            return Finding(
                memory_type="EVENT",
                slot=one(scene.who, "employer", negated=True),
                ends=done,
                course="event",
                confidence=0.85,
            )
        if what:
            return Finding(
                memory_type="EVENT",
                slot=many(scene.who, "does", what, negated=True),
                ends=done,
                course="event",
            )
        return None
    if frame.stem in ("운영하", "경영하", "차리", "개업하", "창업하", "맡", "담당하", "전공하") or (
        frame.stem.endswith("하")
        and "going" in frame.moods
        and re.search(r"(?:집|가게|카페|식당|사업|학원|일)(?:을|를)\s", scene.text)
    ):
        what = at(scene, "object", "bare", "topic") or frame.stem[:-1]
        if frame.stem in ("맡", "담당하"):
            return (
                Finding(memory_type="PROFILE", slot=many(scene.who, "responsibility", what))
                if at(scene, "object", "bare") and not frame.moods & {"want", "give"}
                else None
            )
        if frame.stem == "전공하":
            return Finding(memory_type="PROFILE", slot=one(scene.who, "major"), confidence=0.9)
        if what and (frame.past or "going" in frame.moods or frame.stem == "운영하"):
            return Finding(memory_type="PROFILE", slot=one(scene.who, "business"), confidence=0.85)
    return None


#: What gives work: "회사", "그 병원", "다니던 학원"; "삼성" by its name.
WORKPLACE = re.compile(
    r"회사|직장|(?:^|\s)일$|알바|아르바이트|(?:전자|은행|그룹|물산|증권|카드|생명|건설|산업|공사|공단|연구소|사무소|스튜디오|코리아)$|(?:그|이|다니던|근무하던|일하던)\s(?:병원|학원|학교|가게|카페|식당|센터|팀|곳)$"
)


def _employs(scene: Scene, what: str) -> bool:
    named = next((t for p in scene.frame.phrases for t in p.nouns[-1:] if p.text.endswith(what)), None)
    by_name = named is not None and named.tag in ("NNP", "SL") and not re.search(r"어$|말$", what)
    return bool(WORKPLACE.search(what)) or bool(what) and by_name and not CLUBS.search(what)


def role(scene: Scene) -> Finding | None:
    """ "프리랜서로 번역해요", "중학교에서 수학 가르쳐요", "마케팅 일을 해요": what somebody works as."""
    frame = scene.frame
    if frame.past or frame.moods - {"going"} or scene.denied or scene.who in ("you", "other") or frame.asks:
        return None
    if re.search(r"오늘|지금|방금|이번", scene.text) or scene.dated or frame.orders:
        return None
    as_what = frame.of("to")
    trade = as_what is not None and (as_what.head in JOBS or JOB_TAIL.search(as_what.head))
    ours = (
        scene.who == USER or re.search(r"(?:우리|제|내|저희)\s", scene.text) or frame.of("topic") is not None
    )
    teaches = (
        ours and frame.stem == "가르치" and (frame.of("in") or scene.subject.said) and not frame.of("dative")
    )
    field = re.search(
        r"(?P<what>[가-힣A-Za-z]{2,})\s(?:쪽\s|관련\s|관련된\s)?일(?:을|도)?\s?(?:하|해|합|한)", scene.text
    )
    does = (
        frame.stem == "일하"
        and field
        and not re.search(
            r"^(?:무슨|집안|회사|힘든|좋은|많은|이런|그런|다른|같은|새로운|어떤|나쁜|급한|하던|해야|중요한|바쁜)$",
            field["what"],
        )
    )
    if trade and frame.stem_tag == "VV" or teaches or does:
        return Finding(memory_type="PROFILE", slot=one(scene.who, "occupation"), confidence=0.8)
    return None


def _attending(scene: Scene, where: str) -> Finding | None:
    if scene.ended and not where and re.search(r"회사|직장", scene.text):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "employer", negated=True), ends=True)
    where = re.sub(r"\s(?:\d+|한|두|세|네|여러)\s?(?:개|군데|곳)$", "", where)
    where = re.sub(r"^(?:아침|점심|저녁|새벽|밤|주말|평일) ", "", where)  # "매일 아침 수영을 다녀요"
    if not where or scene.frame.moods & {"want"}:
        return None
    course: Course = "event" if scene.frame.moods & {"will", "plan", "agreed"} else "state"
    if scene.frame.past and "began" not in scene.frame.moods:
        return Finding(memory_type="FACT", course="event")
    if "tends" in scene.frame.moods or re.search(r"(?:여행|산책|구경|맛집|쇼핑|등산|캠핑|낚시|출장)$", where):
        slot = many(scene.who, "does", where, negated=True) if scene.ended else None
        return Finding(memory_type="HABIT", slot=slot, ends=scene.ended)
    if re.search(r"(?:쓰|입|메|들|차|끼|신|가지|챙기|안|업)고\s?다", scene.text):
        return Finding(memory_type="HABIT")
    if "타고" in scene.text:
        return Finding(memory_type="HABIT", slot=one(scene.who, "commute"))
    if SCHOOLS.search(where):
        return Finding(
            memory_type="PROFILE",
            slot=one(scene.who, "school", negated=scene.denied),
            ends=scene.ended,
            course=course,
        )
    if CLUBS.search(where):
        return Finding(
            memory_type="HABIT",
            slot=many(scene.who, "does", where, negated=scene.denied),
            ends=scene.ended,
            course=course,
        )
    if scene.frame.of("to") and not scene.frame.of("at", "object", "bare"):
        return None
    if re.search(r"[가-힣]러\s?다", scene.text) or scene.recurring:  # "매주 도예 배우러 다녀": no employer
        slot = many(scene.who, "does", where, negated=scene.denied)
        return Finding(memory_type="HABIT", slot=slot, ends=scene.ended, course=course)
    return Finding(
        memory_type="PROFILE",
        slot=one(scene.who, "employer", negated=scene.denied),
        ends=scene.ended,
        course=course,
        confidence=0.85,
    )
