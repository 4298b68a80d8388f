"""English wishes about how the assistant should behave: standing rules, told apart from orders of the moment."""

import re

from memoryapp.extract.base import Slot
from memoryapp.extract.rules.slots import USER, Finding, one

ORDER = re.compile(
    r"^(?:please\s+|pls\s+|kindly\s+|and\s+|so\s+|also\s+|but\s+|then\s+|just\s+)*(?:(?:from now on|going forward|in (?:the )?future|in general|as a rule|by default|whenever[^,]*|when(?: you| i|ever)?[^,]*|if[^,]*|for (?:all|every|any|future|code|recipes|meetings)[^,]*|in (?:your|all|every|our|code) [^,]*|after \d[^,]*|before \d[^,]*|on (?:weekends|weekdays)[^,]*)[, ]+)*(?:please\s+|you should\s+|you must\s+|i (?:want|need|'d like|would like|expect) you to\s+|make sure (?:to|you)\s+|be sure to\s+|try to\s+|remember to\s+|can you\s+|could you\s+|would you\s+|let's\s+|you can\s+|you (?:do not|don't) (?:have|need) to\s+|there'?s no need to\s+|no need to\s+|feel free to\s+)*"
    r"(?P<adverb>always |never |do not |don't |avoid |stop |quit |only |no |not |just |refrain from )*(?P<verb>[a-z]+(?:ing)?)\b(?P<rest>.*)$",
    re.IGNORECASE,
)
VERBS = re.compile(
    r"^(?:answer|respond|reply|speak|talk|write|use|keep|be|call|address|refer|give|include|add|show|format|start|begin|end|explain|cite|avoid|say|apologi[sz]e|translate|provide|limit|make|put|stick|assume|recommend|suggest|"
    r"schedule|book|send|contact|text|email|ping|notify|remind|ask|tell|mention|bring|round|convert|summari[sz]e|wrap|quote|list|number|skip|leave|include|exclude|omit|double-check|confirm|check|offer|interrupt|wake|disturb|set|plan|order|suggesting|using|calling|writing|emojis?|jargon|bullet|small|filler|meetings?|calls?|exclamation|apologies|sugarcoat|spoil|push|share|post|read|turn|prefer|lecture|repeat|treat|follow|work|go|have|correct|sign|output|return|default)$",
    re.IGNORECASE,
)
ANSWER = re.compile(
    r"\b(?:answers?|answering|repl(?:y|ies|ying)|respon(?:d|ses?|ding)|explanations?|explain|emojis?|emoticons?|tone|formal(?:ly)?|informal(?:ly)?|bullet points?|bullets|jargon|concise(?:ly)?|brief(?:ly)?|short(?: answers)?|to the point|in (?:korean|english|japanese|chinese|spanish|french|german|plain english)|call me|address me|refer to me|metric|imperial|celsius|fahrenheit|"
    r"24-hour|code (?:examples|samples|comments|blocks)|markdown|small talk|preamble|pleasantries|formalities|chit-?chat|intros?|apologi[sz]\w*|exclamation|sources|citations?|summar(?:y|ies)|honorifics|slang|swear|politely|casual(?:ly)?|first name|step by step|tl;?dr|filler|blunt|direct with me|honest with me|frank|critical|sugarcoat|disclaimers?|pronouns|units|date format|tables?|headings?|sentences|paragraphs|words|spoilers?|when you|recommend(?:ing|ations?)?|suggest(?:ing|ions?)?)\b",
    re.IGNORECASE,
)
LASTING = re.compile(
    r"\b(?:always|never|from now on|going forward|in (?:the )?future|whenever|every time|each time|as a rule|by default|at all times|any ?more|in general|unless i|all the time|(?:here|this point) on(?: out)?|all (?:your|my|future)|every (?:answer|reply|response|message)|for (?:all|every|future)|when(?:ever)? (?:you|i|giving|making|writing|explaining|answering|recommending|suggesting|planning|scheduling|translating|coding)\b)",
    re.IGNORECASE,
)
MOMENT = re.compile(
    r"\b(?:this|that|these|those|it|today|tonight|tomorrow|now(?! on)|right now|here|above|below|following|attached|again|for me to|the (?:file|text|article|email|code|essay|document|paragraph|light|lights|tv|music|door|list below|translation|story|poem)|minutes?|at \d)\b",
    re.IGNORECASE,
)
CALLING = re.compile(
    r"\b(?:call|address|refer to) me (?:as )?[\"'“]?(?P<name>[A-Z]?[\w.]+(?: [A-Z][\w.]+)*)", re.IGNORECASE
)
BY_TIME = re.compile(
    r"\b(?:do not|don't|never|no|avoid|stop|not)\b[^.]{0,40}\b(?:calls?|calling|meetings?|schedul\w*|text\w*|messages?|notif\w*|contact\w*|disturb\w*|emails?|emailing|ping\w*|remind\w*|wake)\b[^.]{0,30}\b(?:before|after|on (?:mon|tues|wednes|thurs|fri|satur|sun|week)\w*|during|between|at night|past)\b",
    re.IGNORECASE,
)
STYLES = (
    ("language", r"\bin (?:korean|english|japanese|chinese|spanish|french|german)\b"),
    ("emoji", r"\bemojis?|emoticons?"),
    ("length", r"\b(?:short|concise|brief|long|detailed|to the point|sentences|words|tl;?dr)"),
    ("honorific", r"\b(?:formal|informal|polite|casual|honorific)"),
    ("format", r"\b(?:bullet|table|markdown|heading|numbered|step by step)"),
    ("units", r"\b(?:metric|imperial|celsius|fahrenheit|kilomet|miles)"),
)


BY_HOUR = re.compile(
    r"^(?:please )?(?:do not|don't|never) (?!forget|worry|tell me|hesitate|be )\w+\b.*\b(?:after|before|past|between|on weekends?|on weekdays|at night|during (?:the night|dinner|meetings)|in the (?:morning|evening)s?)\b",
    re.IGNORECASE,
)


NOT_CALLED = re.compile(
    r"^(?:please )?(?:stop calling|don't call|do not call|never call|quit calling) me (?!back|at|when|after|before|tomorrow|today|again|later|if|on|in|during)\w+",
    re.IGNORECASE,
)
BRIEF = re.compile(
    r"^(?:please |just |always )*(?:keep|make) (?:it|things|everything|them) (?:very |super |nice and )?(?:short|brief|simple|concise|casual|formal|snappy|to the point|light|professional|positive|realistic)\b",
    re.IGNORECASE,
)
TOPIC_BAN = re.compile(
    r"^(?:please |just )*(?:don't|do not|never|stop|quit|no more) (?:ever |please )?(?:bring(?:ing)? up|mention(?:ing)?|talk(?:ing)? (?:to me )?about|ask(?:ing)? (?:me )?about|jok(?:e|ing) about|comment(?:ing)? on|nag(?:ging)?|lectur(?:e|ing)|sugarcoat(?:ing)?|apologi[sz]ing|patroni[sz](?:e|ing)|suggest(?:ing)? (?!we)|recommend(?:ing)?|compar(?:e|ing) me)\b(?! (?:this|that|it\b|those))",
    re.IGNORECASE,
)
MANNER = re.compile(
    r"^(?:please |just |always )*(?:talk|speak|explain (?:things|everything|stuff)|treat|write|respond|reply) ?(?:to )?(?:me )?(?:things |stuff )?(?:to me )?(?:like (?:i'm|i am|you're|a|we're)|as if|as though)\b",
    re.IGNORECASE,
)
CONDITIONED = re.compile(  # "When I paste code, just fix it": at every such time
    r"^(?:when|whenever|if|every time|any ?time|each time) (?:(?:i|i'm|we)\b(?! (?:was|were|had|die|win|got)\b)|you (?=recommend|suggest|answer|write|explain|give|translate|summari|plan|book|schedule|reply|respond|talk|code|make|list|quote|mention|speak|describe|cite|use|show|refer|address|correct|critique|review|edit|format))[^,]{4,60}, (?:please |just |always |then |you should |you can |you )*(?!i\b|i'|my\b|we\b|it\b|it's|the\b|you'|he\b|she\b|they\b|that\b|this\b|there\b|what|who|how|where|why|is\b|are\b|do i|can i|should|could|would|will|does|did|was|everything|nothing|people|everyone|life|things)"
    r"(?:don't |do not |never )?(?P<verb>add|answer|ask|assume|avoid|call|check|cite|compare|convert|correct|double-check|explain|fix|flag|format|give|help|ignore|include|keep|leave|limit|list|make|mention|offer|point|quote|remind|reply|respond|rewrite|say|send|share|show|skip|speak|start|suggest|summari[sz]e|tell|translate|use|warn|write|be|put|proofread|polish|recommend|break|highlight|talk|wait|round|sugarcoat|try to|stick|provide|hand)\b",
    re.IGNORECASE,
)


STOP_DOING = re.compile(
    r"^(?:please |just )*(?:stop|quit|avoid|no more) (?:adding|using|saying|including|starting|ending|giving me|writing|repeating|asking (?:me )?(?:if|whether|how|to|for|so)|sending me|correcting|interrupting|recommending|assuming|telling me (?:to|how|what)|calling me|second-guessing|over-?explaining|hedging|rambling)\b(?! (?:this|that|it)\b)|^i (?:don't|do not|never) want you to (?!do (?:this|that|it)|think|worry|feel|get|misunderstand)\w+",
    re.IGNORECASE,
)
STRAIGHT = re.compile(
    r"^(?:please |just |always )*(?:give it to me straight|tell (?:it )?(?:to )?me (?:like it is|straight|the truth)|don't beat around the bush|cut to the chase)\b",
    re.IGNORECASE,
)
NO_NEED = re.compile(
    r"^(?:please )?(?:feel free|don't be afraid|don't hesitate|you're free|it's (?:ok|okay|fine)) to (?:disagree|push back|challenge|correct|critici[sz]e|be (?:honest|blunt|critical|direct|harsh|casual|informal)|interrupt|joke|tease|swear|curse|use (?:slang|emojis))\b|^(?:please )?you (?:do not|don't) (?:have|need) to (?:be (?:so |that |too |overly )?(?:polite|formal|nice|gentle|careful|wordy|apologetic|serious)|(?:always |constantly )?(?:apologi[sz]e|explain|thank|greet|sugarcoat|repeat|remind))\b",
    re.IGNORECASE,
)
CONDUCT = (CONDITIONED, TOPIC_BAN, NOT_CALLED, BRIEF, MANNER, NO_NEED, STOP_DOING, STRAIGHT)


NOT_THIS_NAME = re.compile(
    r"\b(?:don'?t|do not|never|stop) call(?:ing)? me [^,;.]+[,;]\s*(?:but |just |please |instead,? )*(?=call me)",
    re.IGNORECASE,
)
#: "Call me anytime" asks for a call, not for a name.
NO_NAME = re.compile(
    r"^(?:any ?time|whenever|any|now|soon|directly|instead|asap|immediately|right|once|first|again|more|less|up|in|out|by|over|for|to|with|about|from|as|every|between|during|this|next|only|maybe|please|an?|the|anyway|whatever)\b",
    re.IGNORECASE,
)


def standing(sentence: str) -> Finding | None:
    """A rule to keep, or None for an order of the moment."""
    wanted = NOT_THIS_NAME.sub("", sentence)
    named = CALLING.search(wanted)
    if (
        named
        and not re.match(
            r"^(?:people|they|everyone|everybody|somebody|someone|he|she|my|our)\b",
            sentence.strip(),
            re.IGNORECASE,
        )
        and not re.search(
            r"\b(?:later|back|at|when|if|tomorrow|today|on|before|after|crazy|old)\b",
            named["name"],
            re.IGNORECASE,
        )
        and not NO_NAME.match(named["name"])
        and not re.search(r"\?$|don't call|never call|do not call", wanted, re.IGNORECASE)
    ):
        return Finding(memory_type="RULE", slot=one(USER, "called"), confidence=0.9)
    if BY_TIME.search(sentence) and not MOMENT.search(re.sub(r"\bat \d+\b|\bat night\b", "", sentence)):
        return Finding(memory_type="RULE", slot=None, confidence=0.85)
    if BY_HOUR.search(sentence.strip()) and not MOMENT.search(
        re.sub(r"\bat \d+\b|\bat night\b", "", sentence)
    ):
        return Finding(memory_type="RULE", slot=None, confidence=0.8)
    conduct = any(pattern.match(sentence.strip()) for pattern in CONDUCT)
    if conduct and not sentence.rstrip().endswith("?"):
        return Finding(memory_type="RULE", slot=None, confidence=0.8)
    found = ORDER.match(sentence.strip())
    units = re.search(
        r"\b(?:prices?|temperatures?|distances?|dates?|times?|weights?|measurements?|amounts?|currenc(?:y|ies)|recipes)\b.*\b(?:in|as|for|using) ",
        sentence,
        re.IGNORECASE,
    )
    banned = (
        found
        and (found["adverb"] or "").lower().strip() in ("always", "never", "do not", "don't", "avoid", "stop")
        and LASTING.search(sentence)
    )
    states = found and re.match(
        r"^\s*(?:is|isn't|was|wasn't|are|aren't|has|can|will|would|makes?|helps?)\b", found["rest"]
    )
    if not found or states or not (VERBS.match(found["verb"]) or banned):
        return None
    if (
        units
        and re.match(
            r"^(?:show|give|list|display|quote|convert|write|use|express|state|tell|report|calculate)$",
            found["verb"],
            re.IGNORECASE,
        )
        and not MOMENT.search(sentence)
    ):
        return Finding(memory_type="RULE", slot=None, confidence=0.85)
    adverb, lasting, answer = (
        (found["adverb"] or "").lower().strip(),
        bool(LASTING.search(sentence)),
        bool(ANSWER.search(sentence)),
    )
    moment = MOMENT.search(LASTING.sub("", sentence))
    if moment and not lasting:
        return None
    if answer and (lasting or _general(found["verb"].lower(), adverb, sentence)):
        return Finding(memory_type="RULE", slot=_style(sentence, adverb), confidence=0.9 if lasting else 0.8)
    if (
        lasting
        and not re.search(
            r"\b(?:never (?:give up|stop|mind|say never)|keep (?:going|it up)|take care|always remember)\b",
            sentence,
            re.IGNORECASE,
        )
        and not sentence.rstrip().endswith("?")
        and (
            adverb in ("always", "never", "do not", "don't")
            or re.search(
                r"from now on|going forward|whenever|by default|always|when (?:you|i|\w+ing)\b",
                sentence,
                re.IGNORECASE,
            )
        )
    ):
        return Finding(memory_type="RULE", slot=None, confidence=0.85)
    return None


def _general(verb: str, adverb: str, sentence: str) -> bool:
    """ "Use metric units", "no emojis please", "keep your answers short": general without "always"."""
    if re.search(
        r"\byour (?:answers|replies|responses|explanations|messages|summaries|suggestions|recommendations)\b",
        sentence,
        re.IGNORECASE,
    ):
        return True
    if re.search(r"(?:have|need) to\b", sentence, re.IGNORECASE) and re.search(
        r"\b(?:with|to|for) me\b|formal|polite", sentence, re.IGNORECASE
    ):
        return True
    if adverb in (
        "no",
        "do not",
        "don't",
        "avoid",
        "stop",
        "skip",
        "only",
        "refrain from",
        "never",
        "always",
    ):
        return verb not in ("tell", "ask", "send", "read", "share") or bool(
            re.search(r"emoji|jargon|spoil|apolog", sentence, re.IGNORECASE)
        )
    if verb in (
        "keep",
        "use",
        "be",
        "address",
        "respond",
        "answer",
        "reply",
        "speak",
        "talk",
        "call",
        "limit",
        "stick",
        "prefer",
        "skip",
        "cite",
        "default",
    ):
        return not re.search(
            r"\b(?:question|an? eye|going|it up|the (?:change|following))\b", sentence, re.IGNORECASE
        )
    return (
        verb
        in (
            "format",
            "start",
            "begin",
            "end",
            "include",
            "explain",
            "give",
            "put",
            "write",
            "recommend",
            "suggest",
        )
        and bool(
            re.search(r"\b(?:your|all|any|answers|replies|responses|code|when)\b", sentence, re.IGNORECASE)
        )
        and not re.search(
            r"^(?:please )?(?:write|give|explain|recommend|suggest|include) (?:me |us )?(?:a|an|the|some|how|why|what|five|three|\d+)\b",
            sentence,
            re.IGNORECASE,
        )
    )


def _style(sentence: str, adverb: str) -> Slot | None:
    for name, pattern in STYLES:
        if re.search(pattern, sentence, re.IGNORECASE):
            return one(
                USER,
                f"rule:{name}",
                negated=adverb in ("no", "never", "do not", "don't", "avoid", "stop", "skip", "refrain from"),
            )
    return None
