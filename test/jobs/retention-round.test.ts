import { describe, expect, it } from 'vitest';
import { forgetOld, type RetentionDeps } from '../../src/jobs/retention.ts';
import type { OldCall, RetentionDays } from '../../src/store/retention-rows.ts';
import { FakeClock } from '../support/fake-clock.ts';

const DAYS: RetentionDays = { recordingsDays: 1, transcriptsDays: 0, callsDays: 0, ordersDays: 1, refusalsDays: 1 };
const CALL_MS = 5;

/** So much that is old; what is done with a call takes a while. */
function books(old: { readonly calls: number; readonly orders: number; readonly refusals: number }) {
  const clock = new FakeClock();
  const left = { ...old };
  const open = Array.from({ length: old.calls }, (_, n) => `call_${n}`);
  const [broken, passed] = [new Set<string>(), [] as string[]];
  let isClosing = false;
  let closeAt = -1;
  const take = (kind: 'orders' | 'refusals', limit: number): Promise<number> => {
    const taken = Math.min(left[kind], limit);
    left[kind] -= taken;
    return Promise.resolve(taken);
  };
  const deps: RetentionDeps = {
    clock,
    isClosing: () => isClosing,
    passedOver: ({ id }) => void passed.push(id),
    store: {
      calls: { erase: () => Promise.reject(new Error('only its recording is old')) },
      erasures: { goOn: () => Promise.resolve() },
      recordings: {
        forget: (id) => {
          if (broken.has(id)) return Promise.reject(new RangeError('this one fails'));
          open.splice(open.indexOf(id), 1);
          left.calls -= 1;
          clock.advance(CALL_MS);
          isClosing = left.calls === closeAt;
          return Promise.resolve();
        },
      },
      retention: {
        oldCalls: (_days, limit, except = []) =>
          Promise.resolve(
            open
              .filter((id) => !except.includes(id))
              .slice(0, limit)
              .map((id): OldCall => ({ id, accountId: 'acc_1', whole: false, transcript: false, recording: true })),
          ),
        forgetTranscript: () => Promise.reject(new Error('only its recording is old')),
        forgetOrders: (_days, limit) => take('orders', limit),
        forgetRefusals: (_days, limit) => take('refusals', limit),
      },
    },
  };
  return {
    ...{ deps, left, broken, passed },
    closeWhen: (calls: number) => {
      closeAt = calls;
    },
  };
}

describe('a round of retention', () => {
  it('goes on while there is something old, of every kind', async () => {
    const { deps, left } = books({ calls: 1_000, orders: 300, refusals: 450 });
    expect(await forgetOld(deps, DAYS)).toEqual({ calls: 1_000, orders: 300, refusals: 450 });
    expect(left).toEqual({ calls: 0, orders: 0, refusals: 0 });
  });

  it('leaves what does not fit into half a minute to the next one, and keeps no other kind waiting for it', async () => {
    const { deps, left } = books({ calls: 10_000, orders: 300, refusals: 450 });
    expect(await forgetOld(deps, DAYS)).toEqual({ calls: 6_000, orders: 300, refusals: 450 });
    expect(await forgetOld(deps, DAYS)).toEqual({ calls: 4_000, orders: 0, refusals: 0 });
    expect(left.calls).toBe(0);
  });

  it('passes over what fails by itself, once a round, and gives it another turn in the next', async () => {
    const { deps, left, broken, passed } = books({ calls: 500, orders: 1, refusals: 1 });
    for (const id of ['call_0', 'call_1', 'call_499']) broken.add(id);
    expect(await forgetOld(deps, DAYS)).toEqual({ calls: 497, orders: 1, refusals: 1 });
    expect([left.calls, passed]).toEqual([3, ['call_0', 'call_1', 'call_499']]);
    broken.delete('call_1');
    expect(await forgetOld(deps, DAYS)).toEqual({ calls: 1, orders: 0, refusals: 0 });
    expect(left.calls).toBe(2);
  });

  it('ends where everything fails, or the database is away', async () => {
    const { deps, broken, passed } = books({ calls: 500, orders: 1, refusals: 1 });
    for (let n = 0; n < 500; n += 1) broken.add(`call_${n}`);
    await expect(forgetOld(deps, DAYS)).rejects.toThrow('this one fails');
    expect(passed.length).toBe(100);
    const lost = books({ calls: 5, orders: 1, refusals: 1 });
    const away = (): Promise<never> => Promise.reject(new Error('Connection terminated'));
    await expect(
      forgetOld({ ...lost.deps, store: { ...lost.deps.store, recordings: { forget: away } } }, DAYS),
    ).rejects.toThrow('Connection terminated');
    expect(lost.passed).toEqual([]);
  });

  it('ends in the middle of a piece when its gateway is to end', async () => {
    const { deps, left, closeWhen } = books({ calls: 1_000, orders: 0, refusals: 0 });
    closeWhen(750);
    expect(await forgetOld(deps, DAYS)).toEqual({ calls: 250, orders: 0, refusals: 0 });
    expect(left.calls).toBe(750);
  });
});
