"""What a question takes for granted, said outright: "ideas for my 6 year old daughter?" → "My daughter is 6 years old"."""

import re

_NOT_OURS = re.compile(
    r"친구|동료|옆집|이웃|선배|후배|주인공|소설|만약|가정|라면|지인|누가|누구|\b(?:pretend|imagine|suppose|story|character|if i had|friend|neighbou?r|coworker)\b",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"\bmy (?P<age>\d{1,2})(?:\s?yo|[- ]?y/o|[- ](?P<unit>year|yr|month|week)s?[- ]?olds?) (?P<who>daughter|son|kid|child|toddler|baby|boy|girl|niece|nephew|grandson|granddaughter|dog|cat|puppy|kitten|maltese|poodle|beagle|corgi|labrador|lab|husky|chihuahua|pug|retriever|greyhound|hamster|parrot|rabbit)\b",
    re.IGNORECASE,
)
_AS = re.compile(
    r"^as an? (?P<what>(?!beginner|newbie|novice|user|customer|result|rule|last|whole|consequence|reward|side|backup|gift|kid|child)[a-z][\w -]{2,40}?)(?: myself)?,? (?=(?:can|could|should|do|am|would|will|what|how|which|where)\b.*\b(?:i|my|me)\b)",
    re.IGNORECASE,
)
_KOREAN = re.compile(
    r"(?<![가-힣\d])(?P<age>\d{1,2}|한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)\s?(?P<unit>살|개월)\s?(?:짜리\s?|된\s?)?(?P<who>딸|아들|아이|아기|애|강아지|고양이|조카|손자|손녀)(?=이랑|랑|하고|한테|에게|[이가을를도은는와과]\s|\s)"
)
_ASKS = re.compile(r"[?？]|추천|알려|어디|뭐|어때|\s좀[.!~]*$|줘|주세요|까요?[.!~]*$")


def in_question(text: str) -> list[str]:
    """The sentences that a question or request takes for granted of the user's own."""
    if _NOT_OURS.search(text) or not _ASKS.search(text):
        return []
    aged = [
        f"My {found['who'].lower()} is {found['age']} {_unit(found['unit'])}s old"
        for found in _AGED.finditer(text)
    ]
    being = [f"I'm a {found['what']}" for found in _AS.finditer(text)]
    having = [f"{found['age']}{found['unit']} {found['who']} 있어" for found in _KOREAN.finditer(text)]
    return [*aged, *being, *having]


def _unit(written: str | None) -> str:
    return "year" if written is None or written.lower() == "yr" else written.lower()
