"""Spoken English written out before it is read: "Just got laid off", "…, tbh"."""

import re

#: Behind a sentence, and no part of what it says.
TRAILING = re.compile(
    r"(?:,\s*|\s+)(?:tbh|honestly|to be honest|lol|haha+|lmao|fwiw|btw|by the way|imo|if i'm honest|i swear|you know|believe it or not|if that helps|just so you know|fyi|ngl|i must say|as it happens|thankfully|unfortunately|sadly|luckily|whoops)(?=[.!]*$)",
    re.IGNORECASE,
)
#: What only a person says of themselves when the sentence begins with its verb.
UNSAID = re.compile(
    r"^(?:(?:just|recently|finally|only|still|also|never|almost) )?(?:got (?!it\b|that\b|this\b|you\b|to (?:go|run|admit|say)\b|the (?:error|same|message)\b|an? (?:error|question|message|idea|sec|second|minute)\b)\w+|(?:need|have|going|planning|hoping) to (?!say|admit|know|ask|be honest|go\b|run\b|see\b|think)\w+|spent|grew up|never (?:been|had|learned|learnt|finished|owned|married|smoked|drank|drunk|went|lived|worked|got (?:into|my|a)|really (?:liked|got))|quit (?:my|the (?:gym|team))|been (?!a while|there)|used to (?!be (?:good|great|fun))|was (?:born|raised|diagnosed)|moved|started (?:a|my|at|working|learning|taking|as)|"
    r"broke my|had (?:surgery|an operation|a (?:baby|miscarriage|stroke))|lost my (?:job|dad|mom|father|mother|dog|cat|wife|husband|grand\w+)|bought (?:a|my|our)|sold (?:my|our)|passed (?:my|the)|can't stand|cannot stand|can't eat|can't drink|hate|love|prefer|live in|work (?:in|at|as|for)|allergic|married|single|divorced|retired|"
    r"not (?:a|much of a) (?:big |huge |great )?(?:fan|morning|coffee|tea|dog|cat|people)|(?:big|huge|massive|lifelong) (?:fan|lover|believer)|gave up|switched (?:to|from)|stopped (?:eating|drinking|smoking|using|working)|haven't (?:eaten|drunk|smoked|touched|owned|driven|worked|lived))\b",
    re.IGNORECASE,
)
BEING = re.compile(
    r"^(?:going|planning|hoping|allergic|married|single|divorced|retired|not|big|huge|massive|lifelong)\b",
    re.IGNORECASE,
)
HAVING = re.compile(r"^(?:never )?been\b", re.IGNORECASE)


#: "Fridays we get takeout": when, said first and without a comma.
UNCOMMAED = re.compile(
    r"^(?P<when>(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|weekdays|most (?:days|nights|mornings|weekends|evenings|summers)|(?:in the )?(?:summers?|winters?|mornings|evenings)|every (?:other )?(?:day|week|month|year|morning|night|evening|weekend|summer|winter|spring|fall|christmas|(?:mon|tues|wednes|thurs|fri|satur|sun)day)) (?=(?:i|we|my|our)\b))",
    re.IGNORECASE,
)


def in_full(text: str) -> str:
    """The sentence without what trails behind it, and with the "I" that was left out."""
    text = UNCOMMAED.sub(lambda found: found["when"].rstrip() + ", ", TRAILING.sub("", text))
    if not UNSAID.match(text) or text.rstrip().endswith("?"):
        return text
    article = "a " if re.match(r"(?:big|huge|massive|lifelong)\b", text, re.IGNORECASE) else ""
    verb = f"am {article}" if BEING.match(text) else "have " if HAVING.match(text) else ""
    return f"I {verb}{text[:1].lower()}{text[1:]}"
