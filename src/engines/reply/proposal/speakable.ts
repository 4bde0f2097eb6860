import { localize } from '../../../core/agent.ts';
import { isCommon, isFiller, isWeak, term } from '../../../language/lexicon/lexicon.ts';
import { isNumberWord } from '../../../language/number-words.ts';
import { firstPhrase, phraseTable } from '../../../language/phrases/phrases-in.ts';
import { NEGATES } from '../../../language/phrases/scope.ts';
import { sentencesOf } from '../../../language/sentences.ts';
import { readSlots } from '../../../language/values/slot-filling.ts';
import { type Word, wordsOf } from '../../../language/words.ts';
import type { CompiledAgent } from '../compiled-agent.ts';

/** What a model may say itself, and why the other sentences are left out. */
export interface Speakable {
  readonly say: string;
  readonly leftOut: readonly string[];
}

const MAX_SENTENCES = 3;
/** Share of a sentence's content that must stand in what the agent's author wrote. */
const GROUNDED = 0.6;

/**
 * Words that say what was done or will be done: auxiliaries of perfect and future, and what stands for a whole such
 * sentence. An undertaking is told by the flow that did it, never by a model.
 */
const CLAIMS = phraseTable(
  'have|has|had|been|ve|ive|weve|will|ll|ill|well|shall|going to|gonna|done|all set|set|sorted|arranged|settled|' +
    'complete|completed|confirmed|finished|processed|handled|taken care|guarantee|promise|consider it|' +
    'تم|تمت|قد|راح|رح|سوف|صار|خلاص|جاهز|جاهزه|ابشر|ابشري|حاضر|اعتبره|اعتبرها|اوعدك|اضمن',
);
/** First person of the Arabic perfect, with what is written on: `الغيتها`, `حجزنا`. */
const ARABIC_PERFECT = /^\p{Script=Arabic}{3,}(?:ت|نا)(?:ه|ها|هم|لك|لكم)?$/u;
const ANY_DAY = { year: 2026, month: 1, day: 1 };
const WHEN = (['date', 'time'] as const).map((type) => ({ name: type, type, prompts: {} }));

/**
 * The sentences of a model that a caller may hear: small talk without a word of the agent's business, and what stands in
 * the agent's knowledge. A question, a value, a claim or a promise of its own is left out.
 */
export function speakable(agent: CompiledAgent, say: string): Speakable {
  if (say === '') return { say, leftOut: [] };
  const sources = sourcesOf(agent);
  const business = new Set([...sources.flatMap(({ terms }) => [...terms]), ...termsOfWishes(agent)]);
  const leftOut: string[] = [];
  const kept = sentencesOf(say).filter((sentence, at) => {
    const why = at >= MAX_SENTENCES ? 'too many' : objection(wordsOf(sentence), sentence, sources, business);
    if (why !== undefined) leftOut.push(`a sentence: ${why}`);
    return why === undefined;
  });
  return { say: kept.join(' '), leftOut };
}

interface Source {
  readonly terms: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
  readonly denies: boolean;
}

function objection(
  words: readonly Word[],
  sentence: string,
  sources: readonly Source[],
  business: ReadonlySet<string>,
): string | undefined {
  if (words.length === 0) return 'no words';
  if (/[?؟]["'”»)]*\s*$/.test(sentence)) return 'a question of its own';
  const values = [...valuesIn(words), ...namesIn(sentence)];
  const claims = claimsIn(words);
  const content = contentOf(words);
  const risky = [...values, ...claims];
  const ofBusiness = content.filter((one) => business.has(one));
  if (risky.length === 0 && ofBusiness.length === 0) return undefined;
  const denies = firstPhrase(words, NEGATES) !== undefined;
  const isGrounded = sources.some(
    (source) =>
      source.denies === denies &&
      risky.every((word) => source.words.has(word)) &&
      ofBusiness.every((one) => source.terms.has(one)) &&
      content.filter((one) => source.terms.has(one)).length >= Math.max(1, GROUNDED * content.length),
  );
  if (isGrounded) return undefined;
  if (values.length > 0) return 'a value that the agent does not know';
  return claims.length > 0 ? 'a claim or a promise' : 'not in the knowledge';
}

/** Content words as they are compared; an everyday word counts where it stands for something that is done (`cancelled`). */
function contentOf(words: readonly Word[]): string[] {
  return words
    .filter(({ text }) => !isWeak(text) && !isFiller(text) && (!isCommon(text) || term(text).startsWith('=')))
    .map(({ text }) => term(text));
}

/** Digits that are also sighs. */
const SIGHS = new Set(['oh', 'o']);

/** Words that are numbers, dates or times. */
function valuesIn(words: readonly Word[]): string[] {
  const left = new Set(readSlots(words, WHEN, ANY_DAY).rest);
  const isNumber = ({ text }: Word): boolean => /\d/.test(text) || (isNumberWord(text) && !SIGHS.has(text));
  return words.filter((word) => !left.has(word) || isNumber(word)).map(({ text }) => text);
}

/** Names in Latin letters: capitals inside a sentence. Arabic has none that could tell. */
function namesIn(sentence: string): string[] {
  return wordsOf([...sentence.matchAll(/(?<=\S\s+)\p{Lu}\p{Ll}+/gu)].join(' ')).map(({ text }) => text);
}

function claimsIn(words: readonly Word[]): string[] {
  const found = words.filter(({ text }) => ARABIC_PERFECT.test(text) && !isCommon(text)).map(({ text }) => text);
  for (let from = 0; ; ) {
    const span = firstPhrase(words, CLAIMS, from);
    if (!span) return found;
    found.push(...words.slice(span.start, span.end).map(({ text }) => text));
    from = span.end;
  }
}

/** Answers of the knowledge: they may be said in other words. */
function sourcesOf({ definition, languages }: CompiledAgent): Source[] {
  const texts = languages.flatMap((language) =>
    (definition.knowledge ?? []).map(({ answer }) => localize(answer, language)),
  );
  const filled = texts.map((text) => text.replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name) => ownVariable(definition, name)));
  return filled.flatMap((text) => {
    const whole = wordsOf(text);
    const terms = new Set(contentOf(whole));
    const words = new Set(whole.map((word) => word.text));
    return sentencesOf(text).map((sentence) => ({
      terms,
      words,
      denies: firstPhrase(wordsOf(sentence), NEGATES) !== undefined,
    }));
  });
}

function ownVariable({ variables = {} }: CompiledAgent['definition'], name: string): string {
  return Object.hasOwn(variables, name) ? (variables[name] ?? '') : '';
}

function termsOfWishes({ definition, languages }: CompiledAgent): string[] {
  const texts = languages.flatMap((language) => [
    ...(definition.intents ?? []).flatMap(({ label, flow }) => (flow === undefined ? [] : [localize(label, language)])),
    ...(definition.flows ?? []).flatMap(({ confirm, actions }) => [
      localize(confirm, language),
      ...actions.flatMap((action) => ('then' in action ? [localize(action.then, language)] : [])),
      ...actions.flatMap((action) => (action.type === 'say' ? [localize(action.text, language)] : [])),
    ]),
  ]);
  return texts.flatMap((text) => contentOf(wordsOf(text.replace(/\{\{[^}]*\}\}/g, ' '))));
}
