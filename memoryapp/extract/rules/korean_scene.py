"""One Korean clause being judged, and what every rule asks of it."""

import re
from dataclasses import dataclass
from datetime import date

from memoryapp.dates import When
from memoryapp.extract.rules.clauses import Frame
from memoryapp.extract.rules.korean_who import Subject, words
from memoryapp.extract.rules.lexicon import (
    PLACE_TAIL,
    PLACES,
    RECURRING,
)

PEOPLE = re.compile(
    r"(?:사람|남자|여자|짝남|짝녀|그녀|애인|전남친|전여친|구남친|구여친|오빠|언니|선배|후배|친구|남친|여친|아이돌 오빠|분)$"
)
VAGUE_GOOD = re.compile(
    r"(?:느낌|기분|날씨|분위기|성격|사이|몸|머리|결과|반응|성능|품질|평|운|하루|컨디션|목소리|하늘|마음|말|생각|이유|기억|소식|곳|날|데)$"
)
FREQUENT = re.compile(
    r"(?:두|세|네|다섯|여섯|\d+)\s?(?:주|달|해|년|개월|시간)에\s?(?:한|두|세|네|\d+)\s?번|(?<!\d)(?:주|월|일|하루|연|한 주|일주일|한 달|한달|이틀|사흘|보름|1년|일 년)(?:에|엔)?\s?(?:책 |물 |커피 |영화 |담배 |맥주 |글 |운동 |술 |약 )?(?:\d+|한|두|세|네|다섯|여섯|일곱|열)\s?(?:번|회|일|시간|잔|알|개|정|권|km|킬로|분|끼|리터|ℓ|L|ml|보|걸음|페이지|장|쪽|세트|바퀴|병|캔|갑|단어|문제|편|통|만)|마다|(?<![가-힣])매(?:일|주|달|월|년|번|학기|분기|해)(?=\s|$|마다|에)|날엔|날이면|자마자\s|평일|주말(?:에는|엔|이면|마다|에만)|(?:ㄹ|을|할|갈|볼|쓸|잘|올|일할|먹을|만들|마실|살|탈) 때(?:는|마다|면|엔|에는)|[가-힣]+ 때(?:는|엔|마다)\s|(?<!이번 )(?<!다음 )(?<!지난 )(?<!다음)(?<!지난)(?<!오는 )주말에|요일(?:에는|엔|은|이면|에만)|(?:출근|퇴근|점심|저녁|식사|운동|자기|취침|아침)\s?(?:길에|전에|후에|하고 나서)|(?:아침|저녁|새벽|밤|점심)(?:에는|엔|이면|은)|시쯤|(?:^|\s)꼭\s|휴일(?:에는|엔)|(?:전|후|이후|지나서)(?:에는|엔|에만|에)\s(?:꼭|무조건|항상|반드시|절대|안|못|주로|보통)|시 (?:전|이후)(?:에는|엔)|월수금|화목|주중(?:에는|엔)|"
    r"(?:끝나면|퇴근하면|일어나면|출근하면|집에 (?:가|오)면|나면|비 오면|비가 오면|눈 오면|심심하면|받으면|우울하면|틈나면|힘들면|피곤하면|화나면|여유 있으면)\s(?:\S+\s)*(?:바로|꼭|항상|보통|무조건|주로|늘|일단|\S+(?:를|을|에) )"
)
USUALLY = re.compile(r"(?:^|\s)(?:" + "|".join(sorted(RECURRING)) + r")(?:에|로|으로|엔|에는|은|는)?\s")
BY_DAY = re.compile(r"[월화수목금토일]요일")


@dataclass(slots=True)
class Scene:
    """One clause being judged: its frame, who it is about, the dates in it, what the sentence says around it."""

    frame: Frame
    subject: Subject
    whens: list[When]
    source: str  # the sentence
    today: date

    @property
    def who(self) -> str:
        return self.subject.name

    @property
    def text(self) -> str:
        return self.frame.text

    @property
    def dated(self) -> bool:
        return bool(self.whens)

    @property
    def past_dated(self) -> bool:
        """A date that is worth keeping: not "오늘" or "방금"."""
        vague = re.search(r"얼마 전|최근에|며칠 전|요전에|지난번에|엊그제", self.text)
        return bool(vague) or any(
            not re.match("오늘|금일|이번 주$", self.source[w.begin : w.stop]) for w in self.whens
        )

    @property
    def denied(self) -> bool:
        return bool(self.frame.denied)

    @property
    def ended(self) -> bool:
        """ "이제 안", "더 이상": what was so is no longer."""
        return self.denied and bool(
            re.search(r"이제|더\s?이상|더는|앞으로는|이젠|요즘은|요새는|인제", self.text)
        )

    @property
    def recurring(self) -> bool:
        adverb = any(a in RECURRING for a in self.frame.adverbs) or bool(USUALLY.search(self.frame.context))
        weekday = BY_DAY.search(self.text) and not self.dated and not self.frame.past
        return adverb or bool(FREQUENT.search(self.frame.context)) or bool(weekday)

    @property
    def conditional(self) -> bool:
        """Holds only under a condition, so it cannot deny the general fact: "두 시 넘으면 안 마셔"."""
        return bool(
            re.search(
                r"(?:면|때는?|이후|전에|까지|오전|오후|저녁|밤|아침|새벽|에는|엔|에만|때문에 지금)\s",
                self.text,
            )
        )


CLOCK = re.compile(
    r"^(?:예전|옛날|전|작년|지난주|지난달|이번 주|최근)$|(?:\d+|[한두세네]|다섯|여섯|일곱|여덟|아홉|열|열한|열두)\s?시(?:\s|$|쯤|경|에|까지|부터)|요일|오전|오후|새벽|^(?:아침|저녁|밤|주말|평일|매주|격주|일주일|하루|한 달|한달|이틀|주|1년|일 년)$"
)


def at(scene: Scene, *roles: str) -> str:
    own = scene.subject.who.phrase if scene.subject.who else None
    found = [
        p
        for p in scene.frame.phrases
        if p.role in roles
        and p is not own
        and not CLOCK.search(p.text)
        and any(t.tag != "NP" for t in p.tokens)
    ]
    return words(found[0], scene.source) if found else ""


def is_place(text: str) -> bool:
    last = text.split()[-1] if text.split() else ""
    return last in PLACES or bool(PLACE_TAIL.search(last)) or any(w in PLACES for w in text.split())


def bare_place(scene: Scene) -> str:
    for phrase in scene.frame.phrases:
        if phrase.role in ("bare", "topic", "object") and is_place(phrase.text):
            return phrase.text
    return ""
