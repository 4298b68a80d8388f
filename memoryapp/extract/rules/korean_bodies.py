"""What the body does not take, and what is wrong with it: allergies and conditions in Korean clauses."""

import re

from memoryapp.extract.rules.korean_scene import Scene
from memoryapp.extract.rules.korean_who import target
from memoryapp.extract.rules.lexicon import CONDITIONS, PETS, RELATIONS
from memoryapp.extract.rules.slots import Finding, many

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
    owned = lead is not None and re.search(r"(?:이|가|은|는)\s*$", lead[0])
    if any(t.form == f"{cause}이" and t.tag == "NNG" for t in scene.frame.tokens):
        cause, owned = f"{cause}이", None  # "고양이 알레르기", "오이 알레르기": no particle
    if cause in RELATIONS and (cause not in PETS or owned) or cause in ("나는", "저는", "나", "저"):
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


REACTION = re.compile(
    r"(?P<cause>[가-힣A-Za-z]+)(?:을|를|만|이|가)?\s?(?:조금만\s|많이\s)?(?:먹으면|마시면|타면|쓰면|바르면|맡으면|입으면|들어가면|닿으면)\s.*(?:잠을? 못|잠이 안|배가? 아|배탈|속이? (?:안|쓰|더부룩|메슥)|두드러기|설사|머리가? 아|심장이|뒤집|부어|붓|나빠져|어지러|가려|멀미|토해|토하|취해|빨개|재채기|콧물|체해|체하|소화가? 안)"
)


def reaction(scene: Scene) -> Finding | None:
    """ "커피를 마시면 잠을 못 자요": what the body does not take well."""
    found = REACTION.search(scene.text)
    if not found or scene.frame.past or scene.who in ("you", "other"):
        return None
    return Finding(memory_type="PROFILE", slot=many(scene.who, "sensitive_to", found["cause"]))


#: "땅콩은 괜찮은데 새우는 안 돼": one food beside another that is all right; not "평일은 괜찮은데 주말은 안 돼".
SPARED = re.compile(
    r"[가-힣]+(?:은|는)\s(?:괜찮|되|먹어도 되|먹을 수 있)\S{0,3}(?:은데|는데|지만),?\s(?P<food>(?:[가-힣]{0,4}\s?)?"
    r"(?:새우|게|조개|굴|회|생선|고등어|연어|오징어|해산물|갑각류|땅콩|호두|잣|아몬드|견과류?|우유|치즈|버터|요거트|유제품|계란|달걀|밀가루|글루텐|빵|콩|두부|고기|돼지고기|소고기|닭고기|양고기|복숭아|사과|키위|망고|토마토|오이|가지|버섯|고수|마늘|양파|술|소주|맥주|와인|막걸리|커피|카페인|초콜릿|설탕))(?:은|는)\s(?:절대\s|전혀\s)?안\s?(?:돼|되|됩)"
)


def spared(scene: Scene) -> Finding | None:
    found = SPARED.search(scene.source)
    if not found or scene.frame.stem != "되" or not scene.denied or re.search("오늘|지금|내일", scene.source):
        return None
    verb = "drinks" if re.search("(?:술|소주|맥주|와인|막걸리|커피|우유|카페인)$", found["food"]) else "eats"
    return Finding(memory_type="PREFERENCE", slot=many(scene.who, verb, found["food"], negated=True))


BODY = re.compile(
    r"(?:귀|눈|무릎|허리|어깨|목|손목|발목|팔꿈치|다리|위|위장|장|심장|피부|이|치아|잇몸|폐|간|신장|관절|시력|청력|기관지|목 디스크|면역력|호흡기|손가락|발가락|고관절|척추)$"
)


def body(scene: Scene) -> Finding | None:
    """What is lastingly wrong: "오른쪽 귀가 잘 안 들려요", "무릎이 안 좋아"."""
    frame = scene.frame
    parts = [p for p in frame.phrases if p.role in ("subject", "topic", "bare") and BODY.search(p.head)]
    thing = parts[-1] if parts else frame.of("subject") or target(frame, scene.subject)
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
