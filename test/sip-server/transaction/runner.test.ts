import { describe, expect, it } from 'vitest';
import type { MachineKind, TransactionEvent } from '../../../src/sip-server/transaction/machines.ts';
import { MachineRunner } from '../../../src/sip-server/transaction/runner.ts';
import { RFC_TIMER_BASE } from '../../../src/sip-server/transaction/timers.ts';
import { FakeClock } from '../../support/fake-clock.ts';

interface Run {
  readonly seen: string[];
  readonly clock: FakeClock;
  readonly runner: MachineRunner<string>;
}

/** Starts a machine, feeds it events at given times, and lets five minutes pass. */
function run(kind: MachineKind, reliable: boolean, events: readonly [atMs: number, event: TransactionEvent][]): Run {
  const clock = new FakeClock();
  const seen: string[] = [];
  const note = (what: string): number => seen.push(`${clock.nowMs() / 1000} ${what}`);
  const runner = new MachineRunner<string>(
    kind,
    reliable,
    clock,
    RFC_TIMER_BASE,
    (action) => note(action),
    () => note('ended'),
  );
  runner.start();
  for (const [atMs, event] of events) {
    clock.advance(atMs - clock.nowMs());
    runner.handle(event, 'message');
  }
  clock.advance(310_000);
  return { seen, clock, runner };
}

describe('timers of RFC 3261 §17 and RFC 6026', () => {
  it.each<{ name: string; kind: MachineKind; tcp?: true; events: [number, TransactionEvent][]; seen: string[] }>([
    {
      name: 'INVITE client, silence over UDP: A doubles without a cap, B at 32 s',
      kind: 'invite-client',
      events: [],
      seen: ['0.5', '1.5', '3.5', '7.5', '15.5', '31.5'].map((s) => `${s} resend`).concat('32 timeout', '32 ended'),
    },
    {
      name: 'INVITE client, silence over TCP',
      kind: 'invite-client',
      tcp: true,
      events: [],
      seen: ['32 timeout', '32 ended'],
    },
    {
      name: 'INVITE client, provisional stops A and B, C ends a call that rings for ever',
      kind: 'invite-client',
      events: [[700, 'provisional']],
      seen: ['0.5 resend', '0.7 pass', '300.7 timeout', '300.7 ended'],
    },
    {
      name: 'INVITE client, refusal over UDP: ACK repeated for copies during D',
      kind: 'invite-client',
      events: [
        [100, 'failure'],
        [600, 'failure'],
      ],
      seen: ['0.1 ack', '0.1 pass', '0.6 ack', '32.1 ended'],
    },
    {
      name: 'INVITE client, refusal over TCP: D is zero',
      kind: 'invite-client',
      tcp: true,
      events: [[100, 'failure']],
      seen: ['0.1 ack', '0.1 pass', '0.1 ended'],
    },
    {
      name: 'INVITE client, 2xx: copies and forks pass until M',
      kind: 'invite-client',
      events: [
        [100, 'success'],
        [5_000, 'success'],
        [6_000, 'failure'],
      ],
      seen: ['0.1 pass', '5 pass', '32.1 ended'],
    },
    {
      name: 'client, silence over UDP: E doubles to T2, F at 32 s',
      kind: 'client',
      events: [],
      seen: ['0.5', '1.5', '3.5', '7.5', '11.5', '15.5', '19.5', '23.5', '27.5', '31.5']
        .map((s) => `${s} resend`)
        .concat('32 timeout', '32 ended'),
    },
    {
      name: 'client, Proceeding: E every T2, F goes on',
      kind: 'client',
      events: [[600, 'provisional']],
      seen: ['0.5 resend', '0.6 pass', '1.5 resend']
        .concat(['5.5', '9.5', '13.5', '17.5', '21.5', '25.5', '29.5'].map((s) => `${s} resend`))
        .concat('32 timeout', '32 ended'),
    },
    {
      name: 'client, answered over UDP: copies are absorbed for T4',
      kind: 'client',
      events: [
        [100, 'success'],
        [200, 'success'],
      ],
      seen: ['0.1 pass', '5.1 ended'],
    },
    {
      name: 'client, answered over TCP',
      kind: 'client',
      tcp: true,
      events: [[100, 'failure']],
      seen: ['0.1 pass', '0.1 ended'],
    },
    {
      name: 'INVITE server, refusal over UDP without ACK: G doubles to T2, H at 32 s',
      kind: 'invite-server',
      events: [[0, 'sendFailure']],
      seen: ['0 send']
        .concat(['0.5', '1.5', '3.5', '7.5', '11.5', '15.5', '19.5', '23.5', '27.5', '31.5'].map((s) => `${s} resend`))
        .concat('32 timeout', '32 ended'),
    },
    {
      name: 'INVITE server, refusal over TCP: no G, H all the same',
      kind: 'invite-server',
      tcp: true,
      events: [[0, 'sendFailure']],
      seen: ['0 send', '32 timeout', '32 ended'],
    },
    {
      name: 'INVITE server, ACK: I absorbs copies for T4',
      kind: 'invite-server',
      events: [
        [0, 'sendFailure'],
        [700, 'ack'],
        [800, 'ack'],
        [900, 'request'],
      ],
      seen: ['0 send', '0.5 resend', '5.7 ended'],
    },
    {
      name: 'INVITE server, ACK over TCP: I is zero',
      kind: 'invite-server',
      tcp: true,
      events: [
        [0, 'sendFailure'],
        [700, 'ack'],
      ],
      seen: ['0 send', '0.7 ended'],
    },
    {
      name: 'INVITE server, 2xx: copies of the INVITE absorbed silently, L at 32 s on every transport',
      kind: 'invite-server',
      tcp: true,
      events: [
        [100, 'request'],
        [200, 'sendProvisional'],
        [300, 'request'],
        [400, 'sendSuccess'],
        [500, 'request'],
      ],
      seen: ['0.1 resend', '0.2 send', '0.3 resend', '0.4 send', '32.4 ended'],
    },
    {
      name: 'server over UDP: copy in Trying dropped, answer repeated during J',
      kind: 'server',
      events: [
        [100, 'request'],
        [200, 'sendSuccess'],
        [700, 'request'],
      ],
      seen: ['0.2 send', '0.7 resend', '32.2 ended'],
    },
    {
      name: 'server over TCP: J is zero',
      kind: 'server',
      tcp: true,
      events: [[200, 'sendFailure']],
      seen: ['0.2 send', '0.2 ended'],
    },
  ])('$name', ({ kind, tcp, events, seen }) => {
    const result = run(kind, tcp === true, events);
    expect(result.seen).toEqual(seen);
    expect(result.runner.state).toBe('terminated');
    expect(result.clock.pending).toBe(0);
  });

  it('stop() ends it once, from any state, and leaves no timer', () => {
    const clock = new FakeClock();
    let ended = 0;
    const runner = new MachineRunner<string>(
      'client',
      false,
      clock,
      RFC_TIMER_BASE,
      () => undefined,
      () => {
        ended += 1;
      },
    );
    runner.start();
    runner.stop();
    runner.stop();
    clock.advance(100_000);
    expect([ended, clock.pending, runner.state]).toEqual([1, 0, 'terminated']);
  });
});
