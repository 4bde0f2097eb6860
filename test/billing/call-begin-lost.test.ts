import { describe, expect, it } from 'vitest';
import { StoredCallBook } from '../../src/billing/call-book.ts';
import type { ChargeFact } from '../../src/billing/charge-fact.ts';
import { NotSent } from '../../src/billing/group-commit.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { createMetrics } from '../../src/core/metrics.ts';
import type { CallStart } from '../../src/store/call-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';

const CALL = { id: 'call_1', accountId: 'acc_1' } as CallStart;

/** What a book does whose database answers the beginning of a call so. */
async function outcomeOf(
  failure: unknown,
): Promise<{ readonly outcome: string; readonly facts: readonly ChargeFact[] }> {
  const facts: ChargeFact[] = [];
  const book = new StoredCallBook({
    openings: { begin: () => Promise.reject(failure) },
    applier: { pending: 0, add: (fact: ChargeFact) => void facts.push(fact) },
    prices: { liveMinuteCents: 5 },
    clock: new FakeClock(),
    logger: silentLogger,
    metrics: createMetrics(),
  } as unknown as ConstructorParameters<typeof StoredCallBook>[0]);
  return { outcome: await book.begin(CALL), facts };
}

describe('a call whose beginning fails', () => {
  it('is closed where the connection broke: it may have begun', async () => {
    const { outcome, facts } = await outcomeOf(Object.assign(new Error('reset'), { code: 'ECONNRESET' }));
    expect(outcome).toBe('unavailable');
    expect(facts).toMatchObject([
      { type: 'finish', callId: CALL.id, summary: { answered: false }, firstMinuteCents: 0 },
    ]);
  });

  it.each([
    ['could not be sent', new NotSent(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))],
    ['was refused by the database', Object.assign(new Error('no such column'), { code: '42703' })],
  ])('leaves nothing behind where it %s', async (_, failure) => {
    expect(await outcomeOf(failure)).toEqual({ outcome: 'unavailable', facts: [] });
  });
});
