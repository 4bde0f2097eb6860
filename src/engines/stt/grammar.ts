import { BACKCHANNELS } from '../../core/backchannels.ts';
import { CONTRACTIONS, DETERMINERS, PRONOUNS } from '../../core/said-alike.ts';
import type { SttHints } from './contract.ts';
import { networkText, tokensOf } from './finite-state.ts';
import { LETTER_NAMES } from './letter-to-sound.ts';
import type { Lexicon } from './lexicon.ts';
import { parsePattern } from './pattern.ts';
import { SLOT_RULES, slotRulesOf } from './slot-rules.ts';
import { numberWords, spokenAs } from './spoken-tokens.ts';
import { waysThrough } from './utterance.ts';

/** Phrases and words per phrase beyond these are left out: a grammar of 500 sentences still compiles in 30 ms. */
export const PHRASES_MAX = 500;
export const PHRASE_WORDS_MAX = 30;
/** Commands with fewer phones must be the whole utterance: `no` is found in any sentence that one looks for it in. */
const SPOTTED_PHONES_MIN = 9;
/** Default cost of one phone of the filler, as its weight in the grammar; smaller means fewer rejections. */
export const DEFAULT_FILLER_WEIGHT = 0.02;

/** Sounds of the filler: these 18 reject as well as all 39 do, at three quarters of the cost. */
const NOISE = 'aa ae ah ih iy uw er b d k t s sh f m n l r'.split(' ');

export interface GrammarWord {
  readonly token: string;
  readonly phones: string;
}
export interface RecognitionGrammar {
  /** The same for the same hints: grammars are compiled once and kept by it. */
  readonly key: string;
  /** Finite-state grammar text; '' when nothing can be said. */
  readonly text: string;
  /** Everything the decoder's dictionary must hold for it, alternatives as `word(2)`. */
  readonly words: readonly GrammarWord[];
  /** Words of the phrases that cannot be spoken; the phrases that need them were left out. */
  readonly missing: readonly string[];
}

/** Short phrases that are an answer or a listening noise, as spoken: nobody wants or asks for one. */
const ASIDES: ReadonlySet<string> = new Set([
  ...BACKCHANNELS.en,
  'no',
  'nope',
  'no thanks',
  'no wait',
  'wait',
  'thanks',
  'thank you',
]);

const ANY_PRONOUN = '(it | that | this)';
const ANY_DETERMINER = '[my | the | a | an | your | our]';
/** Normalises hints so that equal ones share a key: order and repetition of phrases do not matter. */
export function grammarKey(hints: SttHints, fillerWeight: number): string {
  const phrases = [...new Set(hints.phrases.map((phrase) => phraseWords(phrase).join(' ')))]
    .filter((p) => p !== '')
    .sort();
  return JSON.stringify([[...new Set(hints.expect)].sort(), hints.digits ?? 0, phrases, fillerWeight]);
}

/** Words of a phrase as they are spoken: lower case, without punctuation, numbers in words. */
export function phraseWords(phrase: string): string[] {
  const text = phrase
    .toLowerCase()
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replaceAll('&', ' and ')
    .replaceAll('%', ' percent ')
    .replace(/[^\p{L}\p{N}' ]+/gu, ' ');
  return text
    .split(/\s+/)
    .map((word) => word.replace(/^'+|'+$/g, ''))
    .filter((word) => word !== '')
    .flatMap((word) =>
      /^\d{1,3}$/.test(word)
        ? numberWords(Number(word))
        : /^\d+$/.test(word)
          ? [...word].flatMap((d) => numberWords(Number(d)))
          : [word],
    );
}

/**
 * The grammar of what may be said now: the agent's phrases, with what people say around them, and the kinds of answer it
 * waits for; against a loop of all phones, which wins when something else was said.
 *
 * @param hints - phrases and kinds; `free` adds nothing.
 * @param lexicon - where pronunciations come from.
 * @param fillerWeight - 1 (rejects much) .. 1e-6 (accepts much).
 */
export function buildGrammar(
  hints: SttHints,
  lexicon: Lexicon,
  fillerWeight = DEFAULT_FILLER_WEIGHT,
): RecognitionGrammar {
  const vocabulary = new Vocabulary(lexicon);
  const long: string[] = [];
  const short: string[] = [];
  const aside: string[] = [];
  const missing = new Set<string>();
  for (const phrase of new Set(hints.phrases.slice(0, PHRASES_MAX))) {
    const words = phraseWords(phrase).slice(0, PHRASE_WORDS_MAX);
    if (words.length === 0) continue;
    const unknown = words.filter((word) => !vocabulary.knows(word));
    for (const word of unknown) missing.add(word);
    if (unknown.length > 0) continue;
    const phones = words.reduce((sum, word) => sum + vocabulary.phoneCount(word), 0);
    const kind = phones >= SPOTTED_PHONES_MIN ? long : ASIDES.has(words.join(' ')) ? aside : short;
    kind.push(phrasePattern(words));
  }
  const asked = hints.expect.filter((kind) => kind !== 'free');
  const slots = asked.map((kind) => slotRulesOf(kind, hints.digits));
  const key = grammarKey(hints, fillerWeight);
  if (long.length + short.length + aside.length + slots.length === 0)
    return { key, text: '', words: [], missing: [...missing] };
  // Where a value is asked for a yes or no is said, too, and would be heard as whatever the value is made of.
  const yesNo = slots.length > 0 ? SLOT_RULES.yesno : undefined;
  const rules = new Map([...slots, SLOT_RULES.yesno].flatMap(({ definitions }) => Object.entries(definitions)));
  const noise = `(${NOISE.map((phone) => `/${fillerWeight}/ ~p.${phone}`).join(' | ')})`;
  const values = slots.filter((slot) => slot !== SLOT_RULES.yesno);
  const steps = waysThrough(noise, { long, short, aside, values, yesNo, isYesNo: asked.includes('yesno') }).map(
    ({ from, to, says }) => ({
      ...{ from, to },
      pattern: parsePattern(says, rules),
    }),
  );
  const tokens = new Set<string>();
  for (const { pattern } of steps) tokensOf(pattern, tokens);
  return { key, text: networkText(steps), words: vocabulary.wordsOf(tokens), missing: [...missing] };
}

/** `where is my order` -> `(where is | where's) [my | the ...] order`. */
function phrasePattern(words: readonly string[]): string {
  const out: string[] = [];
  for (let at = 0; at < words.length; ) {
    const pair = CONTRACTIONS.find(
      ([long, short]) => words[at] === short || long === words.slice(at, at + long.split(' ').length).join(' '),
    );
    if (pair) {
      out.push(`(${pair[0]} | ${pair[1]})`);
      at += words[at] === pair[1] ? 1 : pair[0].split(' ').length;
    } else {
      const word = words[at] ?? '';
      // A phrase does not begin or end with a choice of nothing.
      const inside = at > 0 && at < words.length - 1;
      if (DETERMINERS.has(word) && inside) out.push(ANY_DETERMINER);
      else out.push(PRONOUNS.has(word) && at > 0 && !inside ? ANY_PRONOUN : word);
      at += 1;
    }
  }
  return out.join(' ');
}

/** Pronunciations of every token that a grammar can hold. */
class Vocabulary {
  readonly #known = new Map<string, readonly string[]>();
  constructor(readonly lexicon: Lexicon) {}

  knows(token: string): boolean {
    return this.pronunciations(token).length > 0;
  }
  phoneCount(token: string): number {
    return this.pronunciations(token)[0]?.split(' ').length ?? 0;
  }

  pronunciations(token: string): readonly string[] {
    const known = this.#known.get(token);
    if (known) return known;
    const found = this.#find(token);
    this.#known.set(token, found);
    return found;
  }

  /** Every token with its pronunciations, as the decoder's dictionary wants them. */
  wordsOf(tokens: ReadonlySet<string>): GrammarWord[] {
    return [...tokens].flatMap((token) =>
      this.pronunciations(token).map((phones, i) => ({ token: i === 0 ? token : `${token}(${i + 1})`, phones })),
    );
  }

  #find(token: string): readonly string[] {
    if (token.startsWith('~p.')) return [token.slice(3).toUpperCase()];
    if (token.startsWith('~s.'))
      return token === '~s.z' ? ['Z IY', 'Z EH D'] : [LETTER_NAMES[token.slice(3)] ?? ''].filter((p) => p !== '');
    if (token === '~w.am') return ['EY EH M'];
    if (token === '~w.pm') return ['P IY EH M'];
    const spoken = spokenAs(token);
    if (spoken === undefined) return this.lexicon.pronunciations(token);
    return this.lexicon.pronunciations(spoken);
  }
}
