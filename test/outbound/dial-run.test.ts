import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import { DialRun } from '../../src/outbound/dial-run.ts';
import { OrderEvents } from '../../src/outbound/order-events.ts';
import type { DialOrderRow } from '../../src/store/dial-order-rows.ts';
import type { DialOrderState } from '../../src/store/schema.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { settle } from '../support/reception-rig.ts';
import { routeTo } from '../support/route.ts';

const ORDER = { id: 'ord_1', accountId: 'acc_1', retrySeconds: { busy: [60] } } as unknown as DialOrderRow;
const CANCELLED = callEnd('gateway', 'cancelled');

/** One attempt, and what it writes; `fails` writes fail before one succeeds. */
interface RunOptions {
  readonly sent?: () => Promise<boolean>;
  readonly fails?: number;
  readonly state?: DialOrderState; // that the row has after a write
}
function run({ sent = async () => true, fails = 0, state }: RunOptions = {}) {
  const written: string[] = [];
  const events: string[] = [];
  const hungUp: string[] = [];
  let [released, over, left] = [0, 0, fails];
  const write =
    (what: string) =>
    async (_id: string, _attempt: number, ...more: unknown[]) => {
      left -= 1;
      if (left >= 0) throw new Error('the database is away');
      const said = more.filter((one) => one !== undefined);
      written.push(
        [what, ...said.map((one) => (typeof one === 'object' ? (one as { reason: string }).reason : one))].join(' '),
      );
      return state as never;
    };
  const clock = new FakeClock();
  const told = new OrderEvents(silentLogger);
  told.listen(({ event }) => events.push(event));
  const attempt = new DialRun(
    {
      rows: {
        sent,
        ringing: write('ringing'),
        answered: write('answered'),
        finish: write('finish'),
        hold: write('hold'),
      },
      ...{ events: told, metrics: createMetrics(), clock, logger: silentLogger, pace: async () => undefined },
      hangUp: (callId) => hungUp.push(callId),
      over: () => {
        over += 1;
      },
    },
    ORDER,
    1,
    { ...routeTo('sip:x@127.0.0.1'), release: () => (released += 1) },
  );
  return { attempt, written, events, hungUp, clock, counts: () => [released, over] };
}

describe('one attempt of an order', () => {
  it('does not leave where somebody has cancelled meanwhile, and ends as cancelled', async () => {
    const r = run({ sent: async () => false });
    r.attempt.cancel();
    expect(await r.attempt.mayLeave('call_1')).toEqual(CANCELLED);
    await r.attempt.onEnd(CANCELLED);
    expect([r.written, r.events, r.counts()]).toEqual([['finish cancelled'], ['dial', 'cancel'], [1, 1]]);
  });

  it('does not leave where the row says no, though nobody told', async () => {
    const r = run({ sent: async () => false });
    expect(await r.attempt.mayLeave('call_1')).toEqual(CANCELLED);
  });

  it('waits again where the database is away before the INVITE', async () => {
    const r = run({ sent: async () => Promise.reject(new Error('away')) });
    const end = (await r.attempt.mayLeave('call_1'))!;
    expect([end.party, end.reason]).toEqual(['gateway', 'store-unavailable']);
    await r.attempt.onEnd(end);
    expect([r.written, r.events]).toEqual([['hold 1'], ['dial', 'hold']]);
  });

  it('writes what happened in order, however long the database is away, and frees its line at once', async () => {
    const r = run({ fails: 3 });
    expect(await r.attempt.mayLeave('call_1')).toBeUndefined();
    r.attempt.onProgress(100);
    r.attempt.onProgress(183);
    r.attempt.onProgress(180);
    const ended = r.attempt.onEnd(callEnd('network', 'busy'));
    await settle();
    expect([r.written, r.counts()]).toEqual([[], [1, 0]]);
    await r.clock.advanceAsync(5_000, 100);
    await ended;
    expect([r.written, r.events, r.counts()]).toEqual([
      ['ringing', 'finish busy 60'],
      ['dial', 'ring', 'retry'],
      [1, 1],
    ]);
  });

  it('ends as cancelled where the row says so, though nobody told', async () => {
    const r = run({ state: 'ended' });
    await r.attempt.mayLeave('call_1');
    await r.attempt.onEnd(callEnd('network', 'busy'));
    expect([r.written, r.events]).toEqual([['finish busy 60'], ['dial', 'retry', 'cancel']]);
  });

  it('is hung up by a cancel, once, and ends once', async () => {
    const r = run();
    await r.attempt.mayLeave('call_1');
    r.attempt.onAnswered();
    r.attempt.cancel();
    r.attempt.cancel();
    await r.attempt.onEnd(CANCELLED);
    await r.attempt.onEnd(callEnd('callee', 'callee-hangup'));
    expect([r.hungUp, r.events, r.counts()]).toEqual([['call_1'], ['dial', 'answer', 'cancel'], [1, 1]]);
  });
});
