"""What somebody is, in Korean clauses with a copula: "서른두 살", "개발자", "INFP", "채식주의자"."""

import re

from memoryapp.extract.rules.korean_scene import PEOPLE, Scene, is_place
from memoryapp.extract.rules.korean_scores import lasted
from memoryapp.extract.rules.korean_who import Who, is_name
from memoryapp.extract.rules.lexicon import CONDITIONS, JOB_TAIL, JOBS, PETS, RELATIONS, SURNAMES
from memoryapp.extract.rules.phrases import Phrase
from memoryapp.extract.rules.slots import USER, Finding, many, marital, one

AGE = re.compile(r"(?:\d{1,3}|[가-힣]{1,4})\s?(?:살|세|개월)$")
BORN = re.compile(r"(?:\d{2,4}\s?년\s?\d{0,2}월?\s?\d{0,2}일?\s?생|\d{2,4}년도?\s?생)$")
BLOOD = re.compile(r"^(?:RH[+-]\s?)?(?:A|B|O|AB)\s?형$", re.IGNORECASE)
MBTI = re.compile(r"^[EI][NS][TF][JP](?:-[AT])?$", re.IGNORECASE)
DIET = re.compile(r"채식주의자?|비건|베지테리언|페스코|락토|오보|키토|글루텐 ?프리|할랄|코셔")
FAITH = re.compile(
    r"(?:기독교|개신교|천주교|가톨릭|불교|이슬람|무슬림|무교|무신론|원불교|유대교|힌두교)(?:인|도|자|신자|교인)?\s?(?:신자)?$|(?:신자|교인|불자)$"
)
TRAITS = re.compile(
    r"(?:(?:아침형|저녁형|올빼미형|야행성|계획형|즉흥적인|내향적인|외향적인|예민한|꼼꼼한|느긋한|집에 있는|혼자 있는)\s?(?:인간|사람|타입|스타일|성격)|왼손잡이|장롱면허|평발|오른손잡이|양손잡이|아침형|저녁형|올빼미형|올빼미|야행성|집순이|집돌이|길치|음치|몸치|기계치|박치|외동|외동딸|외동아들|장남|장녀|막내|맏이|첫째|둘째|미혼|기혼|싱글|돌싱|비혼주의자?|초보운전|초보|내향적|외향적|완벽주의자|미니멀리스트|비흡연자|흡연자|유부남|유부녀|애묘인|애견인|다둥이|예비 ?(?:엄마|아빠|신랑|신부)|싱글맘|워킹맘|맥시멀리스트|색맹|색약|난시|근시|임산부|임신부|재택근무자?)$"
)
UNDER_WAY = re.compile(
    r"(?:준비|공부|다이어트|임신|휴직|육아휴직|휴학|연애|구직|취업 ?준비|치료|재활|복용|이직 ?준비|운동|단식|금주|금연|저축|별거|항암|교정|수험|인턴|파견|출장|여행|휴가|배우는|다니는|키우는|사귀는|만드는|준비하는|공부하는|개발하는|쓰는|찾는|알아보는|구하는|진행하는|근무하는)\s?중$"
)


def what(scene: Scene) -> Phrase | None:
    """The noun phrase in front of the copula."""
    rest = [
        p
        for p in scene.frame.phrases
        if p.role
        in ("bare", "complement", "or", "till", "from", "in", "at", "to", "only", "every", "dative", "with")
    ]
    return rest[-1] if rest else None


def value_of(scene: Scene) -> str:
    found = what(scene)
    if found is None:
        return ""
    stop = (
        0 if found.role == "complement" else scene.frame.stem_begin
    )  # "팀장이 아니에요": without its particle
    text = scene.source[found.tokens[0].begin : max(stop, found.tokens[-1].stop)]
    return re.sub(r"\s+", " ", text).strip(" '\"‘’“”")


def owner_of(scene: Scene, thing: Who | None) -> str:
    return thing.owner if thing and thing.owner else scene.who


def identity(scene: Scene, thing: Who | None, negated: bool) -> Finding | None:
    """What somebody is: "서른두 살", "개발자", "INFP", "채식주의자", "민지"."""
    value, who = value_of(scene), scene.who
    if thing is not None and thing.owner == "" and scene.subject.who is None:
        if not re.search(r"장롱면허|초보|무경험", value) and not (
            AGE.search(value) and " " not in thing.thing and re.search(r"살|개월", value)
        ):
            return None
        who = thing.thing  # only the living have an age: "보리는 다섯 살이야"
    said = scene.subject.said
    of_a_group = not said and thing is None and {"다", "모두", "전부"} & set(scene.frame.adverbs)
    if not value or who == "other" or of_a_group:
        return None
    last = value.split()[-1]
    bare = value.replace(" ", "")
    if (
        re.fullmatch(r"(?:스물|서른|마흔|쉰|예순|일흔|여든)(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)?", bare)
        and said
        or AGE.search(value)
        and re.search(r"\d|살|서른|마흔|쉰|스무|스물|열", value)
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "age"), confidence=0.9)
    ongoing = lasted(value, who)
    if ongoing is not None and not (value.split()[0] in JOBS or JOB_TAIL.search(value.split()[0])):
        return ongoing
    if ongoing is not None:
        return Finding(memory_type="PROFILE", slot=one(who, "occupation"), confidence=0.85)
    if re.search(r"[가-힣A-Za-z]\s?(?:유저|사용자)$", value) and not negated:
        return Finding(memory_type="FACT", slot=many(who, "uses", re.sub(r"\s?(?:유저|사용자)$", "", value)))
    if (
        is_place(value)
        and re.search(r"살(?:았|다가|던)", scene.source)
        and re.search(r"지금은|이제는|현재|요즘은", scene.text)
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "residence"), confidence=0.85)
    contact = re.fullmatch(r"[\w.+-]+@[\w.-]+|0\d{1,2}-?\d{3,4}-?\d{4}", bare)
    unasked = who == USER and not scene.frame.of("topic", "subject") and not negated
    if contact and (unasked or re.search(r"번호|메일|연락처|바뀌|바꿨|새로", scene.source)):
        return Finding(
            memory_type="PROFILE", slot=many(who, "email" if "@" in bare else "phone", bare), confidence=0.85
        )
    if who == USER and not negated and re.search(r"[가-힣](?:로|길)\s?\d+(?:번지|호|동|층|-\d+|\s)*$", value):
        return Finding(memory_type="PROFILE", slot=one(who, "address"), confidence=0.85)
    if re.search(r"^임신\s", value):
        return Finding(memory_type="PROFILE", slot=many(who, "health", "임신"), confidence=0.85)
    if BORN.search(value) or re.search(r"\d\s?년생", scene.text):
        return Finding(memory_type="PROFILE", slot=one(who, "birthday"), confidence=0.9)
    if (
        scene.frame.past
        and re.search(r"(?:때|시절|시절에|예전에|전에|원래|한때)\s", scene.text)
        and not negated
    ):
        role = (
            last in JOBS
            or JOB_TAIL.search(last)
            or re.search(r"(?:선수|반장|회장|부장|전공|출신|지망생|팬|단원|임원|대원|병)$", last)
        )
        return Finding(memory_type="FACT", course="event") if role else None
    if re.fullmatch(
        r"(?:쥐|소|호랑이|토끼|용|뱀|말|양|원숭이|닭|개|돼지)띠|(?:물병|물고기|양|황소|쌍둥이|게|사자|처녀|천칭|전갈|사수|염소)자리",
        bare,
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "zodiac"), confidence=0.85)
    if MBTI.match(bare):
        return Finding(memory_type="PROFILE", slot=one(who, "mbti"), confidence=0.9)
    if re.search(r"(?:^|\s)키[가는도]", scene.source) and re.match(r"^1[3-9]\d", bare):
        return Finding(memory_type="PROFILE", slot=one(who, "height"), confidence=0.85)
    if BLOOD.match(value):
        return Finding(memory_type="PROFILE", slot=one(who, "blood_type"), confidence=0.9)
    if DIET.search(value):
        return Finding(memory_type="PROFILE", slot=one(who, "diet", negated=negated), confidence=0.9)
    if FAITH.search(value):
        return Finding(memory_type="PROFILE", slot=one(who, "religion", negated=negated), confidence=0.85)
    if re.search(r"(?:출신|사람|토박이|분)$", value) and is_place(
        re.sub(r"\s?분$", "", value).replace("사람", " ").replace("출신", " ").replace("토박이", " ").strip()
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "hometown"), confidence=0.85)
    if re.search(
        r"(?:한국인|미국인|일본인|중국인|영국인|프랑스인|독일인|캐나다인|호주인|외국인|교포|재미교포|베트남인|[가-힣]{2,}계)$",
        value,
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "nationality", negated=negated), confidence=0.85)
    if (
        last in JOBS
        or JOB_TAIL.search(last)
        or re.search(r"학년(?:생)?$|(?:년|개월)\s?차(?:\s?[가-힣]+)?$", value)
    ):
        if (
            not said
            and scene.frame.linked != "because"
            and not ((last in JOBS or re.search(r"학년(?:생)?$", value)) and scene.frame.ending_tag == "EF")
        ):
            return None
        return Finding(memory_type="PROFILE", slot=one(who, "occupation", negated=negated), confidence=0.9)
    single = re.search(r"(?:미혼|싱글|솔로|돌싱|이혼남|이혼녀)$", value)
    if (single or re.search(r"(?:기혼|기혼자|유부남|유부녀)$", value)) and (said or who == USER):
        return Finding(
            memory_type="PROFILE", slot=marital(who, married=bool(single) == negated), confidence=0.85
        )
    if re.search(r"[가-힣A-Za-z]{2,}\s?(?:팀|부서|본부)$", value) and (said or "아니라" in scene.text):
        return Finding(memory_type="PROFILE", slot=one(who, "team", negated=negated), confidence=0.8)
    if TRAITS.search(value) and (said or who == USER):
        return Finding(memory_type="PROFILE", slot=many(who, "trait", last, negated=negated), confidence=0.85)
    if CONDITIONS.search(last) and (
        said or scene.frame.ending_tag == "EF" or scene.frame.linked == "because"
    ):
        return Finding(memory_type="PROFILE", slot=many(who, "health", last, negated=negated))
    if re.search(r"팬$|덕후$|마니아$|매니아$|러버$|광$|빠$", value) and not PEOPLE.search(value):
        return Finding(
            memory_type="PREFERENCE",
            slot=many(
                who,
                "likes",
                re.sub(r"\s?(?:의 |왕|찐|열혈)*(?:팬|덕후|마니아|매니아|러버|광|빠)$", "", value),
                negated=negated,
            ),
        )
    if UNDER_WAY.search(value):
        return Finding(memory_type="FACT", slot=many(who, "does", re.sub(r"\s?중$", "", value)))
    if re.search(r"(?:전공|부전공|학과|학부)$", value):
        return Finding(memory_type="PROFILE", slot=one(who, "major"))
    if (
        last in PETS | {"믹스견", "코숏", "코리안숏헤어", "수컷", "암컷"}
        or re.search(r"(?:견|묘|종)$", last)
        and who not in (USER,)
    ):
        return Finding(memory_type="PROFILE", slot=one(who, "kind")) if who != USER else None
    if last in RELATIONS and said and who != USER and re.search(r"(?:내|제|우리|저희)\s", scene.text):
        return Finding(memory_type="PROFILE", slot=one(who, "relation"))
    if re.search(r"(?:^|\s)[초중고대][1-6]$", value):
        return Finding(memory_type="PROFILE", slot=one(who, "occupation"), confidence=0.85)
    introduces = (
        not scene.frame.of("topic", "subject")
        and re.search(r"(?:입니다|이에요|예요)[.!]?$", scene.text)
        and re.fullmatch(r"[가-힣]{3}", value.split()[-1])
    )
    if who == USER and not negated and (said or introduces) and _names_person(scene, bool(introduces)):
        return Finding(memory_type="PROFILE", slot=one(USER, "name"), confidence=0.9)
    kin = who in RELATIONS and scene.subject.said
    if (
        said
        and (who == USER and not scene.frame.past or kin)
        and not scene.frame.moods - {"tends"}
        and _plain_noun(scene, value)
    ):
        return Finding(
            memory_type="PROFILE", slot=many(who, "trait", value, negated=negated), confidence=0.65
        )
    return None


NO_IDENTITY = re.compile(
    r"(?:상태|생각|입장|편|기분|느낌|차례|거|것|때|사람|중|뿐|듯|정도|지경|노릇|처지|문제|잘못|바보|천재|부자|거지|최고|별로|반대|찬성|동의|오늘|내일|모레|마음|심정|의견|답|말|얘기|뜻|일|팔자|운명|스타일|완료|끝|시작|처음|"
    r"마지막|걱정|고민|멘붕|대만족|만족|실망|후회|감동|행복|불행|혼란|궁금|여기|거기|저기|집|밖|회사|이유|탓|덕분|상황|꿈|친구|노예|호구|멍청이|등신|쓰레기|괜찮|다행|진심|농담|신|왕|외계인|로봇|데|줄|수|누구|뭐|이거|그거)$"
)


def _plain_noun(scene: Scene, value: str) -> bool:
    """Whether "나는 X야" names a lasting kind of person; the noun alone decides, feelings and deixis are none."""
    phrase = what(scene)
    if (
        phrase is None
        or phrase.role != "bare"
        or NO_IDENTITY.search(value)
        or re.search(r"ㅋㅋ|ㅎㅎ|ㅠ", scene.source)
        or re.search(r"지금|방금|오늘", scene.text)
    ):
        return False
    return all(
        t.tag in ("NNG", "NNP", "XSN", "XPN", "SL", "JKG", "SN", "NNB", "SP", "SW", "XR")
        for t in phrase.tokens
    ) and phrase.nouns[-1].tag in ("NNG", "NNP", "XSN", "SL")


def _names_person(scene: Scene, with_surname: bool = False) -> bool:
    phrase = what(scene)
    nouns = [t for t in phrase.nouns if t.tag != "XSN"] if phrase else []
    return len(nouns) == 1 and is_name(nouns[0], "") and (not with_surname or nouns[0].form[0] in SURNAMES)
