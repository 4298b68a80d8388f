"""What settles an earlier plan or duty: "치과 예약 취소했어", "회의가 목요일로 밀렸어", "보고서 냈어"."""

import re
from dataclasses import replace
from typing import Literal

from memoryapp.extract.base import Settling
from memoryapp.extract.rules.analyser import Token, conjugate
from memoryapp.extract.rules.korean_scene import Scene
from memoryapp.extract.rules.lexicon import FIRST_PERSON
from memoryapp.extract.rules.slots import USER, Finding

CALLED_OFF = frozenset("취소하 취소되 취소당하 취소시키 무산되 백지화되 엎어지".split())
OFF_WORDS = re.compile(r"(?:파투|파토|나가리|없던 일|물 건너|캔슬)")
MOVED = frozenset(
    "옮기 옮겨지 미루 미뤄지 미루어지 연기하 연기되 변경하 변경되 바꾸 바뀌 당기 당겨지 앞당기 앞당겨지 늦추 늦춰지 밀리 조정하 조정되".split()
)
PUT_OFF = frozenset("미루 미뤄지 미루어지 연기하 연기되 당기 당겨지 앞당기 앞당겨지 밀리".split())
WAS_MOVED = re.compile(r"(?:미뤄|당겨|늦춰|옮겨)(?:졌|진)")  # Kiwi leaves "지" as the predicate
FINISHED = frozenset(
    "끝나 끝내 끝마치 마치 완료하 완료되 마무리하 마무리되 해결하 해결되 처리하 처리되 클리어하".split()
)
#: How one has been at what was to come: "면접 잘 봤어", "병원 다녀왔어".
ATTENDED = frozenset("보 받 하 치르 다녀오 갔다오 참석하 참가하".split())
PLANNED = ("있", "예약", "잡", "예정")
DUE = (("어야", "EC"), ("기로", "EC"), ("려고", "EC"), ("ᆯ", "ETM"))
SAME_DEED = {"다녀오": "가", "갔다오": "가", "오": "가"}
#: No plan is told by these alone.
VAGUE = frozenset(
    "예약 약속 일정 스케줄 계획 시간 날짜 시각 장소 거 것 건 게 일 때 중 후 전 걸 원래 이번 다음 지난 오늘 내일 어제 방금 아까 완료 끝 마무리 취소 연기 변경 태풍 비 사정 급".split()
)
LEAST = frozenset("예약 약속 일정 스케줄 계획".split())
NOUNS = frozenset({"NNG", "NNP", "SL", "SH"})
How = Literal["off", "moved", "done"]
NO_NEED = re.compile(r"안\s?[가-힣]+도 (?:돼|되|된)|(?:필요|이유)(?:가|는)? ?없어졌")


OVER = re.compile(r"\s(?:끝|완료|클리어)$")
#: "몽골 여행" is also "몽골 가기로 했어".
SAID_AS = {
    "여행": ("여행", "가기로", "가요", "갈", "떠나"),
    "식사": ("식사", "먹"),
    "비행기": ("비행기", "출국", "항공"),
}


def settled(scene: Scene, finding: Finding | None) -> Finding | None:
    """The finding with what it settles; one of its own where the sentence is worth nothing besides."""
    settling = _settling(scene)
    if settling is None or finding is not None and finding.slot is not None and settling.how == "done":
        return finding
    if finding is None:
        kept = settling.how == "moved" and scene.dated
        return Finding(memory_type="EVENT", course="event", settles=replace(settling, alone=not kept))
    if finding.slot is not None and not finding.slot.attribute.startswith("event:"):
        return finding  # "차 바꿨어": a thing, not a plan
    return replace(finding, settles=settling)


def _settling(scene: Scene) -> Settling | None:
    frame = scene.frame
    if scene.who in ("you", "other") or frame.moods & {
        "want",
        "wish",
        "seems",
        "would",
        "can",
        "give",
        "dont",
    }:
        return None
    things = _things(scene)
    if not things:
        return None
    how = _how(scene)
    if how is None:
        return None
    words = tuple(SAID_AS.get(thing, (thing,)) for thing in things)
    verb = () if how != "done" or frame.stem in FINISHED | {""} else (_to_do(frame.stem),)
    return Settling(how=how, words=(*words, *verb))


def _how(scene: Scene) -> How | None:
    frame = scene.frame
    if NO_NEED.search(scene.text) and not frame.asks:
        return "off"
    if not frame.stem and OVER.search(scene.text.rstrip(" .!~")):
        return "done"
    if not frame.past and "became" not in frame.moods:
        return None
    dropped = bool(frame.denied) and bool(frame.moods & {"agreed", "became"})
    if dropped or not frame.denied and (frame.stem in CALLED_OFF or OFF_WORDS.search(scene.text)):
        return "off"
    if frame.denied or frame.moods & {"agreed", "must", "plan", "will", "began", "going"}:
        return None
    if frame.stem in MOVED or WAS_MOVED.search(scene.text):
        return "moved" if scene.dated or frame.stem in PUT_OFF else None
    return "done" if scene.who == USER and frame.stem_tag == "VV" else None


def _things(scene: Scene) -> list[str]:
    """The nouns that tell which plan is meant; "약속" only when nothing else does."""
    before = [token for token in scene.frame.tokens if _names(scene, token)]
    telling = [token.form for token in before if token.form not in VAGUE]
    return telling[:4] or [token.form for token in before if token.form in LEAST][:1]


def _names(scene: Scene, token: Token) -> bool:
    dated = any(when.begin <= token.begin < when.stop for when in scene.whens)
    return (
        token.tag in NOUNS
        and token.form not in FIRST_PERSON
        and not dated
        and (token.begin < scene.frame.stem_begin or not scene.frame.stem)
    )


def _to_do(stem: str) -> tuple[str, ...]:
    """How what is now done was put before: "내" → "내야", "내기로", "낼"; what was to be attended was "있"."""
    stems = dict.fromkeys((stem, SAME_DEED.get(stem, stem)))
    forms = [conjugate([(one, "VV"), ending]) for one in stems for ending in DUE]
    return (*dict.fromkeys(forms), *(PLANNED if stem in ATTENDED else ()))
