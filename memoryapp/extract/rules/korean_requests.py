"""Korean wishes about how the assistant should behave: standing rules, told apart from orders of the moment."""

import re

from memoryapp.extract.base import Slot
from memoryapp.extract.rules.clauses import Frame
from memoryapp.extract.rules.lexicon import ANSWERS, DURABLE, ONE_OFF
from memoryapp.extract.rules.slots import USER, Finding, many, one

CONTACT = re.compile(
    r"전화|연락|회의|알림|알람|메시지|문자|방해|깨우|추천|제안|언급|일정|약속|미팅|호출|청소|푸시|스케줄|예약|얘기|이야기|업무|질문|물어|보고"
)
CALLING = re.compile(
    r"(?:나|저|날|절|나를|저를|내 이름은|이름은|내 이름을|제 이름을)?\s?(?:를|을)?\s?['\"“‘]?(?P<name>[가-힣A-Za-z ]{1,16}?)['\"”’]?(?:이?라고|으로|로|님으로)\s?(?:불러|부르|호칭)"
)
STYLES = (
    ("honorific", re.compile(r"존댓말|존대|높임말|경어|반말|말(?:을)?\s?(?:놓|편)")),
    ("emoji", re.compile(r"이모티콘|이모지")),
    ("language", re.compile(r"(?:한국어|영어|일본어|중국어|국문|영문|한글)(?:로|만)")),
    (
        "length",
        re.compile(
            r"짧게|간단|간결|길게|자세|상세|핵심만|요점만|한 줄|세 줄|줄로|줄 이내|장황|요약해서|분량"
        ),
    ),
    ("format", re.compile(r"표로|불릿|목록|글머리|마크다운|번호를|항목|개조식")),
)


ALIASES = (
    re.compile(
        r"(?:내가|제가|우리가)?\s?['\"‘“]?(?P<word>[가-힣A-Za-z0-9 ]{1,12}?)['\"’”]?(?:이)?라고\s(?:하면|말하면|부르면|하는 (?:건|것은|곳은)|부르는 (?:건|것은|곳은|사람은)|할 때는?)\s.+"
    ),
    re.compile(
        r"['\"‘“](?P<word>[^'\"’”]{1,12})['\"’”](?:은|는|이란|란)\s.+(?:뜻해|뜻이야|말해|의미해|가리켜|말하는 거|뜻입니다|말합니다|의미합니다|말이야|뜻이에요)"
    ),
    re.compile(
        r"(?:내가|제가|우리가)\s(?:말하는|부르는|얘기하는|말한)\s['\"‘“]?(?P<word>[가-힣A-Za-z0-9 ]{1,12}?)['\"’”]?(?:은|는|이란|란)\s.+(?:이야|야|예요|이에요|입니다|임|거든)"
    ),
    re.compile(
        r"^['\"‘“](?P<word>[가-힣A-Za-z0-9 ]{1,12}?)['\"’”](?:은|는|이란|란)\s(?:내|제|우리|저희)\s.+(?:이름|별명|애칭|호칭|줄임말|암호)(?:이야|이에요|예요|입니다|임)"
    ),
    re.compile(
        r"^(?P<word>[가-힣A-Za-z0-9 ]{1,12}?)(?:은|는|이란|란)\s(?:내|제|우리|저희)\s.+(?:뜻해|뜻이야|말해|의미해|가리켜|말하는 거(?:야|예요)|뜻입니다|말합니다|의미합니다|줄임말이야|별명이야)"
    ),
    re.compile(
        r"(?P<word>[가-힣A-Za-z0-9 ]{1,16}?)(?:을|를|은|는)\s['\"‘“]?[가-힣A-Za-z0-9 ]{1,12}?['\"’”]?(?:이)?라고\s(?:불러|부릅니다|부르고 있|불러요|불러 왔|부르거든|부르기로)(?!\s?(?:줘|주|다오|드려|도 돼))"
    ),
)


NICKNAMED = re.compile(
    r"(?:다들|사람들이|사람들은|친구들이|친구들은|모두|애들이|가족들은|동료들은|주변에서는?|회사에서는?)\s(?:나를|저를|날|절)?\s?['\"‘“]?(?P<name>[가-힣A-Za-z ]{1,12}?)['\"’”]?(?:이)?라고\s(?:불러|부릅|부르|불러요)"
)


def alias(text: str) -> Finding | None:
    """ "내가 본가라고 하면 대구 집을 말하는 거야", "우리 차를 붕붕이라고 불러"."""
    if NICKNAMED.search(text) and not text.rstrip().endswith("?"):
        return Finding(memory_type="ALIAS", slot=one(USER, "called"), confidence=0.85)
    for pattern in ALIASES:
        found = pattern.search(text)
        if (
            found
            and not re.search(r"^(?:나|저|날)$", found["word"].strip())
            and not re.search(r"뭐라고|누가|만약", text)
        ):
            return Finding(
                memory_type="ALIAS", slot=one(USER, f"alias:{found['word'].strip()}"), confidence=0.85
            )
    return None


def wish(frame: Frame, source: str) -> bool:
    """An order, request or hope put to the assistant."""
    return (
        frame.orders
        or frame.proposes
        or "wish" in frame.moods
        or bool(
            re.search(
                r"(?:게|히|로|만|고|지) (?:말해|답해|대답해|설명해|얘기해|써|적어|요약해|대해)(?:요)?[.!]*$|(?:바라|바랍니다|부탁(?:해|드려|드립)|원해|원합니다|좋겠|(?:반말|존댓말)(?:로|을)?\s(?:\S+게\s)?(?:해|써|하자)[.!~]*$|모른다고\s(?:말)?해[.!]*$|지 말고\s(?:\S+\s){0,3}(?:물어|여쭤|확인|말)(?:봐|해)?(?:\s?(?:줘|주세요))?[.!]*$|[가-힣]도\s?(?:돼|됩니다|되|괜찮|좋|상관없)|했으면 해|해줘야|그대로 (?:둬|놔둬|써|적어|남겨)[.!~]*$)",
                source,
            )
        )
    )


UNWANTED = re.compile(r"(?:받|하|오|듣|보|되|당하)(?:고|기)\s?(?:싶지\s?않|싫)|(?:원하지|원치)\s?않|사양")


def unwanted(source: str) -> Finding | None:
    """ "주말에는 연락받고 싶지 않아": a wish that is a rule."""
    if (
        UNWANTED.search(source)
        and CONTACT.search(source)
        and not ONE_OFF.search(source)
        and not source.rstrip().endswith("?")
    ):
        return Finding(memory_type="RULE", confidence=0.85)
    return None


BANNED_TOPIC = re.compile(
    r"(?<!이런 )(?<!그런 )(?<!이 )(?<!그 )(?:얘기|이야기|언급|잔소리|참견|훈수|농담|비교|칭찬|충고|조언)(?:은|는|도|를|을)?\s?(?:이제|더는|더 이상|다시는|앞으로|제발|나한테|내 앞에서|\s)*(?:꺼내|하|묻|물어보)지\s?(?:마|말)"
)
WHENEVER = re.compile(  # "영어 단어 나오면 발음도 써줘": at every such question, not once
    r"(?:확실하지 않으면|확실치 않으면|모르겠으면|자신 없으면|애매하면|나오면|물어보면|물으면|물어볼|질문하면|질문할|말하면|말할|얘기하면|얘기할|틀리면|모르면|헷갈리면|헷갈려 하면|부탁하면|부탁할|요청하면|알려줄|알려 줄|설명할|추천할|추천해 ?줄|보여줄|번역할|쓸|고를|정할|계산할|우울하다고 할|힘들다고 할|힘들어하면|화내면|물건 살)(?:\s?(?:땐|때는|때|때마다|때면))?\s.*(?:써|말해|알려|설명|정리|답해|표시|번역|풀어|적어|보여|고쳐|바꿔|골라|추천|공감|위로|응원|물어|확인|빼|넣|붙여|해)\s?(?:줘|주세요|줘요|주라|줄래|다오|주면 좋겠)"
)


TITLES_BAN = re.compile(
    r"(?:이름|호칭|님|씨|존칭|별명|느낌표|물음표|이모지|이모티콘|마침표|ㅋㅋ)(?:\S{0,3}\s)+(?:붙이|쓰|부르|넣|달)지\s?(?:마|말)"
)
BY_DAYTIME = re.compile(
    r"(?:아침|저녁|새벽|밤|낮|점심|주말|평일|휴일|업무 중|회의 중|운전 중|수업 중|근무 중)(?:에는|엔|에)?\s"
)
PLAINLY = re.compile(
    r"(?:반말|존댓말|높임말|경어)(?:로|을|를)?\s(?:\S+게\s)?(?:해|하자|써|쓰자|하면 돼|해도 돼|하셔도 돼요?|하세요)[.!~]*$"
)


#: "헷갈리는 게 있으면 추측하지 말고 물어봐".
NO_GUESSING = re.compile(
    r"면\s.*(?:추측|짐작|지레짐작|넘겨짚|지어내|멋대로|마음대로)\S*\s?\S*(?:지)?\s?(?:말고|않고|말아)"
)


def standing(frame: Frame, source: str) -> Finding | None:
    """A rule to keep, or None for an order of the moment."""
    named = CALLING.search(source)
    if (
        named
        and not re.search(r"다들|사람들|친구들|모두|애들|가족들|동료들|주변에서|회사에서", source)
        and (wish(frame, source) or frame.ending_tag == "EF" and not frame.asks)
        and not re.search(r"노래|뭐라고|어떻게|택시|사람", source)
    ):
        me = re.search(r"(?:^|\s)(?:나|저|날|절|나를|저를|내|제|호칭)", source) or not re.search(
            r"(?:은|는|을|를)\s", source
        )
        if me:
            return Finding(memory_type="RULE", slot=one(USER, "called"), confidence=0.9)
    if re.search(
        r"(?:솔직|직설|담백|돌려 ?말하지|짧게|간단|간결|천천히|자세히|쉽게)\S*\s(?:말고\s)?(?:말해|답해|대답해|설명해|얘기해)",
        source,
    ) and not ONE_OFF.search(source):
        return Finding(memory_type="RULE", slot=style(source), confidence=0.8)
    if re.search(
        r"말(?:을|은|씀)?\s?(?:좀\s)?(?:편하게|편히|놓)\s?(?:해|하|놔|놓|으|셔)", source
    ) and not re.search("못|불편", source):
        return Finding(memory_type="RULE", slot=one(USER, "rule:honorific", negated=True), confidence=0.85)
    if re.search(
        r"(?:말|답|설명|대답|사과|인사|존댓말|공손|정중|예의)\S*\s?(?:\S+\s)?(?:하지|쓰지|차리지|붙이지)\s?않아도|모른다고\s(?:말)?해[.!]*$",
        source,
    ) and not ONE_OFF.search(source):
        return Finding(memory_type="RULE", confidence=0.8)
    if NO_GUESSING.search(source):
        return Finding(memory_type="RULE", slot=one(USER, "rule:guessing", negated=True), confidence=0.8)
    if PLAINLY.search(source):
        return Finding(
            memory_type="RULE", slot=one(USER, "rule:honorific", negated="반말" in source), confidence=0.85
        )
    if (
        TITLES_BAN.search(source)
        or BY_DAYTIME.search(source)
        and "dont" in frame.moods
        and CONTACT.search(source)
    ):
        return Finding(memory_type="RULE", confidence=0.85)
    if BANNED_TOPIC.search(source) or WHENEVER.search(source) and not ONE_OFF.search(source):
        return Finding(memory_type="RULE", confidence=0.8)
    answers = bool(ANSWERS.search(source)) or bool(
        re.search(r"\S+(?:은|는)\s.*(?:기준|단위|형식|방식|스타일|순서|말투|위주|순)(?:으로|로)\s", source)
    )
    durable = bool(DURABLE.search(source))
    if ONE_OFF.search(source) and not re.search(r"앞으로|항상|언제나|지금부터는|이제부터", source):
        return None
    if not (answers or durable):
        return None
    if not answers and not _about_conduct(frame, source):
        return None
    return Finding(memory_type="RULE", slot=style(source), confidence=0.9 if durable else 0.8)


def _about_conduct(frame: Frame, source: str) -> bool:
    """Without a word about answers: "앞으로 …", "…할 때는 …", or a ban on calls and meetings at some time."""
    lasting = re.search(
        r"앞으로|\s때(?:는|에는|엔|마다|면|에)?\s|이제부터|다음부터|항상|언제나|매번|절대|무조건|때는|때마다|때엔|되도록|가급적|웬만하면|전에는|전엔|이후에는|이후엔|반드시|기본적으로|기본으로|경우에는|모든 |될 수 있으면",
        source,
    )
    banned = "dont" in frame.moods and CONTACT.search(source)
    return bool(lasting or banned)


def style(source: str) -> Slot | None:
    for name, pattern in STYLES:
        if pattern.search(source) and ANSWERS.search(source):
            return one(
                USER, f"rule:{name}", negated=bool(re.search(r"(?:지|진)\s?(?:마|말)|빼|금지|없이", source))
            )
    if "추천" in source:
        banned = re.search(r"([가-힣]+)(?:은|는|을|를)?\s?(?:추천하지|빼고|제외)", source)
        return many(USER, "rule:recommend", banned[1], negated=True) if banned else None
    return None
