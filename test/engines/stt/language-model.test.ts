import { describe, expect, it } from 'vitest';
import { languageModelOf } from '../../../src/engines/stt/language-model.ts';

const SENTENCES = ['where is my order', 'where is my parcel', 'cancel my order please', 'my order please'].map((line) =>
  line.split(' '),
);
const VOCABULARY = new Set([...SENTENCES.flat(), 'tomorrow']);

/** Reads ARPA's form as a decoder does: the longest run that is known, else what is left over for shorter ones. */
class Reader {
  readonly runs = new Map<string, { readonly p: number; readonly left: number }>();
  constructor(text: string) {
    for (const line of text.split('\n')) {
      const [p, ...rest] = line.split(' ');
      if (!/^-?\d/.test(p ?? '')) continue;
      const last = rest.at(-1) ?? '';
      const left = /^-?[\d.]+$/.test(last) ? Number(rest.pop()) : 0;
      this.runs.set(rest.join(' '), { p: Number(p), left });
    }
  }
  probability(word: string, ...before: string[]): number {
    const own = this.runs.get([...before, word].join(' '));
    if (own) return 10 ** own.p;
    const left = 10 ** (this.runs.get(before.join(' '))?.left ?? 0);
    return left * this.probability(word, ...before.slice(1));
  }
}

describe('a language model of sentences', () => {
  const text = languageModelOf(SENTENCES, VOCABULARY);
  const model = new Reader(text);

  it.each([
    { before: [] },
    { before: ['my'] },
    { before: ['<s>'] },
    { before: ['<s>', 'where'] },
    { before: ['is', 'my'] },
    { before: ['tomorrow', 'my'] },
    { before: ['please', 'tomorrow'] },
  ])('knows one of all words after "$before"', ({ before }) => {
    const all = [...VOCABULARY, '</s>'].map((word) => model.probability(word, ...before));
    expect(all.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 2);
    for (const p of all) expect(p).toBeGreaterThan(0);
  });

  it('finds likelier what was said more often there', () => {
    expect(model.probability('order', 'is', 'my')).toBeGreaterThan(model.probability('please', 'is', 'my'));
    expect(model.probability('order', 'my')).toBeGreaterThan(model.probability('parcel', 'my'));
    expect(model.probability('where', '<s>')).toBeGreaterThan(model.probability('cancel', '<s>'));
    expect(model.probability('</s>', 'order', 'please')).toBeGreaterThan(0.5);
  });

  it('counts what it lists, in the order that a reader looks it up in', () => {
    const sizes = [...text.matchAll(/^ngram (\d)=(\d+)$/gm)].map(([, n, size]) => ({
      n: Number(n),
      size: Number(size),
    }));
    expect(sizes.map(({ n }) => n)).toEqual([1, 2, 3]);
    for (const { n, size } of sizes) {
      const section = text.split(`\\${n}-grams:\n`)[1]!.split('\n\n')[0]!.split('\n');
      expect(section.length).toBe(size);
      const runs = section.map((line) =>
        line
          .split(' ')
          .slice(1, n + 1)
          .join(' '),
      );
      if (n > 1) expect(runs).toEqual([...runs].sort());
    }
  });

  it('learns nothing across a word that cannot be heard', () => {
    const cut = new Reader(languageModelOf([['where', 'xyzzy', 'order']], new Set(['where', 'order'])));
    expect([...cut.runs.keys()].filter((run) => run.includes(' ')).sort()).toEqual(['<s> where']);
  });

  it('of no sentence knows every word alike', () => {
    const empty = new Reader(languageModelOf([], new Set(['yes', 'no'])));
    expect(empty.probability('yes', 'no')).toBeCloseTo(1 / 3, 2);
  });
});
