import { describe, expect, it } from 'vitest';
import { readSlot } from './read-slot.ts';

const M = '0551234567';
const ENGLISH: readonly (readonly [string, string | undefined])[] = [
  ['0551234567', M],
  ['055 123 4567', M],
  ['055-123-4567', M],
  ['+966551234567', M],
  ['+966 55 123 4567', M],
  ['00966551234567', M],
  ['966551234567', M],
  ['551234567', M],
  ['my number is 0551234567', M],
  ['zero five five one two three four five six seven', M],
  ['oh five five one two three four five six seven', M],
  ['zero five five, one two three, four five six seven', M],
  ['zero double five one two three four five six seven', M],
  ['five five one two three four five six seven', M],
  ['zero fifty five one twenty three forty five sixty seven', M],
  ['plus nine six six five five one two three four five six seven', M],
  ['it is zero five five um one two three four five six seven', M],
  ['you can reach me at 0551234567 thanks', M],
  ['0112345678', '0112345678'],
  ['zero one one two three four five six seven eight', '0112345678'],
  ['920012345', '920012345'],
  ['8001234567', '8001234567'],
  ['800 123 4567', '8001234567'],
  ['442071234567', '442071234567'],
  ['7654321', undefined], // no area code
  ['0912345678', undefined], // no such area
  ['no it is 0559876543', '0559876543'],
  ['zero five double nine triple one two two two', '0599111222'],
  ['zero five zero nine eight seven six five four three', '0509876543'],
  ['zero five, three sevens and then two nines one two three', '0577799123'],
  ['it ends in nine not eight zero five double nine triple one two two nine', '0599111229'],
  ['zero five five one two three', undefined],
  ['05512345678', undefined],
  ['4521', undefined],
  ['call me', undefined],
];
const ARABIC: readonly (readonly [string, string | undefined])[] = [
  ['٠٥٥١٢٣٤٥٦٧', M],
  ['٠٥٥ ١٢٣ ٤٥٦٧', M],
  ['جوالي ٠٥٥١٢٣٤٥٦٧', M],
  ['رقمي 0551234567', M],
  ['+٩٦٦٥٥١٢٣٤٥٦٧', M],
  ['صفر خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['صفر خمسه خمسه واحد ثنين ثلاثه اربعه خمسه سته سبعه', M],
  ['صفر خمسة خمسة، واحد اثنين ثلاثة، أربعة خمسة ستة سبعة', M],
  ['صفر خمسة وخمسين واحد ثلاثة وعشرين خمسة وأربعين سبعة وستين', M],
  ['خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['رقم جوالي صفر خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['هو صفر خمسة خمسة اه واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['صفر خمسة صفر تسعة ثمانية سبعة ستة خمسة أربعة ثلاثة', '0509876543'],
  ['صفر دبل خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['تسعة ستة ستة خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['صفر صفر تسعة ستة ستة خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['صفر واحد واحد اثنين ثلاثة أربعة خمسة ستة سبعة ثمانية', '0112345678'],
  ['تسعة اثنين صفر صفر واحد اثنين ثلاثة أربعة خمسة', '920012345'],
  ['لا، الرقم 0559876543', '0559876543'],
  ['سجل عندك ٠٥٣٣٢٢١١٠٠', '0533221100'],
  ['صفر خمسة ثلاثة ثلاثة اثنين اثنين واحد واحد صفر صفر', '0533221100'],
  ['صفر خمسة أربعة وأربعين أربعة وأربعين خمسة وخمسين خمسة', undefined],
  ['صفر خمسة أربعة أربعة أربعة أربعة خمسة خمسة خمسة خمسة', '0544445555'],
  ['٠٥٦ ٧٨٩ ٠١٢٣', '0567890123'],
  ['صفر خمسة ستة سبعة ثمانية تسعة صفر واحد اثنين ثلاثة', '0567890123'],
  ['زيرو خمسة خمسة واحد اثنين ثلاثة أربعة خمسة ستة سبعة', M],
  ['صفر خمسة ثلاث سبعات وبعدها تسعتين واحد اثنين ثلاثة', '0577799123'],
  ['صفر خمسة ستة وخمس ثمانيات واحد تنين', '0568888812'],
  ['آخره تسعة مو ثمانية صفر خمسة صفر تسعة ثمانية سبعة ستة خمسة أربعة تسعة', '0509876549'],
  ['صفر خمسة خمسة واحد اثنين', undefined],
  ['ما عندي جوال', undefined],
  ['نفس الرقم', undefined],
  ['بكرة الساعة أربع', undefined],
];

describe.each([
  ['English', ENGLISH],
  ['Arabic', ARABIC],
])('phone slot, %s', (_, rows) => {
  it.each(rows)('%s -> %s', (text, expected) => {
    expect(readSlot('phone', text)?.value.value).toBe(expected);
  });
});
