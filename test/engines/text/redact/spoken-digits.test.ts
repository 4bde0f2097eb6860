import { describe, expect, it } from 'vitest';
import { Reading } from '../../../../src/engines/text/redact/reading.ts';

const said = (text: string): string =>
  new Reading(text).tokens
    .filter(({ type }) => type === 'digits')
    .map((token) => token.text)
    .join('');

describe('spoken digits', () => {
  it.each([
    ['صفر خمسة خمسة واحد', '0551'],
    ['زيرو خمس اربع ثنين', '0542'],
    ['واحد، تسعة، خمسة', '195'],
    ['خمسة وخمسين ثلاثة', '553'],
    ['صفرين واحد اثنين', '0012'],
    ['خمسة ثلاثة أصفار واحد', '50001'],
    ['zero five oh one', '0501'],
    ['double five triple zero one', '550001'],
    ['nine-six-six five', '9665'],
    ['twenty nine fifty six', '2956'],
    ['nineteen eighty four', '1984'],
    ['05 خمسة ستة سبعة', '05567'],
    ['صفر خمسمية وخمسة وخمسين ثلاثمية وواحد وعشرين أربعة وأربعين ثنين', '0555321442'],
    ['خمسمية وأربعة صفر صفر ستة وستين ثنين وعشرين', '504006622'],
    ['صفر مية وعشرة مية وخمسطعش ثلاثة', '01101153'],
    ['zero five hundred and forty two one two three', '0542123'],
    ['صفر خمسة اربعة ثلاث مرات صفر ثمانية', '0540008'],
    ['خمسة صفر ثلاث مرات', '5000'],
    ['three times zero five one', '00051'],
    ['مرتين خمسة صفر', '550'],
    ['خمسة مكرر صفر', '550'],
  ])('%s -> %s', (text, digits) => expect(said(text)).toBe(digits));

  it.each([
    'عندي واحد',
    'خمسة وعشرين ريال',
    'ست سبع',
    'one or two of them',
    'double trouble',
    'خمسمية ريال',
    'ألف وخمسمية وخمسين ريال',
    'five hundred people',
    'ثلاث مرات في الأسبوع',
    'مرتين يوميا',
    'oh no',
    'وصل ثلاثة أحمد وأربعة',
  ])('%s stays words', (text) => expect(said(text)).toBe(''));

  it('keeps the place of the words', () => {
    const reading = new Reading('رقمي صفر خمسة خمسة شكرا');
    const [first, , last] = reading.tokens.filter(({ type }) => type === 'digits');
    expect(reading.lower.slice(first!.start, last!.end)).toBe('صفر خمسه خمسه');
  });
});
