import { describe, expect, it } from 'vitest';
import { KeepAlive } from '../../../src/sip-server/transport/keep-alive.ts';

const LIMITS = { keepAliveMs: 100, pongMs: 10 };
const PING = '\r\n\r\n';
/** Steps: `due` at a time (activity at 0), or bytes that come. What each gives. */
const run = (...steps: (number | string | { mid: string })[]): string[] => {
  const alive = new KeepAlive(LIMITS, 0); // 80 to 100 ms; the lot takes 80
  return steps.map((step) => {
    if (typeof step === 'number') {
      const due = alive.due(step, 0);
      return due === undefined ? '-' : due === 'dead' ? 'dead' : due.toString() === PING ? 'ping' : 'what?';
    }
    const mid = typeof step !== 'string';
    const left = alive.receive(Buffer.from(mid ? step.mid : step), mid).toString();
    return `${alive.answered ? 'answers' : 'unknown'} ${JSON.stringify(left)}`;
  });
};

describe('KeepAlive', () => {
  it.each([
    { name: 'pings after silence', steps: [79, 80, 81], out: ['-', 'ping', '-'] },
    { name: 'is only pinged when it never answers', steps: [80, 90, 159, 160], out: ['ping', '-', '-', 'ping'] },
    {
      name: 'is held to its answers',
      steps: [80, '\r\n', 160, 169, 170],
      out: ['ping', 'answers ""', 'ping', '-', 'dead'],
    },
    {
      name: 'takes any sign of life',
      steps: [80, '\r\n', 160, 'SIP', 170],
      out: ['ping', 'answers ""', 'ping', 'answers "SIP"', '-'],
    },
    { name: 'leaves the ping of the peer', steps: [80, PING], out: ['ping', 'unknown "\\r\\n\\r\\n"'] },
    { name: 'finds the pong before it', steps: [80, `\r\n${PING}`], out: ['ping', 'answers "\\r\\n\\r\\n"'] },
    { name: 'finds no pong in a message', steps: [80, { mid: '\r\n' }], out: ['ping', 'unknown "\\r\\n"'] },
    { name: 'expects none without a ping', steps: ['\r\n'], out: ['unknown "\\r\\n"'] },
  ])('$name', ({ steps, out }) => {
    expect(run(...steps)).toEqual(out);
  });

  it('spreads pings over a fifth of the time', () => {
    expect(new KeepAlive(LIMITS, 0.99).due(99, 0)).toBeUndefined();
  });
});
