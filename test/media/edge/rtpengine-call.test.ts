import { beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/core/logger.ts';
import type { EdgeMessage, OuterProfile } from '../../../src/media/edge/media-edge.ts';
import { RtpengineCall, type RtpengineCallOptions } from '../../../src/media/edge/rtpengine-call.ts';
import { FakeEngine, ok, refusedFor } from '../../support/fake-engine.ts';
import { sdpText } from '../../support/sdp-texts.ts';

const plain = sdpText({ media: ['m=audio 4000 RTP/AVP 0'] });
const webrtc = sdpText({
  media: ['m=audio 9 UDP/TLS/RTP/SAVPF 0', 'a=ice-ufrag:a', 'a=fingerprint:sha-256 AA', 'a=rtcp-mux'],
});
const outer = (sdp = plain): EdgeMessage => ({ from: 'outer', sdp, outerAddress: '203.0.113.9' });
const inner = (profile?: OuterProfile): EdgeMessage => ({
  ...{ from: 'inner', sdp: plain, outerAddress: '203.0.113.9' },
  ...(profile && { profile }),
});

let first: FakeEngine;
let second: FakeEngine;
beforeEach(() => {
  first = new FakeEngine('first');
  second = new FakeEngine('second');
});
const callOf = (more: Partial<RtpengineCallOptions> = {}): RtpengineCall =>
  new RtpengineCall({ id: 'id-1', engines: () => [first.engine, second.engine], logger: silentLogger, ...more });

describe('a call that comes in', () => {
  it('its media goes to where its SIP came from, and is plain inside', async () => {
    expect(await callOf().offer(outer())).toContain('a=by:first');
    expect(first.last).toMatchObject({
      ...{ 'call-id': 'id-1', 'from-tag': 'outer', 'to-tag': undefined },
      ...{
        flags: ['SIP-source-address', 'strict-source', 'endpoint-learning-immediate'],
        'received-from': ['IP4', '203.0.113.9'],
      },
      ...{ 'transport-protocol': 'RTP/AVP', ICE: 'remove', 'rtcp-mux': ['demux'] },
    });
  });

  it('is answered at the same instance, with our address as that sees it', async () => {
    const call = callOf();
    await call.offer(outer());
    await call.answer(inner());
    expect(first.commands).toEqual(['offer', 'answer']);
    expect(first.last).toMatchObject({ 'from-tag': 'outer', 'to-tag': 'inner', 'received-from': ['IP4', '10.0.0.5'] });
    expect(first.last['flags']).toEqual(['SIP-source-address']);
    expect(first.last).not.toHaveProperty('media-address');
    expect(first.last).not.toHaveProperty('transport-protocol');
    expect(second.asked).toEqual([]);
  });

  it.each([
    { name: 'our own address', more: { ownAddress: '10.9.9.9' }, said: { 'received-from': ['IP4', '10.9.9.9'] } },
    {
      name: 'names of interfaces',
      more: { interfaces: { inner: 'lan', outer: 'wan' } },
      said: { direction: ['lan', 'wan'] },
    },
  ])('is told $name', async ({ more, said }) => {
    await callOf(more).offer(inner());
    expect(first.last).toMatchObject(said);
  });

  it('an IPv6 source is one, and one that is mapped is IPv4', async () => {
    await callOf().offer({ ...outer(), outerAddress: '2001:db8::1' });
    expect(first.last).toMatchObject({ 'received-from': ['IP6', '2001:db8::1'], 'address family': 'IP4' });
    await callOf().offer({ ...outer(), outerAddress: '::ffff:192.0.2.1' });
    expect(first.last['received-from']).toEqual(['IP4', '192.0.2.1']);
  });
});

describe('a call that goes out', () => {
  it.each([
    ['2001:db8::1', 'IP6'],
    ['203.0.113.9', 'IP4'],
    ['::ffff:192.0.2.1', 'IP4'],
    ['', 'IP4'],
  ])('to %s has media of %s', async (outerAddress, family) => {
    await callOf().offer({ ...inner(), outerAddress });
    expect(first.last['address family']).toBe(family);
  });

  it.each<[OuterProfile, object]>([
    ['rtp', { 'transport-protocol': 'RTP/AVP', ICE: 'remove', DTLS: 'off', SDES: ['off'], OSRTP: undefined }],
    ['osrtp', { 'transport-protocol': 'RTP/AVP', DTLS: 'off', OSRTP: ['offer'] }],
    ['sdes', { 'transport-protocol': 'RTP/SAVP', DTLS: 'off', OSRTP: undefined }],
    ['dtls', { 'transport-protocol': 'UDP/TLS/RTP/SAVP', DTLS: undefined, SDES: ['off'], ICE: 'remove' }],
    ['webrtc', { 'transport-protocol': 'UDP/TLS/RTP/SAVPF', SDES: ['off'], ICE: 'force', 'rtcp-mux': ['require'] }],
  ])('as %s', async (profile, said) => {
    await callOf().offer(inner(profile));
    expect(first.last).toMatchObject(said);
  });

  it('offers no cipher that hides nothing', async () => {
    await callOf().offer(inner('sdes'));
    expect(first.last['SDES']).toEqual(expect.arrayContaining(['no-NULL_HMAC_SHA1_80', 'no-NULL_HMAC_SHA1_32']));
  });
});

describe('later in a call', () => {
  it('what we offer to a browser is as it was', async () => {
    const call = callOf();
    await call.offer(outer(webrtc));
    first.reply = () => ok({ sdp: webrtc });
    await call.answer(inner());
    await call.offer(inner());
    expect(first.last).toMatchObject({
      ...{ 'from-tag': 'inner', 'to-tag': 'outer' },
      ...{ 'transport-protocol': 'UDP/TLS/RTP/SAVPF', ICE: 'force', 'rtcp-mux': ['require'] },
    });
  });

  it('an offer that came to nothing is put right: what was agreed is told again', async () => {
    const call = callOf();
    await call.offer(outer());
    await call.answer(inner());
    await call.offer(outer(webrtc));
    call.rollback();
    await call.close();
    expect(first.commands).toEqual(['offer', 'answer', 'offer', 'offer', 'answer', 'delete']);
    expect(first.asked[3]!.more['sdp']).toBe(plain);
  });

  it.each([
    { name: 'nothing was offered since', steps: async () => undefined },
    { name: 'nothing was agreed', steps: async (call: RtpengineCall) => void (await call.offer(outer())) },
  ])('nothing is told where $name', async ({ name, steps }) => {
    const call = callOf();
    if (!name.endsWith('agreed')) {
      await call.offer(outer());
      await call.answer(inner());
    }
    await steps(call);
    const before = first.asked.length;
    call.rollback();
    await call.close();
    expect(first.commands.slice(before)).toEqual(['delete']);
  });
});

describe('which instance takes it', () => {
  it.each([
    { name: 'is silent', reply: () => 'silent' as const },
    { name: 'has no ports', reply: () => refusedFor('Ran out of ports') },
    { name: 'is at its limit', reply: () => new Map([['result', 'load limit']]) },
  ])('one that $name does not: the next does, and keeps it', async ({ reply }) => {
    first.reply = reply;
    const call = callOf();
    expect(await call.offer(outer())).toContain('a=by:second');
    await call.answer(inner());
    await call.close();
    expect(first.commands).toEqual(['offer', 'delete']); // its answer may have been lost
    expect(second.commands).toEqual(['offer', 'answer', 'delete']);
  });

  it('none: away; and what cannot be read is not carried from one to the next', async () => {
    first.reply = () => 'silent';
    second.reply = () => 'silent';
    expect(await callOf().offer(outer())).toMatchObject({ failed: 'away' });
    first.reply = () => refusedFor('Failed to parse SDP');
    const before = second.asked.length;
    expect(await callOf().offer(outer())).toMatchObject({ failed: 'refused' });
    expect(second.asked.length).toBe(before);
  });

  it('three are tried at most', async () => {
    const engines = ['a', 'b', 'c', 'd'].map((name) => new FakeEngine(name));
    for (const engine of engines) engine.reply = () => 'silent';
    await callOf({ engines: () => engines.map(({ engine }) => engine) }).offer(outer());
    expect(engines.map(({ asked }) => asked.length > 0)).toEqual([true, true, true, false]);
  });

  it('one that fell silent since is known, also when it is back', async () => {
    const call = callOf();
    await call.offer(outer());
    expect(call.lost).toBeUndefined();
    first.losses += 1;
    expect(call.lost).toBe('first');
  });
});

describe('the end', () => {
  it('is told once, and nothing after it', async () => {
    const call = callOf();
    await call.offer(outer());
    const ends = await Promise.all([call.close(), call.close()]);
    expect(ends[0]).toMatchObject({ edge: 'first' });
    expect(await call.answer(inner())).toMatchObject({ failed: 'away' });
    expect(first.commands).toEqual(['offer', 'delete']);
    expect(first.last).toMatchObject({ 'call-id': 'id-1', 'from-tag': 'outer', 'delete-delay': 0 });
  });

  it('comes after what is on its way', async () => {
    const call = callOf();
    void call.offer(outer());
    await call.close();
    expect(first.commands).toEqual(['offer', 'delete']);
  });

  it('of a call that never offered is nobody told', async () => {
    expect(await callOf().close()).toBeUndefined();
    expect(first.asked).toEqual([]);
  });
});
