"""English words the rules know: people around the user, jobs, conditions, events, habits, verbs."""

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


RELATIONS = _set(
    "mom mum mother dad father parents parent wife husband spouse partner girlfriend boyfriend fiance fiancé fiancee fiancée son daughter child kid kids children baby twins brother sister "
    "siblings sibling grandma grandmother grandpa grandfather grandparents uncle aunt cousin nephew niece friend roommate flatmate boss manager supervisor colleague coworker co-worker "
    "teammate mentor intern assistant neighbor neighbour landlord dog cat puppy kitten hamster rabbit parrot bird horse fish turtle pet pets dogs cats mother-in-law father-in-law "
    "brother-in-law sister-in-law stepson stepdaughter teacher professor doctor dentist therapist trainer coach accountant lawyer client supplier family toddler team-lead cofounder co-founder "
    "grandson granddaughter advisor nanny babysitter barber secretary in-laws stepdad stepmom goldfish lizard guinea-pig poodle labrador husky beagle corgi pug folks hubby missus stepfather stepmother stepbrother stepsister half-brother half-sister granny gran nana grandad granddad grandkids "
    "grandchildren kiddo kiddos gf bf bestie bro sis landlady lodger housemate classmate godmother godfather godson goddaughter triplets mama papa nan ex-wife ex-husband great-aunt great-uncle great-grandmother great-grandfather".replace(
        "\n", " "
    )
) | {"old man", "better half", "other half", "youngest", "eldest", "oldest"}
PETS = _set(
    "dog dogs cat cats puppy kitten kittens hamster rabbit rabbits parrot bird birds horse fish turtle goldfish lizard poodle labrador husky beagle corgi pug snake chickens chicken tortoise ferret bunny pets pet gecko"
)
CHILDREN = _set(
    "kid kids child children son sons daughter daughters brother brothers sister sisters sibling siblings twins newborn toddler stepson stepdaughter grandson granddaughter baby husband wife girlfriend boyfriend fiance fiancé fiancee fiancée roommate roommates grandchildren nephew niece cousin"
)
JOBS = re.compile(
    r"\b(?:developer|programmer|engineer|designer|teacher|professor|lecturer|doctor|nurse|physician|surgeon|dentist|pharmacist|lawyer|attorney|paralegal|accountant|analyst|scientist|researcher|student|"
    r"undergrad(?:uate)?|grad student|freshman|sophomore|junior|senior|intern|manager|director|lead|head|president|ceo|cto|cfo|coo|cmo|vp|founder|co-?founder|entrepreneur|consultant|writer|author|journalist|"
    r"editor|translator|interpreter|artist|musician|singer|actor|actress|photographer|videographer|filmmaker|producer|chef|cook|baker|barista|bartender|waiter|waitress|server|driver|pilot|flight attendant|"
    r"mechanic|electrician|plumber|carpenter|architect|contractor|builder|farmer|gardener|florist|hairdresser|stylist|therapist|psychologist|counsel(?:l)?or|social worker|police officer|cop|firefighter|"
    r"soldier|veteran|librarian|secretary|receptionist|administrator|administrative assistant|assistant|coordinator|specialist|technician|salesperson|salesman|saleswoman|realtor|real estate agent|broker|banker|trader|marketer|"
    r"recruiter|trainer|coach|tutor|freelancer|contractor|self-employed|homemaker|stay-at-home (?:mom|dad|parent)|retired|retiree|unemployed|postdoc|phd candidate|phd student|veterinarian|vet|biologist|"
    r"chemist|physicist|mathematician|economist|historian|dancer|athlete|streamer|youtuber|blogger|copywriter|illustrator|animator|game dev|devops|sysadmin|dba|sre|owner|clerk|cashier|paramedic|midwife|"
    r"optometrist|radiologist|cardiologist|pediatrician|nutritionist|dietitian|planner|strategist|officer|judge|diplomat|civil servant|pastor|priest|monk|sommelier|butcher|tailor|jeweler|potter|dev|swe|pm|"
    r"product manager|project manager|scrum master|tech lead|principal|dean|superintendent|janitor|courier|guide|lifeguard|welder|miner|fisherman|sailor|astronaut|curator|caregiver|carer)\b",
    re.IGNORECASE,
)
NATIONS = re.compile(
    r"^(?:half[- ])?(?:korean|south korean|american|japanese|chinese|british|english|french|german|italian|spanish|canadian|australian|indian|vietnamese|thai|filipino|filipina|indonesian|malaysian|singaporean|"
    r"russian|ukrainian|polish|dutch|belgian|swiss|austrian|swedish|norwegian|danish|finnish|irish|scottish|welsh|portuguese|brazilian|mexican|argentin(?:e|ian)|chilean|colombian|turkish|greek|egyptian|nigerian|"
    r"kenyan|south african|israeli|iranian|pakistani|taiwanese|mongolian|czech|hungarian|romanian|korean[- ]american|asian|european|african|latino|latina)$"
)
TRAITS = re.compile(
    r"^(?:(?:an?|the|huge|total|real|big|major|complete|massive|self-proclaimed|lifelong|very|totally|quite|pretty|strictly|fully|severely|mildly|legally) )*(?:left[- ]?handed|right[- ]?handed|ambidextrous|colou?r[- ]?blind|near-?sighted|short-?sighted|far-?sighted|deaf|hard of hearing|blind|pregnant|"
    r"vegetarian|vegan|pescatarian|lactose[- ]intolerant|gluten[- ]?(?:free|intolerant)|celiac|coeliac|diabetic|asthmatic|an?emic|dyslexic|epileptic|autistic|introvert(?:ed)?|extrovert(?:ed)?|ambivert|"
    r"self-taught|bald|tone-deaf|double-jointed|flat-footed|tech-savvy|morning person|night owl|early bird|dog person|cat person|only child|middle child|oldest child|youngest child|eldest|single|married|divorced|widowed|engaged|separated|"
    r"muslim|christian|catholic|protestant|buddhist|hindu|jewish|atheist|agnostic|mormon|non-?smoker|smoker|teetotal(?:er|ler)?|sober|minimalist|perfectionist|homeowner|single (?:mom|dad|parent)|working (?:mom|dad)|"
    r"mom of \w+|dad of \w+|father of \w+|mother of \w+|(?:new|first-time) (?:mom|dad|parent)|flexitarian|keto|halal|kosher|insomniac|claustrophobic|bilingual|trilingual)\b"
)
CONDITIONS = re.compile(
    r"\b(?:dementia|alzheimer'?s|parkinson'?s|lupus|glaucoma|cataracts|bronchitis|\w+itis|\w+emia|\w+ (?:disease|syndrome|disorder|deficiency)|(?:bad|weak|poor|sensitive|chronic|broken|stiff|sore) (?:heart|eyesight|hearing|teeth|back|knees?|hips?|lungs|stomach|immune system|ankles?|shoulders?|wrists?|neck|kidneys?|skin|bladder)|asthma|diabetes|(?:high|low) blood pressure|hypertension|migraines?|insomnia|arthritis|adhd|anxiety|depression|eczema|anemia|epilepsy|celiac disease|crohn'?s|ibs|back pain|bad back|bad knees?|knee pain|"
    r"slipped disc|herniated dis[ck]|scoliosis|sleep apnea|tinnitus|astigmatism|acid reflux|gerd|hay fever|psoriasis|rosacea|thyroid|hypothyroidism|high cholesterol|gout|dyslexia|autism|ptsd|ocd|vertigo|osteoporosis|"
    r"cancer|heart (?:condition|disease|murmur)|kidney (?:stones|disease)|lactose intolerance|gluten intolerance|fear of \w+|endometriosis|pcos|fibromyalgia|carpal tunnel|sinusitis|a pacemaker|sensitive (?:skin|stomach)|tonsillitis)\b"
)
EVENTS = re.compile(
    r"\b(?:appointment|meeting|interview|exam|test|wedding|trip|flight|vacation|holiday|surgery|operation|check-?up|concert|conference|presentation|deadline|party|birthday|anniversary|recital|graduation|reunion|date|"
    r"call|demo|workshop|seminar|class|lesson|session|review|inspection|match|game|race|marathon|show|performance|reservation|dinner|lunch|ceremony|festival|move|launch|release|hearing|audition|visit|"
    r"delivery|moving day|game night|school play|webinar|physical|scan|mri|root canal|consultation|offsite|retreat|closing|thesis defense|defense|finals?|midterms?|camping trip|business trip|honeymoon|due date|baby shower|haircut|gig|tournament|viewing|orientation|standup|sync|one-on-one|1:1)s?\b"
)
FREQUENCY = re.compile(
    r"\b(?:every(?: other| single)? (?:day|morning|afternoon|evening|night|week|weekend|weekday|month|year|quarter|summer|winter|spring|fall|mon\w*|tue\w*|wed\w*|thu\w*|fri\w*|sat\w*|sun\w*|two|three|few|time|\d+|lunch|break)|"
    r"each (?:day|morning|week|month|night|evening|year)|daily|weekly|monthly|yearly|always|usually|often|normally|typically|generally|mostly|regularly|frequently|rarely|seldom|hardly ever|sometimes|most (?:days|mornings|nights|weekends|evenings)|"
    r"(?:once|twice|\w+ times) (?:a|per|every|each) (?:day|week|month|year)|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|on (?:weekends|weekdays)|at weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days\b|(?:in the|on) (?:mornings|evenings|afternoons)|"
    r"first thing in the morning|(?:before|after|with) (?:every|each) \w+|before (?:bed|work|breakfast|sleep|sleeping)|after (?:work|dinner|lunch|school)|tend to|around the clock|\w+ (?:days|hours|nights|evenings) a week|a (?:day|week|month|night)\b|per (?:day|week|month|night)|in the (?:morning|evening)s?$|at night$|as a rule)",
    re.IGNORECASE,
)
EMPTY = re.compile(
    r"^(?:it|this|that|these|those|you|him|her|them|me|us|what|how|where|when|why|the way|your|one|some|something|anything|nothing|everything|things?|stuff|so|the (?:idea|answer|result|first|second|new|last|one|other|same)|here|there|to (?:know|see|hear|say|ask|thank|think|be|talk|understand|try|check|make sure|get|have|start|order|book|buy|go (?:there|home|now)))\b"
)
BLANK_CANNOT = re.compile(
    r"^(?:picture|thank|stress|describe|put|express|overstate|wait|believe|find|figure|decide|remember|sleep|see|get|open|log|access|understand|stop|help|hear|tell|think|say|seem|imagine|afford|do (?:this|that|it)|come up|make (?:it|up|this|that|sense)|recall|complain|talk|thank|be|go|keep|connect|install|run (?:this|the|it)|load|focus|concentrate|explain|leave|take it|attend (?:the|this|today|tomorrow)|promise|agree|argue|fix|solve|use (?:this|the|it)|handle (?:this|it)|do anything|move|breathe|let|read (?:this|it|the)|speak right|answer|come|login|sign in|print|share|reach|download)\b"
)
MOODS = re.compile(
    r"^(?:(?:so|very|really|too|a bit|a little|pretty|quite|kind of|super|just|feeling|not|all|extremely) )*(?:tired|hungry|bored|happy|sad|fine|good|ok|okay|great|sorry|sure|ready|back|here|confused|stuck|lost|busy|sick|excited|worried|afraid(?! of [a-z]+$)|glad|curious|wondering|thinking|looking|trying to (?:find|understand|figure|fix|get)|done|late|early|stressed|exhausted|sleepy|angry|upset|annoyed|thirsty|cold|hot|freezing|serious|kidding|joking|aware|certain|able|about to|having (?:trouble|a (?:hard|bad|good|great))|in (?:a|the) (?:meeting|car|office|mood|hurry|middle)|on (?:my way|it|the (?:bus|train|phone|way))|at (?:home|work|the)|surprised|impressed|proud|lucky|grateful|thankful|nervous|anxious about|scared of (?:this|that)|feeling|getting (?:tired|hungry|bored|sleepy|late)|running late|out of|right|wrong|new here|asking|writing to|calling about|testing)\b"
)
EMOTIVE_VERBS = re.compile(
    r"^(?:feel|think|guess|believe|hope|wish|wonder|suppose|know|mean|see|understand|agree|disagree|appreciate|thinks?|says?|believes?|wants? me|remember|forgot|forget|hear|heard|notice|thank|promise|bet|doubt|assume|imagine|swear|care|mind|realize|need you|want you|miss|cry|worry|fear|regret|apologi[sz]e|recommend|suggest|get (?:it|that|what|why|tired|bored|hungry)|have (?:a|no|another|one|some|any) (?:question|idea|problem|issue|request|doubt|favor|clue|feeling|bug|bad day|lot))\b"
)
LIFE_VERBS = re.compile(
    r"^(?:moved|relocated|got (?:married|engaged|divorced|promoted|hired|fired|laid off|accepted|a (?:new )?(?:job|dog|cat|puppy|kitten|car|promotion|tattoo|raise|divorce|house|degree|visa)|into \w+|my (?:driver'?s? licen[cs]e|license|licence|first|degree|visa|green card|citizenship))|"
    r"married|graduated|closed on (?:a|an|my|our|the) |died|passed away|came out|got (?:my|our) first|(?:ran|did|swam|completed|finished|published|sold|made|wrote|drove|flew|won) my (?:very )?first|dropped out|cancel+ed my (?:[\w-]+ )*(?:subscription|membership|account|plan)\b|retired|quit (?:my|smoking|drinking|coffee|the)|resigned|left (?:my job|my company|\w+ (?:after|last|in))|joined|started (?:a|at|my|working|learning|taking|going|studying|training|running|playing|college|university|school|grad|as|kindergarten|preschool|daycare|nursery|(?:first|second|third|fourth|fifth|sixth|middle|high|elementary|primary|law|med|medical|nursing|business) (?:grade|school)|therapy|physical therapy|chemo)|was (?:promoted|diagnosed|hired|born|laid off|fired|accepted|transferred)|"
    r"had (?:a (?:baby|son|daughter|miscarriage|stroke|heart attack|c-section|surgery)|surgery|an? (?:operation|accident|appendectomy)|(?:knee|back|eye|heart|hip|lasik|laser eye|wisdom) \w+|our (?:first|second) \w+|my (?:appendix|tonsils|wisdom teeth|gallbladder))|gave birth|adopted|bought (?:a|an|my|our) |sold (?:my|our) |"
    r"broke (?:my|his|her) |passed (?:the|my) (?:[\w-]+ )*(?:exams?|tests?|bar|boards|interview|class|course|certification|quals|defense|inspection|audit|finals?|midterms?|probation|physical)\b|won (?!\d|it\b|that\b|by\b|again\b|last\b|today\b|yesterday\b|on \w+day)|founded|opened (?:a|my|our) |launched (?:a|my|our) |enrolled|signed up for|switched (?:jobs|to|from)|changed (?:jobs|careers|my)|transferred to|emigrated|immigrated|finished (?:my|a|the) (?:novel|album|book|memoir|manuscript|residency|internship|training|bootcamp|chemo|probation|degree|phd|thesis|dissertation|marathon|master|book|first|bachelor)|earned (?:my|a)|"
    r"completed (?:my|a)|stopped (?:eating|drinking|smoking|working|using|taking|going|playing)|gave up|proposed to|broke up|lost (?:my (?:hearing|sight|eyesight|sense of smell|leg|license|home|job|dad|mom|father|mother|grandma|grandfather|dog|cat|wallet|passport))|published|sprained|tore (?:my|his|her)|fractured|became (?:a|an|the)|turned (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty)(?:-\w+)?|eighteen|sixteen)\b|naturalized|paid off|bought)\b"
)
DATED_VERBS = re.compile(
    r"^(?:went|visited|met|saw|watched|attended|finished|submitted|signed|flew|travel+ed|hiked|ran|started|began|got|had|took|ordered|booked|ate at|received|returned|came back|hosted|presented|gave|made|built|planted|"
    r"painted|wrote|spoke|interviewed|applied|moved|changed|cancel+ed|fixed|repaired|installed|celebrated|participated|competed|played|performed|drove|biked|cycled|swam|camped|climbed|caught|hurt|injured|fell|crashed|spent|stayed|learned|tried|quit|left|paid|sent|picked up|dropped off|renewed|upgraded|hired|"
    r"bought|sold|lost|found|won|cooked|baked|read|turned in|handed in|dropped out|checked in|checked out|signed up|joined|completed|passed|failed|went on|did)\b"
)
PLACES = _set(
    "seoul busan incheon daegu daejeon gwangju ulsan sejong suwon jeju pangyo bundang jeongja gangnam itaewon hongdae yeouido korea japan china tokyo osaka kyoto beijing shanghai taipei singapore bangkok hanoi paris london berlin munich hamburg madrid barcelona rome milan amsterdam vienna zurich geneva prague lisbon dublin edinburgh manchester oslo stockholm copenhagen helsinki warsaw budapest athens istanbul dubai cairo nairobi lagos sydney melbourne brisbane perth auckland wellington toronto vancouver montreal ottawa calgary seattle portland boston chicago denver austin dallas houston atlanta miami philadelphia phoenix brooklyn manhattan queens oakland berkeley sacramento pittsburgh detroit minneapolis nashville france germany spain italy england scotland ireland wales canada australia america usa uk us california texas florida oregon washington nyc la sf mexico brazil india vietnam thailand poland sweden norway denmark finland switzerland austria portugal netherlands"
)
ATTRIBUTES = {
    "name": "name", "full name": "name", "first name": "name", "last name": "family_name", "surname": "family_name", "nickname": "nickname", "age": "age", "birthday": "birthday", "birth date": "birthday",
    "date of birth": "birthday", "job": "occupation", "occupation": "occupation", "profession": "occupation", "job title": "job_title", "title": "job_title", "role": "job_title", "position": "job_title",
    "employer": "employer", "company": "employer", "workplace": "workplace", "office": "workplace", "department": "department", "team": "team", "address": "address", "home address": "address",
    "hometown": "hometown", "nationality": "nationality", "major": "major", "school": "school", "university": "school", "blood type": "blood_type", "mbti": "mbti", "mbti type": "mbti", "height": "height",
    "weight": "weight", "religion": "religion", "email": "email", "email address": "email", "phone number": "phone", "phone": "phone_model", "number": "phone", "car": "car", "laptop": "laptop",
    "computer": "computer", "shoe size": "shoe_size", "size": "size", "time zone": "time_zone", "timezone": "time_zone", "native language": "native_language", "first language": "native_language",
    "mother tongue": "native_language", "wedding anniversary": "anniversary", "anniversary": "anniversary", "budget": "budget", "salary": "salary", "rent": "rent", "dream": "dream", "goal": "goal", "motto": "motto",
    "hobby": "hobby", "hobbies": "hobby", "commute": "commute", "diet": "diet", "password": "password", "zodiac sign": "zodiac", "star sign": "zodiac", "breed": "breed", "pronouns": "pronouns", "ssn": "ssn",
    "home": "residence", "operating system": "os", "account number": "account", "passport number": "passport", "maiden name": "maiden_name", "dream job": "dream",
}  # fmt: skip
MANY_VALUED = _set("hobby email phone account goal dream")
NOT_ATTRIBUTES = re.compile(
    r"^(?:character|protagonist|question|point|problem|issue|guess|bad|fault|mistake|favorite part|opinion|view|thought|thoughts|feeling|understanding|answer|turn|pleasure|idea|concern|request|apologies|message|code|file|text|essay|email (?:is|was)|"
    r"day|head|heart|mind|life|god|goodness|hands?|feet|foot|stomach|eyes?|internet|wifi|screen|program|script|app|function|query|server|build|order|package|battery|mood|luck|time|throat|nose|legs?|arms?|back|advice|plan|bet|word|way|first time|second|next|last|only|best|point of view|expectation|experience|reason|homework|assignment|draft|data|table|model|output|input|train|bus)$"
)
