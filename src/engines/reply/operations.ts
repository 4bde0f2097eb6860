import type { FlowDefinition, IntentDefinition } from '../../core/agent.ts';
import { isCommon, isWeak, termsOf } from '../../language/lexicon/lexicon.ts';
import { wordsOf } from '../../language/words.ts';

/** Share of a wish's sentences that must hold a term, and how much more often than those of any other wish. */
const OPERATION_SHARE = 0.12;
const OPERATION_LEAD = 1.6;

/** Words that name an undertaking, each with the wish it names. No word of everyday does, however often one wish has it. */
export function operationsOf(
  intents: readonly IntentDefinition[],
  flows: readonly FlowDefinition[],
): Map<string, string> {
  // What only looks something up does nothing: `she does not remember` forbids nobody to tell her.
  const acts = new Set<string | undefined>(
    flows.filter(({ confirm }) => confirm !== undefined).map(({ name }) => name),
  );
  const everyday = new Set<string>();
  const shares = intents.map(({ examples }) => {
    const sentences = [...(examples.ar ?? []), ...(examples.en ?? [])];
    const counts = new Map<string, number>();
    for (const sentence of sentences) {
      const terms = termsOf(wordsOf(sentence).map(({ text }) => text));
      for (const { key, word } of terms) if (isWeak(word) || isCommon(word)) everyday.add(key);
      for (const key of new Set(terms.map((one) => one.key)))
        counts.set(key, (counts.get(key) ?? 0) + 1 / sentences.length);
    }
    return counts;
  });
  const found = new Map<string, string>();
  intents.forEach(({ name, flow }, index) => {
    for (const [key, share] of shares[index]!) {
      const elsewhere = Math.max(0, ...shares.map((counts, other) => (other === index ? 0 : (counts.get(key) ?? 0))));
      if (acts.has(flow) && !everyday.has(key) && share >= OPERATION_SHARE && share >= OPERATION_LEAD * elsewhere)
        found.set(key, `intent:${name}`);
    }
  });
  return found;
}

const WEAK = /[اويىءأإآؤئ]/g;
const AFFIXES = /^[وف]|^ال(?=...)|(?:لي|لنا|وا|ون|ين|ه|ها|هم)$/g;
const MIN_ROOT = 2;

/** The letters that an Arabic verb and its noun share: `حجز` of `احجزي`, `لغ` of `الغاء` and `الغوه`. */
export function rootOf(word: string): string {
  return word
    .replace(AFFIXES, '')
    .replace(WEAK, '')
    .replace(/^[تنب](?=..)/, '');
}

/** Of the labels' first words those that tell no undertaking wherever they stand: `حجز` is also what is moved and cancelled. */
export function nounsOf(
  intents: readonly IntentDefinition[],
  operations: ReadonlyMap<string, string>,
): Map<string, string> {
  const named = intents.flatMap(({ name, flow, label }) => {
    const word = wordsOf(label?.ar ?? '')[0]?.text ?? '';
    const root = rootOf(word);
    const isPlain = operations.has(termsOf([word])[0]?.key ?? '');
    return flow !== undefined && !isPlain && root.length >= MIN_ROOT ? [[root, `intent:${name}`] as const] : [];
  });
  return new Map(named);
}
