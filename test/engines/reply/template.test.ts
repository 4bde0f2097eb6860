import { describe, expect, it } from 'vitest';
import {
  compileTemplate,
  fillAnswer,
  fillTemplate,
  heardOf,
  matchTemplate,
} from '../../../src/engines/reply/template.ts';
import { fold } from '../../../src/language/fold.ts';
import { limitText, sentencesOf } from '../../../src/language/sentences.ts';

const values: Readonly<Record<string, string>> = { name: 'Sara', eta: 'noon', blank: '' };
const lookup = (name: string): string | undefined => values[name];

describe('fillTemplate', () => {
  it.each([
    ['Hello {{name}}, welcome.', 'Hello Sara, welcome.'],
    ['Hello {{ name }}!', 'Hello Sara!'],
    ['Hello {{nobody}}, welcome.', 'Hello, welcome.'],
    ['Hello {{nobody}}!', 'Hello!'],
    ['{{nobody}}, welcome.', 'welcome.'],
    ['حياك الله {{nobody}}، كيف أخدمك؟', 'حياك الله، كيف أخدمك؟'],
    ['Dear {{nobody}} {{name}}', 'Dear Sara'],
    ['{{name}}{{eta}}', 'Saranoon'],
    ['no variables', 'no variables'],
    ['{{1bad}} stays', '{{1bad}} stays'],
  ])('%s -> %s', (template, expected) => {
    expect(fillTemplate(template, lookup)).toBe(expected);
  });

  it('a value is never read as a template', () => {
    expect(fillTemplate('{{x}}', (name) => (name === 'x' ? '{{name}} $& $1' : 'no'))).toBe('{{name}} $& $1');
  });
});

describe('fillAnswer', () => {
  it.each([
    ['It arrives {{eta}}.', 'It arrives noon.'],
    ['It arrives at {{nobody}}.', ''],
    ['Thank you, {{nobody}}. It arrives {{eta}}.', 'Thank you. It arrives noon.'],
    ['Your driver is {{nobody}}. He calls before.', 'He calls before.'],
    ['Thanks {{nobody}}.', 'Thanks.'],
    ['تم الحجز {{nobody}}، وبتوصلك رسالة.', 'تم الحجز، وبتوصلك رسالة.'],
    ['Version 2.5 costs {{eta}}.', 'Version 2.5 costs noon.'],
  ])('%s -> %s', (template, expected) => {
    expect(fillAnswer(template, lookup)).toBe(expected);
  });
});

describe('matchTemplate', () => {
  const template = compileTemplate('Send order {{order}} to {{address}}. Is that right?');
  it.each([
    ['Send order 4 5 2 1 to King Street. Is that right?', { order: '4 5 2 1', address: 'king street' }],
    ['send ORDER 12 to Palm Road is that right', { order: '12', address: 'palm road' }],
    ['Send order 4 5 2 1 to King Str', { order: '4 5 2 1' }],
    ['Send order 4', {}],
    ['Send', undefined],
    ['Cancel order 4 5 2 1', undefined],
    ['', undefined],
    ['Send order 4 to x. Is that right? And more.', undefined],
  ])('%s', (said, expected) => {
    expect(matchTemplate(template, fold(said))).toEqual(expected);
  });

  it('stays linear on a hostile text', () => {
    const many = compileTemplate('a {{a}} b {{b}} b {{c}} b {{d}} b {{e}} b {{f}} z');
    expect(matchTemplate(many, `a ${'b '.repeat(2_000)}`)).toBeDefined();
  });
});

describe('heardOf', () => {
  it.each([
    ['Which order? Say the digits.', 'Which order?', 'fits'],
    ['Which order?', 'which order', 'fits'],
    ['Which order?', 'Which or', 'fits'],
    ['Which order?', 'Which day?', 'other'],
    ['Which order?', '', 'other'],
    ['Which order?', 'Which order? Say the digits.', 'more'],
    ['', 'Which order?', 'other'],
  ])('%s / %s', (planned, said, expected) => {
    expect(heardOf(planned, said)).toBe(expected);
  });
});

describe('sentencesOf', () => {
  it.each([
    ['One. Two! Three? Four', ['One.', 'Two!', 'Three?', 'Four']],
    ['It costs 2.5 riyals. Yes.', ['It costs 2.5 riyals.', 'Yes.']],
    ['Dr. Sara is here. Come in.', ['Dr. Sara is here.', 'Come in.']],
    ['كيف حالك؟ أنا بخير.', ['كيف حالك؟', 'أنا بخير.']],
    ['Really?! Yes...', ['Really?!', 'Yes...']],
    ['He said "no." Then left.', ['He said "no."', 'Then left.']],
    ['   ', []],
    ['', []],
  ])('%s', (text, expected) => {
    expect(sentencesOf(text)).toEqual(expected);
  });

  it('never loses a word', () => {
    const text = 'A b. c? d! e… f.g h '.repeat(40).trim();
    expect(sentencesOf(text).join(' ').replace(/\s+/g, ' ')).toBe(text);
  });
});

describe('limitText', () => {
  it.each([
    ['One. Two. Three.', 9, 'One. Two.'],
    ['One. Two.', 100, 'One. Two.'],
    ['A single long sentence without an end', 12, 'A single'],
  ])('%s at %i', (text, max, expected) => {
    expect(limitText(text, max)).toBe(expected);
  });
});
