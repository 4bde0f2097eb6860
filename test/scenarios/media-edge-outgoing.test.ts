import { describe, expect, it } from 'vitest';
import { callEnd } from '../../src/call/call-end.ts';
import { DialError } from '../../src/call/dialer.ts';
import type { MediaEncryption } from '../../src/core/trunk.ts';
import { type Baresip, type PhoneOptions, speaksSrtp } from '../support/baresip.ts';
import { type EarlyStep, earlyCallee } from '../support/early-callee.ts';
import type { EchoCall } from '../support/echo-gateway.ts';
import { edgeRig } from '../support/edge-rig.ts';
import { HAS_RTPENGINE } from '../support/rtpengine.ts';
import { until } from '../support/until.ts';

const isTried = process.env['NIDAA_TEST_LONG'] === '1' && HAS_RTPENGINE && speaksSrtp();

type Way = readonly [PhoneOptions['encryption'], MediaEncryption, { readonly dtls?: boolean }, object];
/** What baresip says of keys in a 183 is not what it uses: until its answer rtpengine can encrypt nothing for it. */
const WAYS: readonly Way[] = [
  [undefined, 'none', {}, { outerProtocol: 'RTP/AVP' }],
  ['srtp-mand', 'require', {}, { outerProtocol: 'RTP/SAVP', outerKeys: 'sdes' }],
  ['srtp', 'allow', {}, { outerProtocol: 'RTP/AVP', outerKeys: 'sdes' }],
  ['dtls_srtp', 'require', { dtls: true }, { outerProtocol: 'UDP/TLS/RTP/SAVP', outerKeys: 'dtls' }],
];

describe.skipIf(!isTried)('calls that go out through a real rtpengine', () => {
  const rig = edgeRig();
  const { phoneOf, moved } = rig;
  const uriOf = ({ sipPort }: Baresip): string => `sip:callee@127.0.0.1:${sipPort}`;
  /** The call that is dialled, once it has what is heard early. */
  const early = async (number: number): Promise<EchoCall> => {
    const isHeard = (): boolean => (rig.gateway.calls[number]?.agreed.length ?? 0) > 0;
    await until(isHeard, 'what is heard early');
    return rig.gateway.calls[number]!;
  };
  const endOf = (dialled: Promise<unknown>): Promise<unknown> =>
    dialled.then(
      () => 'answered',
      (error: unknown) => (error instanceof DialError ? error.end.reason : error),
    );

  it.each(WAYS)(
    'a phone of %s that answers by 183 first hears us, and we it once it takes the call, with %s',
    async (...way) => {
      const [encryption, terms, more, outer] = way;
      const phone = await phoneOf({ early: true, ...(encryption && { encryption }) });
      const number = rig.gateway.calls.length;
      const progress: number[] = [];
      const dialled = rig.gateway.dial(uriOf(phone), {
        ...{ encryption: terms, ...more },
        onProgress: (status) => progress.push(status),
      });
      const call = await early(number);
      // With keys it begins when it takes the call.
      if (!encryption) await until(() => /incoming rtp .* established/.test(phone.log), 'it hears us');
      expect(progress).toContain(183);
      phone.command('accept');
      expect(await dialled).toBe(call);
      await moved(call);
      phone.hangup();
      await until(() => call.stats, 'the end');
      expect(call.agreed.map(({ srtp }) => srtp)).toEqual([undefined, undefined]);
      expect(call.outer).toMatchObject({ edge: rig.engine.address, ...outer });
    },
  );

  it.each<[string, EarlyStep]>([
    ['from there', { status: 200 }],
    ['from another branch', { status: 200, tag: 'other' }],
  ])('what is said by 183 is heard, and what comes after the answer %s', async (_, answer) => {
    const callee = await earlyCallee([{ status: 183 }, 'sound', answer]);
    const number = rig.gateway.calls.length;
    const dialled = rig.gateway.dial(`sip:callee@127.0.0.1:${callee.port}`, {});
    const call = await early(number);
    await moved(call);
    await dialled;
    await moved(call);
    await call.leg!.hangup(callEnd('gateway', 'shutdown'));
    expect(await callee.done).toMatchObject({ code: 0 });
    expect(await call.leg!.outerMedia).toMatchObject({ outerProtocol: 'RTP/AVP' });
  });

  it.each<[string, readonly EarlyStep[]]>([
    ['refuses', [{ status: 503 }]],
    ['is heard and then refuses', [{ status: 183 }, 'sound', { status: 503 }]],
  ])('when the first gateway of a trunk %s, the second one is offered keys of its own', async (_, steps) => {
    const first = await earlyCallee(steps);
    const phone = await phoneOf({ encryption: 'srtp-mand' });
    const answering = phone.answer(20_000);
    const call = await rig.gateway.dialAlong([
      { uri: `sip:callee@127.0.0.1:${first.port}`, from: 'echo' },
      { uri: uriOf(phone), from: 'echo', encryption: 'require' },
    ]);
    expect([await answering, (await first.done).code]).toEqual([true, 0]);
    await moved(call);
    expect((await rig.engine.held()).calls).toBe(1);
    phone.hangup();
    await until(() => call.stats, 'the end');
    expect(call.outer).toMatchObject({ outerProtocol: 'RTP/SAVP', outerKeys: 'sdes' });
  });

  it('one that is heard already is cancelled', async () => {
    const callee = await earlyCallee([{ status: 183 }, 'sound', 'wait']);
    const cancel = new AbortController();
    const number = rig.gateway.calls.length;
    const ended = endOf(rig.gateway.dial(`sip:callee@127.0.0.1:${callee.port}`, { signal: cancel.signal }));
    await moved(await early(number));
    expect((await rig.engine.held()).calls).toBe(1);
    cancel.abort();
    expect(await ended).toBe('cancelled');
    expect(await callee.done).toMatchObject({ code: 0 });
  });

  it.each([
    ['rings', false],
    ['answered by 183', true],
  ])('a phone that %s is cancelled', async (_, isEarly) => {
    const phone = await phoneOf({ early: isEarly, encryption: 'srtp-mand' });
    const cancel = new AbortController();
    const number = rig.gateway.calls.length;
    const ended = endOf(rig.gateway.dial(uriOf(phone), { encryption: 'require', signal: cancel.signal }));
    if (isEarly) await early(number);
    else expect(await phone.event(['CALL_INCOMING'], 10_000)).toBeDefined();
    expect((await rig.engine.held()).calls).toBe(1);
    cancel.abort();
    expect(await ended).toBe('cancelled');
    expect(await phone.closed(10_000)).toBeDefined();
  });
});
