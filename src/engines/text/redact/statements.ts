import type { Kind } from './kinds.ts';
import type { Found, Reading } from './reading.ts';

/** A statement whose middle is free: `a member of the … society`. The text is lower case with Arabic letters folded. */
interface Statement {
  readonly kind: Kind;
  /** Without one of these the pattern is not tried. */
  readonly gate: RegExp;
  /** The group `said` is the finding. Every repetition is bounded. */
  readonly pattern: RegExp;
  /** Only in a sentence that speaks of somebody up to there. */
  readonly person?: true;
}

const WORD = "[a-z][a-z&'’-]{0,20}";
const ARABIC_WORD = '[\\u0620-\\u064a]{2,16}';
const BODY = '(?:association|union|society|syndicate|federation|guild|brotherhood)';
const ARABIC_BODY = '(?:ال)?(?:جمعيه|نقابه|رابطه|اتحاد|حزب|هييه)';
const CRIMES =
  '(?:fraud|theft|stealing|assault|drugs?|drug (?:possession|trafficking|dealing)|forgery|smuggling|bribery|embezzlement|robbery|burglary|murder|manslaughter|harassment|blackmail|extortion|money laundering|drunk driving|shoplifting|possession|fighting|domestic violence|tax evasion)';
const ENGLISH_PLACE =
  '(?:mosque|market|supermarket|mall|station|school|park|gate|bridge|roundabout|pharmacy|bakery|cafe|hospital|hotel|gym|street|road|avenue)';
const ARABIC_PLACE =
  '(?:محطه|مسجد|جامع|مدرسه|سوق|مول|صيدليه|بقاله|مطعم|حديقه|دوار|اشاره|جسر|كوبري|نفق|فندق|مغسله|مخبز|ملعب|مقهي|كافيه|بوابه|صاله|مواقف|موقف|مستشفي|عياده|مطار|برج|استراحه)';

/** Text folds `ة` to `ه`, `ى` and `ئ` to `ي` and every alef to `ا`. */
const STATEMENTS: readonly Statement[] = [
  {
    kind: 'Religion or Belief',
    person: true,
    gate: / party/,
    pattern: new RegExp(
      `(?<![a-z])(?<said>(?:member of|joined|belongs? to|supporter of|supports|support|vote for|votes for|voted for) (?:the |a )?(?:${WORD} )?(?:communist|socialist|labou?r|republican|democratic|conservative|green|liberal|baath|islamist|nationalist|opposition|congress|workers'?) (?:${WORD} )?party)(?![a-z])`,
      'g',
    ),
  },
  {
    kind: 'Association Membership',
    person: true,
    gate: /member of|belongs? to|joined/,
    pattern: new RegExp(
      `(?<![a-z])(?<!(?:every|any|each|become|becoming) (?:a )?)(?<!(?:team|company|firm|university|country|kingdom|business|bank) )(?<said>(?:member of|belongs? to|joined) (?:the |an? )?(?!(?:european|african|credit|labelled) union)(?:${WORD} ){1,5}?${BODY})(?![a-z])`,
      'g',
    ),
  },
  {
    kind: 'Association Membership',
    person: true,
    gate: /member of (?:the |an? )?[a-z]+ of /,
    pattern: new RegExp(
      `(?<![a-z])(?<said>member of (?:the |an? )?(?:${BODY}|order|institute|chamber) of (?:${WORD} )?${WORD})`,
      'g',
    ),
  },
  {
    kind: 'Association Membership',
    gate: /عضو|انتسب|منتسب|انضم|منضم|اشترك|منخرط/,
    pattern: new RegExp(
      `(?<![\\u0620-\\u064a])(?<!(?:كل|لكل|اي) )(?<said>(?:(?:ك?عضوه?|عضويتي|عضويته|عضويتها|منتسبه?|منضمه?|منخرطه?)(?: ${ARABIC_WORD})?|(?:انضممت|انتسبت|انضميت|اشتركت)(?= (?:في|الي|ب|ل))|(?:اشترك|انضم|انتسب) ${ARABIC_WORD})(?: (?:في|الي|لدي|ضمن))? [لب]?${ARABIC_BODY}(?! (?:ال)?تدريس)(?: ${ARABIC_WORD})(?: (?:ال|لل)${ARABIC_WORD})?)`,
      'g',
    ),
  },
  {
    kind: 'Ethnic or Tribal Origin',
    person: true,
    gate: / (?:tribe|clan)(?![a-z])/,
    pattern:
      /(?<![a-z])(?:from|of|to|in) (?<said>(?:the )?(?!our|this|that|each|every|which|your|the |north|south|east|west|rival|other|same|whole|sales|product)(?:(?:al|bani|banu|beni)[ -])?[a-z'’-]{3,20} (?:tribe|clan))(?![a-z])/g,
  },
  {
    kind: 'Location',
    person: true,
    gate: /parked|standing|waiting|stuck|broke down/,
    pattern: new RegExp(
      `(?<![a-z])(?:parked|standing|waiting|stuck|broke down) (?:right )?(?:at|on|near|behind|outside|beside|opposite|by|next to|in front of|across from) (?<said>(?:the )?(?:${WORD} ){1,4}?${ENGLISH_PLACE}(?: (?:on|in|at|off) (?:the )?(?:${WORD} ){1,3}?(?:street|road|avenue|district|st|rd))?)(?![a-z])`,
      'g',
    ),
  },
  {
    kind: 'Location',
    gate: /واقف|متعطل|نتظر|انا (?:عند|جنب|قدام)/,
    pattern: new RegExp(
      `(?<![\\u0620-\\u064a])(?:واقفه?|واقفين|متعطله?|متعطلين|(?:انا ا|ي|ن)نتظر|انتظر(?:كم|ك)|منتظره?|انا) (?:الان |الحين )?(?:عند|جنب|قدام|امام|خلف|مقابل|ورا|قرب|بجانب) (?<said>(?:ال)?${ARABIC_PLACE} (?:[0-9]{1,4} (?:في|ب) ?${ARABIC_PLACE} ${ARABIC_WORD}(?: ال${ARABIC_WORD}| ${ARABIC_WORD}(?= |$))?|${ARABIC_WORD}(?: (?:في|مقابل|جنب|خلف|قدام|امام|ورا) ${ARABIC_WORD}(?: ال${ARABIC_WORD})?)?))`,
      'g',
    ),
  },
  {
    kind: 'Ethnic or Tribal Origin',
    gate: /descent|ancestry|heritage|ethnicity|extraction|origin|background|stock|blood/,
    pattern: new RegExp(
      `(?<![a-z])(?:am|is|are|was|he['’]s|she['’]s|i['’]m|who['’]s|man|woman|family) (?<said>of (?:(?:mixed|part) )?(?!(?:the|our|data) )${WORD}(?: ${WORD})? (?:descent|ancestry|heritage|ethnicity|extraction|origin|origins|background|stock|blood))(?![a-z])`,
      'g',
    ),
  },
  {
    kind: 'Criminal Record',
    gate: /jail|prison|custody/,
    pattern: new RegExp(
      `(?<![a-z])(?<said>(?:spent|spending|served|serving|did|got|does) (?:${WORD} ){1,4}(?:in|of) (?:jail|prison|custody))(?![a-z])`,
      'g',
    ),
  },
  {
    kind: 'Criminal Record',
    gate: /موقوف|محبوس|مسجون|متورط|متهم|مدان|محكوم/,
    pattern: new RegExp(
      `(?<![\\u0620-\\u064a])(?<said>(?:موقوف|محبوس|مسجون|متورط|متهم|مدان|محكوم)(?:ه|ين)? (?:في |علي ذمه |بسبب |عند |لدي |ب)?(?:ال)?(?:شرطه|مباحث|توقيف|سجن|مركز شرطه|قسم شرطه|نيابه|قضيه|قضايا|تهمه|جريمه|سرقه|تزوير|احتيال|نصب|رشوه|مخدرات|شيك|شيكات|اختلاس|ابتزاز|مضاربه)(?: ${ARABIC_WORD})?)`,
      'g',
    ),
  },
  {
    kind: 'Criminal Record',
    gate: /years?|months?|weeks?|days?/,
    pattern: new RegExp(
      `(?<![a-z])(?<said>(?:spent|served|did|got|doing|serving|facing|faces|given|done) (?:${WORD} |[0-9]{1,2} ){0,3}(?:years?|months?|weeks?|days?) (?:for|over|on) ${CRIMES})(?![a-z])`,
      'g',
    ),
  },
  {
    kind: 'Criminal Record',
    gate: /تهم|ادان/,
    pattern: new RegExp(
      `(?<![\\u0620-\\u064a])(?<said>(?:و|ف)?(?:اتهموني|اتهموه|اتهموها|اتهمني|اتهمته|اتهمتها|اتهمتني|اتهموا|متهمينه|متهمينها|متهميني|يتهموني|يتهمونه|يتهمني|ادانته|ادانتها|ادانتني|ادانت)(?: ${ARABIC_WORD}){0,2} ب${ARABIC_WORD})`,
      'g',
    ),
  },
  {
    kind: 'Parentage',
    gate: /باب|مدخل|امام/,
    pattern: new RegExp(
      `(?<![\\u0620-\\u064a])(?<said>(?:وجدوها?|وجدناه|لقوه|لقوها|لقيناه|لقيناها|لقيته|عثر علي(?:ه|ها)|عثروا علي(?:ه|ها)|وجدت|وجد|متروكه?|انترك|تركوها?|انلقي)(?: وهو| وهي)?(?: (?:رضيع|طفل|مولود)[\\u0620-\\u064a]{0,3})? (?:عند|امام|قدام|علي|في) (?:باب|ابواب|مدخل) ${ARABIC_WORD})`,
      'g',
    ),
  },
  {
    kind: 'Religion or Belief',
    gate: /ديانه|مذهب|طايفه|religion|sect|faith|denomination/,
    pattern: new RegExp(
      `(?<![a-z\\u0620-\\u064a])(?:الديانه|المذهب|الطايفه|المعتقد|ديانته|ديانتها|مذهبه|مذهبها|religion|sect|faith|denomination) ?[:=-] ?(?<said>${WORD}|${ARABIC_WORD})`,
      'g',
    ),
  },
  {
    kind: 'Credit Data',
    gate: /default|behind|missed|late on/,
    pattern: new RegExp(
      `(?<![a-z])(?<said>(?:defaulted on|default on|(?:fell |is |am |are |was |been |months? |weeks? )behind on|(?:am|is|was|been) late on|missed(?= (?:my|his|her|their|our|a|one|two|three|four|several|some|[0-9]) ?)) (?:${WORD} |[0-9]{1,2} ){0,4}?(?:loans?|mortgage|payments?|instalments?|installments?|financing|lease|debts?|credit card)(?: (?:payments?|instalments?|installments?))?)(?![a-z]| (?:deadline|page|screen|option))`,
      'g',
    ),
  },
  {
    kind: 'Credit Data',
    gate: /تعثر|متعثر|متاخر|تاخر|عاجز|عجز/,
    pattern: new RegExp(
      `(?<![\\u0620-\\u064a])(?<said>(?:تعثرت?|متعثره?|متاخره?|تاخرت|عاجزه?|عجزت?) (?:في |عن |ب)?(?:(?:سداد|دفع) (?:ال)?بطاقه|(?:سداد |دفع )?(?:ال)?(?:قرض|قروض|قسط|اقساط|تمويل|مديونيه))(?:ي|ه|ها)?(?: ال${ARABIC_WORD})?)(?![\\u0620-\\u064a])`,
      'g',
    ),
  },
];

/** Memberships, origins, whereabouts, convictions and arrears stated with a name in the middle that no list could have. */
export function findStatements(reading: Reading): Found[] {
  const found: Found[] = [];
  for (const { kind, gate, pattern, person } of STATEMENTS) {
    if (!gate.test(reading.lower)) continue;
    for (const match of reading.lower.matchAll(pattern)) {
      if (person === true && !speaksOfSomebody(reading, match.index + match[0].length)) continue;
      const said = match.groups!['said']!;
      const start = match.index + match[0].indexOf(said);
      found.push(reading.found(kind, start, start + said.length, 0.75));
    }
  }
  return found;
}

/** A person in the sentence before the end of a statement, by word or by name. */
function speaksOfSomebody(reading: Reading, end: number): boolean {
  const last = tokenBefore(reading, end);
  if (last < 0) return false;
  return reading.isNamed(last) || reading.labelsLeft(last, PERSON_CHARS).some(({ meaning }) => meaning === 'person');
}

const PERSON_CHARS = 90;

/** The last token that begins before `end`; -1 when none does. */
function tokenBefore(reading: Reading, end: number): number {
  let low = 0;
  let high = reading.tokens.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (reading.tokens[middle]!.start < end) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
