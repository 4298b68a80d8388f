"""Whether somebody asks that nothing be remembered from now on, or allows it again: "지금부터 하는 얘기는 기억하지 마"."""

import re
from typing import Literal

from memoryapp.extract.rules import off_record, taking_back

#: Where a hush begins, or where it ends.
Mark = Literal["", "from", "until"]

_FROM_NOW = re.compile(
    r"(?:지금|이제|여기서?)\s?부터|앞으로(?:는)?\s(?:내가\s|제가\s)?(?:하는|할|말하는|말할|얘기하는|나누는|나눌|아무)|(?:이|이번|지금|오늘)\s?(?:대화|채팅|세션)(?:은|는|에서는|\s?내용은|\s?동안)|"
    r"\bfrom (?:now|here|this point|this moment)(?: on)?|\bstarting now\b|\b(?:the rest of )?(?:this|our) (?:whole |entire )?(?:chat|conversation|session)\b|\buntil i (?:say|tell)\b|"
    r"\b(?:what|anything|everything|whatever) i(?:'m about to| am about to|'ll| will)? (?:say|tell you|share|mention|write) (?:next|after this|from here)\b|\b(?:going )?off[- ](?:the[- ])?record (?:now|from here)\b",
    re.IGNORECASE,
)
_AGAIN = re.compile(
    r"(?:^|[.!?,\s])(?:이제|다시|지금)(?:부터)?(?:는)?\s?(?:(?:다시|그냥|또|내|제|하는|말|얘기|대화)(?:은|는|을|를)?\s?){0,3}(?:기억|저장|기록|메모)(?:은|는|을|를)?\s?(?:해도|하셔도|해\s?줘|해\s?주세요|해\s?둬|하자|시작|하면\s?돼)|"
    r"\b(?:you|it) (?:can|may|could)(?: now)? (?:start |begin |go back to )?(?:remember(?:ing)?|sav(?:e|ing)|stor(?:e|ing)|record(?:ing)?)(?: (?:things|this|what i say|stuff|everything))? (?:again|now)\b|"
    r"\b(?:start|resume|begin|go back to) (?:remembering|saving|recording|storing)\b|\bback on (?:the )?record\b|\bremember (?:things|what i say|everything|stuff) again\b|"
    r"\b(?:ok|okay|fine|alright) to (?:remember|save|record)(?: (?:things|what i say))? (?:again|now)\b",
    re.IGNORECASE,
)
_FORGET = re.compile(
    r"잊|지워|삭제|빼|\b(?:forget|erase|delete|wipe|disregard|scratch|strike)\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def mark(text: str) -> Mark:
    """What the words do to the rest of the session; a mere "이건 기억하지 마" concerns its own turn only."""
    found: Mark = ""
    for sentence in _SENTENCE.split(text[:2000]):
        if off_record.asked(sentence):
            only_back = taking_back.reach(sentence) is not None and _FORGET.search(sentence)
            onward = _FROM_NOW.search(sentence) and not only_back
            found = "from" if onward else found
        elif _AGAIN.search(sentence) and not sentence.rstrip().endswith("?"):
            found = "until"
    return found
