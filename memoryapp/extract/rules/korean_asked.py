"""What somebody asks to be remembered in half a sentence: "나 땅콩 알레르기 있는 거 기억해 줄래?" tells that they have one."""

import re

from memoryapp.extract.rules import analyser
from memoryapp.extract.rules.analyser import Token

_noun = r"(?:거|것|걸|점|사실)(?:을|를|은|도)?"
_softly = r"(?:\s?(?:꼭|좀|잘|이미|다))*\s?"
_please = (
    r"(?:둬|줘|주세요|두세요|있어|놔|놓아|줄래|주실래|주시겠어|주라|주십시오|줄 수 있(?:어|니|나|을까|지)|주실 수 있(?:어|나|을까)"
    r"|주면 (?:좋겠어|고맙겠어|돼)|야 해)(?:요)?"
)
_asked = rf"(?:(?:기억|메모|저장|기록|참고)해|기억하고|외워|알아|잊지\s?(?:마|말아))\s?(?:{_please})*(?:요|라|세요)?"
_known = r"(?:알|아시|알고\s?(?:있|계시)|기억하(?:시)?|기억나)(?:지|죠|잖아)(?:요)?"
ASKED = re.compile(rf"(?P<half>.*\s?{_noun}),?{_softly}{_asked}(?<!기억해)[?.!~]*\s*$")
#: Taken for known: the one who speaks has to say that it is theirs.
KNOWN = re.compile(
    rf"(?P<half>(?:나|난|내가|내|저|전|제가|제|우리)\s.*\s?{_noun}){_softly}{_known}[?.!~]*\s*$"
)
_POLITE = re.compile(r"(?:요|십시오|죠)[?.!~]*\s*$")
_VERBS = ("VV", "VA", "VX", "VCP", "VCN", "XSV", "XSA")


def half(text: str) -> tuple[str, bool] | None:
    """The half as a sentence of its own, and whether it was asked to be remembered; None for other sentences.

    The whole text where the half tells nothing ("내가 좋아하는 거"): it is an order then.
    """
    asked = ASKED.match(text)
    found = asked or KNOWN.match(text)
    if found is None:
        return None
    told = _finished(found["half"], polite=bool(_POLITE.search(text)))
    if told is None:
        return None
    return (told, asked is not None) if told else (text, False)


def _finished(text: str, *, polite: bool) -> str | None:
    """ "나 창가 자리 좋아하는 거" → "나 창가 자리 좋아해"; None for what is no clause ("이거")."""
    tokens = [token for sentence in analyser.sentences(text)[:1] for token in sentence.tokens]
    while tokens and tokens[-1].tag != "ETM":
        last = tokens.pop()
        if last.tag in ("NNG", "NNP") and len(last.form) > 2 and last.form.endswith("인"):
            tokens += _named(last)
    stem = _stem(tokens[:-1])
    if not stem:
        return None
    if _leaves_out(tokens, stem):
        return ""
    front, link = text[: stem[0].begin], tokens[-1]
    if link.form in ("ᆯ", "을"):
        return f"{text[: link.stop]} {'거예요' if polite else '거야'}"
    if stem[0].tag == "VCP" and len(stem) == 1 and link.form != "던":
        return analyser.ended(front, [("이", "VCP")], polite=polite)
    if stem[0].tag == "VCP":
        stem = [tokens[tokens.index(stem[0]) - 1], *stem]  # what it is decides how the copula sounds
        front = text[: stem[0].begin]
    forms = [(token.form, token.tag) for token in stem]
    acts = forms[-1][1].startswith(("VV", "XSV", "VX"))
    if link.form == "던" and forms[-1][1] != "EP" or link.form in ("ᆫ", "은") and acts:
        forms.append(("었", "EP"))
    return analyser.ended(front, forms, polite=polite)


def _named(token: Token) -> list[Token]:
    """ "이름이 지유인 거", of which Kiwi makes one name."""
    cut = token.stop - 1
    copula = [Token("이", "VCP", cut, cut), Token("ᆫ", "ETM", cut, token.stop)]
    return [Token(token.form[:-1], "NNP", token.begin, cut), *copula]


def _leaves_out(tokens: list[Token], stem: list[Token]) -> bool:
    """ "내가 좋아하는 거": what is done, but not to what."""
    before = tokens[: tokens.index(stem[0])]
    return stem[0].tag.startswith("VV") and all(t.tag == "NP" or t.tag.startswith("J") for t in before)


def _stem(tokens: list[Token]) -> list[Token]:
    """The verb at the end with its past, and what made a verb of a noun."""
    for at in range(len(tokens) - 1, -1, -1):
        if tokens[at].tag.split("-")[0] in _VERBS:
            return tokens[at:]
    return []
