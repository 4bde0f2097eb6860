import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type SlotConstraints, type SlotDefinition, type SlotType, WEEK_DAYS } from '../../../src/core/agent.ts';
import { addDays, dateValue, dayOf, isRealDay, weekdayOf } from '../../../src/language/calendar/calendar.ts';
import { isWithin, minutesOf } from '../../../src/language/values/opening-hours.ts';
import { refusalText } from '../../../src/language/values/refusal.ts';
import { REFUSAL_PHRASES } from '../../../src/language/values/refusal-phrases.ts';
import { same } from '../../../src/language/values/slot.ts';
import { settledHalf, timeValue } from '../../../src/language/values/time.ts';
import { unsettled } from '../../../src/language/values/unsettled.ts';
import { validate } from '../../../src/language/values/validate.ts';
import { wordsOf } from '../../../src/language/words.ts';
import { runs } from '../../support/property-runs.ts';
import { readSlot } from './read-slot.ts';

/** A Sunday, ten in the morning. */
const TODAY = { year: 2026, month: 11, day: 22 };
const NOW = { today: TODAY, minuteOfDay: 600 };
const slot = (type: SlotType, constraints?: SlotConstraints, more: Partial<SlotDefinition> = {}): SlotDefinition => ({
  name: 'slot',
  type,
  prompts: {},
  ...(constraints && { constraints }),
  ...more,
});
const plain = (value: string) => ({ value, say: same(value) });
const NOT_FRIDAY: SlotConstraints = { days: ['sun', 'mon', 'tue', 'wed', 'thu', 'sat'] };
const OPEN: SlotConstraints = { from: '09:00', to: '21:00' };

describe('a date and its rules', () => {
  const rules: SlotConstraints = { ...NOT_FRIDAY, earliestDays: 1, latestDays: 14, closed: ['2026-11-26'] };
  it.each([
    { name: 'a day that is open', rules, date: '2026-11-23', kind: undefined, en: '', ar: '' },
    { name: 'the last day', rules, date: '2026-12-06', kind: undefined, en: '', ar: '' },
    {
      ...{ name: 'a closed weekday', rules, date: '2026-11-27', kind: 'closed-weekday' },
      ...{ en: 'We are closed on Fridays.', ar: 'الجمعة إجازة عندنا.' },
    },
    {
      ...{ name: 'a closed day', rules, date: '2026-11-26', kind: 'closed-day' },
      ...{ en: 'We are closed on Thursday, November 26.', ar: 'عندنا إجازة الخميس 26 نوفمبر.' },
    },
    {
      ...{ name: 'too early', rules, date: '2026-11-22', kind: 'too-early' },
      ...{ en: 'The earliest day is tomorrow.', ar: 'أقرب يوم بكرة.' },
    },
    {
      ...{ name: 'too early, and the earliest day is closed', kind: 'too-early', date: '2026-11-22' },
      rules: { earliestDays: 1, days: ['tue'] as const },
      ...{ en: 'The earliest day is Tuesday, November 24.', ar: 'أقرب يوم الثلاثاء 24 نوفمبر.' },
    },
    {
      ...{ name: 'too late', rules, date: '2026-12-07', kind: 'too-late' },
      ...{ en: 'The latest day is Sunday, December 6.', ar: 'آخر يوم نقدر نحجزه الأحد 6 ديسمبر.' },
    },
    {
      ...{ name: 'past', rules, date: '2026-11-21', kind: 'past' },
      ...{ en: 'That has already passed.', ar: 'هذا الوقت فات.' },
    },
    { name: 'past, where nothing is demanded', rules: undefined, date: '1990-02-01', kind: undefined, en: '', ar: '' },
    {
      ...{ name: 'no such day', rules: undefined, date: '2026-02-30', kind: 'no-such-day' },
      ...{ en: 'February has only 28 days.', ar: 'فبراير 28 يوم بس.' },
    },
    {
      ...{ name: 'no date at all', rules: undefined, date: 'soon', kind: 'no-such-day' },
      ...{ en: 'January has only 31 days.', ar: 'يناير 31 يوم بس.' },
    },
  ])('$name', ({ rules: constraints, date, kind, en, ar }) => {
    const definition = slot('date', constraints);
    const refusal = validate(definition, plain(date), NOW);
    expect(refusal?.kind).toBe(kind);
    if (!refusal) return;
    expect(refusalText(refusal, definition, 'en')).toBe(en);
    expect(refusalText(refusal, definition, 'ar')).toBe(ar);
  });

  it("gives the author's reason where a rule refused, in the languages it was written in", () => {
    const definition = slot('date', { ...NOT_FRIDAY, why: { ar: 'نداوم السبت إلى الخميس.' } });
    const closed = validate(definition, plain('2026-11-27'), NOW)!;
    expect(refusalText(closed, definition, 'ar')).toBe('نداوم السبت إلى الخميس.');
    expect(refusalText(closed, definition, 'en')).toBe('We are closed on Fridays.');
    expect(refusalText(validate(definition, plain('2026-11-21'), NOW)!, definition, 'ar')).toBe('هذا الوقت فات.');
  });
});

describe('a time and its rules', () => {
  const LATE = { from: '20:00', to: '02:00' };
  it.each([
    { name: 'at opening', rules: OPEN, time: '09:00', day: undefined, kind: undefined, en: '' },
    { name: 'before closing', rules: OPEN, time: '20:59', day: undefined, kind: undefined, en: '' },
    {
      ...{ name: 'at closing', rules: OPEN, time: '21:00', day: undefined, kind: 'closed-hour' },
      en: 'Our hours are from 9 am to 9 pm.',
    },
    { name: 'too early', rules: { from: '09:00' }, time: '08:00', kind: 'before-opening', en: 'We open at 9 am.' },
    { name: 'too late', rules: { to: '21:00' }, time: '22:00', kind: 'after-closing', en: 'It has to be before 9 pm.' },
    { name: 'past midnight', rules: LATE, time: '01:30', kind: undefined, en: '' },
    { name: 'after a night', rules: LATE, time: '02:00', kind: 'closed-hour', en: 'Our hours are from 8 pm to 2 am.' },
    { name: 'gone today', rules: OPEN, time: '10:00', day: TODAY, kind: 'past', en: 'That has already passed.' },
    { name: 'later today', rules: OPEN, time: '10:01', day: TODAY, kind: undefined, en: '' },
    { name: 'the same tomorrow', rules: OPEN, time: '09:30', day: addDays(TODAY, 1), kind: undefined, en: '' },
    { name: 'no time', rules: {}, time: '25:00', kind: 'no-such-time', en: 'There is no such time.' },
  ])('$name', ({ rules, time, day, kind, en }) => {
    const definition = slot('time', rules);
    const refusal = validate(definition, plain(time), { ...NOW, ...(day && { day }) });
    expect(refusal?.kind).toBe(kind);
    if (refusal) expect(refusalText(refusal, definition, 'en')).toBe(en);
  });
});

describe('choices and identifiers', () => {
  const choices = [{ value: 'morning', say: { en: ['morning'] }, hours: { from: '08:00', to: '10:00' } }];
  it.each([
    { name: 'a part of the day', type: 'choice', value: 'morning', day: undefined, kind: undefined },
    { name: 'a part of the day that is over', type: 'choice', value: 'morning', day: TODAY, kind: 'past' },
    { name: 'no choice', type: 'choice', value: 'noon', day: undefined, kind: 'no-such-choice' },
    { name: 'digits', type: 'digits', value: '4521', day: undefined, kind: undefined },
    { name: 'a digit too few', type: 'digits', value: '452', day: undefined, kind: 'wrong-length' },
    { name: 'any text', type: 'text', value: 'x', day: undefined, kind: undefined },
  ] as const)('$name', ({ type, value, day, kind }) => {
    const definition = slot(type, undefined, type === 'choice' ? { choices } : { minDigits: 4, maxDigits: 4 });
    expect(validate(definition, plain(value), { ...NOW, ...(day && { day }) })?.kind).toBe(kind);
  });
});

describe('what was said and is no value', () => {
  const WINDOWS: SlotDefinition['choices'] = [
    { value: 'morning', say: { en: ['in the morning', 'morning'] }, hours: { from: '08:00', to: '12:00' } },
    { value: 'afternoon', say: { en: ['in the afternoon', 'afternoon'] }, hours: { from: '12:00', to: '17:00' } },
    { value: 'evening', say: { en: ['in the evening', 'at night'] }, hours: { from: '17:00', to: '22:00' } },
  ];
  it.each([
    ['date', 'the 31st of february', 'February has only 28 days.'],
    ['date', 'november 31st please', 'November has only 30 days.'],
    ['date', 'friday the 31st of november', 'November has only 30 days.'],
    ['date', '31/11', 'November has only 30 days.'],
    ['date', 'واحد وثلاثين نوفمبر', 'نوفمبر 30 يوم بس.'],
    ['date', 'ثلاثين شباط', 'فبراير 28 يوم بس.'],
    ['date', '٣١ هالشهر', 'نوفمبر 30 يوم بس.'],
    ['date', 'واحد وثلاثين رمضان', 'رمضان 30 يوم بس.'],
    ['date', 'Tuesday the 24th of December', 'December 24 is a Thursday.'],
    ['date', 'الثلاثاء 24 ديسمبر', '24 ديسمبر يوافق يوم الخميس.'],
    ['date', 'Friday the fifth', 'December 5 is a Saturday.'],
    ['date', 'tomorrow, Tuesday', 'November 23 is a Monday.'],
    ['date', 'the weekend', 'Which day of the weekend would that be?'],
    ['date', 'الويكند', 'أي يوم من نهاية الأسبوع؟'],
    ['date', 'next Monday', undefined],
    ['date', 'what days do you have', undefined],
    ['choice', 'at eight', 'Do you mean 8 am, or 8 pm?'],
    ['choice', 'the first one', undefined],
    ['text', 'the 31st of february', undefined],
  ] as const)('%s: %s -> %s', (type, text, sentence) => {
    const definition = slot(type, undefined, { choices: WINDOWS });
    const refused = unsettled(wordsOf(text), { today: TODAY, definition, asked: true });
    const language = /[؀-ۿ]/.test(text) ? 'ar' : 'en';
    expect(refused && refusalText(refused.refusal, definition, language)).toBe(sentence);
    if (refused) expect(readSlot(type, text, { definition, today: TODAY })).toBeUndefined();
  });

  it.each([
    ['the 31st of february, no, the 1st of march', '2027-03-01'],
    ['ها نوفمبر ما فيه واحد وثلاثين؟ طيب ثلاثين نوفمبر', '2026-11-30'],
    ['الويكند يعني الجمعة', '2026-11-27'],
    ['the 5th of march', '2027-03-05'],
    ['friday the fourth of december', '2026-12-04'],
    ['بكرة الاثنين', '2026-11-23'],
    ['29 february 2028', '2028-02-29'],
    ['tonight', '2026-11-22'],
    ['today please', '2026-11-22'],
  ])('%s is %s', (text, date) => {
    expect(readSlot('date', text, { today: TODAY })?.value.value).toBe(date);
    expect(unsettled(wordsOf(text), { today: TODAY, definition: slot('date'), asked: true })).toBeUndefined();
  });

  it.each([
    ['at 3 pm', 'afternoon'],
    ['at three', 'afternoon'],
    ['seven pm', 'evening'],
    ["ten o'clock", 'morning'],
    ['the first one', 'morning'],
    ['noon', 'afternoon'],
  ])('the part of the day of "%s" is %s', (text, value) => {
    expect(readSlot('choice', text, { definition: { choices: WINDOWS } })?.value.value).toBe(value);
  });
});

describe('an hour without morning or evening', () => {
  const LONG_DAY: SlotConstraints = { from: '07:00', to: '23:00' };
  it.each([
    ['at three', OPEN, '15:00'],
    ['الساعة ثمان', OPEN, '20:00'],
    ['الساعة تسع', OPEN, '09:00'],
    ['eight in the morning', OPEN, '08:00'],
    ['at three', { from: '08:00', to: '12:00' }, '15:00'],
    ['eight', undefined, '08:00'],
    ['eight', LONG_DAY, undefined],
    ['eight, eight in the evening', LONG_DAY, '20:00'],
    ['احداشر الصبح', OPEN, '11:00'],
    ['الساعة احد عشر ونص', OPEN, '11:30'],
    ['اثنعشر', OPEN, '12:00'],
    ['ثنعش الظهر', OPEN, '12:00'],
    ['الساعة وحدة', OPEN, '13:00'],
    ['الساعة الثانية عشرة', OPEN, '12:00'],
  ] as const)('%s, %j -> %s', (text, constraints, value) => {
    expect(readSlot('time', text, { definition: { ...(constraints && { constraints }) } })?.value.value).toBe(value);
  });

  it('is asked about where both halves of the day are open, and settled by the answer', () => {
    const definition = slot('time', LONG_DAY);
    const refused = unsettled(wordsOf('at half past eight'), { today: TODAY, definition, asked: true });
    expect(refused && refusalText(refused.refusal, definition, 'en')).toBe('Do you mean 8:30 am, or 8:30 pm?');
    const options = refused!.refusal.options!;
    expect(settledHalf(options, wordsOf('the evening one'))?.value.value).toBe('20:30');
    expect(settledHalf(options, wordsOf('الصبح'))?.value.value).toBe('08:30');
    expect(settledHalf(options, wordsOf('yes'))).toBeUndefined();
  });
});

describe('whatever is said', () => {
  const days = fc.record({
    year: fc.integer({ min: 2024, max: 2031 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
  });
  const word = fc.oneof(
    fc.constantFrom(
      ...'the of on next 31st 30th 29 31 32 february november يوم شباط نوفمبر واحد وثلاثين ثلاثين هالشهر'.split(' '),
      ...'friday tuesday tomorrow بكره الجمعه الاحد بعد شهر 2 2027 رمضان صفر 31/2 30-2-2027 2027-02-30 in weeks'.split(
        ' ',
      ),
    ),
    fc.integer({ min: 0, max: 40 }).map(String),
  );

  it('no date is read that does not exist', () => {
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 8 }), days, fc.boolean(), (words, today, asked) => {
        const found = readSlot('date', words.join(' '), { today, asked });
        if (!found) return;
        expect(dayOf(found.value.value)).toBeDefined();
        expect(validate(slot('date'), found.value, { today, minuteOfDay: 0 })).toBeUndefined();
      }),
      { numRuns: runs(5_000) },
    );
  });

  it('a month without that day gives no date, whatever stands around it', () => {
    const months = fc.constantFrom(['february', 30], ['november', 31], ['april', 31], ['june', 31], ['september', 31]);
    fc.assert(
      fc.property(
        months,
        fc.constantFrom('%d of %m', '%m %d', 'the %d of %m please', 'on %d %m at five'),
        days,
        (said, form, today) => {
          const text = form.replace('%d', String(said[1])).replace('%m', String(said[0]));
          expect(readSlot('date', text, { today }), text).toBeUndefined();
          expect(unsettled(wordsOf(text), { today, definition: slot('date'), asked: true })?.refusal.kind).toBe(
            'no-such-day',
          );
        },
      ),
      { numRuns: runs(500) },
    );
  });

  it('a date stands exactly where every rule of it holds', () => {
    const rules = fc.record(
      {
        days: fc.uniqueArray(fc.constantFrom(...WEEK_DAYS), { minLength: 1 }),
        earliestDays: fc.integer({ min: 0, max: 10 }),
        latestDays: fc.integer({ min: 0, max: 30 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(rules, days, fc.integer({ min: -5, max: 40 }), (constraints, today, ahead) => {
        const day = addDays(today, ahead);
        const stands =
          ahead >= (constraints.earliestDays ?? 0) &&
          ahead <= (constraints.latestDays ?? Infinity) &&
          (constraints.days === undefined || constraints.days.includes(WEEK_DAYS[weekdayOf(day)]!));
        const definition = slot('date', constraints);
        const refusal = validate(definition, dateValue(day, today), { today, minuteOfDay: 0 });
        expect(refusal === undefined).toBe(stands);
        for (const language of ['ar', 'en'] as const) {
          if (refusal) expect(refusalText(refusal, definition, language)).not.toMatch(/\{\{|undefined|^$/);
        }
      }),
      { numRuns: runs(3_000) },
    );
  });

  it('a time stands exactly within its hours', () => {
    const clock = fc.integer({ min: 0, max: 1_439 }).map((m) => timeValue(Math.floor(m / 60), m % 60));
    fc.assert(
      fc.property(clock, clock, clock, (from, to, said) => {
        const constraints = { from: from.value, to: to.value };
        const stands = isWithin(minutesOf(said.value)!, constraints);
        expect(validate(slot('time', constraints), said, NOW) === undefined).toBe(stands);
      }),
      { numRuns: runs(2_000) },
    );
  });

  it('every refusal has its sentence in both languages, with the same names', () => {
    const names = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]!).sort();
    for (const { en, ar } of Object.values(REFUSAL_PHRASES)) expect(names(ar)).toEqual(names(en));
    expect(isRealDay({ year: 2026, month: 2, day: 31 })).toBe(false);
  });
});
