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
    ['صفر خمسة ثلاثة عشر', '0513'],
    ['صفر خمسمية ميتين وثلاثة عشر', '0500213'],
  ])('%s -> %s', (text, digits) => expect(said(text)).toBe(digits));

  it.each([
    ['zero five five um one two three four', '0551234'],
    ['zero, uh, five five and then one two', '05512'],
    ['صفر خمسة خمسة اه واحد', '0551'],
    ['صفر خمسة يعني خمسة، امم، واحد', '0551'],
    ['055 um 123 4567', '0551234567'],
    ['٠٥٥ يعني ١٢٣ ٤٥٦٧', '0551234567'],
    ['Caller: zero five five. Agent: yes? Caller: one two three', '055123'],
    ['العميل: صفر خمسة خمسة. الموظف: تفضل. العميل: واحد اثنين ثلاثة', '055123'],
  ])('%s is one number that is read out', (text, digits) => {
    expect(said(text)).toBe(digits);
    const pieces = new Reading(text).tokens.filter(({ type }) => type === 'digits');
    expect(pieces.some(({ joined }) => joined !== undefined)).toBe(true);
  });

  it.each([
    'orders 4521 and 3090',
    'room 12, then room 14',
    'call 911 or 112',
    'طلبين 4521 و 3090',
    'Card: 4330\nCode: 9979',
  ])('%s is two numbers', (text) =>
    expect(new Reading(text).tokens.every(({ joined }) => joined === undefined)).toBe(true),
  );

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
