"""What is said and not meant: sarcasm, a part that the assistant is to play, the lines of a song or a play."""

import re

_start = r"(?:^|(?<=[.!?\n]))\s*"
_love = r"(?:love|adore|enjoy)"
_nobody_loves = (
    r"(?:being|getting|having to (?:be|get)) (?:stuck|ignored|yelled at|lied to|woken|cut off|ripped off|scammed|rained on|late)|(?:waiting|standing|sitting|queu\w+) (?:in|around|on hold|for (?:\w+ )?(?:hours|days|weeks|ages))\b|"
    r"(?:doing|filing|paying) (?:my |the )?tax(?:es)?|(?:getting|paying) (?:\w+ )?(?:parking )?(?:tickets?|fines?)"
)
SARCASTIC = re.compile(
    rf"{_start}(?:yeah,? right|(?:oh|wow|ah),? (?:great|sure|joy|wonderful|perfect|fantastic|lovely|brilliant))\b[,.!… ]+(?:because )?i (?:just|so|simply|absolutely|really) {_love}\b[^.!?\n]*|"
    rf"{_start}yeah,? right\b[,.!… ]+(?:because )?i {_love}\b[^.!?\n]*|"
    rf"{_start}(?:[a-z]+,? ){{0,2}}(?:because )?i (?:just |so |simply |absolutely |really )*{_love} (?:{_nobody_loves})[^.!?\n]*",
    re.IGNORECASE | re.MULTILINE,
)
#: "Act as a pirate: I'm Captain Jack": the lines behind the colon are the part's.
ACTED = re.compile(
    rf"{_start}(?:(?:please|can you|could you|ok|okay|now|let'?s|i want you to),? )*(?:(?:act|behave|speak|talk|respond|answer|write) (?:as|like) (?:if you|an?|the)\b|role-?play\b|pretend\b|imagine (?:that )?you\b|play (?:an?|the|my) (?:part|role)\b)[^.!?:：\n]{{0,60}}[:：]\s*\S.*\Z",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_lines = r"(?:가사|대사|대본|시나리오|독백|소설|동화|(?<![가-힣\d])시)(?:의)?(?:\s(?:한\s)?(?:구절|부분|소절|줄|내용|일부|첫 ?줄))?"
#: "노래 가사야: 나는 바다에 살아"; "내가 좋아하는 소설: …" names one.
QUOTED = re.compile(
    rf"{_start}[^.!?:：\n]{{0,20}}{_lines}(?:야|이야|예요|에요|이에요|입니다|인데|임)\s?[:：]\s*\S.*\Z|"
    rf"{_start}(?![^:：\n]*(?:좋아|최애|싫어|인생|읽|요즘|시\s?[:：]))[^.!?:：\n]{{0,16}}{_lines}\s?[:：]\s*\S.*\Z",
    re.MULTILINE | re.DOTALL,
)


def taken_out(text: str) -> str:
    """The text without what is not meant."""
    for pattern in (ACTED, QUOTED, SARCASTIC):
        text = pattern.sub("", text)
    return text
