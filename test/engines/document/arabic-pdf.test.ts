import { describe, expect, it } from 'vitest';
import { repairMarks, repairWords, suspectWords } from '../../../src/engines/document/extract/arabic-pdf.ts';
import { assembleLines } from '../../../src/engines/document/extract/pdf-lines.ts';

describe('turned lam-alef', () => {
  it.each([
    ['turned', ['تاريخ االستالم خالل أسبوع'], true],
    ['turned, alone', ['ال يمكن االسترجاع'], true],
    ['straight', ['تاريخ الاستلام خلال أسبوع'], false],
    ['no lam-alef at all', ['مدرسة البنات'], false],
    ['one slip among straight words', ['الاستلام الاستبدال الاسترجاع الاتصال للاستفسار', 'اال'], false],
    ['another language', ['the door'], false],
  ])('%s', (_, lines, turned) => {
    expect(suspectWords(lines)).toBe(turned);
  });

  it.each([
    ['االستالم', 'الاستلام'],
    ['واالستبدال', 'والاستبدال'],
    ['لالستفسار', 'للاستفسار'],
    ['باالتفاق', 'بالاتفاق'],
    ['األصلية', 'الأصلية'],
    ['اإللكترونيات', 'الإلكترونيات'],
    ['إال', 'إلا'],
    ['ال', 'لا'],
    ['وال', 'ولا'],
    ['خالل', 'خلال'],
    ['العمالء', 'العملاء'],
    ['طالب', 'طالب'], // may be either: left alone
    ['مالك', 'مالك'],
    ['ثالث', 'ثالث'],
    ['المالية', 'المالية'],
  ])('%s without knowledge of glyphs: %s', (turned, right) => {
    expect(repairWords([turned], [])).toEqual([right]);
  });

  it('glyphs decide what letters cannot', () => {
    const glyphs = [
      { reversed: 'الطالب', right: 'الطلاب' },
      { reversed: 'الطالب', right: 'الطالب' },
      { reversed: 'حفلة', right: 'حفلة' },
    ];
    // Drawn from the left: the last word of the line first.
    expect(repairWords(['حفلة الطالب الطالب'], glyphs)).toEqual(['حفلة الطالب الطلاب']);
  });

  it('marks keep their places', () => {
    expect(repairWords(['رياالً'], [{ reversed: 'رياال', right: 'ريالا' }])).toEqual(['ريالاً']);
    expect(repairMarks('14 يوما ً من')).toBe('14 يوماً من');
    expect(repairMarks('خصم 10 %')).toBe('خصم 10%');
  });
});

describe('lines from pieces of a page', () => {
  const piece = (text: string, x: number, y: number, width: number, size = 12) => ({
    text,
    rtl: false,
    x,
    y,
    width,
    size,
  });
  it.each([
    ['left to right', [piece('fee', 60, 700, 20), piece('20', 84, 700, 12)], ['fee 20']],
    ['no gap, no space', [piece('20', 60, 700, 12), piece('%', 72, 700, 8)], ['20%']],
    [
      'right to left',
      [piece('خلال', 400, 700, 40), piece('14', 380, 700, 14), piece('يوماً', 330, 700, 44)],
      ['خلال 14 يوماً'],
    ],
    ['columns of a table', [piece('Card', 60, 700, 24), piece('50', 300, 700, 12)], ['Card   50']],
    ['two lines', [piece('a', 60, 700, 6), piece('b', 60, 686, 6)], ['a', 'b']],
    ['a raised letter stays in its line', [piece('m', 60, 700, 8), piece('2', 68, 704, 4, 7)], ['m2']],
    ['presentation forms become letters', [piece('ﻼ', 60, 700, 8)], ['لا']],
    ['nothing', [piece('  ', 60, 700, 8)], []],
  ])('%s', (_, items, lines) => {
    expect(assembleLines(items).map((line) => line.text)).toEqual(lines);
  });
});
