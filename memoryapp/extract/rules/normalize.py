"""The canonical form of a statement: equal for polite, plain and differently spaced wordings of one fact."""

import re

from memoryapp.extract.rules.analyser import Sentence
from memoryapp.extract.rules.clauses import Frame
from memoryapp.extract.rules.lexicon import FIRST_PERSON

CONTENT = frozenset(
    {
        "NNG",
        "NNP",
        "NR",
        "SN",
        "SL",
        "SH",
        "XR",
        "XPN",
        "XSN",
        "NNB",
        "MM",
        "W_EMAIL",
        "W_URL",
        "W_SERIAL",
        "NP",
        "SW",
    }
)
FILLERS = frozenset(
    "사실 근데 그런데 그리고 그래서 그냥 진짜 정말 정말로 참고로 좀 음 아 어 저기 있잖아 그 막 이제 너무 되게 완전 매우 아주 꽤 참 굉장히 일단 아무튼 역시 현재 지금 요즘 "
    "원래 바로 엄청 무척 잘 또 더 딱 약간 조금 많이 것 거 분 님 씨 들 이번".split()
)
SYNONYMS = {
    "알러지": "알레르기", "근무하": "일하", "재직하": "일하", "드시": "먹", "거주하": "살", "와이프": "아내", "애": "아이", "자녀": "아이",
    "남친": "남자친구", "여친": "여자친구", "컴퓨터": "컴퓨터", "핸드폰": "휴대폰", "폰": "휴대폰", "색깔": "색", "컬러": "색", "거주": "살", "근무": "일",
    "가장": "제일", "선호하": "좋아하", "엠비티아이": "mbti", "까페": "카페", "이메일": "메일", "하나": "1", "한": "1", "둘": "2", "두": "2", "셋": "3",
    "세": "3", "네": "4", "넷": "4", "다섯": "5", "여섯": "6", "일곱": "7", "여덟": "8", "아홉": "9", "열": "10",
}  # fmt: skip
NEGATIVE = {"안": "안", "않": "안", "못": "못", "못하": "못", "말": "안"}


def korean(frames: list[Frame]) -> str:
    """Lemmas of the content words in their order, then the predicate with its polarity and tense."""
    return " / ".join(part for part in (_clause(frame) for frame in frames) if part)


def _clause(frame: Frame) -> str:
    words: list[str] = []
    tokens = frame.tokens
    for at, token in enumerate(tokens):
        if frame.stem and token.begin >= frame.stem_begin:
            break
        word = SYNONYMS.get(token.form, token.form)
        if (
            token.form in FILLERS
            or (token.tag == "NP" and token.form in FIRST_PERSON)
            or token.form in ("사용자", "유저")
        ):
            continue
        if (
            token.tag in CONTENT
            or token.tag.split("-")[0] in ("VV", "VA", "XSV", "XSA", "MAG")
            and token.form not in NEGATIVE
        ):
            words.append(word)
        elif token.form in ("지만", "보다", "까지", "부터", "에서") and at and token.tag != "EC":
            words.append(token.form if token.form in ("보다", "까지", "부터") else "")
    stem = SYNONYMS.get(frame.stem, frame.stem)
    if frame.stem_tag == "VV" and stem.endswith("하") and not any(w in ("하",) for w in words):
        # "축구를 하다" and "축구하다": the noun may stand among the words already
        noun = stem[:-1]
        if words and words[-1] == noun:
            words.pop()
    body = "".join(words).lower()
    mood = "".join(
        f"+{m}"
        for m in ("want", "must", "can", "once", "plan", "agreed", "give", "dont")
        if m in _moods(frame)
    )
    predicate = f"{frame.denied + ' ' if frame.denied else ''}{stem}" if stem and stem != "이" else ""
    past = "+past" if frame.past and not frame.moods & {"agreed"} else ""
    return " ".join(part for part in (body, predicate.lower() + mood + past) if part)


def _moods(frame: Frame) -> set[str]:
    moods = set(frame.moods)
    if moods & {"will", "plan"}:
        moods.add("plan")
    return moods


def korean_sentence(sentence: Sentence, frames: list[Frame]) -> str:
    return korean(frames) or re.sub(r"\s+", "", sentence.text)


CONTRACTIONS = (
    ("won't", "will not"), ("can't", "can not"), ("cannot", "can not"), ("shan't", "shall not"), ("n't", " not"), ("'m", " am"), ("'re", " are"),
    ("'ve", " have"), ("'ll", " will"), ("'d", " would"), ("let's", "let us"), ("gotta", "got to"), ("gonna", "going to"), ("wanna", "want to"),
)  # fmt: skip
STOP = frozenset(
    "a an the i me myself am is are be been being do does have has of to that this it its just really very so actually well also please "
    "currently now these days like,oh yeah hey hi user user's we our us would will as with in at on for and there currently basically "
    "by the way fyi remember note quite pretty kind sort bit".replace(",", " ").split()
) - {"like", "in", "at", "on", "for", "with", "to"}
SAME = {
    "favourite": "favorite", "colour": "color", "mom": "mother", "mum": "mother", "dad": "father", "kids": "child", "children": "child", "kid": "child",
    "cannot": "not", "adore": "love", "favour": "favor", "two": "2", "three": "3", "four": "4", "five": "5", "one": "1", "six": "6",
    "seven": "7", "eight": "8", "nine": "9", "ten": "10", "were": "was", "dislikes": "dislike",
}  # fmt: skip


def expand(text: str) -> str:
    """Contractions written out, in lower case: "I don't" → "i do not"."""
    text = text.lower().replace("’", "'")
    for short, full in CONTRACTIONS:
        text = text.replace(short, full)
    return text


def english(text: str) -> str:
    """Content words in their order, singular, present participles bare; polarity, tense and numbers kept."""
    words = re.findall(r"[a-z0-9][\w@./&+#-]*[\w+#]|[a-z0-9]", re.sub(r"'s\b", "", expand(text)))
    kept = [lemma(SAME.get(word, word)) for word in words if word not in STOP]
    prepositions = {"in", "at", "on", "for", "to"}  # "for Ann" and "with Ann" are two things
    return " ".join(SAME.get(word, word) for word in kept if word not in prepositions)


def lemma(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-2] if word.endswith(("sses", "shes", "ches", "xes")) else word[:-1]
    if len(word) > 5 and word.endswith("ing"):
        base = word[:-3]
        if len(base) > 2 and base[-1] == base[-2] and base[-1] not in "ls":
            return base[:-1]
        return (
            base + "e"
            if base.endswith(("v", "s", "k", "c", "g", "iz", "at", "ag", "us"))
            and not base.endswith(("ss", "ck", "ok", "rk", "lk", "nk", "ng"))
            else base
        )
    return word
