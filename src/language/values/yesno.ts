import type { SlotDefinition } from '../../core/agent.ts';
import { fold } from '../fold.ts';
import { isFiller, isWeak, term } from '../lexicon/lexicon.ts';
import { listsOf } from '../lists.ts';
import { firstPhrase, type PhraseTable, phraseTable, withoutPhrases } from '../phrases/phrases-in.ts';
import { NEGATES } from '../phrases/scope.ts';
import { type Word, wordsOf } from '../words.ts';
import { type Choice, choiceValue, parseChoice } from './choice.ts';
import { phrases } from './phrases.ts';
import { asksAt, asksOutright } from './side-talk.ts';
import type { Found, SlotContext, SlotParser, SlotValue } from './slot.ts';

const list = listsOf('language/values/data/yesno.tsv');

export const YES_WORDS = list('yes-words').join('|');
export const NO_WORDS = list('no-words').join('|');

/** A no that reaches no other word. */
export const BARE_NO: ReadonlySet<string> = new Set(list('bare-no').map(fold));

const UNSURE = phrases(
  'i dont know|i do not know|not sure|i am not sure|im not sure|مدري|ما ادري|ما اعرف|مو متاكد|لا ادري',
);
const YES = phrases(YES_WORDS);
const AGREES = phraseTable(YES_WORDS);
const NO = phrases(NO_WORDS);
/** Later in a sentence these words are too common to be the answer. */
const ONLY_FIRST = new Set(['i do', 'it is', 'not', 'ya', 'اي', 'fine', 'right', 'dont', 'do not'].map(fold));
/** What is said of many things: `the weather is lovely` is no answer, `well that sounds lovely` is. */
const PRAISES = new Set(
  ['fine', 'great', 'cool', 'nice', 'good', 'lovely', 'perfect', 'زين', 'تمام', 'صحيح', 'مضبوط'].map(fold),
);
const PRAISE_LEADS = new Set(['sounds', 'looks', 'seems', 'would', 'be', 'works']);
/** Which and what, behind anything but a filler: `مع اي دكتور`, `عشان ايه`. */
const ALSO_ASKS = new Set(['اي', 'ايه'].map(fold));
const DENIES = new Set(['مو', 'مب', 'مهب', 'موب', 'مش', 'مهو', 'ليس', 'غير', 'ماهو', 'not', 'isnt'].map(fold));
const LOOK_AHEAD_WORDS = 5;
const SUPPOSES = phraseTable('if|suppose|supposing|لو|اذا|ان كان');

const HAS_NONE = phrases(
  'i dont have|i do not have|i havent got|i dont remember|i do not remember|i cant remember|i forgot|no idea|' +
    'ما عندي|ما معي|ما اتذكر|ما احفظ|نسيت|ما اذكر',
);

/** `I don't know`, `I don't have it`, whatever it was that was asked. */
export function isUnsure(words: readonly Word[]): boolean {
  const plain = words.map((word) => word.text);
  return plain.some((_, at) => matchAt(plain, at, UNSURE) ?? matchAt(plain, at, HAS_NONE));
}

function matchAt(words: readonly string[], at: number, list: readonly string[][]): string[] | undefined {
  return list.find((phrase) => phrase.every((word, i) => words[at + i] === word));
}

/** The first yes or no in the opening words, the longest phrase at a place winning (`no problem` is a yes). */
export function readYesNo(
  words: readonly Word[],
): { readonly answer: 'yes' | 'no'; readonly start: number; readonly end: number } | undefined {
  const plain = words.map((word) => word.text);
  const last = plain.length - 1;
  if (last > 0 && last < LOOK_AHEAD_WORDS && plain[last] === 'not' && plain[0] !== 'why')
    return { answer: 'no', start: 0, end: plain.length }; // `I'm afraid not`
  for (let at = 0; at < Math.min(plain.length, LOOK_AHEAD_WORDS); at += 1) {
    if (matchAt(plain, at, UNSURE) ?? matchAt(plain, at, HAS_NONE)) return undefined;
    const denied = DENIES.has(plain[at]!) ? matchAt(plain, at + 1, YES) : undefined; // مب صحيح, not right
    const yes = matchAt(plain, at, YES);
    const no = denied ? [plain[at]!, ...denied] : matchAt(plain, at, NO);
    const best = (no?.length ?? 0) >= (yes?.length ?? 0) ? no : yes;
    if (!best || (at > 1 && ONLY_FIRST.has(best.join(' ')))) continue;
    if (at > 0 && ALSO_ASKS.has(best.join(' ')) && !isFiller(plain[at - 1]!)) continue;
    if (PRAISES.has(best.join(' ')) && plain.slice(0, at).some(isThing)) continue;
    const taken = best === yes ? matchAt(plain, at + best.length, NO) : undefined;
    if (taken && at + best.length + taken.length === plain.length)
      return { answer: 'no', start: at, end: plain.length }; // `of course I don't`, `yeah no`
    return { answer: best === no ? 'no' : 'yes', start: at, end: at + best.length };
  }
  return undefined;
}

const isThing = (word: string): boolean => !isWeak(word) && !isFiller(word) && !PRAISE_LEADS.has(word);

const SAY = { yes: { ar: 'نعم', en: 'yes' }, no: { ar: 'لا', en: 'no' } } as const;

/** Yes or no as an answer to a question. */
export const parseYesNo: SlotParser = (words, context): Found | undefined => {
  // `just send me a new one`: what the question offers, in the author's words.
  const { choices } = context.definition;
  const beside = context.asked && choices ? besideQuestion(words, context) : undefined;
  if (beside) return beside.answer;
  const none = context.asked
    ? (otherOfIt(words, context.definition) ?? noneOfIt(words, context.definition))
    : undefined;
  if (none) return none;
  const offered = choices ? parseChoice(words, context) : undefined;
  if (offered || !context.asked) return offered;
  const read = readYesNo(words);
  if (!read) return echoed(words, context);
  return { value: yesNoValue(context.definition, read.answer), start: read.start, end: read.end };
};

const NONE = 'no';
const ARTICLE = /^(?:an?|the) /;
const deniedTables = new WeakMap<Choice, PhraseTable>();
const refusedTables = new WeakMap<Choice, PhraseTable>();

function refusedOf(no: Choice): PhraseTable {
  const known = refusedTables.get(no);
  if (known) return known;
  const table = phraseTable((no.say.en ?? []).map((said) => `${NONE} ${said.replace(ARTICLE, '')}`).join('|'));
  refusedTables.set(no, table);
  return table;
}

function deniedOf(yes: Choice): PhraseTable {
  const known = deniedTables.get(yes);
  if (known) return known;
  const things = (yes.say.en ?? []).filter((said) => ARTICLE.test(said));
  const table = phraseTable(things.map((said) => said.replace(ARTICLE, `${NONE} `)).join('|'));
  deniedTables.set(yes, table);
  return table;
}

/** `no new one, just the money`: what a yes would be, with `no` for its article. With the article it is taken back: `no, a new one`. */
function noneOfIt(words: readonly Word[], definition: SlotDefinition): Found | undefined {
  const yes = definition.choices?.find(({ value }) => value === 'yes');
  const span = yes && firstPhrase(words, deniedOf(yes));
  return span && { value: yesNoValue(definition, 'no'), ...span };
}

/** `no money back, just send the missing one again`: what a no would be is refused, and the verb of the question follows. */
function otherOfIt(words: readonly Word[], definition: SlotDefinition): Found | undefined {
  const no = definition.choices?.find(({ value }) => value === 'no');
  const span = no && firstPhrase(words, refusedOf(no));
  const asked = new Set(firstOf(definition.prompts.en));
  const behind = span ? words.slice(span.end).filter(({ text }) => !isWeak(text) && !isFiller(text)) : [];
  if (!span || !behind[0] || !asked.has(term(behind[0].text))) return undefined;
  return { value: yesNoValue(definition, 'yes'), start: span.start, end: words.length };
}

/** A yes or no, said as what the question offers for it. */
export function yesNoValue({ choices }: SlotDefinition, answer: 'yes' | 'no'): SlotValue {
  const choice = choices?.find(({ value }) => value === answer);
  return choice ? choiceValue(choice) : { value: answer, say: SAY[answer] };
}

/**
 * What is answered where a question follows: `yes, new ones, what would I do with the money` chooses no money, and
 * `if I take the money when do I get it` nothing yet. Undefined where a question follows neither an answer nor a condition.
 */
function besideQuestion(
  words: readonly Word[],
  { definition, ...context }: SlotContext,
): { readonly answer: Found | undefined } | undefined {
  const question = words.findIndex((_, at) => asksOutright(words, at));
  const before = words.slice(0, Math.max(0, question));
  const offered = parseChoice(before, { ...context, definition });
  const leads = before.slice(0, offered?.start ?? 0);
  if (offered && firstPhrase(leads, SUPPOSES)) return { answer: undefined };
  if (offered) return { answer: offered };
  const nod = readYesNo(before);
  return nod && { answer: { value: yesNoValue(definition, nod.answer), start: nod.start, end: nod.end } };
}

/** Content words of an answer beyond those of the question. */
const MAX_BESIDE_ECHO = 1;

/** `would you like us to send a new one?` `bring me the right one of course`: a yes in the words of the question. */
function echoed(words: readonly Word[], { definition }: SlotContext): Found | undefined {
  const asked = new Set([...firstOf(definition.prompts.en), ...firstOf(definition.prompts.ar)]);
  const said = withoutPhrases(words, AGREES).filter(({ text }) => !isWeak(text) && !isFiller(text));
  const others = said.filter(({ text }) => !asked.has(term(text)));
  const isOther = firstPhrase(words, NEGATES) !== undefined || words.some((_, at) => asksAt(words, at));
  if (isOther || others.length === said.length || others.length > MAX_BESIDE_ECHO) return undefined;
  return { value: yesNoValue(definition, 'yes'), start: 0, end: words.length };
}

/** What the question asks, in terms. */
function firstOf(prompts: readonly string[] | undefined): readonly string[] {
  return wordsOf(prompts?.[0] ?? '').flatMap(({ text }) => (isWeak(text) || isFiller(text) ? [] : [term(text)]));
}
