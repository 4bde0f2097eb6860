import { describe, expect, it } from 'vitest';
import { type Frame, StreamFramer } from '../../../src/sip-server/transport/stream-framer.ts';

const message = (body: string, name = 'Content-Length'): string =>
  `OPTIONS sip:a@b SIP/2.0\r\nX: 1\r\n${name}: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Frames as short text: the message itself, `ping`, or the fault. */
function frames(framer: StreamFramer, input: Buffer, step: number): string[] {
  const seen: Frame[] = [];
  for (let at = 0; at < input.length; at += step) seen.push(...framer.push(input.subarray(at, at + step)));
  return seen.map((f) => (f.kind === 'message' ? f.bytes.toString() : f.kind === 'ping' ? 'ping' : f.fault));
}

const A = message('hello');
const B = message('');
const UTF8 = message('مرحبا');

const CASES: readonly { name: string; input: string; out: readonly string[] }[] = [
  { name: 'one message', input: A, out: [A] },
  { name: 'messages back to back', input: A + B + UTF8 + A, out: [A, B, UTF8, A] },
  {
    name: 'compact and odd spelling',
    input: message('xy', 'l') + message('z', 'CONTENT-length  '),
    out: [message('xy', 'l'), message('z', 'CONTENT-length  ')],
  },
  {
    name: 'folded value',
    input: 'BYE sip:a@b SIP/2.0\r\nContent-Length:\r\n  2\r\n\r\nhi',
    out: ['BYE sip:a@b SIP/2.0\r\nContent-Length:\r\n  2\r\n\r\nhi'],
  },
  { name: 'ping between messages', input: `\r\n\r\n${A}\r\n\r\n${B}`, out: ['ping', A, 'ping', B] },
  { name: 'two pings', input: '\r\n\r\n\r\n\r\n', out: ['ping', 'ping'] },
  { name: 'a pong means nothing', input: `\r\n${A}\r\n${B}`, out: [A, B] },
  {
    name: 'a body of line ends is not a ping',
    input: message('\r\n\r\n\r\n\r\n') + A,
    out: [message('\r\n\r\n\r\n\r\n'), A],
  },
  { name: 'no length', input: 'BYE sip:a@b SIP/2.0\r\nX: 1\r\n\r\n', out: ['missing-content-length'] },
  { name: 'negative length', input: 'BYE sip:a@b SIP/2.0\r\nl: -1\r\n\r\n', out: ['bad-content-length'] },
  { name: 'length with text', input: 'BYE sip:a@b SIP/2.0\r\nl: 1a\r\n\r\nx', out: ['bad-content-length'] },
  {
    name: 'two lengths',
    input: 'BYE sip:a@b SIP/2.0\r\nl: 1\r\nContent-Length: 2\r\n\r\nxx',
    out: ['bad-content-length'],
  },
  {
    name: 'length of another header',
    input: 'BYE sip:a@b SIP/2.0\r\nX-Content-Length: 5\r\nl: 1\r\n\r\nx',
    out: ['BYE sip:a@b SIP/2.0\r\nX-Content-Length: 5\r\nl: 1\r\n\r\nx'],
  },
  { name: 'nothing after a fault', input: `BYE sip:a@b SIP/2.0\r\n\r\n${A}`, out: ['missing-content-length'] },
  { name: 'TLS hello on a TCP port', input: '\x16\x03\x01\x02\x00\x01\x00', out: ['not-sip'] },
  {
    name: 'stated length beyond the limit',
    input: 'BYE sip:a@b SIP/2.0\r\nl: 2000\r\n\r\n',
    out: ['message-too-large'],
  },
  { name: 'endless head', input: `BYE sip:a@b SIP/2.0\r\n${'X: 1\r\n'.repeat(300)}`, out: ['message-too-large'] },
];

describe.each([1, 2, 3, 7, 64, 100_000])('StreamFramer, %i bytes a read', (step) => {
  it.each(CASES)('$name', ({ input, out }) => {
    expect(frames(new StreamFramer(1_000), Buffer.from(input), step)).toEqual(out);
  });
});

describe('StreamFramer', () => {
  it('tells when part of a message is held', () => {
    const framer = new StreamFramer();
    framer.push(Buffer.from('\r\n\r\n'));
    expect(framer.midMessage).toBe(false);
    framer.push(Buffer.from(A.slice(0, 10)));
    expect(framer.midMessage).toBe(true);
    framer.push(Buffer.from(A.slice(10)));
    expect(framer.midMessage).toBe(false);
  });

  it('gives copies: the socket may reuse its buffer', () => {
    const chunk = Buffer.from(A);
    const [frame] = new StreamFramer().push(chunk);
    chunk.fill(0);
    expect(frame?.kind === 'message' ? frame.bytes.toString() : frame).toBe(A);
  });

  it('takes a message of exactly the limit and refuses one byte more', () => {
    const exact = message('x'.repeat(900));
    expect(frames(new StreamFramer(exact.length), Buffer.from(exact), 13)).toEqual([exact]);
    expect(frames(new StreamFramer(exact.length - 1), Buffer.from(exact), 13)).toEqual(['message-too-large']);
  });

  it('does not copy more when bytes come one by one', () => {
    const copied = (step: number): number => {
      const framer = new StreamFramer();
      const input = Buffer.from(message('y'.repeat(60_000)));
      let bytes = 0;
      const copy = Buffer.prototype.copy;
      Buffer.prototype.copy = function counted(this: Buffer, ...args: Parameters<typeof copy>) {
        const done = copy.apply(this, args);
        bytes += done;
        return done;
      } as typeof copy;
      try {
        frames(framer, input, step);
      } finally {
        Buffer.prototype.copy = copy;
      }
      return bytes;
    };
    const whole = copied(70_000);
    expect(whole).toBeGreaterThan(60_000);
    expect(copied(1)).toBeLessThan(whole * 3);
  });
});
