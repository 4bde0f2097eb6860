import { describe, expect, it } from 'vitest';
import { type CallEnd, callEnd } from '../../src/call/call-end.ts';
import { CallRegistry, type LiveCall } from '../../src/call/call-registry.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { settle } from '../support/reception-rig.ts';

const END = callEnd('gateway', 'shutdown');

function rig(capacity = 2) {
  const clock = new FakeClock();
  const counts: number[] = [];
  const closed: string[] = [];
  const registry = new CallRegistry(capacity, clock, (count) => counts.push(count));
  const call = (id: string, accountId = 'acc_a', close?: (end: CallEnd) => Promise<void>): LiveCall => ({
    ...{ id, accountId, sipCallId: id, agentId: 'agt', startedAt: clock.utc() },
    close: async (end) => {
      closed.push(`${id} ${end.reason}`);
      await close?.(end);
      registry.remove(id);
    },
  });
  return { clock, counts, closed, registry, call };
}

describe('the registry of calls', () => {
  it('counts its calls, all and of one account, and says when it is full', () => {
    const { registry, counts, call } = rig();
    registry.add(call('one'));
    expect([registry.full, registry.countOf('acc_a'), registry.countOf('acc_b')]).toEqual([false, 1, 0]);
    registry.add(call('two', 'acc_b'));
    expect([registry.full, registry.countOf('acc_a'), registry.countOf('acc_b')]).toEqual([true, 1, 1]);
    registry.remove('one');
    registry.remove('one'); // told once
    registry.remove('never there');
    expect([registry.full, registry.list().map(({ id }) => id), counts]).toEqual([false, ['two'], [1, 2, 1]]);
  });

  it('is drained by the end of its last call, and of no other', async () => {
    const { registry, call, clock } = rig();
    registry.add(call('one'));
    registry.add(call('two'));
    let drained = 0;
    void registry.drain(1000, END).then(() => {
      drained += 1;
    });
    expect(registry.draining).toBe(true);
    registry.remove('one');
    await settle();
    expect(drained).toBe(0);
    registry.remove('two');
    await settle();
    expect([drained, clock.pending]).toEqual([1, 0]);
  });

  it('with nothing in it is drained at once', async () => {
    const { registry, clock } = rig();
    let drained = false;
    void registry.drain(1000, END).then(() => {
      drained = true;
    });
    await settle();
    expect([drained, registry.draining, clock.pending]).toEqual([true, true, 0]);
  });

  it('closes what is left when the time is up, and waits for all of it, whatever one of them does', async () => {
    const { registry, call, clock, closed } = rig(3);
    let release = (): void => {};
    registry.add(call('broken', 'acc_a', () => Promise.reject(new Error('bug'))));
    registry.add(
      call(
        'slow',
        'acc_a',
        () =>
          new Promise((resolve) => {
            release = resolve;
          }),
      ),
    );
    let drained = false;
    void registry.drain(1000, END).then(() => {
      drained = true;
    });
    await clock.advanceAsync(990);
    expect(closed).toEqual([]);
    await clock.advanceAsync(10);
    await settle();
    expect([closed, drained]).toEqual([['broken shutdown', 'slow shutdown'], false]);
    release();
    await settle();
    expect(drained).toBe(true);
  });
});
