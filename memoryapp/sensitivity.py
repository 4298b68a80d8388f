"""How sensitive a text is, and where: identity numbers, cards, accounts, phones, addresses, secrets.

Pure and offline. A label is only a floor: `raise_to` may lift it, nothing lowers it. Detection works on a view
of the text in which full-width, spaced and spelt-out digits ("공일공 일이삼사 …") are plain digits; every
character of the view knows its place in the text, so exactly the sensitive span is masked.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from memoryapp.digits import ENGLISH, View, digits_of, iban, luhn, view

Label = Literal["normal", "pii", "restricted", "unknown"]
Detected = Literal["normal", "pii", "restricted"]

MASK = "●●●●"
RANK: dict[str, int] = {"normal": 0, "unknown": 0, "pii": 1, "restricted": 2}


@dataclass(frozen=True, kw_only=True)
class Span:
    """A sensitive piece of a text: text[begin:stop]."""

    begin: int
    stop: int
    level: Detected
    kind: str


def normalise(label: object) -> Label:
    """ "PII" → pii; anything that is not one of the three known labels → unknown, never normal."""
    known = label.strip().lower() if isinstance(label, str) else ""
    if known == "normal":
        return "normal"
    if known == "pii":
        return "pii"
    return "restricted" if known == "restricted" else "unknown"


def raise_to(label: str, detected: str) -> Label:
    """The stricter of the two. A label is never lowered; unknown stays unknown unless something was found."""
    own, found = normalise(label), normalise(detected)
    return found if RANK[found] > RANK[own] else own


def detect(text: str) -> Detected:
    """The strictest level found in the text."""
    levels = {span.level for span in spans(text)}
    if "restricted" in levels:
        return "restricted"
    return "pii" if "pii" in levels else "normal"


def detect_in(texts: Iterable[str]) -> Detected:
    """The strictest level found in any of them; what only looks like a number across two of them is none."""
    return detect("\n\n".join(texts))


def mask(text: str, label: str = "pii") -> str:
    """The text with exactly its sensitive spans masked; masked whole when nothing can be located.

    With `label` "restricted" and nothing restricted found, what makes it so is somewhere else: masked whole.
    """
    found = spans(text)
    located = found and (normalise(label) != "restricted" or any(s.level == "restricted" for s in found))
    if not located:
        return MASK
    pieces, at = [], 0
    for span in found:
        pieces += [text[at : span.begin], MASK]
        at = span.stop
    return "".join([*pieces, text[at:]])


def beside(text: str, label: str = "normal") -> str:
    """The text as it is shown next to what carries `label`: in the open, unless it holds something stricter."""
    level = detect(text)
    return text if RANK[level] <= RANK[normalise(label)] else mask(text, level)


def spans(text: str) -> list[Span]:
    """Every sensitive piece in the order of the text, none overlapping; overlaps are merged, strictest level kept."""
    seen = view(text)
    merged: list[Span] = []
    for span in sorted(_raw_spans(seen), key=lambda span: (span.begin, -span.stop)):
        if merged and span.begin < merged[-1].stop:
            last = merged.pop()
            strict = span if RANK[span.level] > RANK[last.level] else last
            span = Span(
                begin=last.begin, stop=max(last.stop, span.stop), level=strict.level, kind=strict.kind
            )
        merged.append(span)
    return merged


def _raw_spans(seen: View) -> list[Span]:
    found = []
    for detector in DETECTORS:
        for match in detector.pattern.finditer(seen.text):
            group = "hit" if "hit" in detector.pattern.groupindex else 0
            if detector.accepts(match, group):
                begin, stop = seen.place(match.start(group), match.end(group))
                found.append(Span(begin=begin, stop=stop, level=detector.level, kind=detector.kind))
    return found


@dataclass(frozen=True)
class Detector:
    """A pattern over the view; `hit` is the group to mask. `check` sees the digits of the hit."""

    kind: str
    level: Detected
    pattern: re.Pattern[str]
    check: str = ""
    around: re.Pattern[str] | None = None

    def accepts(self, match: re.Match[str], group: str | int) -> bool:
        hit = match[group]
        if self.check == "luhn" and not luhn(digits_of(hit)):
            return False
        if self.check == "iban" and not iban(hit):
            return False
        if self.around is None:
            return True
        before, after = (
            match.string[max(0, match.start(group) - 24) : match.start(group)],
            match.string[match.end(group) :],
        )
        return bool(self.around.search(before) or self.around.search(after[:16]))


def _near(words: str) -> re.Pattern[str]:
    return re.compile(words, re.IGNORECASE)


_gap = r"[\s\-–—.·/]{0,3}"
_spelt = rf"(?:{'|'.join(ENGLISH)})"
_no_digit = r"(?<![\d.,])"
_end = r"(?!\d)(?![.,]\d)"
_birth6 = r"\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
_value = r"(?:[:=]|은|는|이|가|으로|로|\s|is|are|to|was|번호|코드)*"
_unit = r"(?!\s?(?:시(?!\s?[가-힣]+[구군])|분|초|명|개|층|번째|일(?![가-힣0-9])|월|년|원|호선|번\s?출구|차|박|잔|권|km|m\b|km|킬로|미터|도\b|배|%|퍼|점|가지|주))"

DETECTORS: tuple[Detector, ...] = (
    # resident and foreigner registration numbers; those issued since 2020-10 have no valid check digit, so none is asked for
    Detector("resident", "restricted", re.compile(_no_digit + _birth6 + r"[\s\-–—.·/]{1,3}[0-9]\d{6}" + _end)),
    Detector("resident", "restricted", re.compile(r"(?<![\d.,A-Za-z])" + _birth6 + r"[1-8]\d{6}" + _end)),
    Detector(
        "resident", "restricted", re.compile(r"(?:주민|외국인\s?등록|rrn)[^\d\n]{0,20}(?P<hit>\d{6}" + _gap + r"\d{7}|\d{7})" + _end, re.I)
    ),
    Detector("resident", "restricted", re.compile(_no_digit + _birth6 + r"[^\d\n]{1,12}뒷\s?자리[^\d\n]{0,8}\d{7}" + _end)),
    Detector("resident", "restricted", re.compile(r"(?:뒷\s?자리|뒤\s?7\s?자리|뒤\s?일곱\s?자리)[^\d\n]{0,8}(?P<hit>[1-8]\d{6})" + _end)),
    Detector("resident", "restricted", re.compile(_no_digit + _birth6 + r"\s?(?:다시|대시|하이픈)\s?[1-8]\d{6}" + _end)),
    Detector("resident", "restricted", re.compile(r"(?:주민|외국인\s?등록|rrn)[^\d\n]{0,20}(?P<hit>\d{6}" + _gap + r"[1-8](?:\s?\d){6})" + _end, re.I)),
    Detector("resident", "pii", re.compile(_no_digit + _birth6 + r"\s?[\-–—]\s?[1-8][*xX●]{6}")),
    Detector("ssn", "restricted", re.compile(r"(?<![\d\-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\d\-])")),
    Detector("ssn", "restricted", re.compile(r"(?:\bssn\b|social security|\b(?:my|his|her|the) social(?! media))\D{0,20}(?P<hit>\d{3}[\- ]?\d{2}[\- ]?\d{4})" + _end, re.I)),
    Detector("ssn", "restricted", re.compile(r"(?<![\d\-])(?P<hit>\d{3}[\- ]?\d{2}[\- ]?\d{4})\s(?:is|was)?\s?(?:my|his|her|their|the)?\s?(?:ssn\b|social(?! media))", re.I)),
    Detector("insurance", "pii", re.compile(r"(?:건강|의료)\s?보험증?\s?(?:의\s?)?(?:번호|no\.?)[^\d\n]{0,8}(?P<hit>\d[\d\-]{8,13}\d)" + _end)),
    Detector("licence", "restricted", re.compile(r"(?<![\d\-])\d{2}-\d{2}-?\d{6}-\d{2}(?![\d\-])")),
    Detector("licence", "restricted", re.compile(r"(?:서울|부산|경기|강원|충북|충남|전북|전남|경북|경남|제주|대구|인천|광주|대전|울산)\s?\d{2}-\d{6}-\d{2}(?!\d)")),
    Detector(
        "licence", "restricted",
        re.compile(r"(?:운전\s?면허|면허\s?번호|driver'?s? licen[cs]e)[^\dA-Z\n]{0,24}(?P<hit>(?=[A-Z0-9\-]*\d{5})[A-Z0-9][A-Z0-9\-]{6,17})", re.I),
    ),
    Detector("passport", "restricted", re.compile(r"(?<![A-Za-z0-9])(?:[MSRODG]\d{8}|[MSRODG]\d{3}[A-Z]\d{4})(?![A-Za-z0-9])")),
    Detector("passport", "restricted", re.compile(r"(?:여권|passport)[^\d\n]{0,24}?(?P<hit>(?<![A-Za-z])[A-Z]{0,2}\d{6,9}[A-Z]?\d{0,4})(?![A-Za-z0-9])", re.I)),
    Detector("customs", "pii", re.compile(r"(?<![A-Za-z0-9])P\d{12}(?!\d)")),
    Detector("card", "restricted", re.compile(r"(?<![\d\-.])(?:\d{4}[\s\-–.]{1,2}){3}\d{4}(?![\d\-])")),
    Detector("card", "restricted", re.compile(r"(?<![\d.])[2-6](?:[\s\-]?\d){12,18}" + _end), "luhn"),
    Detector("card", "restricted", re.compile(r"(?:카드|card)\s?(?:번호|number|no\.?)?[^\d\n]{0,12}(?P<hit>\d(?:[\s\-]?\d){12,18})" + _end, re.I)),
    Detector("card", "restricted", re.compile(r"(?:\bcv[cv]2?\b|카드\s?뒷면\s?번호)\D{0,10}(?P<hit>\d{3,4})" + _end, re.I)),
    Detector(
        "card", "restricted",
        re.compile(r"(?:카드|\bcard|\bvisa|\bmastercard|\bamex)[^\n]{0,60}(?:유효\s?기간|만료일?|\bexp(?:iry|ires|iration)?\b(?: date)?)[^\d\n]{0,8}(?P<hit>(?:0[1-9]|1[0-2])\s?/\s?\d{2}(?:\d{2})?)(?![\d/])", re.I),
    ),
    Detector("iban", "restricted", re.compile(r"(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){2,7}\s?[A-Z0-9]{0,3}(?![A-Za-z0-9])"), "iban"),
    Detector(
        "account", "restricted", re.compile(r"(?<![\d\-+])(?!0\d{1,2}-\d{3,4}-\d{4})\d{2,6}(?:-\d{1,7}){1,3}(?![\d\-])|(?<![\d\-+])\d{10,14}(?![\d\-])|(?<![\d\-+])(?!0)(?=(?:\d ?){10,14}(?!\d))\d{2,6}(?: \d{2,7}){2,3}(?![\d\-])"), "",
        _near(r"(?:국민|신한|우리|하나|기업|카카오|토스|케이|씨티|제일|산업|부산|대구|우체국|새마을)\s?$|계좌|통장|입금|송금|이체|(?:국민|신한|우리|하나|기업|농협|수협|카카오|토스|케이|씨티|제일|산업|부산|대구|새마을)\s?(?:은행|뱅크|금고)|농협|카뱅|\baccount\s?(?:number|no|#)|\bacct\b|\bbank account|routing"),
    ),
    Detector("account", "restricted", re.compile(r"(?:계좌\s?번호|account (?:number|no\.?|#)|routing number)[^\d\n]{0,10}(?P<hit>\d[\d\- ]{6,18}\d)" + _end, re.I)),
    Detector("business", "pii", re.compile(r"(?<![\d\-])\d{3}-\d{2}-\d{5}(?![\d\-])")),
    Detector("business", "pii", re.compile(r"사업자\s?(?:등록)?\s?번호[^\d\n]{0,10}(?P<hit>\d{10})" + _end)),
    # phones
    Detector("phone", "pii", re.compile(r"(?<![\d\-])(?:\+?82[\s\-.)]{0,2}(?:\(0\)|0)?|\(?0)1[016789]\)?[\s\-–—.·/]{0,3}\d{3,4}[\s\-–—.·/]{0,3}\d{4}(?!\d)")),
    Detector("phone", "pii", re.compile(r"(?<![\d\-.])(?:\+?82[\s\-.)]{1,2}|\(?0)(?:2|[3-6][1-5]|70|50\d)[\s\-–—.)]{1,3}\d{3,4}[\s\-–—.]{1,2}\d{4}(?!\d)")),
    Detector("phone", "pii", re.compile(r"(?<![\d\-.])0(?:2\d{7,8}|[3-6][1-5]\d{7,8}|70\d{8})(?!\d)")),
    Detector("phone", "pii", re.compile(r"(?<![\w+])\+\d{1,3}[\s\-.(]*\d(?:[\s\-.()]{0,2}\d){6,12}(?!\d)")),
    Detector("phone", "pii", re.compile(r"(?<![\d\-.$])(?:1[\s\-.])?(?:\(\d{3}\)\s?|\d{3}[\-. ])\d{3}[\-. ]\d{4}(?![\d\-])")),
    Detector(
        "phone", "pii",
        re.compile(r"(?:전화|휴대폰|핸드폰|폰\s?번호|연락처|팩스|\bphone|\bcell|\bmobile|\bcall me at|\bfax|\btext me at|\breach me at)[^\d\n]{0,16}(?P<hit>\d{3,4}[\-. ]\d{4}|\d{7,12}|0\d{1,3}[\- ]\d{3,4}[\- ]?\d{3,4}|0\d{4} ?\d{6})" + _end, re.I),
    ),
    Detector("phone", "pii", re.compile(r"(?<![\w\-])(?=[\d\-. ]{0,14}[oO])[0oO]1[0oO16789][\-. ]?[\doO]{3,4}[\-. ]?[\doO]{4}(?!\w)")),
    # e-mail, also said aloud
    Detector("email", "pii", re.compile(r"(?<![\w.+\-])[\w.+\-]{1,64}\s?@\s?[\w\-]{1,63}(?:\.[\w\-]{1,63})+", re.A)),
    Detector("email", "pii", re.compile(r"(?<![\w.+\-])[\w.+\-]{1,64}(?:\s(?:at|골뱅이)\s|\s?(?:\(at\)|\[at\]|\{at\}|<at>|골뱅이)\s?)[\w\-]{1,63}\s?(?:dot|점|닷|\(dot\)|\[dot\]|\.)\s?(?:com|net|org|kr|io|co(?:\s?(?:dot|점|닷|\.)\s?kr)?|컴|넷)(?![a-z])", re.I)),
    Detector("email", "pii", re.compile(r"(?<![A-Za-z0-9_.+\-])[A-Za-z0-9_.+\-]{1,64}@[가-힣A-Za-z0-9\-]{1,63}\.(?:한국|삼성|닷컴|[a-z]{2,10})")),
    # addresses with a number
    Detector(
        "address", "pii",
        re.compile(r"(?:(?<![가-힣])[가-힣]{1,6}(?:특별자치시|특별자치도|특별시|광역시|시|도)\s?)?(?:[가-힣]{1,6}(?:시|군|구)\s){1,2}(?:[가-힣]{1,6}(?:읍|면|동)\s)?[가-힣0-9]{1,12}(?:로|길)\s?\d{1,5}(?:번?길\s?\d{1,4})?(?:-\d{1,4})?(?:\s?번지)?(?:,?\s?[가-힣A-Za-z]{0,12}\s?\d{1,4}동)?(?:,?\s?\d+호)?" + _unit),
    ),
    Detector("address", "pii", re.compile(r"(?<![가-힣])[가-힣]{1,12}(?:로|길)\s?\d{1,5}번?길\s?\d{1,4}(?:-\d{1,4})?(?:,?\s?\d+동)?(?:,?\s?\d+호)?" + _unit)),
    Detector(
        "address", "pii", re.compile(r"(?<![가-힣0-9])[가-힣0-9]{2,12}(?:대로|로|길)\s?\d{1,5}(?:-\d{1,4})?" + _unit + r"(?!\d)"), "",
        _near(r"주소|집은|사는\s?곳|거주|배송지|살아|살고|삽니다|산다|거주"),
    ),
    Detector("address", "pii", re.compile(r"(?:[가-힣]{1,6}(?:시|군|구)\s){1,2}(?:[가-힣]{1,6}(?:읍|면)\s)?[가-힣]{1,6}(?:동|리|가)\s?\d+(?:-\d+)?(?:\s?번지)?" + _unit)),
    Detector("address", "pii", re.compile(r"(?<![가-힣])[가-힣]{2,12}(?:동|리|가)\s?\d{1,5}(?:-\d{1,4})?\s?번지")),
    Detector("address", "pii", re.compile(r"(?:(?<![가-힣A-Za-z0-9])[가-힣A-Za-z0-9]{1,12}\s?)?(?<!\d)\d{1,4}동\s?\d{2,4}호(?!선)")),
    Detector(
        "address", "pii",
        re.compile(r"(?<![\d.$])\d{1,5}[A-Za-z]?\s{1,2}(?:[NSEWnsew]\.?\s{1,2})?(?:[A-Z0-9][\w'.]{0,20}\s{1,2}){1,3}(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Way|Place|Pl|Terrace|Square|Parkway|Highway|Close|Crescent)\b\.?(?:,?\s+(?:Apt|Unit|Suite|#)\.?\s?\w+)?"),
    ),
    Detector("address", "pii", re.compile(r"(?<![\d.$])\d{1,5}[a-z]?\s+(?!hours?|minutes?|mins?|days?|weeks?|years?|miles?|km)(?:[a-z]{1,20}\s{1,2}){1,2}(?:street|avenue|road|boulevard|lane|blvd)\b", re.I)),
    Detector("address", "pii", re.compile(r"(?<![A-Za-z0-9])(?:,\s?[A-Z][a-z]{2,20}\s)?[A-Z]{1,2}\d[A-Z\d]?\s\d[ABD-HJLNP-UW-Z]{2}(?![A-Za-z0-9])"), "", _near(r"\blives?\b|\bliving\b|address|post ?code|\bstreet\b|\broad\b|\blane\b|주소|우편")),
    Detector("address", "pii", re.compile(r"\bp\.?\s?o\.?\s?box\s+\d+", re.I)),
    # full birth dates
    Detector(
        "birth", "pii", re.compile(r"(?<!\d)(?:19|20)?\d{2}\s?(?:년|[.\-/])\s?\d{1,2}\s?(?:월|[.\-/])\s?\d{1,2}\s?일?\.?(?!\d)"), "",
        _near(r"생일|생년월일|태어|출생|생이|생입|생인|^\s?생|birth|born|\bdob\b"),
    ),
    Detector("birth", "pii", re.compile(r"(?:생년월일|출생)[^\d\n]{0,8}(?P<hit>(?:19|20)?" + _birth6 + ")" + _end)),
    Detector("birth", "pii", re.compile(r"(?<!\d)" + _birth6 + r"(?=\s?년?생)")),
    Detector(
        "birth", "pii",
        re.compile(r"\b(?:(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?,?\s+(?:of\s+)?(?:19|20)\d{2}|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\s+(?:19|20)\d{2}|\d{1,2}/\d{1,2}/(?:19|20)?\d{2})\b", re.I), "",
        _near(r"birth|born|\bdob\b|생일"),
    ),
    Detector("plate", "pii", re.compile(r"(?<![\d가-힣])\d{2,3}[가-힣]\s?\d{4}(?!\d)"), "", _near(r"번호판|차량|차\s?번호|자동차|plate|주차")),
    # secrets
    Detector(
        "password", "restricted",
        re.compile(r"(?:비밀\s?번호|비번|암호|패스워드|패스코드|핀\s?번호|\bpassword|\bpasswd|\bpasscode|\bpwd|\bpass\s?phrase|\bpin(?:\s(?:code|number))?)(?:는|은|이|가|를)?\s?(?:[:=]|\bis\b|\bto\b|\bwas\b|'s)?\s{0,2}[\"'“‘`]?(?P<hit>(?=[!-~]*[\d!@#$%^&*_\-+=?])(?![\d]{1,2}[^\d\w]|https?:)[!-~]{3,64}?)(?=[\"'”’`]?(?:[가-힣]|\s|[.,](?:\s|$)|$))", re.I),
    ),
    Detector("password", "restricted", re.compile(r"(?:비밀\s?번호|비번|암호|패스워드|핀\s?번호)(?:는|은|이|:)?\s{0,2}(?P<hit>[공영일이삼사오육칠팔구]{4,}?)(?=이야|야|이에요|예요|입니다|\s|$|[.,])")),
    Detector("password", "restricted", re.compile(r"(?:비밀\s?번호|비번|암호|패스워드)(?:는|은|:)\s{0,2}(?P<hit>[\"'“‘][^\"'”’]{2,40}[\"'”’]|[A-Za-z][!-~]{3,40}?)(?=이야|야|이에요|예요|입니다|이고|고|$|\s?[.,])")),
    Detector(
        "password", "restricted",
        re.compile(r"\b(?:password|passcode|pass\s?phrase|pwd)\s*(?:is|:|=)\s*[\"'“‘`]?(?P<hit>(?!(?:important|wrong|required|incorrect|correct|too|not|weak|strong|the|a|an|my|in|on|it|that|this|invalid|expired|needed|secure|safe|reset|set|stored|changed|longer|short|being|also|always|never|hard|easy|so|very|case)\b)[!-~]{3,64}?)(?=[\"'”’`]?(?:[.,!]?\s*$|[.,;!]\s|\s+(?:and|for|on|at|in|so)\b))", re.I),
    ),
    Detector("password", "restricted", re.compile(r"(?:도어\s?락|현관(?:문)?|대문|금고|자물쇠|사물함|라커|락커|캐리어|와이파이)\s?(?:의\s)?(?:번호|코드|키)[^\d\n*#]{0,8}(?P<hit>[*#]?\d{3,10}[*#]?)(?!\d)")),
    Detector("password", "restricted", re.compile(r"\b(?:door|gate|alarm|garage|safe|lock|locker|entry|keypad|building|luggage)(?:'s)?\s(?:code|combination|combo|number)\b[^\d\n]{0,8}(?P<hit>#?\d{3,10}#?)(?!\d)", re.I)),
    Detector("password", "restricted", re.compile(rf"\b(?:pin|passcode|password)(?:\s(?:code|number))?\s*(?:is|:|=)\s*(?P<hit>(?:{_spelt}[\s\-,]{{1,2}}){{3,}}{_spelt})\b", re.I)),
    Detector("otp", "restricted", re.compile(r"(?:인증\s?번호|인증\s?코드|\botp\b|verification code|one-time code)[^\d\n]{0,12}(?P<hit>\d{4,8})" + _end, re.I)),
    Detector(
        "secret", "restricted",
        re.compile(r"\b(?:sk|pk|rk)[-_](?:[A-Za-z0-9]+[-_])*[A-Za-z0-9]{10,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w\-]{12,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w\-]{20,}|\bxox[abposr]-[\w\-]{8,}|\bhf_[A-Za-z0-9]{16,}|\beyJ[\w\-]{6,}\.[\w\-]{6,}\.[\w\-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:[\s\S]*?-----END [A-Z ]*PRIVATE KEY-----)?"),
    ),
    Detector("secret", "restricted", re.compile(r"\bbearer\s+(?P<hit>[A-Za-z0-9._\-]{12,})", re.I)),
    Detector("secret", "restricted", re.compile(r"(?<=://)[^\s/:@]{1,80}:[^\s/@]{1,120}(?=@)")),
    Detector(
        "secret", "restricted",
        re.compile(r"(?:api[\s_\-]?(?:key|키)|\btoken|\bsecret(?:[\s_]?key)?|access[\s_]?key|private[\s_]?key|토큰|시크릿|인증\s?키|접근\s?키|보안\s?키)(?:은|는|이|가|:|=|\s|is){0,6}[\"'`]?(?P<hit>(?=[!-~]{0,80}\d)[\w\-.+/=]{8,400})", re.I | re.A),
    ),
)  # fmt: skip
