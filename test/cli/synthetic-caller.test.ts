import { describe, expect, it } from 'vitest';
import { type CallEnd, type CallEndReason, callEnd } from '../../src/call/call-end.ts';
import { LegError } from '../../src/call/leg.ts';
import { type CallerReport, type CallerStep, SyntheticCaller } from '../../src/cli/synthetic-caller.ts';
import { byeHeadersOf, endOfBye } from '../../src/sip/status.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { FakeLeg } from '../support/fake-leg.ts';
import { FakeMediaPort } from '../support/fake-media-port.ts';
import { LevelVad } from '../support/level-vad.ts';

const SECOND = new Int16Array(8000).fill(9000);
const speak = (label: string): CallerStep => ({ type: 'speak', samples: SECOND, label });

/** A call whose other side speaks at given moments after the answer. */
async function place(
  steps: readonly CallerStep[],
  speech: readonly (readonly [fromMs: number, toMs: number])[],
  during: {
    readonly maxMs?: number;
    readonly hangUpAtMs?: number;
    readonly endAtMs?: number;
    readonly told?: CallEnd;
    readonly dialError?: Error;
    readonly recordTo?: string;
  } = {},
): Promise<{ report: CallerReport; leg: FakeLeg; port: FakeMediaPort; keys: string[]; clock: FakeClock }> {
  const clock = new FakeClock();
  const port = new FakeMediaPort(clock);
  const leg = new FakeLeg();
  const keys: string[] = [];
  port.sendDtmf = (digits?: string) => void keys.push(`${digits} at ${clock.nowMs() - 100}`);
  const hangUp = new AbortController();
  const caller = new SyntheticCaller(
    {
      ...{ port, clock, vad: new LevelVad() },
      dial: async () => {
        clock.advance(100); // setup
        if (during.dialError) throw during.dialError;
        return leg;
      },
    },
    {
      ...{ steps, patienceMs: 1000, maxMs: during.maxMs ?? 60_000, signal: hangUp.signal },
      ...(during.recordTo !== undefined && { recordTo: during.recordTo }),
    },
  );
  let report: CallerReport | undefined;
  void caller.run().then((done) => {
    report = done;
  });
  for (let i = 0; i < 10; i += 1) await Promise.resolve(); // the answer is there before time goes on
  for (let ms = 0; !report && ms < 120_000; ms += 20) {
    if (ms === during.hangUpAtMs) hangUp.abort();
    if (ms === during.endAtMs) leg.handlers?.onEnd(during.told ?? callEnd('caller', 'caller-hangup', 'Bye'));
    port.hear(20, speech.some(([from, to]) => ms >= from && ms < to) ? 8000 : 0);
    await clock.advanceAsync(20);
  }
  if (!report) throw new Error('the call did not end');
  return { report, leg, port, keys, clock };
}

describe('a synthetic caller', () => {
  it('waits for the greeting and for the answer, then hangs up', async () => {
    const { report, leg, port, clock } = await place(
      [speak('where is my order')],
      [
        [0, 3000],
        [6500, 8000],
      ],
    );
    expect(report).toMatchObject({ answered: true, setupMs: 100, sipCallId: 'abc@phone' });
    expect(report.said).toHaveLength(1);
    const said = report.said[0]!;
    expect(said.fromMs).toBeGreaterThanOrEqual(3950); // greeting and patience
    expect(said.fromMs).toBeLessThan(4200);
    expect(said.toMs - said.fromMs).toBeGreaterThanOrEqual(980);
    expect(report.heard).toHaveLength(2);
    expect(report.talkMs).toBeGreaterThan(8950); // the answer was heard to its end
    expect(report.talkMs).toBeLessThan(9300);
    expect(report.end).toEqual(callEnd('caller', 'caller-hangup'));
    expect(leg.log).toEqual(['hangup caller-hangup']);
    expect(port.closed).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('does not wait for ever for a side that says nothing', async () => {
    const { report } = await place([speak('hello?')], []);
    expect(report.said[0]!.fromMs).toBeGreaterThanOrEqual(15_000);
    expect(report.said[0]!.fromMs).toBeLessThan(15_200);
    expect(report.heard).toEqual([]);
  });

  it('waits for an answer that is slow to come before it goes on', async () => {
    const { report } = await place(
      [speak('track my order'), { type: 'keys', keys: '4521' }],
      [
        [0, 2000],
        [14_000, 16_000],
      ],
    );
    expect(report.said[1]!.fromMs).toBeGreaterThanOrEqual(16_950); // the answer and patience
  });

  it('does steps in order, keys and pauses too', async () => {
    const steps: CallerStep[] = [{ type: 'pause', ms: 500 }, { type: 'keys', keys: '12' }, speak('bye')];
    const { report, keys } = await place(steps, [
      [0, 400],
      [3000, 3400],
    ]);
    expect(keys).toHaveLength(1);
    expect(Number(/at (\d+)/.exec(keys[0]!)![1])).toBeGreaterThanOrEqual(1380);
    expect(report.said.map(({ label }) => label)).toEqual(['keys (2)', 'bye']);
  });

  it('interrupts without waiting', async () => {
    const { report } = await place(
      [
        { type: 'pause', ms: 700 },
        { type: 'speak', samples: SECOND, label: 'stop', interrupt: true },
      ],
      [[0, 5000]],
    );
    expect(report.said[0]!.fromMs).toBeLessThan(800);
  });

  it.each([
    { name: 'the other side hangs up', during: { endAtMs: 2000 }, end: callEnd('agent', 'agent-hangup', 'Bye') },
    { name: 'the time is over', during: { maxMs: 2000 }, end: callEnd('caller', 'max-duration') },
    {
      name: 'the operator stops it',
      during: { hangUpAtMs: 2000 },
      end: callEnd('caller', 'caller-hangup', 'interrupted'),
    },
  ])('ends when $name', async ({ during, end }) => {
    const { report, port } = await place([speak('never said')], [[0, 30_000]], during);
    expect(report.end).toEqual(end);
    expect(report.said).toEqual([]);
    expect(report.talkMs).toBeLessThan(2200);
    expect(port.closed).toBe(true);
  });

  it.each<[CallEnd['party'], CallEndReason]>([
    ['gateway', 'max-duration'],
    ['gateway', 'credit-exhausted'],
    ['gateway', 'no-input'],
    ['gateway', 'shutdown'],
    ['agent', 'agent-hangup'],
    ['agent', 'transferred'],
    ['callee', 'callee-hangup'],
  ])('tells why a gateway ended the call: %s, %s', async (party, reason) => {
    const header = byeHeadersOf(callEnd(party, reason))['Reason'];
    const told = endOfBye(header, false);
    const { report } = await place([speak('never said')], [[0, 30_000]], { endAtMs: 2000, told });
    expect(report.end).toEqual(callEnd(party, reason, told.detail));
  });

  it('records where it was told to', async () => {
    const { port } = await place([], [], { recordTo: '/tmp/x.wav' });
    expect(port.recordedTo).toBe('/tmp/x.wav');
  });

  it('reports a refusal, with its status, and never throws', async () => {
    const refused = Object.assign(new LegError(callEnd('network', 'busy', 'Busy Here')), {
      ...{ status: 486, text: { phrase: 'Busy Here', warning: '399 x "later"' } },
    });
    const { report, port } = await place([], [], { dialError: refused });
    expect(report).toMatchObject({
      ...{ answered: false, status: 486, setupMs: 100, end: { reason: 'busy' } },
      refusal: { phrase: 'Busy Here', warning: '399 x "later"' },
    });
    expect(port.closed).toBe(true);
    const { report: broken } = await place([], [], { dialError: new Error('boom') });
    expect(broken).toMatchObject({ answered: false, end: { reason: 'internal', detail: 'boom' } });
  });
});
