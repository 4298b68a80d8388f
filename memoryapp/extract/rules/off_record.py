"""Wishes not to be remembered: "기억하지 마", "I'd rather you not save this".

A wish, not a report: "I avoid saving my work" and "메모를 안 하면 잊어버려요" tell how somebody is.
Where the two cannot be told apart, silence is the smaller harm.
"""

import re

# --- Korean
_keep = r"(?:기억|저장|메모|기록|캡처|보관)(?:은|는|을|를|도|이|가)?"
_store = r"(?:기억(?:\s?저장소|\s?창고|\s?목록)?|메모리|기록|머릿속|머리|프로필|노트|메모|메모장|로그|내 정보|데이터베이스)"
_stop = r"(?:마|말(?!씀)|못하게|않(?:게|도록|았으면|으셨으면|으면 (?:좋|해|합|고맙|감사)|아도|으셔도|기를|길|아\s?(?:주|줘|줬)))"
_put = r"(?:남기|남겨\s?두|남겨\s?놓|넣|넣어\s?두|저장하|담|담아\s?두|올리|쌓|추가하|적|적어\s?두|새기|집어\s?넣|보관하|두)"
_said = r"(?:말|말씀|얘기|이야기|내용|대화|이거|이건|이것|그거|그건|그것|방금|아까|(?:한|들은|본) ?(?:거|것|건|걸))(?:은|는|을|를|도)?"
_all = r"(?:(?:다|전부|모두|싹|그냥|제발|빨리|좀|깨끗이|완전히|바로)\s?)*"
KOREAN = re.compile(
    "|".join(
        (
            rf"{_keep}\s?(?:하|하시|해|해\s?두|해\s?놓|되|해\s?주|남기)?(?:지|진|지는|지도|질)\s?{_stop}",
            rf"{_keep}\s?(?:안|못)\s?(?:되게|되도록|하게|하도록|했으면|하셨으면|해\s?줬으면|해\s?주|해\s?줘|됐으면|되었으면|하면 좋|하시면 좋|해도|하셔도|하길|하기를|하는 (?:게|걸로|것으로))",
            rf"{_keep}\s?(?:할|하실|해\s?둘|해\s?두실|될)\s?필요\s?(?:는|가|도|까지|까지는|까진)?\s?없|{_keep}\s?할 (?:거|것|건) 없",
            rf"{_keep}\s?(?:말아|마세요|마십시오|마시|마(?=[\s.,!~]|$)|금지|사절|ㄴㄴ|노노|하면\s?안)",
            rf"{_keep}\s?없이 (?:들어|듣기|얘기|대답|답|말|처리|진행)",
            rf"{_store}(?:에|에는|엔|에다)\s?{_put}지\s?{_stop}",
            rf"{_store}(?:에서|에선)\s?{_all}(?:지워|지우|빼|삭제|없애|날려|제거)",
            rf"(?:기록|흔적|로그|기억)(?:을|를|은|이|에)?\s?(?:{_put}지\s?{_stop}|남지\s?{_stop}|(?:안|못) 남(?:게|기|겨|도록|았으면))",
            r"(?:남기|(?:남겨|담아|외워)\s?(?:두|놓)|외우|(?:받아\s?)?적|적어\s?(?:두|놓))지\s?(?:마|말아|말고|말라)",
            rf"잊어\s?(?:줘|주(?!지))|{_said}\s?{_all}잊(?:어(?!서|도 )|으세요|으십시오|고)",
            r"(?:못|안) 들은 (?:걸로|것으로|척|셈)|없던 (?:일|말|걸|얘기)로|흘려\s?(?:들어(?=\s?줘|\s?주|[\s.,!~]|$)|들으세요)|한 귀로 (?:듣고|흘)",
            rf"(?:방금|아까|지금|내가|제가) [^.!?\n]{{0,12}}(?:말|말씀|얘기|이야기)\S{{0,2}}(?:\s(?:거|것|건|걸))?\s?{_all}(?:지워|삭제해|없애)\s?(?:줘|주)|(?:이건|이 얘긴|이 얘기는|이 말은|넌|너는) (?:그냥 )?몰라도 (?:돼|되|괜찮)",
            r"오프\s?더\s?레코드|비공개로 (?:해\s?(?:줘|주|둬)|할게|하자|부탁|(?:말|얘기)(?:할게|하는 (?:거|건|겁)|해\s?둘))",
        )
    )
)
#: What is not to be saved, kept or left is no memory but a file, or the rice in one's bowl.
OTHER_THINGS = re.compile(
    r"(?:파일|문서|사진|이미지|영상|데이터|비밀번호|변경 ?사항|코드|엑셀|양식)(?:은|는|을|를)\s?(?:자동\s?|굳이\s?)?(?:저장|기록|기억)(?:하지|할)|"
    r"(?:밥|음식|반찬|국물|급식|돈|유산|재산)(?:은|는|을|를)?\s?(?:\S+\s)?남기지"
)

# --- English
_save = r"(?:remember|memori[sz]e|save|store|record|keep|note|log|retain|write|track|learn|hold on ?to|hang on ?to)"
_saving = r"(?:remembering|memori[sz]ing|saving|storing|recording|keeping|noting|logging|retaining|writing|tracking|learning|holding on to)"
_saved = r"(?:remembered|memori[sz]ed|saved|stored|recorded|kept|noted|logged|retained|written down|on (?:the )?record|in (?:your |the )?memory)"
_this = r"(?:this|that|it|these|those|any of (?:this|that|it)|any(?:thing)?|what i(?:'m| am)? \w+(?: \w+){0,3}?|everything(?: i \w+(?: \w+)?)?)"
_what = rf"(?:{_this}|any of|what|down|the following|my|me|in|a note|a record|track of this)\b"
_mind = r"(?:memory|memories|mind|notes?|records?|profile|history|logs?|files?|database|brain)"
_not = r"(?:do not|don'?t|never|without|no need to|no reason to|should ?n[o']?t|must ?n[o']?t|should not|must not|need ?n[o']?t|not to|rather you (?:did not|didn'?t))"
ENGLISH = re.compile(
    "|".join(
        (
            rf"\b(?:please )?{_not}\s+(?:ever |have to |need to |bother (?:to )?|you |you to )?(?:{_save}|{_saving})\s*(?:{_what}|[:,.!]|$)",
            rf"\b(?:stop|avoid|refrain from|skip|quit|hold off on|no)\s+{_saving}\s*(?:{_what}|[:,.!]|$)",
            rf"\byou (?:to )?not (?:to )?{_save}\b|\blet'?s not {_save}\b|\b(?:if|rather|prefer|hope|wish|that) you (?:did not|didn'?t|do not|don'?t|would not|wouldn'?t|could not|couldn'?t|won'?t) {_save}\b",
            rf"\b(?:do not|don'?t|would not|wouldn'?t) (?:want|need|like) you (?:to )?(?:{_save}|{_saving})\b",
            rf"\b(?:do not|don'?t|would not|wouldn'?t) (?:want|need|like|wish) (?:{_this}|my \w+|you to have this) (?:to be |being |to get |getting )?{_saved}\b",
            rf"\brather (?:not have {_this}|{_this} (?:was ?n[o']?t|was not|were ?n[o']?t|were not|not|not be|did ?n[o']?t get)) (?:be |get )?{_saved}\b",
            rf"\b{_this} (?:is not to|isn'?t to|should not|shouldn'?t|must not|mustn'?t|need not|needn'?t|(?:does not|doesn'?t) (?:need|have) to|may not|is not|isn'?t) (?:be |get |going to be )?{_saved}\b",
            rf"\b(?:nothing|none of (?:this|that|it))\b[^.\n]{{0,30}} (?:be|get|gets|is) {_saved}\b|\b(?:is not|isn'?t|not) worth (?:remembering|saving|noting|recording)(?=\s*(?:[.,:;!]|$|but\b|this|that|it))",
            rf"\byou(?:'re| are) (?:not|n't) (?:allowed|supposed|permitted|meant) to {_save}\b|\bnot (?:consent|agree|comfortable|okay|ok) (?:to|with) (?:you |your ){_saving}\b|(?<!\bi )(?<!\bwe )\b(?:do not|don'?t|never)\b[^.!?\n]{{0,40}}\bor {_save} {_this}\b",
            rf"\b(?:want|like|need|have|get) {_this} (?:to be |be )?(?:forgotten|erased|deleted|(?:not |un){_saved})\b|\b{_this} (?:to |should |must |can |could )?(?:stay|be kept|remain|be left) (?:out of|off) (?:the |your |my )?(?:{_mind}|books)\b",
            rf"\b{_not} (?:add|put|commit|enter|include|place|file|save|write) {_this}\b[^.\n]{{0,16}}\b(?:{_mind}|away)\b|\b{_not} (?:make|take|keep) (?:a |any )?(?:mental )?(?:notes?|records?|memor(?:y|ies)) (?:of|about|on) {_this}\b",
            rf"\b(?:make|keep|take|leave|create) no (?:notes?|records?|memor(?:y|ies)|logs?|trace) (?:of|about|on) {_this}\b|\bno (?:records?|notes?|memory|memories) of {_this}\b",
            rf"\b(?:strike|exclude|omit|erase|delete|scrub|wipe|remove|clear|purge|expunge|cut|drop|take) (?:{_this} (?:from|out of|off) (?:your |the |my )?{_mind}|from (?:your|the) {_mind})\b",
            rf"\b(?:keep|leave) {_this} (?:out of|off)\b|\b(?:not|nothing) (?:for|to go in(?:to)?|on) (?:the record|your (?:memory|notes))",
            r"\boff[- ]the[- ]record\b|\b(?:incognito|between us only)\b|\bunremember\b|\b(?:this|that|it)(?:'s| (?:stays|is|remains))? (?:just |strictly |only )?between (?:us|you and me|the two of us)\b",
            r"\b(?:forget|disregard|ignore) (?:that i|what i|(?:that )?(?:i|you) (?:ever |just )?(?:said|told|mentioned|heard|saw)|i ever|this\b|that\b(?! i need| the)|about (?:this|that|it)|it\b|everything i|all (?:of )?(?:this|that))",
            rf"\bpretend (?:that )?(?:i|you) (?:never|didn'?t|did not) (?:say|said|tell|told|hear|heard|mention|mentioned)\b|\byou (?:never|did not|didn'?t) hear(?:d)? (?:this|that|it)\b|\b{_not} learn (?:anything )?from {_this}\b",
            r"(?:^|[.!?]\s|\bplease )(?:(?:erase|scrub) (?:what i|that|this|it)|forget (?:my|our))\b",
        )
    ),
    re.IGNORECASE,
)
_often = r"(?:(?:really|just|always|often|usually|sometimes|still|will|would|can|could|do|did|tend to|try to|never|ever|also) )*"
#: How somebody is, or what is to be remembered for certain: "I never save my receipts", "Never forget that I hate cilantro".
REPORT = re.compile(
    rf"\b(?:i|we|they|he|she|who)(?:'ll|'d)?\s+{_often}(?:(?:do not|don'?t|did not|didn'?t|never|can'?t|cannot|couldn'?t|won'?t|will never|avoid|stop|skip|quit|refrain from)\s+{_often})(?:{_save}|{_saving})\b|"
    rf"\b(?:i|we|they|he|she|who)(?:'ll|'d)?\s+{_often}forget\b|\b(?:you|why do you) {_often}(?:never|can'?t|cannot|forget) (?:remember|that)\b|"
    rf"\b(?:do not|don'?t|never|not|won'?t|can'?t|cannot|mustn'?t|must not|shouldn'?t|should not|didn'?t)\s+(?:you |ever |let me |let us |want to |to )*(?:forget|ignore|disregard)\b|\bhow (?:could|can) \w+ forget\b",
    re.IGNORECASE,
)


def asked(text: str) -> bool:
    """Whether the text asks that it be not remembered."""
    plain = REPORT.sub("", OTHER_THINGS.sub("", text))
    return bool(KOREAN.search(plain) or ENGLISH.search(plain))
