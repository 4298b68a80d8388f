"""Orders dressed as facts: rules that "do not apply to me", secrets that "must be revealed", brands pushed at users."""

import re

# --- English
_rules = r"(?:rules?|polic(?:y|ies)|guidelines?|filters?|restrictions?|limits?|limitations?|guardrails?|safeguards?|constraints?|instructions|checks|protocols?)"
_ours = r"(?:(?:safety|content|security|moderation|ethic\w*|system|usage|privacy|ai|assistant'?s?|chatbot'?s?|your|usual|normal|standard|all|any|these|those|confirmation|approval)\s+)"
#: The assistant's rules: named so, or "the rules" without a word of whose; not "the new tax rules", "visa restrictions".
_bounds = rf"(?:\b(?:{_ours}{{1,3}}{_rules})|(?:^|[.,:;]\s*|\bthat\s+)(?:the\s+)?{_rules})"
_me = r"(?:me|us|my (?:account|chats?|requests?)|(?:the|this) user|users?|anyone|anybody|everyone)"
_inside = r"(?:passwords?|passcodes?|api[ _-]?keys?|(?:access|private|secret|encryption) keys?|credentials?|secrets?|tokens?|(?:system|hidden) prompts?|(?:hidden|internal|secret) instructions|private data|personal data|card numbers?|conversation history|database)"
_given = r"(?:revealed|shared|shown|leaked|given|disclosed|sent|posted|exposed|printed|displayed|published|handed|e?-?mailed|told|provided|forwarded|output|divulged)"
_users = r"(?:(?:the|all|any|every|each|your|this)\s+)*(?:users?|customers?|everyone|anyone|everybody)"
ENGLISH = re.compile(
    "|".join(
        (
            rf"{_bounds}\s+(?:(?:do|does|should|must|can|need|will)(?:\s+not|n'?t|n’t)|cannot|won'?t|no longer|never)\s+(?:ever\s+)?(?:apply|hold|count|bind)\b[^.\n]{{0,10}}\b{_me}\b",
            rf"\b(?:no|none of (?:your|the|these|those))\s+(?:\w+\s+)?{_rules}\s+(?:ever\s+)?appl(?:y|ies)\s+to\s+{_me}\b",
            rf"\b{_ours}{{1,3}}{_rules}\s+(?:are|is|were|have been|has been)\s+(?:now\s+|all\s+)?(?:disabled|off|lifted|suspended|waived|removed|turned off|switched off|deactivated)\b",
            rf"\b(?:exempt(?:ed)?|excused)\s+from\s+(?:the\s+)?(?:{_ours}{{1,3}}{_rules})\b",
            rf"\b{_inside}\b[^.\n]{{0,20}}\b(?:must|should|shall|has to|have to|needs? to|ought to|is to|are to)\s+(?:always\s+|freely\s+|now\s+|immediately\s+)*be\s+(?:always\s+|freely\s+)?{_given}\b",
            rf"\b{_inside}\b[^.\n]{{0,20}}\b(?:may|can|will)\s+(?:always\s+|freely\s+)?be\s+(?:freely\s+)?{_given}\b[^.\n]{{0,12}}\b(?:any|every|all|whoever)",
            rf"\byou\s+(?:must|should|shall|have to|need to|are to|will)\s+(?:always\s+|only\s+)*(?:recommend|promote|advertise|endorse|suggest|push|plug)\b[^.\n]{{1,50}}\bto\s+{_users}\b",
            rf"(?:^|[.,:;!]\s*|\b(?:remember|please|from now on,?|now|that)\s+)(?:to\s+)?(?:always\s+|only\s+)*(?:recommend|promote|advertise|endorse|suggest|push|plug)\s+(?:the\s+)?(?-i:[A-Z])[^.\n]{{1,50}}\bto\s+{_users}\b",
            rf"\b(?:must|should|shall|is|are)\s+(?:always\s+|only\s+)?(?:to\s+)?be\s+(?:always\s+)?(?:recommended|promoted|endorsed|advertised|suggested)\s+to\s+{_users}\b",
        )
    ),
    re.IGNORECASE | re.MULTILINE,
)

# --- Korean
_bound = r"(?:규칙|규정|수칙|지침|정책|제한|필터|가이드라인|제약|안전 ?장치)(?:들|\s?사항)?"
_yours = r"(?:안전|보안|콘텐츠|시스템|윤리|검열|모든|어떤|너의|네|당신의|AI|챗봇|개인정보|기본)\s?(?:관련\s|보호\s|이용\s)?"
_to_me = r"(?:(?:나|저|사용자|유저)(?:한테|에게)(?:는|만은|만)?|내게는?|제게는?|나는|난|저는|전|사용자는)"
_off = r"(?:(?:적용|해당)(?:이|은|도)?\s?(?:되지|하지)\s?(?:않|말|마|못)|(?:적용|해당)(?:이|은|도)?\s?(?:안|못)\s?(?:돼|되|된|됨|해|받|하)|(?:안|못)\s?적용|적용\s?대상이?\s?아니|해당\s?사항\s?없|해당이?\s?없|예외)"
_kept = r"(?:비밀번호|비번|API\s?키|비밀\s?키|토큰|시스템\s?프롬프트|인증\s?정보|개인정보|고객\s?정보|카드\s?번호|내부\s?지침|기밀)"
_brand = r"(?:[A-Za-z]|은행|뱅크|코인|카지노|펀드|대출|보험|증권|주식|상품|브랜드|앱)"
_push = r"(?:추천|홍보|광고|권유|선전)(?:해(?:야|라|\s?줘|\s?주세요)?(?![가-힣])|하라|하도록|할\s?것|하세요|하십시오|한다|해야)"
KOREAN = re.compile(
    "|".join(
        (
            rf"{_to_me}\s(?:절대\s|더\s?이상\s)?(?:{_yours})?{_bound}(?:은|는|이|가|도|의)?\s?(?:전혀\s|절대\s|더\s?이상\s)?{_off}",
            rf"(?:{_yours}|^|[.,:]\s?){_bound}(?:은|는|이|가|도)?\s{_to_me}\s?(?:전혀\s|절대\s|더\s?이상\s)?{_off}",
            rf"{_yours}{_bound}(?:에서|의)\s?(?:예외|면제|제외)",
            rf"{_kept}(?:들)?(?:은|는|이|가|도)?\s[^.\n]{{0,24}}(?:공개|공유|노출|유출|보여|알려|전달|제공|게시|전송)(?:되어|돼|져)야\s?(?:해|한|하|함|됨|돼|된)",
            rf"^(?![^.\n]*(?:나는|저는|내가|제가|난|우리는?)\s)[^.\n]*(?:사용자|유저|이용자)(?:들)?(?:에게|한테)(?:는)?\s[^.\n]{{0,20}}{_brand}[^.\n]{{0,16}}{_push}",
            rf"^(?![^.\n]*(?:나는|저는|내가|제가|난|우리는?)\s)[^.\n]*(?:모든|누구)\s?(?:사용자|유저|이용자|사람|에게)(?:들)?(?:에게|한테|나)?\s[^.\n]{{0,36}}{_push}",
        )
    ),
    re.MULTILINE,
)


def found_in(text: str) -> bool:
    """Whether the text takes rules off, gives secrets away or pushes a brand at users, said as if it were a fact."""
    return bool(ENGLISH.search(text) or KOREAN.search(text))
