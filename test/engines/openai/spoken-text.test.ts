import { describe, expect, it } from 'vitest';
import { spoken, ThoughtFilter } from '../../../src/engines/openai/spoken-text.ts';

function filtered(text: string, size: number): string {
  const filter = new ThoughtFilter();
  let said = '';
  for (let at = 0; at < text.length; at += size) said += filter.push(text.slice(at, at + size));
  return said + filter.end();
}

describe.each([1, 2, 5, 100])('ThoughtFilter, %i characters a piece', (size) => {
  it.each([
    ['Hello.', 'Hello.'],
    ['<think>They greet me.</think>Hello.', 'Hello.'],
    ['<think>\nA < B, so <b>?\n</think>\n\nHello.', '\n\nHello.'],
    ['One <think>two</think>three.', 'One three.'],
    ['2 < 3 and <thin', '2 < 3 and <thin'],
    ['<thinking>x</thinking>Hi', 'Hi'],
    ['<think>never ends', ''],
    ['أهلًا <think>هلا</think>بك', 'أهلًا بك'],
  ])('%s', (text, said) => {
    expect(filtered(text, size)).toBe(said);
  });
});

describe('spoken', () => {
  it.each([
    ['**Sure**, it is `42`.', 'Sure, it is 42.'],
    ['- First point', 'First point'],
    ['2) Second', 'Second'],
    ['## Prices', 'Prices'],
    ['Agent: Hello 👋🏽!', 'Hello !'],
    ['المساعد: أهلًا 😊', 'أهلًا'],
    ['Call [Phone Number 1](tel:+966) now.', 'Call [Phone Number 1] now.'],
    ['It is 3 * 4.', 'It is 3 4.'],
    ['***', ''],
    ['10. of May', 'of May'],
    ['It costs 1.5 riyals.', 'It costs 1.5 riyals.'],
  ])('%s', (sentence, said) => {
    expect(spoken(sentence)).toBe(said);
  });
});
