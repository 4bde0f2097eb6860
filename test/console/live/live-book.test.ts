import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Pace } from '../../../src/console/api/pace.ts';
import { LevelHub } from '../../../src/console/pages/live/level-hub.ts';
import { type ListedLive, LiveBook } from '../../../src/console/pages/live/live-book.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const listed = (id: string, more: Partial<ListedLive> = {}): ListedLive => ({
  ...{ id, direction: 'inbound', agent_id: 'agt_1', agent: 'Emma', from: '+966500000001', to: '1000' },
  ...{ started_at: `2026-03-01T10:00:0${id.at(-1)}.000Z`, answered_at: null, ...more },
});
const started = (id: string) => ({
  type: 'call.started',
  data: { ...listed(id), at: `2026-03-01T10:00:0${id.at(-1)}.000Z` },
});
const told = (type: string, id: string, data: object = {}) => ({ type, data: { id, ...data } });
const ids = (book: LiveBook): string[] => book.rows().map(({ id }) => id);
/** Everything that waits to be told is told. */
const settle = () => vi.runAllTimers();

describe('calls that go on', () => {
  it('begin with a list, the newest first, and follow what happens', () => {
    const book = new LiveBook();
    book.list([listed('c1', { last_words: { role: 'agent', text: 'Hello' } }), listed('c2')], book.mark(), true);
    book.hear(started('c3'), 0);
    book.hear(told('call.answered', 'c3', { at: '2026-03-01T10:00:05.000Z' }), 0);
    book.hear(told('call.interim', 'c3', { text: 'where is' }), 0);
    settle();
    expect(ids(book)).toEqual(['c3', 'c2', 'c1']);
    expect(book.rows()[0]).toMatchObject({ interim: 'where is', answeredAt: '2026-03-01T10:00:05.000Z' });
    book.hear(told('call.turn', 'c3', { role: 'caller', text: 'where is my order' }), 0);
    settle();
    expect(book.rows()[0]).toMatchObject({ interim: '', last: { role: 'caller', text: 'where is my order' } });
    expect(book.rows()[2]).toMatchObject({ last: { text: 'Hello' } });
  });

  it('keep the rows that did not change, so that they are not drawn anew', () => {
    const book = new LiveBook();
    book.list([listed('c1'), listed('c2')], book.mark(), true);
    settle();
    const before = book.rows();
    book.hear(told('call.interim', 'c1', { text: 'yes' }), 0);
    settle();
    expect(book.rows()).not.toBe(before);
    expect(book.rows()[0]).toBe(before[0]);
    expect(book.rows()[1]).not.toBe(before[1]);
  });

  it('are told in one go, however much was said', () => {
    const book = new LiveBook();
    let tells = 0;
    book.watch(() => {
      tells += 1;
    });
    book.list([listed('c1')], book.mark(), true);
    for (let n = 0; n < 50; n += 1) book.hear(told('call.interim', 'c1', { text: `word ${n}` }), 0);
    settle();
    expect(tells).toBe(2);
    expect(book.rows()[0]!.interim).toBe('word 49');
  });

  it('show how they ended for a while, and go', () => {
    const book = new LiveBook();
    book.list([listed('c1')], book.mark(), true);
    book.hear(told('call.ended', 'c1', { end: { party: 'caller', reason: 'caller-hangup' } }), 1_000);
    book.sweep(6_900);
    settle();
    expect(book.rows()[0]?.end).toEqual({ reason: 'caller-hangup', atMs: 1_000 });
    book.sweep(7_000);
    settle();
    expect(ids(book)).toEqual([]);
  });

  it('trust what happened while a list was on its way more than the list', () => {
    const book = new LiveBook();
    book.list([listed('c1'), listed('c2')], book.mark(), true);
    const mark = book.mark();
    book.hear(told('call.ended', 'c1', { end: null }), 0);
    book.hear(started('c3'), 0);
    book.sweep(60_000);
    book.list([listed('c1'), listed('c2')], mark, true); // of before
    settle();
    expect(ids(book)).toEqual(['c3', 'c2']);
  });

  it('are let go of where a whole list has them no more, and only then', () => {
    const book = new LiveBook();
    book.list([listed('c1'), listed('c2')], book.mark(), true);
    book.list([listed('c2')], book.mark(), false);
    settle();
    expect(ids(book)).toEqual(['c2', 'c1']);
    book.list([listed('c2')], book.mark(), true);
    settle();
    expect(ids(book)).toEqual(['c2']);
  });

  it('have words of the list where no events come of them, as of another gateway', () => {
    const book = new LiveBook();
    const words = (text: string) => ({ last_words: { role: 'agent' as const, text } });
    book.list([listed('c1', words('one'))], book.mark(), true);
    book.list([listed('c1', words('two'))], book.mark(), true);
    settle();
    expect(book.rows()[0]!.last?.text).toBe('two');
    book.hear(told('call.turn', 'c1', { role: 'caller', text: 'three' }), 0);
    book.list([listed('c1', words('two'))], book.mark(), true);
    settle();
    expect(book.rows()[0]!.last?.text).toBe('three');
  });

  it('are none of what is said wrong, or of others', () => {
    const book = new LiveBook();
    book.hear({ type: 'call.started', data: { id: 'c1', agent: 7 } }, 0);
    book.hear({ type: 'call.turn', data: { id: 'c9', role: 'caller', text: 'hello' } }, 0);
    book.hear({ type: 'alert', data: {} }, 0);
    settle();
    expect(ids(book)).toEqual([]);
  });
});

describe('levels', () => {
  it('go to whoever draws that call, and silence where none was told', () => {
    const hub = new LevelHub();
    const seen: [number, number][] = [];
    const stop = hub.watch('c1', (caller, agent) => seen.push([caller, agent]));
    hub.tell({ c1: [-9, -54], c2: [-9, -9] });
    hub.tell({});
    hub.tell({ c1: 'loud' });
    hub.tell({ c1: [-31.5, null] });
    stop();
    hub.tell({ c1: [-9, -9] });
    expect(seen).toEqual([
      [1, 0],
      [0, 0],
      [0, 0],
      [0.5, 0],
    ]);
  });
});

describe('a pace', () => {
  it('acts at once, then once for all that was wished meanwhile', () => {
    let acted = 0;
    const pace = new Pace(100, () => {
      acted += 1;
    });
    for (let n = 0; n < 5; n += 1) pace.wish();
    expect(acted).toBe(1);
    vi.advanceTimersByTime(100);
    expect(acted).toBe(2);
    vi.advanceTimersByTime(1_000);
    expect(acted).toBe(2);
    pace.wish();
    pace.wish();
    pace.stop();
    vi.advanceTimersByTime(1_000);
    expect(acted).toBe(3);
  });
});
