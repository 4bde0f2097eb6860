import { describe, expect, it } from 'vitest';
import { spokenLines } from '../../../src/engines/stt/spoken-lines.ts';

const DIGITS = 'zero|one|two|three|four|five|six|seven|eight|nine';

describe('the lines that a language model learns from', () => {
  const lines = spokenLines(['Where is order 4521?', "I'd like it on the second", 'ما هو']);

  it('hold the sentences as they are spoken, with any number in place of theirs', () => {
    expect(lines[0]!.join(' ')).toMatch(new RegExp(`^where is order( (${DIGITS})){4}$`));
    expect(lines[1]).toEqual("i'd like it on the second".split(' '));
    const numbers = spokenLines(Array.from({ length: 40 }, (_, n) => `order 4521 ${'please '.repeat(n)}`));
    const first = new Set(numbers.slice(0, 40).map((line) => line[1]));
    expect(first.size).toBeGreaterThan(5);
  });

  it('hold answers of every kind, in words', () => {
    const answers = lines.slice(3).map((line) => line.join(' '));
    expect(answers.length).toBeGreaterThan(300);
    for (const answer of answers) expect(answer).toMatch(/^[a-z' ]+$/);
    for (const kind of [
      /\b(monday|sunday)\b/,
      /\bof (march|june|july)\b/,
      /\bhalf past\b/,
      /^yes\b/,
      /^no\b/,
      new RegExp(`(${DIGITS}) (${DIGITS})`),
    ])
      expect(answers.some((answer) => kind.test(answer))).toBe(true);
  });

  it('are the same for the same sentences', () => {
    expect(spokenLines(['order 4521'])).toEqual(spokenLines(['order 4521']));
  });
});
