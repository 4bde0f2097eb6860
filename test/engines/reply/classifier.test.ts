import { describe, expect, it } from 'vitest';
import { BOLD, Classifier, type Features, type Sample } from '../../../src/engines/reply/classifier.ts';
import { atOnce } from '../../../src/engines/reply/slow-work.ts';

const NAMES = ['track', 'cancel', 'change'];
const SHARED = ['my', 'order', 'please', 'the', 'parcel'];

/** Sentences of three classes that share most of their words. */
function samples(): Sample[] {
  return NAMES.flatMap((name, classIndex) =>
    Array.from({ length: 40 }, (_, n) => ({
      classIndex,
      features: features([`${name}${n % 4}`, SHARED[n % 5]!, SHARED[(n * 3 + classIndex) % 5]!, `odd${n % 7}`]),
    })),
  );
}

function features(words: readonly string[]): Features {
  const own = new Set([...words].sort());
  return new Map([...own].map((word) => [word, 1 / Math.sqrt(own.size)]));
}

const learn = (given: readonly Sample[]): Classifier => atOnce(Classifier.training(given, NAMES.length, BOLD));

/** Of what is said of a class, of all, and of nothing known. */
const SAID = [['cancel1', 'my', 'order'], ['track0', 'parcel'], ['my', 'order'], ['odd3'], ['unknown']].map(features);

describe('what is learnt of sentences', () => {
  it('does not hang on the order in which they are given', () => {
    const [one, other] = [learn(samples()), learn(samples().reverse())];
    for (const said of SAID) {
      const expected = [...one.probabilities(said)];
      for (const [at, share] of [...other.probabilities(said)].entries()) expect(share).toBeCloseTo(expected[at]!, 5);
    }
  });

  it('changes little with one of them', () => {
    const whole = learn(samples());
    for (const gone of [0, 17, 59, 119]) {
      const without = learn(samples().toSpliced(gone, 1));
      for (const said of SAID) {
        const expected = [...whole.probabilities(said)];
        for (const [at, share] of [...without.probabilities(said)].entries()) {
          expect(Math.abs(share - expected[at]!)).toBeLessThan(0.1);
        }
      }
    }
  });

  it('tells the classes apart', () => {
    const best = (words: readonly string[]): string => {
      const shares = [...learn(samples()).probabilities(features(words))];
      return NAMES[shares.indexOf(Math.max(...shares))]!;
    };
    expect([best(['cancel2', 'order']), best(['track3', 'the']), best(['change0', 'please'])]).toEqual([
      'cancel',
      'track',
      'change',
    ]);
  });
});
