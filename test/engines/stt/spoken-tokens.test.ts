import { describe, expect, it } from 'vitest';
import { numberWords, spokenText } from '../../../src/engines/stt/spoken-tokens.ts';

describe('spokenText', () => {
  it.each([
    { tokens: 'track my order', text: 'track my order' },
    { tokens: '~d1 ~d2 ~d3 ~d4', text: '1234' },
    { tokens: '~d4 ~do ~d5', text: '405' },
    { tokens: '~dd ~d5 ~dt ~d2', text: '55222' },
    { tokens: '~d40 ~d5 ~d20', text: '4520' },
    { tokens: '~d12 ~d30 ~d4', text: '1234' },
    { tokens: '~d20 ~d0', text: '200' },
    { tokens: '~d4 ~dh', text: '400' },
    { tokens: '~dp ~d9 ~d6 ~d6', text: '+966' },
    { tokens: 'track my order ~d1 ~d2 please', text: 'track my order 12 please' },
    { tokens: 'for ~n40 ~n2 people', text: 'for 42 people' },
    { tokens: '~n2 ~nh ~n40 ~n2', text: '242' },
    { tokens: '~n3 ~nk ~n5', text: '3005' },
    { tokens: '~nh', text: '100' },
    { tokens: 'three thirty ~w.pm', text: 'three thirty pm' },
    { tokens: 'my name is ~s.a ~s.l ~s.i', text: 'my name is Ali' },
    { tokens: '~p.ah ~p.m where is it ~p.s', text: 'where is it' },
    { tokens: '~p.ah ~p.m', text: '' },
    { tokens: '', text: '' },
  ])('$tokens -> $text', ({ tokens, text }) => {
    expect(spokenText(tokens === '' ? [] : tokens.split(' '))).toBe(text);
  });
});

describe('numberWords', () => {
  it.each([
    [0, 'zero'],
    [13, 'thirteen'],
    [40, 'forty'],
    [47, 'forty seven'],
    [100, 'one hundred'],
    [305, 'three hundred five'],
  ])('%i is %s', (value, words) => {
    expect(numberWords(value).join(' ')).toBe(words);
  });
});
