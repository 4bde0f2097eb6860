import { describe, expect, it } from 'vitest';
import type { RecognitionGrammar } from '../../../src/engines/stt/grammar.ts';
import { type GrammarDecoder, LiveDecoders } from '../../../src/engines/stt/live-decoders.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const grammar = (key: string): RecognitionGrammar => ({ key, text: key, words: [], missing: [] });

/** Keeps one grammar. */
class OneGrammarDecoder implements GrammarDecoder {
  state: 'idle' | 'listening' | 'closed' = 'idle';
  compiled = 0;
  #key = '';
  knows({ key }: RecognitionGrammar): boolean {
    return key === this.#key;
  }
  start({ key }: RecognitionGrammar): boolean {
    if (key === 'refused') return false;
    if (key !== this.#key) this.compiled += 1;
    this.#key = key;
    this.state = 'listening';
    return true;
  }
  stop(): void {
    this.state = 'idle';
  }
  close(): void {
    this.state = 'closed';
  }
}

const UNUSED_MS = 30_000;

function pool(decodersMax: number) {
  const clock = new FakeClock();
  const made: OneGrammarDecoder[] = [];
  const make = (): OneGrammarDecoder => {
    const decoder = new OneGrammarDecoder();
    made.push(decoder);
    return decoder;
  };
  return { decoders: new LiveDecoders(decodersMax, make, UNUSED_MS, clock), made, clock };
}

describe('LiveDecoders', () => {
  it('makes no more than it may, and says when all are lent', () => {
    const { decoders, made } = pool(2);
    expect([1, 2, 3].map((n) => decoders.lend(grammar(`${n}`), undefined) !== undefined)).toEqual([true, true, false]);
    expect(made).toHaveLength(2);
  });

  it('makes none while one is idle', () => {
    const { decoders, made } = pool(8);
    for (let n = 0; n < 50; n += 1) {
      const decoder = decoders.lend(grammar(`${n % 3}`), undefined);
      if (decoder) decoders.takeBack(decoder);
    }
    expect(made).toHaveLength(1);
  });

  it('lends the one that has the grammar compiled', () => {
    const { decoders, made } = pool(3);
    const lent = ['a', 'b', 'c'].map((key) => decoders.lend(grammar(key), undefined));
    for (const decoder of lent) if (decoder) decoders.takeBack(decoder);
    for (const key of ['c', 'a', 'b']) decoders.lend(grammar(key), undefined);
    expect(made.map(({ compiled }) => compiled)).toEqual([1, 1, 1]);
  });

  it('keeps a decoder that refused a grammar for the next one', () => {
    const { decoders, made } = pool(1);
    expect(decoders.lend(grammar('refused'), undefined)).toBeUndefined();
    expect(decoders.lend(grammar('a'), undefined)).toBe(made[0]);
  });

  it('closes what was not needed for half a minute, while others are at work all the time', () => {
    const { decoders, made, clock } = pool(8);
    const crowd = Array.from({ length: 5 }, () => decoders.lend(grammar('a'), undefined));
    for (const decoder of crowd) if (decoder) decoders.takeBack(decoder);
    for (let second = 0; second < 40; second += 1) {
      const [one, other] = [decoders.lend(grammar('a'), undefined), decoders.lend(grammar('a'), undefined)];
      clock.advance(1_000);
      for (const decoder of [one, other]) if (decoder) decoders.takeBack(decoder);
    }
    expect([decoders.made, made.filter(({ state }) => state === 'closed').length]).toEqual([2, 3]);
    clock.advance(2 * UNUSED_MS);
    expect([decoders.made, clock.pending]).toEqual([0, 0]);
  });

  it('keeps one for half a minute, and not longer', () => {
    const { decoders, clock } = pool(1);
    const decoder = decoders.lend(grammar('a'), undefined);
    clock.advance(10 * UNUSED_MS); // a long speech
    expect(decoders.made).toBe(1);
    if (decoder) decoders.takeBack(decoder);
    clock.advance(UNUSED_MS - 1);
    expect(decoders.made).toBe(1);
    clock.advance(1);
    expect(decoders.made).toBe(0);
  });

  it('takes the grammar of the one that was used least', () => {
    const { decoders, made } = pool(2);
    const [first, second] = ['a', 'b'].map((key) => decoders.lend(grammar(key), undefined));
    for (const decoder of [second, first]) if (decoder) decoders.takeBack(decoder);
    expect(decoders.lend(grammar('c'), undefined)).toBe(made[1]);
  });

  it('lends none where there is more speech than can be followed, and closes what is not lent', () => {
    const { decoders, made } = pool(2);
    const [first, second] = [decoders.lend(grammar('a'), undefined, 1), decoders.lend(grammar('b'), undefined, 8)];
    if (second) decoders.takeBack(second);
    expect(decoders.lend(grammar('b'), undefined, 9)).toBeUndefined();
    expect([first?.state, made.map(({ state }) => state)]).toEqual(['listening', ['listening', 'closed']]);
    expect(decoders.lend(grammar('b'), undefined, 8)).toBe(made[2]);
  });

  it('closes what is idle, and only that', () => {
    const { decoders, made } = pool(3);
    const [first] = ['a', 'b', 'c'].map((key) => decoders.lend(grammar(key), undefined));
    if (first) decoders.takeBack(first);
    decoders.release();
    expect(made.map(({ state }) => state)).toEqual(['closed', 'listening', 'listening']);
    expect(decoders.made).toBe(2);
    expect(decoders.lend(grammar('d'), undefined)).toBe(made[3]);
  });
});
