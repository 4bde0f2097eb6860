import { describe, expect, it } from 'vitest';
import { finiteStateText, GrammarTooLarge, STATES_MAX, tokensOf } from '../../../src/engines/stt/finite-state.ts';
import { buildGrammar, grammarKey, phraseWords } from '../../../src/engines/stt/grammar.ts';
import { Lexicon } from '../../../src/engines/stt/lexicon.ts';
import { parsePattern } from '../../../src/engines/stt/pattern.ts';
import { SLOT_RULES, slotRulesOf } from '../../../src/engines/stt/slot-rules.ts';

const NO_RULES = new Map<string, string>();
const compile = (text: string, rules = NO_RULES): string => finiteStateText(parsePattern(text, rules));

/** Every sentence of at most `wordsMax` words that the grammar text admits. */
function sentences(text: string, wordsMax: number): string[] {
  const moves = [...text.matchAll(/^TRANSITION (\d+) (\d+) (\S+) ?(\S*)$/gm)].map(([, from, to, , token]) => ({
    from,
    to,
    token: token ?? '',
  }));
  const found = new Set<string>();
  const walk = (state: string, words: readonly string[], epsilons: number): void => {
    if (state === '1') found.add(words.join(' '));
    for (const move of moves) {
      if (move.from !== state) continue;
      if (move.token === '') {
        if (epsilons < 8) walk(move.to ?? '', words, epsilons + 1);
      } else if (words.length < wordsMax) walk(move.to ?? '', [...words, move.token], 0);
    }
  };
  walk('0', [], 0);
  return [...found].sort();
}

describe('patterns as finite-state grammars', () => {
  it.each([
    { name: 'a word', pattern: 'yes', says: ['yes'] },
    { name: 'a sequence', pattern: 'go on', says: ['go on'] },
    { name: 'alternatives', pattern: 'a b | c', says: ['a b', 'c'] },
    { name: 'a group', pattern: '(a | b) c', says: ['a c', 'b c'] },
    { name: 'an option', pattern: 'a [b | c]', says: ['a', 'a b', 'a c'] },
    { name: 'an option first', pattern: '[a] b', says: ['a b', 'b'] },
    { name: 'one or more', pattern: 'a+', says: ['a', 'a a', 'a a a'] },
    { name: 'none or more', pattern: 'x a*', says: ['x', 'x a', 'x a a'] },
    { name: 'a loop keeps to itself', pattern: 'a+ | b', says: ['a', 'a a', 'a a a', 'b'] },
    { name: 'loops in a row', pattern: 'a+ b+', says: ['a a b', 'a b', 'a b b'] },
    {
      name: 'weights change nothing of what may be said',
      pattern: '(/0.1/ a | /0.2/ b) /0.5/ c',
      says: ['a c', 'b c'],
    },
  ])('$name', ({ pattern, says }) => {
    expect(sentences(compile(pattern), 3)).toEqual(says);
  });

  it('puts rules in where they are named', () => {
    expect(sentences(compile('<x> <x>', new Map([['x', 'a | b']])), 3)).toEqual(['a a', 'a b', 'b a', 'b b']);
  });

  it('multiplies weights on the way in, also before groups, rules and options', () => {
    const weights = (pattern: string): string[] =>
      [...compile(pattern, new Map([['r', '/0.5/ a | b']])).matchAll(/TRANSITION 0 \d+ (\S+) (\w)/g)].map(
        (m) => `${m[2]} ${m[1]}`,
      );
    expect(weights('/0.5/ (/0.5/ a | b)')).toEqual(['a 0.25', 'b 0.5']);
    expect(weights('/0.5/ <r> c')).toEqual(['a 0.25', 'b 0.5']);
    expect(weights('[/0.25/ a] b')).toEqual(['a 0.25']);
  });

  it.each(['a (b', '[a', 'a )', '<nobody>', '/2/ a', '/0.1/', 'a / b'])('refuses %s', (pattern) => {
    expect(() => compile(pattern)).toThrow(SyntaxError);
  });

  it('refuses rules that contain themselves', () => {
    expect(() => compile('<x>', new Map([['x', 'a <x>']]))).toThrow(SyntaxError);
  });

  it('refuses what is too large', () => {
    expect(() => compile(Array.from({ length: STATES_MAX }, () => 'a').join(' '))).toThrow(GrammarTooLarge);
  });
});

/** Whether the grammar text admits `sentence`, its digits as the digits of a number. */
function admits(text: string, sentence: string): boolean {
  const moves = [...text.matchAll(/^TRANSITION (\d+) (\d+) \S+ ?(\S*)$/gm)].map(([, from, to, token]) => ({
    ...{ from, to, token },
  }));
  const silently = (from: Set<string>): Set<string> => {
    for (const state of from) for (const move of moves) if (move.from === state && !move.token) from.add(move.to ?? '');
    return from;
  };
  let at = silently(new Set(['0']));
  for (const word of sentence.split(' ')) {
    const token = /^\d$/.test(word) ? `~d${word}` : word;
    at = silently(new Set(moves.filter((m) => at.has(m.from ?? '') && m.token === token).map((m) => m.to ?? '')));
  }
  return at.has('1');
}

const LEXICON = new Lexicon(
  Buffer.from(
    [
      'a AH',
      'address AE D R EH S',
      'are AA R',
      'cancel K AE N S AH L',
      'change CH EY N JH',
      'is IH Z',
      'it IH T',
      'leave L IY V',
      'my M AY',
      'no N OW',
      'oh OW',
      'open OW P AH N',
      'order AO R D ER',
      'read R EH D',
      'read(2) R IY D',
      'that DH AE T',
      'this DH IH S',
      'track T R AE K',
      'when W EH N',
      "where's W EH R Z",
      'where W EH R',
      'yes Y EH S',
      'you Y UW',
    ].join('\n'),
  ),
);

describe('buildGrammar', () => {
  it('writes phrases as they are spoken', () => {
    expect(phraseWords('Where is my Order #24?')).toEqual(['where', 'is', 'my', 'order', 'twenty', 'four']);
    expect(phraseWords('50% & more, “please”')).toEqual(['fifty', 'percent', 'and', 'more', 'please']);
    expect(phraseWords('the driver’s number is 1024')).toEqual([
      'the',
      "driver's",
      'number',
      'is',
      'one',
      'zero',
      'two',
      'four',
    ]);
  });

  it('gives equal hints equal keys, and others another', () => {
    const key = (phrases: string[], expect: ('digits' | 'yesno')[] = []) => grammarKey({ phrases, expect }, 0.02);
    expect(key(['Track my order!', 'where'])).toBe(key(['where', 'track my order', 'where']));
    expect(key(['where'], ['digits', 'yesno'])).toBe(key(['where'], ['yesno', 'digits']));
    expect(key(['where'])).not.toBe(key(['where'], ['digits']));
  });

  it('holds the phrase, other determiners, and both ways of a contraction', () => {
    const said = sentences(
      buildGrammar({ phrases: ['where is my order'], expect: [] }, LEXICON).text.replaceAll(/.*~p.*\n/g, ''),
      4,
    );
    expect(said).toEqual(
      expect.arrayContaining(['where is my order', 'where is the order', "where's order", 'where is order please']),
    );
    expect(said).not.toContain('where is my');
  });

  it.each([
    { name: 'an answer', sentence: 'yes', is: true },
    { name: 'an answer said twice', sentence: "yes that's right", is: true },
    { name: 'a yes, but a question', sentence: 'yes but first tell me when are you open', is: true },
    { name: 'a yes and a wish', sentence: 'yes and track my order please', is: true },
    { name: 'a no and what is right', sentence: 'no 4 5 2 1', is: true },
    { name: 'a no, a correction and what is right', sentence: 'no i meant 4 5 2 1', is: true },
    { name: 'a no and a word that is too short to be looked for', sentence: 'no leave it', is: true },
    { name: 'a value after an apology', sentence: 'sorry 4 5 2 1', is: true },
    { name: 'a value and a question', sentence: '4 5 2 1 and when are you open', is: true },
    { name: 'a wish and its value', sentence: 'track my order 4 5 2 1', is: true },
    { name: 'two wishes', sentence: 'track my order and also change my address', is: true },
    { name: 'a prohibition', sentence: 'no do not cancel this', is: true },
    { name: 'an opener alone', sentence: 'well', is: false },
    { name: 'a yes and nothing after the but', sentence: 'yes but', is: false },
    { name: 'half a wish', sentence: 'yes but track my', is: false },
  ])('$name: $sentence', ({ sentence, is }) => {
    const phrases = ['track my order', 'change my address', 'when are you open', 'cancel that', 'leave it'];
    expect(admits(buildGrammar({ phrases, expect: ['yesno', 'digits'] }, LEXICON).text, sentence)).toBe(is);
  });

  it.each(['digits', 'phone', 'number', 'date', 'time', 'name'] as const)(
    'admits a yes and a no where %s is asked for, which would else be heard as one',
    (kind) => {
      const { text } = buildGrammar({ phrases: ['leave it'], expect: [kind] }, LEXICON);
      for (const sentence of ['yes', 'no leave it', "that's right"])
        expect(admits(text, sentence), sentence).toBe(true);
    },
  );

  it('takes an answer or a listening noise for nothing that somebody wants', () => {
    const { text } = buildGrammar({ phrases: ['leave it', 'yes', 'no', 'oh'], expect: [] }, LEXICON);
    for (const sentence of ['yes', 'no', 'oh', 'yes please', 'i want to leave it'])
      expect(admits(text, sentence), sentence).toBe(true);
    for (const sentence of ['i want yes', 'i want no', 'can i oh', 'tell me yes'])
      expect(admits(text, sentence), sentence).toBe(false);
  });

  it('admits no answer where nothing is asked', () => {
    const { text } = buildGrammar({ phrases: ['track my order'], expect: ['free'] }, LEXICON);
    expect(admits(text, 'yes')).toBe(false);
  });

  it('grows with what may be said, not with how it is put together', () => {
    const phrases = Array.from({ length: 100 }, (_, n) => `track my order ${n + 100}`);
    const steps = (more: string[]): number =>
      buildGrammar({ phrases: [...phrases, ...more], expect: ['yesno', 'digits'] }, LEXICON).text.split('\n').length;
    expect(steps(['change my address']) - steps([])).toBeLessThan(12); // once: six determiners between two words
  });

  it('leaves phrases out that cannot be spoken, and says which words', () => {
    const grammar = buildGrammar({ phrases: ['track my order', 'طلبي', 'track ☎'], expect: [] }, LEXICON);
    expect(grammar.missing).toEqual(['طلبي']);
    expect(grammar.text).toContain(' track');
  });

  it('is empty when nothing can be said', () => {
    expect(buildGrammar({ phrases: [], expect: ['free'] }, LEXICON)).toMatchObject({ text: '', words: [] });
    expect(buildGrammar({ phrases: ['...'], expect: [] }, LEXICON).text).toBe('');
  });

  it('gives every token a pronunciation, alternatives numbered', () => {
    const grammar = buildGrammar(
      { phrases: ['read my order'], expect: ['digits', 'phone', 'number', 'date', 'time', 'name', 'yesno'] },
      LEXICON,
    );
    expect(grammar.words).toContainEqual({ token: 'read(2)', phones: 'R IY D' });
    const spoken = new Set(grammar.words.map((word) => word.token));
    const said = new Set([...grammar.text.matchAll(/^TRANSITION \S+ \S+ \S+ (\S+)$/gm)].map((m) => m[1]));
    expect([...said].filter((token) => !spoken.has(token ?? ''))).toEqual([]);
    expect(grammar.words.every((word) => /^[A-Z]{1,2}( [A-Z]{1,2})*$/.test(word.phones))).toBe(true);
  });

  it.each(Object.keys(SLOT_RULES) as (keyof typeof SLOT_RULES)[])('compiles the answers to %s', (kind) => {
    const rules = new Map(Object.entries(SLOT_RULES[kind].definitions));
    expect(tokensOf(parsePattern(SLOT_RULES[kind].rule, rules)).size).toBeGreaterThan(5);
    expect(buildGrammar({ phrases: [], expect: [kind] }, LEXICON).text).toContain('FSG_BEGIN');
  });
});

describe('a number of so many digits', () => {
  const text = (digits?: number): string => {
    const { rule, definitions } = slotRulesOf('digits', digits);
    return finiteStateText(parsePattern(rule, new Map(Object.entries(definitions))));
  };
  /** The weight of the best way to say `tokens`. */
  const best = (grammar: string, tokens: readonly string[]): number => {
    const moves = [...grammar.matchAll(/^TRANSITION (\d+) (\d+) (\S+) ?(\S*)$/gm)].map((m) => m.slice(1));
    let places = new Map([['0', 1]]);
    const follow = (token: string): Map<string, number> => {
      const next = new Map<string, number>();
      for (const [from, to, weight, says] of moves) {
        const here = places.get(from ?? '');
        if (here === undefined || says !== token) continue;
        next.set(to ?? '', Math.max(next.get(to ?? '') ?? 0, here * Number(weight)));
      }
      return next;
    };
    const rest = (): void => {
      for (let n = 0; n < 6; n += 1)
        for (const [at, weight] of follow('')) places.set(at, Math.max(places.get(at) ?? 0, weight));
    };
    rest();
    for (const token of tokens) {
      places = follow(token);
      rest();
    }
    return places.get('1') ?? 0;
  };

  it('is likelier than with one digit more or less', () => {
    const digits = ['~d4', '~d5', '~d2', '~d1'];
    const four = text(4);
    const share = (tokens: readonly string[]): number => best(four, tokens) / best(text(), tokens);
    expect(share(digits)).toBeCloseTo(1, 5);
    expect(share([...digits, '~d6'])).toBeLessThan(0.05);
    expect(share(digits.slice(1))).toBeLessThan(0.05);
    expect(best(four, digits.slice(1))).toBeGreaterThan(0);
  });

  it('has a grammar of its own', () => {
    const hints = { phrases: ['yes'], expect: ['digits'] } as const;
    expect(grammarKey({ ...hints, digits: 4 }, 1)).not.toBe(grammarKey(hints, 1));
  });
});
