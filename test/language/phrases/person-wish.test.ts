import { describe, expect, it } from 'vitest';
import { personWishIn } from '../../../dist/language/phrases/person-wish.js';
import { wordsOf } from '../../../dist/language/words.js';
import { expectEveryRow } from '../../support/labelled-rows.ts';

const PLAIN = [
  'could I have a chat with one of your colleagues',
  'connect me',
  'put me through to whoever is in charge',
  'I would rather explain this to a human',
  'حوليني على قسم المحاسبة',
  'ودي احكي مع وحدة من البنات',
  'وصلني بالمدير',
];
const MAYBE = ['manager please', 'a real person', 'I want a supervisor', 'not a robot', 'عطني المسؤول', 'موظف لو سمحت'];
const NONE = [
  'my niece works in a call centre',
  'your support was very kind yesterday',
  'is my parcel with somebody else now because nobody rang the bell here',
  'thank your manager from me',
  'I cannot remember',
  'الأربعاء',
  'ما وصلني الطلب',
  'زوجي يوصلني بالسيارة',
  'شكرا يا مدير',
];

describe('the wish for a person', () => {
  it.each([
    ['plain', PLAIN],
    ['maybe', MAYBE],
    [undefined, NONE],
  ] as const)('has a shape: %s', (shape, rows) => {
    expectEveryRow(
      rows,
      (text) => text,
      (text) => expect(personWishIn(wordsOf(text).map((word) => word.text))).toBe(shape),
    );
  });
});
