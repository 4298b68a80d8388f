"""Facts from Korean sentences: cut into clauses, judge each, put dates and statements to what is worth keeping."""

import re
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from memoryapp import dates
from memoryapp.extract.base import Fact
from memoryapp.extract.rules import analyser, guard, korean_asked, korean_renewed, korean_requests, normalize
from memoryapp.extract.rules.analyser import Sentence
from memoryapp.extract.rules.clauses import Frame, clauses
from memoryapp.extract.rules.korean_copula import copula
from memoryapp.extract.rules.korean_rules import judge
from memoryapp.extract.rules.korean_scene import Scene
from memoryapp.extract.rules.korean_settled import settled
from memoryapp.extract.rules.korean_spoken import about_them, in_order, one_by_one, written
from memoryapp.extract.rules.korean_topic import continues, introduced, owner_of, plays, same_person
from memoryapp.extract.rules.korean_who import Subject, subject
from memoryapp.extract.rules.lexicon import FIRST_PERSON
from memoryapp.extract.rules.slots import USER, Finding, once
from memoryapp.extract.rules.times import place

REMEMBER = re.compile(
    r"^(?:(?:이거|이건|이것|이 말|그리고|참|아|이것만)\s?(?:는|은|도|만)?\s?)?(?:꼭\s?|잘\s?)?(?:기억|메모|저장|기록)(?:해|을 해|좀 해)?\s?(?:줘|주세요|둬|두세요|놔|주라|줄래|해|부탁해|부탁드려요|해둬|해줘요)?\s?[:：,\-]\s*"
    r"|^(?:꼭\s?)?(?:기억해\s?(?:줘|둬|주세요|두세요)|메모해\s?(?:줘|둬)|잊지\s?(?:마|말아\s?줘|마세요))[.!,:]?\s+"
    r"|^참고로\s?(?:말하면|말하자면|말씀드리면)?[,:]?\s*"
)
REMEMBER_TAIL = re.compile(
    r"(?:,?\s?(?:이거|이건|이걸|꼭|좀|그거|그걸|잘|이 점|이 사실))*\s?(?:(?:(?:라는|다는|는|ㄴ)\s?(?:거|것|걸|점|사실)(?:을|를|은)?\s?)?)(?:기억해|기억하고|메모해|저장해|기록해|잊지\s?(?:마|말아)|알아\s?(?:둬|두세요|줘)|참고해|외워)\s?(?:둬|줘|주세요|두세요|있어|놔|놓아|줄래|주라|주십시오|요|라|야 해|주면 좋겠어)*[.!~]*\s*$"
)
#: "이걸 메모리에 저장해": what is to be remembered is not said.
POINTING = re.compile(
    r"(?:(?:이|그|저|요)(?:걸|거|것|건|것을|거를|말|내용|정보|사실)(?:을|를|은|는|도)?|내용|정보)?\s?(?:(?:메모리|기억|기록|노트|메모|프로필|장기 ?기억)(?:에|에다)?)?"
)
HYPOTHETICAL = re.compile(
    r"로또 (?:되|맞|당첨)|당첨되면|(?:내가|제가)\s\S+(?:이|라)면\s.*(?:거야|거예요|텐데|겠|지)[.!~]*$|(?:^|\s)(?:만약|만일|혹시|가령|가정|예를 들어|예컨대|이를테면|어쩌면)(?:에|하자면)?\s|다고 (?:치자|치고|치면|하자|가정|쳐|해보자|해 보자)|라고 (?:치자|치고|치면|가정|해보자|쳐)|(?:ㄴ|는|한|인)다면|라면\s(?!다 |뭐든|무조건|사족|환장|기겁|질색|껌뻑|깜빡|정신을|진심|경기)|텐데|뻔했|(?:았|었|했|였)더라면|면 어떨까|면 어떻게 될까"
)
ROLE_PLAY = re.compile(
    r"(?:소설|드라마|영화|만화|게임|대본|시나리오|역할극|상황극|이야기) ?(?:속|에서|의 주인공|주인공|캐릭터)|주인공(?:은|이|의)|(?:지원자|글쓴이|화자|필자|발신인|발신자|신청인)(?:은|는|이|가)\s|등장인물|꿈에서|꿈에 |꿈을 꿨|^너는 |^넌 |^당신은 "
)
QUOTING = re.compile(
    r"(?:다|라|자|냐|고)고\s?(?:말했|했|하더|하셨|그랬|그러|들었|말씀|적혀|나와|나오|쓰여|하는 (?:말|글|사람|기사)|전해|주장|얘기)|(?:누가|사람들|남들|친구가|친구들?이?)(?:이|가)?\s.*더라[.!?]*$|(?:뉴스|기사|인터넷|유튜브|블로그|방송|책|티비|TV|댓글|누가|사람들|남들|친구가|친구들?이?)(?:에서|에|이|가)?\s.*(?:[다라]더라|그러더라|하더라|대요?|래요?|다네|라던데|다던데)[.!?]*$"
)
AHEAD = re.compile(
    r"기로\s?(?:했|결정|약속|합의)|예정|계획|(?:ㄹ|을|할|갈|살|볼|올) (?:거|생각|작정)|려고|해야|예약(?:해|했)|잡(?:았|아|혔)|미뤄|미루|바뀌|바꿨|연기|(?:로|까지)\s?(?:옮|당|앞당|늦|밀|조정)"
)
WH = re.compile(
    r"(?:^|\s)(?:뭐|뭘|무엇|무슨|어디|언제|누구|누가|왜|어떻게|얼마(?! 전| 안| 뒤| 후)|몇|어느|어떤)(?![가-힣]*(?:든|나\b|지 간))\S*"
)
DOCTORS = frozenset("의사 주치의 한의사 치과의사 약사 선생님".split())
#: "요즘 애들은 다 아이폰만 쓴다더라"
PEOPLE_AT_LARGE = re.compile(
    r"(?:요즘|요새|옛날)\s(?:애들|아이들|젊은|사람들|친구들|학생들|직장인들)|(?:^|\s)(?:다들|남들|사람들|누구나|한국 ?사람들?|남자들|여자들)(?:은|이|도|는)?\s"
)
ABSURD = re.compile(
    r"(?<![가-힣])(?:외계인|슈퍼맨|배트맨|대통령|천재|신|왕|여왕|공주|왕자|로봇|좀비|거지|백만장자|재벌|스파이더맨|아이언맨|세종대왕|기계|바보|멍청이)$"
)


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A finding with the clause it came from, before it is written out as a fact."""

    frame: Frame
    finding: Finding
    subject: Subject


def facts(text: str, occurred_at: datetime, zone: ZoneInfo) -> list[Fact]:
    """Every fact the Korean text states about the user or people around them."""
    found: list[Fact] = []
    who = USER
    for sentence in _ordered(text):
        new, who = _sentence(sentence, occurred_at, zone, who)
        found += new
    return found


def _ordered(text: str) -> list[Sentence]:
    """The sentences as they are read: afterthoughts put in front, what is listed told apart."""
    found: list[Sentence] = []
    lines = "\n".join(in_order(line) for line in korean_renewed.in_one(written(text)).split("\n"))
    for sentence in analyser.sentences(lines):
        for one in one_by_one(in_order(sentence.text)):
            found += [sentence] if one == sentence.text else analyser.sentences(one)
    return found


def _sentence(
    sentence: Sentence, occurred_at: datetime, zone: ZoneInfo, inherited: str
) -> tuple[list[Fact], str]:
    text, explicit = strip_remember(sentence.text)
    if not text or guard.injected(sentence.text):
        return _quarantined(sentence, explicit, occurred_at), USER
    if explicit or korean_asked.KNOWN.match(sentence.text):
        cut = analyser.sentences(text)
        if not cut:
            return [], USER
        sentence = cut[0]
    if (
        HYPOTHETICAL.search(sentence.text)
        and not explicit
        or ROLE_PLAY.search(sentence.text)
        or QUOTING.search(sentence.text)
    ):
        return [], USER
    frames, whens = _read(sentence, occurred_at, zone)
    if not frames or plays(frames):
        return [], USER
    candidates, who = _judge_all(sentence, frames, whens, occurred_at, zone, inherited, explicit)
    written = _write(sentence, frames, candidates, whens, occurred_at, explicit)
    return written, who


def strip_remember(text: str) -> tuple[str, bool]:
    """The statement without "기억해줘:", and whether it was asked to be remembered."""
    half = korean_asked.half(text)
    if half is not None:
        return half
    bare = REMEMBER.sub("", text)
    tail = REMEMBER_TAIL.sub("", bare)
    if tail != bare and tail:
        tail = tail.rstrip(" ,")
        bare = "" if POINTING.fullmatch(tail) else tail
    asked = bare != text and not text.startswith("참고로")
    return ("", True) if not (tail and bare) and bare != text else (bare.strip(), asked)


def _read(sentence: Sentence, occurred_at: datetime, zone: ZoneInfo) -> tuple[list[Frame], list[dates.When]]:
    past = bool(re.search(r"(?:았|었|했|였|갔|왔|났|됐|샀|봤)", sentence.text)) and not AHEAD.search(
        sentence.text
    )
    whens = dates.find(sentence.text, occurred_at, zone, "past" if past else "future")
    return clauses(sentence, [(w.begin, w.stop) for w in whens]), whens


def _judge_all(
    sentence: Sentence,
    frames: list[Frame],
    whens: list[dates.When],
    occurred_at: datetime,
    zone: ZoneInfo,
    inherited: str,
    explicit: bool,
) -> tuple[list[Candidate], str]:
    found: list[Candidate] = []
    who = inherited if inherited != USER and (continues(frames[0]) or same_person(frames[0])) else USER
    today = occurred_at.astimezone(zone).date()
    rule = standing_rule(frames, sentence.text)
    if rule is not None:
        return [Candidate(frame=frames[-1], finding=rule, subject=Subject(USER, False))], USER
    inside: list[dates.When] = []
    mine = whose = False
    for frame in frames:
        # "강아지 이름은 콩이고 고양이 이름은 나비야": the cat is not the dog's
        about = subject(frame, USER if whose and owner_of(frame, Subject(USER, False)) else who)
        if frame.hearsay and about.name in DOCTORS:
            about = Subject(USER, False)  # "의사가 고혈압이래": whom they spoke of
        mine = mine and not about.said or about.said and about.name == USER
        if mine and not about.said and about.name == USER:
            about = Subject(USER, True)  # "나는 서울 사람이고 스물여덟이야": I am both
        who = about.name if about.name not in ("you", "other") else USER
        whose = bool(owner_of(frame, about))
        who = owner_of(frame, about) or who
        own = [w for w in whens if frame.tokens[0].begin <= w.begin < frame.tokens[-1].stop]
        inside = own or (
            inside if frame.past or frame is frames[0] else []
        )  # "어제 민수를 만나서 사인했어": still yesterday
        scene = Scene(frame, about, inside, sentence.text, today)
        if not worth_reading(frame, sentence.text, about):
            continue
        finding = korean_requests.alias(frame.text) or _spanning_alias(sentence, frames, frame)
        finding = settled(scene, finding or _copula(scene) or judge(scene))
        if finding is not None and not _absurd(frame):
            found.append(Candidate(frame=frame, finding=finding, subject=about))
            who = introduced(frame, finding) or who
    if explicit and not _kept(found) and not frames[-1].asks:
        found.append(
            Candidate(
                frame=frames[-1],
                finding=Finding(memory_type="FACT", confidence=0.7),
                subject=Subject(USER, False),
            )
        )
    return found, who if _kept(found) else USER


def _kept(candidates: list[Candidate]) -> list[Candidate]:
    """Without those that only settle what was planned before."""
    return [c for c in candidates if not (c.finding.settles and c.finding.settles.alone)]


def _copula(scene: Scene) -> Finding | None:
    finding = copula(scene)
    return once(finding) if finding is not None and scene.frame.past else finding


def _spanning_alias(sentence: Sentence, frames: list[Frame], frame: Frame) -> Finding | None:
    return korean_requests.alias(sentence.text) if len(frames) == 1 and frame is frames[0] else None


def standing_rule(frames: list[Frame], text: str) -> Finding | None:
    last = frames[-1]
    lasting = last.requests and (
        re.search("앞으로|이제부터|항상|매번|계속|언제나", text) or korean_requests.style(text) is not None
    )
    if not lasting and (last.asks or text.rstrip().endswith("?")):
        return None
    mine = re.match(r"(?:저는|나는|난|전|우리는|저희는|저희|우리)\s", text)
    wished = (
        last.orders
        or "wish" in last.moods
        or re.search("좋겠|바라|바랍|부탁|원해|원합|싶지|싫|불러|호칭|반말|존댓말|말 ?놓|편하게", text)
    )
    if mine and not wished and last.ending_tag == "EF":
        return None  # "저는 가계부를 손으로 써요" tells, it does not ask
    unwanted = korean_requests.unwanted(text)
    if unwanted is not None:
        return unwanted
    if (
        korean_requests.wish(last, text)
        or (korean_requests.CALLING.search(text) and not korean_requests.alias(text))
        or re.search("말 ?(?:편하게|놓)", text)
    ):
        return korean_requests.standing(last, text)
    return None


def worth_reading(frame: Frame, sentence: str, about: Subject) -> bool:
    """Statements only: no questions, orders, proposals, guesses, hopes, or things said of the assistant."""
    last = frame.linked == ""
    if last and (frame.asks or sentence.rstrip().endswith(("?", "？")) or frame.proposes):
        return False
    honours = frame.ending in HONOURING and about.name != USER  # "아버지가 은퇴하시고 텃밭 가꾸세요"
    if last and (
        frame.orders
        and not (honours and about.said or honours and "give" not in frame.moods)
        or "wish" in frame.moods
        or "seems" in frame.moods
    ):
        return False
    if "want" in frame.moods or "seems" in frame.moods or about.name in ("you", "other"):
        return False
    if (
        last
        and WH.search(frame.text)
        and frame.ending_tag != "EC"
        and not re.search(r"아무|언제나|뭐든|어디든|몇 (?:번|년|달|명)", frame.text)
    ):
        return False
    if (
        frame.hearsay
        and about.name == USER
        and not re.search(
            r"(?:검진|병원|의사|검사|진단|취소|미뤄|연기|바뀌|바꼈|옮겨|당겨|밀[리려렸]|안 [가-힣]+도 [돼되된])",
            sentence,
        )
    ):
        return False
    if PEOPLE_AT_LARGE.search(frame.text) and not re.search("불러|부르|라고 해", frame.text):
        return False
    if re.search(r"번째\s?(?:가|게|안|거|것|버전|옵션|답|시안)", frame.text):
        return False  # "두 번째가 나아요": of what was offered in the talk
    if last and frame.ending.endswith(("라니", "다니", "냐니", "라니요", "다니요")):
        return False
    return frame.ending not in ("면", "으면", "라면", "다면", "거든요?") or not last


def _absurd(frame: Frame) -> bool:
    """ "나 사실 외계인이야 ㅋㅋㅋ"."""
    first = frame.phrases[0] if frame.phrases else None
    claims = (
        frame.stem == "이" and first is not None and first.head in FIRST_PERSON and len(frame.phrases) > 1
    )
    return claims and bool(ABSURD.search(frame.phrases[-1].text))


def _write(
    sentence: Sentence,
    frames: list[Frame],
    candidates: list[Candidate],
    whens: list[dates.When],
    occurred_at: datetime,
    explicit: bool,
) -> list[Fact]:
    kept = _kept(candidates)
    groups = _groups(frames, kept)
    facts = [
        _fact(sentence, frames, group, whens, occurred_at, explicit, len(groups) > 1) for group in groups
    ]
    settling = [[candidate] for candidate in candidates if candidate not in kept]
    return facts + [_fact(sentence, frames, one, whens, occurred_at, explicit, True) for one in settling]


def _groups(frames: list[Frame], candidates: list[Candidate]) -> list[list[Candidate]]:
    """Clauses joined by a reason stay one fact; clauses joined by "and" are facts of their own."""
    groups: list[list[Candidate]] = []
    for candidate in candidates:
        at = frames.index(candidate.frame)
        reason = (
            at > 0
            and frames[at - 1].linked == "because"
            and groups
            and frames.index(groups[-1][-1].frame) == at - 1
        )
        same = (
            groups
            and groups[-1][-1].finding.slot is not None
            and groups[-1][-1].finding.slot == candidate.finding.slot
        )
        dangling = (
            groups
            and candidate.finding.slot is None
            and groups[-1][-1].finding.course == candidate.finding.course == "event"
            and candidate.finding.memory_type == "EVENT"
        )
        if reason or same or dangling:
            groups[-1].append(candidate)
        else:
            groups.append([candidate])
    return groups


def _fact(
    sentence: Sentence,
    frames: list[Frame],
    group: list[Candidate],
    whens: list[dates.When],
    occurred_at: datetime,
    explicit: bool,
    several: bool,
) -> Fact:
    best = max(group, key=lambda c: (c.finding.slot is not None, c.finding.confidence))
    finding = best.finding
    covered = _covered(frames, group, several)
    statement = _statement(sentence, frames, covered, best.subject)
    begin, stop = covered[0].tokens[0].begin, covered[-1].tokens[-1].stop
    inside = [w for w in whens if begin <= w.begin < stop]
    times = place(finding, inside, occurred_at)
    confidence = min(0.95, finding.confidence + (0.1 if explicit else 0.0))
    proper = [t.form for f in covered for t in f.tokens if t.tag == "NNP"]
    names = tuple(dict.fromkeys([*finding.names, *proper]))
    nouns = tuple(
        dict.fromkeys(
            t.form for f in covered for t in f.tokens if t.tag in ("NNG", "NNP", "SL") and len(t.form) > 1
        )
    )
    return Fact(
        statement=statement, memory_type=finding.memory_type, normalized=normalize.korean(covered), slot=finding.slot, ends=finding.ends,
        confidence=confidence, occurred_at=times.occurred_at, valid_from=times.valid_from, valid_to=times.valid_to,
        keywords=nouns[:12], entities=names[:12], quarantine=finding.quarantine,
        settles=next((c.finding.settles for c in group if c.finding.settles), None),
    )  # fmt: skip


def _covered(frames: list[Frame], group: list[Candidate], several: bool) -> list[Frame]:
    """The clauses the statement is made of: all of a plain sentence with one fact, else those of the fact
    and the reasons they lean on; never a question or order behind them."""
    first, last = frames.index(group[0].frame), frames.index(group[-1].frame)
    if not several:
        tail = frames[-1]
        speaks = (
            not (
                tail.asks
                or tail.orders
                or tail.proposes
                or tail.text.rstrip().endswith("?")
                or "want" in tail.moods
            )
            or tail is group[-1].frame
        )
        return frames if speaks else frames[: last + 1] if first == 0 else frames[first : last + 1]
    while first > 0 and frames[first - 1].linked == "because":
        first -= 1
    return frames[first : last + 1]


def _statement(sentence: Sentence, frames: list[Frame], covered: list[Frame], about: Subject) -> str:
    begin, last = covered[0].tokens[0].begin, covered[-1]
    text = (
        sentence.text[begin : last.tokens[-1].stop]
        if last is frames[-1]
        else _finished(sentence, begin, last, frames[-1])
    )
    text = LEAD.sub("", re.sub(r"\s+", " ", text)).strip(" ,;:")
    named = about.name not in (USER, "you", "other") and about.name not in text
    return about_them(about.name, text) if named else text


HONOURING = frozenset(("세요", "으세요", "셔요", "으셔요"))
LEAD = re.compile(
    r"^(?:(?:안녕(?:하세요)?|저기요?|있잖아요?|음+|아+|어+|그리고|근데|그런데|그래서|참|사실은?|아무튼|네|응|맞아|글쎄)[,.!~]?\s+)+"
)


def _finished(sentence: Sentence, begin: int, frame: Frame, final: Frame) -> str:
    """A clause that went on ("저는 간호사고") as a sentence of its own ("저는 간호사예요")."""
    polite = bool(re.search(r"(?:요|니다|시오)$", final.ending)) or final.orders and final.ending in ("세요",)
    stem: list[tuple[str, str]] = []
    start = frame.tokens[-1].begin
    for token in reversed(frame.tokens):
        if token.tag in ("EC", "EF") and not stem and token is frame.tokens[-1]:
            continue
        stem.insert(0, (token.form, token.tag))
        start = token.begin
        if token.tag.split("-")[0] in ("VV", "VA", "VX", "VCP", "VCN"):
            break
    if not stem or stem[0][1].split("-")[0] not in ("VV", "VA", "VX", "VCP", "VCN"):
        if len(frame.tokens) > 2 and frame.tokens[-2].tag in ("XSV", "XSA", "EP"):
            stem = [(t.form, t.tag) for t in frame.tokens[:-1] if t.tag in ("XSV", "XSA", "EP")][-2:]
            start = next(t.begin for t in frame.tokens if t.tag in ("XSV", "XSA"))
        else:
            return sentence.text[begin : frame.tokens[-1].stop]
    if stem[0][1] == "VCP" and len(stem) == 1:
        front = (
            sentence.text[begin:start]
            if start < frame.tokens[-1].stop
            else sentence.text[begin : frame.tokens[-2].begin]
        )
        return analyser.ended(front.rstrip(), stem, polite=polite)
    return analyser.ended(sentence.text[begin:start], stem, polite=polite)


def _quarantined(sentence: Sentence, explicit: bool, occurred_at: datetime) -> list[Fact]:
    """An injected order is dropped, or held apart when it asks to be remembered."""
    if not explicit and not re.search(r"앞으로|항상|이제부터|규칙|기억", sentence.text):
        return []
    statement = sentence.text.strip()
    return [
        Fact(
            statement=statement,
            memory_type="RULE",
            normalized=re.sub(r"\s+", "", statement),
            slot=None,
            confidence=0.1,
            quarantine="looks like an injected instruction",
        )
    ]


def normalized(text: str) -> str:
    """The canonical form of a whole statement."""
    frames = [frame for sentence in analyser.sentences(text) for frame in clauses(sentence, [])]
    return normalize.korean(frames) or re.sub(r"\s+", "", text)
