import { describe, expect, it } from 'vitest';
import {
  HIJRI_MONTH_AR,
  MONTH_AR,
  MONTH_EN,
  SHORT_MONTH_EN,
  SHORT_WEEKDAY_EN,
  WEEKDAY_AR,
  WEEKDAY_EN,
} from '../../../src/language/calendar/date-patterns.ts';

describe('how days and months are written', () => {
  it.each([
    { name: 'MONTH_EN', part: MONTH_EN, written: ['January', 'May', 'December'], not: ['january', 'Jan'] },
    { name: 'SHORT_MONTH_EN', part: SHORT_MONTH_EN, written: ['Jan', 'May', 'Dec'], not: ['Janu'] },
    { name: 'MONTH_AR', part: MONTH_AR, written: ['أبريل', 'ابريل', 'إبريل', 'ديسمبر'], not: ['محرم'] },
    { name: 'HIJRI_MONTH_AR', part: HIJRI_MONTH_AR, written: ['محرم', 'رمضان'], not: ['ربيع الأول', 'مارس'] },
    { name: 'WEEKDAY_EN', part: WEEKDAY_EN, written: ['Sunday', 'Wednesday'], not: ['Wed'] },
    { name: 'SHORT_WEEKDAY_EN', part: SHORT_WEEKDAY_EN, written: ['sun', 'tues', 'thurs'], not: ['sunday'] },
    { name: 'WEEKDAY_AR', part: WEEKDAY_AR, written: ['الأحد', 'الاحد', 'الاثنين', 'الإثنين', 'السبت'], not: ['أحد'] },
  ])('$name', ({ part, written, not }) => {
    const whole = new RegExp(`^(?:${part})$`, 'u');
    expect([...written, ...not].filter((word) => whole.test(word))).toEqual(written);
  });
});
