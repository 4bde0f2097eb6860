import { arabicStem } from '../../../language/arabic-stem.ts';
import {
  HIJRI_MONTH_AR,
  MONTH_AR,
  MONTH_EN,
  SHORT_MONTH_EN,
  WEEKDAY_AR,
  WEEKDAY_EN,
} from '../../../language/calendar/date-patterns.ts';
import { partOf, pattern } from '../../../language/pattern.ts';
import { foldWord } from './words.ts';

/** What kind of thing a question asks for. `other` needs nothing of a certain shape. */
export type AnswerKind =
  | 'person'
  | 'name'
  | 'date'
  | 'clock'
  | 'money'
  | 'percent'
  | 'duration'
  | 'number'
  | 'place'
  | 'phone'
  | 'email'
  | 'url'
  | 'reason'
  | 'yesno'
  | 'other';

const DIGITS = '[\\d٠-٩۰-۹]';
const EN_NUMBER = partOf`
  one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|
  thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|half|quarter|third|once|twice|dozen|double|single|first|
  second|both|none
`;
const AR_NUMBER = partOf`
  (?:واحد|ثلاث|[أا]ربع|خمس|ست|سبع|ثماني?|تسع|عشر)(?:[ةه]|اً|ًا|ا)?|اثن(?:ان|ين|تان|تين|ا|ي)|عشر(?:ون|ين)|ثلاث(?:ون|ين)|[أا]ربع(?:ون|ين)|
  خمس(?:ون|ين)|ست(?:ون|ين)|سبع(?:ون|ين)|ثمان(?:ون|ين)|تسع(?:ون|ين)|م[ئا]+[ةه]|مئت(?:ان|ين)|مائت(?:ان|ين)|[أا]لف(?:ان|ين)?|آلاف|مليون|
  مليار|نصف|ربع|ثلث|ضعف|مر[ةه]|مرتين|يومين|شهرين|سنتين|عامين|أسبوعين|ساعتين|يومان|شهران|سنتان|عامان|أسبوعان|ساعتان
`;
const EN_UNIT =
  'seconds?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|decades?|century|centuries|semesters?|terms?';
const AR_UNIT = partOf`
  ثاني[ةه]|ثواني|دقيق[ةه]|دقائق|ساع[ةه]|ساعات|ساعتين|ساعتان|يوم(?:ين|ان|[اً]+)?|أيام|ايام|أسبوع(?:ين|ان|[اً]+)?|اسبوع(?:ين)?|أسابيع|
  اسابيع|شهر(?:ين|ان|[اً]+)?|أشهر|اشهر|شهور|سن[ةه]|سنتين|سنتان|سنوات|سنين|عام(?:ين|ان|[اً]+)?|أعوام|فصل|عقود|قرن
`;
const B = '(?<![\\p{L}\\p{N}])';
const E = '(?![\\p{L}\\p{N}])';

const ANY_NUMBER = pattern('iu')`${DIGITS}|${B}(?:${EN_NUMBER})${E}|${B}[وبل]?(?:ال)?(?:${AR_NUMBER})${E}`;
const MONTHS = partOf`
  ${MONTH_EN}|${SHORT_MONTH_EN}|sept|${MONTH_AR}|${HIJRI_MONTH_AR}|ربيع (?:ال[أا]ول|الثاني|الآخر)|جمادى|ذ[وي] (?:القعدة|الحجة)
`;
const WEEKDAYS = partOf`(?:${WEEKDAY_EN})s?|weekdays|weekends?|${WEEKDAY_AR}|نهاية الأسبوع|عيد|العيد`;
const SHAPES: Readonly<Record<Exclude<AnswerKind, 'other' | 'yesno' | 'person' | 'name' | 'place'>, RegExp>> = {
  date: pattern('iu')`
      ${B}(?:سنة|عام|عامي|year|ad|bc|in|by)\s+${DIGITS}{3,4}${E}|${B}(?:1[0-9]{3}|20[0-9]{2})${E}|${B}[١٢][٠-٩]{3}${E}|
      ${DIGITS}{1,2}[/.-]${DIGITS}{1,2}[/.-]${DIGITS}{2,4}|${B}[وبفل]?(?:${MONTHS}|${WEEKDAYS})${E}|${B}(?:centur(?:y|ies)|today|daily|
      weekly|monthly|annually|yearly|every|end of|beginning of|start of|quarter|semester|season|morning|evening|noon|midnight|immediately|
      upon|within|before|after|once|until|since|ago|due)${E}|${DIGITS}(?:st|nd|rd|th)${E}|${DIGITS}\s*(?:${EN_UNIT}|${AR_UNIT})${E}|
      ${B}(?:${EN_NUMBER}|${AR_NUMBER})\s+(?:\p{L}+\s)?(?:${EN_UNIT}|${AR_UNIT})${E}|${B}(?:قرن|القرن|يومي[اً]+|شهري[اً]+|سنوي[اً]+|
      [أا]سبوعي[اً]+|كل|نهاية|بداية|مطلع|آخر|صباح[اً]+|مساء[اً]*|فور[اً]*|عند|بعد|قبل|خلال|عقب|حتى|منذ|اليوم)${E}|${DIGITS}\s*(?:ص|م|هـ|
      صباح|مساء)
    `,
  clock: pattern('iu')`
      ${DIGITS}\s*[:.]\s*${DIGITS}{2}|${DIGITS}\s*(?:a\.?m|p\.?m|o'?clock)|${DIGITS}\s*(?:ص|م|صباح|مساء|ظهر|عصر|ليل)|${B}(?:noon|midnight|
      24 hours|24/7|around the clock|الساعة|ظهر[اً]*|على مدار)|${B}from ${DIGITS}{1,2} to ${DIGITS}|من ${DIGITS}{1,2} (?:[^\s]+ )?(?:إلى|
      الى|حتى) ${DIGITS}|${DIGITS}\s*[-–]\s*${DIGITS}|${B}(?:from|at|until|till|between) (?:${EN_NUMBER})${E}|${B}(?:السابعة|الثامنة|
      التاسعة|العاشرة|الحادية|الثانية|الواحدة|الثالثة|الرابعة|الخامسة|السادسة)${E}
    `,
  money: pattern('iu')`
      (?:${DIGITS}|${EN_NUMBER}|${AR_NUMBER})[\d٠-٩.,٫٬]*\s*(?:million |billion |thousand |hundred |مليون |ملايين |ألف |مليار |
      آلاف )?(?:sar|sr|riyals?|halalas?|usd|dollars?|euros?|pounds?|aed|dirhams?|kwd|dinars?|crowns?|marks?|francs?|yen|rupees?|liras?|
      pence|p|cents?|ر\.?\s?س|ريال|ريالا|ريالات|هللة|دولار|درهم|دينار|يورو|جنيه|\$|€|£|﷼|⃁)|(?:sar|sr|usd|aed|kwd|\$|€|£|ر\.س|﷼|
      ⃁)\s*${DIGITS}|${B}(?:free|no charge|no fee|without charge|waived|none|nil|مجان[اًيةه]+|بدون رسوم|لا توجد رسوم|دون رسوم|معفا[ةه])|
      (?:fees?|charge|commission|rate|penalty|surcharge|price|deposit|رسوم|عمولة|غرامة|هامش|سعر|خصم).{0,80}${DIGITS} ?(?:%|٪|percent|بالمئة|
      بالمائة)|${DIGITS} ?(?:%|٪|percent|بالمئة|بالمائة).{0,80}(?:fees?|charge|commission|penalty|price|balance|amount|salary|wage|رسوم|
      عمولة|غرامة|راتب|مبلغ|رصيد|أجر)|(?:price|cost|fee|amount|sar|السعر|المبلغ|الرسوم)\W{0,6}${DIGITS}|ريالين|ريالان|راتب|salary|wage|
      ${B}(?:دينار[اً]*|ديناران|دينارين|درهم[اً]*|درهمين|ريال[اً]*|دولار[اً]*|جنيه[اً]*|ليرة|ملاليم|روبية|crowns?|florins?|guilders?|gulden|
      thalers?|kron[aeo]r?|shillings?|ducats?|marks|r(?:o)?ubles?|zlotys?|pesos?|escudos?|rials?|taels?|guineas?|piast(?:re|er)s?|lir[ae]s?|
      yuan|قروش|قرش|روبل|يوان|دوقية|ليرات|جنيهات|دنانير|دراهم|دولارات|غيلدر)${E}
    `,
  percent: pattern('iu')`
      ${DIGITS}\s*(?:%|٪|percent|per cent)|(?:في|ب) ?ال?م[ئا]+[ةه]|[%٪]\s*${DIGITS}|percent|بالمئة|بالمائة|(?:out of|in) (?:every |a |
      each )?${DIGITS}|one in |من كل |${B}(?:half|quarter|third|full|نصف|ربع|ثلث|كامل)${E}
    `,
  duration: pattern('iu')`
      (?:في|بلغ|عن|أتم) (?:ال)?(?:ثالث|رابع|خامس|سادس|سابع|ثامن|تاسع|عاشر|حادي|ثاني|عشرين|ثلاثين|[أا]ربعين|خمسين|ستين|سبعين|ثمانين|تسعين)|
      \bat (?:the age of )?(?:${EN_NUMBER}|${DIGITS})|${B}(?:aged?|years? old|عمره|عمرها|العمر|ابن|بنت) |(?:${DIGITS}|${B}(?:${EN_NUMBER}|a|
      an|several|few))[\d٠-٩.,٫٬]*\)?[\s-]*(?:to ${DIGITS}+ |and a half )?(?:consecutive |calendar |business |working |full |academic |
      hijri )?(?:${EN_UNIT})${E}|(?:${DIGITS}|${B}(?:${AR_NUMBER}))[\d٠-٩.,٫٬]*\)?\s*(?:${AR_UNIT})${E}|${B}[وبل]?(?:يومين|شهرين|سنتين|
      عامين|أسبوعين|اسبوعين|ساعتين|يومان|شهران|سنتان|عامان|أسبوعان|ساعتان|سنة|شهر|أسبوع|يوم|ساعة|عام|annual|lifetime|permanent|دائم|
      مدى الحياة)${E}|until|حتى|from .{1,40} to |${DIGITS}\s*(?:km|kilomet\w+|met(?:re|er)s?|miles?|cm|كم|كيلومتر|متر)
    `,
  number: ANY_NUMBER,
  phone: pattern(
    'iu',
  )`\+?${DIGITS}(?:[ ()-]?${DIGITS}){6,}|(?:extension|ext\.?|dial|call|number|تحويلة|اتصل|رقم|الرقم)\s*:?\s*${DIGITS}{3,6}${E}`,
  email: /[^\s@]{1,64}@[^\s@]{1,255}\.[a-z]{2,}/i,
  url: /https?:\/\/|www\.|\b[a-z0-9-]{2,63}\.(?:com|sa|net|org|gov|edu|io|app)\b/i,
  reason: pattern('i')`
      \b(?:because|due to|since|as|so that|in order to|to|for|owing|caused?|result|reasons?|therefore|avoid|ensure|protect|prevent)\b|لأن|
      لان|بسبب|نظر|حتى|لكي|كي |من أجل|نتيجة|سبب|تجنب|لضمان|إثر |حرص|حفاظ|منع|لـ|إذ |حيث
    `,
};

const ROLE = pattern('iu')`
  (?<![\p{L}])(?:mr|mrs|ms|dr|prof|president|king|prince|minister|chief|head|manager|director|supervisor|officer|department|committee|
  office|team|council|board|nurse|doctor|teacher|principal|tenant|landlord|lessor|lessee|employer|employee|employees|bank|customer|
  company|parents?|guardian|students?|owner|agency|authority|ministry|pharmacist|dentist|coordinator|secretary|accountant|reception|
  people|anyone|everyone|citizens?|residents?|members?|children|patients?|applicants?|graduates?|husband|wife|father|mother|son|daughter|
  brother|founder|author|engineer|lawyer|court)(?![\p{L}])|(?:مدير|رئيس|مشرف|قسم|لجن|مكتب|فريق|مجلس|ممرض|طبيب|دكتور|د\.|الأستاذ|أ\.|السيد|
  المهندس|م\.|معلم|مستأجر|مؤجر|مالك|موظف|عامل|بنك|مصرف|عميل|شرك|ولي|أولياء|والد|طالب|طلاب|وزار|هيئ|إدار|ادار|صيدل|منسق|سكرتير|محاسب|
  استقبال|مواطن|مقيم|عضو|أعضاء|أطفال|مرضى|مريض|مرشد|وكيل|أمير|ملك|الملك|قاض|محكم|شخص|كل من|جميع|رجل|امرأة|يسمى|تسمى|يدعى|بن |بنت |أبو |
  آل )
`;
const PLACE = pattern('iu')`
  (?<![\p{L}])(?:street|st|road|rd|avenue|building|tower|floor|room|gate|branch|branches|office|desk|counter|hall|district|city|town|
  village|country|region|center|centre|mall|clinic|hospital|airport|station|website|portal|app|site|area|near|opposite|behind|beside|next|
  downstairs|ground|basement|reception|entrance|lobby|north|south|east|west|river|island|coast|mountain|online|home|store|warehouse|
  library|gym|cafeteria)(?![\p{L}])|(?:شارع|طريق|حي|مبنى|برج|طابق|الدور|غرف|بواب|فرع|فروع|مكتب|مدين|محافظ|منطق|مرك|مول|عياد|مستشفى|مطار|
  محط|موقع|بواب|تطبيق|بجانب|بجوار|مقابل|خلف|قرب|استقبال|مدخل|شمال|جنوب|شرق|غرب|الرياض|جدة|مكة|الدمام|المدينة|الخبر|أبها|تبوك|القصيم|صندوق|
  مستودع|معرض|مكتبة|صالة|قاعة|نهر|جزيرة|ساحل|جبل|المنزل)
`;

/** Whether `text` holds something of the asked kind. `asked` are the question's words, folded, Arabic ones without what is attached: they do not count. */
export function hasKind(kind: AnswerKind, text: string, asked: ReadonlySet<string>): boolean {
  if (kind === 'other' || kind === 'yesno') return true;
  if (kind === 'name' && /[\u0621-\u064a]/.test(text)) return true; // no capitals tell a name
  if (kind === 'name') return hasName(text, asked) || CALLED.test(text);
  if (kind === 'person') return ROLE.test(without(text, asked)) || hasName(text, asked);
  if (kind === 'place') return PLACE.test(text) || hasName(text, asked) || /(?:^|\s)ب?في\s+\S|(?:^|\s)بال\S/.test(text);
  if (kind === 'number' || kind === 'date') return SHAPES[kind].test(without(text, asked));
  return SHAPES[kind].test(withoutNumbers(text, asked));
}

/** Something is named: `called`, in quotation marks. */
const CALLED = /\b(?:called|named|known as|nicknamed|dubbed|titled|entitled)\b|[“"]/iu;

/** The question's own numbers are no answer to it. */
function withoutNumbers(text: string, asked: ReadonlySet<string>): string {
  return text.replace(/[\d٠-٩][\d٠-٩.,٫٬]*/g, (number) => (asked.has(foldWord(number)) ? ' ' : number));
}

/** Numbers and names of the question say nothing new: they are taken out before looking. */
function without(text: string, asked: ReadonlySet<string>): string {
  return text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (isAsked(word, asked) ? ' ' : word));
}

const TIME_WORD = /^(?:ال|ب|ل)*(?:قرن|عام|سنه|شهر|يوم|ساعه)$|^(?:centur(?:y|ies)|years?|months?|weeks?|days?|hours?)$/;

function isAsked(word: string, asked: ReadonlySet<string>): boolean {
  const folded = foldWord(word);
  if (TIME_WORD.test(folded)) return false; // `in which century`: the answer says so again
  return asked.has(/[\u0621-\u06d3]/.test(folded) ? arabicStem(folded) : folded);
}

/** A capitalised word inside a sentence that the question did not name. Says nothing for Arabic, which has no capitals. */
function hasName(text: string, asked: ReadonlySet<string>): boolean {
  for (const match of text.matchAll(/(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’-]+/gu)) {
    const begins = !/[\p{L}\p{N}]/u.test(text.slice(0, match.index)) || /[.!?:]\s+$/.test(text.slice(0, match.index));
    if (!begins && !isAsked(match[0], asked)) return true;
  }
  return false;
}

const NAMED = pattern('u')`
  (?<!\p{L})(?:mr|mrs|ms|dr|prof|eng)\.?\s+\p{Lu}|\p{Lu}\p{Ll}+ (?:Al-|al-|bin |von |van |de )?\p{Lu}\p{Ll}+|(?<!\p{L})و?(?:السيدة?|
  الدكتورة?|الأستاذة?|المهندسة?|الشيخ|الفنانة?|الأمير|الملك|[دأم]\.)\s*\p{L}{3,}|(?<!\p{L})(?:بن|بنت)(?!\p{L})
`;

/** Whether somebody is named, which a question who somebody is wants more than a title. */
export function namesSomebody(text: string): boolean {
  return NAMED.test(text);
}

const LIMITED_ABOVE = pattern('i')`
  \b(?:up to|(?:no|not) (?:\w+ ){0,3}more than|at most|limit(?:ed)?|maxim\w+|exceed\w*|whichever)\b|لا (?:ي|ت)(?:زيد|تجاوز)|بحد أقصى|أقصى|
  حتى|يصل إلى|أن (?:ي|ت)تجاوز
`;
const LIMITED_BELOW =
  /\b(?:at least|minim\w+|(?:no|not) less|or (?:older|over|more)|from)\b|على الأقل|لا (?:ي|ت)قل|بحد أدنى|أدنى|فما فوق|فأكثر|من عمر|تبدأ من|يبدأ من/i;

/** Whether `text` sets a limit of the kind a question for the most or the least asks for. */
export function setsLimit(concept: '=maximum' | '=minimum', text: string): boolean {
  return (concept === '=maximum' ? LIMITED_ABOVE : LIMITED_BELOW).test(text);
}

/** Questions for a measure or for one of a few things, and what answers them. */
const MEASURES: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:what|which) (?:year|century)\b|(?:^| )اي (?:عام|سنه|قرن)/, /\p{Nd}{3,4}|\b(?:centur(?:y|ies)|bc)\b|القرن/iu],
  [
    /\b(?:what|which) (?:city|town)\b|(?:^| )اي مدينه/,
    pattern('u')`
      \b(?:city|town)\b|\b(?:in|of|at|from|to) \p{Lu}|(?<!\p{L})(?:في|من|إلى) |(?<!\p{L})بال|مدين[ةه]|\b(?:Riyadh|Jeddah|Dammam|Mecca|
      Medina|London|Paris|Dubai|Cairo)\b|الرياض|جدة|الدمام|مكة|المدينة|بغداد|القاهرة|دمشق|الخبر|أبها|تبوك
    `,
  ],
  [
    /\bhow (?:often|many times)\b|(?:^| )(?:كم مره|كل متي|كل كم)/,
    pattern('iu')`
      \b(?:once|twice|times?|every|each|daily|weekly|monthly|yearly|a (?:day|week|month|year)|annually)\b|مر[ةه]|مرات|مرتين|
      (?<!\p{L})كل(?!\p{L})|يومي|أسبوعي|شهري|سنوي
    `,
  ],
  [/(?:^| )اي حي(?: |$)|\b(?:what|which) district\b/, /(?<!\p{L})(?:ب|ال)?حي(?!\p{L})|\bdistrict\b/iu],
  [
    /\bhow (?:high|tall)\b|\b(?:height|altitude)\b|(?:^| )(?:ال)?ارتفاع/,
    /(?:\b(?:met(?:re|er)s?|m|cm|centimet\w+|feet|foot|inch\w*|storeys?|floors?)\b|متر|سم|قدم|طابق|طوابق|دور)(?! (?:away|from|to the|وبعد))/iu,
  ],
  [
    /\bhow (?:deep|wide)\b|\b(?:depth|width|diameter)\b|(?:^| )(?:ال)?(?:عمق|عرض|قطر)(?:ه|ها)? /,
    /\b(?:met(?:re|er)s?|m|cm|mm|centimet\w+|millimet\w+|feet|foot|inch\w*)\b|متر|سم|قدم/iu,
  ],
  [
    /\bhow far\b|\bdistance\b|(?:^| )(?:ال)?مسافه|يبعد|تبعد/,
    pattern('iu')`
      \b(?:met(?:re|er)s?|m|cm|mm|centimet\w+|millimet\w+|kilomet\w+|km|miles?|feet|foot|inch\w*|minutes?|hours?|days?|weeks?|months?|
      years?)\b|متر|كم(?!\p{L})|سم|ميل|قدم|كيلو|دقيق|ساع|يوم|شهر|سن[ةه]
    `,
  ],
  [/(?:^| )كم (?:يبلغ )?(?:ال)?طول/, /متر|كم(?!\p{L})|سم|سنتي|ميل|قدم|كيلو/iu],
  [
    /\b(?:area|surface|how large|how big|square)\b|(?:^| )(?:ال)?مساح/,
    /\b(?:square|hectares?|acres?|km2|m2|sq)\b|[²]|مربع|هكتار|فدان|دونم/iu,
  ],
  [
    /\bhow heavy\b|\bweigh|(?:^| )(?:ال)?وزن/,
    /\b(?:kg|kilo\w*|grams?|tons?|tonnes?|pounds?|g)\b|كيلو|كجم|جرام|غرام|طن|كغ/iu,
  ],
  [
    /\bhow old\b|\bage\b|(?:^| )(?:ال)?عمر/,
    /\b(?:years?|months?|age|aged|old|birthday|under|over)\b|سن[ةه]|سنوات|عام|أعوام|عمر|السابع|العاشر/iu,
  ],
  [
    /\bhow (?:fast|quick)|\bspeed\b|(?:^| )(?:ال)?سرعه/,
    /\b(?:km\/h|mph|per (?:hour|minute|second)|speed|turns|hours?|days?|minutes?)\b|سرع|في الساعة/iu,
  ],
  [
    /\b(?:what|which) colou?r|(?:^| )(?:ما |اي |وش )?لون/,
    pattern('iu')`
      \b(?:black|white|red|green|blue|yellow|grey|gray|brown|orange|purple|pink|silver|gold|neutral|colou?rs?)\b|أسود|أبيض|أحمر|أخضر|أزرق|
      أصفر|رمادي|بني|برتقالي|فضي|ذهبي|لون|ألوان
    `,
  ],
  [/\b(?:hot|cold|warm|temperature)\b|(?:^| )(?:ال)?حراره/, /°|\b(?:degrees?|celsius|fahrenheit)\b|درج[ةه]|مئوي/iu],
  [
    /\bborn\b|\bbirth (?:date|year|place)|(?:^| )(?:ولد|ولدت|ميلاد)(?: |$)/,
    /\b(?:born|birth|native)\b|ولد|ميلاد|مواليد|مولد/iu,
  ],
  [/\bhow loud\b|\bdecibel/, /\b(?:db|decibels?)\b|ديسيبل/iu],
];
/** Dimensions that share their units: a line that names another one is about that. */
const DIMENSIONS: readonly RegExp[] = [
  /\b(?:high|tall|height|altitude|above)\b|ارتفاع|(?<!\p{L})و?[يت]رتفع/iu,
  /\b(?:deep|depth)\b|عمق/iu,
  /\b(?:wide|width)\b|(?<!\p{L})(?:ال|ب)?عرض(?:ه|ها)?(?!\p{L})/iu,
  /\b(?:thick|thickness)\b|سمك(?:ه|ها)?(?!\p{L})/iu,
  /\bdiameter\b|قطر(?:ه|ها)?(?!\p{L})/iu,
];
function namesOtherDimension(question: string, text: string): boolean {
  const asked = DIMENSIONS.find((one) => one.test(question));
  return asked !== undefined && !asked.test(text) && DIMENSIONS.some((one) => one.test(text));
}

const SUPERLATIVES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\b(?:largest|biggest|greatest)\b|(?:^| )(?:ال)?اكبر /,
    /\b(?:largest|biggest|greatest|record|most|highest|maximum|up to|as many as)\b|أكبر|اكبر|أضخم|قياسي|أعلى|أكثر/iu,
  ],
  [/\b(?:smallest)\b|(?:^| )(?:ال)?اصغر /, /\bsmallest\b|أصغر|اصغر/iu],
  [
    /\b(?:oldest|earliest)\b(?! age)|(?:^| )(?:ال)?اقدم /,
    /\b(?:oldest|earliest|first|ancient|older)\b|أقدم|اقدم|أول|اول/iu,
  ],
  [/\b(?:tallest|highest)\b|(?:^| )(?:ال)?اعلي /, /\b(?:tallest|highest|maximum|more than|up to)\b|أعلى|اعلى|أقصى/iu],
  [/\b(?:longest)\b|(?:^| )(?:ال)?اطول /, /\blongest\b|أطول|اطول/iu],
  [
    /\b(?:second|2nd)\b|(?:^| )(?:ال)?ثاني(?:ه)?(?: |$)/,
    /\b(?:second|two|2nd|twice|later|another|other)\b|ثاني|ثانٍ|اثن/iu,
  ],
];

/** Whether a question for a measure finds its unit in `text`; true for every other question. */
export function hasMeasure(foldedQuestion: string, text: string): boolean {
  if (namesOtherDimension(foldedQuestion, text)) return false;
  return [...MEASURES, ...SUPERLATIVES].every(([asked, unit]) => !asked.test(foldedQuestion) || unit.test(text));
}

/** Whether a word of the question only names a measure whose unit, or a kind whose example, stands in `text`. */
export function measureSays(foldedTerm: string, text: string): boolean {
  if (DIMENSIONS.some((one) => one.test(foldedTerm)) && namesOtherDimension(foldedTerm, text)) return false;
  return (
    MEASURES.some(([asked, unit]) => asked.test(` ${foldedTerm} `) && unit.test(text)) ||
    NAMED_BY.some(([term, said]) => term.test(foldedTerm) && said.test(text))
  );
}
/** Words of questions that are answered without being said. */
const NAMED_BY: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:colou?rs?|(?:ال)?(?:لون|الوان))$/,
    pattern('iu')`
      \b(?:black|white|red|green|blue|yellow|grey|gray|brown|orange|purple|pink|silver|gold)\b|أسود|أبيض|أحمر|أخضر|أزرق|أصفر|رمادي|بني|
      برتقالي|فضي|ذهبي|سوداء|بيضاء|حمراء|خضراء|زرقاء|صفراء
    `,
  ],
  [
    /^(?:languages?|(?:ال|ب)?لغ(?:ه|ات))$/,
    /\b(?:english|arabic|french|german|latin|greek|spanish|chinese|urdu|hindi)\b|العربي|الإنجليزي|الانجليزي|اللاتيني|الفرنسي|اليوناني|الفارسي/iu,
  ],
  [/^(?:temperature|(?:ال)?حراره)$/, /°|\bdegrees?\b|درج[ةه]/iu],
  [
    /^(?:height|altitude|tall|high|depth|deep|width|wide|length|diameter|distance|far|(?:ال)?(?:ارتفاع|عمق|عرض|طول|قطر|مسافه))(?:ه|ها)?$/,
    /\d[\d,.]*[ -](?:met(?:re|er)s?|m|cm|km|kilomet\w+|feet|foot|miles?|inch\w*)\b|متر|كيلومتر|سم(?!\p{L})|ذراع/iu,
  ],
  [
    /^(?:weight|heavy|weighs?|(?:ال)?وزن(?:ه|ها)?)$/,
    /\d[\d,.]* ?(?:kg|kilo\w*|grams?|g|tons?|tonnes?|pounds?)\b|كيلو|كجم|جرام|غرام|طن/iu,
  ],
  [
    /^(?:deadline|latest|(?:ال)?(?:موعد|مهله))$/,
    /\b(?:within|until|before|by|no later|at least)\b|خلال|قبل|حتى|موعد أقصاه/iu,
  ],
  [/^(?:early|advance|notice)$/, /\b(?:before|prior|in advance|ahead|notice|warning)\b|قبل/iu],
  [/^(?:speed|fast|(?:ال)?سرعه)$/, /km\/h|mph|per hour|في الساعة/iu],
];

const DATED = pattern('iu')`
  ${DIGITS}{3,4}|${DIGITS}{1,2}[/.-]${DIGITS}|${B}[وبفل]?(?:${MONTHS}|${WEEKDAYS})${E}|${B}(?:centur(?:y|ies)|daily|weekly|monthly|yearly|
  every|morning|evening|noon|midnight|immediately)${E}|${DIGITS}(?:st|nd|rd|th)?${E}|${B}(?:القرن|يومي[اً]+|شهري[اً]+|سنوي[اً]+|كل|
  صباح[اً]+|مساء[اً]*|فور[اً]*)${E}|${B}(?:${EN_NUMBER})${E}|${B}[وبل]?(?:ال)?(?:${AR_NUMBER})${E}
`;

const ASKS_MEASURE = pattern()`
  ^(?:high|tall|height|altitude|deep|depth|wide|width|heavy|weigh|weight|old|age|fast|speed|far|distance|length|area|(?:ال)?(?:ارتفاع|عمق|
  عرض|وزن|عمر|طول|سرعه|مساحه|قطر|مسافه)(?:ه|ها|ي|ك)?)$
`;

/** `heavy`, `age`, `ارتفاع`: names a measure that an answer may give without the word. */
export function isMeasureWord(folded: string): boolean {
  return ASKS_MEASURE.test(folded);
}

const PAST_DATED = pattern('iu')`
  ${DIGITS}{3,4}|${DIGITS}{1,2}[/.-]${DIGITS}|${B}[وبفل]?(?:${MONTHS})${E}|${B}(?:centur(?:y|ies)|decades?|ago|later|earlier|after|before|
  during|reign|war|age)${E}|${B}(?:القرن|قرن|عقد|قبل|بعد|عهد|أيام|خلال|أثناء|مطلع|أواخر|أوائل|منتصف|حين|عندما|إبان)${E}
`;
/** Whether what happened once is dated, as against opening hours and days of the week. */
export function namesPast(text: string): boolean {
  return PAST_DATED.test(text);
}

/** Whether a date, a time or a span in figures is named, as against `after`, `before` and the like. */
export function namesDate(text: string): boolean {
  return DATED.test(text);
}

/** Whether a word is a number: digits, or a number in letters. */
export function isNumberWord(word: string): boolean {
  return ANY_NUMBER.test(word);
}
