import { clip, fold, languageOfText } from '../../reply/fold.ts';
import type { AnswerKind } from './answer-kinds.ts';
import { arabicStem } from './arabic-stem.ts';
import { isSoft, isStop } from './stop-words.ts';
import { formsOf, type WordForms } from './word-forms.ts';
import { foldWord, rawWords } from './words.ts';

/** A question holds no more terms: one bit each in two 32-bit masks. */
export const MAX_TERMS = 28;
const MAX_QUESTION_CHARS = 2_000;
const SOFT_PRIOR = 0.3;
const VERB_PRIOR = 0.6; // documents say the same with other verbs more often than with other nouns
const ORDINAL = /^(?:third|fourth|fifth|sixth|(?:ال)?(?:ثالث|رابع|خامس|سادس)ه?)$/;

export interface QuestionTerm {
  readonly forms: WordForms;
  readonly raw: string;
  /** How much it matters before rarity is known: 1, less for words that stand in any question, more for names. */
  readonly prior: number;
  /** A name, number or foreign word: an answer about something else is no answer. */
  readonly required: boolean;
}

export interface AskedQuestion {
  readonly text: string;
  readonly language: 'ar' | 'en';
  readonly kind: AnswerKind;
  readonly terms: readonly QuestionTerm[];
  /** Index of the term that the question turns on (`branches` in `how many branches has the bank`), or -1. */
  readonly focus: number;
  /** Term that names what is asked for (`owner` in `who is the owner of the pool`), however common, or -1. */
  readonly head: number;
  /** Term that says what happened (`built` in `when was it built`), or -1. */
  readonly event: number;
  /** Term whose number is asked for (`branches` in `how many branches`), or -1: a measure of one thing has none. */
  readonly counted: number;
  /** Terms that stand side by side in the question. */
  readonly pairs: readonly (readonly [number, number])[];
  readonly negative: boolean;
  readonly words: ReadonlySet<string>; // what an answer may not merely repeat, see `hasKind`
  readonly folded: ReadonlySet<string>;
}

/** Said before the point: `according to the contract`, `لو سمحت أبغى أعرف`. Cut off before anything is looked at. */
const PREAMBLES: readonly RegExp[] = [
  /^\s*(?:(?:please|hi|hello|hey|kindly)[,!.]?\s+)+/i,
  /^\s*(?:can|could|would) you (?:please )?(?:tell|explain|let|inform)(?: to)? (?:me|us)(?: know)?[,:]?\s*(?:about\s+)?/i,
  /^\s*(?:please )?(?:tell me|let me know|i(?:'d| would) like to know|i want to know|do you know|i need to know)[,:]?\s*/i,
  /^\s*(?:according to|based on|as per|per|in) (?:the |this |your )?(?:attached )?(?:document|file|contract|policy|text|passage|article|handbook|sheet|agreement)[,:]?\s+/i,
  /^\s*(?:السلام عليكم|مرحبا|أهلا|لو سمحت|لوسمحت|من فضلك|فضلا|رجاء)[،,!.]?\s+/,
  /^\s*(?:أبغى|ابغى|ابي|أبي|أريد|اريد|ودي|أود|اود|نبي) (?:أن )?(?:أعرف|اعرف|نعرف|معرفة)[،,:]?\s+/,
  /^\s*(?:هل يمكنك|ممكن|هل تستطيع) (?:أن )?(?:تخبرني|تقول لي|تقولي|إخباري|اخباري|توضح لي)[،,:]?\s+(?:عن\s+)?/,
  /^\s*(?:حسب|وفقاً? ل|وفقا ل|بحسب|بناءً? على|استنادا إلى)\s?(?:هذا |هذه )?(?:ال|ل)?(?:وثيقة|مستند|ملف|عقد|سياسة|نص|لائحة|دليل)[،,:]?\s+/,
];
/** Asked whether something is in order: `is it fine to` says no more than `may I`. */
const POLITE_MAY =
  /^is it (?:ok|okay|fine|alright|all right|possible|acceptable|allowed|permitted) (?:to|if i|for me to) /i;
const TRAILERS =
  /\s*(?:,? (?:according to|as per|in) (?:the |this )?(?:document|file|text|passage|policy|contract|article)|,? please|(?:حسب|وفق|في) (?:هذا |هذه )?(?:ال)?(?:مستند|وثيقة|ملف|نص)|لو سمحت(?:وا)?)\s*([?؟.!]*)\s*$/i;

export function analyseQuestion(input: string): AskedQuestion {
  const text = stripped(clip(input, MAX_QUESTION_CHARS).normalize('NFC').replace(/\s+/g, ' ').trim());
  const raw = rawWords(text);
  const folded = raw.map(foldWord).filter((word) => word !== '');
  const terms = termsOf(text, raw);
  return {
    text,
    language: languageOfText(text) ?? 'en',
    kind: kindOf(fold(text)),
    terms,
    focus: focusOf(terms, raw),
    head: headOf(terms, raw),
    event: eventOf(terms, raw),
    pairs: pairsOf(terms, raw),
    counted: countedOf(terms, raw),
    negative: isNegative(text),
    words: new Set(folded.map((word) => (/[\u0621-\u06d3]/.test(word) ? arabicStem(word) : word))),
    folded: new Set(folded),
  };
}

function stripped(text: string): string {
  let out = text.replace(POLITE_MAY, 'may I ');
  for (let round = 0; round < 3; round += 1) {
    const before = out;
    for (const preamble of PREAMBLES) {
      const rest = out.replace(preamble, '');
      if (rest.length >= 6) out = rest;
    }
    const rest = out.replace(TRAILERS, '$1');
    if (rest.length >= 6) out = rest;
    if (out === before) break;
  }
  return out;
}

function termsOf(text: string, raw: readonly string[]): QuestionTerm[] {
  const titled = raw.filter((word) => /^\p{Lu}\p{Ll}/u.test(word)).length > raw.length * 0.6;
  const shouted = text === text.toUpperCase();
  const arabic = /[\u0621-\u064a]/.test(text);
  const asksWithDo = raw.some((word) => /^(?:do|does|did)$/i.test(word));
  const last = raw.length - 1;
  const terms: QuestionTerm[] = [];
  const seen = new Set<string>();
  for (const [at, word] of raw.entries()) {
    const folded = foldWord(word);
    if (folded === '' || isStop(folded)) continue;
    const forms = formsOf(folded);
    if (seen.has(forms.key)) continue;
    seen.add(forms.key);
    const name = at > 0 && !titled && !shouted && /^\p{Lu}/u.test(word);
    const foreign = arabic && /^[a-z]/i.test(word);
    const digits = /\d/.test(folded);
    // `which award`, `أي لغة`: the answer is an award, and seldom says so.
    const category = /^(?:which|what|اي|باي)$/.test(foldWord(raw[at - 1] ?? '')) && at <= 3;
    const soft = category || isSoft(folded) || (isSoft(forms.key) && !name);
    const plain = isVerb(word, at === last && asksWithDo) ? VERB_PRIOR : 1;
    const prior = digits || name || foreign ? 1.2 : soft ? SOFT_PRIOR : plain;
    terms.push({ forms, raw: word, prior, required: digits || name || foreign || ORDINAL.test(folded) });
  }
  return terms.sort((a, b) => b.prior - a.prior).slice(0, MAX_TERMS);
}

/** The term behind `how many`, an adjective between them at most; -1 where a measure of one thing is asked for. */
function countedOf(terms: readonly QuestionTerm[], raw: readonly string[]): number {
  const words = raw.map(foldWord);
  const many = words.findIndex((word, at) => /^(?:many|عدد)$/.test(word) || (/^و?كم$/.test(word) && at <= 1));
  if (many < 0) return -1;
  const arabic = /[\u0621-\u06d3]/.test(words[many]!);
  const from = arabic && words[many + 1] === 'عدد' ? many + 2 : many + 1;
  const next = words[from] ?? '';
  // `كم الرسوم`, `كم يستغرق`: how much of it, not how many.
  if (arabic && from === many + 1 && words[many] !== 'عدد' && (/^(?:ال|[يتن])/.test(next) || next === '')) return -1;
  for (const word of words.slice(from, arabic ? from + 1 : from + 2)) {
    const at = terms.findIndex((term) => term.forms.folded === word);
    const term = terms[at];
    if (!term || term.prior < VERB_PRIOR) continue;
    return term.forms.meanings.concepts.some((one) => NOT_COUNTED.has(one)) ? -1 : at;
  }
  return -1;
}
const NOT_COUNTED: ReadonlySet<string> = new Set([
  '=price',
  '=discount',
  '=pay',
  '=salary',
  '=rent',
  '=penalty',
  '=minimum',
  '=maximum',
  '=hour',
  '=daily',
  '=weekly',
  '=monthly',
  '=annual',
  '=share',
  '=weight',
  '=height',
  '=area',
  '=duration',
  '=insurance',
  '=profit',
]);

function pairsOf(terms: readonly QuestionTerm[], raw: readonly string[]): (readonly [number, number])[] {
  const indexes = raw.map((word) => terms.findIndex((term) => term.raw === word));
  return indexes.flatMap((first, at) => {
    const second = indexes[at + 1] ?? -1;
    return first >= 0 && second >= 0 && first !== second ? [[first, second] as const] : [];
  });
}

/** What is likely a verb: by its ending, at the end of `how much does ... pay`, or by an Arabic prefix. */
function isVerb(word: string, closes: boolean): boolean {
  return closes || /^[a-z]{3,}(?:ed|ing)$/.test(word) || /^ي\p{L}{3,}$/u.test(word);
}

/** The first word in the question that is worth looking for. */
function focusOf(terms: readonly QuestionTerm[], raw: readonly string[]): number {
  let focus = -1;
  let first = raw.length;
  for (const [index, term] of terms.entries()) {
    const at = raw.indexOf(term.raw);
    if (term.prior < VERB_PRIOR || term.forms.number || at < 0 || at >= first) continue;
    focus = index;
    first = at;
  }
  return focus;
}

const ASKING =
  /^(?:what|who|whom|whose|which|how|many|much|is|are|was|were|the|a|an|of|does|do|did|in|on|at|to|by|name|number|type|kind|amount|total|exact|full|current|maximum|minimum|ما|ماهو|ماهي|هو|هي|هم|من|مين|كم|عدد|اي|في|باي|وش|ايش|اسم|نوع|رقم|ال|تبلغ|يبلغ|بلغت|بلغ|بكم|قيمه|مقدار|مبلغ|الحد|الاقصي|الادني)$/;
const HEADED =
  /^(?:(?:who|what|which) (?:is|are|was|were) |how (?:many|high|deep|tall|wide|large|big|old|heavy|fast|loud) |how much is the |what (?:age|colour|color|area) |(?:من|ما|مين|وش|ايش) (?:هو|هي|هم) |ماهو |ماهي |كم عدد |(?:في |باي )?اي )/;

/** What stands behind the question words: asked for itself, so it is hardly worded as something else. */
function headOf(terms: readonly QuestionTerm[], raw: readonly string[]): number {
  const words = raw.map(foldWord);
  if (!HEADED.test(words.join(' '))) return -1;
  const at = words.findIndex((word) => word !== '' && !ASKING.test(word) && !isSoft(word) && !isStop(word));
  if (at < 0) return -1;
  return terms.findIndex((term) => term.forms.folded === words[at]);
}

const PAST =
  /^(?:[a-z]{2,}ed|born|built|found|founded|won|held|made|written|begun|sold|bought|paid|lost|taken|given|kept|sent|taught|led|fought|grown|known|seen|shown|drawn|worn|broken|chosen|spent|said|told|met|put|cut|hit|set|left|brought|caught|become|flown|driven|hung|struck)$/;
const WHEN_WHO = /^(?:when|who|where|in which|in what|how many|by whom|why|متي|من|اين|وين|لماذا|في اي|كم)(?: |$)/;

function eventOf(terms: readonly QuestionTerm[], raw: readonly string[]): number {
  const words = raw.map(foldWord);
  const text = words.join(' ');
  if (!WHEN_WHO.test(text)) return -1;
  const arabic = /^[\u0621-\u06d3]/.test(text);
  const asks = words.findIndex((word) => /^(?:do|does|did)$/.test(word));
  let at = -1;
  if (arabic) at = words.findIndex((word, i) => i > 0 && !ASKING.test(word) && !isStop(word) && !isSoft(word));
  else if (/^who /.test(text) && !/^(?:is|was|are|were|will|has|can|should|must|may)$/.test(words[1] ?? '')) at = 1;
  else at = words.findLastIndex((word) => PAST.test(word));
  if (at < 0 && asks >= 0) at = words.length - 1;
  return at < 0 ? -1 : terms.findIndex((term) => term.forms.folded === words[at]);
}

const KINDS: readonly (readonly [RegExp, AnswerKind])[] = [
  [/\b(?:e mail|email)\b|ايميل|بريد(?:كم|ه|ها)? (?:ال)?الكتروني|البريد الالكتروني/, 'email'],
  [/\b(?:web ?site|url|web page|link)\b|(?:ال)?موقع(?:كم|ه|ها)? (?:ال)?الكتروني|رابط/, 'url'],
  [
    /\b(?:phone|telephone|mobile|fax|whatsapp|hotline|contact) (?:number|no)\b|\b(?:what|which) number (?:do|can|should|to)\b|رقم (?:ال)?(?:هاتف|جوال|تلفون|اتصال|واتس|فاكس|تواصل|طوار|موحد|مجاني)|(?:ال)?رقم (?:ال)?موحد/,
    'phone',
  ],
  [
    /^(?:who|whom|whose)\b|\bby whom\b|\b(?:to|with|from|for) who(?:m)?\b|^(?:من|مين|منو|منهو)(?: هو| هي| هم)? (?!اين|متي|وين|اي |خلال|حيث|ضمن|بين)|^(?:ل|ب)?من (?:يجب|يتم|يمكن|يحق)/,
    'person',
  ],
  [
    /^(?:و)?كم (?:عدد )?(?:ال)?ساع(?:ه|ات) |^كم .*لساعات|^how (?:soon|early|late)\b|^قبل كم|^how old\b|كم (?:ال)?(?:عمر|سن)(?:ه|ها)? /,
    'duration',
  ],
  [
    /^(?:at |by |from |until )?what (?:time|hours?)\b|\b(?:opening|working|office|business|visiting|closing|service|support) (?:hours|times?)\b|\bwhen (?:do|does|are|is)\b.*\b(?:open|close)\b|(?:في )?(?:اي|كم) (?:ال)?ساعه (?:ي|ت|ن)|الساعه كم|متي (?:ي|ت|ن)?(?:فتح|غلق|قفل|سكر|داوم)|(?:ما هي |ماهي )?(?:اوقات|ساعات|مواعيد) (?:ال)?(?:عمل|دوام|زياره|استقبال)/,
    'clock',
  ],
  [
    /\bhow (?:long|many (?:consecutive |working |business |calendar |paid |extra |full )?(?:days|weeks|months|years|hours|minutes))\b|\b(?:duration|notice period|how much (?:time|notice))\b|كم (?:ال)?(?:مده|فتره|يوم|ايام|شهر|اسبوع|سنه|ساعه|دقيقه|عام|وقت)|(?:ما|ماهي|ما هي|وش|ايش) (?:هي )?(?:ال)?(?:مده|فتره|مهله)|^(?:الي|خلال) متي/,
    'duration',
  ],
  [
    /\b(?:what|which) percent(?:age)?\b|\bpercentage\b|\bwhat (?:share|proportion|fraction)\b|كم (?:ال)?نسبه|نسبه (?:ال)?(?:خصم|ربح|تغطيه|تحمل|زياده)|(?:ما|ماهي|وش|كم) (?:هي )?(?:ال)?نسبه/,
    'percent',
  ],
  [
    /\bhow much (?:is|are|was|were|does|do|did|will|would|should|must|can|money|to)\b(?!.*\b(?:weigh|water|time|space|luggage|baggage)\b)|\b(?:what|how much)\b.*\b(?:cost|price|fee|fees|charge|salary|rent|deposit|fine|penalty|fare|tuition|amount|budget|revenue|capital)\b|كم (?:(?:ت|ي)?بلغت? |كان(?:ت)? )?(?:ال)?(?:سعر|تكلفه|رسوم|قيمه|ثمن|مبلغ|راتب|ايجار|غرامه|تكلف|ادفع|اجره|تامين)|بكم|(?:ما|ماهي|وش|ايش|كم) (?:هو |هي )?(?:ال)?(?:سعر|تكلفه|رسوم|قيمه|مبلغ|ثمن|غرامه)|كم (?:يكلف|تكلف|يبلغ (?:ايجار|سعر|راتب|رسوم))/,
    'money',
  ],
  [
    /\bhow (?:many|much|old|far|tall|high|big|large|fast|deep|wide|often|heavy)\b|\bwhat (?:is|was) the (?:maximum|minimum|highest|lowest|most|least)\b|\bwhat (?:is|was) the (?:total )?(?:number|population|size|age|height|weight|speed|distance|length|area|capacity)\b|^(?:كم|وكم|بكم)\b|^كم |(?: |^)كم (?:عدد|مره|مرات|طالب|شخص)|(?:ما|ماهو|وش) (?:هو )?(?:عدد|عمر|ارتفاع|طول|مساحه|وزن|الحد)/,
    'number',
  ],
  [
    /^when\b|\bdeadline\b|\b(?:what|which) (?:year|date|day|month|century|days|decade)\b|\bsince when\b|\buntil when\b|^(?:منذ |حتي |الي |من )?متي|(?:في )?اي (?:عام|سنه|يوم|تاريخ|شهر|قرن)|(?:ما|ماهو|وش) (?:هو )?(?:ال)?(?:تاريخ|موعد)/,
    'date',
  ],
  [
    /^(?:to |from |in |at )?where\b|\b(?:what|which) (?:city|country|place|town|region|state|address|location|street|building|floor|room|branch|continent|river)\b|\bwhat is the (?:address|location)\b|^(?:من |الي |في )?(?:اين|وين|فين)|(?:في )?اي (?:مدينه|دوله|بلد|مكان|منطقه|حي|شارع|طابق|دور|فرع|قاره)|(?:ما|ماهو|وش) (?:هو )?(?:ال)?(?:عنوان|موقع)/,
    'place',
  ],
  [/^why\b|\bwhat (?:is|was) the reason\b|^(?:لماذا|ليش|ليه|لم )|(?:ما|ماهو|وش) (?:هو )?(?:ال)?سبب/, 'reason'],
  [
    /^(?:is|are|was|were|do|does|did|can|could|may|must|will|would|should|has|have|had|am)\b|^(?:هل|وهل|فهل|ممكن|يجوز|اقدر|يمكنني|مسموح|يحق) /,
    'yesno',
  ],
];

function kindOf(folded: string): AnswerKind {
  const start = folded.replace(/^(?:and|so|but|ok|okay|طيب|و) /, '');
  const yesno = KINDS.at(-1)!;
  if (yesno[0].test(start)) return 'yesno';
  return KINDS.find(([pattern]) => pattern.test(start))?.[1] ?? 'other';
}

/** Whether a sentence denies or forbids. */
export function isNegative(text: string): boolean {
  return (
    /\b(?:not|no|never|cannot|can't|don't|doesn't|won't|isn't|aren't|wasn't|neither|nor|without|excluded?|excluding|except|prohibited|forbidden|unless|non|banned|refused|suspended|denied)\b|n't\b/i.test(
      text,
    ) ||
    /(?<!\p{L})(?:لا|لن|لم|ليس|ليست|غير|بدون|دون|ممنوع|ممنوعة|يمنع|تمنع|يحظر|محظور|عدم|باستثناء|ماعدا|ما عدا|إلا|مو|مب|ولا|فلا)(?!\p{L})/u.test(
      text,
    )
  );
}
