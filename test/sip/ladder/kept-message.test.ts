import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keptMessage, REMOVED } from '../../../src/sip/ladder/kept-message.ts';
import { sdpText } from '../../support/sdp-texts.ts';

const message = (first: string, headers: readonly string[], body = ''): Buffer =>
  Buffer.from(`${[first, ...headers].join('\r\n')}\r\n\r\n${body}`);
const INVITE = 'INVITE sip:1000@192.0.2.1 SIP/2.0';
const HEADERS = ['Via: SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK1', 'From: <sip:a@b>;tag=1', 'To: <sip:1000@c>'];
const CALL = [...HEADERS, 'Call-ID: abc@d', 'CSeq: 7 INVITE'];

describe('a message that is kept', () => {
  it('has its line, the headers of a call and its description', () => {
    const kept = keptMessage(
      message(INVITE, [...CALL, 'X-Ticket: 42', 'Organization: none', 'Content-Type: application/sdp'], sdpText()),
    );
    expect(kept).toMatchObject({ line: INVITE, callId: 'abc@d', method: 'INVITE', status: undefined, begins: true });
    expect(kept?.text.split('\n').slice(0, 6)).toEqual([...CALL, 'X-Ticket: 42']);
    expect(kept?.text).toContain('\n\nv=0\n');
    expect(kept?.text).not.toContain('Organization');
  });

  it('is read by compact names and folded lines', () => {
    const kept = keptMessage(message('SIP/2.0 200 OK', ['i: abc', 'CSeq: 7', '  BYE', 't: <sip:x@y>;tag=9']));
    expect(kept).toMatchObject({ callId: 'abc', method: 'BYE', status: 200, begins: false });
  });

  it('begins a call only outside a dialog', () => {
    const inside = CALL.map((line) => (line.startsWith('To:') ? `${line};tag=2` : line));
    expect(keptMessage(message(INVITE, inside))?.begins).toBe(false);
    expect(keptMessage(message('BYE sip:a SIP/2.0', ['Call-ID: 1', 'CSeq: 1 BYE']))?.begins).toBe(false);
    expect(keptMessage(message('SIP/2.0 100 Trying', CALL))?.begins).toBe(false);
  });

  it.each([
    {
      name: 'credentials',
      headers: ['Authorization: Digest username="alice", realm="trunk", nonce="n", response="5ecret"'],
      secrets: ['5ecret', 'alice', 'nonce'],
      stays: `Authorization: Digest realm="trunk" ${REMOVED}`,
    },
    {
      name: 'credentials without a realm',
      headers: ['Proxy-Authorization: Bearer 5ecret'],
      secrets: ['5ecret'],
      stays: `Proxy-Authorization: Bearer ${REMOVED}`,
    },
    {
      name: 'a challenge',
      headers: ['WWW-Authenticate: Digest nonce="5ecret",realm="x"'],
      secrets: ['5ecret'],
      stays: `WWW-Authenticate: Digest realm="x" ${REMOVED}`,
    },
    {
      name: 'the password of a URI',
      headers: ['Contact: <sip:alice:5ecret@192.0.2.7:5060>'],
      secrets: ['5ecret'],
      stays: `Contact: <sip:alice:${REMOVED}@192.0.2.7:5060>`,
    },
    {
      name: 'the keys of media',
      headers: ['Content-Type: application/sdp'],
      body: 'v=0\r\nk=clear:5ecret\r\nm=audio 4000 RTP/SAVP 0\r\na=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:5ecret\r\na=ice-pwd:5ecret\r\n',
      secrets: ['5ecret'],
      stays: `m=audio 4000 RTP/SAVP 0\na=crypto:${REMOVED}\na=ice-pwd:${REMOVED}`,
    },
    {
      name: 'keys that are pressed',
      headers: ['Content-Type: application/dtmf-relay'],
      body: 'Signal=5\r\nDuration=160\r\n',
      secrets: ['Signal'],
      stays: `application/dtmf-relay ${REMOVED}`,
    },
    {
      name: 'what a body is about that has no type',
      headers: [],
      body: '5ecret',
      secrets: ['5ecret'],
      stays: `body ${REMOVED}`,
    },
  ])('has no $name', ({ headers, body = '', secrets, stays }) => {
    const kept = keptMessage(message(INVITE, [...CALL, ...headers], body));
    for (const secret of secrets) expect(kept?.text).not.toContain(secret);
    expect(kept?.text).toContain(stays);
  });

  it('tells how a transfer goes', () => {
    const headers = [...HEADERS, 'Call-ID: 1', 'CSeq: 2 NOTIFY', 'Content-Type: message/sipfrag'];
    const kept = keptMessage(message('NOTIFY sip:a SIP/2.0', headers, 'SIP/2.0 180 Ringing\r\nX: y\r\n'));
    expect(kept?.text.endsWith('\n\nSIP/2.0 180 Ringing')).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['a keep-alive', '\r\n\r\n'],
    ['no SIP', 'GET / HTTP/1.1\r\nCall-ID: 1\r\nCSeq: 1 GET\r\n\r\n'],
    ['no Call-ID', `${INVITE}\r\nCSeq: 1 INVITE\r\n\r\n`],
    ['no CSeq', `${INVITE}\r\nCall-ID: 1\r\n\r\n`],
  ])('is not: %s', (_, text) => {
    expect(keptMessage(Buffer.from(text))).toBeUndefined();
  });

  it('is bounded, whatever comes', () => {
    const huge = message(INVITE, [...CALL, ...Array.from({ length: 500 }, (_, n) => `X-${n}: ${'y'.repeat(5_000)}`)]);
    expect(keptMessage(huge)?.text.length).toBeLessThanOrEqual(4_096);
    fc.assert(
      fc.property(fc.string({ maxLength: 300 }), fc.uint8Array({ maxLength: 300 }), (text, bytes) => {
        keptMessage(Buffer.concat([Buffer.from(`${INVITE}\r\nCall-ID: 1\r\nCSeq: 1 INVITE\r\n${text}`), bytes]));
        keptMessage(Buffer.from(bytes));
      }),
    );
  });
});
