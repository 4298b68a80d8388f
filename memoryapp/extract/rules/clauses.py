"""Korean sentences cut into clauses, each read as who, what, where, and what is said of it.

Kiwi gives morphemes; a Frame is what the rules look at: the noun phrases by their particles, the bare
predicate, and what its ending makes of it (denied, past, wanted, asked, ordered, promised …).
"""

import re
from dataclasses import dataclass, field

from memoryapp.extract.rules.analyser import Sentence, Token
from memoryapp.extract.rules.endings import finite, laugh
from memoryapp.extract.rules.korean_kin import kin_apart
from memoryapp.extract.rules.phrases import NOMINAL, Phrase, arguments

STEMS = frozenset({"VV", "VA", "VX", "VCP", "VCN"})
COORDINATE = frozenset(
    {
        "고",
        "고요",
        "구요",
        "고여",
        "지만",
        "는데",
        "ᆫ데",
        "은데",
        "며",
        "으며",
        "구",
        "으나",
        "나",
        "던데",
        "ᆫ데요",
        "는데요",
    }
)
CAUSE = frozenset(
    {"니까", "으니까", "어서", "아서", "라서", "길래", "므로", "으므로", "니", "으니", "느라", "거든"}
)
ASKING = re.compile(
    r"^(?:나요?|ᆯ까요?|을까요?|니|냐|느냐|으냐|는가요?|ᆫ가요?|은가요?|ᆸ니까|습니까|ᆯ래요?|을래요?|는지|ᆫ지|은지|ᆯ지|을지|ᆯ려나|려나|던가요?)$"
)
ORDERING = re.compile(
    r"^(?:어라|아라|거라|너라|세요|으세요|셔요|으셔요|십시오|으십시오|시오|렴|으렴|려무나|소서)$"
)
PROPOSING = re.compile(r"^(?:자|ᆸ시다|읍시다|자고|자고요)$")
HEARSAY = re.compile(
    r"^(?:대|대요|는대|는대요|ᆫ대|ᆫ대요|래|래요|이래|이래요|라더라|다더라|는다더라|ᆫ다더라|라던데|다던데|ᆫ답니다|답니다|랍니다|라네요?|다네요?)$"
)

_eda = r"(?:어|아|여)/EC"
_josa = r"(?: (?:은|는|ᆫ|이|가|도|을|를|ᆯ|만)/J\w+)?"
PEELS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern + "$"), mood)
    for pattern, mood in (
        (r" 고/EC (?:싶|싶어하)/VX", "want"),
        (rf" 고/EC{_josa} (?:있|계시)/VX", "going"),
        (rf" {_eda} 있/VX", "going"),
        (rf" (?:는|ᆫ)/ETM 중/NNB{_josa} (?:이/VCP|있/V\w)", "going"),
        (r" 중/NN\w (?:이/VCP|에/JKB 있/V\w)", "noun going"),
        (rf" (?:{_eda}) (?:주|달)/VX", "give"),
        (rf" (?:{_eda}) 드리/VX", ""),
        (rf" 지/EC{_josa} (?:않|아니하)/V\w", "not"),
        (rf" 지/EC{_josa} 못하/V\w", "cannot"),
        (rf" 지/EC{_josa} 말/VX", "dont"),
        (rf" (?:어야|아야|어야지|아야지)/EC{_josa} (?:하|되)/V\w", "must"),
        (rf" 기/ETN 로/JKB{_josa} (?:하|결정/NNG 하|약속/NNG 하|합의/NNG 하)/\w+", "agreed"),
        (r" (?:ᆯ|을)/ETM (?:거|것)/NNB 이/VCP", "will"),
        (rf" (?:ᆯ|을|는)/ETM (?:예정|계획|작정|생각|참)/NN\w{_josa} (?:이/VCP|있/V\w|하/XSV)", "plan"),
        (r" (?:려고|으려고|려|으려|ᆯ려고|고자)/EC 하/V\w", "plan"),
        (rf" (?:ᆯ|을)/ETM 수/NNB{_josa} 있/V\w", "can"),
        (rf" (?:ᆯ|을)/ETM 수/NNB{_josa} 없/V\w", "cannot"),
        (rf" (?:ᆫ|은)/ETM 적/NNB{_josa} 있/V\w", "once"),
        (rf" (?:ᆫ|은)/ETM 적/NNB{_josa} 없/V\w", "never"),
        (r" (?:ᆫ|은|는|ᆯ|을|던)/ETM (?:것|거)/NNB 같/V\w", "seems"),
        (r" (?:나|ᆫ가|은가|는가|ᆯ까|을까)/E\w 보/VX", "seems"),
        (r" (?:ᆯ|을)/ETM 듯/NNB (?:하/X\w+|싶/VX)", "seems"),
        (r" (?:ᆯ지|을지)/EC 도/JX 모르/VV", "seems"),
        (
            rf" (?:ᆫ다는|는다는|다는|라는)/ETM (?:말|뜻|얘기|이야기|소리|의미|거|것)/NN\w{_josa} 아니/VCN",
            "seems",
        ),
        (r" (?:는|ᆫ|은)/ETM 편/NNB 이/VCP", "tends"),
        (rf" (?:ᆯ|을)/ETM 줄/NNB{_josa} 알/VV", "skill"),
        (rf" (?:ᆯ|을)/ETM 줄/NNB{_josa} 모르/VV", "noskill"),
        (rf" 게/EC{_josa} 되/V\w", "became"),
        (rf" 기/ETN{_josa} 시작/NNG 하/XSV", "began"),
        (r" (?:면|으면|었으면|았으면)/EC (?:좋/VA|하/V\w|싶/VX)", "wish"),
        (rf" {_eda} (?:보|버리|놓|두|오|가|내|대|치우|먹)/VX", ""),
        (r" 고/EC (?:말|나)/VX", ""),
    )
)


@dataclass(slots=True)
class Frame:
    """What one clause says."""

    text: str
    tokens: tuple[Token, ...]
    ending: str = ""
    ending_tag: str = ""
    stem: str = ""
    stem_tag: str = ""
    stem_begin: int = 0
    moods: set[str] = field(default_factory=set)
    past: bool = False
    denied: str = ""  # "" | "안" | "못"
    phrases: list[Phrase] = field(default_factory=list)
    adverbs: tuple[str, ...] = ()
    context: str = ""  # the clause with the reasons before it
    linked: str = ""  # how it is joined to the next clause: "and", "because", "" at the end

    def of(self, *roles: str) -> Phrase | None:
        return next((phrase for phrase in self.phrases if phrase.role in roles), None)

    def phrases_of_givers(self) -> bool:
        """Whether somebody is named who gives: "회사가 돈을 줘" orders nothing."""
        return self.of("subject") is not None

    @property
    def asks(self) -> bool:
        return self.ending_tag == "EF" and bool(ASKING.match(self.ending))

    @property
    def orders(self) -> bool:
        given = (
            ("give" in self.moods or self.stem == "주" and not self.phrases_of_givers())
            and not self.past
            and not self.moods & {"agreed", "must", "plan", "will", "want"}
        )
        given = given or self.requests
        if (
            self.ending in ("세요", "셔요", "으세요")
            and not given
            and "dont" not in self.moods
            and any(p.role in ("topic", "subject") and p.head[-1:] in "님모마빠니지아" for p in self.phrases)
        ):
            return False  # "부모님은 전주에 사세요" honours, it does not order
        return given or "dont" in self.moods or bool(self.ending_tag == "EF" and ORDERING.match(self.ending))

    @property
    def requests(self) -> bool:
        """ "불러줄래": an order put as a question."""
        return "give" in self.moods and self.ending in ("ᆯ래", "ᆯ래요", "ᆯ 수 있어")

    @property
    def proposes(self) -> bool:
        return self.ending_tag == "EF" and bool(PROPOSING.match(self.ending))

    @property
    def hearsay(self) -> bool:
        return self.ending_tag == "EF" and bool(HEARSAY.match(self.ending))


def clauses(sentence: Sentence, skip: list[tuple[int, int]]) -> list[Frame]:
    """The clauses of a sentence. `skip` are places of dates, which are no arguments of any predicate."""
    frames: list[Frame] = []
    begin = 0
    tokens = sentence.tokens
    for at in range(len(tokens)):
        linked = _joint(tokens, at)
        if linked or at == len(tokens) - 1:
            part = tokens[begin : at + 1]
            frame = _frame(sentence.text, part, skip)
            frame.linked = linked
            leads = frames and frames[-1].linked == "because"
            frame.context = f"{frames[-1].context} {frame.text}" if leads else frame.text
            frames.append(frame)
            begin = at + 1
    if (
        frames
        and frames[-1].ending_tag == "EC"
        and frames[-1].ending in ("어", "아", "지", "ᆫ다", "는다", "다")
    ):
        frames[-1].ending_tag = "EF"  # without a stop Kiwi takes "계약이 끝나" for a beginning
    if frames and frames[-1].ending in ("려고", "으려고", "려고요", "으려고요"):
        frames[-1].moods.add("plan")  # "다음 달부터 수영 배우려고": what one does is left out
        frames[-1].ending_tag = "EF"
    return [frame for frame in frames if any(t.tag in STEMS or t.tag in NOMINAL for t in frame.tokens)]


def _joint(tokens: tuple[Token, ...], at: int) -> str:
    """Whether a clause ends with this morpheme, and how it leans on the next one."""
    token = tokens[at]
    rest = [t for t in tokens[at + 1 :] if t.tag not in ("SP", "SF", "SE", "MAG", "JX")]
    if token.tag == "EF" and rest and rest[0].tag not in ("SF", "SE", "SSC", "SW", "SP"):
        return "and"  # "나 부산 살아 직업은 간호사야": two sentences without a stop
    comma = at + 1 < len(tokens) and tokens[at + 1].tag == "SP"
    if (
        token.tag == "EC"
        and comma
        and rest
        and token.form in ("에요", "예요", "어요", "아요", "거든요", "ᆸ니다")
    ):
        return "and"  # "김하나예요, 개명했어요": a sentence that ends in a comma
    if token.tag != "EC" or not rest or rest[0].tag == "VX":
        return ""  # "하고 싶어": one predicate
    modifies = len(rest) > 1 and rest[1].tag == "ETM"
    if _gives_reason(tokens, at):
        return "because"
    if token.form in ("지만", "는데", "ᆫ데", "은데"):
        return "and"
    if rest[0].tag.split("-")[0] in STEMS and not modifies:
        return ""  # "타고 다녀", "걸어서 가": one predicate
    before = tokens[at - 1]
    if (
        (before.form == "말" and before.tag in ("VV", "VX") or before.tag == "VCN" and token.form == "고")
        and at > 1
        and tokens[at - 2].tag != "EC"
    ):
        return ""  # "판교 말고 정자"
    if token.form in COORDINATE:
        return "and"
    if token.form in CAUSE or token.form in ("라", "이라") and before.tag == "VCP":
        return "because"
    if (
        token.form in ("어", "아", "어요", "야")
        and before.tag in STEMS | {"XSV", "XSA"}
        and rest[0].tag in ("NP", "NNG", "NNP")
    ):
        return (
            "and"
            if any(t.tag in ("EF",) for t in tokens[at + 1 :]) and _own_subject(tokens[at + 1 :])
            else ""
        )
    return ""


def _gives_reason(tokens: tuple[Token, ...], at: int) -> bool:
    """ "심해서 못 먹어요", "있어서 힘들어요": after what is so, "-어서" gives a reason; after a deed it may be one
    predicate with the next ("걸어서 가")."""
    token, before = tokens[at], tokens[at - 1]
    if token.form in ("니까", "으니까", "길래", "거든"):
        return True
    if token.form in ("라", "이라") and before.tag == "VCP":
        return True
    if token.form not in ("어서", "아서", "라서", "이라서") or before.tag == "VX":
        return False
    if before.form in ("되", "하") and at > 1 and tokens[at - 2].form in ("어야", "아야"):
        return True  # "보고서 내야 돼서 정신없어"
    being = before.tag.split("-")[0] in ("VA", "XSA", "VCP")
    more = any(t.tag in NOMINAL and t.tag != "NNB" for t in tokens[at + 1 :])
    unable = at > 1 and tokens[at - 2].tag == "MAG" and tokens[at - 2].form in ("못", "안")
    return before.form in ("있", "없", "심하") or being and more or unable


def _own_subject(tokens: tuple[Token, ...]) -> bool:
    return any(
        token.tag in ("JX", "JKS") and token.form in ("은", "는", "이", "가", "ᆫ") for token in tokens[:4]
    )


def _frame(text: str, tokens: tuple[Token, ...], skip: list[tuple[int, int]]) -> Frame:
    core = list(tokens)
    while core and core[-1].tag in ("SF", "SP", "SE", "SSC", "SW", "IC", "W_EMOJI") or laugh(core):
        core.pop()
    frame = Frame(text=text[tokens[0].begin : tokens[-1].stop].strip(" ,"), tokens=tuple(core))
    core = finite(core)
    if core and core[-1].tag == "JX" and core[-1].form in ("요", "고요"):
        core.pop()
    if core and core[-1].tag in ("EF", "EC", "ETN"):
        frame.ending, frame.ending_tag = core[-1].form, core[-1].tag
        core.pop()
    stop = _peel(core, frame)
    _predicate(core[:stop], frame)
    frame.phrases = arguments(
        text, [t for t in core[:stop] if t.begin < frame.stem_begin or not frame.stem], skip
    )
    frame.adverbs = tuple(t.form for t in core[:stop] if t.tag in ("MAG", "MAJ"))
    frame.phrases = kin_apart(frame.phrases, frame.stem)
    _light_verb(frame)
    if (
        frame.stem == "사"
        and not frame.of("object")
        and (frame.of("at") or re.search("같이|함께|혼자", frame.text))
    ):
        frame.stem = "살"  # "전주에 사세요": 살 drops its ㄹ
    if (
        frame.stem_tag == "VA"
        and frame.stem.endswith("하")
        and (frame.of("object") or frame.of("bare") and "때" in frame.text)
    ):
        frame.stem_tag = "VV"  # "거실을 청정해": with an object it is done, whatever Kiwi says
    return frame


def _peel(core: list[Token], frame: Frame) -> int:
    """Takes auxiliaries off the end of the predicate into `frame.moods`; returns how many tokens stay."""
    stop = len(core)
    while True:
        while stop and core[stop - 1].tag == "EP":
            form = core[stop - 1].form
            frame.past |= form in ("었", "았", "였", "었었", "았었", "했")
            if form == "겠":
                frame.moods.add("would")
            stop -= 1
        tail = "".join(f" {t.form}/{t.tag}" for t in core[max(0, stop - 7) : stop])
        for pattern, mood in PEELS:
            found = pattern.search(tail)
            if found:
                frame.moods.update(mood.split())
                stop -= found[0].count("/")
                break
        else:
            return stop


def _predicate(core: list[Token], frame: Frame) -> None:
    """The stem: "먹", "일하" (noun + 하), "이" (copula), "" when the clause has no predicate."""
    if not core:
        return
    last = core[-1]
    if last.tag.split("-")[0] in ("XSV", "XSA") and len(core) > 1:
        frame.stem, frame.stem_tag, frame.stem_begin = (
            core[-2].form + last.form,
            "VV" if last.tag.startswith("XSV") else "VA",
            core[-2].begin,
        )
        if core[-2].tag == "XSN" and len(core) > 2:
            frame.stem, frame.stem_begin = core[-3].form + frame.stem, core[-3].begin
    elif "noun" in frame.moods and last.tag == "NNG":  # "유학 중이야" says "유학하고 있어"
        frame.stem, frame.stem_tag, frame.stem_begin = last.form + "하", "VV", last.begin
    elif last.tag.split("-")[0] in STEMS:
        frame.stem, frame.stem_tag, frame.stem_begin = last.form, last.tag.split("-")[0], last.begin
        if last.tag == "VX" and (len(core) < 2 or core[-2].tag != "EC"):
            frame.stem_tag = "VV"  # "티빙 봐": an auxiliary leans on a verb
        if last.tag.startswith("VCN"):
            frame.denied = "안"
    else:
        frame.stem_begin = last.stop + 1
        return
    before = [t.form for t in core if t.tag == "MAG" and t.begin < frame.stem_begin]
    near = before[-1:] if before else []
    if near and near[0] in ("안", "못"):
        frame.denied = near[0]
    if last.form == "못하" or {"cannot", "never", "noskill"} & frame.moods:
        frame.denied = "못"
    if "not" in frame.moods:
        frame.denied = "" if frame.denied else "안"


def _light_verb(frame: Frame) -> None:
    """ "축구를 하다" says what "축구하다" says."""
    if frame.stem not in ("하", "시키", "되") or frame.stem_tag != "VV" or "오래" in frame.adverbs:
        return
    for roles in (("object",), ("bare",), ("topic",), ("from",), ("only",)):
        for phrase in reversed(frame.phrases):
            if phrase.role in roles and phrase.nouns and phrase.nouns[-1].tag in ("NNG", "NNP", "SL", "XSN"):
                if roles == ("topic",) and not _verbal(phrase.head):
                    continue
                frame.stem = phrase.head + frame.stem
                if len(phrase.nouns) == 1:
                    frame.phrases.remove(phrase)
                return


def _verbal(noun: str) -> bool:
    return noun in (
        "출퇴근",
        "운동",
        "결혼",
        "공부",
        "요리",
        "청소",
        "빨래",
        "산책",
        "면도",
        "샤워",
        "식사",
        "화장",
        "운전",
        "술",
        "담배",
        "게임",
        "회의",
        "저축",
        "투자",
        "주식",
        "통근",
        "통학",
        "장보기",
        "쇼핑",
    )
