"""What took another value, told in two breaths, put into one: "Got a new number. It's 555-0199" → "My new number is 555-0199"."""

import re

_lead = r"^(?:(?:hey|so|oh|ok|okay|well|btw|by the way|update|guess what|actually|wait|no|sorry|oops|and|also)[,.!: ]+)*"
LEADING = re.compile(_lead, re.IGNORECASE)
_i = r"(?:(?:i|we)(?:'ve| have)? )?(?:(?:just|recently|finally|also) )*"
_thing = r"(?P<thing>(?:(?:phone|cell|mobile) )?number|e-?mail(?: address)?|(?:home )?address|car|phone|laptop|job title|last name)"
_value = r"(?P<value>[^\s,!?][^,!?]*?)(?: now)?[.!]*$"
_pet = r"(?P<pet>dog|cat|puppy|kitten|parrot|hamster|rabbit|bunny|bird|horse|fish|turtle)"
RENEWED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_lead}{_i}(?:got|have|bought|switched to|changed to) a new {_thing}[\s,.;:!–—-]+(?:and )?(?:it'?s|it is|now it'?s|(?:the )?new one(?:'s| is)|(?:the )?new (?:number|address)(?:'s| is))(?: now)? {_value}",
        rf"{_lead}{_i}(?:changed|updated|switched) (?:my|our) {_thing}[\s,.;:!–—-]+(?:and )?(?:it'?s|it is|now it'?s|to|(?:the )?new one(?:'s| is))(?: now)? {_value}",
        rf"{_lead}(?:my|our) {_thing} (?:has )?changed[\s,.;:!–—-]+(?:and )?(?:it'?s|it is|now it'?s|to|(?:the )?new one(?:'s| is))(?: now)? {_value}",
    )
)
RENAMED = re.compile(
    rf"{_lead}{_i}renamed (?:the|our|my) {_pet}(?:[\s,.;:!–—-]+(?:(?:he|she|it)(?:'s| is)|now)(?: now)?(?: called| named)?|(?: to| as)?) (?P<name>(?-i:[A-Z])[\w'-]+)(?: now)?[.!]*$",
    re.IGNORECASE,
)
#: "hey i'm dani, 29, based in Leeds"
INTRODUCED = re.compile(
    rf"{_lead}(?:hi |hello )?i(?:'m| am) (?P<name>[a-z]{{2,14}}),? (?:and )?(?:i'?m )?(?P<age>\d{{2}})(?: years old| yo|yo)?(?:,| and)* (?P<rest>(?:based|living|working|from|an?) [^?]+?)[.!]*$",
    re.IGNORECASE,
)
NOT_AGE = re.compile(
    rf"{_lead}i(?:'m| am) (?P<age>\d{{1,3}})(?: years old)?,? (?:and )?not \d{{1,3}}(?: years old)?[.!]*$",
    re.IGNORECASE,
)
TEAM = re.compile(
    rf"{_lead}{_i}(?:transferred|moved|switched|got moved|got transferred|been moved|been transferred) to (?:the )?(?P<team>[\w&' -]{{2,30}}?) (?P<kind>team|department|dept)(?: (?:now|last week|last month|this week|today|yesterday|recently))?[.!]*$",
    re.IGNORECASE,
)


def told(text: str) -> str:
    """The text with what was renewed in one sentence; any other as it is."""
    for pattern in RENEWED:
        if found := pattern.match(text):
            return f"My new {found['thing'].lower()} is {found['value']}"
    if found := RENAMED.match(text):
        return f"My {found['pet'].lower()}'s name is {found['name']} now"
    if found := INTRODUCED.match(text):
        return f"My name is {found['name']}. I'm {found['age']} years old. I'm {found['rest']}"
    if found := NOT_AGE.match(text):
        return f"I'm {found['age']} years old"
    if found := TEAM.match(text):
        return f"I'm on the {found['team']} {found['kind'].lower()} now"
    return text
