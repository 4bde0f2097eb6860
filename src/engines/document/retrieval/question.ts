import { arabicStem } from '../../../language/arabic-stem.ts';
import { languageOfText } from '../../../language/detect-language.ts';
import { clip, fold } from '../../../language/fold.ts';
import { pattern } from '../../../language/pattern.ts';
import type { AnswerKind } from './answer-kinds.ts';
import { isMeasureWord } from './answer-kinds.ts';
import { kindOf } from './asked-kind.ts';
import { isCategory } from './categories.ts';
import { partsOf, type QuestionParts } from './question-parts.ts';
import type { QuestionTerm } from './question-term.ts';
import { isSoft, isStop } from './stop-words.ts';
import { formsOf } from './word-forms.ts';
import { foldWord, rawWords } from './words.ts';

/** A question holds no more terms: one bit each in two 32-bit masks. */
export const MAX_TERMS = 28;
const MAX_QUESTION_CHARS = 2_000;
const SOFT_PRIOR = 0.3;
const VERB_PRIOR = 0.6; // documents say the same with other verbs more often than with other nouns
/** Said of the one who asks: the text speaks of others. */
const FAMILY = /^(?:son|daughter|child|children|kids?|wife|husband|mother|father|parents|family|brother|sister)$/;
const OWN_FAMILY = /^(?:ولدي|بنتي|عيالي|اولادي|ابني|ابنتي|زوجتي|زوجي|امي|ابوي)$/;
const ORDINAL = /^(?:third|fourth|fifth|sixth|(?:ال)?(?:ثالث|رابع|خامس|سادس)ه?)$/;

export interface AskedQuestion extends QuestionParts {
  readonly text: string;
  readonly language: 'ar' | 'en';
  readonly kind: AnswerKind;
  readonly terms: readonly QuestionTerm[];
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
  pattern('i')`
    ^\s*(?:according to|based on|as per|per|in) (?:the |this |your )?(?:attached )?(?:document|file|contract|policy|text|passage|article|
    handbook|sheet|agreement)[,:]?\s+
  `,
  /^\s*(?:السلام عليكم|مرحبا|أهلا|لو سمحت|لوسمحت|من فضلك|فضلا|رجاء)[،,!.]?\s+/,
  /^\s*(?:أبغى|ابغى|ابي|أبي|أريد|اريد|ودي|أود|اود|نبي) (?:أن )?(?:أعرف|اعرف|نعرف|معرفة)[،,:]?\s+/,
  /^\s*(?:هل يمكنك|ممكن|هل تستطيع) (?:أن )?(?:تخبرني|تقول لي|تقولي|إخباري|اخباري|توضح لي)[،,:]?\s+(?:عن\s+)?/,
  /^\s*(?:حسب|وفقاً? ل|وفقا ل|بحسب|بناءً? على|استنادا إلى)\s?(?:هذا |هذه )?(?:ال|ل)?(?:وثيقة|مستند|ملف|عقد|سياسة|نص|لائحة|دليل)[،,:]?\s+/,
];
/** Asked whether something is in order: `is it fine to` says no more than `may I`. */
const POLITE_MAY =
  /^is it (?:ok|okay|fine|alright|all right|possible|acceptable|allowed|permitted) (?:to|if i|for me to) /i;
const TRAILERS = pattern('i')`
  \s*(?:,? (?:according to|as per|in) (?:the |this )?(?:document|file|text|passage|policy|contract|article)|,? please|(?:حسب|وفق|
  في) (?:هذا |هذه )?(?:ال)?(?:مستند|وثيقة|ملف|نص)|لو سمحت(?:وا)?)\s*([?؟.!]*)\s*$
`;

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
    ...partsOf(terms, raw),
    pairs: pairsOf(terms, raw),
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
  const asksMeasure = /^(?:how|what|كم|ما|وش|ايش)$/.test(foldWord(raw[0] ?? ''));
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
    const own = (/^my$/i.test(raw[at - 1] ?? '') && FAMILY.test(folded)) || OWN_FAMILY.test(folded);
    const soft = own || category || isSoft(folded) || (isSoft(forms.key) && !name);
    const plain = isVerb(word, at === last && asksWithDo) ? VERB_PRIOR : 1;
    const measured = asksMeasure && isMeasureWord(folded);
    const common = category && isCategory(folded) ? VERB_PRIOR : SOFT_PRIOR;
    const prior = digits || name || foreign ? 1.2 : measured ? 1 : soft ? common : plain;
    terms.push({ forms, raw: word, prior, required: digits || name || foreign || ORDINAL.test(folded) });
  }
  return terms.sort((a, b) => b.prior - a.prior).slice(0, MAX_TERMS);
}

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

const DENIES = pattern('i')`
  \b(?:not|no|never|cannot|can't|don't|doesn't|won't|isn't|aren't|wasn't|neither|nor|without|excluded?|excluding|except|prohibited|
  forbidden|unless|non|banned|refused|suspended|denied)\b|n't\b
`;

/** Whether a sentence denies or forbids. */
export function isNegative(text: string): boolean {
  return (
    DENIES.test(text) ||
    /(?<!\p{L})(?:لا|لن|لم|ليس|ليست|غير|بدون|دون|ممنوع|ممنوعة|يمنع|تمنع|يحظر|محظور|عدم|باستثناء|ماعدا|ما عدا|إلا|مو|مب|ولا|فلا)(?!\p{L})/u.test(
      text,
    )
  );
}
