"""How many there are in a family, and what relatives, companies and homes are like, in Korean clauses."""

import re

from memoryapp.extract.rules.korean_scene import PEOPLE, Scene, at
from memoryapp.extract.rules.korean_verbs import BAD_HABIT_VERBS, EVERYDAY, OPINION
from memoryapp.extract.rules.korean_who import counted, read, target, words
from memoryapp.extract.rules.lexicon import CHILDREN, PETS, RELATIONS, TRIVIAL
from memoryapp.extract.rules.slots import USER, Finding, many, one

SHOP = re.compile(
    r"(?:책방|농사|집|가게|카페|식당|사업|학원|공방|농사|장사|게스트하우스|펜션|편의점|미용실|약국|병원|의원|농장|민박|공장|스튜디오|유튜브|블로그|쇼핑몰|과수원|세탁소|부동산|꽃집|서점|헬스장|체육관|가맹점|포장마차|분식점|프랜차이즈|자영업|"
    r"목장|양식장|주유소|정육점|철물점|사진관|교습소|어린이집|도장|바|펍|호텔|모텔|여관)$"
)
BELONGINGS = re.compile(
    r"(?:회사|직장|팀|부서|집|학교|동네|아파트|가게|건물|사무실|연구실|반|집안|가족|기숙사|지점|마을|빌라|오피스텔)$"
)
MOMENTARY = re.compile(
    r"오늘|지금|방금|아까|어제|이따|내일|이번|또|자꾸|너무|진짜|왜|뭐|아직|이미|벌써|다시|갑자기|ㅋㅋ|ㅠ|ㅎㅎ"
)
PLAIN = (
    "어",
    "아",
    "어요",
    "아요",
    "ᆸ니다",
    "습니다",
    "다",
    "ᆫ다",
    "는다",
    "거든",
    "거든요",
    "세요",
    "으세요",
    "셔",
    "셔요",
    "음",
    "ᆷ",
)
GROUPED = re.compile(r"(?:남매|자매|형제|쌍둥이|외동)$")


PARTNER = re.compile(r"(?:남자친구|여자친구|남친|여친|애인|연인|남편|아내|와이프)$")


def couple(scene: Scene) -> Finding | None:
    """ "남자친구랑 2년째 사귀고 있어요", "남친이랑 헤어졌어": one partner at a time."""
    frame, mate = scene.frame, scene.frame.of("with")
    if scene.who not in (USER,) and not (mate and scene.subject.who and scene.subject.who.phrase is mate):
        return None
    if frame.stem in ("사귀", "연애하") and "going" in frame.moods and not frame.past and not scene.denied:
        return Finding(memory_type="PROFILE", slot=one(USER, "partner"), confidence=0.8)
    named = mate is not None and PARTNER.search(mate.head)
    if frame.stem == "헤어지" and frame.past and named and not scene.denied:
        slot = one(USER, "partner", negated=True)
        return Finding(memory_type="EVENT", slot=slot, ends=True, course="event", confidence=0.85)
    return None


def relatives(scene: Scene) -> Finding | None:
    """ "아들 하나 있는데", "남동생 둘에 여동생 하나 있어", "누나가 둘인데"."""
    frame = scene.frame
    if frame.past or frame.moods - {"going"} or MOMENTARY.search(scene.text):
        return None
    if frame.stem == "있":
        thing = target(frame, scene.subject)
        name = counted(thing) if thing else ""
        if thing is not None and name in CHILDREN | PETS and name != thing.head:
            slot = many(USER, "pet" if name in PETS else "family", name)
            return Finding(memory_type="PROFILE", slot=slot, confidence=0.85)
    topic = frame.of("topic", "subject")
    if (
        frame.stem == "이"
        and topic is not None
        and read(topic).owner in CHILDREN
        and not read(topic).thing
        and re.search(r"(?:하나|둘|셋|넷|다섯|\d\s?명|[한두세네] 명|외동)$", frame.phrases[-1].text)
    ):
        return Finding(memory_type="PROFILE", slot=one(USER, f"family:{topic.head}"), confidence=0.85)
    return None


def shop(scene: Scene) -> Finding | None:
    """ "아버지가 목포에서 횟집 하세요": a business somebody has."""
    frame = scene.frame
    farms = frame.stem == "짓" and re.search("농사", scene.text)
    named = frame.stem.endswith("하") and len(frame.stem) > 2 or farms
    if not named or frame.past or frame.moods - {"going"} or scene.denied or scene.who in ("you", "other"):
        return None
    said = scene.subject.said or scene.who != USER or re.search(r"다가|지금은|현재|요즘은?", scene.source)
    thing = frame.of("object", "bare")
    trade = (
        farms
        or SHOP.search(frame.stem[:-1])
        or (thing is not None and SHOP.search(thing.text) and thing.text.endswith(frame.stem[:-1]))
    )
    if said and trade and frame.ending in PLAIN and not MOMENTARY.search(scene.text):
        return Finding(memory_type="PROFILE", slot=one(scene.who, "business"), confidence=0.8)
    return None


def belongings(scene: Scene) -> Finding | None:
    """ "저희 회사는 재택이랑 출근을 섞어서 해요": how it is at the user's company, home, school."""
    frame = scene.frame
    topic = frame.of("topic") or (frame.of("at") if frame.stem in ("있", "없", "많") else None)
    if (
        topic is None
        or frame.past
        or frame.linked
        or frame.ending not in PLAIN
        or MOMENTARY.search(scene.text)
    ):
        return None
    who = read(topic)
    if who.owner != USER or not BELONGINGS.search(who.thing):
        return None
    verb = frame.stem_tag == "VV" and frame.stem not in OPINION - {"하", "있", "없", "되"}
    there = frame.stem in ("있", "없", "많", "적", "가깝", "멀")
    other = next((p for p in frame.phrases if p is not topic), None)
    if not (verb or there) or frame.moods - {"going", "not", "tends"} or not (other or len(frame.stem) > 2):
        return None
    return Finding(memory_type="FACT", confidence=0.65)


def theirs(scene: Scene) -> Finding | None:
    """Any other plain present statement with a relative as its topic: "우리 딸은 피아노를 배워요"."""
    frame, who = scene.frame, scene.subject.who
    if who is None or scene.who in (USER, "you", "other") or who.phrase.role != "topic":
        return None
    if (
        frame.stem_tag != "VV"
        or frame.past
        or frame.linked
        or frame.ending not in PLAIN
        or frame.moods - {"going", "not", "cannot", "tends"}
    ):
        return None
    if (
        frame.stem in (OPINION - {"하"}) | BAD_HABIT_VERBS | EVERYDAY
        or MOMENTARY.search(scene.text)
        or scene.dated
    ):
        return None
    thing = target(frame, scene.subject)
    value = words(thing, scene.source) if thing else ""
    solid = value and value not in TRIVIAL and not PEOPLE.search(value) and value not in RELATIONS
    return Finding(memory_type="FACT", confidence=0.6) if solid or at(scene, "in") else None


CHORES = re.compile(
    r"(?:설거지|빨래|청소|요리|밥|장보기|운전|육아|분리수거|집안일|쓰레기|가계부|등하원|애들 등원|강아지 산책)(?:은|는)\s(?:주로\s|보통\s|거의\s)?(?:내가|제가|남편이|아내가|와이프가|엄마가|아빠가|언니가|오빠가|형이|누나가|동생이|룸메가|룸메이트가)\s(?:다\s|주로\s|도맡아\s|보통\s)?(?:하|해|합|맡|담당|버리|버려)"
)


def chores(scene: Scene) -> Finding | None:
    """ "설거지는 내가 하고 빨래는 남편이 해": who does what at home."""
    if not CHORES.search(scene.text) or scene.frame.past or scene.dated or MOMENTARY.search(scene.text):
        return None
    return None if scene.frame.moods or scene.frame.asks else Finding(memory_type="HABIT", confidence=0.75)


HOBBY = re.compile(
    r"(?:그림|기타|피아노|바이올린|첼로|드럼|우쿨렐레|노래|글|시|소설|사진|영상|뜨개질|춤|발레|골프|테니스|탁구|배드민턴|볼링|축구|농구|야구|풋살|등산|낚시|캠핑|베이킹|요가|필라테스|수영|러닝|조깅|달리기|자전거|헬스|복싱|클라이밍|서핑|스키|보드|"
    r"텃밭|주말농장|봉사|보드게임|체스|바둑|퍼즐|그릇|도자기|꽃꽂이|명상|일기|블로그|유튜브|커피|빵|가죽 ?공예|레고|피규어|우표|LP)$"
)
PLAYED = frozenset("그리 치 켜 부르 쓰 찍 뜨 추 타 하 굽 만들 가꾸 모으 두 뛰 연주하 가".split())


def hobby(scene: Scene) -> Finding | None:
    """ "아이패드로 그림 그려요": the polite present of a pastime says that one does it."""
    frame = scene.frame
    plain = frame.ending in ("어요", "아요", "ᆸ니다", "습니다", "거든", "거든요") or scene.subject.said
    if not plain or frame.past or frame.moods or scene.denied or scene.dated or scene.who in ("you", "other"):
        return None
    thing = target(frame, scene.subject)
    noun = (
        frame.stem[:-1] if frame.stem.endswith("하") and len(frame.stem) > 1 else thing.head if thing else ""
    )
    if not HOBBY.search(noun) or not (frame.stem in PLAYED or frame.stem.endswith("하")):
        return None
    player = frame.of("subject")
    if player is not None and not scene.subject.said or re.search(r"(?:^|\s)(?:이|그|저)\s", scene.text):
        return None  # "이 노래는 BTS가 불러요"
    if MOMENTARY.search(scene.text) or frame.linked or frame.asks:
        return None
    return Finding(memory_type="HABIT", slot=many(scene.who, "does", noun), confidence=0.65)


STAYS = re.compile(
    r"(?:교환학생|유학|어학연수|연수|파견|주재원|워킹홀리데이|워홀|인턴|유학생|군대|봉사활동|전근|발령)$"
)


def staying(scene: Scene) -> Finding | None:
    """ "교환학생으로 서울에 와 있어요": somewhere for a while and why."""
    frame = scene.frame
    if (
        frame.stem not in ("오", "가", "나오", "나가", "들어오")
        or "going" not in frame.moods
        or scene.who in ("you", "other")
    ):
        return None
    why = next((p for p in frame.phrases if STAYS.search(p.text)), None)
    return Finding(memory_type="FACT", slot=many(scene.who, "stays", why.head)) if why else None
