import { describe, expect, it } from 'vitest';
import {
  dayOf,
  filtersOf,
  isDay,
  marked,
  queryOf,
  startOfDay,
  withFilter,
} from '../../../src/console/pages/calls/filters.ts';

const NOW = Date.parse('2026-03-10T22:30:00Z'); // the 11th in Riyadh
const RIYADH = 'Asia/Riyadh';
const query = (address: string) => queryOf(filtersOf(new URLSearchParams(address)), NOW, RIYADH);

describe('filters of the address', () => {
  it('are asked for as the operation has them', () => {
    expect(
      query(
        'q=order&agent=agt_1&direction=inbound&state=ended&from=05&to=10&min=30&end=busy&recording=yes&answered=human',
      ),
    ).toEqual({
      ...{ q: 'order', agent_id: 'agt_1', direction: 'inbound', state: 'ended', from: '05', to: '10' },
      ...{ min_seconds: 30, end_reason: 'busy', has_recording: 'true', answered_by: 'human' },
    });
  });

  it('are left out where they make no sense', () => {
    expect(query('direction=up&state=x&min=-3&recording=maybe&answered=dog&range=year&since=2026-02-30&q=++')).toEqual(
      {},
    );
    expect(query('min=1.5')).toEqual({});
  });

  it('have days of the person, the last one whole', () => {
    expect(query('since=2026-03-01&until=2026-03-02')).toEqual({
      since: '2026-02-28T21:00:00.000Z',
      until: '2026-03-02T21:00:00.000Z',
    });
  });

  it.each([
    ['today', '2026-03-10T21:00:00.000Z'],
    ['week', '2026-03-04T21:00:00.000Z'],
    ['month', '2026-02-09T21:00:00.000Z'],
  ])('%s begins at midnight of the person', (range, since) => {
    expect(query(`range=${range}`)).toEqual({ since });
  });

  it('are set and taken away, and keep what else the address has', () => {
    const next = withFilter(new URLSearchParams('q=a&other=1&end=busy'), { end: '', agent: 'x' });
    expect(next.toString()).toBe('q=a&other=1&agent=x');
  });

  it('have either a range or days of their own', () => {
    expect(withFilter(new URLSearchParams('since=2026-01-01&until=2026-01-02'), { range: 'week' }).toString()).toBe(
      'range=week',
    );
    expect(withFilter(new URLSearchParams('range=week'), { since: '2026-01-01' }).toString()).toBe('since=2026-01-01');
    // Taking a day away leaves the range of another choice alone.
    expect(withFilter(new URLSearchParams('range=week'), { since: '' }).toString()).toBe('range=week');
  });
});

describe('days', () => {
  it('are those of the time zone', () => {
    expect(dayOf(NOW, RIYADH)).toBe('2026-03-11');
    expect(dayOf(NOW, 'UTC')).toBe('2026-03-10');
  });

  it.each([
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z'], // the clock goes forward on this day
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00:00.000Z'], // and back on this one
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00:00.000Z'],
    ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z'],
    ['2026-01-01', 'Asia/Kathmandu', '2025-12-31T18:15:00.000Z'],
  ])('%s in %s begins at %s', (day, zone, begins) => {
    expect(startOfDay(day, zone)).toBe(begins);
  });

  it.each([
    ['2026-02-28', true],
    ['2026-02-30', false],
    ['2026-2-3', false],
    ['yesterday', false],
  ])('%s is one: %s', (text, is) => {
    expect(isDay(text)).toBe(is);
  });
});

describe('words of a search', () => {
  const hits = (text: string, search: string): string[] =>
    marked(text, search)
      .filter(({ isHit }) => isHit)
      .map(({ text: piece }) => piece);

  it('are marked by their beginnings, and the text stays whole', () => {
    expect(hits('Where is my order? Reorder it.', 'ORD')).toEqual(['order']);
    const pieces = marked('Where is my order?', 'order where');
    expect(pieces.map(({ text }) => text).join('')).toBe('Where is my order?');
    expect(hits('Where is my order?', 'order where')).toEqual(['Where', 'order']);
  });

  it('are found however Arabic is spelt', () => {
    expect(hits('أبغى إلغاء الطلبيّة', 'الغاء')).toEqual(['إلغاء']);
    expect(hits('موعد الدكتورة', 'الدكتوره')).toEqual(['الدكتورة']);
  });

  it('are none where nothing is searched for, or signs alone', () => {
    expect(hits('a b', '')).toEqual([]);
    expect(hits('a b', '? !')).toEqual([]);
  });
});
