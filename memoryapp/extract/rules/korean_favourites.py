"""What somebody likes best, or does most, in "제일 좋아하는 X는 Y야"."""

import re

from memoryapp.extract.rules.korean_identity import owner_of, value_of
from memoryapp.extract.rules.korean_scene import Scene
from memoryapp.extract.rules.korean_who import Who, read
from memoryapp.extract.rules.lexicon import FAVOURITES, RELATIONS
from memoryapp.extract.rules.phrases import Phrase
from memoryapp.extract.rules.slots import USER, Finding, favourite, many, one


def favourite_thing(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """ "제일 좋아하는 색은 파란색이야", "내 최애 음식은 …"."""
    topic = next((p for p in scene.frame.phrases if p.role in ("topic", "subject") and p.before), None)
    stems = {t.form for t in topic.before} if topic else set()
    if (
        topic
        and stems & {"살", "사", "거주하"}
        and topic.head in ("곳", "데", "동네", "지역", "도시", "집", "아파트")
    ):
        return Finding(
            memory_type="PROFILE", slot=one(_inner_owner(scene, topic), "residence"), confidence=0.9
        )
    if topic and stems & {"일하", "근무하", "다니"} and topic.head in ("곳", "데", "회사", "직장", "학교"):
        return Finding(
            memory_type="PROFILE",
            slot=one(_inner_owner(scene, topic), "school" if topic.head == "학교" else "employer"),
            confidence=0.9,
        )
    if topic and stems & {"좋아하", "싫어하", "선호하", "즐기"}:
        owner = _inner_owner(scene, topic)
        if owner == "you":
            return None
        if stems & {"싫어하"}:
            return Finding(
                memory_type="PREFERENCE",
                slot=many(owner, "likes", value_of(scene), negated=not negated),
                confidence=0.9,
            )
        if topic.head in FAVOURITES:
            return Finding(memory_type="PREFERENCE", slot=favourite(owner, topic.head), confidence=0.9)
        return Finding(memory_type="PREFERENCE", slot=many(owner, "likes", value_of(scene), negated=negated))
    if (
        topic
        and stems & {"존경하", "존경", "사랑하", "아끼", "무섭", "무서워하", "잘하", "자신", "편하", "추천하"}
        and re.search("제일|가장", scene.text)
    ):
        return (
            Finding(memory_type="PREFERENCE", slot=one(scene.who, f"most:{topic.head}"))
            if _inner_owner(scene, topic) != "you"
            else None
        )
    if (
        topic
        and stems & {"쓰", "사용하", "타", "다니"}
        and re.search(
            r"(?:언어|도구|프레임워크|에디터|앱|폰|노트북|컴퓨터|차|카드|은행|통신사|병원|학교|회사|미용실|헬스장|도시락|베개|운영체제)$",
            topic.head,
        )
    ):
        return Finding(memory_type="FACT", slot=one(scene.who, f"uses:{topic.head}"))
    if (
        topic
        and stems & {"먹", "마시", "하", "가", "다니", "쓰"}
        and re.search(r"못\s?(?:먹|마시)|안 (?:먹|마시)|자주|즐겨|제일|가장|주로|요즘", scene.text)
    ):
        denied = bool(
            re.search(
                r"못|안 ",
                scene.source[
                    topic.before[0].begin - 3 if topic.before[0].begin > 2 else 0 : topic.before[-1].stop
                ],
            )
        )
        verb = {"먹": "eats", "마시": "drinks"}.get(next(iter(stems & {"먹", "마시"}), ""), "does")
        return Finding(memory_type="PREFERENCE", slot=many(scene.who, verb, value_of(scene), negated=denied))
    best = re.match(r"(?:최애|인생|원픽|단골)\s?(?=\S)|최애$|원픽$", thing.thing) if thing else None
    if (
        thing
        and best
        and (thing.thing.startswith("최애") or re.sub(r"\s", "", thing.thing[2:]) in FAVOURITES)
    ):
        return Finding(
            memory_type="PREFERENCE",
            slot=favourite(owner_of(scene, thing), thing.thing[best.end() :].strip() or "thing"),
            confidence=0.85,
        )
    found = re.search(
        r"(?P<what>[가-힣]+)(?:은|는|중에서?는|중엔|중에)\s.*(?:제일|가장|최고|최애)", scene.text
    )
    if found and found["what"] in FAVOURITES and re.search("최고|최애", scene.text):
        return Finding(memory_type="PREFERENCE", slot=favourite(scene.who, found["what"]))
    return None


SORTS = re.compile(
    r"(?P<what>[가-힣]{2,8})\s?파(?:야|예요|에요|이에요|입니다|임|거든요?|라서|인데|이야)?[.!]*$"
)
NO_SORT = frozenset(
    "한 여 인 대 쪽 양 전 음 뇌 소 노 주 고주 저주 타 세 급 격 난 간 학 종 당 분 강경 실력 스".split()
)


def sided(scene: Scene) -> Finding | None:
    """ "난 부먹파야", "순대국보다는 뼈해장국 파야": the side somebody takes."""
    found = SORTS.search(scene.text)
    short = (
        found is not None
        and not re.search(r"[야요다임거지]\S*$|라서|인데", found[0].strip(".!"))
        and scene.frame.stem != "이"
    )
    if not found or short or found["what"] in NO_SORT or scene.who in ("you", "other"):
        return None
    return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", found["what"]))


JOYS = {
    "낙": "PREFERENCE", "행복": "PREFERENCE", "힐링": "PREFERENCE", "소확행": "PREFERENCE", "재미": "PREFERENCE", "로망": "PREFERENCE", "최애": "PREFERENCE", "취향": "PREFERENCE",
    "취미": "PROFILE", "특기": "PROFILE", "주특기": "PROFILE", "습관": "HABIT", "버릇": "HABIT", "루틴": "HABIT", "일상": "HABIT", "일과": "HABIT", "국룰": "HABIT",
    "꿈": "FACT", "목표": "FACT", "소원": "FACT", "약점": "FACT", "단점": "FACT", "장점": "FACT", "강점": "FACT", "콤플렉스": "FACT", "징크스": "FACT",
}  # fmt: skip


def _liked(phrase: Phrase) -> bool:
    """ "넷플릭스 보는 게", or a plain subject: "등산이"."""
    return (
        bool(phrase.before)
        and phrase.head in ("것", "거")
        or phrase.role == "subject"
        and not read(phrase).owner
    )


def joy(scene: Scene) -> Finding | None:
    """ "넷플릭스 보는 게 낙이에요", "올해 안에 책 내는 게 목표야"."""
    frame = scene.frame
    topic = next(
        (
            p
            for p in frame.phrases
            if p.role in ("topic", "subject")
            and (p.before and p.head in ("것", "거") or p.role == "subject" and not read(p).owner)
        ),
        None,
    )
    value = value_of(scene).split()[-1:] if topic else []
    if (
        topic is None
        or not value
        or frame.moods - {"tends"}
        or frame.past
        or _inner_owner(scene, topic) == "you"
    ):
        return None
    kind = JOYS.get(value[0])
    return Finding(memory_type=kind, confidence=0.8) if kind else None


def _inner_owner(scene: Scene, topic: Phrase) -> str:
    lead = scene.source[: topic.tokens[0].begin]
    if re.search(r"(?:^|\s)(?:네가|니가|너가|넌|너는)\s", lead):
        return "you"
    for relation in sorted(RELATIONS, key=len, reverse=True):
        if re.search(rf"(?:^|\s){relation}(?:이|가|은|는)\s", lead):
            return relation
    named = re.search(r"(?:^|\s)([가-힣]{2,4}?)(?:이가|이|가|은|는)\s", lead)
    first = re.search(r"(?:^|\s)(?:내|제|나|저|난|전|내가|제가|나는|저는|우리)", lead)
    return (
        named[1]
        if named
        and not first
        and scene.who == USER
        and named[1] not in ("사용자",)
        and len(named[1]) > 1
        and named[1] not in ("제일", "가장", "요즘")
        else scene.who
    )
