import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeResponse } from '../../../src/sip-server/message/build-message.ts';
import { isReject, parseSipMessage } from '../../../src/sip-server/message/parse-message.ts';
import { serializeSipMessage } from '../../../src/sip-server/message/serialize-message.ts';
import { headers } from '../../../src/sip-server/message/sip-message.ts';
import {
  DEFAULT_POLICY,
  type RequestPolicy,
  responseFault,
  validateRequest,
} from '../../../src/sip-server/message/validate-request.ts';
import { TORTURE_CASES, TORTURE_FOLDER, tortureMessage } from '../../support/torture-messages.ts';

/** A user agent that is also asked to register, so that REGISTER is judged by its content. */
const POLICY: RequestPolicy = { ...DEFAULT_POLICY, methods: [...DEFAULT_POLICY.methods, 'REGISTER'] };

/** `ok`, the status of the answer, or `discard`. */
function verdict(datagram: Buffer, policy = POLICY): number | 'ok' | 'discard' {
  const message = parseSipMessage(datagram);
  if (isReject(message)) return message.answer?.status ?? 'discard';
  if (message.kind === 'response') return responseFault(message) === undefined ? 'ok' : 'discard';
  const result = validateRequest(message, policy);
  if (result.verdict === 'refuse') return result.status;
  return result.verdict === 'drop' ? 'discard' : 'ok';
}

describe('RFC 4475', () => {
  it('has a case for each of the 49 messages', () => {
    const files = readdirSync(TORTURE_FOLDER).map((file) => file.replace('.dat', ''));
    expect(TORTURE_CASES.map((c) => c.name).sort()).toEqual(files.sort());
    expect(files).toHaveLength(49);
  });

  it.each(TORTURE_CASES)('$section $name: $expected, $why', ({ name, expected }) => {
    expect(verdict(tortureMessage(name))).toBe(expected);
  });

  it('refuses Max-Forwards 0 where it would have to be forwarded', () => {
    expect(verdict(tortureMessage('zeromf'), { ...POLICY, forwarding: true })).toBe(483);
  });

  it.each(TORTURE_CASES.filter((c) => typeof c.expected === 'number'))(
    '$name: the answer is itself a valid response',
    (c) => {
      const message = parseSipMessage(tortureMessage(c.name));
      const request = isReject(message) ? message.answer?.request : message;
      expect(request?.kind).toBe('request');
      if (request?.kind !== 'request') return;
      const answer = makeResponse(request, Number(c.expected), 'Refused', { toTag: 'tag1' });
      const read = parseSipMessage(serializeSipMessage(answer));
      expect(read).toMatchObject({ kind: 'response', status: c.expected });
      if (isReject(read)) return;
      for (const name of ['Via', 'From', 'Call-ID', 'CSeq'])
        expect(headers(read, name)).toEqual(headers(request, name));
    },
  );

  it.each(TORTURE_CASES)('$name: written out and read again it is the same message', ({ name }) => {
    const message = parseSipMessage(tortureMessage(name));
    if (isReject(message)) return expect(message.reject).not.toBe('');
    const bytes = serializeSipMessage(message);
    const again = parseSipMessage(bytes);
    expect(isReject(again)).toBe(false);
    if (isReject(again)) return;
    expect(serializeSipMessage(again).equals(bytes)).toBe(true);
    expect(again.body.equals(message.body)).toBe(true);
  });
});
