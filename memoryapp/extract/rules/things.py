"""The thing itself in what somebody eats, drinks, smokes, takes or does: without how much, when and which verb.

"매일 아침 커피를 두 잔 마셔요" and "커피 끊었어요", "I go to the gym three times a week" and "I stopped going to the
gym" speak of one thing; how much and when stays in the statement.
"""

import re

DEEDS = frozenset({"eats", "drinks", "smokes", "takes", "does"})
DIET = re.compile(
    r"(?:(?:on|doing|the|a|my) )*(?P<name>keto|vegan|vegetarian|paleo|low[- ]carb|plant-based|gluten-free|dairy-free|carnivore|intermittent fasting|채식|비건|키토|저탄고지|간헐적 ?단식)(?: diet| 식단)?"
)
MEDICINE = re.compile(
    r"(?:약|영양제|비타민(?:\s?[A-Za-z]\d{0,2})?|유산균|인슐린|오메가\s?3|철분제|진통제|항생제|수면제|소화제|\dmg)$|"
    r"\b(?:mg|pills?|vitamins?|medications?|meds|medicine|insulin|supplements?|omega|iron|aspirin|ibuprofen|lexapro|probiotics?|melatonin|antihistamines?|antidepressants?|antibiotics?|steroids?|birth control|inhaler|prozac|zoloft|adderall|ritalin|lithium|\w+(?:thyroxine|formin|statins?|pril|olol|azole|cillin|sartan|gabalin))\b",
    re.IGNORECASE,
)
SMOKED = re.compile(r"e-?cig|vap|weed|marijuana|cannabis|\bpot\b|cigars?\b|pipe|hookah|전자|시가|파이프|대마")

#: What somebody has one of, by the names it is called: a later one takes its place.
CAR = re.compile(
    r"(?:^|\s)(?:tesla|civic|corolla|camry|prius|f-?150|model\s?[3sxy]|ioniq|kona|tucson|sonata|elantra|sportage|mazda\s?\d|rav4|아반떼|쏘나타|소나타|그랜저|제네시스|아슬란|엑센트|캐스퍼|모닝|레이|스파크|말리부|트랙스|코나|투싼|싼타페|팰리세이드|베뉴|아이오닉|넥쏘|셀토스|니로|스포티지|쏘렌토|카니발|모하비|스팅어|티볼리|토레스|코란도|렉스턴|QM\d|SM\d|XM\d|K\d|EV\d|GV?\d0|벤츠|BMW|비엠|아우디|테슬라|모델\s?[3SXY]|폭스바겐|볼보|도요타|혼다|렉서스|포르쉐|폴스타|랜드로버|캠리|프리우스|미니쿠퍼)(?:\s?[A-Za-z0-9]+)?$",
    re.IGNORECASE,
)
PHONE = re.compile(
    r"(?:^|\s)(?:아이폰|갤럭시|갤|픽셀|샤오미|iphone|galaxy|(?:google )?pixel|oneplus)(?!\s?(?:탭|북|워치|버즈|핏|tab|book|watch|buds|fit))(?:\s?(?:[A-Za-z]?\d+\w*|SE|미니|프로|맥스|플러스|울트라|폴드|플립|노트|mini|pro|max|plus|ultra|fold|flip|note|air))*$",
    re.IGNORECASE,
)

_number = r"(?:\d+(?:[.~-]\d+)?|half an?|(?:a )?few|(?:a )?couple(?: of)?|a lot of|lots of|tons of|plenty of|an?|one|two|three|four|five|six|seven|eight|ten|twelve|several|some|(?:too )?much|(?:too )?many|another)"
_measure = r"(?:big |small |large |little |whole )?(?:cups?|glass(?:es)?|mugs?|bottles?|cans?|shots?|pints?|packs?|pieces?|slices?|bowls?|bags?|tablets?|pills?|capsules?|drops?|servings?|spoons?|(?:milli)?lit(?:er|re)s?|ml|mg|grams?|ounces?|oz)"
_times = r"(?:once|twice|three times|four times|five times|several times|a few times|a couple of times|\d+ times|\d+x)"
LEADING = re.compile(
    rf"^(?:(?:about|around|almost|nearly|roughly|approximately|up to|at least|only|like|over|more than|less than) )*(?:{_number} (?:{_measure}(?: of | (?=\w)|$))?)+"
)
TRAILING = re.compile(
    rf"\s(?:{_times}|an? (?:day|week|month|year)|per (?:day|week|month)|every|each|daily|nightly|weekly|all day|in the (?:morning|afternoon|evening)s?|at (?:night|noon|lunch|breakfast|dinner|work|\d+.*)|before (?:bed|work|breakfast)|after (?:work|dinner|lunch|meals|school)|with (?:breakfast|lunch|dinner|meals)|on (?:\w+ )?(?:weekends?|weekdays|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|(?:19|20)\d\d|\d+|two|three)|for (?:good|health|an hour|\d+|about|good)|(?:\w+ ){{1,3}}ago|{_number} (?:km|kilomet(?:er|re)s?|miles?|minutes?|hours?|pages?|laps?))\b.*$"
)
VERB = re.compile(
    r"^(?:(?:going|go|doing|do|playing|play|practicing|practice|attending|attend|taking|take|having|learning|learn|studying|study|drinking|eating|using) (?:to )?(?:the |my |an? |some )?)(?=\w)"
)
CONSUMED = re.compile(r"(?P<verb>eat|drink|smoke)s? (?P<what>.+)")
LESSONS = re.compile(r"\s(?:lessons?|class(?:es)?|practice|training|공부|수업|레슨|강습|연습)$")

_hangul_number = r"(?:\d+|한두|두세|서너|한|두|세|네|다섯|여섯|열|반|몇)?\s?"
_counter = (
    r"(?:갑|잔|병|캔|컵|알|정|포|팩|모금|조각|그릇|줌|스푼|숟갈|봉지|개비|리터|ml|mg|시간|번|키로|킬로|km)"
)
KOREAN_LEADING = re.compile(
    rf"^(?:(?:매일|매주|매번|하루|일주일|아침|점심|저녁|새벽|밤|낮|오전|오후|식후|식전|자기 전|주말|평일)(?:마다|에)?\s|{_hangul_number}{_counter}(?:씩|정도|쯤|의)?\s)+"
)
KOREAN_TRAILING = re.compile(rf"\s{_hangul_number}{_counter}(?:씩|정도|쯤)?$")
#: "아침 식사" is what it is called.
NAMED_BY_TIME = re.compile(r"^(?:아침|점심|저녁|밤)\s(?:식사|메뉴|뉴스|예배|기도)")


def deed(attribute: str, value: str) -> tuple[str, str]:
    """A deed and its thing, by which it is told apart; any other attribute and value as they are."""
    if attribute not in DEEDS:
        return attribute, value
    said = CONSUMED.match(value) if attribute == "does" else None
    if said:  # "I eat beef" says what somebody does, and what he eats
        attribute, value = f"{said['verb']}s", said["what"]
    if attribute == "smokes" and not SMOKED.search(value):
        return attribute, "담배" if re.search("[가-힣]", value) else "cigarettes"
    return attribute, _korean(value) if re.search("[가-힣]", value) else _english(value)


def owned_once(value: str) -> str:
    """The attribute of a thing of which people have one at a time, "" for any other: "아이오닉" → "car"."""
    name = value.strip()
    return "car" if CAR.search(name) else "phone_model" if PHONE.search(name) else ""


def is_diet(attribute: str, value: str) -> bool:
    return attribute in ("diet", "eats", "does") and DIET.fullmatch(value) is not None


def _korean(value: str) -> str:
    lead = value if NAMED_BY_TIME.match(value) else KOREAN_LEADING.sub("", value)
    return LESSONS.sub("", KOREAN_TRAILING.sub("", lead)) or value


def _english(value: str) -> str:
    thing = VERB.sub("", value)
    thing = TRAILING.sub("", LEADING.sub("", TRAILING.sub("", f" {thing}").strip()))
    return LESSONS.sub("", thing) or value
