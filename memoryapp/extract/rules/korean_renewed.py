"""What took another value, told in two breaths, put into one: "차 바꿨어. 이제 아이오닉 타" → "차를 아이오닉으로 바꿨어"."""

import re

_thing = r"(?P<thing>(?:(?:내|제|우리|울|저희)\s?[가-힣]{0,4}\s?)?(?:차|자동차|폰|핸드폰|휴대폰|노트북|컴퓨터|태블릿|(?:전화|폰|핸드폰|휴대폰|휴대전화)?\s?번호|연락처|(?:집|회사)?\s?주소|(?:이?메일)(?:\s?주소)?|닉네임|별명|부서|팀|(?:강아지|고양이|반려견|반려묘|앵무새|햄스터)\s?이름))"
_changed = r"(?:바꿨|바꾸었|바뀌었|바뀜|바꿈|바꼈|바꼇|변경했|변경됐|변경되었|변경함|옮겼|갈아탔|새로 (?:샀|뽑았|받았|팠))"
_told = r"(?:어요|어|습니다|음|는데요|는데|고|거든요|거든|네요)?"
#: "차 바꿨어. 이제 아이오닉 타", "번호 바뀌었어요. 010-2222-3333이에요"
TWO_BREATHS = re.compile(
    rf"^(?P<lead>(?:(?:아|참|나|저|있잖아|그리고|근데)[,.!]?\s)*){_thing}(?:을|를|이|가|도|은|는)?\s?(?:(?:새로|최근에|얼마 전에)\s)?{_changed}{_told}[\s,.!~ㅋㅎ]+"
    r"(?:(?:이제는?|이젠|지금은|현재는|새\s?[가-힣]{1,3}(?:은|는))\s)?(?P<value>[^\s,.?!][^,?!]{0,28}?)(?:을|를)?\s?"
    r"(?P<polite>이에요|예요|에요|입니다|이요|타요|탑니다|타고 다녀요|몰아요|써요|씁니다|쓰고 있어요|사용해요|이야|야|임|타|타고 다녀|몰아|써|쓰고 있어|사용해)[.!~ㅋㅎㅠ\s]*$"
)
#: "강아지 이름 두부로 바꿨어", "강아지 이름 콩이에서 두부로 바꿨어": the particle that was left out.
BARE = re.compile(
    rf"(?<![가-힣]){_thing}(?P<josa>을|를|이|가)?\s(?:[가-힣A-Za-z0-9-]+에서\s)?(?P<value>[^\s,.?!]{{1,16}}(?:\s[^\s,.?!]{{1,8}})?)(?P<to>으로|로)\s?(?=(?:새로\s)?{_changed})"
)
_attribute = r"(?P<thing>(?:(?:내|제|우리|울|저희)\s?[가-힣]{0,4}\s?)?(?:이름|생일|생신|나이|전화번호|번호|주소|키|몸무게|혈액형|직업|전공|차종|기념일|결혼기념일))"
#: "생일 5월 3일 아니고 5월 13일이야"
NOT_BUT = re.compile(
    rf"^(?P<lead>(?:(?:아니|아냐|아니다|아니야|참|아|앗|정정하면|다시 말하면)[,.!]?\s)*){_attribute}(?:은|는|이|가)?\s(?P<old>[^,.?!]{{1,16}}?)(?:이|가)?\s?(?:아니고|아니라|말고)[,\s]+(?P<new>[^?]+)$"
)
#: "땅콩 알레르기가 아니라 호두 알레르기야", "아까 땅콩이라고 한 거 잘못 말했어. 호두 알레르기야"
OTHER_ALLERGY = re.compile(
    r"^(?P<lead>(?:(?:아니|아냐|아니다|참|아|앗|사실은?|나는?|저는?|전|난)[,.!]?\s)*)(?:"
    r"(?P<old>[가-힣]{1,6}?)(?:\s?(?:알레르기|알러지))?(?:이|가)?\s?(?:아니라|아니고|말고)[,\s]+|"
    r"(?:아까|방금|좀 전에)?\s?(?P<said>[가-힣]{1,6}?)(?:\s?(?:알레르기|알러지))?(?:이)?라고\s?(?:말)?한\s?(?:거|건|것)(?:은|는)?\s?(?:잘못|실수|틀렸|오타|말이 헛)[^.!?\n]{0,8}?(?:어요|어|야|요|네)[.,!]?\s(?:사실은?\s)?)"
    r"(?P<new>[가-힣]{1,6})\s?(?:알레르기|알러지)(?P<rest>[^?]*)$"
)
_day = r"(?:(?:이번|다음|다다음|담)\s?주\s?)?(?:[월화수목금토일]요일|(?:\d+월\s?)?\d+일|내일|모레|글피|\d+시(?:\s?반|\s?\d+분)?)"
#: "회식 금요일 아니고 목요일이래"
OTHER_DAY = re.compile(
    rf"^(?P<lead>(?:(?:아니|아냐|아니다|아니야|참|아|앗)[,.!]?\s)*)(?P<event>[가-힣A-Za-z]{{1,8}}(?:\s[가-힣A-Za-z]{{1,6}})?)(?:은|는|이|가)?\s{_day}(?:이|가)?\s?(?:아니고|아니라|말고)[,\s]+(?P<new>{_day}(?:\s\d+시)?)(?P<polite>이래요|래요|이에요|예요|이야|야|입니다|임|이래|래)?[.!~]*$"
)


def in_one(text: str) -> str:
    """The text with two lines in one where the second tells what the first has changed to."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and _belongs(f"{lines[-1]} {line}"):
            line = f"{lines.pop()} {line}"
        lines.append(told(line))
    return "\n".join(lines)


def _belongs(lines: str) -> bool:
    taken_back = OTHER_ALLERGY.match(lines)
    return bool(TWO_BREATHS.match(lines) or taken_back and taken_back["said"])


def told(line: str) -> str:
    """The line with what was renewed in one clause; any other as it is."""
    if found := TWO_BREATHS.match(line):
        return _renewed(found)
    if found := OTHER_ALLERGY.match(line):
        old, polite = (
            found["old"] or found["said"],
            "요" if found["rest"].rstrip(" .!~").endswith("요") else "",
        )
        return f"{found['lead']}{old} 알레르기는 없어{polite}.\n{found['lead']}{found['new']} 알레르기{found['rest']}"
    if found := NOT_BUT.match(line):
        return f"{found['thing']}{josa(found['thing'], '은', '는')} {found['new']}"
    if found := OTHER_DAY.match(line):
        polite = "요" if (found["polite"] or "").endswith(("요", "다")) else ""
        event, new = found["event"], found["new"]
        return f"{event}{josa(event, '이', '가')} {new}{onto(new)} 바뀌었어{polite}"
    return BARE.sub(_with_particle, line)


def _with_particle(found: re.Match[str]) -> str:
    thing = f"{found['thing']}{found['josa']}" if found["josa"] else _object(found["thing"])
    return f"{thing} {found['value']}{found['to']} "


def _renewed(found: re.Match[str]) -> str:
    value = found["value"].strip()
    thing = "팀" if found["thing"] == "부서" and value.endswith("팀") else found["thing"]
    polite = "요" if found["polite"].endswith(("요", "다")) else ""
    verb = "옮겼어" if thing in ("팀", "부서") else "바꿨어"
    return f"{_object(thing)} {value}{onto(value)} {verb}{polite}"


def _object(thing: str) -> str:
    return thing + josa(thing, "을", "를")


#: How digits end when they are read out: closed, open, or with the ㄹ after which "로" stands.
_DIGITS = {"0": "closed", "1": "l", "3": "closed", "6": "closed", "7": "l", "8": "l"}


def _end(word: str) -> str:
    last = word[-1:]
    if "가" <= last <= "힣":
        final = (ord(last) - ord("가")) % 28
        return "open" if not final else "l" if final == 8 else "closed"
    return _DIGITS.get(last, "open")


def josa(word: str, closed: str, opened: str) -> str:
    """The particle that goes with the last sound of a word."""
    return opened if _end(word) == "open" else closed


def onto(word: str) -> str:
    return "으로" if _end(word) == "closed" else "로"
