import { listsOf } from '../../../language/lists.ts';
import { pattern } from '../../../language/pattern.ts';
import type { QuestionTerm } from './question-term.ts';
import { isSoft, isStop } from './stop-words.ts';
import { isPast, isPlainVerb, isPresent } from './verbs.ts';
import { foldWord } from './words.ts';

const list = listsOf('engines/document/retrieval/data/question-parts.tsv');

/** Terms of a question by what they do in it, as indexes into its terms; -1 where there is none. */
export interface QuestionParts {
  /** The first word that is worth looking for. */
  readonly focus: number;
  /** Names what is asked for (`owner` in `who is the owner of the pool`, `newspaper` in `which newspaper`), however common. */
  readonly head: number;
  /** The words that name what is asked for, the head among them: `interest rate`. */
  readonly group: readonly number[];
  /** Says what happened (`built` in `when was it built`). */
  readonly event: number;
  /** Its number is asked for (`branches` in `how many branches`): a measure of one thing has none. */
  readonly counted: number;
  /** What is asked for is one of a kind: `which newspaper`, `أي صحيفة`. */
  readonly category: boolean;
}

const ARABIC = /[\u0621-\u06d3]/;
const VERB_PRIOR = 0.6;

export function partsOf(terms: readonly QuestionTerm[], raw: readonly string[]): QuestionParts {
  const words = raw.map(foldWord);
  const termAt = (at: number): number => terms.findIndex((term) => at >= 0 && term.forms.folded === words[at]);
  const counted = countedOf(terms, words);
  const category = termAt(categoryAt(words));
  const named = category >= 0 ? category : termAt(headAt(words, raw));
  // A name, or what the kind of the answer says: nothing to look for besides.
  const head = named >= 0 && (terms[named]!.required || KIND_SAYS.test(terms[named]!.forms.folded)) ? -1 : named;
  const event = termAt(eventAt(words, raw));
  return {
    focus: focusOf(terms, raw),
    group: groupOf(terms, words, raw, head),
    head,
    event: event === head || event === counted ? -1 : event,
    counted,
    category: category >= 0,
  };
}

/** The term behind `how many`, an adjective between them at most; -1 where a measure of one thing is asked for. */
function countedOf(terms: readonly QuestionTerm[], words: readonly string[]): number {
  const many = words.findIndex((word, at) => /^(?:many|عدد)$/.test(word) || (/^و?كم$/.test(word) && at <= 1));
  if (many < 0) return -1;
  const arabic = ARABIC.test(words[many]!);
  const from = arabic && words[many + 1] === 'عدد' ? many + 2 : many + 1;
  const next = words[from] ?? '';
  // `كم الرسوم`, `كم يستغرق`: how much of it, not how many.
  if (arabic && from === many + 1 && words[many] !== 'عدد' && (/^(?:ال|[يتن])/.test(next) || next === '')) return -1;
  for (const word of words.slice(from, arabic ? from + 1 : from + 3)) {
    const at = terms.findIndex((term) => term.forms.folded === word);
    const term = terms[at];
    if (term && term.prior < VERB_PRIOR) return -1; // `how many people`: those who are counted go by many names
    if (!term || term.required) continue; // `how many Polish children`
    return term.forms.meanings.concepts.some((one) => NOT_COUNTED.has(one)) ? -1 : at;
  }
  return -1;
}
const NOT_COUNTED: ReadonlySet<string> = new Set(list('not-counted'));

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

const ASKING = pattern()`
  ^(?:what|who|whom|whose|which|how|many|much|is|are|was|were|the|a|an|of|does|do|did|in|on|at|to|by|name|number|type|kind|amount|total|
  exact|full|current|maximum|minimum|ما|ماهو|ماهي|هو|هي|هم|من|مين|كم|عدد|اي|في|باي|وش|ايش|اسم|نوع|رقم|ال|تبلغ|يبلغ|بلغت|بلغ|بكم|قيمه|
  مقدار|مبلغ|الحد|الاقصي|الادني)$
`;
const HEADED = pattern()`
  ^(?:(?:who|what|which) (?:is|are|was|were) |how (?:many|high|deep|tall|wide|large|big|old|heavy|fast|loud) |how much is the |
  what (?:age|colour|color|area) |(?:من|ما|مين|وش|ايش) (?:هو|هي|هم) |ماهو |ماهي |ما (?!الذي|التي|اذا|اكبر|اطول|اقدم|اهم|اعلي|اول)|
  كم (?:عدد|سعر|عمر|طول|ارتفاع|عمق|عرض|وزن|مساحه|نسبه|قيمه|راتب|رسوم|تكلفه) |(?:في |باي )?اي )
`;
/** What the kind of the answer says already: `at what time`, `what percentage`. */
const KIND_SAYS = pattern()`
  ^(?:times?|ages?|years?|dates?|percent|percentage|proportion|share|amount|extent|point|way|ways|number|size|reason|purpose|place|age|
  عام|سنه|تاريخ|وقت|ساعه|نسبه|عمر|سن|مكان|سبب|رقم|شيء|شي)$
`;
/** Where the first group of words ends. */
const ENDS_GROUP = pattern()`
  ^(?:of|for|on|in|at|to|from|that|which|who|whose|where|when|by|with|between|among|during|as|called|used|made|known|named|before|after|
  under|over|into|is|are|was|were)$
`;
const NAMELESS = /^(?:name|names|title|number|type|kind|sort|amount|total)$/;

/** What stands behind the question words: asked for itself, so it is hardly worded as something else. */
function headAt(words: readonly string[], raw: readonly string[]): number {
  if (!HEADED.test(words.join(' '))) return -1;
  const first = words.findIndex((word) => word !== '' && !ASKING.test(word) && !isSoft(word) && !isStop(word));
  if (ARABIC.test(words[0] ?? '') || !/^(?:what|who|which)$/.test(words[0] ?? '')) return first;
  return groupHead(words, raw, 2) ?? first;
}

/** The last noun of `the average lifespan | of the otter`, `Lord Tay's wife`; behind `the name of`, that of what follows. */
function groupHead(words: readonly string[], raw: readonly string[], from: number): number | undefined {
  let head: number | undefined;
  for (let at = from; at < words.length; at += 1) {
    const word = words[at]!;
    const named = words[at - 1] !== undefined && NAMELESS.test(words[at - 1]!);
    if (word === 'of' && named) {
      head = undefined;
      continue;
    }
    if (ENDS_GROUP.test(word) || isPast(word)) break;
    if (!isStop(word) && !/^\p{Lu}/u.test(raw[at]!)) head = at;
  }
  return head !== undefined && NAMELESS.test(words[head]!) ? undefined : head;
}

/** `which newspaper`, `at which university`, `أي صحيفة`: of what kind the answer is. */
function categoryAt(words: readonly string[]): number {
  const asks = words.findIndex((word) => /^(?:which|what|اي|باي|لاي)$/.test(word));
  if (asks < 0 || asks > 2) return -1;
  const next = words[asks + 1] ?? '';
  if (next === '' || isStop(next) || isAuxiliary(next) || KIND_SAYS.test(next)) return -1;
  if (ARABIC.test(next)) return /^ال/.test(next) ? -1 : asks + 1;
  if (isPast(next)) return -1;
  if (/^(?:kind|type|sort|breed|species|form)s?$/.test(next) && words[asks + 2] === 'of') {
    return /^(?:breed|species)/.test(next) ? asks + 1 : asks + 3;
  }
  const second = words[asks + 2] ?? '';
  const goesOn =
    second !== '' &&
    !isStop(second) &&
    !isAuxiliary(second) &&
    !isPast(second) &&
    !isPresent(second) &&
    !isPlainVerb(second);
  return goesOn && !ENDS_GROUP.test(second) ? asks + 2 : asks + 1;
}

/** The head and the words before it in its group, or in Arabic the one behind it. */
function groupOf(
  terms: readonly QuestionTerm[],
  words: readonly string[],
  raw: readonly string[],
  head: number,
): number[] {
  if (head < 0) return [];
  const at = words.indexOf(terms[head]!.forms.folded);
  const group = [head];
  const put = (place: number): boolean => {
    const term = terms.findIndex((one) => one.forms.folded === words[place]);
    if (term < 0 || terms[term]!.required || /^\p{Lu}/u.test(raw[place]!)) return false;
    if (!group.includes(term)) group.push(term);
    return true;
  };
  if (ARABIC.test(words[at]!)) put(at + 1);
  else for (let place = at - 1; place > 0 && put(place); place -= 1);
  return group;
}

function isAuxiliary(word: string): boolean {
  return /^(?:is|are|was|were|be|been|has|have|had|do|does|did|can|could|will|would|should|must|may|might)$/.test(word);
}

/** Where the verb stands that says what happened, or -1. */
function eventAt(words: readonly string[], raw: readonly string[]): number {
  if (ARABIC.test(words[0] ?? '')) return arabicEventAt(words);
  const asks = words.findIndex((word) => /^(?:what|which|who|whom|whose|when|where|why|how)$/.test(word));
  if (asks < 0 || asks > 2) return -1;
  const helps = words.findIndex((word) => /^(?:do|does|did)$/.test(word));
  if (helps >= 0) return verbBehind(words, raw, helps);
  if (words[asks] === 'who' && !isAuxiliary(words[asks + 1] ?? '')) {
    return words.findIndex(
      (word, at) => at > asks && !/^(?:first|originally|initially|also|currently|later|now|usually)$/.test(word),
    );
  }
  const past = words.findLastIndex((word, at) => at > asks + 1 && isPast(word));
  return past >= 0 ? past : words.findIndex((word, at) => at > asks + 1 && isPresent(word));
}

/** `did the cubs | open | their eyes`: the first verb behind the subject, which is one word at least. */
function verbBehind(words: readonly string[], raw: readonly string[], helps: number): number {
  for (let at = helps + 2; at < words.length; at += 1) {
    if (/^(?:the|a|an|his|her|its|their|this|these)$/.test(words[at - 1]!)) continue;
    if (isPlainVerb(words[at]!) && !/^\p{Lu}/u.test(raw[at]!)) return at;
  }
  return words.findLastIndex((word, at) => at > helps + 1 && !isStop(word) && !ENDS_GROUP.test(word));
}

const ARABIC_WHEN_WHO = /^(?:متي|من|مين|اين|وين|لماذا|ليش|كيف|ماذا|بماذا|مما|فيم|علام|الام)$/;
const SAID_BEFORE = /^(?:كان|كانت|قد|تم|يتم|قام|قامت|هو|هي|الذي|التي|الذين|اللي|ب|حيث|اين|متي)$/;

function arabicEventAt(words: readonly string[]): number {
  const kind = words.findIndex((word) => /^(?:اي|باي|لاي)$/.test(word));
  if (kind >= 0 && kind <= 2) return verbFrom(words, kind + 2, 1);
  if (/^(?:ما|من) (?:هو|هي)? ?(?:الذي|التي|الذين)/.test(words.join(' '))) {
    return verbFrom(words, words.findIndex((word) => /^(?:الذي|التي|الذين)$/.test(word)) + 1, 2);
  }
  const asks = words.findLastIndex((word, at) => at <= 1 && ARABIC_WHEN_WHO.test(word));
  if (asks < 0) return /^و?كم$/.test(words[0] ?? '') ? verbFrom(words, 1, 1, /^[يت]/) : -1;
  if (/^(?:هو|هي|هم)$/.test(words[asks + 1] ?? '')) return -1;
  return verbFrom(words, asks + 1, 3);
}

/** The first word of the next few that may be a verb: no article, nothing that only points. */
function verbFrom(words: readonly string[], from: number, within: number, shape = /^(?!ال)/): number {
  for (let at = from; at < Math.min(words.length, from + within); at += 1) {
    const word = words[at]!;
    if (SAID_BEFORE.test(word)) continue;
    return !isStop(word) && !isSoft(word) && shape.test(word) ? at : -1;
  }
  return -1;
}
