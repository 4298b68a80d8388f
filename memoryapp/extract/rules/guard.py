"""What never becomes a memory: pasted text, recalled text, turns off the record, injected orders."""

import re
import unicodedata

from memoryapp.extract.rules import loosened, off_record, unmeant

LONGEST_TURN = 12_000
RECALLED = re.compile(
    r"\[BEGIN_RETRIEVED_LONG_TERM_MEMORY\].*?(?:\[END_RETRIEVED_LONG_TERM_MEMORY\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
STRAY_END = re.compile(r"^.*\[END_RETRIEVED_LONG_TERM_MEMORY\]", re.DOTALL | re.IGNORECASE)
FENCE = re.compile(r"(```|~~~).*?(?:\1|\Z)|\"\"\".*?(?:\"\"\"|\Z)", re.DOTALL)
TAGGED = re.compile(
    r"<(document|text|context|article|quote|email|transcript|pasted|memory|memories|system)[^>]*>.*?(?:</\1>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
QUOTED_LINE = re.compile(r"^[ \t]*(?:>|\|).*$", re.MULTILINE)
SPOKEN_LINE = re.compile(
    r"^[ \t]*(?:assistant|ai|bot|챗봇|어시스턴트|상담원|system|시스템|시스템 메시지|tool)\s*[:：].*$",
    re.MULTILINE | re.IGNORECASE,
)
_work = (
    r"번역|요약|교정|분석|정리|검토|수정|첨삭|다듬|고쳐|바꿔|평가|맞춤법|영작|해석|설명|읽어|작성|써|"
    r"\b(?:translat\w*|summari[sz]\w*|proofread\w*|rewrite|rephrase|paraphrase|edit|correct|fix|analy[sz]e|review|polish|check|read|explain|improve|extract)\b"
)
PASTED = re.compile(  # "다음 글을 번역해줘: …", "Translate this: …": everything behind is somebody's text
    rf"(?:(?:다음|아래|이|위)\s?(?:의\s)?(?:글|문장|내용|텍스트|메일|이메일|기사|코드|문서|대화|문단|후기|편지|시|리뷰|회의록|일기|소설|자기소개서|자소서|메시지|문구|영어|대사)[^:：\n]{{0,24}}(?:{_work})[^:：\n]{{0,12}}|"
    rf"(?:{_work})[^:：\n]{{0,24}}(?:해\s?줘|해\s?주세요|줘|주세요|주실래요|부탁[^:：\n]{{0,6}})\s?|\b(?:{_work})\b[^:：\n]{{0,60}}|(?:write|draft|compose|create|generate|make)\b[^:：\n]{{0,60}}(?:saying|story|poem|email|letter|dialogue|script|character)[^:：\n]{{0,30}})"
    r"[:：]\s*\S.*\Z|"
    rf"(?:{_work})[^:：\n]{{0,16}}(?:줘|주세요|주실래요|부탁[^:：\n]{{0,6}})\s+[-–—]\s+\S.*\Z|(?:^|(?<=[.!?]\s))(?:please |can you |could you )?(?:{_work})\b[^:：\n]{{0,40}}\s[-–—]\s+\S.*\Z",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
PASTED_QUOTE = re.compile(
    rf"(?<![A-Za-z])[\"“'‘「『][^\"”'’」』\n]{{4,}}[\"”'’」』]\s?(?=(?:을|를|이걸|라는|이라는|이라고|라고)?\s?[^.!?\n]{{0,20}}(?:{_work}|[가-힣]+어로\s|무슨 (?:뜻|말)))|(?:{_work})\b[^.\n\"“']{{0,40}}[\"“'][^\"”'\n]{{4,}}[\"”']",
    re.IGNORECASE,
)

#: What is to be written or told to somebody: "저는 다음 주에 휴가입니다라고 써줘".
DICTATED = re.compile(
    r"(?:^|(?<=[.!?\n]))[^.!?\n]*(?:니다|요|[한인있없]다|야)라고(?=\s?(?:[.!]|$)|\s(?:써|적|보내|작성|답장|말해|전해|번역))[^.!?\n]*",
    re.MULTILINE,
)
_tale = r"(?:소설|영화|드라마|만화|게임|연극|애니|동화|이야기|주인공|등장인물|캐릭터)"
#: From here on it is make-believe: "가정해 보자. 나는 …", "Pretend I'm a doctor. I live in Rome."
STAGED = re.compile(
    rf"(?:^|(?<=[.!?\n]))[^.!?\n]*(?:가정해\s?(?:보자|봐|보세요|볼게|볼까|줘|주세요)|가정(?:하자|할게)|상상해\s?(?:보자|봐|보세요|줘|주세요)|(?:라고|다고) (?:치자|쳐\s?(?:봐|줘|보자))|[인한는은]\s?척\s?(?:할게|해\s?(?:볼게|줘|봐|보자))|{_tale}[^.!?\n]{{0,12}}(?:처럼|인 척|이 되어|이 돼서|가 되어|역할)[^.!?\n]{{0,16}}(?:볼게|할게|줘|주세요|보자|봐)).*\Z|"
    r"(?:^|(?<=[.!?\n]))\s*(?:(?:ok|okay|now|so|please|hey|well|let'?s|let us|can you|could you|i want you to)[, ]+)*(?:pretend|imagine(?! my (?:surprise|joy|relief))|suppose|make believe|picture this|hypothetically)\b.*\Z|"
    r"(?:^|(?<=[.!?\n]))[^.!?\n]*\b(?:story|poem|monologue|script|scene|novel|song|diary|essay|letter)\b[^.!?\n]*\b(?:first[- ]person|from the (?:perspective|point of view|viewpoint) of)\b.*\Z",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
#: A play of the whole turn, wherever in it it is asked for.
PLAYED = re.compile(
    r"(?:역할극|상황극|롤\s?플레이|롤플)(?:을|를)?\s?(?:좀\s)?(?:하자|할래|할까|시작|해\s?(?:보자|볼까|볼래|줘|주세요|봐))|\b(?:let'?s|let us|can we|could we|want to|we(?:'re| are)|start an?|this is an?|i'?d like to)\s+(?:do (?:an? |some )?)?role-?\s?play\w*\b|^role-?play\b",
    re.IGNORECASE | re.MULTILINE,
)
_part = r"(?:면접관|인터뷰어|손님|고객|점원|종업원|웨이터|상사|사장|부장|왕|형사|경찰|판사|의뢰인|여자친구|남자친구|여친|남친|애인|악당|적|직원|집주인|세입자|심사위원|기자)"
#: Whose part the assistant is given; what follows is the user's own part.
PARTS = re.compile(
    rf"(?:^|(?<=[.!?\n]))[^.!?\n]*{_part}\s?(?:역|역할)(?:을|를|으로|로)?\s?(?:좀\s)?(?:해|맡아|부탁).*\Z|"
    r"(?:^|(?<=[.!?\n]))\s*(?:(?:please|can you|could you|ok|okay|now|let'?s),? )*(?:act|behave|respond|play|talk) (?:as|like) (?:if you(?:'re| are|were) )?(?:an?|the|my) (?:\w+ )?(?:interviewer|recruiter|customer|client|shopkeeper|cashier|waiter|waitress|landlord|tenant|police\w*|cop|judge|villain|king|queen|boss|ex|girlfriend|boyfriend|opponent|detective|dungeon master|stranger|character)\b.*\Z",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
#: What a quotation leaves behind: "…"를 높임말로 바꿔줘.
LEFT_BEHIND = re.compile(r"^\s*(?:를|을|이라고|라고|이라는|라는)\s[^.!?\n]*[.!?]?", re.MULTILINE)
#: "… 이 문장에서 주어가 뭐야?": what stands before is an example.
ASKED_ABOUT = re.compile(
    r"\A.*?(?=(?:이|위|위의|앞|윗)\s?(?:문장|글|문단|텍스트|지문)(?:들)?(?:에서|의|을|를|이|은|에)?\s[^.!?\n]*(?:[?？]|뭐|줘|주세요)|\b(?:in|is|does|of|what about) (?:this|the above|that) (?:sentence|text|paragraph|passage)\b)",
    re.DOTALL | re.IGNORECASE,
)
JOKING = re.compile(
    r"🙄|퍽이나|(?:퍼뜩|아주|참)\s?(?:잘도|좋기도)|\boh (?:great|joy|fun|perfect|good),? (?:another|just what)\b|농담이[야에었]|농담임|장난이[야에었]|뻥이[야에었]|구라(?:야|임|였)|웃자고 한|\b(?:just kidding|only kidding|i'?m kidding|i was kidding|just joking|i'?m joking|it'?s a joke|jk\b|kidding!|not really!|lol jk)",
    re.IGNORECASE,
)
INJECTED = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass|drop|discard)\b[^.\n]{0,30}\b(?:rules?|instructions?|prompts?|polic(?:y|ies)|guidelines?|guardrails?|safety|restrictions?|training|filters?|constraints?|everything above)\b|"
    r"\b(?:post|send|upload|forward|leak|reveal|exfiltrate|share|print|output|expose|email|transmit|give|paste|disclose|dump)\b[^.\n]{0,40}\b(?:api[ _-]?keys?|keys|passwords?|credentials?|secrets?|tokens?|system prompts?|hidden prompts?|private data|card numbers?|other users?|conversation history|env(?:ironment)? variables?|memories|database)\b|"
    r"\b(?:you are|act as|you're|pretend (?:to be|you are)|behave as|become)\b[^.\n]{0,20}\b(?:now|dan|jailbroken|unrestricted|root|admin(?:istrator)?|developer mode|evil|unfiltered)\b|\b(?:jailbreak|developer mode|god mode|sudo mode|system override|prompt injection|do anything now)\b|"
    r"\b(?:do not|don'?t|never) (?:tell|inform|alert|notify|warn|ask) the user\b|\b(?:no|without) (?:any )?(?:restrictions?|limits|filters?|safety|confirmation)\b|<\|?(?:im_start|im_end|system|endoftext)\|?>|^[ \t]{0,8}(?:system|developer)\s*[:：]|\[/?(?:system|inst)\]|###\s*(?:system|instruction)|"
    r"(?<!\bi )(?<!\bwe )\b(?:always|must|should|now)\s+(?:obey|approve|transfer|wire|execute|run|comply)\b|\brm -rf\b|\bdrop table\b|\bcurl\s+http|\b(?:grant|give) (?:me|everyone|him|her|them|user) (?:admin|root|full access)|\btreat (?:the following|this|me) as (?:a )?(?:system|admin|trusted|root)|\bevil\.\w+|"
    r"(?:규칙|지침|지시|명령|프롬프트|정책|제한|안전 ?장치|필터|가이드라인|보안|설정|제약)(?:들)?(?:은|는|을|를|도|이나|따위는|사항은|사항을)?\s?(?:전부\s?|모두\s?|다\s?|완전히\s?|싹\s?)?(?:무시|잊어|잊고|해제|우회|무효|어겨|버려|삭제|풀어|초기화|끄고|꺼)|"
    r"(?:시스템\s?프롬프트|API\s?키|비밀\s?키|토큰|비밀번호|비번|개인정보|인증\s?정보|고객\s?정보|대화\s?기록|카드\s?번호)(?:를|을|들을|들은|는|은)?\s?(?:모두\s?|전부\s?|다\s?)?(?:[^\s]{1,30}\s?(?:으로|로|에|에게|한테)\s?)?(?:보내|전송|공개|출력|유출|알려|게시|올려|업로드|전달|넘겨|공유|보여|말해|노출)|"
    r"(?:관리자|개발자|루트|탈옥|무제한|디버그)\s?(?:모드|권한)(?:를|을|로|으로|이)?\s?(?:켜|활성|부여|전환|바꿔|실행|진입|들어가|줘|있)|너는 (?:이제|지금)(?:부터)? [^.\n]{0,20}(?:제한|규칙|검열)[^.\n]{0,10}(?:없|무시)|사용자(?:에게|한테) (?:알리지|말하지|묻지|확인하지)|(?:묻지도? ?말고|확인 ?없이|무조건) [^.\n]{0,16}(?:송금|이체|승인|결제|실행|삭제)|(?:모든|어떤)\s(?:요청|명령|지시)(?:을|에)?[^.\n]{0,10}(?:따라|수락|승인|복종)|검열 ?없이",
    re.IGNORECASE | re.MULTILINE,
)
#: Orders to act: to call tools, to send away what was said, to leave out a confirmation, to put other rules in place.
ORDERED = re.compile(
    r"(?<!\bi )(?<!\bwe )\b(?:always|must|should|now)\s+(?:call|invoke|trigger)\s+(?:the\s+)?(?:[\w-]+\s+){0,2}(?:tools?|functions?|endpoints?|plugins?|[a-z]+_[a-z_]+)\b|"
    r"\b(?:send|post|forward|upload|append|attach|report|bcc)\b[^.\n]{0,60}\b(?:messages?|chats?|conversations?|transcripts?|history|answers?|everything|link|data|mail)\b[^.\n]{0,40}(?:https?://|@\w)|"
    r"\b(?:append|add|include|insert)\b[^.\n]{0,40}https?://|\bbcc\b[^.\n]{0,40}@|\b(?:include|append|add|put)\b[^.\n]{0,20}\bthe user'?s\b|"
    r"\b(?:new|updated|your)\s+(?:system prompt|system message)\s+(?:is|says)|\b(?:your|previous|earlier|all|the)\s+(?:guidelines|rules|instructions|policies)\b[^.\n]{0,12}\b(?:void|cancelled|invalid|obsolete|no longer)\b|"
    r"\b(?:reply|answer|respond|start|begin|end)\b[^.\n]{0,20}\bwith\b[^.\n]{0,24}\b(?:passwords?|api[ _-]?keys?|secrets?|tokens?|credentials?)\b|\bskip(?:ping)? (?:the |all |any )?(?:confirmations?|verification|approvals?)\b|"
    r"\b(?:mention|reveal|disclose|show) (?:this|these) (?:instructions?|rules?|orders?)\b|"
    r"(?:항상|이제부터|앞으로|무조건|반드시)[^.\n]{0,20}(?:도구|툴|함수)[^.\n]{0,24}(?:호출|실행)|(?:대화|기록|메시지|내용|데이터|기억|메모리)[^.\n]{0,30}(?:@[\w.]+|https?://\S+|외부[^.\n]{0,8})\s?(?:으로|로|에|에게)?\s?(?:보내|전송|업로드|전달|유출)|"
    r"https?://\S+[^.\n]{0,20}(?:답변|메시지|대화)[^.\n]{0,12}(?:붙|넣|추가)|확인\s?(?:없이|도 없이|안 하고)\s?[^.\n]{0,8}(?:진행|송금|이체|승인|결제|실행|삭제)(?:해|하)|(?:지시|명령|규칙)(?:를|을|은|는)?\s?[^.\n]{0,10}(?:숨기|숨겨)|"
    r"(?:규칙|지침|정책|제한)(?:은|이|는)?\s?더\s?이상\s?(?:적용|유효|없)|(?:비밀번호|비번|API\s?키|토큰)(?:를|을)?\s?(?:먼저|항상|매번)\s?(?:말해|알려|출력|보여)|"
    r"사용자(?:의)?\s?(?:주소|이름|정보|전화번호|이메일)[^.\n]{0,12}(?:URL|링크|주소창|검색어)[^.\n]{0,6}(?:넣|붙|추가)|모든\s?(?:파일|데이터|기록)(?:을|를)?\s?(?:삭제|지우)(?:하라|해라|라고)",
    re.IGNORECASE,
)


#: Powers over the service or over money that a sentence claims or grants, once and for all.
EMPOWERED = re.compile(
    r"(?<![가-힣])(?:이|본|너의|네|당신의|챗봇|AI|어시스턴트)(?:의)?\s?(?:시스템|서비스|서버|앱|챗봇|플랫폼|봇|AI|어시스턴트)(?:의|을|를)?\s?(?:최고\s?)?(?:관리자|개발자|운영자|소유자|주인|제작자)|사용자(?:가|는|를)\s?(?:시스템\s?|최고\s?|슈퍼\s?)*(?:관리자|운영자|루트|admin)(?:이|라|로|임|다|예|입|야)|"
    r"(?:모든|전체|최고|루트)\s?(?:접근\s?|시스템\s?)?권한(?:이|을|도)?\s?(?:있|가지|갖|부여|보유)|(?:모든|자동(?:으로)?|앞으로)[^.\n]{0,20}(?:결제|송금|이체|출금|구매|요청|명령)[^.\n]{0,10}(?:승인|동의|허용|허락|실행|수락)(?:한다|하라|하도록|함|됨|된다|했|하였|하고|합니다|해\s?(?:줘|둬)|할\s?것)|"
    r"\b(?:administrator|admin|owner|developer|creator|operator|superuser) (?:of|for|on) (?:this|your|the) (?:system|service|assistant|ai|bot|chatbot|platform|server|model)\b|\b(?:i am|i'm|user is) (?:an? |the |your )?(?:system )?(?:your (?:admin|administrator|developer|creator|owner)|superuser|root user)\b|\buser is (?:an? |the )?(?:system )?admin(?:istrator)?\b|"
    r"\b(?:have|has|with|having|grant\w*) (?:full|root|admin(?:istrator)?|unrestricted|unlimited) (?:access|privileges?|permissions?|rights|control)\b(?! to (?:my|our|his|her|their|the))|\b(?:has|have) (?:already )?(?:pre-?)?(?:authori[sz]ed|approved|consented to) (?:all|any|every)\b|"
    r"(?:,|\bthen|\bplease|\byou(?: must| should| will| shall| have to| need to| always)*)\s+(?:automatically |immediately )?(?:(?:transfer|wire|remit|pay|send|charge)\b[^.\n]{0,40}(?:\$\s?\d|\d+ ?(?:dollars|won|usd|krw|btc|euros)|\bmoney\b|\bfunds\b)|approve\b[^.\n]{0,20}\b(?:payments?|transactions?|requests?)\b|(?:send|forward|e-?mail|delete)\b[^.\n]{0,30}(?:\bmy (?:files?|contacts?|documents?|data)\b|\S+@\S+))",
    re.IGNORECASE,
)
#: How somebody takes care of secrets is no order to give them away; only the verb is taken off.
CARE = re.compile(
    r"\b(?:i|we|he|she|they)(?:'d|'ll)?\s+(?:would |will |do )?(?:never|don'?t|do not|won'?t|can'?t|cannot|try not to|refuse to|shouldn'?t)\s+(?:ever )?(?:share|send|give|reveal|post|email|disclose|print|upload|paste|expose)\b|"
    r"(?:비밀번호|비번|개인정보|카드\s?번호|인증\s?정보)(?:을|를|은|는)?\s?(?:(?:절대|아무\S*|남\S*|다른|사람\S*|누구\S*)\s){0,3}(?:알려\s?주|말하|공유하|공개하|보여\s?주|보내|전달하|넘기)지\s?(?:않|못)",
    re.IGNORECASE,
)


def clean(text: str) -> str:
    """NFC, without NUL and lone surrogates, in single spaces."""
    text = unicodedata.normalize("NFC", text).replace("\x00", "")
    return re.sub(r"\s+", " ", re.sub(r"[\ud800-\udfff]", "", text)).strip()


def own_words(text: str) -> str:
    """The user's own words in earnest: without recalled memories, code, quoted lines, pasted or dictated text, make-believe,
    sarcasm or another speaker's lines."""
    text = _tidy(text)
    for pattern in (RECALLED, STRAY_END, FENCE, TAGGED, QUOTED_LINE, SPOKEN_LINE):
        text = pattern.sub("\n", text)
    if PLAYED.search(text):
        return ""
    for pattern in (PASTED, PASTED_QUOTE, DICTATED, STAGED, PARTS, ASKED_ABOUT, LEFT_BEHIND):
        text = pattern.sub("", text)
    return unmeant.taken_out(text).strip()


def _tidy(text: str) -> str:
    """NFC, single blanks and line breaks, and no longer than a person writes in one turn: the rest is a document."""
    text = unicodedata.normalize("NFC", text).replace("\x00", "")[:LONGEST_TURN]
    return re.sub(r"\n\s*\n", "\n", re.sub(r"[^\S\n]+", " ", text))


def off_the_record(text: str) -> bool:
    """ "기억하지 마", "off the record": nothing of the whole turn is kept, not even that it was asked."""
    return off_record.asked(RECALLED.sub("\n", _tidy(text)))


def joking(text: str) -> bool:
    return bool(JOKING.search(text))


def injected(text: str) -> bool:
    """Whether the text orders the assistant against its rules or after somebody's secrets."""
    text = CARE.sub("", text)
    return loosened.found_in(text) or any(p.search(text) for p in (INJECTED, ORDERED, EMPOWERED))
