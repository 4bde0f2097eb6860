import { describe, expect, it } from 'vitest';
import { formatOf } from '../../src/console/i18n/format.ts';
import type { Preferences } from '../../src/console/i18n/preferences.ts';

const EN: Preferences = { language: 'en', theme: 'auto', digits: 'latn', calendar: 'gregory', timeZone: 'Asia/Riyadh' };
const AR: Preferences = { ...EN, language: 'ar' };
/** Without the marks of direction that the rules of a language put between its parts. */
const plain = (text: string): string => text.replace(/[\u200e\u200f\u061c\u2066\u2069]/g, '').replace(/\u00a0/g, ' ');

describe('what people read', () => {
  it('has lengths as a clock shows them', () => {
    const { clock } = formatOf(EN);
    expect([clock(0), clock(65_400), clock(3_723_000), clock(65_480, 1)]).toEqual([
      '0:00',
      '1:05',
      '1:02:03',
      '1:05.4',
    ]);
    expect(formatOf({ ...AR, digits: 'arab' }).clock(65_000)).toBe('١:٠٥');
  });

  it('has times of the zone that was chosen, and the calendar', () => {
    const iso = '2026-11-25T22:30:00.000Z';
    expect(formatOf(EN).dateTime(iso)).toContain('26 Nov 2026');
    expect(formatOf({ ...EN, timeZone: 'UTC' }).dateTime(iso)).toContain('25 Nov 2026');
    expect(plain(formatOf({ ...AR, calendar: 'islamic-umalqura' }).day(iso))).toContain('1448');
    expect(plain(formatOf(AR).day(iso))).toMatch(/26 نوفمبر 2026/);
  });

  it('has money as cents of a dollar, spans and how long ago', () => {
    const en = formatOf(EN);
    expect(plain(en.money(1_234_567))).toBe('$12,345.67');
    expect(formatOf(AR).money(-1_205)).toBe('\u2066-$12.05\u2069');
    expect([en.span(430), en.span(1_240)]).toEqual(['430 ms', '1.2 secs']);
    expect(en.ago('2026-11-25T10:00:00Z', Date.parse('2026-11-25T10:04:10Z'))).toBe('4 minutes ago');
    expect(en.bytes(1_500_000)).toBe('1.5 MB');
  });
});
