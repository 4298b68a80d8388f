"""Idioms of taste in English clauses: "a soft spot for", "not big on", "can't get enough of", "more of a tea person"."""

import re

from memoryapp.extract.rules.english_lexicon import EMPTY
from memoryapp.extract.rules.english_scene import Scene, value
from memoryapp.extract.rules.slots import Finding, many, preferred

_very = r"(?:(?:too|very|really|that|so|super|all that|pretty|quite|totally|absolutely|such|kind of|a bit of|a little) )*"
BEING = re.compile(
    rf"^(?:am|is|are|have been|was|were) (?P<not>not |never )?{_very}(?:big on|wild about|nuts about|mad about|sold on|all about|into|keen on|a (?:real |huge |big |total )?(?:sucker|stickler) for|picky about|particular about|good with|one for|much of an? (?P<person2>[\w ]+?) (?:person|drinker|eater|reader|guy|girl)$|"
    r"more of an? (?P<person>[\w ]+?) (?:person|guy|girl|drinker|type|kind of \w+)\b)(?: (?P<what>.+))?$"
)
HAVING = re.compile(
    r"^(?:have|has|have got|has got|have always had) (?P<no>no |zero |little )?(?:an? )?(?:(?:real|huge|major|serious|big|weird|slight|deep|strong|secret|special|lifelong|irrational|low|high) )*(?P<kind>soft spot|weakness|thing|love|passion|taste|craving|obsession|hatred|aversion|distaste|fear|phobia|fondness|appetite|affinity|interest|patience|tolerance|sweet tooth) (?:for|of|to|in|with|towards?) (?P<what>.+)$"
)
CANNOT = re.compile(
    r"^(?:can not|could not|can never|could never) (?:really |seriously )?(?:get enough of|(?:live|function|do|go|survive|sleep|work|start (?:my|the) (?:day|morning)|get through (?:the|my|a) day|start (?:my|the) day) without|say no to|resist|stop (?:listening to|watching|eating|playing)) (?P<what>.+)$"
)
COULD = re.compile(
    r"^(?:could|can) (?:happily |easily |honestly )?live (?:on|off) (?P<only>(?!\d|my\b|this\b|that\b|it\b)[a-z]+)$|^(?:could|can) (?:happily |easily |honestly )?(?:eat|drink|listen to|watch|live on|live off|talk about|play|read|wear) (?P<what>.+?) (?:every (?:single )?day|all day(?: long)?|forever|for days|for hours|all the time|for every meal|three times a day|nonstop|24/7)\b.*$"
)
RATHER = re.compile(
    r"^would (?:much |always |far )*rather (?P<what>(?!not\b|you\b|have you\b)[a-z].+?) than (?P<other>.+)$"
)
NEVER = re.compile(
    r"^(?:have |has |did |do |does )?(?P<not>never|not) (?:really |ever |much |quite )*(?:liked|cared (?:much )?for|care (?:much )?for|enjoyed|been into|been (?:a (?:big |huge )?fan of|big on|fond of|keen on)|gotten into|got into|get the (?:appeal|hype) of|understood the appeal of|see the appeal of) (?P<what>.+)$"
)
POORLY = re.compile(
    r"^(?:do|does) not (?:do (?:well|great) (?:with|in)|cope well with|deal well with|mix well with|handle (?P<handled>.+?) (?:very )?well$|get along with|react well to) ?(?P<what>.*)$|^(?:am|is) (?:very |really |super |quite |pretty |extremely |so )?(?:sensitive to|intolerant (?:to|of)|uncomfortable (?:in|with|around)|terrible with|bad with|hopeless with|useless with|awkward around) (?P<bad>.+)$"
)
DRAWN = re.compile(
    r"^(?:always |usually |tend to |generally )*(?:go for(?! (?:an? |the |my |\w+s?$))|opt for|lean towards?|gravitate towards?|stick to|swear by|live for|crave|binge|binge-watch|geek out over|root for) (?P<what>.+)$"
)


def idiom(scene: Scene) -> Finding | None:
    """A taste said in an idiom, with what it is for."""
    said = scene.clause.said
    if scene.thing or not scene.who or re.search(r"\b(?:this|that|right now|today|your)\b", said):
        return None
    for name, pattern in PATTERNS:
        found = pattern.match(said)
        groups = found.groupdict() if found else {}
        what = next(
            (groups[k] for k in ("person", "person2", "handled", "bad", "only", "what") if groups.get(k)), ""
        )
        if found and what and not EMPTY.match(what):
            return _finding(scene, name, groups, what)
    return None


def _finding(scene: Scene, name: str, groups: dict[str, str | None], what: str) -> Finding:
    bad = bool(re.search(r"hatred|aversion|distaste|fear|phobia|low tolerance", groups.get("kind") or ""))
    negated = name in ("never", "poorly") or bool(groups.get("not")) or bad != bool(groups.get("no"))
    if bad and (groups.get("kind") or "") in ("fear", "phobia"):
        return Finding(memory_type="PROFILE", slot=many(scene.who, "fears", value(what)))
    if name == "rather":
        return Finding(memory_type="PREFERENCE", slot=preferred(scene.who, value(what)), confidence=0.85)
    return Finding(memory_type="PREFERENCE", slot=many(scene.who, "likes", value(what), negated=negated))


PATTERNS = (
    ("being", BEING),
    ("having", HAVING),
    ("cannot", CANNOT),
    ("could", COULD),
    ("rather", RATHER),
    ("never", NEVER),
    ("poorly", POORLY),
    ("drawn", DRAWN),
)
