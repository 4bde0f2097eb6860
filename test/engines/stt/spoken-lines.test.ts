import { describe, expect, it } from 'vitest';
import { heardAs, spokenLines, withoutPlace } from '../../../src/engines/stt/spoken-lines.ts';

const DIGITS = 'zero|one|two|three|four|five|six|seven|eight|nine|oh';

describe('the lines that a language model learns from', () => {
  const lines = spokenLines(['Where is order 4521?', "I'd like it on the second", 'ما هو']);

  it('hold the sentences as they are spoken, with any number in place of theirs', () => {
    expect(lines[0]).toEqual(['where', 'is', 'order', '[4]', '[3]', '[2]', '[1]']);
    expect(lines[1]).toEqual("i'd like it on the second".split(' '));
  });

  it.each([
    ['it is six one oh four', 'it is [4] [3] [2] [1]'],
    ['ring oh five five one two three four five six seven now', 'ring [10] [9] [8] [7] [6] [5] [4] [3] [2] [1] now'],
    ['four five double two or 104', '[4] [3] double [1] or one hundred four'],
    ['one or two days, oh no', 'one or two days oh no'],
  ])('say of each digit of a number how many are left with it: %s', (said, line) => {
    expect(spokenLines([said])[0]?.join(' ')).toBe(line);
  });

  it('have classes for the last digits of a number alone, however long it is', () => {
    const [line = []] = spokenLines(['one '.repeat(200)]);
    expect(line).toHaveLength(200);
    expect(new Set(line).size).toBe(15);
  });

  it('hear a digit of a number as any digit in its place', () => {
    expect(heardAs('[2]')).toHaveLength(11);
    expect(heardAs('[2]')).toEqual(expect.arrayContaining(['four~2', 'oh~2', 'zero~2']));
    expect(heardAs('[2]').map(withoutPlace)).toEqual(heardAs('[10]').map(withoutPlace));
    expect(heardAs('four')).toEqual(['four']);
  });

  it('make numbers up that are as long as those of the sentences', () => {
    const places = new Set(
      spokenLines(['order 4521 please'])
        .flat()
        .filter((word) => word.startsWith('[')),
    );
    expect([...places].sort()).toEqual(['[1]', '[2]', '[3]', '[4]']);
  });

  it('hold answers of every kind, in words', () => {
    const answers = lines
      .slice(3)
      .map((line) => line.map((word) => withoutPlace(heardAs(word)[0] as string)).join(' '));
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
