import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { CLOSE_STEP_LIMITS_MS, ClosePath, type CloseStep } from '../../src/call/close-path.ts';
import { silentLogger } from '../../src/core/logger.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { LogCapture } from '../support/log-capture.ts';
import { receptionRig, settle } from '../support/reception-rig.ts';

const END = callEnd('caller', 'caller-hangup');
const STEPS = Object.keys(CLOSE_STEP_LIMITS_MS) as CloseStep[];

const FAULTS: Record<string, () => unknown> = {
  throws: () => {
    throw new Error('step broke');
  },
  rejects: () => Promise.reject(new Error('step broke')),
  hangs: () => new Promise(() => {}),
};

describe('a close path', () => {
  describe.each(STEPS)('whose step "%s"', (broken) => {
    it.each(Object.entries(FAULTS))('%s gives everything else back, in order', async (fault, act) => {
      const clock = new FakeClock();
      const log = new LogCapture();
      const path = new ClosePath(clock, log.logger);
      const given: string[] = [];
      for (const step of STEPS) path.holds(step, () => (step === broken ? act() : given.push(step)));
      let closed = false;
      void path.close(END).then(() => {
        closed = true;
      });
      await settle();
      if (fault === 'hangs') {
        await clock.advanceAsync(CLOSE_STEP_LIMITS_MS[broken] - 10);
        expect(closed).toBe(false);
        await clock.advanceAsync(10);
        await settle();
      }
      expect(given).toEqual(STEPS.filter((step) => step !== broken));
      expect([closed, clock.pending]).toEqual([true, 0]);
      expect(log.lines.map((line) => line.step)).toEqual([broken]);
    });
  });

  it('closes once, for the first reason, and everybody waits for that', async () => {
    const path = new ClosePath(new FakeClock(), silentLogger);
    const reasons: string[] = [];
    let release = (): void => {};
    path.holds('signalling', ({ reason }) => {
      reasons.push(reason);
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    let waiting = 2;
    const done = (): number => waiting--;
    void path.close(END).then(done);
    void path.close(callEnd('gateway', 'shutdown')).then(done);
    await settle();
    expect([reasons, waiting, path.end]).toEqual([['caller-hangup'], 2, END]);
    release();
    await settle();
    expect(waiting).toBe(0);
  });

  it('gives back at once what comes after the end, and stands what that does', async () => {
    const clock = new FakeClock();
    const path = new ClosePath(clock, silentLogger);
    await path.close(END);
    const given: string[] = [];
    path.holds('media', ({ reason }) => given.push(reason));
    for (const fault of Object.values(FAULTS)) path.holds('record', fault);
    await clock.advanceAsync(CLOSE_STEP_LIMITS_MS.record);
    expect([given, clock.pending]).toEqual([['caller-hangup'], 0]);
  });

  it('has nothing to say of parts that a call never held', async () => {
    const log = new LogCapture();
    await new ClosePath(new FakeClock(), log.logger).close(END);
    expect(log.lines).toEqual([]);
  });

  it('gives one part back while the call goes on, once', async () => {
    const path = new ClosePath(new FakeClock(), silentLogger);
    const given: string[] = [];
    path.holds('secondMedia', ({ reason }) => given.push(`port ${reason}`));
    path.holds('media', () => given.push('media'));
    await path.release('secondMedia', callEnd('network', 'busy'));
    await path.release('secondMedia', callEnd('network', 'busy'));
    expect([given, path.end]).toEqual([['port busy'], undefined]);
    await path.close(END);
    expect(given).toEqual(['port busy', 'media']);
  });

  it.each<[CloseStep, CloseStep, CloseStep]>([
    ['signalling', 'secondSignalling', 'media'],
    ['media', 'secondMedia', 'record'],
  ])('gives back %s and %s together, and %s after both', async (one, other, next) => {
    const path = new ClosePath(new FakeClock(), silentLogger);
    const given: CloseStep[] = [];
    const ends = new Map<CloseStep, () => void>();
    for (const step of [one, other, next]) {
      path.holds(step, () => {
        given.push(step);
        return new Promise<void>((resolve) => ends.set(step, resolve));
      });
    }
    void path.close(END);
    await settle();
    expect(given).toEqual([one, other]);
    ends.get(one)!();
    await settle();
    expect(given).toEqual([one, other]);
    ends.get(other)!();
    await settle();
    expect(given).toEqual([one, other, next]);
  });

  it('gives back only the latest part of a name', async () => {
    const path = new ClosePath(new FakeClock(), silentLogger);
    const given: string[] = [];
    path.holds('summary', () => given.push('refused'));
    path.holds('summary', () => given.push('ended'));
    await path.close(END);
    expect(given).toEqual(['ended']);
  });
});

type Rig = ReturnType<typeof receptionRig>;

/** Every part of a live call, and how it can fail when it is given back. */
const PARTS: Record<string, { readonly fail: (s: Rig, fault: () => unknown) => void; readonly sync?: boolean }> = {
  'the ticker': {
    sync: true,
    fail: (s, fault) => {
      s.ticker.remove = fault as () => void;
    },
  },
  'the conversation': {
    sync: true,
    fail: (s, fault) => {
      s.vads[0]!.close = fault as () => void;
    },
  },
  'the record of the last words': {
    sync: true,
    fail: (s, fault) => {
      s.book.turn = fault as () => void;
    },
  },
  'the BYE': {
    fail: (s, fault) => {
      s.leg.hangup = fault as () => Promise<void>;
    },
  },
  'the port': {
    fail: (s, fault) => {
      s.port.close = fault as typeof s.port.close;
    },
  },
  'the book': {
    fail: (s, fault) => {
      s.book.finish = fault as typeof s.book.finish;
    },
  },
  'the metrics': {
    sync: true,
    fail: (s, fault) => {
      s.metrics.callsEnded.inc = fault as () => void;
    },
  },
  'the gauge of live calls': {
    sync: true,
    fail: (s, fault) => {
      Object.defineProperty(s.gauge, 'calls', { set: fault as () => void, get: () => 0 });
    },
  },
};

/** What must have happened when a call ended. */
async function leftOf(s: Rig): Promise<Record<string, unknown>> {
  const counted = (await s.metrics.callsEnded.get()).values.map(({ labels, value }) => `${labels.reason} ${value}`);
  return {
    'the ticker': s.clock.pending,
    'the conversation': s.vads.map(({ closed }) => closed),
    'the BYE': s.leg.log.slice(1),
    'the port': s.ports.map(({ closed }) => closed),
    'the book': s.summaries.map(({ end, answered }) => `${end.reason} ${answered}`),
    'the metrics': counted,
    'the gauge of live calls': s.gauge.calls,
    registry: s.registry.size,
  };
}
const CLEAN = {
  'the ticker': 0,
  'the conversation': [true],
  'the BYE': ['hangup shutdown'],
  'the port': [true],
  'the book': ['shutdown true'],
  'the metrics': ['shutdown 1'],
  'the gauge of live calls': 0,
  registry: 0,
};

describe('a live call', () => {
  it('gives everything back', async () => {
    const s = receptionRig();
    await s.reception.receive(s.leg);
    await s.run(200);
    await s.registry.list()[0]!.close(callEnd('gateway', 'shutdown'));
    expect(await leftOf(s)).toEqual(CLEAN);
  });

  const cases = Object.entries(PARTS).flatMap(([part, { fail, sync }]) =>
    Object.entries(FAULTS)
      .filter(([fault]) => !sync || fault === 'throws')
      .map(([fault, act]) => ({ part, fault, fail, act })),
  );
  it.each(cases)('gives everything else back when $part $fault', async ({ part, fail, act }) => {
    const s = receptionRig();
    await s.reception.receive(s.leg);
    await s.run(200); // the greeting is being spoken
    fail(s, act);
    let closed = false;
    void s.registry
      .list()[0]!
      .close(callEnd('gateway', 'shutdown'))
      .then(() => {
        closed = true;
      });
    await s.run(60_000);
    expect(closed).toBe(true);
    const expected: Record<string, unknown> = { ...CLEAN };
    const seen = await leftOf(s);
    // What failed itself is as it is; a ticker that could not be left goes on ticking a conversation that is over.
    delete expected[part];
    delete seen[part];
    expect(seen).toEqual(expected);
  });

  it('is closed while it is answered, whatever fails: no port, record or line stays behind', async () => {
    const s = receptionRig();
    const { open } = s.plane;
    s.plane.open = async (options) => {
      const port = await open(options);
      if (typeof port !== 'string') Object.defineProperty(port, 'local', { get: FAULTS.throws! });
      return port;
    };
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual(['hangup internal']);
    expect(s.ports.map(({ closed }) => closed)).toEqual([true]);
    expect(s.summaries.map(({ end }) => end.reason)).toEqual(['internal']);
    expect([s.registry.size, s.clock.pending]).toEqual([0, 0]);
  });

  it.each<[string, (s: Rig) => void]>([
    ['the book', (s) => Object.assign(s.book, { begin: FAULTS.rejects })],
    ['the media plane', (s) => Object.assign(s.plane, { open: FAULTS.rejects })],
    ['the caller’s part of the signalling', (s) => Object.assign(s.leg, { setHandlers: FAULTS.throws })],
  ])('is refused as internal when %s fails unforeseen, and nothing stays behind', async (_name, breakIt) => {
    const s = receptionRig();
    breakIt(s);
    await s.reception.receive(s.leg);
    expect(s.leg.log).toEqual(['hangup internal']);
    expect([s.registry.size, s.gauge.calls, s.ports, s.clock.pending]).toEqual([0, 0, [], 0]);
    expect((await leftOf(s))['the metrics']).toEqual(['internal 1']);
    expect(s.log.lines.map(({ msg }) => msg)).toContain('a call could not be taken in');
  });
});
