"""Spoken Korean put in order before it is read: "해줘 항상", "못 먹어 고수는", "새우랑 게 알레르기"."""

import re

SAID = r"(?:줘|줘요|주세요|줄래요?|마|마요|마세요|말아요?|해|해요|하자|돼|돼요|다|요|어|아|와|여|지|음|함|됨)"
TRAILING = re.compile(
    rf"^(?P<body>[^.!?\n]{{4,}}?{SAID})[,.]?\s(?P<tail>(?:앞으로(?:는|도)?(?:\s계속)?|항상|계속|매번|꼭|늘|언제나|제발|이제(?:부터)?(?:는)?|절대|무조건|원래|요즘|요새|진짜로?|정말|"
    r"올해|이번 ?주(?:에)?|다음 ?주(?:에)?|다음 ?달(?:에)?|내일|모레|어제|지난주(?:에)?|작년(?:에)?|나는?|난|저는?|전|내가|제가|우리는?|웬만하면|되도록|[가-힣A-Za-z]{1,8}(?:은|는|을|를)|(?!진짜|정말|바|따|새|절대|함부|제|별|실제|억지)(?:[가-힣]{1,6}\s)?[가-힣A-Za-z]{1,8}(?:으로|에서|한테|(?<!별)로)))[.!~ㅋㅎㅠ]*$"
)
HEAD_LIKE = re.compile(
    r"(?:다는|라는|하는|같은|지는|있는|없는|주는|오는|가는|되는|먹는|보는|사는|아는|모르는|싶은|좋은|싫은)$"
)


_shortened = {"담주": "다음 주", "담달": "다음 달", "담번": "다음번", "이번주": "이번 주", "저번주": "지난주"}
SHORTENED = re.compile(rf"(?<![가-힣])(?:{'|'.join(_shortened)})(?=[가-힣]?\s|에|[.,!?]|[월화수목금토일]|$)")
WEEKDAYS = re.compile(r"(?<![가-힣])(?P<day>[월화수목금토일])욜")
TOMORROW = re.compile(r"(?<![가-힣])낼(?=\s?(?:까지|모레|아침|점심|저녁|오전|오후|새벽|부터|은|\d))")
UNSPACED = re.compile(
    r"(?<![가-힣])(?P<how>안|못|잘)(?=(?:먹|마시|마셔|봐요?|봤|좋|써요?|타요|믿)(?:[가-힣]|\s|$))"
)
GOING_ON = re.compile(r"(?<=[가-힣]는)중(?=이|임|[.!~ㅋㅎㅠ\s]|$)")


def written(text: str) -> str:
    """The text with its shortened words in full and the blanks that were not typed: "담주 수욜", "못먹어", "사귀는중"."""
    text = SHORTENED.sub(lambda found: _shortened[found[0]], text)
    text = WEEKDAYS.sub(r"\g<day>요일", TOMORROW.sub("내일", text))
    return GOING_ON.sub(" 중", UNSPACED.sub(r"\g<how> ", text))


def in_order(sentence: str) -> str:
    """What was said as an afterthought moved in front: "답해줘 항상" → "항상 답해줘"."""
    found = TRAILING.match(sentence)
    if not found or HEAD_LIKE.search(found["tail"]):
        return sentence
    stressed = re.match("진짜|정말|제발", found["tail"])
    return found["body"] if stressed else f"{found['tail']} {found['body']}"


SEVERAL = re.compile(
    r"(?P<all>[가-힣A-Za-z]{1,6}(?:(?:이랑|랑|하고|과|와|,|·|\s?및)\s?[가-힣A-Za-z]{1,6})+)(?P<josa>(?:에)?\s?)(?=(?:알레르기|알러지))"
)
JOINED = re.compile(r"이랑\s?|(?<=[가-힣])랑\s?|하고\s?|(?<=[가-힣])[과와]\s|,\s?|·|\s?및\s?")


def one_by_one(sentence: str) -> list[str]:
    """ "새우랑 게 알레르기가 있어요" as a sentence for each, so that one can end without the other."""
    found = SEVERAL.search(sentence)
    if not found:
        return [sentence]
    parts = [part.strip() for part in JOINED.split(found["all"]) if part.strip()]
    begin, stop = found.span("all")
    return [sentence[:begin] + part + sentence[stop:] for part in parts]


def about_them(name: str, text: str) -> str:
    """A sentence without its subject with it: "부산에 살아" → "여동생은 부산에 살아", "이름은 하린" → "딸 이름은 하린"."""
    if re.match(r"(?:이름|나이|생일|직업|성격|품종|별명|취미|전공|학교|회사)(?:은|는|이|가)\s", text):
        return f"{name} {text}"
    closed = "가" <= name[-1] <= "힣" and (ord(name[-1]) - ord("가")) % 28
    return f"{name}{'은' if closed else '는'} {text}"
