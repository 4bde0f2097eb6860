import { describe, expect, it } from 'vitest';
import EXAMPLES from '../../src/console/pages/webhooks/event-examples.json' with { type: 'json' };
import { EVENT_GROUPS } from '../../src/console/pages/webhooks/event-groups.ts';
import { isFromNidaa } from '../../src/console/pages/webhooks/samples/verify.mjs';
import { WEBHOOK_EVENTS } from '../../src/core/webhook.ts';
import { signatureHeaders } from '../../src/webhooks/signature.ts';

const SECRET = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
const OTHER = `whsec_${Buffer.from('another key of thirty-two bytes.').toString('base64')}`;
const body = '{"type":"balance.low","data":{"name":"نورة"}}';
const signed = (secrets: readonly string[], ageSeconds = 0) =>
  signatureHeaders({ id: 'evt_1', at: new Date(Date.now() - ageSeconds * 1_000), body }, secrets);

describe('the sample that checks a signature', () => {
  it.each([
    { name: 'a message of now', headers: signed([SECRET]), ok: true },
    { name: 'one signed with two secrets', headers: signed([OTHER, SECRET]), ok: true },
    { name: 'one of another secret', headers: signed([OTHER]), ok: false },
    { name: 'one of yesterday', headers: signed([SECRET], 86_400), ok: false },
    { name: 'one of tomorrow', headers: signed([SECRET], -86_400), ok: false },
    { name: 'one without headers', headers: {}, ok: false },
    { name: 'one whose time is none', headers: { ...signed([SECRET]), 'webhook-timestamp': 'now' }, ok: false },
  ])('takes $name: $ok', ({ headers, ok }) => {
    expect(isFromNidaa(SECRET, headers, body)).toBe(ok);
  });

  it('takes no other body', () => {
    expect(isFromNidaa(SECRET, signed([SECRET]), `${body} `)).toBe(false);
  });
});

describe('events', () => {
  it('each have an example and a place', () => {
    expect(Object.keys(EXAMPLES)).toEqual([...WEBHOOK_EVENTS]);
    expect(Object.values(EXAMPLES).map(({ type }) => type)).toEqual([...WEBHOOK_EVENTS]);
    expect(EVENT_GROUPS.flatMap(({ events }) => events)).toEqual([...WEBHOOK_EVENTS]);
  });
});
