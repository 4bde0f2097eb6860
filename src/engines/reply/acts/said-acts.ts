import { readFileSync } from 'node:fs';
import { trigrams } from '../../../language/similarity.ts';
import { type Word, wordsOf } from '../../../language/words.ts';
import { CAREFUL, Classifier, type Features, type Sample } from '../classifier.ts';
import { type LearntKeep, remembered } from '../learnt-keep.ts';
import { atOnce, type SlowWork } from '../slow-work.ts';
import { norm } from '../word-features.ts';

/** What somebody does with a sentence in the middle of an undertaking. */
export const SAID_ACTS = [
  ...(['yes', 'no', 'leave', 'correct', 'bye'] as const),
  ...(['more', 'wait', 'unknown', 'value', 'question'] as const),
] as const;
export type SaidAct = (typeof SAID_ACTS)[number];

/** An act, and how likely it is, 0..1. */
export interface Said {
  readonly act: SaidAct;
  readonly share: number;
}

/** What three letters in a row weigh beside a word. */
const TRIGRAM = 0.4;

/**
 * What a sentence does where something is being done for its speaker, learnt from sentences of callers of many companies: the
 * forms in which people leave, agree and take their leave have no end, and rules know the closed ones.
 */
export function saidAct(words: readonly Word[]): Said {
  const shares = sharesOf(words);
  const top = shares.reduce((best, share, i) => (share > shares[best]! ? i : best), 0);
  return { act: SAID_ACTS[top]!, share: shares[top]! };
}

/** How likely a sentence does one of these, 0..1. */
export function shareOf(words: readonly Word[], acts: readonly SaidAct[]): number {
  const shares = sharesOf(words);
  return acts.reduce((sum, act) => sum + shares[SAID_ACTS.indexOf(act)]!, 0);
}

/** Several rules ask it of one sentence. */
const told = new WeakMap<readonly Word[], Float64Array>();

function sharesOf(words: readonly Word[]): Float64Array {
  const shares = told.get(words) ?? classifier().probabilities(featuresOf(words));
  told.set(words, shares);
  return shares;
}

let learnt: Classifier | undefined;

/** Learnt once in a process; whoever makes an agent ready does it in steps, else it is done when it is needed first. */
export function* learnSaidActs(keep?: LearntKeep): SlowWork<void> {
  if (learnt !== undefined) return;
  const sentences = saidSentences();
  const weights = yield* remembered(keep, JSON.stringify(sentences), function* () {
    return (yield* Classifier.training(samplesOf(sentences), SAID_ACTS.length, CAREFUL)).learnt;
  });
  learnt ??= new Classifier(weights);
}

function classifier(): Classifier {
  atOnce(learnSaidActs());
  return learnt!;
}

/** The sentences by what they do, both languages. */
export function saidSentences(): readonly { readonly act: SaidAct; readonly text: string }[] {
  return ['said.en.tsv', 'said.ar.tsv'].flatMap((name) => {
    const lines = readFileSync(new URL(name, CALLERS), 'utf8').split('\n');
    return lines.flatMap((line) => {
      const [act, text] = line.split('\t');
      return text === undefined ? [] : [{ act: act as SaidAct, text }];
    });
  });
}
const CALLERS = new URL('../../../../config/callers/', import.meta.url);

function* samplesOf(sentences: ReturnType<typeof saidSentences>): Iterable<Sample> {
  for (const { act, text } of sentences)
    yield { features: featuresOf(wordsOf(text)), classIndex: SAID_ACTS.indexOf(act) };
}

/** Its words and the trigrams of its letters. Which number it is tells nothing. */
function featuresOf(words: readonly Word[]): Features {
  const texts = words.map(({ text }) => (/^\d+$/.test(text) ? '0' : text));
  const weights = new Map(texts.map((text): [string, number] => [`w ${text}`, 1]));
  for (const gram of trigrams(texts.join(' '))) weights.set(`g ${gram}`, TRIGRAM);
  const length = norm(weights) || 1;
  for (const [key, weight] of weights) weights.set(key, weight / length);
  return weights;
}
