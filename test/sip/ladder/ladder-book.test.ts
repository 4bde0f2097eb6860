import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/core/logger.ts';
import type { LadderRecord } from '../../../src/core/sip-ladder.ts';
import {
  BEGUN_PER_SECOND,
  LADDERS_MAX,
  LadderBook,
  SETTLE_MS,
  UNANSWERED_BURST,
  UNANSWERED_PER_SECOND,
} from '../../../src/sip/ladder/ladder-book.ts';
import { FakeClock } from '../../support/fake-clock.ts';

let clock: FakeClock;
let kept: LadderRecord[];
let book: LadderBook;
beforeEach(() => {
  clock = new FakeClock();
  kept = [];
  book = new LadderBook({ clock, logger: silentLogger, keep: async (ladders) => void kept.push(...ladders) });
});

const tell = (direction: 'in' | 'out', first: string, id: string, cseq: string): void =>
  book.trace({
    direction,
    peer: 'udp/192.0.2.7:5060',
    bytes: Buffer.from(`${first}\r\nCall-ID: ${id}\r\nCSeq: ${cseq}\r\n\r\n`),
  });
const invite = (id: string): void => tell('in', 'INVITE sip:a SIP/2.0', id, '1 INVITE');
const answer = (id: string, status: number): void => tell('out', `SIP/2.0 ${status} X`, id, '1 INVITE');
function bye(id: string): void {
  tell('in', 'BYE sip:a SIP/2.0', id, '2 BYE');
  tell('out', 'SIP/2.0 200 OK', id, '2 BYE');
}
const ids = (): string[] => kept.map(({ sipCallId }) => sipCallId);

describe('LadderBook', () => {
  it('keeps a call a moment after its end, and then knows nothing of it', async () => {
    invite('a');
    answer('a', 200);
    await clock.advanceAsync(60_000, 500);
    expect([ids(), book.size]).toEqual([[], 1]);
    bye('a');
    await clock.advanceAsync(SETTLE_MS - 100, 100);
    tell('in', 'BYE sip:a SIP/2.0', 'a', '2 BYE'); // again
    await clock.advanceAsync(SETTLE_MS - 100, 100);
    expect(ids()).toEqual([]);
    await clock.advanceAsync(1_000, 100);
    expect(ids()).toEqual(['a']);
    expect(kept[0]).toMatchObject({ inbound: true, answered: true, startedAt: new Date(clock.epochMs) });
    expect(kept[0]?.steps.map(({ direction }) => direction).join(' ')).toBe('in out in out in');
    expect([book.size, clock.pending]).toEqual([0, 0]);
  });

  it('follows calls of either side, and nothing else', async () => {
    tell('out', 'OPTIONS sip:a SIP/2.0', 'ping', '1 OPTIONS');
    tell('in', 'REGISTER sip:a SIP/2.0', 'reg', '1 REGISTER');
    tell('in', 'SIP/2.0 200 OK', 'unknown', '1 INVITE');
    tell('out', 'INVITE sip:a SIP/2.0', 'ours', '1 INVITE');
    expect(book.size).toBe(1);
    tell('in', 'SIP/2.0 486 Busy Here', 'ours', '1 INVITE');
    await clock.advanceAsync(3_000, 500);
    expect(kept).toMatchObject([{ sipCallId: 'ours', inbound: false, answered: false }]);
  });

  it('keeps a challenge and the attempt after it together', async () => {
    invite('a');
    answer('a', 401);
    await clock.advanceAsync(1_000, 500);
    tell('in', 'INVITE sip:a SIP/2.0', 'a', '2 INVITE');
    await clock.advanceAsync(10_000, 500);
    tell('out', 'SIP/2.0 200 OK', 'a', '2 INVITE');
    bye('a');
    await clock.advanceAsync(3_000, 500);
    expect(kept.map(({ steps }) => steps.length)).toEqual([6]);
  });

  it('knows whose call it is, also when that is told first', async () => {
    book.belongs('early', 'call_1');
    for (const id of ['early', 'late', 'own']) tell('out', 'INVITE sip:a SIP/2.0', id, '1 INVITE');
    book.belongs('late', 'call_2');
    await book.close();
    expect(kept.map(({ sipCallId, callId }) => `${sipCallId} ${callId}`)).toEqual([
      ...['early call_1', 'late call_2', 'own undefined'],
    ]);
  });

  it('keeps so many refused calls a second, and every answered one', async () => {
    for (let n = 0; n < 150; n += 1) {
      invite(`r${n}`);
      answer(`r${n}`, 403);
    }
    invite('a');
    answer('a', 200);
    bye('a');
    await clock.advanceAsync(5_000, 500);
    expect(ids().filter((id) => id.startsWith('r')).length).toBe(UNANSWERED_BURST);
    expect(ids()).toContain('a');
    expect(book.counters).toEqual({ kept: UNANSWERED_BURST + 1, skipped: 150 - UNANSWERED_BURST, failed: 0 });
    await clock.advanceAsync(1_000, 500);
    for (let n = 0; n < 150; n += 1) {
      invite(`s${n}`);
      answer(`s${n}`, 403);
    }
    await clock.advanceAsync(3_000, 500);
    const later = ids().filter((id) => id.startsWith('s')).length;
    expect(later).toBeGreaterThanOrEqual(UNANSWERED_PER_SECOND);
    expect(later).toBeLessThanOrEqual(UNANSWERED_BURST);
  });

  it('follows a bounded number: the oldest is kept as it is', async () => {
    for (let n = 0; n <= LADDERS_MAX; n += 1) {
      if (n % BEGUN_PER_SECOND === 0) clock.leap(1_000);
      invite(`${n}`);
    }
    expect(book.size).toBe(LADDERS_MAX);
    await clock.advanceAsync(1_000, 500);
    expect(ids()).toEqual(['0']);
  });

  it('does not read a flood', async () => {
    for (let n = 0; n < 10_000; n += 1) invite(`${n}`);
    expect([book.size, book.counters.skipped]).toEqual([BEGUN_PER_SECOND, 10_000 - BEGUN_PER_SECOND]);
    clock.leap(1_000);
    invite('later');
    expect(book.size).toBe(BEGUN_PER_SECOND + 1);
  });

  it('keeps what it has when it is closed, and follows nothing after', async () => {
    invite('a');
    answer('a', 200);
    await book.close();
    await book.close();
    invite('b');
    expect([ids(), book.size, clock.pending]).toEqual([['a'], 0, 0]);
  });

  it('goes on when the database does not take it', async () => {
    const failing = new LadderBook({ clock, logger: silentLogger, keep: () => Promise.reject(new Error('away')) });
    failing.trace({
      direction: 'in',
      peer: '',
      bytes: Buffer.from('INVITE sip:a SIP/2.0\r\nCall-ID: a\r\nCSeq: 1 INVITE\r\n\r\n'),
    });
    await failing.close();
    expect(failing.counters.failed).toBe(1);
  });
});
