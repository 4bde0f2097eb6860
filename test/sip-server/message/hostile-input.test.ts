import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAuth } from '../../../src/sip-server/message/auth-header.ts';
import { makeResponse } from '../../../src/sip-server/message/build-message.ts';
import {
  isCallId,
  parseCSeq,
  parseMediaType,
  parseRAck,
  parseReason,
  parseReplaces,
  parseRetryAfter,
  parseSessionExpires,
} from '../../../src/sip-server/message/header-values.ts';
import { parseNameAddr } from '../../../src/sip-server/message/name-addr.ts';
import { isReject, parseSipMessage } from '../../../src/sip-server/message/parse-message.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import { decodeEscapes, parseSipUri, sameSipUri } from '../../../src/sip-server/message/sip-uri.ts';
import { responseFault, validateRequest } from '../../../src/sip-server/message/validate-request.ts';
import { parseVia } from '../../../src/sip-server/message/via.ts';
import { StreamFramer } from '../../../src/sip-server/transport/stream-framer.ts';
import { markSource } from '../../../src/sip-server/transport/via-source.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { EVERY_TEST, runs, someOf } from '../../support/property-runs.ts';

const FOLDER = new URL('../../fixtures/rfc4475/', import.meta.url);
const SEEDS = readdirSync(FOLDER).map((file) => readFileSync(new URL(file, FOLDER)));
const READERS: readonly ((value: string) => unknown)[] = [
  parseVia,
  parseNameAddr,
  parseSipUri,
  parseAuth,
  parseCSeq,
  parseRAck,
  parseSessionExpires,
  parseReason,
  parseReplaces,
  parseMediaType,
  parseRetryAfter,
  isCallId,
  decodeEscapes,
];

/** All that is done with a datagram from a stranger. */
function handle(datagram: Buffer): void {
  const message = parseSipMessage(datagram);
  if (isReject(message)) {
    const { answer } = message;
    if (answer)
      serializeSipMessage(
        makeResponse(markSource(answer.request, '192.0.2.1', 5060), answer.status, answer.reason, { toTag: 't' }),
      );
    return;
  }
  for (const { value } of message.headers) for (const read of READERS) read(value);
  if (message.kind === 'response') return void responseFault(message);
  const verdict = validateRequest(markSource(message, '192.0.2.1', 5060));
  if (verdict.verdict === 'refuse')
    serializeSipMessage(
      makeResponse(message, verdict.status, verdict.reason, { headers: verdict.headers, toTag: 't' }),
    );
}

/** A small generator with a seed, so that a failure can be repeated (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const PIECES = [
  '\r\n',
  '\r\n\r\n',
  '\r\n ',
  '"',
  '\\',
  '<',
  '>',
  ';',
  ',',
  '=',
  ':',
  '@',
  '%',
  '%00',
  '\0',
  ' ',
  '\t',
  '(',
  '[',
  ']',
  'ن',
  '\xff',
  'z9hG4bK',
  'SIP/2.0',
  'Content-Length: 99999999999',
  'Via:',
  '4294967296',
  '-1',
  'A'.repeat(300),
  ';'.repeat(50),
];

function mutate(seed: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(seed);
  for (let i = random(6); i >= 0; i -= 1) {
    const at = random(bytes.length + 1);
    const end = Math.min(bytes.length, at + random(40));
    const kind = random(5);
    if (kind === 0) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)]);
    else if (kind === 1)
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(PIECES[random(PIECES.length)] ?? ''),
        bytes.subarray(at),
      ]);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
    else if (kind === 3 && at < bytes.length) bytes[at] = random(256);
    else bytes = bytes.subarray(0, at);
  }
  return bytes;
}

describe('mutated messages', () => {
  it.each(EVERY_TEST ? [1, 2, 3, 4, 5] : [1])('never throw, seed %i', (seed) => {
    const random = randomOf(seed);
    let accepted = 0;
    for (let i = 0; i < 1_000; i += 1) {
      const datagram = mutate(SEEDS[random(SEEDS.length)] ?? Buffer.alloc(0), random);
      try {
        handle(datagram);
      } catch (error) {
        throw new Error(`seed ${seed}, case ${i}: ${JSON.stringify(datagram.toString('latin1'))}`, { cause: error });
      }
      if (!isReject(parseSipMessage(datagram))) accepted += 1;
    }
    // Otherwise the mutations would be so coarse that nothing behind the parser was tried.
    expect(accepted).toBeGreaterThan(100);
  });

  it.runIf(EVERY_TEST)('come out of the framer the same however they are cut, without throwing', () => {
    const random = randomOf(7);
    for (let i = 0; i < 300; i += 1) {
      const bytes = Buffer.concat([0, 1, 2].map(() => mutate(SEEDS[random(SEEDS.length)] ?? Buffer.alloc(0), random)));
      const whole = new StreamFramer().push(bytes);
      const framer = new StreamFramer();
      const cut = [];
      for (let at = 0; at < bytes.length; ) {
        const next = at + 1 + random(200);
        cut.push(...framer.push(bytes.subarray(at, next)));
        at = next;
      }
      expect(cut).toEqual(whole);
    }
  });
});

describe('properties', () => {
  it('any bytes are read or refused', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => handle(Buffer.from(bytes))),
      { numRuns: runs(1_000) },
    );
  });

  it('any text is read or refused by every reader', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.array(fc.constantFrom(...PIECES, 'sip:', 'a', '1'), { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (value) => void READERS.map((read) => read(value))),
      { numRuns: runs(2_000) },
    );
  });

  it('written and read again, a message is stable', () => {
    const value = fc.stringMatching(/^[ -~\u0600-\u06ff]{0,40}$/);
    const field = fc.tuple(
      fc.constantFrom('Via', 'm', 'Contact', 'Route', 'Allow', 'k', 'Accept', 'X-a', 's', 'Warning', 'Date'),
      value,
    );
    const message = fc.tuple(fc.array(field, { maxLength: 12 }), fc.uint8Array({ maxLength: 60 }));
    fc.assert(
      fc.property(message, ([fields, body]) => {
        const text = fields.map(([name, content]) => `${name}: ${content}\r\n`).join('');
        const first = parseSipMessage(
          Buffer.concat([Buffer.from(`MESSAGE sip:b@h SIP/2.0\r\n${text}\r\n`), Buffer.from(body)]),
        );
        if (isReject(first)) throw new Error(first.reject);
        const bytes = serializeSipMessage(first);
        const second = parseSipMessage(bytes);
        if (isReject(second)) throw new Error(second.reject);
        const values = (of: typeof first): unknown => of.headers.filter((h) => h.name !== 'Content-Length');
        expect(values(second)).toEqual(values(first));
        expect(second.body.equals(first.body)).toBe(true);
        expect(serializeSipMessage(second).equals(bytes)).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('a URI equals itself', () => {
    const part = fc.stringMatching(/^[a-zA-Z0-9%41.+-]{1,8}$/);
    fc.assert(
      fc.property(part, part, (user, param) => {
        const uri = parseSipUri(`sip:${user}@h.example:5060;${param}?X=${param}`);
        return uri === undefined || sameSipUri(uri, uri);
      }),
    );
  });
});

/** Characters looked at by the string and regular expression functions that parsing uses, so that work can be compared. */
function workOf(run: () => unknown): number {
  let work = 0;
  const restore: (() => void)[] = [];
  const wrap = (
    owner: object,
    name: string,
    cost: (self: unknown, args: unknown[], result: unknown) => number,
  ): void => {
    const original = Reflect.get(owner, name) as (...args: unknown[]) => unknown;
    Reflect.set(owner, name, function counted(this: unknown, ...args: unknown[]) {
      const result = Reflect.apply(original, this, args);
      work += cost(this, args, result);
      return result;
    });
    restore.push(() => Reflect.set(owner, name, original));
  };
  const length = (self: unknown): number => String(self).length;
  wrap(String.prototype, 'charCodeAt', () => 1);
  wrap(String.prototype, 'charAt', () => 1);
  for (const name of ['indexOf', 'includes']) {
    wrap(String.prototype, name, (self, args, found) => {
      const from = typeof args[1] === 'number' ? args[1] : 0;
      return typeof found === 'number' && found >= 0 ? found - from + 1 : Math.max(1, length(self) - from);
    });
  }
  for (const name of [
    'split',
    'replace',
    'replaceAll',
    'search',
    'trim',
    'trimEnd',
    'trimStart',
    'toLowerCase',
    'toUpperCase',
    'lastIndexOf',
  ]) {
    wrap(String.prototype, name, length);
  }
  wrap(String.prototype, 'slice', (_self, _args, result) => length(result));
  wrap(RegExp.prototype, 'test', (_self, args) => length(args[0]));
  try {
    run();
  } finally {
    for (const undo of restore) undo();
  }
  return work;
}

describe('work grows in proportion to the input', () => {
  const NASTY = [
    'a',
    '<',
    '>',
    ';',
    ';a',
    ',',
    '"',
    '"\\',
    '\\',
    ' ',
    '\t',
    '=',
    ';a=',
    '%',
    '%4',
    ':',
    '@',
    '[',
    '/',
    '(',
    '\r\n ',
    'ـ',
    '1',
    ';a="b"',
    '<>',
    ',<',
    'a=b,',
    '=',
  ];

  it.each(someOf(NASTY, 3))('readers on %j', (unit) => {
    const text = (bytes: number): string => unit.repeat(Math.ceil(bytes / unit.length));
    for (const prefix of ['', 'sip:', 'SIP/2.0/UDP h;x=', '"', '<sip:a@h>', 'Digest x=', 'sip:a@h?']) {
      for (const read of READERS) {
        const [small, large] = [workOf(() => read(prefix + text(4_000))), workOf(() => read(prefix + text(32_000)))];
        expect(large, `${read.name} on ${prefix}`).toBeLessThan(small * 12 + 2_000);
        expect(large, `${read.name} on ${prefix}`).toBeLessThan(32_000 * 40);
      }
    }
  });

  it.each(NASTY)('a 64 kB header of %j', (unit) => {
    const datagram = (bytes: number): Buffer =>
      Buffer.from(`INVITE sip:b@h SIP/2.0\r\nContact: ${unit.repeat(Math.ceil(bytes / unit.length))}\r\n\r\n`).subarray(
        0,
        65_536,
      );
    const limits = { messageBytes: 65_536, headerLineBytes: 65_536, headerCount: 100_000 };
    const parse = (bytes: number): number => workOf(() => parseSipMessage(datagram(bytes), { limits }));
    expect(parse(64_000)).toBeLessThan(parse(8_000) * 12 + 2_000);
  });

  it('is a test that can fail: a quadratic reader is caught', () => {
    const quadratic = (text: string): number =>
      [...text].reduce((sum, _char, at) => sum + text.slice(at).indexOf('x'), 0);
    const work = (bytes: number): number => workOf(() => quadratic('a'.repeat(bytes)));
    expect(work(8_000)).toBeGreaterThan(work(1_000) * 12 + 2_000);
  });
});
