import { type OddCaller, offerTo } from './odd-caller.ts';

type Seed = (caller: OddCaller, port: number) => Buffer;
const request =
  (method: string, hasBody = false, headers: Readonly<Record<string, string>> = {}): Seed =>
  (caller, port) =>
    caller.message({ method, port, headers, body: hasBody ? offerTo(caller.address, 40_000) : '' });

/** Good messages of every kind, for `mutate` to break. */
export const SEEDS: readonly Seed[] = [
  request('INVITE', true),
  request('REGISTER', false, { Expires: '60' }),
  request('OPTIONS'),
  request('BYE'),
  request('ACK'),
  request('SUBSCRIBE', false, { Event: 'presence' }),
  request('INVITE', true, {
    'Record-Route': '<sip:127.0.0.1;lr>',
    Supported: 'timer, 100rel',
    'Session-Expires': '90',
  }),
  (caller, port) =>
    Buffer.concat([Buffer.from('SIP/2.0 200 OK\r\n'), afterStart(caller.message({ method: 'INVITE', port }))]),
  () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'),
];

const afterStart = (message: Buffer): Buffer => message.subarray(message.indexOf('\r\n') + 2);

const MESSAGE_BYTES_MAX = 60_000;
const ODD_BYTES = '\r\n\0 ;:,<>"@=%\u00ff/\\';
const ODD_NUMBERS = ['-1', '2147483648', '4294967296', '9223372036854775808', `1${'0'.repeat(40)}`];
const TIMES = [1, 1, 2, 4, 8, 32];

/** A message with some of its bytes changed, repeated, left out or in another order. The same for the same numbers. */
export function mutate(message: Buffer, random: () => number): Buffer {
  const below = (limit: number): number => Math.floor(random() * limit);
  const one = <T>(of: readonly T[]): T => of[below(of.length)]!;
  const insert = (into: string, at: number, what: string): string => into.slice(0, at) + what + into.slice(at);
  let text = message.toString('latin1');
  for (let left = one(TIMES); left > 0; left -= 1) {
    const at = below(text.length + 1);
    const lines = text.split('\r\n');
    const changes: (() => string)[] = [
      () => text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1),
      () => insert(text, at, one([...ODD_BYTES]).repeat(one([1, 2, 30, 500]))),
      () => text.slice(0, at) + text.slice(at + one([1, 4, 40, 400])),
      () => insert(text, at, text.slice(at, at + below(2_000))),
      () => lines.toSorted(() => random() - 0.5).join('\r\n'),
      () => lines.toSpliced(below(lines.length), 0, one(lines)).join('\r\n'),
      () => insert(text, at, one(ODD_NUMBERS)),
    ];
    text = one(changes)();
  }
  return Buffer.from(text.slice(0, MESSAGE_BYTES_MAX), 'latin1');
}
