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
    r"(?:flying|heading|travell?ing|moving|driving|going|meeting|seeing|visiting|starting|trying|saving|having) (?=.*\b(?:on|in|next|this|tomorrow|tonight|to)\b)(?!to (?:the point|be)\b)\w+|(?:finished|completed|ran|won|aced|failed|passed|submitted|published|finally got|bought) (?:my|our|a|an|the)|broke my|had (?:surgery|an operation|a (?:baby|miscarriage|stroke))|lost my (?:job|dad|mom|father|mother|dog|cat|wife|husband|grand\w+)|bought (?:a|my|our)|sold (?:my|our)|passed (?:my|the)|can't stand|cannot stand|can't eat|can't drink|hate|love|prefer|live in|work (?:in|at|as|for)|allergic|married|single|divorced|retired|"
    r"not (?:a|much of a) (?:big |huge |great )?(?:fan|morning|coffee|tea|dog|cat|people)|(?:big|huge|massive|lifelong) (?:fan|lover|believer)|gave up|switched (?:to|from)|stopped (?:eating|drinking|smoking|using|working)|haven't (?:eaten|drunk|smoked|touched|owned|driven|worked|lived))\b",
    re.IGNORECASE,
)
BEING = re.compile(
    r"^(?:(?:flying|heading|travell?ing|moving|driving|meeting|seeing|visiting|starting|trying|saving|having)|going|planning|hoping|allergic|married|single|divorced|retired|not|big|huge|massive|lifelong)\b",
    re.IGNORECASE,
)
HAVING = re.compile(r"^(?:never )?been\b", re.IGNORECASE)


#: "Fridays we get takeout": when, said first and without a comma.
UNCOMMAED = re.compile(
    r"^(?P<when>(?:on )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends|weekdays|most (?:days|nights|mornings|weekends|evenings|summers)|(?:in the )?(?:summers?|winters?|mornings|evenings)|every (?:other )?(?:day|week|month|year|morning|night|evening|weekend|summer|winter|spring|fall|christmas|(?:mon|tues|wednes|thurs|fri|satur|sun)day)) (?=(?:i|we|my|our)\b))",
    re.IGNORECASE,
)


_apostrophes = {
    "im": "I'm", "ive": "I've", "dont": "don't", "doesnt": "doesn't", "didnt": "didn't", "cant": "can't", "wont": "won't", "isnt": "isn't",
    "arent": "aren't", "wasnt": "wasn't", "havent": "haven't", "hasnt": "hasn't", "couldnt": "couldn't", "wouldnt": "wouldn't", "shouldnt": "shouldn't",
    "gonna": "going to", "wanna": "want to", "gotta": "got to", "shes": "she's", "hes": "he's", "theyre": "they're", "youre": "you're",
}  # fmt: skip
UNMARKED = re.compile(rf"(?<![\w'’-])(?:{'|'.join(_apostrophes)})(?![\w'’-])", re.IGNORECASE)
#: "dad has type 2 diabetes": whose he is goes without saying.
KIN_FIRST = re.compile(
    r"^(?P<kin>mom|mum|mommy|dad|daddy|grandma|grandpa|granny|hubby|wifey|wife|husband|sis|bro|bf|gf)(?=(?: (?:just|also|still|never|always|recently|really))? (?:is|was|has|had|loves|likes|hates|works|lives|got|can't|won't|doesn't|moved|passed|turned|retired|needs|drinks|eats|goes|plays|died)\b|'s )",
    re.IGNORECASE,
)
#: A plan without its verb: "dinner with Sam tomorrow at 7".
PLANNED = re.compile(
    r"^(?=(?:dinner|lunch|brunch|breakfast|drinks|coffee|meeting|appointment|interview|date|call|party|wedding|flight|exam|checkup|surgery|(?:doctor|doctor's|dentist|dentist's|vet|hair|eye|job) (?:appointment|interview|visit)) (?:with|at|for|to|in|on|tomorrow|tonight|next|this)\b[^?]*\b(?:tomorrow|tonight|next|this|on|at|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)",
    re.IGNORECASE,
)
ALLERGY = re.compile(
    r"^(?P<how>(?:severe|bad|mild|serious|slight|terrible) )?(?P<what>(?:[\w-]+ ){0,2}?allergy(?: to [\w ]+?)?)(?: here| btw)?[.!]*$",
    re.IGNORECASE,
)


def written(text: str) -> str:
    """The text with the apostrophes that were not typed."""
    return UNMARKED.sub(lambda found: _apostrophes[found[0].lower()], text)


def in_full(text: str) -> str:
    """The sentence without what trails behind it, and with the "I" that was left out."""
    text = UNCOMMAED.sub(lambda found: found["when"].rstrip() + ", ", TRAILING.sub("", text))
    if text.rstrip().endswith("?"):
        return text
    if KIN_FIRST.match(text):
        return f"My {text[:1].lower()}{text[1:]}"
    if PLANNED.match(text):
        return f"I have {text[:1].lower()}{text[1:]}"
    if found := ALLERGY.match(text):
        return f"I have a {(found['how'] or '').lower()}{found['what'].lower()}"
    if not UNSAID.match(text):
        return text
    article = "a " if re.match(r"(?:big|huge|massive|lifelong)\b", text, re.IGNORECASE) else ""
    verb = f"am {article}" if BEING.match(text) else "have " if HAVING.match(text) else ""
    return f"I {verb}{text[:1].lower()}{text[1:]}"
